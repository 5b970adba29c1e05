/** What moved the tax accounts: tax of documents by the return that it is in, and what is posted on them. */
import { sql } from "kysely";
import { addDays } from "../../../ledger/dates/calendar.ts";
import type { TaxAccountQuery } from "../../../ledger/figures/counted.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { basisCode } from "../../schema/index.ts";
import type { Tx } from "../../tx/tx.ts";
import type { PublishedReturn } from "../published.ts";

/** Of documents that are dated up to the opening balances, which are a part of these. */
export const placeOfOpening = -2;

/** Tax of documents in one return. */
export interface ReturnedTax {
  /**
   * Which of the returns, from 0; as many as there are for what is in none yet; -1 for never, or
   * `placeOfOpening`.
   */
  readonly place: number;
  /** 1 where it is dated before the days of its return. */
  readonly is_late: 0 | 1;
  readonly tax_type: string;
  /** AccountID. */
  readonly account_id: string;
  readonly source: "ACCREC" | "ACCRECCREDIT" | null;
  /** Debit positive. */
  readonly tax: Cents;
}

/** A line of tax paid on imports is all tax, and stands on the tax account itself. */
export const isImport = sql`(p.tax_type like '%IMPORTS' or p.tax_type = 'IMINPUT')`;

/**
 * Tax of documents up to a day, by the return that took it: the first that ends on its date or later
 * and was published after it was posted. Documents of before the first return, and dated before it,
 * are in none, nor are their reversals; what is dated up to `opened` is of the opening balances.
 *
 * @param returns  one after another, without gaps
 */
export async function returnedTax(
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
    (each, place) =>
      sql`when p.date <= ${each.to} and p.number <= ${each.last[basis]} then ${sql.lit(place)}`,
  );
  const place = sql`case when p.date <= ${opened} then ${sql.lit(placeOfOpening)} ${never} ${sql.join(takers, sql` `)} else ${sql.lit(returns.length)} end`;
  const last = returns.at(-1);
  const begins = [
    ...returns.map(({ from }) => from),
    ...(last === undefined ? [] : [addDays(last.to, 1)]),
  ].map((from, at) => sql`when place = ${sql.lit(at)} then ${from}`);
  const { rows } = await sql<ReturnedTax>`
    select place, is_late, tax_type, account_id, source, sum(tax) as tax from (
      select place, tax_type, account_id, source, tax,
        case when date < case when place < 0 then '' ${sql.join(begins, sql` `)} else '' end
          then 1 else 0 end as is_late
      from (select ${place} as place, p.date, p.tax_type, p.account_id,
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

/** What was posted on the tax accounts. */
export interface TaxAccountRow {
  /** 1 for tax of lines, 0 for lines on the tax accounts themselves. */
  readonly is_tax: 0 | 1;
  /** As the journals say; null for opening balances. */
  readonly source_type: string | null;
  /** Debit positive. */
  readonly amount: Cents;
}

/** Sums of the tax accounts up to a day. Imports are tax. */
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
