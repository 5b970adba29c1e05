/**
 * Unfinished work at the end of a period: unreconciled lines, drafts, unapplied credits, stock.
 */
import { sql } from "kysely";
import type { Cents } from "../../resources/decimal.ts";
import type { Tx } from "../tx/tx.ts";

export interface BankStanding {
  readonly accountId: string;
  /** The date of the account's latest statement or line. */
  readonly last: string;
  /** Number of unreconciled lines up to the day, and the day of the first. */
  readonly open: number;
  readonly firstOpen: string | null;
}

/** Bank accounts that have statements, with their lines up to a day. */
export async function bankStandings(tx: Tx, date: string): Promise<BankStanding[]> {
  const { rows } = await sql<BankStanding>`
    select "accountId", max(last) as last, max(open) as open, min("firstOpen") as "firstOpen"
    from (
      select bank_account_id as "accountId", max(date) as last,
        sum(case when status = 'UNRECONCILED' and date <= ${date} then 1 else 0 end) as open,
        min(case when status = 'UNRECONCILED' and date <= ${date} then date end) as "firstOpen"
      from bank_statement_line
      where org = ${tx.org}
      group by bank_account_id
      union all
      select bank_account_id, max(to_date), 0, null
      from bank_statement
      where org = ${tx.org} and to_date is not null
      group by bank_account_id) as standings
    group by "accountId"
    order by "accountId"`.execute(tx.db);
  return rows;
}

export interface WaitingDocuments {
  readonly type: string;
  readonly status: string;
  readonly count: number;
  readonly first: string;
}

/** Draft documents and manual journals, or those awaiting approval, up to a day. */
export async function loadUnapproved(tx: Tx, date: string): Promise<WaitingDocuments[]> {
  const { rows } = await sql<WaitingDocuments>`
    select type, status, count(*) as count, min(date) as first from (
      select type, status, date from document
      where org = ${tx.org} and kind in ('Invoice', 'CreditNote') and status in ('DRAFT', 'SUBMITTED')
        and date <= ${date}
      union all
      select 'MANJOURNAL', status, date from manual_journal
      where org = ${tx.org} and status = 'DRAFT' and date <= ${date}) as waiting
    group by type, status
    order by type, status`.execute(tx.db);
  return rows;
}

export interface OpenCredits {
  readonly contact: string;
  readonly currency: string;
  /** Remaining amount of the credits, in their currency. */
  readonly amount: Cents;
}

/**
 * Contacts with a remaining credit of the given types up to a day, and an open invoice on the same
 * side and in the same currency.
 */
export async function creditsBesideInvoices(
  tx: Tx,
  date: string,
  { sales, purchases }: Readonly<Record<"sales" | "purchases", readonly string[]>>,
): Promise<OpenCredits[]> {
  const openCreditses: OpenCredits[] = [];
  for (const [invoice, credits] of [
    ["ACCREC", sales],
    ["ACCPAY", purchases],
  ] as const) {
    const { rows } = await sql<OpenCredits>`
      select c.name as contact, d.currency_code as currency, sum(d.amount_due) as amount
      from document as d
      join contact as c on c.org = d.org and c.id = d.contact_id
      where d.org = ${tx.org} and d.type in (${sql.join(credits)}) and d.status = 'AUTHORISED'
        and d.amount_due > 0 and d.date <= ${date}
        and exists (select 1 from document as i
          where i.org = d.org and i.contact_id = d.contact_id and i.type = ${invoice}
            and i.status = 'AUTHORISED' and i.amount_due > 0 and i.date <= ${date}
            and i.currency_code = d.currency_code)
      group by c.name, c.name_key, d.currency_code
      order by c.name_key, d.currency_code`.execute(tx.db);
    openCreditses.push(...rows);
  }
  return openCreditses;
}

export interface StockStanding {
  readonly code: string;
  /** Quantity in units of 10⁻⁴. */
  readonly quantity: number;
  readonly cost: Cents;
}

/** Quantity and value of every tracked item at the end of a day. */
export async function stockStandings(tx: Tx, date: string): Promise<StockStanding[]> {
  const { rows } = await sql<StockStanding>`
    select i.code, sum(m.quantity) as quantity, sum(m.cost) as cost
    from inventory_move as m
    join item as i on i.org = m.org and i.id = m.item_id
    join document as d on d.org = m.org and d.id = m.document_id
    where m.org = ${tx.org} and d.date <= ${date}
    group by i.code
    order by i.code`.execute(tx.db);
  return rows;
}
