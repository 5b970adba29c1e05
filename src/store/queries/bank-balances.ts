/**
 * Balances of a bank account according to the bank: balances on statements, and the lines between
 * them.
 */

import { sql } from "kysely";
import { addDays } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import { ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** The balance of an account at the end of a day. */
export interface BalanceOn {
  readonly date: string;
  readonly balance: Cents;
}

/** A balance given on a bank statement. */
export interface ToldBalance extends BalanceOn {
  readonly statementId: string;
  /** The file from which the statement was imported. */
  readonly source: string | undefined;
  readonly isTyped: boolean;
}

interface StatementColumns {
  readonly id: string;
  readonly source: string | null;
  readonly balance_source: string | null;
}

const statementColumns = ["id", "source", "balance_source"] as const;

const balanceOf = (row: StatementColumns, date: string, balance: number): ToldBalance => ({
  date,
  balance: balance as Cents,
  statementId: row.id,
  source: row.source ?? undefined,
  isTyped: row.balance_source === "TYPED",
});

/** The latest closing balance on a statement of a bank account, up to a day. */
export async function closingUpTo(
  tx: Tx,
  accountId: string,
  day: string,
): Promise<ToldBalance | undefined> {
  const row = await ownRows(tx, "bank_statement", { bank_account_id: accountId })
    .select([...statementColumns, "to_date", "closing_balance"])
    .where("to_date", "<=", day)
    .where("closing_balance", "is not", null)
    .orderBy("to_date", "desc")
    .orderBy("created_date_utc", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.to_date == null ? undefined : balanceOf(row, row.to_date, row.closing_balance ?? 0);
}

/**
 * The balance of a bank account by its latest statement up to a day, plus the lines after it.
 * @returns the day of that statement or of the last line, undefined when no statement gives a
 *   balance
 */
export async function statedBalance(
  tx: Tx,
  accountId: string,
  day: string,
): Promise<BalanceOn | undefined> {
  const balance = await closingUpTo(tx, accountId, day);
  if (balance === undefined) return undefined;
  const { last, amount } = await lineSumBetween(tx, accountId, balance.date, day);
  return { date: last ?? balance.date, balance: (balance.balance + amount) as Cents };
}

/** The bank's number of the latest statement up to a day. */
export async function statedNumber(
  tx: Tx,
  accountId: string,
  day: string,
): Promise<string | undefined> {
  const row = await ownRows(tx, "bank_statement", { bank_account_id: accountId })
    .select("number")
    .where("to_date", "<=", day)
    .orderBy("to_date", "desc")
    .orderBy("created_date_utc", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.number ?? undefined;
}

/** The first opening or closing balance that a statement gives after a day. */
export async function nextStatedBalance(
  tx: Tx,
  accountId: string,
  day: string,
): Promise<ToldBalance | undefined> {
  const first = (date: "from_date" | "to_date", balance: "opening_balance" | "closing_balance") =>
    ownRows(tx, "bank_statement", { bank_account_id: accountId })
      .select([...statementColumns, `${date} as date`, `${balance} as balance`])
      .where(date, ">", day)
      .where(balance, "is not", null)
      .orderBy(date)
      .orderBy("created_date_utc", "desc")
      .limit(1)
      .executeTakeFirst();
  const opening = await first("from_date", "opening_balance");
  const closing = await first("to_date", "closing_balance");
  const balances = [
    ...(opening?.date == null ? [] : [{ ...opening, date: addDays(opening.date, -1) }]),
    ...(closing?.date == null ? [] : [{ ...closing, date: closing.date }]),
  ].toSorted((a, b) => (a.date < b.date ? -1 : 1));
  const [next] = balances;
  return next && balanceOf(next, next.date, next.balance ?? 0);
}

/** The sum of a bank account's lines after one day and up to another; the day of the last. */
export async function lineSumBetween(
  tx: Tx,
  accountId: string,
  afterDay: string,
  upTo: string,
): Promise<{ readonly amount: number; readonly last: string | null }> {
  const { rows } = await sql<{ amount: number | null; last: string | null }>`
    select sum(amount) as amount, max(date) as last from bank_statement_line
    where org = ${tx.org} and bank_account_id = ${accountId} and date > ${afterDay}
      and date <= ${upTo}`.execute(tx.db);
  return { amount: rows[0]?.amount ?? 0, last: rows[0]?.last ?? null };
}

/**
 * The bank's balance at the end of a day, and the balance it is computed from.
 *
 * It is the balance of the latest statement that gives one, plus the lines after it; before the
 * first such statement, its balance less the lines until then. When no statement gives a balance,
 * it starts from the opening balance of the books.
 * @param openingOf  balance at the bank when the books began
 */
export async function bankBalance(
  tx: Tx,
  accountId: string,
  date: string,
  openingOf: () => Promise<BalanceOn | undefined>,
): Promise<BankBalance> {
  const from = await balanceFrom(tx, accountId, date, openingOf);
  const { day, balance } = from;
  const [after, upTo] = day > date ? [date, day] : [day, date];
  const { amount, last } = await lineSumBetween(tx, accountId, after, upTo);
  const balanceAtDay = (day > date ? balance - amount : balance + amount) as Cents;
  return { ...from, balance: balanceAtDay, hasLines: last !== null };
}

/** The balance that a computed bank balance starts from: its day and its statement. */
export interface BalanceFrom extends Omit<BalanceOn, "date"> {
  /**
   * Day of that balance; empty when the books have none; later than the day asked for when the
   * first balance is.
   */
  readonly day: string;
  readonly statement: ToldBalance | undefined;
}

export interface BankBalance extends BalanceFrom {
  /** Whether there are lines between the two days. */
  readonly hasLines: boolean;
}

async function balanceFrom(
  tx: Tx,
  accountId: string,
  date: string,
  openingOf: () => Promise<BalanceOn | undefined>,
): Promise<BalanceFrom> {
  const statement =
    (await closingUpTo(tx, accountId, date)) ?? (await nextStatedBalance(tx, accountId, date));
  const { date: day = "", balance = 0 as Cents } = statement ?? (await openingOf()) ?? {};
  return { day, balance, statement };
}

/**
 * Statements up to a day whose change of balance differs from the sum of their lines, with the
 * difference.
 */
export async function gapsUpTo(tx: Tx, accountId: string, date: string) {
  const rows = await ownRows(tx, "bank_statement", { bank_account_id: accountId })
    .select(["id", "to_date", "gap"])
    .where("to_date", "<=", date)
    .where("gap", "<>", 0)
    .orderBy("to_date")
    .execute();
  return rows.map(({ id, to_date, gap }) => ({
    statementId: id,
    date: to_date ?? "",
    amount: gap as Cents,
  }));
}

/**
 * The parts of `bankBalance`: the starting balance, and the lines between its day and the day asked
 * for.
 */
export async function balanceParts(
  tx: Tx,
  accountId: string,
  date: string,
  openingOf: () => Promise<BalanceOn | undefined>,
) {
  const from = await balanceFrom(tx, accountId, date, openingOf);
  const [after, upTo] = from.day > date ? [date, from.day] : [from.day, date];
  const { rows } = await sql<{
    readonly id: string;
    readonly date: string;
    readonly payee: string | null;
    readonly description: string | null;
    readonly amount: Cents;
  }>`
    select id, date, payee, description, amount from bank_statement_line
    where org = ${tx.org} and bank_account_id = ${accountId} and date > ${after}
      and date <= ${upTo}
    order by date, id`.execute(tx.db);
  return { ...from, moved: rows };
}
