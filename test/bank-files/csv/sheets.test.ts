/** A second writer of statements, of other habits than the first: read exactly, or asked about. */
import { expect, test } from "vitest";
import { BankFileError, type BankStatement } from "../../../src/bank-files/bank-statement.ts";
import { runs } from "../../support/properties.ts";
import { read } from "../statements.ts";
import { type Sheet, sheetOf } from "./sheets.ts";

const plain = (text: string) => text.replace(/\s+/g, " ").trim();

/** What a file was read as, beside the truth; undefined where it was asked about. */
function readingOf({ bytes, truth, opening, closing, ...facts }: Sheet) {
  let found: readonly BankStatement[];
  try {
    found = read(bytes, { accountOf: () => ({ ...facts, isOwnCurrency: true }) });
  } catch (error) {
    if (error instanceof BankFileError && /^--/.test(String(error.details[0]?.flag)))
      return undefined;
    throw error;
  }
  const [statement] = found;
  const lines = found.flatMap((each) => each.lines);
  const told = (each: { amount: number } | undefined, right: number) => each?.amount ?? right;
  return {
    is: [
      ...lines.map(({ date, amount, text }) => `${date} ${amount} ${plain(text)}`).sort(),
      told(statement?.opening, opening),
      told(statement?.closing, closing),
    ],
    right: [
      ...truth.map(({ date, amount, text }) => `${date} ${amount} ${plain(text)}`).sort(),
      opening,
      closing,
    ],
  };
}

test("random CSV sheets with the habits of many banks are read exactly, or refused as ambiguous", () => {
  let count = 0;
  const all = runs(4800);
  for (let seed = 1; seed <= all; seed += 1) {
    const found = readingOf(sheetOf(seed));
    if (found === undefined) continue;
    count += 1;
    expect(found.is, `seed ${seed}`).toEqual(found.right);
  }
  expect(count).toBeGreaterThan(all / 2);
});
