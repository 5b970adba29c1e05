/** What was posted under each tax type. */
import { type RawBuilder, sql } from "kysely";
import type { Basis } from "../../ledger/journal.ts";
import { wholePercent } from "../../ledger/money.ts";
import type { Cents } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../transactions/tx.ts";
import type { Filed } from "./published.ts";

export interface TaxedRow {
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  /** Where the journals come from a sales invoice or a sales credit note. */
  readonly source: "ACCREC" | "ACCRECCREDIT" | null;
  /** 1 where the tax is not what the rate makes. */
  readonly is_entered: 0 | 1;
  /** Debits less credits. */
  readonly net: Cents;
  readonly tax: Cents;
}

/** What is charged under each tax type, in 10⁻⁴ percent of the net. */
export type TaxTypeRates = ReadonlyMap<string, number>;

/**
 * Sums of postings by tax type and account over a range of days.
 *
 * The index by date leads to the postings of the range, and to no others.
 */
export function taxedSums(
  tx: Tx,
  { basis, from, to }: { readonly basis: Basis; readonly from: string; readonly to: string },
  rates: TaxTypeRates,
): Promise<TaxedRow[]> {
  return sums(tx, basis, rates, sql`p.date >= ${from} and p.date <= ${to}`);
}

/**
 * The same sums of late postings: dated within published returns, and posted after the last of
 * these. A void and an edit are posted on the date of the reversed journal, so for a document in an
 * earlier return they give the difference.
 *
 * Postings from before the first return, and dated before it, are in no return, nor are their
 * reversals.
 */
export function lateSums(
  tx: Tx,
  basis: Basis,
  { from, first, to, last }: Filed,
  rates: TaxTypeRates,
): Promise<TaxedRow[]> {
  return sums(
    tx,
    basis,
    rates,
    sql`p.number > ${last[basis]} and p.date <= ${to} and not (p.date < ${from} and exists (
      select 1 from journal as o
      where o.org = ${tx.org} and o.source_id = j.source_id and o.basis = j.basis
        and o.number <= ${first[basis]} and o.date < ${from}))`,
  );
}

async function sums(
  tx: Tx,
  basis: Basis,
  rates: TaxTypeRates,
  condition: RawBuilder<unknown>,
): Promise<TaxedRow[]> {
  const source = sql`case when j.source_type in ('ACCREC', 'ACCRECCREDIT') then j.source_type end`;
  // More than what rounding and the shares of payments explain.
  const whens = [...rates].map(
    ([taxType, rate]) => sql`when ${taxType} then ${sql.lit(rate / wholePercent)}`,
  );
  const rate = sql`case p.tax_type ${sql.join(whens, sql` `)} end`;
  const isEntered =
    whens.length === 0
      ? sql`0`
      : sql`case when abs(coalesce(p.tax_amount, 0) - p.amount * (${rate})) > 2 then 1 else 0 end`;
  const { rows } = await sql<TaxedRow>`
    select tax_type, account_id, source, is_entered, sum(net) as net, sum(tax) as tax
    from (select p.tax_type, p.account_id, ${source} as source, ${isEntered} as is_entered,
      p.amount as net, coalesce(p.tax_amount, 0) as tax
    from posting as p
    join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
    where p.org = ${tx.org} and j.org = ${tx.org} and p.basis = ${basisCode[basis]}
      and p.tax_type is not null
      and ${condition}) as taxed
    group by tax_type, account_id, source, is_entered
    order by tax_type, account_id, source, is_entered`.execute(tx.db);
  return rows;
}
