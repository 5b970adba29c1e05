/** What is open, and what banks hold, in foreign currencies on a day. */
import { type RawBuilder, sql } from "kysely";
import { endOfMonth, monthOf, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { Basis } from "../../ledger/journal.ts";
import type { Cents } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/** An approved document in a foreign currency, as it stood on a day. */
export interface ForeignDocument<Type extends string> {
  readonly id: string;
  readonly number: string | null;
  readonly type: Type;
  readonly currency: string;
  /** Outstanding, in its currency. */
  readonly open: Cents;
  /** What its control account held of it, in the base currency. */
  readonly openBase: Cents;
}

/** What settles documents: the table, its column with their ids, and what it takes off them. */
const settlements = [
  ["payment", "invoice_id", "amount", "base_amount"],
  ["payment", "credit_note_id", "amount", "base_amount"],
  ["payment", "overpayment_id", "amount", "base_amount"],
  ["allocation", "invoice_id", "amount", "invoice_base"],
  ["allocation", "credit_id", "amount", "credit_base"],
] as const;

/**
 * What was settled of a document `d` after a day.
 *
 * @param of  0 in its currency, 1 in the base currency
 */
export function settledBeyond(date: string, of: 0 | 1): RawBuilder<unknown> {
  return settled(of, sql`s.date > ${date}`);
}

/** Ids of the documents of which something was settled after a day. */
export function settledAfter(tx: Tx, date: string): RawBuilder<unknown> {
  return sql.join(
    settlements.map(
      ([table, column]) => sql`select s.${sql.ref(column)} from ${sql.table(table)} as s
        where s.org = ${tx.org} and s.date > ${date} and s.${sql.ref(column)} is not null`,
    ),
    sql` union `,
  );
}

/** What was settled of a document `d` up to a day, in the base currency. */
export function settledUpTo(date: string): RawBuilder<unknown> {
  return settled(1, sql`s.date <= ${date}`);
}

function settled(of: 0 | 1, when: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql.join(
    settlements.map(
      ([table, column, ...sums]) => sql`coalesce((
        select sum(${sql.ref(sums[of])}) from ${sql.table(table)} as s
        where s.org = d.org and s.${sql.ref(column)} = d.id
        and s.status <> 'DELETED' and ${when}), 0)`,
    ),
    sql` + `,
  );
}

/**
 * The documents of some types that were open in a foreign currency at the end of a day.
 *
 * A document says what is open of it now; what was settled after the day is added to that. Those
 * that are settled by now are found by the last day on which something was, so that the cost goes by
 * what was open and not by what there ever was.
 */
export async function foreignOpen<Type extends string>(
  tx: Tx,
  types: readonly Type[],
  date: string,
): Promise<ForeignDocument<Type>[]> {
  const candidates = (condition: RawBuilder<unknown>) => sql`
    select org, id, number, type, currency_code, amount_due, base_due from document
    where org = ${tx.org} and last_settled is not null and ${condition}
    and date <= ${date} and type in (${sql.join(types)})`;
  const later = (of: 0 | 1) => settledBeyond(date, of);
  const { rows } = await sql<ForeignDocument<Type>>`
    select id, number, type, currency_code as currency,
      amount_due + ${later(0)} as open, base_due + ${later(1)} as "openBase"
    from (
      ${candidates(sql`status = 'AUTHORISED'`)}
      union all
      ${candidates(sql`status = 'PAID' and last_settled > ${date}`)}
    ) as d`.execute(tx.db);
  return rows.filter(({ open, openBase }) => open !== 0 || openBase !== 0);
}

/** What a bank account in a foreign currency held at the end of a day. */
export interface ForeignHolding {
  /** AccountID. */
  readonly account: string;
  /** In its currency, and in the base currency as it was posted. */
  readonly amount: Cents;
  readonly base: Cents;
}

/** @param accounts  AccountIDs; those that nothing moved on are left out */
export async function foreignHeld(
  tx: Tx,
  basis: Basis,
  accounts: readonly string[],
  date: string,
): Promise<ForeignHolding[]> {
  const of = sql`org = ${tx.org} and basis = ${basisCode[basis]}
    and account_id in (${sql.join(accounts)})`;
  const month = monthOf(date);
  const months = sql`select account_id, foreign_amount, debit - credit as amount from balance
    where ${of} and ${date === endOfMonth(date) ? sql`month <= ${month}` : sql`month < ${month}`}`;
  const days = sql`select account_id, foreign_amount, amount from posting
    where ${of} and date >= ${startOfMonth(date)} and date <= ${date}`;
  const { rows } = await sql<ForeignHolding>`
    select account_id as account, coalesce(sum(foreign_amount), 0) as amount, sum(amount) as base
    from (${date === endOfMonth(date) ? months : sql`${months} union all ${days}`}) as moved
    group by account_id order by account_id`.execute(tx.db);
  return rows;
}
