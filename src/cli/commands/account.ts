/** `acct account`: accounts of the chart. */

import { account } from "../../resources/account.ts";
import { RefusedError, UsageError } from "../../resources/errors.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { accountDoubt, confirmArchive, sayChanges } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fieldsGiven, fileFlag, inputsOf, requireFields } from "../framework/input.ts";
import { forEachRecord } from "../shared/bulk.ts";
import { listCommand } from "../shared/list.ts";
import { deleteCommand, nounOf, showCommand, updateFound } from "../shared/verbs.ts";

const createCommand = command("create", "add an account to the chart")
  .alias("new")
  .fields(account, fieldsOf(account, { except: ["Status"] }))
  .flags<{ readonly file?: string | undefined }>([fileFlag])
  .example("acct account create --code 265 --name 'Kiln Firing' --type REVENUE --tax-type OUTPUT2")
  .example(
    "acct account create --code 092 --name Deposits --type BANK --bank-account-number 12-3456-7890123-00",
  )
  .action(async (ctx, options) => {
    const [input = {}] = await inputsOf(ctx, account, options.file, fieldsGiven(account, options));
    requireFields(account, input);
    const client = await ctx.client();
    await ctx.out.record(account, await client.create(account, input));
  });

const updateCommand = command("update", "change an account")
  .alias("edit")
  .key(account)
  .fields(account, fieldsOf(account), {
    Status: { values: ["ACTIVE", "ARCHIVED"] },
  })
  .flags<{ readonly file?: string | undefined }>([fileFlag])
  .note("What is not given stays as it is.")
  .example("acct account update 260 --name 'Sundry Revenue'")
  .action(async (ctx, key, options) => {
    const [input = {}] = await inputsOf(ctx, account, options.file, fieldsGiven(account, options));
    if (Object.keys(input).length === 0) {
      throw new UsageError(
        "MissingValue",
        "Nothing to change was given; see --help for what can be.",
      );
    }
    const client = await ctx.client();
    const found = await client.find(account, key);
    const isArchived = input.Status === "ARCHIVED" && found.Status === "ACTIVE";
    if (isArchived) await confirmArchive(ctx, [await accountDoubt(ctx, found)]);
    await updateFound(ctx, account, found, input);
  });

const archiveCommand = command("archive", "put accounts out of use; their postings stay")
  .writes()
  .keys(account)
  .note("Asks first where an account has a balance; without a terminal to ask on, --yes says it.")
  .example("acct account archive 260")
  .action(async (ctx, keys) => {
    const client = await ctx.client();
    const found = await Promise.all(keys.map((key) => client.find(account, key)));
    const doubts = await Promise.all(found.map((each) => accountDoubt(ctx, each)));
    await confirmArchive(ctx, doubts);
    await setStatus(ctx, keys, "ARCHIVED");
  });

const restoreCommand = command("restore", "take archived accounts back into use")
  .writes()
  .alias("unarchive")
  .keys(account)
  .example("acct account restore 269")
  .action((ctx, keys) => setStatus(ctx, keys, "ACTIVE"));

async function setStatus(
  ctx: Context,
  keys: readonly string[],
  Status: "ACTIVE" | "ARCHIVED",
): Promise<void> {
  const client = await ctx.client();
  await forEachRecord(ctx, account, keys, async (key) => {
    const before = await client.find(account, key);
    if (before.Status === Status) {
      const state = Status === "ACTIVE" ? "in use" : "archived";
      throw new RefusedError("NothingToDo", `${before.Name} is ${state} already.`);
    }
    const after = await client.update(account, before.AccountID, { Status });
    sayChanges(ctx, account, before, after);
    return after;
  });
}

export const accountVerbs: readonly Child[] = [
  listCommand({
    resource: account,
    examples: ["acct account list --type BANK,CURRENT", "acct account list --class EXPENSE -o csv"],
  }),
  showCommand(nounOf(account)),
  createCommand,
  updateCommand,
  archiveCommand,
  restoreCommand,
  deleteCommand(nounOf(account)),
];
