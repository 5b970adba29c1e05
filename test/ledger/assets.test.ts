/** Depreciation by the day and the month, and what a disposal gains. */
import { describe, expect, test } from "vitest";
import {
  accumulatedAt,
  type DepreciationTerms,
  depreciableOf,
  disposalLines,
  gainsOf,
  monthEnds,
} from "../../src/ledger/assets.ts";
import { addDays, addMonths, endOfMonth } from "../../src/ledger/dates/calendar.ts";
import type { Cents, Percent, Quantity } from "../../src/ledger/money.ts";
import { depreciationMethods } from "../../src/resources/asset.ts";
import { fc } from "../support/properties.ts";

const march = { yearEnd: { day: 31, month: 3 }, smallest: 1 } as const;

const terms = (own: Partial<DepreciationTerms> = {}): DepreciationTerms => ({
  Cost: 600_000 as Cents,
  ResidualValue: 0 as Cents,
  Method: "StraightLine",
  Averaging: "FullMonth",
  DepreciationStartDate: "2026-01-15",
  OpeningAccumulated: 0 as Cents,
  ...(own.Rate === undefined ? { Life: 50_000 as Quantity } : {}),
  ...own,
});

/** What each month posts, in cents. */
function months(given: DepreciationTerms, count: number): number[] {
  const last = endOfMonth(addMonths(given.DepreciationStartDate, count - 1));
  let before: number = given.OpeningAccumulated;
  return [...monthEnds(given.DepreciationStartDate, last)].map((end) => {
    const now = accumulatedAt(given, end, march);
    const amount = now - before;
    before = now;
    return amount;
  });
}

describe("straight-line depreciation", () => {
  test("straight-line depreciation posts a twelfth of the year's depreciation each month, a full month at the start", () => {
    expect(months(terms(), 3)).toEqual([10_000, 10_000, 10_000]);
  });

  test("straight-line depreciation rounds cumulatively, so that the sum over the asset's life equals the cost", () => {
    const laptop = terms({ Cost: 100_000 as Cents, Life: 30_000 as Quantity });
    const posted = months(laptop, 40);
    expect(posted.slice(0, 3)).toEqual([2778, 2778, 2777]);
    expect(posted.slice(36)).toEqual([0, 0, 0, 0]);
    expect(posted.reduce((sum, each) => sum + each, 0)).toBe(100_000);
  });

  test("straight-line depreciation by actual days divides by 366 in a leap year", () => {
    const days = terms({
      Averaging: "ActualDays",
      Rate: 200_000 as Percent,
      Cost: 366_000 as Cents,
      DepreciationStartDate: "2027-04-01",
    });
    // The year to 31 March 2028 has 366 days: 73,200 cents in it, 200 a day.
    expect(months(days, 12).slice(0, 2)).toEqual([6000, 6200]);
    expect(accumulatedAt(days, "2028-03-31", march)).toBe(73_200);
    expect(accumulatedAt(days, "2027-04-01", march)).toBe(200);
  });

  test("straight-line depreciation continues from an opening accumulated amount, and stops at the residual value", () => {
    const van = terms({
      ResidualValue: 100_000 as Cents,
      Life: 50_000 as Quantity,
      OpeningAccumulated: 480_000 as Cents,
      OpeningDate: "2026-03-31",
      DepreciationStartDate: "2022-01-01",
    });
    expect(accumulatedAt(van, "2026-03-31", march)).toBe(480_000);
    expect(accumulatedAt(van, "2026-04-30", march)).toBe(488_333);
    expect(accumulatedAt(van, "2027-03-31", march)).toBe(500_000);
  });

  test("straight-line depreciation of an asset above its cost limit depreciates only the limit", () => {
    const car = terms({ CostLimit: 300_000 as Cents, ResidualValue: 50_000 as Cents });
    expect(depreciableOf(car)).toBe(250_000);
    expect(accumulatedAt(car, "2040-01-31", march)).toBe(250_000);
  });
});

describe("diminishing-value depreciation", () => {
  test.each([
    ["DiminishingValue100", 120_000],
    ["DiminishingValue150", 180_000],
    ["DiminishingValue200", 240_000],
  ] as const)(
    "%s over a life of five years depreciates the first year by %i cents, and the second in proportion",
    (Method, year) => {
      const start = terms({ Method, DepreciationStartDate: "2026-04-01" });
      expect(accumulatedAt(start, "2027-03-31", march)).toBe(year);
      const left = 600_000 - year;
      const second = accumulatedAt(start, "2028-03-31", march) - year;
      expect(second).toBe(Math.round((left * year) / 600_000));
    },
  );

  test("diminishing-value depreciation is computed from the book value at the start of each financial year", () => {
    const given = terms({ Method: "DiminishingValue100", Rate: 400_000 as Percent });
    // January to March, then 40 % of 5,400.00 in the year from April.
    expect(months(given, 5)).toEqual([20_000, 20_000, 20_000, 18_000, 18_000]);
  });
});

test("an asset with the method NoDepreciation is not depreciated", () => {
  expect(accumulatedAt(terms({ Method: "NoDepreciation" }), "2050-12-31", march)).toBe(0);
});

