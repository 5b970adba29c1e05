/** Finds the documents of imported payments: invoices, bills, and refunded credits. */
import type { Client } from "../../../client/client.ts";
import { creditNote } from "../../../resources/credit-note.ts";
import {
  choice,
  date,
  type Fields,
  money,
  one,
  type Resource,
  text,
} from "../../../resources/field.ts";
import { type Invoice, invoice } from "../../../resources/invoice.ts";
import { type Payment, payment } from "../../../resources/payment.ts";
import { overpayment, prepayment } from "../../../resources/prepayment.ts";
import { groupWithinBounds, type LookupBounds } from "../../../wire/query/lookup-bounds.ts";
import { fold, numbered, withAny } from "./lookup.ts";

/**
 * Columns of a payment file, including those that distinguish bills of one number, and credits
 * without number.
 */
export const paymentRowFields: Fields = {
  ...payment.fields,
  PaymentType: choice(payment.fields.PaymentType.values),
  Contact: one({ Name: text() }),
  Credit: one({ Date: date(), Total: money() }),
};

export type PaymentRow = Record<string, unknown> &
  Omit<Partial<Payment>, "Contact"> & {
    readonly Contact?: { readonly Name?: string };
    readonly Credit?: { readonly Date?: string; readonly Total?: number };
  };

export interface PaidDocument {
  readonly paidAs: PaidAs;
  readonly id: string;
  readonly status: string;
  readonly currency: string;
  /** Amount in cents that is due or left; the importer subtracts payments of earlier rows. */
  open: number;
}

const credits = { CreditNote: creditNote, Prepayment: prepayment, Overpayment: overpayment };
type PaidAs = "Invoice" | keyof typeof credits;

/** Returns the document kind that a row pays. */
export function paidAs({ PaymentType, CreditNote }: PaymentRow): PaidAs {
  if (PaymentType?.endsWith("PREPAYMENTPAYMENT")) return "Prepayment";
  if (PaymentType?.endsWith("OVERPAYMENTPAYMENT")) return "Overpayment";
  return PaymentType?.endsWith("CREDITPAYMENT") || CreditNote !== undefined
    ? "CreditNote"
    : "Invoice";
}

/** Returns the possible documents of each row; of credits, all that match the row equally. */
export async function paidDocuments(
  client: Client,
  bounds: LookupBounds,
  rows: readonly PaymentRow[],
): Promise<readonly PaidDocument[][]> {
  const byRow = new Map<PaymentRow, PaidDocument[]>();
  for (const [name, some] of Map.groupBy(rows, paidAs)) {
    if (name === "Invoice") {
      for (const [row, documents] of await invoicesOf(client, bounds, some)) {
        byRow.set(row, documents);
      }
      continue;
    }
    const credits = await creditsOf(client, bounds, name, some);
    for (const row of some) {
      const alikeCredits = credits.filter(([record]) => isCreditOfRow(row, record));
      byRow.set(
        row,
        alikeCredits.map(([, document]) => document),
      );
    }
  }
  return rows.map((row) => byRow.get(row) ?? []);
}

interface StoredDocument {
  readonly Type: string;
  readonly Status: string;
  readonly Date: string;
  readonly Total: number;
  readonly Contact?: { readonly Name?: string };
  readonly CurrencyCode: string;
  readonly CreditNoteNumber?: string;
  readonly RemainingCredit: number;
}

/** Whether a credit matches a row: by number, or by date, and all other values of the row. */
function isCreditOfRow(
  { CreditNote, Credit, Contact, PaymentType }: PaymentRow,
  document: StoredDocument,
): boolean {
  const { CreditNoteNumber: number } = CreditNote ?? {};
  const isSales = /^(?:ACCREC|RECEIVE)/.test(document.Type);
  return (
    (number === undefined || fold(number) === fold(document.CreditNoteNumber ?? "")) &&
    (Credit?.Date === undefined || Credit.Date === document.Date) &&
    (Credit?.Total === undefined || Credit.Total === document.Total) &&
    (Contact?.Name === undefined || fold(Contact.Name) === fold(document.Contact?.Name ?? "")) &&
    (PaymentType === undefined || PaymentType.startsWith("AR") === isSales) &&
    document.Status !== "VOIDED" &&
    document.Status !== "DELETED"
  );
}

