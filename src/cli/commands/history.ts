/** `acct history`: the history of a record of any kind, and notes on it. */
import { historyRecord } from "../../resources/history.ts";
import type { Child } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { recordOn, recordRefFlag } from "../shared/record-ref.ts";

const onHistory = recordRefFlag((resource) => resource.history === true);

const listCommand = command("list", "what was done to a record, newest first")
  .alias("ls")
  .answers(historyRecord)
  .flag("on", ...onHistory)
  .example("acct history list --on invoice:INV-0204")
  .action(async (ctx, { on }) => {
    const client = await ctx.client();
    const { resource, id } = await recordOn(ctx, on);
    await ctx.out.records(historyRecord, await client.history(resource, id));
  });

const addCommand = command("add", "add a note to a record")
  .writes()
  .alias("note")
  .argument("TEXT", "what to note, at most 2500 characters")
  .flag("on", ...onHistory)
  .example('acct history add "Rang, will pay on Friday" --on invoice:INV-0204')
  .action(async (ctx, text, { on }) => {
    const client = await ctx.client();
    const { resource, id } = await recordOn(ctx, on);
    await client.note(resource, id, text);
    ctx.out.say(`${ctx.flags.dryRun ? "Would note" : "Noted"} on ${on?.key}.`);
  });

export const historyVerbs: readonly Child[] = [listCommand, addCommand];
