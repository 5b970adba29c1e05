/** What stands against the bank accounts in the journals that move them. */
import { sql } from "kysely";
import type { DateRange } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { SumsRow } from "../ledger/journals.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

export interface CashFlowRow {
  /** AccountID. */
  readonly account: string;
  /** Debit positive: what was paid for it. */
  readonly amount: Cents;
}

export interface CashFlowsQuery extends DateRange {
  /** AccountIDs of the bank accounts. */
  readonly banks: readonly string[];
  /** The OrganisationID, which the journal of opening balances comes from. */
  readonly organisation: string;
}

/**
 * Sums by account over a range of days, of the cash ledger. Bank accounts and opening balances are
 * left out, and so is the cost of items, which goes from one account to another beside what was paid.
 */
export async function cashFlows(
  tx: Tx,
  { banks, organisation, from, to }: CashFlowsQuery,
): Promise<CashFlowRow[]> {
  if (banks.length === 0) return [];
  const { rows } = await sql<CashFlowRow>`
    select p.account_id as account, sum(p.amount) as amount
    from (select distinct basis, number from posting
      where org = ${tx.org} and basis = ${basisCode.cash} and account_id in (${sql.join(banks)})
        and date >= ${from} and date <= ${to}) as b
    join journal as j on j.org = ${tx.org} and j.basis = b.basis and j.number = b.number
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    where p.account_id not in (${sql.join(banks)}) and j.source_id <> ${organisation}
      and (p.line is null or p.tax_type is not null)
    group by p.account_id`.execute(tx.db);
  return rows;
}

/** What transfers between bank accounts put on each account and took from it within a range of days. */
export async function transferred(tx: Tx, { from, to }: DateRange): Promise<Turnover[]> {
  const { rows } = await sql<Turnover>`
    select p.account_id as account, sum(p.debit) as debit, sum(p.debit - p.amount) as credit
    from journal as j
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    where j.org = ${tx.org} and j.basis = ${basisCode.accrual} and j.source_type = 'TRANSFER'
      and j.date >= ${from} and j.date <= ${to}
    group by p.account_id`.execute(tx.db);
  return rows;
}

type Turnover = Pick<SumsRow, "account" | "debit" | "credit">;

/** What the opening balances put on the bank accounts within a range of days, debit positive. */
export async function cashBegunWith(
  tx: Tx,
  { banks, organisation, from, to }: CashFlowsQuery,
): Promise<Cents> {
  if (banks.length === 0) return 0 as Cents;
  const { rows } = await sql<{ amount: Cents }>`
    select coalesce(sum(p.amount), 0) as amount
    from journal as j
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    where j.org = ${tx.org} and j.source_id = ${organisation}
      and j.basis = ${basisCode.accrual} and p.account_id in (${sql.join(banks)})
      and p.date >= ${from} and p.date <= ${to}`.execute(tx.db);
  return rows[0]?.amount ?? (0 as Cents);
}
