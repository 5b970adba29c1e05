/** What a read adds to a document: its lines, its payments and, read alone, its whole contact. */
import { payment } from "../../resources/index.ts";
import type { Invoice } from "../../resources/invoice.ts";
import type { LineItem } from "../../resources/line-item.ts";
import { linesOf } from "../../store/lines.ts";
import { fetch } from "../../store/records.ts";
import type { Tx } from "../../store/store.ts";
import type { View } from "../endpoint.ts";
import { grouped } from "../grouped.ts";
import { type Family, idOf } from "./family.ts";
import { loadContacts } from "./references.ts";
import type { StoredDocument } from "./stored.ts";

export async function withContents(
  tx: Tx,
  family: Family,
  records: readonly StoredDocument[],
  view: View,
): Promise<StoredDocument[]> {
  const ids = records.map((record) => idOf(family, record));
  const lines = view === "list" ? new Map<string, LineItem[]>() : await linesOf(tx, ids);
  const paid = ids.filter((_, index) => records[index]?.AmountPaid !== 0);
  const payments = await paymentsOf(tx, family, paid);
  const references = view === "single" ? records.map((record) => record.Contact) : [];
  const contacts = await loadContacts(tx, references);
  return records.map((record, index) => ({
    ...record,
    LineItems: lines.get(ids[index] ?? "") ?? [],
    Payments: payments.get(ids[index] ?? ""),
    Contact: contacts.byId(record.Contact?.ContactID ?? "") ?? record.Contact,
    IsDiscounted: (record.TotalDiscount ?? 0) !== 0,
  }));
}

type ShownPayment = NonNullable<Invoice["Payments"]>[number];

/** Live payments by the document they settle, the earliest first. */
export async function paymentsOf(
  tx: Tx,
  { resource, paidAs }: Family,
  ids: readonly string[],
): Promise<Map<string, ShownPayment[]>> {
  if (paidAs === undefined || ids.length === 0) return new Map();
  const live = (await fetch(tx, payment, `${paidAs}.${resource.id}`, ids))
    .filter((each) => each.Status === "AUTHORISED")
    .sort((a, b) => compare(a.Date, b.Date) || a.UpdatedDateUTC - b.UpdatedDateUTC);
  const targetOf = (each: (typeof live)[number]) =>
    (each[paidAs] as Readonly<Record<string, string>> | undefined)?.[resource.id] ?? "";
  const byDocument = grouped(live, targetOf);
  return new Map(
    [...byDocument].map(([id, payments]) => [
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
