import { describe, expect, test } from "vitest";
import { readNumber, readTyped } from "../../../src/cli/values/read-number.ts";
import { amount, marksOf } from "../../../src/output/figures.ts";
import { type Cents, writeDecimal } from "../../../src/resources/decimal.ts";
import { fc } from "../../support/properties.ts";

describe("a typed number", () => {
  test.each<[text: string, decimal: "." | "," | undefined, expected: string | undefined]>([
    ["1234.56", undefined, "1234.56"],
    ["1,234.56", undefined, "1234.56"],
    ["1,234,567", undefined, "1234567"],
    ["-1,234.50", undefined, "-1234.50"],
    ["+7", undefined, "7"],
    ["\u221212.5", undefined, "-12.5"],
    ["(1,234.50)", undefined, "-1234.50"],
    [" 0012 ", undefined, "12"],
    [".5", undefined, "0.5"],
    ["-0.00", undefined, "0.00"],
    ["1 234.56", undefined, "1234.56"],
    ["1\u00a0234\u00a0567.8", undefined, "1234567.8"],
    ["1\u202f234", undefined, "1234"],
    ["1'234.50", undefined, "1234.50"],
    ["1,234", ".", "1234"],
    ["1.234", ",", "1234"],
    ["1.234,56", ",", "1234.56"],
    ["1 234,56", ",", "1234.56"],
    ["1234,56", ",", "1234.56"],
    ["-,5", ",", "-0.5"],
    ["12345678901234567890,12", ",", "12345678901234567890.12"],

    ["1,234", undefined, undefined], // one thousand here, one and a bit there
    ["1,5", undefined, undefined],
    ["1,234.56", ",", undefined],
    ["1.50", ",", undefined],
    ["1.234.56", ",", undefined],
    ["1,23,456.00", undefined, undefined],
    ["1,234 567", undefined, undefined],
    ["1234,567.00", undefined, undefined],
    ["12.", undefined, undefined],
    ["1.2.3", undefined, undefined],
    ["1.5E+05", undefined, undefined],
    ["1e3", undefined, undefined],
    ["0x10", undefined, undefined],
    ["$12", undefined, undefined],
    ["12-", undefined, undefined],
    ["- 12", undefined, undefined],
    ["--1", undefined, undefined],
    ["(12", undefined, undefined],
    ["12)", undefined, undefined],
    ["(-12)", undefined, undefined],
    ["NaN", undefined, undefined],
    ["١٢", undefined, undefined],
    ["-", undefined, undefined],
    [".", undefined, undefined],
    ["()", undefined, undefined],
    ["", undefined, undefined],
    ["1".repeat(65), undefined, undefined],
  ])("the number %j with the decimal mark %s is read as %s", (text, decimal, expected) => {
    expect(readNumber(text, { decimal })).toBe(expected);
  });

  test.each([
    ["1,234.50", "1234.50"],
    ["12,50", "12.50"],
    ["-1,5", undefined],
    ["(12,50)", "-12.50"],
    ["1.234,50", "1234.50"],
    ["1\u00a0234,50", "1234.50"],
    ["1 234,567", "1234.567"],
    ["1'234.50", "1234.50"],
    ["12,3456", undefined],
    ["1,234", undefined],
    ["(1,234)", undefined],
    ["1,234,567", "1234567"],
    ["1.234.56", undefined],
    ["1,23,456.00", undefined],
  ])("the typed number %j is read as %s", (text, expected) => {
    expect(readTyped(text)).toBe(expected);
  });

  test.each(["NZ", "ZA", "DE", "FR", "CH"])(
    "any number as shown on a terminal in %s is read back",
    (country) => {
      fc.assert(
        fc.property(fc.maxSafeInteger(), (cents) => {
          const shown = amount(cents as Cents, "NZD", marksOf(country, "-"));
          expect(readTyped(shown)).toBe(writeDecimal(cents, 2));
        }),
      );
    },
  );

  test("a number is read alike with any thousands and decimal marks", () => {
    const amounts = fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n });
    const styles = fc.constantFrom(
      [".", ","],
      [",", "."],
      [".", " "],
      [",", "'"],
      [",", "\u202f"],
    ) as fc.Arbitrary<[".", string] | [",", string]>;
    fc.assert(
      fc.property(amounts, styles, fc.boolean(), (amount, [decimal, mark], parenthesised) => {
        const digits = String(amount < 0n ? -amount : amount).padStart(3, "0");
        const whole = digits.slice(0, -2);
        const plain = `${amount < 0n ? "-" : ""}${whole}.${digits.slice(-2)}`;
        const grouped = whole.replace(/\B(?=(\d{3})+$)/g, mark);
        const body = `${grouped}${decimal}${digits.slice(-2)}`;
        const text = amount >= 0n ? body : parenthesised ? `(${body})` : `-${body}`;
        expect(readNumber(text, { decimal })).toBe(plain);
      }),
    );
  });
});
