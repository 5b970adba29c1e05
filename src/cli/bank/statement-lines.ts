/** Finds bank accounts and statement lines by the keys that commands take. */
import { type Account, account } from "../../resources/account.ts";
import { type BankMatchInput, bankMatch } from "../../resources/bank-match.ts";
import { bankStatementLine } from "../../resources/bank-statement.ts";
import { UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import type { Context } from "../context/context.ts";

export const linesPath = pathOf(bankStatementLine);

/**
 * Finds a bank account.
 *
 * @throws UsageError where the account is not a bank account
 */
export async function bankAccount(ctx: Context, key: string): Promise<Account> {
  const record = await (await ctx.client()).find(account, key);
  if (record.Type === "BANK") return record;
  throw new UsageError("BadValue", `${record.Code} ${record.Name} is no bank account.`);
}

/**
 * Matches a statement line.
 *
 * @returns the updated line
 */
export async function matchLine(ctx: Context, lineId: string, input: BankMatchInput) {
  const client = await ctx.client();
  const [line] = await client.act(
    bankStatementLine,
    `${linesPath}/${encodeURIComponent(lineId)}/Match`,
    {
      takes: bankMatch,
      input,
    },
  );
  if (line === undefined) throw new Error("The service answered without the line.");
  return line;
}
