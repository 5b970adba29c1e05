/** How many sales invoices were issued in a range of days, and what they earn. */
import { sql } from "kysely";
import type { Cents, Rate } from "../resources/decimal.ts";
import type { Tx } from "./store.ts";

/** Approved sales invoices of one currency rate. */
export interface IssuedRow {
  readonly currency_rate: Rate;
  readonly count: number;
  /** Without tax, in the currency of the documents. */
  readonly income: Cents;
}

/** @param range  first and last day, both included */
export async function invoicesIssued(
  tx: Tx,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<IssuedRow[]> {
  const { rows } = await sql<IssuedRow>`
    select currency_rate, count(*) as count, sum(sub_total) as income
    from document
    where org = ${tx.org} and kind = 'Invoice' and date >= ${from} and date <= ${to}
      and type = 'ACCREC' and status in ('AUTHORISED', 'PAID')
    group by currency_rate`.execute(tx.db);
  return rows;
}
