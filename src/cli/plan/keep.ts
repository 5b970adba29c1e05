/** `--plan FILE`: what a command would do, kept instead of done. */
import { UsageError } from "../../resources/errors.ts";
import type { Plan } from "../../resources/plan.ts";
import type { Context } from "../context/context.ts";
import { checkPlanFile, writePlan } from "./plan-file.ts";
import { planSummary } from "./plan-text.ts";

/** Before anything is tried. @throws UsageError */
export async function checkPlanned({ flags }: Context): Promise<void> {
  if (flags.plan !== undefined) await checkPlanFile(flags.plan);
}

/** @param made  undefined where nothing would be done @throws UsageError `NothingPlanned` */
export async function keepPlan({ flags, out }: Context, made: Plan | undefined): Promise<void> {
  const { plan: path = "" } = flags;
  if (made === undefined) {
    throw new UsageError(
      "NothingPlanned",
      `The command would change nothing; ${path} was not written.`,
    );
  }
  await writePlan(path, made);
  out.say(`Nothing was changed. The plan is in ${path}: it ${planSummary(made)}.`);
  out.say(`acct plan show ${path} shows it, acct apply ${path} does it.`);
}
