/** What will be booked, shown before it is, and the sum of it against the line. */

import { displayWidth, pad, truncate } from "../../../output/display-width.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { MatchNames, MatchPart } from "./match-parts.ts";

/** Maximum lines of the block; of more parts the rest is counted. */
const linesMax = 12;
const nameMax = 28;

/** The block of lines: a line a part, and the line of the bank under them. */
export async function lookLines(
  names: MatchNames,
  line: BankStatementLine,
  match: BankMatchInput,
): Promise<string[]> {
  const parts = await names.parts(line, match);
  const shownParts = parts.length > linesMax - 2 ? parts.slice(0, linesMax - 3) : parts;
  const rows = shownParts.map((matchPart) => [
    titleOf(matchPart),
    names.money(matchPart.amount, matchPart.currency),
    matchPart.effect,
  ]);
  const moreCount = parts.length - shownParts.length;
  if (moreCount > 0) rows.push([`and ${moreCount} more`, "", ""]);
  const currency = line.CurrencyCode ?? names.base;
  rows.push(["Line of the bank", names.money(line.Amount, currency), sumWords(names, line, parts)]);
  const wide = (at: number) => Math.max(...rows.map((row) => displayWidth(row[at] ?? "")));
  const [left, middle] = [wide(0), wide(1)];
  return rows.map(([title = "", money = "", effect = ""]) =>
    `   ${pad(title, left, "left")}  ${pad(money, middle, "right")}  ${effect}`.trimEnd(),
  );
}

const titleOf = ({ number, name }: MatchPart): string =>
  truncate([number, name].filter(Boolean).join(" "), nameMax + number.length);

/** Whether the parts come to the line; nothing where one is in another currency. */
function sumWords(names: MatchNames, line: BankStatementLine, parts: readonly MatchPart[]): string {
  const currency = line.CurrencyCode ?? names.base;
  if (parts.some((matchPart) => matchPart.currency !== currency)) return "";
  const sum = parts.reduce((total, matchPart) => total + amountIn(matchPart, line), 0);
  return sum === line.Amount
    ? "is all of it"
    : `but the parts come to ${names.money(sum, currency)}`;
}

/** Amounts of documents have no sign: they are in the direction of the line. */
const amountIn = ({ amount, isDocument }: MatchPart, { Amount }: BankStatementLine): number =>
  isDocument ? Math.sign(Amount) * amount : amount;
