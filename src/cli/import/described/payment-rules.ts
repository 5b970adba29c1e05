/**
 * Imports payments: one row each, of an invoice, a bill or a credit in the book.
 *
 * Payments have no number, so an existing one is identified by document, date, amount and
 * reference. Equal rows count separately: a file with two of them, imported into a book with one,
 * creates one.
 */
import { amountText } from "../../../resources/common.ts";
import { writeDecimal } from "../../../resources/decimal.ts";
import { type Payment, payment } from "../../../resources/payment.ts";
import { type ImportRecord, type Refuse, refuseAll } from "../records/import-record.ts";
import { withAny } from "../records/lookup.ts";
import {
  type PaidDocument,
  type PaymentRow,
  paidAs,
  paidDocuments,
} from "../records/paid-documents.ts";
import { currencyFaults } from "../records/row-records.ts";
import type { DescribedOptions, LocalRules } from "./local-rules.ts";

interface PaymentRecord extends ImportRecord {
  input: PaymentRow;
  readonly cells: readonly string[];
}

export function paymentRules(options: DescribedOptions): LocalRules {
  const { chart, client, bounds } = options;
  return {
    label: labelOf,
    faults: ({ said }) => faultsOf(said, options),
    amountOf: ({ said: { Amount } }) =>
      Amount === undefined ? undefined : { value: BigInt(Number(Amount)), scale: 2 },
    rowOf: (_, cells) =>
      ({ currency: chart.organisation.BaseCurrency, cells }) as Partial<PaymentRecord>,
    async examine(candidates, refuse: Refuse) {
      const records = candidates as readonly PaymentRecord[];
      const inputs = records.map(({ input }) => input);
      const documents = await paidDocuments(client, bounds, inputs);
      const countByKey = await heldOn(documents.flat(), options);
      for (const [at, record] of records.entries()) {
        const reason = settlePayment(record, documents[at] ?? [], countByKey, options);
        if (reason !== undefined) refuseAll(record, reason, refuse);
      }
    },
  };
}

function faultsOf(row: PaymentRow, { chart }: DescribedOptions): string[] {
  const { Account, Amount, Date: day } = row;
  const faults: string[] = [];
  if (labelOf(row) === "") faults.push("The row names no invoice.");
  const lock = day === undefined ? "The row has no date." : chart.lockFault(day);
  if (lock !== undefined) faults.push(lock);
  if (Amount === undefined) faults.push("The row has no amount.");
  else if (Amount <= 0) {
    faults.push(`The amount must be above zero, not ${writeDecimal(Amount, 2)}.`);
  }
  if (Account?.Code !== undefined) {
    const account = chart.account(Account.Code);
    const isTaken = account?.Type === "BANK" || account?.EnablePaymentsToAccount === true;
    if (chart.accountFault(Account.Code) === undefined && !isTaken) {
      faults.push(`The account ${Account.Code} takes no payments.`);
    }
  } else if (Account?.AccountID === undefined) faults.push("The row names no account.");
  return faults;
}

/**
 * Decides the verdict of a payment.
 *
 * @param documents  the possible documents of the row; of several credits any will do
 */
function settlePayment(
  record: PaymentRecord,
  documents: readonly PaidDocument[],
  countByKey: Map<string, number>,
  { mapping, onDuplicate }: DescribedOptions,
): string | undefined {
  const { label, input } = record;
  const { Amount = 0 } = input;
  const [first] = documents;
  if (first === undefined) return `There is no ${nouns[paidAs(input)]} ${label}.`;
  if (documents.length > 1 && paidAs(input) === "Invoice") {
    return `${documents.length} bills bear the number ${label}; map Contact.Name or Invoice.InvoiceID.`;
  }
  record.currency = first.currency;
  const [other] = currencyFaults(mapping.fields, record.cells, first.currency);
  if (other !== undefined) return other;
  for (const { id } of documents) {
    const key = keyOfPayment(id, input);
    const countBefore = countByKey.get(key) ?? 0;
    if (countBefore === 0) continue;
    countByKey.set(key, countBefore - 1);
    record.verdict = "existing";
    return onDuplicate === "error" ? "This payment exists already." : undefined;
  }
  const document = documents.find(({ open }) => open >= Amount) ?? first;
  if (document.status !== "AUTHORISED" && document.status !== "PAID") {
    return `${label} is ${document.status}; only what is approved can be paid.`;
  }
  if (Amount > document.open) {
    return `The payment of ${amountText(Amount, first.currency)} is more than the ${amountText(document.open, first.currency)} that are due on ${label}.`;
  }
  document.open -= Amount;
  const { Invoice, CreditNote, Credit, Contact, PaymentType, ...said } = input;
  record.input = { ...said, [paidAs(input)]: { [`${paidAs(input)}ID`]: document.id } };
  return undefined;
}

/** Counts the payments in the book by identity, on these documents. */
async function heldOn(
  documents: readonly PaidDocument[],
  { client, bounds, recreate }: DescribedOptions,
): Promise<Map<string, number>> {
  const countByKey = new Map<string, number>();
  for (const [name, some] of Map.groupBy(documents, (document) => document.paidAs)) {
    const documentIds = new Set(some.map(({ id }) => id));
    for await (const record of withAny(client, payment, `${name}.${name}ID`, documentIds, bounds)) {
      if (recreate && record.Status === "DELETED") continue;
      const paid = record[name] as Readonly<Record<string, unknown>> | undefined;
      const key = keyOfPayment(String(paid?.[`${name}ID`]), record);
      countByKey.set(key, (countByKey.get(key) ?? 0) + 1);
    }
  }
  return countByKey;
}

function keyOfPayment(id: string, payment: Partial<Payment>): string {
  return JSON.stringify([id, payment.Date, payment.Amount, payment.Reference ?? ""]);
}

const nouns = {
  Invoice: "invoice",
  CreditNote: "credit note",
  Prepayment: "prepayment",
  Overpayment: "overpayment",
} as const satisfies Record<ReturnType<typeof paidAs>, string>;

/** Returns the number or name of the paid document; empty where the row has none. */
function labelOf(row: PaymentRow): string {
  const { Invoice, CreditNote, Credit, Contact } = row;
  const number = Invoice?.InvoiceNumber ?? Invoice?.InvoiceID ?? CreditNote?.CreditNoteNumber;
  if (number !== undefined) return number;
  return Credit?.Date === undefined ? "" : `of ${Contact?.Name ?? "nobody"}, ${Credit.Date}`;
}
