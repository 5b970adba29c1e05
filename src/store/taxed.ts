/** What was posted under each tax type. */
import { sql } from "kysely";
import type { Basis } from "../ledger/journal.ts";
import type { Cents } from "../resources/decimal.ts";
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
export async function taxedSums(
  tx: Tx,
  { basis, from, to }: { readonly basis: Basis; readonly from: string; readonly to: string },
): Promise<TaxedRow[]> {
  const { rows } = await sql<TaxedRow>`
    select tax_type, account_id, sum(amount) as net, sum(coalesce(tax_amount, 0)) as tax
    from posting
    where org = ${tx.org} and basis = ${basisCode[basis]} and date >= ${from} and date <= ${to}
      and tax_type is not null
    group by tax_type, account_id order by tax_type, account_id`.execute(tx.db);
  return rows;
}
