import { describe, expect, test } from "vitest";
import type { Cents, Rate } from "../../src/ledger/money.ts";
import { balanceSheet } from "../../src/ledger/reports/balance-sheet.ts";
import { type AccountInfo, netProfit, type Sums } from "../../src/ledger/reports/report-rows.ts";
import {
  addRevaluation,
  type OpenForeignDocument,
  revaluation,
  revaluedBetween,
} from "../../src/ledger/reports/revaluation.ts";
import { fc } from "../support/properties.ts";
import { cents, exchange } from "./amounts.ts";

const account = (AccountID: string, Class: string, Type: string, SystemAccount?: string) =>
  ({ AccountID, Name: AccountID, Class, Type, SystemAccount }) as AccountInfo;

const chart = [
  account("bank", "ASSET", "BANK"),
  account("debtors", "ASSET", "CURRENT", "DEBTORS"),
  account("creditors", "LIABILITY", "CURRLIAB", "CREDITORS"),
  account("sales", "REVENUE", "REVENUE"),
  account("unrealised", "EXPENSE", "EXPENSE", "UNREALISEDCURRENCYGAIN"),
  account("revalued", "EXPENSE", "EXPENSE", "BANKCURRENCYGAIN"),
];

/** EUR 307.65 of an invoice at 0.6153 is open, 500.00 in the books. */
const half: OpenForeignDocument = {
  control: "DEBTORS",
  side: 1,
  open: cents("307.65"),
  openBase: cents("500.00"),
  rate: exchange("0.5900"),
};

const shown = (sums: Sums) => Object.fromEntries(sums);

describe("revaluation of open amounts at the rate of a day", () => {
  test("an open receivable has a gain when its currency rises", () => {
    expect(shown(revaluation(chart, [half], []))).toEqual({ debtors: 2144, unrealised: -2144 });
  });

  test("an open payable has a loss when its currency rises", () => {
    const owed = { ...half, control: "CREDITORS", side: -1 } as const;
    expect(shown(revaluation(chart, [owed], []))).toEqual({ creditors: -2144, unrealised: 2144 });
  });

  test("an open credit note reverses the currency gain of its invoice", () => {
    const credit = { ...half, side: -1 } as const;
    expect(shown(revaluation(chart, [half, credit], []))).toEqual({ debtors: 0, unrealised: 0 });
  });

  test("the exchange gain of a foreign-currency bank account is posted to a separate gains account", () => {
    const held = {
      accountId: "bank",
      balance: cents("100"),
      base: cents("150"),
      rate: exchange("0.5"),
    };
    expect(shown(revaluation(chart, [], [held]))).toEqual({ bank: 5000, revalued: -5000 });
  });

  test("a book without open foreign amounts, or with one currency, has no revaluation", () => {
    expect(shown(revaluation(chart.slice(0, 4), [], []))).toEqual({});
    const even = { ...half, rate: exchange("0.6153") };
    expect(shown(revaluation(chart.slice(0, 4), [even], []))).toEqual({});
  });
});

test("the revaluation of a date range is the gain at its end less the gain before its start", () => {
  const before = revaluation(chart, [{ ...half, rate: exchange("0.6000") }], []); // 12.75
  const atEnd = revaluation(chart, [half], []); // 21.44
  const profit = netProfit(chart, revaluedBetween(new Map(), atEnd, before));
  expect(profit).toBe(cents("8.69"));
});

const side = fc.constantFrom(1 as const, -1 as const);
const documents = fc.array(
  fc.record({
    control: fc.constantFrom("DEBTORS" as const, "CREDITORS" as const),
    side,
    open: fc.integer({ min: 0, max: 10_000_000 }) as fc.Arbitrary<Cents>,
    openBase: fc.integer({ min: 0, max: 10_000_000 }) as fc.Arbitrary<Cents>,
    rate: fc
      .integer({ min: 1000, max: 9_000_000_000 })
      .map((each) => ({ rate: each as Rate, smallest: 1 as const })),
  }),
);

test("a balance sheet stays balanced after revaluation", () => {
  fc.assert(
    fc.property(documents, (open) => {
      const posted: Sums = new Map([
        ["debtors", cents("500.00")],
        ["sales", cents("-500.00")],
      ]);
      const balances = addRevaluation(posted, revaluation(chart, open, []));
      expect([...balances.values()].reduce((all, amount) => all + amount, 0)).toBe(0);
      const { rows } = balanceSheet({
        organisation: "x",
        accounts: chart,
        columns: [
          {
            ...{ from: "2025-04-01", to: "2026-03-31", basis: "accrual" },
            sums: { held: balances, moved: balances },
          },
        ],
      });
      const all = rows.flatMap((row) => row.Rows ?? []);
      const value = (label: string) =>
        all.find((row) => row.Cells?.[0]?.Value === label)?.Cells?.[1]?.Value;
      expect(value("Net Assets")).toEqual(value("Total Equity"));
    }),
  );
});
