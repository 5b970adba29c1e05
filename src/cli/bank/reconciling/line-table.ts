/** Lines of a bank account as people read them, with what they may be under each. */

import { addMonths, mediumDate, shortDate } from "../../../ledger/dates/calendar.ts";
import { displayWidth, pad, truncate } from "../../../output/display-width.ts";
import type { Account } from "../../../resources/account.ts";
import type { BankSuggestion } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { Cents } from "../../../resources/decimal.ts";
import type { Context } from "../../context/context.ts";
import type { RenderOptions } from "../../render/output.ts";
import { safeLine } from "../../render/safe.ts";
import { standingOf } from "./account-standing.ts";
import { asPart, type MatchNames, type MatchPart } from "./match-parts.ts";

/** A line with what it may be, the best first. */
export interface LineView {
  readonly line: BankStatementLine;
  readonly suggestions: readonly BankSuggestion[];
}

/** Lines of an account, and how many wait there. */
interface AccountView {
  readonly account: Account;
  readonly views: readonly LineView[];
  readonly waiting: number;
}

/** Maximum suggestions that are shown of a line. */
const suggestionsMax = 3;
const usualWidth = 80;
const payeeMax = 24;

/** The heading of an account and its lines, each with its suggestions. */
export async function formatSuggestions(
  ctx: Context,
  names: MatchNames,
  { account, views, waiting }: AccountView,
  { width = usualWidth, paint }: RenderOptions,
): Promise<string[]> {
  const standingLines = await standingOf(ctx, account, names, waiting);
  const title = safeLine([account.Code, account.Name].filter(Boolean).join(" "));
  const rows = lineRows(
    views.map(({ line }) => line),
    names,
    { width, today: await ctx.today() },
  );
  const lines = wrapTitle([paint.strong(title), ...standingLines], width);
  for (const [at, { line, suggestions }] of views.entries()) {
    lines.push(rows[at] ?? "");
    for (const text of await meaningLines(names, line, suggestions, width)) lines.push(text);
  }
  return lines;
}

function wrapTitle(parts: readonly string[], width: number): string[] {
  const oneLine = parts.join("    ");
  return displayWidth(oneLine) <= width ? [oneLine] : [parts[0] ?? "", parts.slice(1).join("    ")];
}

/** `L-1042  18 Nov  547.40 in   MOA COFFEE   INV-0218`, in columns of one width for all lines. */
export function lineRows(
  lines: readonly BankStatementLine[],
  names: MatchNames,
  { width, today }: { readonly width: number; readonly today: string },
): string[] {
  const cells = lines.map((line) => {
    const money = names.money(Math.abs(line.Amount), line.CurrencyCode ?? names.base);
    const payee = safeLine(line.Payee ?? line.Description ?? "");
    const text = line.Payee === undefined ? "" : safeLine(line.Description ?? "");
    return { handle: line.Handle ?? "", day: dayOf(line.Date, today), money, payee, text, line };
  });
  const wide = (of: (cell: (typeof cells)[number]) => string, widthMin = 0) =>
    Math.max(widthMin, ...cells.map((cell) => displayWidth(of(cell))));
  const handleWidth = wide((cell) => cell.handle);
  const day = wide((cell) => cell.day);
  const moneyWidth = wide((cell) => cell.money, 12);
  const payeeWidth = Math.min(
    payeeMax,
    wide((cell) => cell.payee),
  );
  return cells.map((cell) => {
    const direction = cell.line.Amount < 0 ? "out" : "in ";
    const lineStart = [
      pad(cell.handle, handleWidth, "left"),
      pad(cell.day, day, "right"),
      `${pad(cell.money, moneyWidth, "right")} ${direction}`,
    ].join("  ");
    const widthLeft = Math.max(8, width - displayWidth(lineStart) - 2);
    const who = truncate(cell.payee, Math.min(payeeWidth, widthLeft));
    const textWidth = widthLeft - payeeWidth - 3;
    const text = textWidth < 8 || cell.text === "" ? "" : `   ${truncate(cell.text, textWidth)}`;
    return `${lineStart}  ${pad(who, Math.min(payeeWidth, widthLeft), "left")}${text}`.trimEnd();
  });
}

const dayOf = (day: string, today: string): string =>
  day <= today && day > addMonths(today, -12) ? mediumDate(day).slice(0, -5) : shortDate(day);

