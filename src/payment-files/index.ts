/**
 * Creates payment files for banks from payment orders.
 *
 * What a bank would refuse is reported as a fault, each in a sentence, before anything is written.
 */

import { creditorReferences } from "../ledger/bank-matching/creditor-references.ts";
import { dayNumber, longDate } from "../ledger/dates/calendar.ts";
import { amountText } from "../resources/common.ts";
import type { Detail } from "../resources/errors.ts";
import type { PaymentFileFormat } from "../resources/payment-file.ts";
import { aba } from "./formats/aba.ts";
import { csv } from "./formats/csv-upload.ts";
import { ib4b } from "./formats/ib4b.ts";
import { pain001 } from "./formats/pain-001.ts";
import { lostLetters, plainLetters } from "./letters.ts";
import type {
  AccountHolder,
  BillReference,
  FaultSink,
  PaymentFormat,
  PaymentOrder,
} from "./payment-order.ts";

export type { OrderedPayment, PaymentOrder } from "./payment-order.ts";

const formats: Readonly<Record<PaymentFileFormat, PaymentFormat>> = {
  "pain.001": pain001,
  aba,
  ib4b,
  csv,
};

/** A payment file with notes for the user, or the faults that prevent it. */
export type PaymentFile =
  | {
      readonly text: string;
      readonly extension: string;
      readonly contentType: string;
      readonly notes: readonly string[];
    }
  | { readonly faults: readonly Detail[] };

/**
 * Default format for an account.
 *
 * @param country  country of the organisation, assumed for an account that is no IBAN
 */
export function usualFormat(
  account: string,
  { country, currency }: Pick<PaymentOrder, "country" | "currency">,
): PaymentFileFormat {
  if (/^\s*[A-Z]{2}\s*\d\s*\d/i.test(account)) return "pain.001";
  if (country === "AU" && currency === "AUD") return "aba";
  if (country === "NZ" && currency === "NZD") return "ib4b";
  return "csv";
}

/**
 * Structured creditor reference with check digits for the payment of a bill; undefined where none
 * of the texts is one.
 */
export function creditorReferenceIn(
  referenceTexts: readonly (string | undefined)[],
): BillReference | undefined {
  for (const text of referenceTexts) {
    for (const { kind, reference } of creditorReferences(text ?? "")) {
      if (kind === "RF" || kind === "QRR") return { kind, reference };
    }
  }
  return undefined;
}

/** Creates a payment file. @param order  payment order with account numbers as stored */
export function paymentFile(name: PaymentFileFormat, order: PaymentOrder): PaymentFile {
  const format = formats[name];
  const faults: Detail[] = [];
  const fault: FaultSink = (rule, message) => faults.push({ rule, message });
  checkAmounts(format, order, fault);
  const readAccount = (party: AccountHolder, whoseAccount: string): string => {
    checkName(format, party, whoseAccount, fault);
    return accountIn(format, order, party, whoseAccount, fault);
  };
  const made: PaymentOrder = {
    ...order,
    payer: { ...order.payer, account: readAccount(order.payer, "the account that pays") },
    payments: order.payments.map((each) => ({ ...each, account: readAccount(each, each.name) })),
  };
  if (faults.length === 0) format.check?.(made, fault);
  if (faults.length > 0) return { faults };
  const { extension, contentType } = format;
  return { text: format.write(made), extension, contentType, notes: notesOn(name, format, made) };
}

function checkAmounts(format: PaymentFormat, order: PaymentOrder, fault: FaultSink): void {
  const { payments, total, currency } = order;
  if (payments.length === 0 || total <= 0) {
    fault(
      "PaymentFile",
      "There is nothing to pay: no payment of the batch is left, or credits have settled its bills.",
    );
  }
  if (format.currency !== undefined && format.currency !== currency) {
    fault(
      "PaymentFile",
      `A file of this format pays in ${format.currency}, and the batch is in ${currency}: choose another format.`,
    );
  }
  const most = format.amountMax(order);
  for (const { name, amount } of [...payments, { name: "the whole batch", amount: total }]) {
    if (amount <= most) continue;
    fault(
      "PaymentFile",
      `The amount of ${name}, ${currency} ${amountText(amount, currency)}, is more than the format has digits for, ${amountText(most, currency)}: make several batches.`,
    );
  }
}

function checkName(
  { anyLetters }: PaymentFormat,
  { name }: AccountHolder,
  whose: string,
  fault: FaultSink,
): void {
  const lost = anyLetters === true ? "" : lostLetters(name);
  if (plainLetters(name) !== "" && lost === "") return;
  if (anyLetters === true && name.trim() !== "") return;
  fault(
    "PaymentFile",
    `The name of ${whose} cannot be written in the letters that the bank takes${lost === "" ? "" : ` (${lost.slice(0, 20)})`}: give the contact the name of its bank account in Latin letters.`,
  );
}

/** Account number in the format of the file; an invalid one is returned as stored. */
function accountIn(
  format: PaymentFormat,
  order: PaymentOrder,
  { account }: AccountHolder,
  holderName: string,
  fault: FaultSink,
): string {
  if (account.trim() === "") {
    fault("PayeeAccount", `There is no bank account number of ${holderName}.`);
    return account;
  }
  const number = format.account(account, order);
  if (number === undefined) {
    fault(
      "PayeeAccount",
      `The bank account number of ${holderName}, ${account}, is not ${format.accountForm(order)}.`,
    );
  }
  return number ?? account;
}

function notesOn(
  name: PaymentFileFormat,
  { nameMax = Number.POSITIVE_INFINITY }: PaymentFormat,
  { day, today, payments, userNumber }: PaymentOrder,
): string[] {
  const payeeNames = new Set(payments.map((payment) => payment.name));
  const long = [...payeeNames].filter((name) => plainLetters(name).length > nameMax);
  const on = longDate(day);
  // Day 0 is Thursday, 1 January 1970.
  const isWeekend = ((dayNumber(day) + 4) % 7) % 6 === 0;
  const notes: Readonly<Record<string, boolean>> = {
    [`The day of payment, ${on}, is past, which many banks refuse: --date gives another.`]:
      day < today,
    [`${on} is a weekend: the bank pays on its next working day.`]: isWeekend,
    [`Cut to the ${nameMax} letters of the format: ${long.join(", ")}.`]: long.length > 0,
    "The user number is 000000, since none was given: --user-number is for that of your bank.":
      name === "aba" && userNumber === undefined,
  };
  return Object.keys(notes).filter((note) => notes[note]);
}
