/**
 * Movements of the tax accounts: tax of documents by the return that includes it, and direct
 * postings.
 */
import { sql } from "kysely";
import { addDays } from "../../../ledger/dates/calendar.ts";
import type { TaxAccountQuery } from "../../../ledger/figures/counted.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";
import type { PublishedReturn } from "../published.ts";

/** Value of `place` for tax of documents dated up to the opening balances, which include it. */
export const placeOfOpening = -2;

/** The tax of documents in one return. */
export interface ReturnedTax {
  /**
   * Index of the return, from 0; the number of returns for tax in none yet; -1 for tax never
   * returned, or `placeOfOpening`.
   */
  readonly place: number;
  /** 1 when the tax is dated before the first day of its return. */
  readonly is_late: 0 | 1;
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  readonly source: "ACCREC" | "ACCRECCREDIT" | null;
  /** Tax, debit positive. */
  readonly tax: Cents;
  /** Number of documents. */
  readonly documents: number;
}

/**
 * SQL: whether a line is tax paid on imports, which is wholly tax and posted on the tax account
 * itself.
 */
export const isImport = sql`(p.tax_type like '%IMPORTS' or p.tax_type = 'IMINPUT')`;

/**
 * Tax of documents up to a day, by the return that includes it: the first that ends on its date or
 * later and was published after it was posted. Documents posted before the first return, and dated
 * before it, are in none, nor are their reversals; documents dated up to `opened` belong to the
 * opening balances.
 * @param returns  in order, without gaps
 */
export async function taxByReturn(
  tx: Tx,
  { basis, accounts, to }: TaxAccountQuery,
  returns: readonly PublishedReturn[],
  opened = "",
): Promise<ReturnedTax[]> {
  const [first] = returns;
  const never =
    first === undefined
      ? sql``
      : sql`when p.date < ${first.from} and exists (
          select 1 from journal as o
          where o.org = ${tx.org} and o.source_id = j.source_id and o.basis = j.basis
            and o.number <= ${first.last[basis]} and o.date < ${first.from}) then -1`;
  const takers = returns.map(
    (each, index) =>
      sql`when p.date <= ${each.to} and p.number <= ${each.last[basis]} then ${sql.lit(index)}`,
  );
  const place = sql`case when p.date <= ${opened} then ${sql.lit(placeOfOpening)} ${never} ${sql.join(takers, sql` `)} else ${sql.lit(returns.length)} end`;
  const lastReturn = returns.at(-1);
  const begins = [
    ...returns.map(({ from }) => from),
    ...(lastReturn === undefined ? [] : [addDays(lastReturn.to, 1)]),
  ].map((from, at) => sql`when place = ${sql.lit(at)} then ${from}`);
  const { rows } = await sql<ReturnedTax>`
    select place, is_late, tax_type, account_id, source, sum(tax) as tax,
      count(distinct document_id) as documents from (
      select place, tax_type, account_id, source, tax, document_id,
        case when date < case when place < 0 then '' ${sql.join(begins, sql` `)} else '' end
          then 1 else 0 end as is_late
      from (select ${place} as place, p.date, p.tax_type, p.account_id, j.document_id,
          case when j.source_type in ('ACCREC', 'ACCRECCREDIT') then j.source_type end as source,
          coalesce(p.tax_amount, 0)
            + case when ${isImport} and p.account_id in (${sql.join(accounts)}) then p.amount else 0 end
            as tax
        from posting as p
        join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
        where p.org = ${tx.org} and p.basis = ${basisCode[basis]} and p.tax_type is not null
          and p.date <= ${to}) as taxed) as placed
    group by place, is_late, tax_type, account_id, source
    order by place, is_late, tax_type, account_id, source`.execute(tx.db);
  return rows;
}

/** A sum of postings on the tax accounts. */
export interface TaxAccountRow {
  /** 1 for tax of lines, 0 for lines posted directly on the tax accounts. */
  readonly is_tax: 0 | 1;
  /** Source type of the journals; null for opening balances. */
  readonly source_type: string | null;
  /** Amount, debit positive. */
  readonly amount: Cents;
}

/** Sums of the tax accounts up to a day; lines of tax on imports count as tax. */
export async function taxAccountSums(
  tx: Tx,
  { basis, accounts, to, organisation }: TaxAccountQuery,
): Promise<TaxAccountRow[]> {
  const { rows } = await sql<TaxAccountRow>`
    select is_tax, source_type, sum(amount) as amount from (
      select p.amount,
        case when j.source_id <> ${organisation} then j.source_type end as source_type,
        case when j.source_id = ${organisation} then 0
          when p.tax_type is null or ${isImport} then 1 else 0 end as is_tax
      from posting as p
      join journal as j on j.org = p.org and j.basis = p.basis and j.number = p.number
      where p.org = ${tx.org} and p.basis = ${basisCode[basis]} and p.date <= ${to}
        and p.account_id in (${sql.join(accounts)})) as posted
    group by is_tax, source_type
    order by is_tax, source_type`.execute(tx.db);
  return rows;
}
