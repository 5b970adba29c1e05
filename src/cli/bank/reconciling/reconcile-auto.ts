/** `acct bank reconcile --auto`: what needs no person, and what is left to one. */

import type { Account } from "../../../resources/account.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import { counted } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import type { Context } from "../../context/context.ts";
import { PartlyDoneError } from "../../render/error.ts";
import { linesPath } from "../statement-lines.ts";

/**
 * Reconciles the lines that need no decision, of one account or of all.
 *
 * @throws PartlyDoneError where lines are left
 */
export async function reconcileCertain(
  ctx: Context,
  account: Account | undefined,
  query: Readonly<Record<string, string>>,
): Promise<void> {
  const client = await ctx.client();
  const waiting = await countUnreconciled(ctx, account);
  if (waiting === 0) {
    ctx.out.say(
      `No lines wait${account === undefined ? "" : ` at ${account.Code ?? account.Name}`}.`,
    );
    await show(ctx, []);
    return;
  }
  const done = await client.act(bankStatementLine, `${linesPath}/Reconcile`, { parameters: query });
  await show(ctx, done);
  const own = done.filter(
    ({ BankAccount: { AccountID } }) => account === undefined || AccountID === account.AccountID,
  );
  const verb = ctx.flags.dryRun ? " would be" : "";
  const left = waiting - own.length;
  if (own.length === 0)
    throw new PartlyDoneError(`0 of ${counted(waiting, "line")}${verb} decided.`);
  const sentence = `${counted(done.length, "line")}${verb} reconciled, ${left} left.`;
  if (left > 0) throw new PartlyDoneError(sentence);
  ctx.out.say(sentence);
}

/** Writes lines as records; for people no list stands for none. */
async function show(ctx: Context, lines: readonly BankStatementLine[]): Promise<void> {
  if (lines.length > 0 || !ctx.out.isLaidOut) await ctx.out.records(bankStatementLine, lines);
}

async function countUnreconciled(ctx: Context, account: Account | undefined): Promise<number> {
  const client = await ctx.client();
  const where = allOf([
    account && `BankAccount.AccountID==guid("${account.AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", "UNRECONCILED"),
  ]);
  let count = 0;
  const fields = ["BankStatementLineID"];
  for await (const _ of client.list(bankStatementLine, { where, fields })) count += 1;
  return count;
}
