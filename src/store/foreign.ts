/** Documents in foreign currencies as they stood at the end of a day. */
import { sql } from "kysely";
import type { Cents, Rate } from "../resources/decimal.ts";
import type { Tx } from "./store.ts";

/** A document of which something may have been open. */
export interface ForeignRow {
  readonly type: string;
  readonly currency_code: string;
  readonly currency_rate: Rate;
  /** In its currency. */
  readonly total: Cents;
  /** What payments and refunds had settled by then, in its currency and in the base currency. */
  readonly paid: Cents;
  readonly paid_base: Cents;
  /** What allocations had, in the same two. */
  readonly allocated: Cents;
  readonly allocated_base: Cents;
}

/**
 * Approved documents dated up to `date` that were not settled by then.
 *
 * What is still open and what was settled later stand together in an index of foreign documents
 * alone. A document at a rate of exactly 1 is not in it: such a currency is tied to the base.
 */
export async function foreignDocuments(tx: Tx, date: string): Promise<ForeignRow[]> {
  const found = await sql<ForeignRow>`
    ${within(tx, date, sql`d.fully_paid_on_date is null`)}
    union all
    ${within(tx, date, sql`d.fully_paid_on_date > ${date}`)}`.execute(tx.db);
  return found.rows;
}

function within(tx: Tx, date: string, settled: ReturnType<typeof sql>) {
  const payments = sql`payment as p where p.org = d.org and p.status <> 'DELETED'
    and p.date <= ${date}`;
  const allocations = sql`allocation as a where a.org = d.org and a.status <> 'DELETED'
    and a.date <= ${date}`;
  return sql`
    select d.type, d.currency_code, d.currency_rate, d.total,
      coalesce((select sum(p.amount) from ${payments} and p.invoice_id = d.id), 0)
        + coalesce((select sum(p.amount) from ${payments} and p.credit_note_id = d.id), 0) as paid,
      coalesce((select sum(p.base_amount) from ${payments} and p.invoice_id = d.id), 0)
        + coalesce((select sum(p.base_amount) from ${payments} and p.credit_note_id = d.id), 0)
        as paid_base,
      coalesce((select sum(a.amount) from ${allocations} and a.invoice_id = d.id), 0)
        + coalesce((select sum(a.amount) from ${allocations} and a.credit_id = d.id), 0)
        as allocated,
      coalesce((select sum(a.invoice_base) from ${allocations} and a.invoice_id = d.id), 0)
        + coalesce((select sum(a.credit_base) from ${allocations} and a.credit_id = d.id), 0)
        as allocated_base
    from document as d
    where d.org = ${tx.org} and d.currency_rate <> 1000000
      and d.status in ('AUTHORISED', 'PAID') and d.date <= ${date} and ${settled}`;
}
