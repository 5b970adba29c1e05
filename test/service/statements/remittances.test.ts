/** What suppliers are told of payments: which bills, what credit notes took off, and where it went. */
import { expect, test } from "vitest";
import { contact, invoiced, type Json, paid, type World, world } from "../fixture.ts";
import { readPdf } from "../pdf/pdf-text.ts";

const moa = {
  ...{ Name: "Moa Coffee", EmailAddress: "pay@moa.example" },
  BankAccountDetails: "01-0902-0068389-00",
};

const line = { Description: "Beans", Quantity: 1, AccountCode: "429" };

const bill = (given: World, { ContactID }: Json, InvoiceNumber: string, UnitAmount: number) =>
  invoiced(given, {
    ...{ Type: "ACCPAY", Status: "AUTHORISED", Contact: { ContactID }, InvoiceNumber },
    ...{ LineAmountTypes: "NoTax", LineItems: [{ ...line, UnitAmount }] },
  });

/** Takes a credit note of a supplier off a bill. */
async function credited(given: World, { Contact, InvoiceID }: Json, Amount: number): Promise<void> {
  const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
    ...{ Type: "ACCPAYCREDIT", Status: "AUTHORISED", Contact, CreditNoteNumber: "C-7" },
    ...{ LineAmountTypes: "NoTax", LineItems: [{ ...line, UnitAmount: Amount }] },
  });
  const path = `/CreditNotes/${CreditNotes[0].CreditNoteID}/Allocations`;
  await given.ok("PUT", path, { Amount, Invoice: { InvoiceID } });
}

/** A batch that pays Moa Coffee 450.00 for a bill of 500.00, and 20.00, and Tui Tea 30.00. */
async function batch(given: World) {
  const [coffee, tea] = [await contact(given, moa), await contact(given, { Name: "Tui Tea" })];
  const large = await bill(given, coffee, "B-1", 500);
  await credited(given, large, 50);
  const pays = [
    [large, 450],
    [await bill(given, coffee, "B-2", 20), 20],
    [await bill(given, tea, "T-1", 30), 30],
  ].map(([{ InvoiceID }, Amount]) => ({ Invoice: { InvoiceID }, Amount }));
  const asked = { Account: { Code: "090" }, Date: "2026-03-10", Payments: pays };
  const { BatchPayments } = await given.ok("PUT", "/BatchPayments", asked);
  return { path: `/Extensions/Remittances/${BatchPayments[0].BatchPaymentID}`, coffee, tea };
}

test("each supplier of a batch is told of its own bills, the credit notes taken off, and its account", async () => {
  const given = await world();
  const { path } = await batch(given);
  const { Remittances } = await given.ok("GET", path);
  expect(Remittances).toMatchObject([
    {
      ...{ Handle: "BP-1", Contact: { Name: "Moa Coffee" }, PaidTo: "01-0902-0068389-00" },
      ...{ Total: 470, CurrencyCode: "NZD" },
      Documents: [
        { InvoiceNumber: "B-1", Total: 500, CreditNotes: "C-7", Credited: 50, Amount: 450 },
        { InvoiceNumber: "B-2", Total: 20, Credited: 0, Amount: 20 },
      ],
    },
    { Contact: { Name: "Tui Tea" }, Total: 30, Documents: [{ InvoiceNumber: "T-1" }] },
  ]);
});

test("a remittance advice is emailed as a PDF with its bills and their sum, and is in the history", async () => {
  const given = await world();
  const { path, coffee } = await batch(given);
  const query = { contactID: coffee.ContactID };
  const { Emails } = await given.ok("POST", `${path}/Email`, {}, { query });
  expect(Emails).toMatchObject([{ Status: "SENT", To: ["pay@moa.example"] }]);
  const [message] = given.mail;
  expect(message?.subject).toBe("Remittance advice BP-1 from Heron Lane Ltd");
  expect(message?.text).toContain("we have paid NZD 470.00 to 01-0902-0068389-00 on 10 Mar 2026.");
  const text = readPdf(message?.attachments?.[0]?.bytes as Uint8Array)
    .pages.flat()
    .join(" ");
  for (const part of [
    "Remittance advice",
    "Account 01-0902-0068389-00",
    "B-1 less credit note C-7 1 Mar 2026 500.00 50.00 450.00",
    "Paid NZD 470.00",
  ]) {
    expect(text).toContain(part);
  }
  const at = `/BatchPayments/${path.split("/").at(-1)}/History`;
  const { HistoryRecords } = await given.ok("GET", at);
  expect(HistoryRecords[0]).toMatchObject({
    Changes: "Remittance advice sent",
    Details: "The remittance advice for Moa Coffee has been sent to pay@moa.example",
  });
});

test("a remittance advice is refused of money received, of a payment taken back, and without a supplier or an address", async () => {
  const given = await world();
  const { path, tea } = await batch(given);
  const refused = (to: string, query = {}) => given.refused("POST", `${to}/Email`, {}, { query });
  expect(await refused(path)).toEqual([
    "It pays several suppliers; say which by contactID: Moa Coffee, Tui Tea.",
  ]);
  expect(await refused(path, { contactID: tea.ContactID })).toEqual([
    "The contact Tui Tea has no EmailAddress to send a remittance advice to.",
  ]);
  const sold = await invoiced(given, { Status: "AUTHORISED" });
  const { PaymentID } = await paid(given, sold);
  const at = `/Extensions/Remittances/${PaymentID}`;
  expect(await refused(at)).toEqual([
    "A remittance advice is of bills that are paid, which this is not.",
  ]);
  await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
  expect(await refused(at)).toEqual(["It was taken back, so nothing is paid by it."]);
  expect(given.mail).toEqual([]);
});
