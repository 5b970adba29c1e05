/** Where a bank account stands: the balance of its statement, of the book, and what waits. */

import type { Account } from "../../../resources/account.ts";
import { type Cents, readDecimal, scaleOf } from "../../../resources/decimal.ts";
import { AuthError } from "../../../resources/errors.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Row } from "../../../wire/report.ts";
import type { Context } from "../../context/context.ts";
import type { MatchNames } from "./match-parts.ts";

/**
 * Returns the facts above the lines of an account: `Statement 57,610.64` or `Statement –`, `Book 57,575.64`,
 * `3 lines wait`; without balances where reports are not permitted.
 */
export async function standingOf(
  ctx: Context,
  account: Account,
  names: MatchNames,
  waitingCount: number,
): Promise<string[]> {
  const wait = `${counted(waitingCount, "line")} ${waitingCount === 1 ? "waits" : "wait"}`;
  try {
    const client = await ctx.client();
    const reportQuery = { accountID: account.AccountID, date: await ctx.today() };
    const { Rows } = await client.report("BankReconciliation", reportQuery);
    const currency = account.CurrencyCode ?? names.base;
    const labelledSum = (word: string, label: string) => {
      const cents = balanceIn(Rows, label);
      return cents === undefined ? [] : [`${word} ${names.money(cents, currency)}`];
    };
    // The difference is not known where no statement says the balance of the bank.
    const isTold = balanceIn(Rows, "Difference") !== undefined;
    const statement = isTold ? labelledSum("Statement", "Balance of the bank") : ["Statement –"];
    return [...statement, ...labelledSum("Book", "Balance of the book"), wait];
  } catch (error) {
    if (error instanceof AuthError) return [wait];
    throw error;
  }
}

/** The amount of a row by its label, in cents; undefined where it is not known. */
function balanceIn(rows: readonly Row[], label: string): Cents | undefined {
  for (const { Cells = [], Rows = [] } of rows) {
    const text = Cells[0]?.Value === label ? (Cells.at(-1)?.Value ?? "") : "";
    const own = text === "" ? undefined : (readDecimal(text, scaleOf.money) as Cents | undefined);
    const shownBalance = own ?? balanceIn(Rows, label);
    if (shownBalance !== undefined) return shownBalance;
  }
  return undefined;
}
