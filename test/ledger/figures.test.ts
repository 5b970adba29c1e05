/** Figures as expressions: their values, and what they are made of. */
import { expect, test } from "vitest";
import {
  counted,
  figureValue,
  ledger,
  type Period,
  ratioOf,
  sum,
} from "../../src/ledger/figures/expression.ts";
import type { Cents } from "../../src/ledger/money.ts";

const period: Period = {
  ...{ from: "2026-03-01", to: "2026-03-31", basis: "accrual" },
  sums: {
    moved: new Map([
      ["sales", -120_000 as Cents],
      ["rent", 40_001 as Cents],
    ]),
  },
};
const [sales, rent] = [{ AccountID: "sales" }, { AccountID: "rent" }];
const income = ledger(["income", "Income", "Income"], -1, "moved", period, [sales]);
const costs = ledger(["costs", "Costs", "Costs"], 1, "moved", period, [
  rent,
  { AccountID: "none" },
]);
const profit = sum(["profit", "Profit", "NetProfit"], [income], [costs]);
const none = counted(["none", "None", "Sum"], 0, { of: "parts", parts: () => [] });

test("a sum figure of a report subtracts its negative parts, and accounts without postings count as zero", () => {
  expect([income, costs, profit].map(figureValue)).toEqual([120_000, 40_001, 79_999]);
});

test("a ratio in a report is rounded once, to the decimals of its unit", () => {
  const margin = ratioOf(["margin", "Margin", "Margin"], profit, income, "percent");
  const daily = { figure: costs, times: 31 };
  expect(figureValue(margin)).toBe(667);
  expect(figureValue(ratioOf(["days", "Days", "DebtorsDays"], daily, income, "ratio"))).toBe(1033);
});

test("a ratio in a report with a zero divisor has no value, or the given default", () => {
  const name = ["average", "Average", "AverageInvoice"] as const;
  expect(figureValue(ratioOf(name, profit, none, "money"))).toBeUndefined();
  expect(figureValue(ratioOf(name, profit, none, "money", 0))).toBe(0);
});

test("a report figure defined in terms of itself is refused when it is built", () => {
  const again = ["profit", "Again", "Sum"] as const;
  const share = ratioOf(["share", "Share", "Margin"], profit, income, "percent");
  expect(() => sum(again, [profit])).toThrow("The figure profit of a report contains itself.");
  expect(() => sum(again, [income], [share])).toThrow("contains itself");
  expect(() => ratioOf(again, income, share, "percent")).toThrow("contains itself");
});

test("a report figure on a measure that its period does not have is refused", () => {
  const held = ledger(["held", "Held", "Balance"], 1, "held", period, [sales]);
  expect(() => figureValue(held)).toThrow("No held of the days of held.");
});
