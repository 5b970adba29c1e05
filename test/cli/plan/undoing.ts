/** Commands that nothing takes back, with what is said of it. */

const noted = /what it did is undone already, or stays as a note in the history/;
const emailed = /an email that was sent cannot be called back/;
const revoked = /an address that was revoked is not given again/;
const rate = /the EUR rate of 2026-11-02 stays until another is given/;

/** By the line of `lines.ts`; every other one is undone, and the books are as they were before. */
export const notUndone: Readonly<Record<string, RegExp>> = {
  ...Object.fromEntries(
    [
      ...["invoice", "bill", "credit-note", "quote", "purchase-order", "repeating-invoice"],
      ...["prepayment", "overpayment", "bank-transaction", "bank-transfer", "contact", "item"],
      ...["manual-journal", "asset", "payment", "batch-payment"],
    ].map((noun) => [`${noun} note`, noted]),
  ),
  "history add": noted,
  "invoice email": emailed,
  "credit-note email": emailed,
  "quote email": emailed,
  "purchase-order email": emailed,
  "payment remittance": emailed,
  "batch-payment remittance": emailed,
  "invoice remind": emailed,
  "report statement": emailed,
  "invoice url": revoked,
  "credit-note url": revoked,
  "quote url": revoked,
  "contact erase": /what was erased of a person is not known any more/,
  "contact-group delete": /a group that was deleted is made again by acct contact-group create/,
  "tracking delete": /a tracking category that was deleted is made again by acct tracking create/,
  "tracking option remove": /an option that was deleted is made again by acct tracking option add/,
  "currency rate": rate,
  "currency rates": rate,
  "import currencies": rate,
  "branding delete": /a theme that was deleted is made again by acct branding create/,
  "budget delete": /a budget that was deleted is made again by acct budget import/,
  "attachment remove": /a file that was removed or replaced is not kept; attach it again/,
};
