/** What a form of the exported ledger is: a head, then a text for each journal. */
import { writeDecimal } from "../resources/decimal.ts";
import type { Journal, JournalLine } from "../resources/journal.ts";
import type { NamedAccount } from "./account-tree.ts";

/** What is known before the first journal comes. */
export interface JournalHeader {
  readonly organisation: string;
  /** Base currency. */
  readonly currency: string;
  readonly basis: string;
  /** The chart; a journal may name further accounts, made meanwhile or deleted. */
  readonly accounts: readonly NamedAccount[];
}

export interface JournalFormat {
  readonly head: string;
  /** The journal, after whatever must be said first of accounts not met before. */
  journal(journal: Journal): string;
}

/** The account of a line. */
export function accountOf(line: JournalLine): NamedAccount {
  const { AccountID, AccountCode, AccountName, AccountType } = line;
  return { id: AccountID, code: AccountCode, name: AccountName, type: AccountType };
}

/** `-80.00` */
export function amountOf(cents: number): string {
  return writeDecimal(cents, 2);
}

/** Text on one line: whatever is no letter of a line, and every run of spaces, is one space. */
export function oneLine(text: string): string {
  return text.replace(/[\p{C}\p{Z}\s]+/gu, " ").trim();
}

/** Text of at most so many characters, on one line. */
export function cut(text: string, max: number): string {
  return [...oneLine(text)].slice(0, max).join("").trim();
}

/** What made a journal and what it is about, in a few words. */
export function titleOf({ SourceType, Reference }: Journal): string {
  return oneLine([SourceType ?? "", Reference].filter((part) => part !== "").join(" "));
}