test("depreciation in yen is rounded to whole yen", () => {
  const given = terms({ Cost: 100_000 as Cents, Life: 30_000 as Quantity });
  const yen = { ...march, smallest: 100 } as const;
  expect(accumulatedAt(given, "2026-01-31", yen)).toBe(2800);
  expect(accumulatedAt(given, "2030-01-31", yen)).toBe(100_000);
});

describe("disposal of an asset", () => {
  test.each([
    ["above the cost is a capital gain, the rest a gain", 640_000, 40_000, 250_000],
    ["below the cost is a gain", 500_000, 0, 150_000],
    ["at book value is neither", 350_000, 0, 0],
    ["below book value is a loss", 100_000, 0, -250_000],
    ["of nothing is a loss of the book value", 0, 0, -350_000],
  ])("disposing of an asset for proceeds %s", (_, proceeds, capital, gain) => {
    const found = gainsOf(600_000 as Cents, 250_000 as Cents, proceeds as Cents);
    expect(found).toEqual({ capital, gain });
  });
});

const anyTerms: fc.Arbitrary<DepreciationTerms> = fc
  .record({
    cost: fc.integer({ min: 1, max: 50_000_000 }),
    residual: fc.double({ min: 0, max: 1, noNaN: true }),
    opening: fc.double({ min: 0, max: 1, noNaN: true }),
    limit: fc.option(fc.integer({ min: 1, max: 50_000_000 }), { nil: undefined }),
    method: fc.constantFrom(...depreciationMethods),
    averaging: fc.constantFrom("FullMonth" as const, "ActualDays" as const),
    rate: fc.option(fc.integer({ min: 1, max: 1_000_000 }), { nil: undefined }),
    life: fc.integer({ min: 5_000, max: 400_000 }),
    day: fc.integer({ min: 0, max: 4_000 }),
  })
  .map(({ cost, residual, opening, limit, method, averaging, rate, life, day }) => {
    const most = Math.min(cost, limit ?? cost);
    const kept = Math.floor(most * residual);
    return {
      Cost: cost as Cents,
      CostLimit: limit as Cents | undefined,
      ResidualValue: kept as Cents,
      Method: method,
      Averaging: averaging,
      ...(rate === undefined ? { Life: life as Quantity } : { Rate: rate as Percent }),
      DepreciationStartDate: addDays("2019-01-01", day),
      OpeningAccumulated: Math.floor((most - kept) * opening) as Cents,
    };
  });

describe("depreciation of any asset", () => {
  const runs = { numRuns: process.env.TEST_RUNS === "all" ? 2000 : 200 };

  test("monthly depreciation is never negative, never passes the residual, and sums to the accumulated amount", () => {
    const anyYearEnd = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(anyTerms, anyYearEnd, (given, yearEnd) => {
        const books = { yearEnd, smallest: 1 } as const;
        const { DepreciationStartDate: start, OpeningAccumulated: opening } = given;
        let before: number = opening;
        let summed: number = opening;
        for (const end of monthEnds(start, endOfMonth(addMonths(start, 60)))) {
          const now = accumulatedAt(given, end, books);
          expect(now).toBeGreaterThanOrEqual(before);
          expect(now).toBeLessThanOrEqual(Math.max(opening, depreciableOf(given)));
          expect(given.Cost - now).toBeGreaterThanOrEqual(
            Math.min(given.ResidualValue, given.Cost - opening),
          );
          summed += now - before;
          before = now;
        }
        expect(summed).toBe(before);
      }),
      runs,
    );
  });

  test("straight-line depreciation reaches the whole depreciable amount when the life is over", () => {
    fc.assert(
      fc.property(anyTerms, (given) => {
        const { Rate: _, ...own } = given;
        const line = { ...own, Method: "StraightLine", Life: 30_000 as Quantity } as const;
        const over = addMonths(line.DepreciationStartDate, 37);
        expect(accumulatedAt(line, endOfMonth(over), march)).toBe(depreciableOf(line));
      }),
      runs,
    );
  });

  test("the disposal journal of an asset balances, and leaves neither cost nor accumulated depreciation", () => {
    const account = (AccountID: string) => ({ AccountID });
    fc.assert(
      fc.property(
        anyTerms,
        fc.integer({ min: 0, max: 60_000_000 }),
        fc.integer({ min: -1_000, max: 1_000 }),
        ({ Cost, OpeningAccumulated: accumulated }, proceeds, charge) => {
          const lines = disposalLines({
            asset: {
              Cost,
              AssetAccount: account("cost"),
              AccumulatedAccount: account("accumulated"),
              ExpenseAccount: account("expense"),
            },
            charge: charge as Cents,
            accumulated,
            proceeds: proceeds as Cents,
            accounts: {
              proceeds: account("proceeds"),
              capital: account("capital"),
              gain: account("gain"),
              loss: account("loss"),
            },
          });
          const net = (name?: string) =>
            lines
              .filter((each) => name === undefined || each.account === name)
              .reduce((sum, { amount }) => sum + amount, 0);
          expect(net()).toBe(0);
          expect(net("cost")).toBe(-Cost);
          expect(net("accumulated")).toBe(accumulated - charge);
          expect(net("proceeds")).toBe(proceeds);
        },
      ),
      runs,
    );
  });
});
