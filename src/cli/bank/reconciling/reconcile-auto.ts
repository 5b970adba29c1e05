/** `acct bank reconcile --auto`: what needs no person, and what is left to one. */

import { wrapText } from "../../../output/display-width.ts";
import type { Account } from "../../../resources/account.ts";
import { type BankSuggestion, bankSuggestion } from "../../../resources/bank-match.ts";
import { type BankStatementLine, bankStatementLine } from "../../../resources/bank-statement.ts";
import { counted } from "../../../resources/scalar.ts";
import { allOf, compare } from "../../../wire/query/condition.ts";
import type { Context } from "../../context/context.ts";
import { PartlyDoneError } from "../../render/error.ts";
import { safeLine } from "../../render/safe.ts";
import { linesPath } from "../statement-lines.ts";
import { lineRows } from "./line-table.ts";
import { MatchNames, type MatchPart } from "./match-parts.ts";

type SuggestionParameters = Readonly<Record<string, string>>;

/**
 * Reconciles the lines that need no decision, of one account or of all.
 *
 * @throws PartlyDoneError where lines are left
 */
export async function reconcileCertain(
  ctx: Context,
  account: Account | undefined,
  query: SuggestionParameters,
): Promise<void> {
  const client = await ctx.client();
  const waitingLines = await unreconciledLines(ctx, account);
  if (waitingLines.length === 0) {
    ctx.out.say(
      `No lines wait${account === undefined ? "" : ` at ${account.Code ?? account.Name}`}.`,
    );
    return show(ctx, [], new Map(), []);
  }
  const suggestions = ctx.out.isScreen ? await suggestionsOf(ctx, waitingLines, query) : new Map();
  const done = await client.act(bankStatementLine, `${linesPath}/Reconcile`, { parameters: query });
  const doneIds = new Set(done.map(({ BankStatementLineID }) => BankStatementLineID));
  const left = waitingLines.filter(({ BankStatementLineID }) => !doneIds.has(BankStatementLineID));
  await show(ctx, done, suggestions, left);
  const verb = ctx.flags.dryRun ? " would be" : "";
  if (done.length === 0) {
    throw new PartlyDoneError(`0 of ${counted(waitingLines.length, "line")}${verb} decided.`);
  }
  const sentence = `${counted(done.length, "line")}${verb} reconciled, ${left.length} left.`;
  if (left.length > 0) throw new PartlyDoneError(sentence);
  ctx.out.say(sentence);
}

/** Returns the lines that wait at an account, or at all, the oldest first. */
export async function unreconciledLines(
  ctx: Context,
  account: Account | undefined,
): Promise<BankStatementLine[]> {
  const client = await ctx.client();
  const condition = allOf([
    account && `BankAccount.AccountID==guid("${account.AccountID}")`,
    compare(bankStatementLine.fields, "Status", "==", "UNRECONCILED"),
  ]);
  return Array.fromAsync(client.list(bankStatementLine, { where: condition, order: "Date ASC" }));
}

type Suggestions = ReadonlyMap<string, readonly BankSuggestion[]>;

async function suggestionsOf(
  ctx: Context,
  lines: readonly BankStatementLine[],
  query: SuggestionParameters,
): Promise<Suggestions> {
  const client = await ctx.client();
  const allFound: BankSuggestion[] = [];
  for (const account of new Set(lines.map(({ BankAccount }) => BankAccount.AccountID ?? ""))) {
    const parameters = { ...query, account };
    allFound.push(...(await client.at(bankSuggestion, `${linesPath}/Suggestions`, parameters)));
  }
  return Map.groupBy(allFound, ({ BankStatementLineID }) => BankStatementLineID);
}

/** Writes the decided lines: on a terminal a row each with its decision, then what stays and why. */
async function show(
  ctx: Context,
  done: readonly BankStatementLine[],
  byLine: Suggestions,
  leftLines: readonly BankStatementLine[],
): Promise<void> {
  if (!ctx.out.isScreen) {
    if (done.length > 0 || !ctx.out.isLaidOut) await ctx.out.records(bankStatementLine, done);
    return;
  }
  const names = await MatchNames.of(await ctx.client());
  await ctx.out.page(async ({ width = 80, paint }) => {
    const tableView = { width: Math.min(width, 56), today: await ctx.today() };
    const lines: string[] = [];
    for (const [at, row] of lineRows(done, names, tableView).entries()) {
      const line = done[at] as BankStatementLine;
      const certainOne = byLine.get(line.BankStatementLineID)?.find((each) => each.IsCertain);
      const parts = certainOne === undefined ? [] : await names.parts(line, certainOne);
      lines.push(
        ...withDecision(row, parts.length === 0 ? ofTransfer(line) : decisionOf(parts), width),
      );
    }
    if (leftLines.length > 0)
      lines.push(...(done.length === 0 ? [] : [""]), paint.strong("What stays:"));
    for (const [at, row] of lineRows(leftLines, names, tableView).entries()) {
      const [first] = byLine.get(leftLines[at]?.BankStatementLineID ?? "") ?? [];
      const obstacles = first?.Obstacles ?? "nothing in the book fits";
      lines.push(...withDecision(row, safeLine(obstacles), width));
    }
    return lines;
  });
}

/** Puts what became of a line beside it, or below it where there is no room. */
function withDecision(row: string, decision: string, width: number): string[] {
  const wholeLine = `${row}  → ${decision}`;
  if (wholeLine.length <= width) return [wholeLine];
  const decisionPieces = wrapText(decision, width - 10);
  return [row, ...decisionPieces.map((piece, at) => `        ${at === 0 ? "→" : " "} ${piece}`)];
}

/** `INV-0218 Moa Coffee Roasters`, or `rule Rent: 469 Rent`. */
function decisionOf(parts: readonly MatchPart[]): string {
  const [rule] = parts.flatMap(({ effect }) => /^rule [^,]*/.exec(effect) ?? []);
  const partNames = parts.map(({ number, name }) => [number, name].filter(Boolean).join(" "));
  return [rule, partNames.join(" + ")].filter(Boolean).join(": ");
}

/** A line that became the other side of a transfer. */
const ofTransfer = ({ Matches = [] }: BankStatementLine): string =>
  Matches.some(({ Kind }) => Kind === "BankTransfer")
    ? "transfer of the book"
    : "what the book has";
