/** Entries of any number of postings as rows of two accounts. */
import { expect, test } from "vitest";
import { type DatevRow, type Leg, rowsOf } from "../../src/audit-files/datev/datev-rows.ts";
import { taxInside } from "../../src/ledger/money.ts";
import type { Cents, Percent } from "../../src/resources/decimal.ts";
import { fc, runs } from "../support/properties.ts";

const plain = { text: "", costCentres: [], isTaxAccount: false } as const;
const nineteen = 190_000 as Percent;

const leg = (account: string, amount: number, more: Partial<Leg> = {}): Leg => ({
  ...plain,
  account,
  amount,
  ...more,
});

/** What the rows move, with the tax that DATEV posts for keys. */
function moved(rows: readonly DatevRow[], automatic: Readonly<Record<string, string>> = {}) {
  const sums: Record<string, number> = {};
  const add = (account: string, amount: number) => {
    sums[account] = (sums[account] ?? 0) + amount;
  };
  for (const { amount, side, account, contra, taxKey } of rows) {
    expect(amount).toBeGreaterThan(0);
    const signed = side === "S" ? amount : -amount;
    const key = taxKey === "40" ? "" : taxKey || (automatic[contra] ?? "");
    const tax = key === "" ? 0 : taxInside(signed as Cents, nineteen);
    add(account, signed);
    add(contra, tax - signed);
    add("1776", -tax);
  }
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

function expected(legs: readonly Leg[]) {
  const sums: Record<string, number> = {};
  for (const { account, amount } of legs) sums[account] = (sums[account] ?? 0) + amount;
  return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0));
}

test("a sale with a posting key becomes one gross row, and DATEV computes its tax", () => {
  const tax = { key: "3", rate: nineteen, amount: -1900, account: "1776" };
  const legs = [
    leg("1400", 11_900),
    leg("8200", -10_000, { tax }),
    leg("1776", -1900, { isTaxAccount: true }),
  ];
  expect(rowsOf(legs)).toEqual([
    expect.objectContaining({
      amount: 11_900,
      side: "S",
      account: "1400",
      contra: "8200",
      taxKey: "3",
    }),
  ]);
});

test("a tax that DATEV would round differently is exported net, each posting in its own row", () => {
  const tax = { key: "3", rate: nineteen, amount: -1901, account: "1776" };
  const legs = [
    leg("1400", 11_901),
    leg("8200", -10_000, { tax }),
    leg("1776", -1901, { isTaxAccount: true }),
  ];
  const rows = rowsOf(legs);
  expect(rows.map(({ amount, contra, taxKey }) => [amount, contra, taxKey])).toEqual([
    [10_000, "8200", ""],
    [1901, "1776", ""],
  ]);
  expect(moved(rows)).toEqual(expected(legs));
});

test("two lines with posting keys on opposite sides do not share a row", () => {
  const legs = [
    leg("3200", 10_000, { tax: { key: "9", rate: nineteen, amount: 1900, account: "1576" } }),
    leg("8200", -10_000, { tax: { key: "3", rate: nineteen, amount: -1900, account: "1776" } }),
  ];
  const rows = rowsOf(legs);
  expect(rows.map(({ taxKey }) => taxKey)).toEqual([""]);
  expect(moved(rows)).toEqual(expected(legs));
});

const size = fc.integer({ min: 1, max: 50_000 });

/** A document: lines with and without keys against one account, with their tax to the cent or off it. */
const entry = fc
  .record({
    lines: fc.array(
      fc.record({
        amount: fc.oneof(
          size,
          size.map((each) => -each),
        ),
        isKeyed: fc.boolean(),
        isAutomatic: fc.boolean(),
        off: fc.constantFrom(0, 0, 0, 0, 1),
      }),
      { minLength: 1, maxLength: 8 },
    ),
    side: fc.constantFrom(1, -1),
  })
  .map(({ lines, side }) => {
    const legs = lines.map(({ amount, isKeyed, isAutomatic, off }, at) => {
      const tax = Math.round((amount * 19) / 100) + off;
      const automatic = isAutomatic ? "own" : undefined;
      return leg(String(8000 + at), side * amount, {
        automatic,
        ...(isKeyed
          ? { tax: { key: "3", rate: nineteen, amount: side * tax, account: "1776" } }
          : {}),
      });
    });
    const taxes = legs.reduce((sum, { tax }) => sum + (tax?.amount ?? 0), 0);
    const nets = legs.reduce((sum, { amount }) => sum + amount, 0);
    return [
      leg("1400", -nets - taxes),
      ...legs,
      ...(taxes === 0 ? [] : [leg("1776", taxes, { isTaxAccount: true })]),
    ];
  });

test("the DATEV rows of any entry, with the tax that DATEV computes, move the same amounts as its postings", () => {
  fc.assert(
    fc.property(entry, (legs) => {
      const automatic = Object.fromEntries(
        legs.flatMap(({ account, automatic }) => (automatic === undefined ? [] : [[account, "3"]])),
      );
      expect(moved(rowsOf(legs.filter(({ amount }) => amount !== 0)), automatic)).toEqual(
        expected(legs),
      );
    }),
    { numRuns: runs(4000) },
  );
});
