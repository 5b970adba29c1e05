/** Statements at random in random dialects: read exactly, or refused with the flags that read them exactly. */
import { expect, test } from "vitest";
import { runs } from "../../support/properties.ts";
import { outcomeOf } from "./answers.ts";
import { statementOf } from "./dialects.ts";

test("random CSV statements are read exactly, or refused with the flags that settle their ambiguity", () => {
  const counts = { read: 0, asked: 0 };
  const all = runs(4800);
  for (let seed = 1; seed <= all; seed += 1) {
    const written = statementOf(seed);
    const { isCard } = written;
    const { kind, why, asked } = outcomeOf(written, {}, { currency: "EUR", isCard });
    if (kind === "read" || kind === "asked") counts[kind] += 1;
    else if (kind === "wrong" || asked.length === 0) expect([seed, why]).toEqual([seed, ""]);
  }
  expect(counts.read).toBeGreaterThan((all * 2) / 3);
});

test.each([
  ["row numbers that rise by 1 are not taken for running balances", 7_007_497, "asked"],
  [
    "row numbers beside amounts without decimals are not taken for running balances",
    8_005_789,
    "asked",
  ],
  ["balances fit an unsigned amount column with either sign", 9_053_558, "asked"],
  [
    "numbers may have thousands separators or decimals, beside a column of debit and credit words",
    9_081_602,
    "asked",
  ],
  [
    "balances that fit both oldest first and newest first do not decide the order of days",
    20_028_876,
    "asked",
  ],
  ["a column that is empty in all rows is named by its position", 7_007_680, "asked"],
  ["amounts beside an empty column may be money in or money out", 7_059_007, "asked"],
  [
    "amounts of pending rows beside an empty column may be money in or money out",
    7_041_005,
    "asked",
  ],
  [
    "empty balance cells at the end of rows count when the delimiter is detected",
    7_040_381,
    "read",
  ],
])("a generated CSV statement is read exactly or refused as ambiguous: %s", (_, seed, kind) => {
  const written = statementOf(seed);
  const outcome = outcomeOf(written, {}, { currency: "EUR", isCard: written.isCard });
  expect([outcome.kind, outcome.why]).toEqual([kind, ""]);
});
