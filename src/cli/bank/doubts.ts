/**
 * Doubtful statement lines, which may be duplicates of lines in the book: reported to scripts,
 * asked of the user on a terminal.
 */

import type { Client } from "../../client/client.ts";
import { mediumDate } from "../../ledger/dates/calendar.ts";
import {
  type BankStatement,
  type BankStatementInput,
  bankStatement,
} from "../../resources/bank-statement.ts";
import { amountText } from "../../resources/common.ts";
import type { Cents } from "../../resources/decimal.ts";
import { counted } from "../../resources/scalar.ts";
import type { Context } from "../context/context.ts";
import type { Questions } from "../framework/questions.ts";
import { safeLine } from "../render/safe.ts";

type SentLine = NonNullable<BankStatementInput["StatementLines"]>[number];

/** A line of a file, and the line of the book that it may duplicate. */
export interface Doubt {
  readonly statementId: string;
  readonly line: SentLine;
  /** Row number in the file, from 1; undefined where the format has no rows. */
  readonly row: number | undefined;
  readonly currency?: string | undefined;
  readonly other: NonNullable<BankStatement["Doubts"]>[number];
}

/**
 * Pairs the possible duplicates that the service reports with their rows.
 *
 * @param rows  row numbers of the lines that were sent
 */
export function doubtsOf(
  { BankStatementID, CurrencyCode, Doubts = [] }: BankStatement,
  sent: readonly SentLine[],
  rows: readonly (number | undefined)[],
): Doubt[] {
  const places = new Map(sent.map(({ Key }, place) => [Key, place]));
  return Doubts.flatMap((other) => {
    const place = places.get(other.Key ?? "");
    const line = place === undefined ? undefined : sent[place];
    if (line === undefined) return [];
    return [
      { statementId: BankStatementID, line, row: rows[place ?? 0], currency: CurrencyCode, other },
    ];
  });
}

/** Describes a line by day, amount and texts; the line of the book has the same day and amount. */
function doubtText(
  { line: { Date: date = "", Amount = 0 as Cents }, currency }: Doubt,
  texts: LineTexts,
): string {
  return `${mediumDate(date)}, ${amountText(Amount, currency)}, ${textOf(texts)}`;
}

interface LineTexts {
  readonly Payee?: string | undefined;
  readonly Description?: string | undefined;
}

const textOf = ({ Payee, Description }: LineTexts) =>
  safeLine([Payee, Description].filter(Boolean).join(" · ")) || "no text";

/**
 * Formats the question about a possible duplicate: `Row 9, 17 Mar 2026, -57.50, TIMBER: is it
 * 1c5d2a60-…, YARD NELSON?`
 */
export function doubtSentence(doubt: Doubt): string {
  const { row, other } = doubt;
  const place = row === undefined ? "" : `Row ${row}, `;
  return `${place}${doubtText(doubt, doubt.line)}: is it ${other.BankStatementLineID}, ${textOf(other)}?`;
}

/** Asks for each doubtful line whether it is the line of the book, and sends the answers. */
export async function settleDoubts(
  { ctx, client, ask }: { readonly ctx: Context; readonly client: Client; readonly ask: Questions },
  doubts: readonly Doubt[],
): Promise<Map<string, BankStatement>> {
  const changed = new Map<string, BankStatement>();
  ctx.out.say(
    `${counted(doubts.length, "line")} may be in the book already: the day and the amount are equal, and nothing else says so.`,
  );
  const keys = new Set<string | undefined>();
  for (const doubt of doubts) {
    const id = doubt.other.BankStatementLineID;
    // A suggested line of the book that was already matched to another line cannot be its
    // duplicate.
    const OnDuplicate = keys.has(id) ? "add" : await answered({ ctx, ask }, doubt);
    if (OnDuplicate === "skip") keys.add(id);
    const input = {
      BankStatementID: doubt.statementId,
      OnDuplicate,
      StatementLines: [doubt.line],
    };
    const [result] = await client.writeMany("POST", bankStatement, [input]);
    if (result !== undefined) changed.set(doubt.statementId, result.record);
  }
  return changed;
}

async function answered(
  { ctx, ask }: { readonly ctx: Context; readonly ask: Questions },
  doubt: Doubt,
): Promise<"skip" | "add"> {
  ctx.out.say("");
  ctx.out.say(`In the file   ${doubtText(doubt, doubt.line)}`);
  ctx.out.say(`In the book   ${doubtText(doubt, doubt.other)}`);
  return ask.choose<"skip" | "add">({
    message: "Are they the same?",
    choices: [
      { name: "The same: it is known", value: "skip" },
      { name: "Two: add the one of the file", value: "add" },
    ],
  });
}
