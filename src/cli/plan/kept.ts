/** Plans that the service keeps, named by their number or PlanID. */
import { planSummary } from "../../output/plan-summary.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { type Plan, plan } from "../../resources/plan.ts";
import { readId } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { confirm } from "../framework/confirm.ts";
import { InterruptedError } from "../render/error.ts";
import { readPlanFile } from "./plan-file.ts";

/** Whether a word names a plan that the service keeps, and no file. */
export const isKept = (word: string) => /^\d{1,15}$/.test(word) || readId(word) !== undefined;

export const keptPath = (key: string, deed = "") =>
  `${pathOf(plan)}/${encodeURIComponent(key)}${deed}`;

/** Reads a plan from its file, or from the service that keeps it. @throws NotFoundError */
export async function readPlan(ctx: Context, key: string): Promise<Plan> {
  if (!isKept(key)) return readPlanFile(key);
  const [kept] = await (await ctx.client()).at(plan, keptPath(key));
  if (kept === undefined) throw new NotFoundError("NotFound", `No plan ${key} is kept here.`);
  return kept as Plan;
}

/** Whether a plan is kept in a book without a server, where nobody else could approve it. */
const isOwn = ({ target }: Context, signedPlan: Plan) =>
  signedPlan.Number !== undefined && target().kind !== "remote";

/**
 * Checks that somebody looks at a plan that is to be approved.
 *
 * @param seenDigest  digest of the kept plan that was seen before
 * @throws UsageError
 */
export function checkLookedAt(ctx: Context, made: Plan, seenDigest: string | undefined): void {
  const { yes, input } = ctx.flags;
  const unconfirmed = (message: string) => new UsageError("NeedsConfirmation", message);
  if (isOwn(ctx, made) && (yes || !input)) {
    throw unconfirmed(
      "A plan of a book without a server is approved at a terminal, where its amount is typed; neither --yes nor a pipe does.",
    );
  }
  if (made.Number !== undefined && seenDigest === undefined && yes) {
    throw unconfirmed(
      `--yes approves what was seen before: name its digest by --digest, as acct plan show ${made.Number} has it.`,
    );
  }
}

/**
 * Asks the person to approve a plan. In a book without a server the amount of the plan is typed.
 *
 * @throws InterruptedError where another amount was typed, or the answer is no
 */
export async function askToApprove(ctx: Context, signedPlan: Plan): Promise<void> {
  const question = `It ${planSummary(signedPlan)}.`;
  if (!isOwn(ctx, signedPlan)) return confirm(ctx, `${question} Approve it?`);
  const amount = ((signedPlan.Amount ?? 0) / 100).toFixed(2);
  const { input } = await import("@inquirer/prompts");
  const typedAmount = await input(
    { message: `${question} Type its amount, ${amount}, to approve it` },
    { output: process.stderr, signal: ctx.interrupted },
  );
  if (typedAmount.trim() === amount) return;
  throw new InterruptedError("Another amount was typed: nothing was approved.");
}
