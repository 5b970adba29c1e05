/** `acct undo`: reverses an operation by lawful entries. */
import { planSummary } from "../../output/plan-summary.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { operation } from "../../resources/operation.ts";
import { type Plan, plan } from "../../resources/plan.ts";
import { counted } from "../../resources/scalar.ts";
import { isGuid } from "../../wire/query/condition.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirm, nameOfRecord, requireExtension } from "../framework/confirm.ts";
import { checkPlanFile, writePlan } from "../plan/plan-file.ts";
import { changedText, planText, standingOf } from "../plan/plan-text.ts";
import { formats } from "../render/formats/index.ts";
import { recordNamed } from "../shared/record-ref.ts";
import { commandLine } from "../values/command-line.ts";
import { withoutPreview } from "./apply.ts";
import { stretchOf, undoSeries } from "./undo-series.ts";

export const undoCommand = command("undo", "take back what an operation did")
  .note(
    "Drafts are deleted, what stands in the ledger is voided, payments and allocations first; what was " +
      "changed gets its former values, what was voided is made anew. An import is taken back as a whole. " +
      "What would be done is shown as a plan, and asked. The undo is an operation itself, which can be undone.",
  )
  .note(
    "What a lock date, a published return or a later operation forbids is refused, with what to do instead.",
  )
  .optionalArgument(
    "OPERATION",
    "its number in acct log, several as 41..48, or what it wrote last, such as P-318; your last one when not given",
    { live: "record" },
  )
  .answers(plan)
  .writes({ isPlanned: false })
  .flag("plan", "change nothing, and keep in this file what would be done, for acct apply", {
    placeholder: "FILE",
    live: "file",
  })
  .flag("approve-by", "with --plan: apply it only once this person has approved it", {
    placeholder: "EMAIL",
  })
  .switch("run", "all that the last run of a command did that made several, such as bank reconcile")
  .switch("summary", "a line a kind in place of records and journals; so where there are many")
  .example("acct undo --yes")
  .example("acct undo 116 --yes")
  .example("acct undo T-2 --yes")
  .example("acct undo 120..122 --dry-run")
  .example("acct undo --run --dry-run")
  .example("acct undo 116 --plan undo.plan")
  .action(undo);

interface UndoOptions {
  readonly plan?: string | undefined;
  readonly approveBy?: string | undefined;
  readonly summary?: boolean | undefined;
  readonly run?: boolean | undefined;
}

/** Number of records that are shown field by field; of more, a line a kind. */
const recordsMax = 12;

const undoPath = (key: string) => `${pathOf(operation)}/${key}/Undo`;

async function undo(
  ctx: Context,
  key: string | undefined,
  { plan: file, approveBy, summary, run = false }: UndoOptions,
): Promise<void> {
  const stretch = stretchOf(key);
  if (run && key !== undefined) {
    throw new UsageError("BadFlags", "--run is the last run of a command; leave the number out.");
  }
  if ((run || stretch !== undefined) && file !== undefined) {
    throw new UsageError("BadFlags", "Several operations are taken back at once without --plan.");
  }
  if (file !== undefined) await checkPlanFile(file);
  else if (approveBy !== undefined) {
    throw new UsageError("BadFlags", "--approve-by goes with --plan FILE, which waits for it.");
  }
  await requireExtension(ctx, "Undoing operations", "POST", undoPath("{OperationID}"));
  if (run || stretch !== undefined) return undoSeries(ctx, stretch);
  const client = await ctx.client();
  const { send } = client;
  const { planAnswered } = await import("../../client/planning.ts");
  const path = undoPath(encodeURIComponent(key === undefined ? "last" : await numberOf(ctx, key)));
  const Command = commandLine(ctx.argv, ctx.env);
  const isForPerson = formats[ctx.flags.output].isLaidOut && ctx.flags.columns === undefined;
  // With --yes the plan is applied without being shown.
  if (ctx.flags.yes && !ctx.flags.dryRun && file === undefined) {
    const undonePlan = await planAnswered(send, path, {
      body: { PlanID: crypto.randomUUID(), Command },
      query: [["apply", "true"]],
      isOffered: true,
    });
    return isForPerson
      ? ctx.out.value(undonePlan, changedText(undonePlan, undonePlan))
      : ctx.out.record(plan, withoutPreview(undonePlan));
  }
  const undoPlan = await planAnswered(send, path, {
    body: { Command, ApproveBy: approveBy },
    isOffered: true,
  });
  if (file !== undefined) return keepInFile(ctx, file, undoPlan);
  const isBrief = summary ?? (undoPlan.Records?.length ?? 0) > recordsMax;
  const show = () =>
    ctx.out.page(async (view) =>
      planText(undoPlan, { ...(await standingOf(view)), summary: isBrief }).split("\n"),
    );
  if (ctx.flags.dryRun) return isForPerson ? show() : ctx.out.record(plan, undoPlan);
  // Output for programs has no messages for users.
  if (isForPerson && ctx.flags.input) await show();
  else {
    const { currency } = await homeAt(ctx, client);
    ctx.out.say(planText(undoPlan, { currency, summary: isBrief }));
  }
  await confirm(ctx, `It ${planSummary(undoPlan)}. Do it?`);
  const applied = await planAnswered(send, `${pathOf(plan)}/Apply`, {
    body: withoutPreview(undoPlan),
    isOffered: true,
  });
  await (isForPerson
    ? ctx.out.value(applied, changedText(applied, undoPlan))
    : ctx.out.record(plan, applied));
}

/**
 * Returns the number of the operation that a text means: of a record the last one that wrote it.
 *
 * @throws UsageError where that wrote others of the kind too, which the text does not say
 */
async function numberOf(ctx: Context, text: string): Promise<string> {
  if (/^(\d+|last)$/i.test(text) || isGuid(text)) return text;
  const { noun, resource, id, record } = await recordNamed(ctx, text);
  const name = nameOfRecord(resource, record);
  const client = await ctx.client();
  for await (const each of client.list(operation, { parameters: { record: id } })) {
    if (each.UndoneBy !== undefined || each.Undoes !== undefined) continue;
    const [{ Records = [] } = each] = await client.at(
      operation,
      `${pathOf(operation)}/${each.Number}`,
    );
    const ofKind = Records.filter(
      ({ Resource, Change }) => Resource === resource.name && Change !== "TOUCHED",
    );
    if (!ofKind.some(({ RecordID }) => RecordID === id)) continue;
    const others = ofKind.length - 1;
    if (others > 0) {
      const message = `Operation ${each.Number} wrote ${name} and ${counted(others, `other ${noun}`)}; acct undo ${each.Number} takes back all of them.`;
      throw new UsageError("Ambiguous", message);
    }
    return String(each.Number);
  }
  throw new NotFoundError("NotFound", `Nothing that was done to ${name} can be taken back.`);
}

async function keepInFile({ flags, out }: Context, file: string, undoPlan: Plan): Promise<void> {
  if (flags.dryRun) return out.say(`${file} would be written: it ${planSummary(undoPlan)}.`);
  await writePlan(file, undoPlan);
  out.say(`Nothing was changed. The plan is in ${file}: it ${planSummary(undoPlan)}.`);
  out.say(`acct plan show ${file} shows it, acct apply ${file} does it.`);
}
