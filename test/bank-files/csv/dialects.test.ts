/** Statements at random in random dialects: read exactly, or refused with the flags that read them exactly. */
import { expect, test } from "vitest";
import { outcomeOf } from "./answers.ts";
import { statementOf } from "./dialects.ts";

test("statements in random CSV dialects are read exactly, or refused with the flags that settle them", () => {
  const counts = { read: 0, asked: 0 };
  for (let seed = 1; seed <= 300; seed += 1) {
    const written = statementOf(seed);
    const { isCard } = written;
    const { kind, why, asked } = outcomeOf(written, {}, { currency: "EUR", isCard });
    if (kind === "read" || kind === "asked") counts[kind] += 1;
    else if (kind === "wrong" || asked.length === 0) expect([seed, why]).toEqual([seed, ""]);
  }
  expect(counts.read).toBeGreaterThan(200);
});

test.each([
  ["numbers of rows that go up by an amount of 1.00 are no balances", 7_007_497, "asked"],
  ["nor beside amounts without decimals", 8_005_789, "asked"],
  [
    "balances of an unsigned column follow both ways, and its direction is told",
    9_053_558,
    "asked",
  ],
  [
    "numbers of one file are parted by thousands or have decimals, with words of direction",
    9_081_602,
    "asked",
  ],
  ["balances that follow upwards and downwards tell no order of days", 20_028_876, "asked"],
  ["a column that is empty in all rows is named by its place", 7_007_680, "asked"],
  ["two amounts beside an empty column are money in or money out", 7_059_007, "asked"],
  ["of pending rows likewise", 7_041_005, "asked"],
  [
    "empty balances at the end of rows are cells, by which the delimiter is found",
    7_040_381,
    "read",
  ],
])("%s", (_, seed, kind) => {
  const written = statementOf(seed);
  const outcome = outcomeOf(written, {}, { currency: "EUR", isCard: written.isCard });
  expect([outcome.kind, outcome.why]).toEqual([kind, ""]);
});
