/**
 * Figures of the company overview. Each query uses balances or an index no larger than its result,
 * whatever else the book holds.
 */
import { sql } from "kysely";
import { endOfMonth } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import { documents } from "../../resources/index.ts";
import type { WaitingType } from "../../resources/overview.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";
import { settledAfter, settledBeyond, settledUpTo } from "./foreign-balances.ts";

/** The movement of an account in a month. */
export interface MonthSum {
  /** `YYYY-MM`. */
  readonly month: string;
  /** AccountID. */
  readonly account: string;
  /** Net movement, debit positive. */
  readonly amount: Cents;
}

/** The accrual-basis sums by account and month, from `first` to `last`, both `YYYY-MM`. */
export async function monthSums(tx: Tx, firstMonth: string, last: string): Promise<MonthSum[]> {
  const { rows } = await sql<MonthSum>`
    select month, account_id as account, sum(debit - credit) as amount from balance
    where org = ${tx.org} and basis = ${basisCode.accrual}
      and month >= ${firstMonth} and month <= ${last}
    group by month, account_id order by month, account_id`.execute(tx.db);
  return rows;
}

/** Movements after a day in the same month, by AccountID. */
export async function movementsLaterInMonth(
  tx: Tx,
  accounts: readonly string[],
  date: string,
): Promise<Map<string, Cents>> {
  if (accounts.length === 0 || date === endOfMonth(date)) return new Map();
  const { rows } = await sql<{ account: string; amount: Cents }>`
    select account_id as account, sum(amount) as amount from posting
    where org = ${tx.org} and basis = ${basisCode.accrual} and date > ${date}
      and date <= ${endOfMonth(date)} and account_id in (${sql.join(accounts)})
    group by account_id`.execute(tx.db);
  return new Map(rows.map(({ account, amount }) => [account, amount]));
}

/** Open documents of one type that fall due on one day. */
export interface DueSum {
  readonly type: string;
  /** The due day; the document's own date when it has no due date. */
  readonly due: string;
  readonly count: number;
  /** Current balance on the control account, in the base currency. */
  readonly amount: Cents;
}

/** Current open amounts of documents of some types dated up to a day, by due day. */
export async function openByDueDay(
  tx: Tx,
  types: readonly string[],
  date: string,
): Promise<DueSum[]> {
  const openDocuments = sql`from document where org = ${tx.org} and status = 'AUTHORISED'
    and type in (${sql.join(types)}) and date <= ${date} and base_due <> 0`;
  const { rows } = await sql<DueSum>`
    select type, due_date as due, count(*) as count, sum(base_due) as amount ${openDocuments}
      and due_date is not null group by type, due_date
    union all
    select type, date as due, count(*) as count, sum(base_due) as amount ${openDocuments}
      and due_date is null group by type, date`.execute(tx.db);
  return rows;
}

/** A document whose open amount as at a day may differ from its current one. */
export interface ExactDue {
  readonly type: string;
  readonly due: string;
  readonly currency: string;
  /** Whether `openByDueDay` counts the document, and its amount there. */
  readonly counted: 0 | 1;
  readonly amount: Cents;
  /** Open amounts as at the day, in its currency and in the base currency. */
  readonly open: Cents;
  readonly openBase: Cents;
}

/**
 * Documents that need their open amount computed as at a day: settled or dated after it, or in a
 * foreign currency.
 */
export async function loadDatedLater(
  tx: Tx,
  types: readonly string[],
  date: string,
): Promise<ExactDue[]> {
  const kinds = sql.join(documents.map(({ name }) => name));
  const { rows } = await sql<ExactDue>`
    select d.type, coalesce(d.due_date, d.date) as due, d.currency_code as currency,
      case when d.status = 'AUTHORISED' and d.date <= ${date} and d.base_due <> 0
        then 1 else 0 end as counted,
      d.base_due as amount,
      case when d.date <= ${date} then d.amount_due + ${settledBeyond(date, 0)} else 0 end as open,
      case when d.date <= ${date} then d.base_due + ${settledBeyond(date, 1)}
        else -(${settledUpTo(date)}) end as "openBase"
    from document as d
    where d.org = ${tx.org} and d.type in (${sql.join(types)})
      and d.status in ('AUTHORISED', 'PAID') and d.id in (
        select id from document
          where org = ${tx.org} and status = 'AUTHORISED' and last_settled is not null
        union select id from document
          where org = ${tx.org} and kind in (${kinds}) and date > ${date}
        union ${settledAfter(tx, date)})`.execute(tx.db);
  return rows;
}

/** What a customer owes on invoices. */
export interface Debtor {
  /** ContactID. */
  readonly contact: string;
  readonly name: string;
  /** Open amount in the base currency. */
  readonly amount: Cents;
  /** Due date of the oldest open invoice. */
  readonly due: string;
}

/** The customers who owe most on invoices dated up to a day. */
export async function topDebtors(tx: Tx, date: string, limit: number): Promise<Debtor[]> {
  const { rows } = await sql<Debtor>`
    select q.contact, c.name, q.amount, q.due from (
      select contact_id as contact, sum(base_due) as amount, min(coalesce(due_date, date)) as due
      from document where org = ${tx.org} and status = 'AUTHORISED' and type = 'ACCREC'
        and date <= ${date} and base_due <> 0
      group by contact_id order by amount desc, contact_id limit ${limit}) as q
    join contact as c on c.org = ${tx.org} and c.id = q.contact
    order by q.amount desc, q.contact`.execute(tx.db);
  return rows;
}

/** Documents of one type that are drafts or await approval, summed. */
export interface WaitingSum {
  readonly type: WaitingType;
  readonly status: "DRAFT" | "SUBMITTED";
  readonly count: number;
  /** Date of the first of them. */
  readonly first: string;
}

/** Draft documents and manual journals and those awaiting approval, of any date. */
export async function waitingDocuments(tx: Tx): Promise<WaitingSum[]> {
  const kinds = sql.join(documents.map(({ name }) => name));
  const { rows } = await sql<WaitingSum>`
    select type, status, count(*) as count, min(date) as first from (
      select type, status, date from document
      where org = ${tx.org} and kind in (${kinds}) and status in ('DRAFT', 'SUBMITTED')
      union all
      select 'MANJOURNAL', status, date from manual_journal
      where org = ${tx.org} and status = 'DRAFT') as waiting
    group by type, status order by type, status`.execute(tx.db);
  return rows;
}

/** Unreconciled bank statement lines of one bank account. */
export interface Unreconciled {
  readonly account: string;
  readonly count: number;
  readonly first: string;
}

export async function unreconciledLines(
  tx: Tx,
  accounts: readonly string[],
): Promise<Map<string, Unreconciled>> {
  if (accounts.length === 0) return new Map();
  const { rows } = await sql<Unreconciled>`
    select bank_account_id as account, count(*) as count, min(date) as first
    from bank_statement_line
    where org = ${tx.org} and status = 'UNRECONCILED' and bank_account_id in (${sql.join(accounts)})
    group by bank_account_id`.execute(tx.db);
  return new Map(rows.map((row) => [row.account, row]));
}
