/** Suggestions of an account as an answer: on a terminal under their lines, else as records. */

import type { Account } from "../../../resources/account.ts";
import { type BankSuggestion, bankSuggestion } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { counted } from "../../../resources/scalar.ts";
import type { Context } from "../../context/context.ts";
import { formatSuggestions } from "./line-table.ts";
import { MatchNames } from "./match-parts.ts";
import { unreconciledLines } from "./reconcile-auto.ts";

/**
 * Writes suggestions.
 *
 * @param shows  which of the waiting lines are shown, with or without suggestions
 */
export async function showSuggestions(
  ctx: Context,
  account: Account,
  suggestions: readonly BankSuggestion[],
  shows: (line: BankStatementLine) => boolean,
): Promise<void> {
  if (!ctx.out.isLaidOut) return ctx.out.records(bankSuggestion, suggestions);
  const waiting = await unreconciledLines(ctx, account);
  const at = account.Code ?? account.Name;
  if (waiting.length === 0) return ctx.out.say(`No lines wait at ${at}.`);
  const lines = waiting.filter(shows);
  const wait = `${counted(waiting.length, "line")} ${waiting.length === 1 ? "waits" : "wait"} at ${at}`;
  if (lines.length === 0) return ctx.out.say(`${wait}; none of them is meant.`);
  if (!ctx.out.isScreen) {
    if (suggestions.length === 0) return ctx.out.say(`${wait}, and nothing in the book fits.`);
    return ctx.out.records(bankSuggestion, suggestions);
  }
  const byLine = Map.groupBy(suggestions, ({ BankStatementLineID }) => BankStatementLineID);
  const views = lines.map((line) => ({
    line,
    suggestions: byLine.get(line.BankStatementLineID) ?? [],
  }));
  const names = await MatchNames.of(await ctx.client());
  await ctx.out.page((view) =>
    formatSuggestions(ctx, names, { account, views, waiting: waiting.length }, view),
  );
}
