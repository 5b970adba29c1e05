/** `acct account`: ledger accounts of the chart of accounts. */

import { type Account, account } from "../../resources/account.ts";
import { amountText } from "../../resources/common.ts";
import { readDecimal, scaleOf } from "../../resources/decimal.ts";
import { AuthError, RefusedError } from "../../resources/errors.ts";
import type { Row } from "../../wire/report.ts";
import { homeAt } from "../connection/load-letterhead.ts";
import type { Child, Context } from "../context/context.ts";
import { command } from "../framework/command.ts";
import { confirmArchive, sayChanges } from "../framework/confirm.ts";
import { fieldsOf } from "../framework/flags.ts";
import { fileFlag } from "../framework/input.ts";
import { forEachRecord, recordsOf } from "../shared/bulk-results.ts";
import { listCommand } from "../shared/list-verb.ts";
import { createVerb, deleteCommand, nounOf, showCommand, updateVerb } from "../shared/verbs.ts";

const noun = nounOf(account);

const archiveCommand = command("archive", "put accounts out of use; their postings stay")
  .writes()
  .keys(account)
  .note("Asks first where an account has a balance; without a terminal to ask on, --yes says it.")
  .example("acct account archive 260")
  .action(async (ctx, keys) => {
    const client = await ctx.client();
    const accountByKey = await recordsOf(account, keys, (key) => client.find(account, key));
    const doubts = [...accountByKey.values()].map((account) => accountDoubt(ctx, account));
    await confirmArchive(ctx, await Promise.all(doubts));
    await setStatus(ctx, accountByKey, "ARCHIVED");
  });

const restoreCommand = command("restore", "take archived accounts back into use")
  .writes()
  .alias("unarchive")
  .keys(account)
  .example("acct account restore 269")
  .action(async (ctx, keys) => {
    const client = await ctx.client();
    const accountByKey = await recordsOf(account, keys, (key) => client.find(account, key));
    await setStatus(ctx, accountByKey, "ACTIVE");
  });

async function setStatus(
  ctx: Context,
  accountByKey: ReadonlyMap<string, Account>,
  Status: "ACTIVE" | "ARCHIVED",
): Promise<void> {
  await forEachRecord(ctx, account, accountByKey, async (accountBefore, at) => {
    if (accountBefore.Status === Status) {
      const state = Status === "ACTIVE" ? "in use" : "archived";
      throw new RefusedError("NothingToDo", `${accountBefore.Name} is ${state} already.`);
    }
    const client = await at.client();
    const accountAfter = await client.update(account, accountBefore.AccountID, { Status });
    sayChanges(at, account, accountBefore, accountAfter);
    return accountAfter;
  });
}

/**
 * Returns a doubt where a balance sheet account has a balance; profit and loss accounts have none.
 */
async function accountDoubt(
  ctx: Context,
  { AccountID, Code, Name, Class }: Account,
): Promise<string | undefined> {
  if (Class === "REVENUE" || Class === "EXPENSE") return undefined;
  const called = Code === undefined ? Name : `${Code} ${Name}`;
  try {
    const client = await ctx.client();
    const { Rows } = await client.report("TrialBalance", { date: await ctx.today() });
    const balance = balanceOf(Rows, AccountID);
    if (balance === 0) return undefined;
    const { currency } = await homeAt(ctx, client);
    return `The account ${called} has a balance of ${amountText(balance, currency)}.`;
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    return `Whether the account ${called} has a balance cannot be seen: reports are not permitted.`;
  }
}

/**
 * Returns debit less credit of the year to date, which is the full balance for assets, liabilities
 * and equity.
 */
function balanceOf(rows: readonly Row[], accountId: string): number {
  for (const { Cells = [], Rows = [] } of rows) {
    if (Cells[0]?.Attributes?.some(({ Value }) => Value === accountId)) {
      const [debit = 0, credit = 0] = Cells.slice(-2).map(({ Value = "" }) =>
        readDecimal(Value, scaleOf.money),
      );
      return debit - credit;
    }
    const balance = balanceOf(Rows, accountId);
    if (balance !== 0) return balance;
  }
  return 0;
}

export const accountVerbs: readonly Child[] = [
  listCommand({
    resource: account,
    examples: ["acct account list --type BANK,CURRENT", "acct account list --class EXPENSE -o csv"],
  }),
  showCommand(noun),
  createVerb(noun, {
    summary: "add an account to the chart",
    fields: fieldsOf(account, { except: ["Status"] }),
    flags: [fileFlag],
    examples: [
      "acct account create --code 265 --name 'Kiln Firing' --type REVENUE --tax-type OUTPUT2",
      "acct account create --code 092 --name Deposits --type BANK --bank-account-number 12-3456-7890123-00",
    ],
  }),
  updateVerb(noun, {
    summary: "change an account",
    fields: fieldsOf(account),
    options: { Status: { values: ["ACTIVE", "ARCHIVED"] } },
    flags: [fileFlag],
    async sent(ctx, account, input) {
      const isArchived = input.Status === "ARCHIVED" && account.Status === "ACTIVE";
      if (isArchived) await confirmArchive(ctx, [await accountDoubt(ctx, account)]);
      return input;
    },
    notes: ["What is not given stays as it is."],
    examples: ["acct account update 260 --name 'Sundry Revenue'"],
  }),
  archiveCommand,
  restoreCommand,
  deleteCommand(noun),
];
