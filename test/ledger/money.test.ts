import { describe, expect, test } from "vitest";
import {
  add,
  baseRate,
  type Cents,
  fromBase,
  lineAmount,
  missingFactor,
  type Percent,
  percentOf,
  type Quantity,
  type Rate,
  sum,
  taxInside,
  toBase,
  type UnitAmount,
} from "../../src/ledger/money.ts";
import { RefusedError } from "../../src/resources/errors.ts";
import { fc } from "../support/properties.ts";
import { cents, exchange, percent, quantity, rate, unit } from "./amounts.ts";

describe("line amounts", () => {
  test.each([
    ["3", "19.99", "0", "59.97"],
    ["1", "7.45", "0", "7.45"],
    ["0.5", "0.01", "0", "0.01"],
    ["-0.5", "0.01", "0", "-0.01"],
    ["0.4999", "0.01", "0", "0.00"],
    ["3", "3.3333", "0", "10.00"],
    ["1", "100.00", "33.3333", "66.67"],
    ["1", "0.01", "50", "0.01"],
    ["2", "10.00", "100", "0.00"],
    ["-2", "10.00", "12.5", "-17.50"],
    ["9999999.9999", "999.9999", "0", "9999998999.90"],
    // 0.145 of a cent after the discount alone, 0.5 before it: rounded once, not twice
    ["0.5", "0.01", "71", "0.00"],
    // beyond 2^53 in one step
    ["1234567.1234", "4321.4321", "12.3456", "4676448138.39"],
  ])(
    "a line of quantity %s at unit price %s with a discount of %s %% has the line amount %s",
    (q, u, d, expected) => {
      expect(lineAmount(quantity(q), unit(u), percent(d))).toBe(cents(expected));
    },
  );

  test("a line amount beyond the limit is refused", () => {
    expect(() => lineAmount(quantity("900000000000"), unit("900000000000"))).toThrow(RefusedError);
  });

  test("a line amount is the exact product, rounded half away from zero", () => {
    const small = fc.integer({ min: -99_999_999, max: 99_999_999 });
    const rates = fc.integer({ min: 0, max: 1_000_000 });
    fc.assert(
      fc.property(small, small, rates, (q, u, d) => {
        const exact = BigInt(q) * BigInt(u) * BigInt(1_000_000 - d);
        const got = BigInt(lineAmount(q as Quantity, u as UnitAmount, d as Percent));
        const off = 2n * (got * 10n ** 12n - exact);
        const away = exact < 0n ? -off : off;
        expect(away > -(10n ** 12n) && away <= 10n ** 12n).toBe(true);
      }),
    );
  });
});

describe("unit prices computed from a line amount", () => {
  test.each([
    ["10.00", "3", "0", "3.3333"],
    ["-10.00", "3", "0", "-3.3333"],
    ["10.00", "-4", "0", "-2.5"],
    ["90.00", "2", "10", "50"],
  ])(
    "the unit price of a line of %s for %s items with a discount of %s %% is %s",
    (amount, factor, discount, expected) => {
      expect(missingFactor(cents(amount), quantity(factor), percent(discount))).toBe(
        unit(expected),
      );
    },
  );

  test("a unit price beyond the limit is refused", () => {
    const [most, least] = [cents("9999999999.99"), quantity("0.0001")];
    expect(missingFactor(most, least)).toBe(999_999_999_999_000_000n);
    expect(() => missingFactor(most, least, 999_999 as Percent)).toThrow(RefusedError);
  });
});

describe("taxes in percent", () => {
  test.each([
    ["59.97", "15", "9.00", "7.82"],
    ["7.45", "15", "1.12", "0.97"],
    ["0.33", "15", "0.05", "0.04"],
    ["-7.45", "15", "-1.12", "-0.97"],
    ["0.10", "5", "0.01", "0.00"],
    ["100.00", "14.975", "14.98", "13.02"],
    ["100.00", "0", "0.00", "0.00"],
    ["90071992547409.91", "15", "13510798882111.49", "11748520767053.47"],
  ])(
    "the tax on %s at %s %% is %s when exclusive, %s when inclusive",
    (amount, percentage, onTop, inside) => {
      expect(percentOf(cents(amount), percent(percentage))).toBe(cents(onTop));
      expect(taxInside(cents(amount), percent(percentage))).toBe(cents(inside));
    },
  );
});

describe("sums of amounts", () => {
  test("the sum of no amounts is zero", () => expect(sum([])).toBe(0));

  test("a sum of amounts beyond the limit is refused", () => {
    const most = Number.MAX_SAFE_INTEGER as Cents;
    expect(() => add(most, 1 as Cents)).toThrow(expect.objectContaining({ code: "Overflow" }));
    expect(() => sum([most, most, -most as Cents])).toThrow(RefusedError);
  });
});

describe("conversion of currencies", () => {
  test.each([
    ["615.30", "0.6153", "1000.00"],
    ["615.30", "0.6", "1025.50"],
    ["307.65", "0.59", "521.44"],
    ["-307.65", "0.59", "-521.44"],
    ["0.01", "150", "0.00"],
    ["0.01", "0.000001", "10000.00"],
  ])(
    "the foreign amount %s at the exchange rate %s is %s in base currency",
    (amount, foreignPerBase, expected) => {
      expect(toBase(cents(amount), exchange(foreignPerBase))).toBe(cents(expected));
    },
  );

  test("an amount in the base currency is unchanged", () => {
    expect(toBase(cents("1.23"), { rate: baseRate, smallest: 1 })).toBe(123);
    expect(fromBase(cents("1.23"), baseRate, 1)).toBe(123);
  });

  test("a base amount converts to the foreign amount", () => {
    expect(fromBase(cents("1000.00"), rate("0.6153"), 1)).toBe(cents("615.30"));
  });

  test.each([0, -1, Number.NaN])("an exchange rate of %s is refused", (bad) => {
    const refusal = expect.objectContaining({ code: "CurrencyRate" });
    expect(() => toBase(cents("1"), { rate: bad as Rate, smallest: 1 })).toThrow(refusal);
    expect(() => fromBase(cents("1"), bad as Rate, 1)).toThrow(refusal);
  });
});
