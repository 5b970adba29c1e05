/** `--plan FILE`: saves a plan of the command's changes instead of making them. */
import { planSummary } from "../../output/plan-summary.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import type { Context } from "../context/context.ts";
import { checkPlanFile, writePlan } from "./plan-file.ts";

/**
 * Checks the path of the plan before anything is tried.
 *
 * @throws UsageError
 */
export async function checkPlanned({ flags }: Context): Promise<void> {
  if (flags.plan !== undefined) await checkPlanFile(flags.plan);
}

/**
 * Saves a plan.
 *
 * @param madePlan  undefined where nothing would change
 * @throws UsageError `NothingPlanned`
 */
export async function keepPlan({ flags, out }: Context, madePlan: Plan | undefined): Promise<void> {
  const { plan: path = "" } = flags;
  if (madePlan === undefined) {
    throw new UsageError(
      "NothingPlanned",
      `The command would change nothing; ${path} was not written.`,
    );
  }
  await writePlan(path, madePlan);
  out.say(`Nothing was changed. The plan is in ${path}: it ${planSummary(madePlan)}.`);
  out.say(`acct plan show ${path} shows it, acct apply ${path} does it.`);
}
