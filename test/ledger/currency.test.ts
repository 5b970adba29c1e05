import { describe, expect, test } from "vitest";
import {
  bankAmount,
  gainPostings,
  settleAmount,
  unrealisedGain,
} from "../../src/ledger/postings/currency.ts";
import { cents, exchange, rate } from "./amounts.ts";

const open = (due: string, openBase: string) => ({
  due: cents(due),
  openBase: cents(openBase),
  documentRate: exchange("0.6153"),
});

describe("settling an invoice of EUR 615.30 at 0.6153", () => {
  test.each([
    ["all at 0.6000", "615.30", "615.30", "1000.00", "0.6", "1025.50", "1000.00", "25.50"],
    ["half at 0.6000", "307.65", "615.30", "1000.00", "0.6", "512.75", "500.00", "12.75"],
    ["all at a worse rate", "615.30", "615.30", "1000.00", "0.65", "946.62", "1000.00", "-53.38"],
    ["all at its own rate", "615.30", "615.30", "1000.00", "0.6153", "1000.00", "1000.00", "0.00"],
    ["the last cent takes what is left", "0.01", "0.01", "0.03", "0.6", "0.02", "0.03", "-0.01"],
    ["no more than is left", "0.01", "0.02", "0.01", "0.6", "0.02", "0.01", "0.01"],
  ])(
    "the realised currency gain of an invoice of EUR 615.30, settled %s",
    (_name, amount, due, openBase, at, bank, control, gain) => {
      const settled = settleAmount({
        ...open(due, openBase),
        amount: cents(amount),
        settlementRate: exchange(at),
      });
      expect(settled).toEqual({ bank: cents(bank), control: cents(control), gain: cents(gain) });
    },
  );
});

test("a currency gain is posted as a credit for a receivable and as a debit for a payable", () => {
  const accounts = { REALISEDCURRENCYGAIN: "497" };
  const posted = (amount: string) => [{ account: "497", amount: cents(amount) }];
  expect(gainPostings(1, cents("25.50"), accounts)).toEqual(posted("-25.50"));
  expect(gainPostings(-1, cents("25.50"), accounts)).toEqual(posted("25.50"));
  expect(gainPostings(1, cents("0"), {})).toEqual([]);
  expect(() => gainPostings(1, cents("1.00"), {})).toThrow("REALISEDCURRENCYGAIN");
});

test("the unrealised gain of an open foreign amount is computed at the rate of the day", () => {
  expect(unrealisedGain(cents("307.65"), cents("500.00"), exchange("0.59"))).toBe(cents("21.44"));
});

test.each([
  ["foreign document, base bank", "EUR", "NZD", "615.30", "0.6", "1025.50"],
  ["base document, foreign bank", "NZD", "EUR", "1000.00", "0.6", "600.00"],
  ["both base", "NZD", "NZD", "12.34", "1", "12.34"],
  ["both the same foreign one", "EUR", "EUR", "12.34", "0.6", "12.34"],
])(
  'case "%s": a %s document settled through a %s bank account, %s at the rate %s, moves %s in the bank',
  (_name, document, bank, amount, at, expected) => {
    expect(bankAmount(cents(amount), { document, bank, base: "NZD" }, rate(at))).toBe(
      cents(expected),
    );
  },
);

test("a settlement between two different foreign currencies is refused", () => {
  expect(() =>
    bankAmount(cents("1"), { document: "EUR", bank: "USD", base: "NZD" }, rate("0.6")),
  ).toThrow(expect.objectContaining({ code: "Currency" }));
});
