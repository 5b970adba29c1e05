/** What a read adds to a document: its lines, its payments and, read alone, its whole contact. */
import { payment } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { linesOf } from "../../store/lines.ts";
import { fetch } from "../../store/records.ts";
import type { Tx } from "../../store/store.ts";
import type { View } from "../endpoint.ts";
import { grouped } from "../grouped.ts";
import { loadContacts } from "./references.ts";

export async function withContents<D extends Invoice>(
  tx: Tx,
  records: readonly D[],
  view: View,
): Promise<D[]> {
  const ids = records.map((record) => record.InvoiceID);
  const lines = view === "list" ? new Map<string, LineItem[]>() : await linesOf(tx, ids);
  const paid = records.filter((record) => record.AmountPaid !== 0);
  const payments = await paymentsOf(
    tx,
    paid.map((record) => record.InvoiceID),
  );
  const references = view === "single" ? records.map((record) => record.Contact) : [];
  const contacts = await loadContacts(tx, references);
  return records.map((record) => ({
    ...record,
    LineItems: lines.get(record.InvoiceID) ?? [],
    Payments: payments.get(record.InvoiceID),
    Contact: contacts.byId(record.Contact?.ContactID ?? "") ?? record.Contact,
    IsDiscounted: (record.TotalDiscount ?? 0) !== 0,
  }));
}

type ShownPayment = NonNullable<Invoice["Payments"]>[number];

/** Live payments by the invoice they settle, the earliest first. */
export async function paymentsOf(
  tx: Tx,
  ids: readonly string[],
): Promise<Map<string, ShownPayment[]>> {
  if (ids.length === 0) return new Map();
  const live = (await fetch(tx, payment, "Invoice.InvoiceID", ids))
    .filter((each) => each.Status === "AUTHORISED")
    .sort((a, b) => compare(a.Date, b.Date) || a.UpdatedDateUTC - b.UpdatedDateUTC);
  const byInvoice = grouped(live, (each) => each.Invoice?.InvoiceID ?? "");
  return new Map(
    [...byInvoice].map(([id, payments]) => [
      id,
      payments.map((each) => ({
        PaymentID: each.PaymentID,
        Date: each.Date,
        Amount: each.Amount,
        Reference: each.Reference,
        CurrencyRate: each.CurrencyRate,
        HasAccount: false,
        HasValidationErrors: false,
      })),
    ]),
  );
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