async function creditsOf(
  client: Client,
  bounds: LookupBounds,
  name: keyof typeof credits,
  rows: readonly PaymentRow[],
): Promise<(readonly [StoredDocument, PaidDocument])[]> {
  const resource: Resource = credits[name];
  const byId = new Map<string, readonly [StoredDocument, PaidDocument]>();
  const numbers = new Set(rows.flatMap(({ CreditNote }) => CreditNote?.CreditNoteNumber ?? []));
  const creditDates = new Set(
    rows.flatMap(({ CreditNote, Credit }) =>
      CreditNote?.CreditNoteNumber === undefined ? (Credit?.Date ?? []) : [],
    ),
  );
  for (const [path, values] of [
    ["CreditNoteNumber", numbers],
    ["Date", creditDates],
  ] as const) {
    for await (const listed of withAny(client, resource, path, values, bounds)) {
      const record = listed as unknown as StoredDocument;
      const { Status: status, CurrencyCode: currency, RemainingCredit: open } = record;
      const id = String((listed as Record<string, unknown>)[resource.id]);
      byId.set(id, [record, { paidAs: name, id, status, currency, open }]);
    }
  }
  return [...byId.values()];
}

async function invoicesOf(
  client: Client,
  bounds: LookupBounds,
  rows: readonly PaymentRow[],
): Promise<Map<PaymentRow, PaidDocument[]>> {
  const all = new Map<string, readonly [Invoice, PaidDocument]>();
  const moreQuery = { includeArchived: "true", summaryOnly: "true" };
  const take = (invoice: Invoice) => {
    const { InvoiceID: id, Status: status, CurrencyCode: currency, AmountDue: open } = invoice;
    if (!all.has(id)) all.set(id, [invoice, { paidAs: "Invoice", id, status, currency, open }]);
  };
  const invoiceIds = new Set(rows.flatMap(({ Invoice }) => Invoice?.InvoiceID ?? []));
  const numbers = new Set(
    rows.flatMap(({ Invoice }) => (Invoice?.InvoiceID ? [] : (Invoice?.InvoiceNumber ?? []))),
  );
  for (const group of groupWithinBounds(invoiceIds, bounds, 1)) {
    const parameters = { IDs: group.join(","), ...moreQuery };
    for await (const record of client.list(invoice, { parameters })) take(record);
  }
  for await (const each of numbered(client, numbers, bounds, { parameters: moreQuery })) take(each);
  const byNumber = Map.groupBy(all.values(), ([{ InvoiceNumber = "" }]) => fold(InvoiceNumber));
  return new Map(
    rows.map((row) => {
      const { InvoiceID, InvoiceNumber = "" } = row.Invoice ?? {};
      if (InvoiceID) return [row, [all.get(InvoiceID)?.[1]].filter((paid) => paid !== undefined)];
      const invoices = selectPaidDocuments(byNumber.get(fold(InvoiceNumber)) ?? [], row);
      return [row, invoices.map(([, document]) => document)];
    }),
  );
}

type HeldInvoice = readonly [Invoice, PaidDocument];

/**
 * Selects the documents that a payment means among those of one number: sales and active ones
 * first.
 */
function selectPaidDocuments(
  numbered: readonly HeldInvoice[],
  { Contact, PaymentType }: PaymentRow,
): readonly HeldInvoice[] {
  const type = { ACCRECPAYMENT: "ACCREC", ACCPAYPAYMENT: "ACCPAY" }[PaymentType as string];
  const candidates = numbered.filter(
    ([{ Type, Contact: held }]) =>
      (type === undefined || Type === type) &&
      (Contact?.Name === undefined || fold(Contact.Name) === fold(held?.Name ?? "")),
  );
  const liveOnes = candidates.filter(([{ Status }]) => Status !== "VOIDED" && Status !== "DELETED");
  const sales = liveOnes.filter(([{ Type }]) => Type === "ACCREC");
  if (sales.length > 0) return sales;
  return liveOnes.length > 0 ? liveOnes : candidates.slice(-1);
}
