/** Statements add up and follow each other. */
import { expect, test } from "vitest";
import type { StatementSummary } from "../../src/bank-files/bank-statement.ts";
import {
  checkSequence,
  checkStatement,
  joinPages,
  type Predecessor,
} from "../../src/bank-files/continuity.ts";
import type { Cents } from "../../src/ledger/money.ts";
import { only, read, sample } from "./statements.ts";

const balance = (amount: number, date = "2026-01-31", isIntermediate = false) => ({
  amount: amount as Cents,
  date,
  isIntermediate,
});

function statement(given: Partial<StatementSummary> = {}): StatementSummary {
  return {
    format: "mt940",
    account: { iban: "DE89370400440532013000" },
    currency: "EUR",
    number: "2",
    isRepeat: false,
    opening: balance(10_000, "2026-02-01"),
    closing: balance(10_500, "2026-02-28"),
    lineCount: 1,
    sum: 500 as Cents,
    pending: 0,
    withdrawn: [],
    warnings: [],
    ...given,
  };
}

const last: Predecessor = { closing: balance(10_000), number: "1", currency: "EUR" };
const kinds = (next: Partial<StatementSummary>, before: Partial<Predecessor> = {}) =>
  checkSequence({ ...last, ...before }, statement(next)).map(({ kind }) => kind);

test("a statement whose opening balance and lines do not add up to the closing balance is reported with the difference", () => {
  expect(checkStatement(statement())).toEqual([]);
  expect(checkStatement(statement({ sum: 400 as Cents }))).toEqual([
    {
      kind: "sum",
      sentence: "The closing balance is 105.00, not 104.00: 1.00 apart.",
      difference: 100,
    },
  ]);
  expect(checkStatement(statement({ opening: undefined, sum: 400 as Cents }))).toEqual([]);
});

test("a statement follows the last one if it opens with its closing balance and has the next number", () => {
  expect(kinds({})).toEqual([]);
  expect(kinds({ opening: balance(9000), closing: balance(9500) })).toEqual(["balance"]);
  expect(kinds({ number: "4" })).toEqual([]); // the balances meet: nothing was in between
  expect(kinds({ number: "4", opening: undefined, closing: undefined })).toEqual(["number"]);
});

test("a statement without an opening balance continues from the last closing balance", () => {
  expect(kinds({ opening: undefined, number: undefined })).toEqual([]);
  expect(kinds({ opening: undefined, number: undefined, sum: 400 as Cents })).toEqual(["balance"]);
});

test("statement numbers restart with a year, and may be missing", () => {
  const before = { number: "12", closing: balance(9000, "2025-12-31") };
  expect(kinds({ number: "1" }, before)).toEqual(["balance"]);
  expect(kinds({ number: "2" }, before)).toEqual(["balance", "number"]);
  expect(kinds({ number: undefined })).toEqual([]);
  expect(kinds({ number: "2026-02" })).toEqual([]);
});

test("another currency, a repeated statement, an overlap and a gap are reported", () => {
  expect(kinds({ currency: "USD" })).toEqual(["currency"]);
  expect(kinds({ isRepeat: true, opening: balance(1) })).toEqual(["repeat"]);
  expect(kinds({ number: "1", closing: last.closing })).toEqual(["repeat"]);
  expect(kinds({ from: "2026-01-20" }, { to: "2026-01-31" })).toEqual(["overlap"]);
  const gap = checkSequence(
    { ...last, to: "2026-01-31" },
    statement({ from: "2026-02-05", opening: balance(9000), closing: balance(9500) }),
  );
  expect(gap.map(({ sentence }) => sentence)).toEqual([
    "The statement begins at 90.00, but on 31 Jan 2026 the account had 100.00: lines between are missing.",
    "Nothing is there from 2026-02-01 to 2026-02-04.",
  ]);
  // Days without lines are no gap where the balance goes on.
  expect(kinds({ from: "2026-02-05" }, { to: "2026-01-31" })).toEqual([]);
});

test("the pages of a statement are joined to one statement, which is checked as a whole", () => {
  const joined = joinPages(read(sample("php-mt940/Spk.txt")));
  expect(
    joined.map(({ number, lineCount, sum, opening, closing }) => [
      number,
      lineCount,
      sum,
      opening?.amount,
      closing?.amount,
    ]),
  ).toEqual([
    ["09198", 8, 80_532, 181_890, 262_422],
    ["09199", 2, 11_000, 262_422, 273_422],
  ]);
  expect(joined.flatMap(checkStatement)).toEqual([]);
  expect(checkSequence(joined[0]!, joined[1]!)).toEqual([]);
});

test("pages of another account or statement number, and complete statements, are not joined", () => {
  const page = statement({ page: 1, closing: balance(10_500, "2026-02-28", true) });
  expect(joinPages([page, statement({ page: 2 })])).toHaveLength(1);
  expect(joinPages([page, statement({ page: 3 })])).toHaveLength(2);
  expect(joinPages([page, statement({ page: 2, number: "3" })])).toHaveLength(2);
  expect(joinPages([page, statement({ page: 2, account: { number: "1" } })])).toHaveLength(2);
  expect(joinPages([statement({ page: 1 }), statement({ page: 2 })])).toHaveLength(2);
});

test("two statements of one file follow each other where the closing balance is the next opening balance", () => {
  const [first, second] = read(sample("camt/camt053.v2.multi.statement.xml"));
  expect(checkStatement(first!)).toEqual([]);
  expect(checkStatement(second!)).toEqual([]);
  expect(checkSequence(first!, second!).filter(({ kind }) => kind === "balance")).toEqual([]);
});

test("a file from which entries were cut does not add up to its closing balance", () => {
  const [finding] = checkStatement(only(sample("camt_parser/valid_example_with_batch.xml")));
  // 23,038.20 less 7,329.80 less 2,934.26.
  expect(finding).toMatchObject({ kind: "sum", difference: 1_277_414 });
});
