/** What was posted under each tax type. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../ledger/journal.ts";
import type { Cents } from "../resources/decimal.ts";
import type { Filed } from "./published.ts";
import { basisCode } from "./schema.ts";
import type { Tx } from "./store.ts";

export interface TaxedRow {
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  /** Debits less credits. */
  readonly net: Cents;
  readonly tax: Cents;
}

/**
 * Sums of postings by tax type and account over a range of days.
 *
 * The index by date leads to the postings of the range, and to no others.
 */
export function taxedSums(
  tx: Tx,
  { basis, from, to }: { readonly basis: Basis; readonly from: string; readonly to: string },
): Promise<TaxedRow[]> {
  return sums(tx, basis, sql`p.date >= ${from} and p.date <= ${to}`);
}

/**
 * The same of postings that are dated into the days of published returns, and were made after the
 * last of these. A void and an edit are posted at the date of what they undo, so that of a document
 * that was returned already they bring the difference.
 *
 * What was in the books before the first return, and is dated before it, is in none of them; nor is
 * what becomes of it later.
 */
export function lateSums(
  tx: Tx,
  basis: Basis,
  { from, first, to, last }: Filed,
): Promise<TaxedRow[]> {
  return sums(
    tx,
    basis,
    sql`p.number > ${last[basis]} and p.date <= ${to} and not (p.date < ${from} and exists (
      select 1 from journal as o
      where o.org = ${tx.org} and o.source_id = j.source_id and o.basis = j.basis
        and o.number <= ${first[basis]} and o.date < ${from}))`,
  );
}

async function sums(tx: Tx, basis: Basis, condition: RawBuilder<unknown>): Promise<TaxedRow[]> {
  const { rows } = await sql<TaxedRow>`
    select p.tax_type, p.account_id, sum(p.amount) as net, sum(coalesce(p.tax_amount, 0)) as tax
    from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    where p.org = ${tx.org} and j.org = ${tx.org} and p.basis = ${basisCode[basis]}
      and p.tax_type is not null
      and ${condition}
    group by p.tax_type, p.account_id order by p.tax_type, p.account_id`.execute(tx.db);
  return rows;
}
