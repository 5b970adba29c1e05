/** `acct apply`: applies the changes of a plan. */
import { planSummary } from "../../output/plan-summary.ts";
import { pathOf } from "../../resources/field.ts";
import { type Plan, plan } from "../../resources/plan.ts";
import { timezoneOf } from "../connection/load-letterhead.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { isKept, keptPath, readPlan } from "../plan/kept.ts";
import { changedText, momentText } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";

/** Declares the verb that applies a plan. @param example  its command line */
export const applyVerb = (example: string) =>
  command("apply", "do what a plan shows")
    .note(
      "All of it, and once. A plan is made by any command that writes, with --plan FILE. It is refused where the books have " +
        "moved in what it rests on, where it was changed, and where it waits for an approval; a plan " +
        "that was applied is not applied again.",
    )
    .argument("PLAN", "its file, or the number of one that the service keeps", { live: "file" })
    .answers(plan)
    .writes({ isPlanned: false })
    .example(example)
    .action(apply);

export const applyCommand = applyVerb("acct apply tea.plan --yes");

async function apply(ctx: Context, file: string): Promise<void> {
  const read = await readPlan(ctx, file);
  await confirm(ctx, `It ${planSummary(read)}. Do it?`);
  const client = await ctx.client();
  const [made = read] = isKept(file)
    ? await client.act(plan, keptPath(file, "/Apply"), {
        parameters: { digest: read.Digest ?? "" },
      })
    : await client.act(plan, `${pathOf(plan)}/Apply`, {
        takes: plan,
        input: withoutPreview(read),
      });
  const { Answers = [], AppliedAtUTC = 0 } = made;
  if (Answers.length === 0) {
    const at = momentText(AppliedAtUTC, await timezoneOf(ctx));
    ctx.out.say(`The plan was applied already, ${at}; nothing was done again.`);
  }
  if (!formats[ctx.flags.output].isLaidOut || ctx.flags.columns !== undefined) {
    return ctx.out.record(plan, made);
  }
  if (Answers.length > 0) await ctx.out.value(made, changedText(made, read));
}

/** Returns a plan without its preview, which the service does not need. */
export function withoutPreview(plan: Plan): Plan {
  const { Records = [], Journals: _, Accounts: __, Taxes: ___, Messages: ____, ...rest } = plan;
  return { ...rest, Records: Records.map(({ Before: _, After: __, ...each }) => each) };
}
