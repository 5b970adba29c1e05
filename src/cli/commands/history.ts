/** `acct history`: what was done to any record, and notes. */
import { contact } from "../../resources/contact.ts";
import { UsageError } from "../../resources/errors.ts";
import type { Resource } from "../../resources/field.ts";
import { historyRecord } from "../../resources/history.ts";
import { invoice } from "../../resources/invoice.ts";
import { item } from "../../resources/item.ts";
import { payment } from "../../resources/payment.ts";
import { command, group } from "../command.ts";
import type { Context } from "../context.ts";
import { didYouMean } from "../values/suggest.ts";
import { idOf } from "../verbs.ts";
import { findDocument } from "./document.ts";

interface Target {
  readonly resource: Resource;
  readonly find: (ctx: Context, key: string) => Promise<object>;
}

const byKey = (resource: Resource): Target => ({
  resource,
  find: async (ctx, key) => (await ctx.client()).find(resource, key),
});

/** Nouns whose records keep a history. */
const targets: Readonly<Record<string, Target>> = {
  invoice: { resource: invoice, find: (ctx, key) => findDocument(ctx, "ACCREC", key) },
  bill: { resource: invoice, find: (ctx, key) => findDocument(ctx, "ACCPAY", key) },
  contact: byKey(contact),
  item: byKey(item),
  payment: byKey(payment),
};

const onFlag = {
  placeholder: "NOUN:KEY",
  help: `the record, such as invoice:INV-0042; nouns: ${Object.keys(targets).join(", ")}`,
  required: true,
  read: (text: string) => {
    const colon = text.indexOf(":");
    const noun = text.slice(0, Math.max(0, colon)).toLowerCase();
    const key = text.slice(colon + 1).trim();
    const target = targets[noun];
    if (target !== undefined && key !== "") return { target, key };
    const names = Object.keys(targets);
    throw new UsageError(
      "BadValue",
      `--on takes NOUN:KEY such as invoice:INV-0042, not "${text}".${didYouMean(noun, names)}`,
    );
  },
} as const;

type On = ReturnType<typeof onFlag.read>;

/** The record that `--on` means, by its id. */
async function idOn(ctx: Context, on: On | undefined): Promise<{ resource: Resource; id: string }> {
  if (on === undefined) throw new UsageError("MissingValue", "--on says which record.");
  const { resource, find } = on.target;
  return { resource, id: idOf(resource, await find(ctx, on.key)) };
}

const listCommand = command("list", "what was done to a record, newest first")
  .alias("ls")
  .flag("on", onFlag)
  .example("acct history list --on invoice:INV-0042")
  .action(async (ctx, { on }) => {
    const client = await ctx.client();
    const { resource, id } = await idOn(ctx, on);
    await ctx.out.records(historyRecord, await client.history(resource, id));
  });

const addCommand = command("add", "add a note to a record")
  .alias("note")
  .argument("TEXT", "what to note, at most 2500 characters")
  .flag("on", onFlag)
  .example('acct history add "Rang, will pay on Friday" --on invoice:INV-0042')
  .action(async (ctx, text, { on }) => {
    const client = await ctx.client();
    const { resource, id } = await idOn(ctx, on);
    await client.note(resource, id, text);
    ctx.out.say(`${ctx.flags.dryRun ? "Would note" : "Noted"} on ${on?.key}.`);
  });

export const historyNoun = group("history", "what was done to a record, and notes", [
  listCommand,
  addCommand,
]);
