/** Series of manual journals: all that is spread comes back, to the cent. */
import { describe, expect, test } from "vitest";
import {
  repeatJournal,
  reversingJournals,
  spreadAmounts,
} from "../../src/ledger/journal-series.ts";
import type { Cents } from "../../src/resources/decimal.ts";
import { fc } from "../support/properties.ts";

const series = (day: string, ...amounts: number[]) => ({
  Narration: "Insurance",
  Date: day,
  JournalLines: amounts.map((amount, at) => ({
    AccountCode: `4${at}`,
    LineAmount: amount as Cents,
  })),
});

describe("an amount spread over months", () => {
  test("a spread amount is deferred on the first day, and recognised at month ends in rounded parts", () => {
    const [first, ...parts] = spreadAmounts(series("2026-04-15", 1000_00), 3, "620");
    expect(first).toEqual({
      Narration: "Insurance",
      Date: "2026-04-15",
      JournalLines: [
        { AccountCode: "40", LineAmount: -1000_00 },
        { AccountCode: "620", LineAmount: 1000_00, Description: "Insurance" },
      ],
    });
    expect(
      parts.map(({ Narration, Date: day, JournalLines: [line] }) => [
        Narration,
        day,
        line?.LineAmount,
      ]),
    ).toEqual([
      ["Insurance (1 of 3)", "2026-04-30", 333_33],
      ["Insurance (2 of 3)", "2026-05-31", 333_34],
      ["Insurance (3 of 3)", "2026-06-30", 333_33],
    ]);
  });

  test("a spread amount leaves its deferral account at zero, whatever the amount and the months", () => {
    const amount = fc.integer({ min: -1e12, max: 1e12 });
    fc.assert(
      fc.property(
        fc.array(amount, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 2, max: 120 }),
        (amounts, months) => {
          const journals = spreadAmounts(series("2026-01-31", ...amounts), months, "620");
          expect(journals).toHaveLength(months + 1);
          const balances = new Map<string, number>();
          for (const { JournalLines } of journals) {
            const sum = JournalLines.reduce((all, { LineAmount = 0 }) => all + LineAmount, 0);
            expect(sum).toBe(0);
            for (const { AccountCode = "", LineAmount = 0 } of JournalLines) {
              balances.set(AccountCode, (balances.get(AccountCode) ?? 0) + LineAmount);
            }
          }
          expect([...balances.values()].every((balance) => balance === 0)).toBe(true);
        },
      ),
    );
  });
});

test("a reversing journal has every amount and tax negated, on a later day", () => {
  const first = series("2026-03-31", 80_00, -80_00);
  const [, second] = reversingJournals(first, "2026-04-01");
  expect(second).toMatchObject({ Narration: "Reversal: Insurance", Date: "2026-04-01" });
  expect(second?.JournalLines.map(({ LineAmount }) => LineAmount)).toEqual([-80_00, 80_00]);
  expect(() => reversingJournals(first, "2026-03-31")).toThrow("which is of 2026-03-31");
});

describe("repeated journals", () => {
  const days = (...given: Parameters<typeof repeatJournal>) =>
    repeatJournal(...given).map(({ Date: day }) => day);

  test.each([
    ["2026-01-31", "MONTH", { times: 3 }, ["2026-01-31", "2026-02-28", "2026-03-31"]],
    ["2026-01-31", "QUARTER", { until: "2026-07-31" }, ["2026-01-31", "2026-04-30", "2026-07-31"]],
    ["2024-02-29", "YEAR", { times: 2 }, ["2024-02-29", "2025-02-28"]],
    ["2026-01-05", "WEEK", { until: "2026-01-18" }, ["2026-01-05", "2026-01-12"]],
  ] as const)(
    "journals repeated from %s every %s have the expected dates",
    (from, every, until, expected) => {
      expect(days(series(from, 1), every, until)).toEqual(expected);
    },
  );

  test("a journal series without any date, or with too many, is refused", () => {
    expect(() => days(series("2026-01-31", 1), "MONTH", { until: "2026-02-01" })).toThrow(
      "there is nothing to repeat",
    );
    expect(() => days(series("2026-01-31", 1), "WEEK", { until: "2030-01-01" })).toThrow(
      "at most 120 journals",
    );
  });
});
