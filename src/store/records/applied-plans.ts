/** Applied plans, recorded so that no plan is applied twice. */
import type { Insertion } from "../connection/connection.ts";
import { insertRows } from "../operations/bulk.ts";
import type { Tx } from "../tx/tx.ts";

export interface AppliedPlan {
  readonly id: string;
  /** Name of the person who applied the plan. */
  readonly user: string;
  /** Time of application, milliseconds since 1970 UTC. */
  readonly at: number;
}

/**
 * The record of an applied plan.
 * @returns undefined for a plan that was not applied
 */
export async function appliedPlan(tx: Tx, id: string): Promise<AppliedPlan | undefined> {
  return tx.db
    .selectFrom("applied_plan")
    .select(["id", "user", "at"])
    .where("org", "=", tx.org)
    .where("id", "=", id)
    .executeTakeFirst();
}

const insertion: Insertion = {
  table: "applied_plan",
  columns: ["org", "id", "user", "at"],
};

export async function addAppliedPlan(tx: Tx, applied: AppliedPlan): Promise<void> {
  await insertRows(tx, insertion, [[tx.org, applied.id, applied.user, applied.at]]);
}
