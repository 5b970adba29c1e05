/** Open documents and bank balances in foreign currencies at a day. */
import { type RawBuilder, sql } from "kysely";
import { endOfMonth, monthOf, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { Basis } from "../../ledger/journal.ts";
import type { Cents } from "../../resources/decimal.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

/** An approved document in a foreign currency, as at a day. */
export interface ForeignDocument<Type extends string> {
  readonly id: string;
  readonly number: string | null;
  readonly type: Type;
  readonly currency: string;
  /** Outstanding amount in its currency. */
  readonly open: Cents;
  /** Its balance on the control account, in the base currency. */
  readonly openBase: Cents;
}

/** Tables of settlements, with their column of document ids, and the amounts settled. */
const settlements = [
  ["payment", "invoice_id", "amount", "base_amount"],
  ["payment", "credit_note_id", "amount", "base_amount"],
  ["payment", "overpayment_id", "amount", "base_amount"],
  ["allocation", "invoice_id", "amount", "invoice_base"],
  ["allocation", "credit_id", "amount", "credit_base"],
] as const;

/**
 * SQL: amount of a document `d` settled after a day.
 * @param of  0 in its currency, 1 in the base currency
 */
export function settledBeyond(date: string, of: 0 | 1): RawBuilder<unknown> {
  return settledSum(of, sql`s.date > ${date}`);
}

/** SQL: ids of the documents with a settlement after a day. */
export function settledAfter(tx: Tx, date: string): RawBuilder<unknown> {
  return sql.join(
    settlements.map(
      ([table, column]) => sql`select s.${sql.ref(column)} from ${sql.table(table)} as s
        where s.org = ${tx.org} and s.date > ${date} and s.${sql.ref(column)} is not null`,
    ),
    sql` union `,
  );
}

/**
 * SQL: whether a document `d` has a settlement `s`, even one that was taken back.
 * @param types  types of `d` that settle others: credit notes and overpayments
 */
export function hasSettlement(
  types: readonly string[],
  when: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const isSettled = (isOfCredit: boolean) =>
    sql.join(
      settlements
        .filter(([, column]) => isOfCredit === (column !== "invoice_id"))
        .map(
          ([table, column]) => sql`exists (select 1 from ${sql.table(table)} as s
            where s.org = d.org and s.${sql.ref(column)} = d.id and ${when})`,
        ),
      sql` or `,
    );
  return sql`case when d.type in (${sql.join(types)}) then ${isSettled(true)} else ${isSettled(false)} end`;
}

/** SQL: amount of a document `d` settled up to a day, in the base currency. */
export function settledUpTo(date: string): RawBuilder<unknown> {
  return settledSum(1, sql`s.date <= ${date}`);
}

function settledSum(of: 0 | 1, when: RawBuilder<unknown>): RawBuilder<unknown> {
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
 * A document row has its current open amount; settlements after the day are added to it. Documents
 * settled since are found by the day of their last settlement, so that the cost depends on the open
 * documents and not on all.
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

/** The balance of a bank account in a foreign currency at the end of a day. */
export interface ForeignHolding {
  /** AccountID. */
  readonly account: string;
  /** Balance in its currency, and in the base currency as posted. */
  readonly amount: Cents;
  readonly base: Cents;
}

/**
 * The balances of bank accounts.
 * @param accounts  AccountIDs; accounts without postings are left out
 */
export async function loadForeignHeld(
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
