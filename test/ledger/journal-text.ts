/**
 * Journals as a bookkeeper writes them down, and a matcher for them.
 *
 *     expect(journal).toRead(`
 *       Accounts receivable   110.00
 *       Sales                          100.00
 *       GST                             10.00`);
 *
 * Debits stand in the left column, credits in the right one, which is the one that ends further to
 * the right. Accounts are named by their ids; a test gives them readable ones.
 */
import { expect } from "vitest";
import type { Journal, Posting } from "../../src/ledger/journal.ts";
import { readDecimal, writeDecimal } from "../../src/resources/decimal.ts";

interface Entry {
  readonly account: string;
  /** Cents, debit positive. */
  readonly amount: number;
}

/** The text of a journal: an account and an amount a line. */
function journalText(postings: readonly Entry[]): string {
  const name = Math.max(0, ...postings.map(({ account }) => account.length));
  return postings
    .map(({ account, amount }) => {
      const text = writeDecimal(Math.abs(amount), 2);
      const columns = amount > 0 ? text.padStart(12) : text.padStart(26);
      return `${account.padEnd(name)}${columns}`;
    })
    .join("\n");
}

const entry = /^(.*?\S)\s{2,}([\d.]+)$/;

/** Reads what a test expects; a column is told by where its amounts end. */
function parseJournal(text: string): Entry[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const found = lines.filter((line) => line !== "");
  const credits = Math.max(...found.map((line) => line.length));
  return found.map((line) => {
    const match = entry.exec(line.trimStart());
    if (match === null) throw new Error(`No posting: ${line}`);
    const amount = readDecimal(match[2] ?? "", 2) ?? Number.NaN;
    return { account: match[1] ?? "", amount: line.length === credits ? -amount : amount };
  });
}

declare module "vitest" {
  // biome-ignore lint/suspicious/noExplicitAny: the declaration that is extended has it so
  interface Matchers<T = any> {
    /** That a journal has these postings, in this order. */
    toRead(expected: string): T;
  }
}

expect.extend({
  toRead(journal: Pick<Journal, "postings"> | undefined, expected: string) {
    const actual = journalText((journal?.postings ?? []) as readonly Posting[]);
    const wanted = journalText(parseJournal(expected));
    return {
      pass: actual === wanted,
      actual,
      expected: wanted,
      message: () => "the journal reads otherwise",
    };
  },
});
