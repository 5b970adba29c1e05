/** Charts for tests: drawn at random, and a small one of each kind. */
import type { Chart } from "../../../src/output/chart.ts";
import type { Cents } from "../../../src/resources/decimal.ts";
import { fc } from "../../support/properties.ts";

export const cents = (amount: number) => amount as Cents;

export const months: Chart = {
  title: "Profit and Loss by month",
  currency: "NZD",
  axis: "time",
  form: "bars",
  series: [
    { name: "Income", amounts: [1_200_000, 800_000, 0].map(cents) },
    { name: "Expenses", amounts: [900_000, 850_050, 12_000].map(cents) },
    { name: "Net profit", amounts: [300_000, -50_050, -12_000].map(cents), isLine: true },
  ],
  points: [{ label: "Jan 26" }, { label: "Feb 26" }, { label: "Mar 26" }],
  measure: 2,
  isSum: true,
};

export const names: Chart = {
  title: "Sales by contact",
  axis: "names",
  form: "bars",
  series: [{ name: "Net", amounts: [98_400, 49_200, 3, 0].map(cents) }],
  points: [
    { label: "Estuary Lodge" },
    { label: "陶器の店 かもめ" },
    { label: "A customer with a name that is longer than any line" },
    { label: "Nobody" },
  ],
  measure: 0,
  isSum: true,
};

const amount = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(0, 1, -1) },
  { weight: 3, arbitrary: fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }) },
);

export const chart: fc.Arbitrary<Chart> = fc
  .record({
    axis: fc.constantFrom("time" as const, "names" as const),
    form: fc.constantFrom("bars" as const, "stacked" as const),
    currency: fc.constantFrom("NZD", "JPY", undefined),
    isSum: fc.boolean(),
    points: fc.array(fc.record({ label: fc.string({ unit: "grapheme", maxLength: 30 }) }), {
      minLength: 1,
      maxLength: 14,
    }),
    count: fc.integer({ min: 1, max: 3 }),
    amounts: fc.array(fc.array(amount, { minLength: 14, maxLength: 14 }), {
      minLength: 3,
      maxLength: 3,
    }),
    line: fc.integer({ min: -1, max: 2 }),
    measure: fc.nat(2),
  })
  .map(({ count, amounts, line, measure, points, ...own }) => ({
    ...own,
    title: "At random",
    points,
    measure: Math.min(measure, count - 1),
    series: Array.from({ length: count }, (_, at) => ({
      name: `Series ${at + 1}`,
      amounts: (amounts[at] ?? []).slice(0, points.length).map(cents),
      isLine: at === line,
    })),
  }));