const indent = "  ";
const wordWidth = 10;

/** The lines under a line of the bank: `certain   INV-0218  Moa Coffee Roasters  547.40  settles it`. */
async function meaningLines(
  names: MatchNames,
  line: BankStatementLine,
  suggestions: readonly BankSuggestion[],
  width: number,
): Promise<string[]> {
  const isLearnt = ({ IsCertain, BankRuleID, Lines, Documents }: BankSuggestion) =>
    !IsCertain && BankRuleID === undefined && Lines !== undefined && Documents === undefined;
  const known = suggestions.filter((suggestion) => !isLearnt(suggestion));
  const shown = (known[0]?.IsCertain === true ? known.slice(0, 1) : known).slice(0, suggestionsMax);
  if (shown.length === 0) {
    const learntOne = suggestions.find(isLearnt);
    const like = learntOne === undefined ? "" : `; ${learntReason(names, learntOne)}`;
    return wrap(`no document fits${like}`, "unknown", width);
  }
  const lines: string[] = [];
  for (const [at, suggestion] of shown.entries()) {
    const certaintyWord = at > 0 ? "or" : suggestion.IsCertain ? "certain" : "likely";
    const parts = await names.parts(line, asPart(line, suggestion) ?? suggestion);
    lines.push(...formatParts(names, parts, certaintyWord, width));
    const reasonText = suggestion.IsCertain ? "" : suggestionReasons(suggestion, parts);
    if (reasonText !== "") lines.push(...wrap(reasonText, "", width));
  }
  return lines;
}

/** `404 Bank Fees was used 3 times for like text`. */
function learntReason(names: MatchNames, { Lines: [only] = [], Evidence = "" }: BankSuggestion) {
  const [, count = ""] = /^(\d+) such line/.exec(Evidence) ?? [];
  const times = count === "1" ? "once" : `${count} times`;
  return `${names.titleOf(only?.AccountCode)} was used ${times} for like text`;
}

/** What speaks for a suggestion beside its amount, which the line above it shows. */
function suggestionReasons(
  { Evidence = "", Obstacles = "", BankRuleID }: BankSuggestion,
  parts: readonly MatchPart[],
): string {
  // That it is a rule stands in the line above; why it is not followed does not.
  if (BankRuleID !== undefined) return Obstacles;
  return Evidence.split("; ")
    .filter((text) => !/ than is due$|^the amount is equal$/.test(text))
    .map((text) =>
      text.endsWith(` of ${parts[0]?.name}`)
        ? text.slice(0, -4 - (parts[0]?.name.length ?? 0))
        : text,
    )
    .map((text) => (text === "name" ? "the whole name" : text))
    .join("; ");
}

function formatParts(
  names: MatchNames,
  parts: readonly MatchPart[],
  word: string,
  width: number,
): string[] {
  return parts.map(({ number, name, amount, currency, effect }, at) => {
    const begin = `${indent}${pad(at === 0 ? word : "", wordWidth, "left")}${pad(number, 8, "left")}  `;
    const money = names.money(Math.abs(amount) as Cents, currency);
    const room = Math.max(12, Math.min(24, width - displayWidth(begin) - 30));
    const figures = `${pad(truncate(name, room), room, "left")}  ${pad(money, 10, "right")}`;
    const row = `${begin}${figures}`;
    return `${row}  ${truncate(effect.replace(/, net .*$/, ""), Math.max(4, width - displayWidth(row) - 2))}`.trimEnd();
  });
}

function wrap(text: string, word: string, width: number): string[] {
  const marginWidth = indent.length + wordWidth + (word === "" ? 10 : 0);
  const textWidth = Math.max(20, width - marginWidth);
  const lines: string[] = [];
  for (const name of safeLine(text).split(" ")) {
    const lastLine = lines.at(-1);
    if (lastLine !== undefined && displayWidth(lastLine) + displayWidth(name) < textWidth) {
      lines[lines.length - 1] = `${lastLine} ${name}`;
    } else lines.push(name);
  }
  return lines.map((text, at) => {
    const lineStart = at === 0 && word !== "" ? `${indent}${pad(word, wordWidth, "left")}` : "";
    return `${lineStart === "" ? " ".repeat(marginWidth) : lineStart}${text}`;
  });
}
