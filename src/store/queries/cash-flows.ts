/** Cash flows: the contra postings in journals that move bank accounts. */
import { sql } from "kysely";
import type { DateRange } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import type { SumsRow } from "../ledger/journals.ts";
import { basisCode } from "../schema/index.ts";
import type { Tx } from "../tx/tx.ts";

export interface CashFlowRow {
  /** AccountID. */
  readonly account: string;
  /** Amount, debit positive: money paid for the account's purpose. */
  readonly amount: Cents;
}

export interface CashFlowsQuery extends DateRange {
  /** AccountIDs of the bank accounts. */
  readonly banks: readonly string[];
  /** The OrganisationID, the source of the journal of opening balances. */
  readonly organisation: string;
}

/**
 * Sums of the cash ledger by account over a range of days. Left out are bank accounts, opening
 * balances, and cost of goods sold, which moves between two accounts without cash.
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

/** Turnover of bank transfers on each account within a range of days. */
export async function transferTurnover(tx: Tx, { from, to }: DateRange): Promise<Turnover[]> {
  const { rows } = await sql<Turnover>`
    select p.account_id as account, sum(p.debit) as debit, sum(p.debit - p.amount) as credit
    from bank_transfer as t
    join journal as j on j.org = t.org and j.source_id = t.id
    join posting as p on p.org = j.org and p.basis = j.basis and p.number = j.number
    where t.org = ${tx.org} and j.basis = ${basisCode.accrual} and j.source_type = 'TRANSFER'
      and j.date >= ${from} and j.date <= ${to}
    group by p.account_id`.execute(tx.db);
  return rows;
}

type Turnover = Pick<SumsRow, "account" | "debit" | "credit">;

/** Opening balances of the bank accounts dated in a range of days, debit positive. */
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
