/** `acct plan`: plans that wait to be applied. */
import { pathOf } from "../../resources/field.ts";
import { plan } from "../../resources/plan.ts";
import { command } from "../framework/command.ts";
import type { Context } from "../framework/context.ts";
import { readPlanFile, rewritePlan } from "../plan/file.ts";
import { planSummary, planText } from "../plan/text.ts";
import { formats } from "../render/formats/index.ts";
import { confirmed } from "./shared/confirm.ts";

const show = command("show", "what a plan would do")
  .note("The records that it makes and changes, what it posts, and what that does to the books.")
  .argument("FILE", "the plan", { live: "file" })
  .answers(plan)
  .example("acct plan show tea.plan")
  .example("acct plan show tea.plan -o json")
  .action(async (ctx: Context, file: string) => {
    const read = await readPlanFile(file);
    if (formats[ctx.flags.output].isLaidOut && ctx.flags.columns === undefined) {
      return ctx.out.value(read, planText(read, undefined));
    }
    await ctx.out.record(plan, read);
  });

const approve = command("approve", "agree to a plan that waits for you")
  .note("For the person whom --approve-by named when the plan was made, on a served book.")
  .argument("FILE", "the plan, in which the approval is kept", { live: "file" })
  .answers(plan)
  .writes({ isPlanned: false })
  .example("acct plan approve tea.plan")
  .action(async (ctx: Context, file: string) => {
    const read = await readPlanFile(file);
    await confirmed(ctx, `It ${planSummary(read)}. Approve it?`);
    const client = await ctx.client();
    const path = `${pathOf(plan)}/Approve`;
    const [approved = read] = await client.act(plan, path, { takes: plan, input: read });
    if (!ctx.flags.dryRun) await rewritePlan(file, { ...read, Approvals: approved.Approvals });
    ctx.out.say(`${ctx.flags.dryRun ? "It would be approved" : "Approved"}.`);
  });

export const planVerbs = [show, approve];
