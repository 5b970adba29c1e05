/** Lines of a bank file that may be lines of the book, and how they are settled. */

import type { Client } from "../client/client.ts";
import { mediumDate } from "../ledger/dates/calendar.ts";
import {
  type BankStatement,
  type BankStatementInput,
  bankStatement,
} from "../resources/bank-statement.ts";
import { amountText } from "../resources/common.ts";
import type { Cents } from "../resources/decimal.ts";

export type SentLine = NonNullable<BankStatementInput["StatementLines"]>[number];

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
  sentLines: readonly SentLine[],
  rows: readonly (number | undefined)[],
): Doubt[] {
  const indexByKey = new Map(sentLines.map(({ Key }, index) => [Key, index]));
  return Doubts.flatMap((other) => {
    const index = indexByKey.get(other.Key ?? "");
    const line = index === undefined ? undefined : sentLines[index];
    if (line === undefined) return [];
    return [
      { statementId: BankStatementID, line, row: rows[index ?? 0], currency: CurrencyCode, other },
    ];
  });
}

interface LineTexts {
  readonly Payee?: string | undefined;
  readonly Description?: string | undefined;
}

export const textOf = ({ Payee, Description }: LineTexts): string =>
  [Payee, Description].filter(Boolean).join(" · ") || "no text";

/** Describes a line by day, amount and texts; the line of the book has the same day and amount. */
export function doubtText(
  { line: { Date: date = "", Amount = 0 as Cents }, currency }: Doubt,
  lineTexts: LineTexts,
): string {
  return `${mediumDate(date)}, ${amountText(Amount, currency)}, ${textOf(lineTexts)}`;
}

/**
 * Sends for each doubtful line whether it is the line of the book.
 *
 * @param answerDoubt  answers one doubt; undefined leaves the line out
 * @returns the statements that changed, by id
 */
export async function settleDoubts(
  client: Client,
  doubts: readonly Doubt[],
  answerDoubt: (doubt: Doubt) => Promise<"skip" | "add" | undefined>,
): Promise<Map<string, BankStatement>> {
  const statementById = new Map<string, BankStatement>();
  const addedKeys = new Set<string | undefined>();
  for (const doubt of doubts) {
    const id = doubt.other.BankStatementLineID;
    // A suggested line of the book that was already matched to another line cannot be its
    // duplicate.
    const OnDuplicate = addedKeys.has(id) ? "add" : await answerDoubt(doubt);
    if (OnDuplicate === undefined) continue;
    if (OnDuplicate === "skip") addedKeys.add(id);
    const input = {
      BankStatementID: doubt.statementId,
      OnDuplicate,
      StatementLines: [doubt.line],
    };
    const [result] = await client.writeMany("POST", bankStatement, [input]);
    if (result !== undefined) statementById.set(doubt.statementId, result.record);
  }
  return statementById;
}
