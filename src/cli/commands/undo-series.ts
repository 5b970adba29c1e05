/** `acct undo 41..48` and `acct undo --run`: several operations are taken back, the last first. */
import type { Client } from "../../client/client.ts";
import { planAnswered } from "../../client/planning.ts";
import { NotFoundError, UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import { type Operation, operation, runDigits } from "../../resources/operation.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import { confirm } from "../framework/confirm.ts";
import { changedText } from "../plan/plan-text.ts";
import { safeLine } from "../render/safe.ts";
import { commandLine } from "../values/command-line.ts";

/** Operations of one undo; more are taken back in several. */
const seriesMax = 500;

/** Reads `41..48`; undefined for another text. */
export function stretchOf(text: string | undefined): readonly [number, number] | undefined {
  const [, from, to] = /^(\d+)\.\.(\d+)$/.exec(text ?? "") ?? [];
  if (from === undefined || to === undefined) return undefined;
  const bounds = [Number(from), Number(to)].sort((a, b) => a - b) as [number, number];
  if (bounds[1] - bounds[0] < seriesMax) return bounds;
  throw new UsageError("BadValue", `At most ${seriesMax} operations are taken back at once.`);
}

/**
 * Takes several operations back, each as an operation of its own; they are shown, and asked once.
 *
 * @param stretch  first and last number; all of the last run of a command when not given
 */
export async function undoSeries(
  ctx: Context,
  stretch: readonly [number, number] | undefined,
): Promise<void> {
  const client = await ctx.client();
  const series = await seriesOf(client, stretch);
  if (series.length === 0) {
    throw new NotFoundError("NotFound", "There is no operation of these that can be taken back.");
  }
  for (const { Number: number, Summary = "" } of series) {
    ctx.out.say(`${number}  ${safeLine(Summary)}`);
  }
  if (ctx.flags.dryRun) {
    return ctx.out.say(`${counted(series.length, "operation")} would be taken back.`);
  }
  await confirm(ctx, `Take ${counted(series.length, "operation")} back, the last first?`);
  const Command = commandLine(ctx.argv, ctx.env);
  for (const { OperationID, Number: number } of series) {
    // Each undo is an operation of its own, which can be undone alone.
    const { send } = client.within(crypto.randomUUID());
    const undonePlan = await planAnswered(send, `${pathOf(operation)}/${OperationID}/Undo`, {
      body: { PlanID: crypto.randomUUID(), Command },
      query: [["apply", "true"]],
      isOffered: true,
    });
    ctx.out.say(`${number}: ${changedText(undonePlan, undonePlan)}`);
  }
}

/** Returns the operations that stand, the last first. */
async function seriesOf(
  client: Client,
  stretch: readonly [number, number] | undefined,
): Promise<Operation[]> {
  const series: Operation[] = [];
  let run: string | undefined;
  for await (const record of client.list(operation, { order: "Number DESC" })) {
    if (stretch !== undefined && record.Number < stretch[0]) break;
    if (stretch !== undefined && record.Number > stretch[1]) continue;
    if (record.UndoneBy !== undefined || record.Undoes !== undefined) continue;
    const runKey = record.OperationID.slice(0, -runDigits);
    run ??= runKey;
    if (stretch === undefined && runKey !== run) break;
    series.push(record);
  }
  return series;
}
