/** Bank accounts and the lines of their statements, as commands name them. */
import { type Account, account } from "../../resources/account.ts";
import { type BankMatchInput, bankMatch } from "../../resources/bank-match.ts";
import { bankStatementLine } from "../../resources/bank-statement.ts";
import { UsageError } from "../../resources/errors.ts";
import { pathOf } from "../../resources/field.ts";
import type { Context } from "../context/context.ts";

export const linesPath = pathOf(bankStatementLine);

/** @throws UsageError where it is another account than one of a bank */
export async function bankAccount(ctx: Context, key: string): Promise<Account> {
  const found = await (await ctx.client()).find(account, key);
  if (found.Type === "BANK") return found;
  throw new UsageError("BadValue", `${found.Code} ${found.Name} is no bank account.`);
}

/** @returns the line as it is then */
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
