import { describe, expect, test } from "vitest";
import { type Cents, type Percent, sum } from "../../src/ledger/money.ts";
import {
  type Component,
  canApply,
  canApplyOf,
  componentTaxes,
  effectiveRate,
  lineTax,
  nonRecoverableInside,
  nonRecoverableShare,
  taxAccountRefusal,
} from "../../src/ledger/tax.ts";
import { fc } from "../support/properties.ts";
import { cents, percent } from "./amounts.ts";

const simple = (rate: string): Component => ({ Rate: percent(rate) });
const compound = (rate: string): Component => ({ Rate: percent(rate), IsCompound: true });
const lost = (rate: string): Component => ({ Rate: percent(rate), IsNonRecoverable: true });

describe("the effective rate of a tax rate", () => {
  test.each<[string, Component[], string]>([
    ["none", [], "0"],
    ["one", [simple("15")], "15"],
    ["two", [simple("5"), simple("7")], "12"],
    ["simple 5 and compound 9.5", [simple("5"), compound("9.5")], "14.975"],
    ["the compound one first", [compound("9.5"), simple("5")], "14.975"],
    ["two simple and a compound", [simple("2"), simple("3"), compound("9.5")], "14.975"],
    ["a compound alone", [compound("9.5")], "9.5"],
    ["more than four decimals", [simple("0.5"), compound("0.0099")], "0.5099"],
  ])(
    "the effective rate adds a tax rate's components, compound ones on top of the others: %s",
    (_name, components, expected) => {
      expect(effectiveRate(components)).toBe(percent(expected));
    },
  );

  test("a tax rate with two compound components is refused", () => {
    expect(() => effectiveRate([compound("5"), compound("9.5")])).toThrow(
      expect.objectContaining({ code: "TaxComponents" }),
    );
  });
});

describe("taxes of a rate's components", () => {
  test.each<[string, string, Component[], string[]]>([
    ["one takes all", "9.00", [simple("15")], ["9.00"]],
    ["by rate", "12.00", [simple("5"), simple("7")], ["5.00", "7.00"]],
    [
      "the last takes the remainder",
      "0.10",
      [simple("1"), simple("1"), simple("1")],
      ["0.03", "0.03", "0.04"],
    ],
    ["compound", "14.98", [simple("5"), compound("9.5")], ["5.00", "9.98"]],
    ["a credit", "-12.00", [simple("5"), simple("7")], ["-5.00", "-7.00"]],
    [
      "a tax that was sent with a rate of zero",
      "1.00",
      [simple("0"), simple("0")],
      ["0.00", "1.00"],
    ],
    ["no components", "0.00", [], []],
  ])(
    `the tax of a line is divided among its rate's components, the last taking the remainder: %s`,
    (_name, tax, components, parts) => {
      expect(componentTaxes(cents(tax), components)).toEqual(parts.map(cents));
    },
  );

  test("the taxes of a rate's components sum to the tax of the line", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(10 ** 12), max: 10 ** 12 }),
        fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 1, maxLength: 5 }),
        fc.boolean(),
        (tax, rates, last) => {
          const components = rates.map((Rate, index) => ({
            Rate: Rate as Percent,
            IsCompound: last && index === rates.length - 1,
          }));
          expect(sum(componentTaxes(tax as Cents, components))).toBe(tax);
        },
      ),
    );
  });
});

describe("non-recoverable tax", () => {
  test.each<[string, string, Component[], string]>([
    ["none", "12.00", [simple("5"), simple("7")], "0.00"],
    ["the provincial part", "12.00", [simple("5"), lost("7")], "7.00"],
    ["of a credit", "-12.00", [simple("5"), lost("7")], "-7.00"],
    ["all", "0.07", [lost("5"), lost("7")], "0.07"],
  ])(
    `the non-recoverable share of a line's tax is the tax of the non-recoverable components: %s`,
    (_name, tax, components, expected) => {
      expect(nonRecoverableShare(cents(tax), components)).toBe(cents(expected));
    },
  );
});

const named = (one: Component) => ({
  ...{ IsCompound: false, IsNonRecoverable: false, Name: "Tax" },
  ...(one as Required<Component>),
});

test("non-recoverable tax is computed from a posted line as it was before posting", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.constantFrom(
        [simple("5"), lost("7")],
        [lost("7"), simple("5")],
        [lost("9")],
        [simple("5"), lost("6"), lost("1.5")],
        [simple("5"), { ...lost("9.975"), IsCompound: true }],
      ),
      (net, TaxComponents) => {
        const EffectiveRate = effectiveRate(TaxComponents);
        const tax = lineTax(net as Cents, EffectiveRate, "Exclusive");
        const kept = nonRecoverableShare(tax, TaxComponents);
        const rate = {
          EffectiveRate,
          DisplayTaxRate: EffectiveRate,
          TaxComponents: TaxComponents.map(named),
        };
        const found = nonRecoverableInside((net + kept) as Cents, (tax - kept) as Cents, rate);
        expect(found).toBe(kept);
      },
    ),
  );
  const entered = {
    EffectiveRate: percent("12"),
    DisplayTaxRate: percent("12"),
    TaxComponents: [simple("5"), lost("7")],
  };
  const rate = {
    ...entered,
    TaxComponents: entered.TaxComponents.map(named),
  };
  // 20.00 of tax entered on 100.00.
  expect(nonRecoverableInside(cents("111.67"), cents("8.33"), rate)).toBe(cents("11.66"));
});

describe("the tax of a line", () => {
  test.each([
    ["Exclusive", "59.97", "15", "9.00"],
    ["Inclusive", "59.97", "15", "7.82"],
    ["NoTax", "59.97", "15", "0.00"],
    ["Exclusive", "59.97", undefined, "0.00"],
  ] as const)(
    "the tax of a line with %s amount %s at rate %s is %s",
    (types, amount, rate, expected) => {
      const percentage = rate === undefined ? undefined : percent(rate);
      expect(lineTax(cents(amount), percentage, types)).toBe(cents(expected));
    },
  );
});

describe("account classes allowed for a tax rate", () => {
  const classes = ["ASSET", "EQUITY", "EXPENSE", "LIABILITY", "REVENUE"] as const;

  test.each([
    ["INPUT", "TTTTF"],
    ["OUTPUT", "TTFTT"],
    ["EXEMPTOUTPUT", "TTTTT"],
    [undefined, "TTTTT"],
  ])(
    "a custom tax rate reported as %s is allowed for assets, equity, expenses, liabilities, revenue as %s (T or F)",
    (reportTaxType, expected) => {
      const flags = canApplyOf(reportTaxType);
      expect(classes.map((each) => (canApply(flags, each) ? "T" : "F")).join("")).toBe(expected);
    },
  );

  test("the refusal of a tax rate on an account has the wording of the service document", () => {
    expect(taxAccountRefusal("OUTPUT2", "400")).toBe(
      "The TaxType code 'OUTPUT2' cannot be used with account code '400'.",
    );
  });
});
