/** The documents of one contact as they stood on a day. */
import { sql } from "kysely";
import { type Cents, type Rate, rateFrom } from "../../resources/decimal.ts";
import type { Tx } from "../transactions/tx.ts";

export interface AgedQuery {
  readonly contactId: string;
  readonly type: "ACCREC" | "ACCPAY";
  /** The last day of the documents, included. */
  readonly to: string;
  /** The last day of payments and allocations, included. */
  readonly date: string;
}

/** An approved invoice or bill. */
export interface AgedRow {
  readonly id: string;
  readonly number: string | null;
  readonly reference: string | null;
  readonly date: string;
  readonly due_date: string | null;
  /** In the currency of the document. */
  readonly total: Cents;
  /** What the construction industry scheme withholds of it. */
  readonly withheld: Cents;
  readonly currency_rate: Rate;
  /** What payments have taken off it, in the base currency. */
  readonly paid: Cents;
  /** What credit notes, prepayments and overpayments have, by allocation. */
  readonly credited: Cents;
}

/** Invoices or bills of a contact, approved and dated up to a day, in the order of their dates. */
export async function agedDocuments(tx: Tx, query: AgedQuery): Promise<AgedRow[]> {
  const { contactId, type, to, date } = query;
  const { rows } = await sql<Omit<AgedRow, "currency_rate"> & { readonly currency_rate: string }>`
    select id, number, reference, date, due_date, total, cast(currency_rate as text) as currency_rate,
      coalesce(cis_deduction, 0) as withheld,
      coalesce((select sum(coalesce(p.base_amount, p.amount)) from payment as p
        where p.org = document.org and p.invoice_id = document.id
          and p.status <> 'DELETED' and p.date <= ${date}), 0) as paid,
      coalesce((select sum(a.invoice_base) from allocation as a
        where a.org = document.org and a.invoice_id = document.id
          and a.status <> 'DELETED' and a.date <= ${date}), 0) as credited
    from document
    where org = ${tx.org} and contact_id = ${contactId} and date <= ${to}
      and type = ${type} and status in ('AUTHORISED', 'PAID')
    order by date, id`.execute(tx.db);
  return rows.map((row) => ({ ...row, currency_rate: rateFrom(row.currency_rate) }));
}
