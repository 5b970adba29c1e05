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

interface LineTexts {
  readonly Payee?: string | undefined;
  readonly Description?: string | undefined;
}

export const textOf = ({ Payee, Description }: LineTexts): string =>
  [Payee, Description].filter(Boolean).join(" · ") || "no text";

/** Describes a line by day, amount and texts; the line of the book has the same day and amount. */
export function doubtText(
  { line: { Date: date = "", Amount = 0 as Cents }, currency }: Doubt,
  texts: LineTexts,
): string {
  return `${mediumDate(date)}, ${amountText(Amount, currency)}, ${textOf(texts)}`;
}

/**
 * Sends for each doubtful line whether it is the line of the book.
 *
 * @param answered  answers one doubt; undefined leaves the line out
 * @returns the statements that changed, by id
 */
export async function settleDoubts(
  client: Client,
  doubts: readonly Doubt[],
  answered: (doubt: Doubt) => Promise<"skip" | "add" | undefined>,
): Promise<Map<string, BankStatement>> {
  const changed = new Map<string, BankStatement>();
  const keys = new Set<string | undefined>();
  for (const doubt of doubts) {
    const id = doubt.other.BankStatementLineID;
    // A suggested line of the book that was already matched to another line cannot be its
    // duplicate.
    const OnDuplicate = keys.has(id) ? "add" : await answered(doubt);
    if (OnDuplicate === undefined) continue;
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
