/** Interface of a plain-text ledger export: a header, then a text for each journal. */
import { writeDecimal } from "../resources/decimal.ts";
import type { Journal, JournalLine } from "../resources/journal.ts";
import type { NamedAccount } from "./account-tree.ts";

/** Facts of the book that are known before the first journal is read. */
export interface JournalHeader {
  readonly organisation: string;
  /** Base currency of the book. */
  readonly currency: string;
  readonly basis: string;
  /** Chart of accounts; a journal may contain further accounts, created since or deleted. */
  readonly accounts: readonly NamedAccount[];
}

export interface JournalFormat {
  readonly head: string;
  /** Text of a journal, preceded by declarations of accounts that occur for the first time. */
  journal(journal: Journal): string;
}

/** Returns the account of a journal line. */
export function accountOf(line: JournalLine): NamedAccount {
  const { AccountID, AccountCode, AccountName, AccountType } = line;
  return { id: AccountID, code: AccountCode, name: AccountName, type: AccountType };
}

/** Formats an amount in cents: `-80.00`. */
export function amountOf(cents: number): string {
  return writeDecimal(cents, 2);
}

/** Puts text on one line: replaces control characters and runs of whitespace by one space. */
export function toOneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}

/** Puts text on one line and truncates it to a maximum number of characters. */
export function cutText(text: string, max: number): string {
  return [...toOneLine(text)].slice(0, max).join("").trim();
}

/** Short title of a journal: the kind of its source, and its reference. */
export function titleOf({ SourceType, Reference }: Journal): string {
  return toOneLine([SourceType ?? "", Reference].filter((text) => text !== "").join(" "));
}
