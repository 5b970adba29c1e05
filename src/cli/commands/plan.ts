/** `acct plan`: plans that are not yet applied. */
import { AcctError, NotFoundError, RefusedError } from "../../resources/errors.ts";
import { choice, pathOf } from "../../resources/field.ts";
import { type Plan, plan, planStates } from "../../resources/plan.ts";
import { hasBook } from "../connection/choose-target.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm } from "../framework/confirm.ts";
import { fieldFlag } from "../framework/flags.ts";
import { askToApprove, checkLookedAt, isKept, keptPath, readPlan } from "../plan/kept.ts";
import { readPlanFile } from "../plan/plan-file.ts";
import { planText, standingOf } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";
import { listCommand } from "../shared/list-verb.ts";
import { applyVerb, withoutPreview } from "./apply.ts";

const planWords = "its file, or the number of one that the service keeps";

const list = listCommand({
  resource: plan,
  summary: "list the plans that the service keeps, the latest first",
  flags: [
    {
      ...fieldFlag("state", choice(planStates), { help: "in this state alone", name: "state" }),
      key: "state",
    },
    {
      ...fieldFlag("maker", { kind: "text" }, { help: "" }),
      key: "maker",
      placeholder: "NAME",
      help: "part of the name of who made it, or of the app or agent",
    },
  ],
  parameters: async (_ctx, { state, maker }) => ({
    ...(state !== undefined && { state: String(state) }),
    ...(maker !== undefined && { maker: String(maker) }),
  }),
  notes: [
    "A plan is kept that was made with POST /Extensions/Plans, or handed in with acct plan submit. It " +
      "waits for 30 days. An extension.",
  ],
  examples: ["acct plan list", "acct plan list --state WAITING --maker Helper"],
});

const show = command("show", "what a plan would do")
  .note(
    "Every record that it makes, changes or removes with every field that is set, what it posts, and " +
      "what that does to the books. Where the book that made it is at hand, its signature is checked.",
  )
  .argument("PLAN", planWords, { live: "file" })
  .switch("summary", "counts in place of records and journals")
  .answers(plan)
  .example("acct plan show tea.plan")
  .example("acct plan show tea.plan -o json")
  .example("acct plan show 1")
  .action(async (ctx: Context, file: string, { summary }) => {
    const signedPlan = await readPlan(ctx, file);
    const { known = signedPlan, signature } = await checkPlan(ctx, signedPlan);
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
async function checkPlan(
  ctx: Context,
  signedPlan: Plan,
): Promise<{ readonly known?: Plan; readonly signature: string }> {
  if (signedPlan.Number !== undefined) return { signature: "checked, the plan is as it was kept" };
  try {
    const target = ctx.target();
    // This command does not offer to create a missing book.
    if (target.kind !== "remote" && !hasBook(target)) throw noBook;
    const { send } = await ctx.client();
    const { planAnswered } = await import("../../client/planning.ts");
    const path = `${pathOf(plan)}/Check`;
    const checkedPlan = await planAnswered(send, path, { body: signedPlan, isOffered: true });
    return { known: checkedPlan, signature: "checked, the plan is as it was made" };
  } catch (error) {
    if (!(error instanceof AcctError)) throw error;
    if (error instanceof RefusedError && error.code === "ValidationException") throw error;
    return { signature: `not checked: ${error.message.replace(/\.$/, "")}` };
  }
}

const noBook = new NotFoundError("NoBook", "There is no book at hand; name it with --book");

const approve = command("approve", "agree to a plan that waits for you")
  .note(
    "A plan in a file is approved by the person whom --approve-by named when it was made, one that the " +
      "service keeps by another person than its maker, on a served book. The approval is kept by the " +
      "server, and stands in its audit log; the file stays as it is.",
  )
  .note(
    "In a book of your own nobody else could: a plan that it keeps is approved at a terminal, where its " +
      "amount is typed, and neither --yes nor a pipe does.",
  )
  .note(
    "A plan that is kept is shown whole before the question, and is refused where its maker has " +
      "replaced it since it was seen. With --yes, --digest names what was seen.",
  )
  .argument("PLAN", planWords, { live: "file" })
  .flag("digest", "of a kept plan as it was seen, from plan show", {
    placeholder: "DIGEST",
    read: (text) => text,
  })
  .answers(plan)
  .writes({ isPlanned: false })
  .example("acct plan approve tea.plan")
  .example("acct plan approve 1")
  .action(async (ctx: Context, key: string, { digest }) => {
    const planRead = await readPlan(ctx, key);
    checkLookedAt(ctx, planRead, digest);
    const client = await ctx.client();
    if (isKept(key) && digest === undefined) {
      ctx.out.say(planText(planRead, await homeAt(ctx, client)));
    }
    await askToApprove(ctx, planRead);
    const parameters = { digest: digest ?? planRead.Digest ?? "" };
    if (isKept(key)) await client.act(plan, keptPath(key, "/Approve"), { parameters });
    else await client.act(plan, `${pathOf(plan)}/Approve`, { takes: plan, input: planRead });
    ctx.out.say(`${ctx.flags.dryRun ? "It would be approved" : "Approved"}.`);
  });

const submit = command("submit", "hand in a plan from a file, to be kept until a person decides")
  .argument("FILE", "the plan", { live: "file" })
  .answers(plan)
  .writes({ isPlanned: false })
  .note("It is made anew by the service, which keeps it. An extension.")
  .example("acct plan submit tea.plan")
  .action(async (ctx: Context, file: string) => {
    const input = withoutPreview(await readPlanFile(file));
    const [kept] = await (await ctx.client()).act(plan, pathOf(plan), { takes: plan, input });
    if (ctx.flags.dryRun) return ctx.out.say("It would be kept.");
    const { Number: number } = kept as Plan;
    ctx.out.say(`Kept as plan ${number}: acct plan show ${number} shows it.`);
  });

const withdraw = command("withdraw", "take back a plan that waits")
  .argument("PLAN", "its number or PlanID")
  .answers(plan)
  .writes({ isPlanned: false })
  .note("For its maker, or for a person who is signed in, who refuses it so. An extension.")
  .flag("reason", "why it is refused, which its maker reads", {
    placeholder: "TEXT",
    read: (text) => text,
  })
  .example("acct plan withdraw 1 --yes")
  .action(async (ctx: Context, key: string, { reason }) => {
    const { Number: number = key } = await readPlan(ctx, key);
    await confirm(ctx, `Withdraw plan ${number}?`);
    const parameters = { ...(reason !== undefined && { reason }) };
    await (await ctx.client()).act(plan, keptPath(key, "/Withdraw"), { parameters });
    ctx.out.say(ctx.flags.dryRun ? "It would be withdrawn." : `Plan ${number} is withdrawn.`);
  });

export const planVerbs = [
  list,
  show,
  submit,
  approve,
  applyVerb("acct plan apply 1 --yes"),
  withdraw,
];
