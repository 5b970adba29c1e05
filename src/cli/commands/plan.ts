/** `acct plan`: plans that are not yet applied. */
import { AcctError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { type Plan, plan } from "../../resources/plan.ts";
import { exists } from "../connection/choose-target.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmed } from "../framework/confirm.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import { planSummary, planText, standingOf } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";

const show = command("show", "what a plan would do")
  .note(
    "Every record that it makes, changes or removes with every field that is set, what it posts, and " +
      "what that does to the books. Where the book that made it is at hand, its signature is checked.",
  )
  .argument("FILE", "the plan", { live: "file" })
  .switch("summary", "counts in place of records and journals")
  .answers(plan)
  .example("acct plan show tea.plan")
  .example("acct plan show tea.plan -o json")
  .action(async (ctx: Context, file: string, { summary }) => {
    const made = await readPlanFile(file);
    const { known = made, signature } = await checked(ctx, made);
    if (formats[ctx.flags.output].isLaidOut && ctx.flags.columns === undefined) {
      return ctx.out.page(async (view) =>
        planText(known, { ...(await standingOf(view)), signature, summary }).split("\n"),
      );
    }
    ctx.out.say(`Signature: ${signature}.`);
    await ctx.out.record(plan, known);
  });

/**
 * Returns what the server in use knows of a plan.
 *
 * @throws RefusedError where another server made the plan
 */
async function checked(
  ctx: Context,
  made: Plan,
): Promise<{ readonly known?: Plan; readonly signature: string }> {
  try {
    const place = ctx.target();
    // This command does not offer to create a missing book.
    if (place.kind !== "remote" && !exists(place)) throw noBook;
    const { send } = await ctx.client();
    const { planAnswered } = await import("../../client/planning.ts");
    const path = `${pathOf(plan)}/Check`;
    const known = await planAnswered(send, path, { body: made, isOffered: true });
    return { known, signature: "checked, the plan is as it was made" };
  } catch (error) {
    if (!(error instanceof AcctError)) throw error;
    if (error instanceof RefusedError && error.code === "ValidationException") throw error;
    return { signature: `not checked: ${error.message.replace(/\.$/, "")}` };
  }
}

const noBook = new NotFoundError("NoBook", "There is no book at hand; name it with --book");

const approve = command("approve", "agree to a plan that waits for you")
  .note(
    "For the person whom --approve-by named when the plan was made, on a served book. The approval " +
      "is kept by the server, in its audit log; the file stays as it is.",
  )
  .argument("FILE", "the plan", { live: "file" })
  .answers(plan)
  .writes({ isPlanned: false })
  .example("acct plan approve tea.plan")
  .action(async (ctx: Context, file: string) => {
    const made = await readPlanFile(file);
    await confirmed(ctx, `It ${planSummary(made)}. Approve it?`);
    const client = await ctx.client();
    await client.act(plan, `${pathOf(plan)}/Approve`, { takes: plan, input: made });
    ctx.out.say(`${ctx.flags.dryRun ? "It would be approved" : "Approved"}.`);
  });

export const planVerbs = [show, approve];
