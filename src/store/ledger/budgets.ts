/** The amounts of budgets, by account and month. */
import { sql } from "kysely";
import type { Cents } from "../../resources/decimal.ts";
import type { Insertion } from "../connection/connection.ts";
import { deleteRows, insertRows, keyLists, ownRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

/** A range of months as `YYYY-MM`, both included. */
export interface Months {
  readonly from: string;
  readonly to: string;
}

export interface BudgetBalance {
  readonly accountId: string;
  /** `YYYY-MM`. */
  readonly month: string;
  /** Amount as planned: income and costs are both positive. */
  readonly amount: Cents;
}

export interface BudgetEntry extends BudgetBalance {
  readonly notes: string | undefined;
}

/**
 * The amounts of the overall budget by account and month; months without an amount are left out.
 * @returns by month, then by account
 */
export async function budgetBalances(tx: Tx, { from, to }: Months): Promise<BudgetBalance[]> {
  return tx.db
    .selectFrom("budget_balance as b")
    .innerJoin("budget", (join) =>
      join.onRef("budget.org", "=", "b.org").onRef("budget.id", "=", "b.budget_id"),
    )
    .select(["b.account_id as accountId", "b.month as month", "b.amount as amount"])
    .where("b.org", "=", tx.org)
    .where("budget.org", "=", tx.org)
    .where("budget.type", "=", "OVERALL")
    .where("b.month", ">=", from)
    .where("b.month", "<=", to)
    .orderBy("b.month")
    .orderBy("b.account_id")
    .$narrowType<{ amount: Cents }>()
    .execute();
}

/** The amounts of one budget, by account and then by month. */
export async function entriesOf(tx: Tx, budgetId: string, months: Months): Promise<BudgetEntry[]> {
  const rows = await ownRows(tx, "budget_balance", { budget_id: budgetId })
    .select(["account_id", "month", "amount", "notes"])
    .where("month", ">=", months.from)
    .where("month", "<=", months.to)
    .orderBy("account_id")
    .orderBy("month")
    .execute();
  return rows.map(({ account_id, month, amount, notes }) => ({
    accountId: account_id,
    month,
    amount: amount as Cents,
    notes: notes ?? undefined,
  }));
}

const insertion: Insertion = {
  table: "budget_balance",
  columns: ["org", "budget_id", "month", "account_id", "amount", "notes"],
  tail: `on conflict (org, budget_id, month, account_id)
    do update set amount = excluded.amount, notes = excluded.notes`,
  replaces: true,
};

/** Upserts amounts by account and month. */
export async function saveEntries(
  tx: Tx,
  budgetId: string,
  entries: readonly BudgetEntry[],
): Promise<void> {
  await insertRows(
    tx,
    insertion,
    entries.map(({ month, accountId, amount, notes }) => [
      tx.org,
      budgetId,
      month,
      accountId,
      amount,
      notes ?? null,
    ]),
  );
}

/** Deletes all amounts of a budget. */
export async function deleteEntries(tx: Tx, budgetId: string): Promise<void> {
  await deleteRows(tx, "budget_balance", sql`budget_id = ${budgetId}`);
}

/** Whether any budget has an amount for one of the accounts. */
export async function isBudgeted(tx: Tx, accountIds: readonly string[]): Promise<boolean> {
  for (const ids of keyLists(accountIds)) {
    const { rows } = await sql`select 1 from budget_balance
      where org = ${tx.org} and account_id in (${sql.join(ids)}) limit 1`.execute(tx.db);
    if (rows.length > 0) return true;
  }
  return false;
}
