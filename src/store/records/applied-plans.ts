/** Applied plans, recorded so that no plan is applied twice. */
import { insertNew, ownRows } from "../operations/bulk.ts";
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
  return ownRows(tx, "applied_plan", { id }).select(["id", "user", "at"]).executeTakeFirst();
}

export async function addAppliedPlan(tx: Tx, applied: AppliedPlan): Promise<void> {
  await insertNew(tx, "applied_plan", [applied]);
}
