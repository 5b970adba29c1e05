import { describe, expect, test } from "vitest";
import {
  completeLine,
  documentTotals,
  isDescriptionOnly,
  type Line,
  type LineContext,
  lineNet,
} from "../../src/ledger/documents/totals.ts";
import type { Cents, Percent, Quantity, UnitAmount } from "../../src/ledger/money.ts";
import { lineAmountTypes } from "../../src/resources/common.ts";
import { fc } from "../support/properties.ts";
import { cents, percent, quantity, unit } from "./amounts.ts";

const context: LineContext = {
  types: "Exclusive",
  rate: percent("15"),
  unitDecimals: 2,
  discounts: true,
};

/** A line written as `Quantity`, `UnitAmount`, `LineAmount`, `TaxAmount`; empty is not sent. */
function line(q: string, u: string, amount = "", tax = "", discount = ""): Line {
  return {
    ...(q && { Quantity: quantity(q) }),
    ...(u && { UnitAmount: unit(u) }),
    ...(amount && { LineAmount: cents(amount) }),
    ...(tax && { TaxAmount: cents(tax) }),
    ...(discount.endsWith("%") && { DiscountRate: percent(discount.slice(0, -1)) }),
    ...(/\d$/.test(discount) && { DiscountAmount: cents(discount) }),
  };
}

function completed(sent: Line, changes: Partial<LineContext> = {}): Line {
  const { line: made, faults } = completeLine(sent, { ...context, ...changes });
  expect(faults).toEqual([]);
  return made;
}

function faultsOf(sent: Line, changes: Partial<LineContext> = {}): readonly string[] {
  const { line: made, faults } = completeLine(sent, { ...context, ...changes });
  expect(made).toBe(sent);
  return faults.map(({ message }) => message);
}

describe("quantity, unit price and line amount", () => {
  test.each([
    ["quantity and price", line("3", "19.99"), line("3", "19.99", "59.97", "9.00")],
    ["a price alone is of one", line("", "19.99"), line("1", "19.99", "19.99", "3.00")],
    ["an amount alone is of one", line("", "", "59.97"), line("1", "59.97", "59.97", "9.00")],
    ["amount and quantity", line("3", "", "59.97"), line("3", "19.99", "59.97", "9.00")],
    ["amount and price", line("", "19.99", "59.97"), line("3", "19.99", "59.97", "9.00")],
    [
      "an amount that does not divide",
      line("3", "", "10.00"),
      line("3", "3.3333", "10.00", "1.50"),
    ],
    [
      "an amount that no price makes",
      line("30000", "", "1000000.00"),
      line("30000", "33.3333", "1000000.00", "150000.00"),
    ],
    ["all three", line("3", "19.99", "59.97"), line("3", "19.99", "59.97", "9.00")],
    ["a negative line", line("-1", "19.99"), line("-1", "19.99", "-19.99", "-3.00")],
    ["a free line", line("2", "0", "0.00"), line("2", "0", "0.00", "0.00")],
    ["a price of three decimals", line("100", "0.125"), line("100", "0.13", "13.00", "1.95")],
    ["a tax that was sent", line("3", "19.99", "", "8.99"), line("3", "19.99", "59.97", "8.99")],
  ])(
    'an invoice line completes its missing quantity, price or amount, case "%s"',
    (_name, sent, expected) => {
      expect(completed(sent)).toEqual(expected);
    },
  );

  test("an invoice line with a quantity but no price has no line amount", () => {
    expect(completed(line("3", ""))).toEqual({
      Quantity: quantity("3"),
      UnitAmount: undefined,
      LineAmount: 0,
      TaxAmount: 0,
    });
  });

  test("unit prices keep four decimals when the request asks for it", () => {
    const sent = line("100", "0.1255");
    expect(completed(sent, { unitDecimals: 4 })).toEqual(line("100", "0.1255", "12.55", "1.88"));
  });

  test("completing an edited document line again changes no digit of its price and amount", () => {
    const kept = line("100", "0.1255", "12.55");
    expect(completed(kept)).toMatchObject({
      UnitAmount: unit("0.1255"),
      LineAmount: cents("12.55"),
    });
    const again = completed(line("3", "", "10.00"));
    expect(completed(again)).toEqual(again);
    const large = completed(line("30000", "", "1000000.00"));
    expect(completed(large)).toEqual(large);
  });

  test("a unit price sent back rounded to two decimals keeps its stored four decimals", () => {
    const stored = unit("3.3333");
    expect(completed(line("3", "3.33", "10.00"), { stored }).UnitAmount).toBe(stored);
    expect(completed(line("3", "3.33", "9.99"), { stored }).UnitAmount).toBe(unit("3.33"));
    expect(completed(line("3", "3.33"), { stored }).LineAmount).toBe(cents("9.99"));
    expect(completed(line("200", "0.1255"), { stored: unit("0.1255") }).LineAmount).toBe(
      cents("25.10"),
    );
    expect(faultsOf(line("3", "3.33", "10.00"))).toHaveLength(1);
  });
});

describe("the tax of a line", () => {
  test.each([
    ["Exclusive", "9.00"],
    ["Inclusive", "7.82"],
    ["NoTax", "0.00"],
  ] as const)("the tax of an invoice line with %s amounts is %s", (types, tax) => {
    expect(completed(line("3", "19.99"), { types }).TaxAmount).toBe(cents(tax));
  });

  test("an invoice line without a tax rate has no tax", () => {
    expect(completed(line("3", "19.99"), { rate: undefined }).TaxAmount).toBe(0);
  });

  test("an invoice with amounts of type NoTax has no tax, even if a tax amount was sent", () => {
    expect(completed(line("3", "19.99", "", "8.99"), { types: "NoTax" }).TaxAmount).toBe(0);
  });
});

describe("discounts", () => {
  test.each([
    ["a rate", line("3", "20.00", "", "", "10%"), "54.00", "6.00"],
    ["an amount", line("3", "20.00", "", "", "7.50"), "52.50", "7.50"],
    ["the whole line", line("3", "20.00", "", "", "60.00"), "0.00", "60.00"],
    ["all of it", line("3", "20.00", "", "", "100%"), "0.00", "60.00"],
    ["of a negative line", line("-3", "20.00", "", "", "-6.00"), "-54.00", "-6.00"],
    ["with the amount it leaves", line("3", "20.00", "54.00", "", "10%"), "54.00", "6.00"],
    ["the price it implies", line("3", "", "54.00", "", "10%"), "54.00", "6.00"],
    ["the price an amount implies", line("3", "", "52.50", "", "7.50"), "52.50", "7.50"],
    [
      "both, agreeing",
      { ...line("3", "20.00", "", "", "10%"), DiscountAmount: cents("6.00") },
      "54.00",
      "6.00",
    ],
  ])(
    'an invoice line with a discount computes its line amount and discount, case "%s"',
    (_name, sent, amount, discount) => {
      const made = completed(sent);
      expect(made.LineAmount).toBe(cents(amount));
      expect(made.UnitAmount).toBe(unit("20.00"));
      expect(documentTotals([made], "Exclusive").TotalDiscount).toBe(cents(discount));
    },
  );
});

describe("refused line amounts", () => {
  const both = "A line can have a DiscountRate or a DiscountAmount, not both";
  const between = "The DiscountAmount must be between zero and the undiscounted line amount";
  const large = "The line amount must not be larger than 9999999999.99";
  const dear = "The UnitAmount must not be larger than 900719925474.09";

  test.each([
    [
      "a total that does not match",
      line("2", "6.00", "10.00"),
      "The line total 10.00 does not match the expected line total 12.00",
    ],
    [
      "a total a cent off",
      line("3", "19.99", "59.98"),
      "The line total 59.98 does not match the expected line total 59.97",
    ],
    [
      "an amount of nothing",
      line("0", "", "10.00"),
      "The line total 10.00 does not match the expected line total 0.00",
    ],
    [
      "an amount at no price",
      line("", "0", "10.00"),
      "The line total 10.00 does not match the expected line total 0.00",
    ],
    [
      "a rate above 100",
      line("1", "1.00", "", "", "101%"),
      "The DiscountRate must be between 0 and 100",
    ],
    [
      "a negative rate",
      line("1", "1.00", "", "", "-1%"),
      "The DiscountRate must be between 0 and 100",
    ],
    ["both discounts", { ...line("1", "10.00", "", "", "10%"), DiscountAmount: cents("2") }, both],
    ["a discount above the line", line("1", "10.00", "", "", "10.01"), between],
    ["a negative discount", line("1", "10.00", "", "", "-0.01"), between],
    ["a line too large", line("1000000", "10000.00"), large],
    ["a line far too large", line("9999999999", "9999999999.99"), large],
    ["an amount too large", line("", "", "10000000000.00"), large],
    ["none at a price that cannot be rounded", line("0", "900719925474.095"), dear],
    ["none at as large a price below zero", line("0", "-900719925474.095"), dear],
  ])(
    'an invoice line with wrong amounts is refused with its message, case "%s"',
    (_name, sent, message) => {
      expect(faultsOf(sent)).toEqual([message]);
    },
  );

  test("an invoice line with the largest unit price and a quantity of zero is accepted", () => {
    expect(completed(line("0", "900719925474.09")).UnitAmount).toBe(9007199254740900);
  });

  test("an invoice line with the largest line amount is accepted", () => {
    expect(completed(line("1", "9999999999.99")).LineAmount).toBe(cents("9999999999.99"));
  });

  test("a discount is refused on a document type that has no discounts", () => {
    const message = "A discount can be given on sales invoices only";
    expect(faultsOf(line("1", "1", "", "", "10%"), { discounts: false })).toEqual([message]);
    expect(faultsOf(line("1", "1", "", "", "0.10"), { discounts: false })).toEqual([message]);
    expect(completed(line("1", "1", "", "", "0%"), { discounts: false }).LineAmount).toBe(100);
  });
});

describe("a line with a description only", () => {
  const text = { Description: "Thank you for your custom." };

  test.each<[string, Line, boolean]>([
    ["a description", text as Line, true],
    ["zeros count as nothing", { ...text, ...line("0", "0", "0.00", "0.00") } as Line, true],
    ["nothing at all", {}, true],
    ["an account", { ...text, AccountCode: "200" } as Line, false],
    ["an item", { ...text, ItemCode: "CLAY" } as Line, false],
    ["a quantity", { ...text, ...line("1", "") } as Line, false],
    ["a tax", { ...text, ...line("", "", "", "1.00") } as Line, false],
  ])(
    'an invoice line counts as only a description if it has no account, item, quantity and tax: case "%s"',
    (_name, sent, expected) => {
      expect(isDescriptionOnly(sent)).toBe(expected);
      if (expected) expect(completeLine(sent, context).line).toBe(sent);
    },
  );
});

describe("totals of a document", () => {
  const sales = [line("3", "19.99"), line("1", "7.45"), line("1", "0.33")];
  const totalsOf = (types: LineContext["types"]) =>
    documentTotals(
      sales.map((each) => completed(each, { types })),
      types,
    );

  test.each([
    // tax on the sum would be 10.16
    ["Exclusive", "67.75", "10.17", "77.92"],
    ["Inclusive", "58.92", "8.83", "67.75"],
    ["NoTax", "67.75", "0.00", "67.75"],
  ] as const)(
    "with %s amounts, the total tax of a document is the sum of the rounded taxes of its lines",
    (types, subTotal, tax, total) => {
      expect(totalsOf(types)).toEqual({
        SubTotal: cents(subTotal),
        TotalTax: cents(tax),
        Total: cents(total),
        TotalDiscount: 0,
      });
    },
  );

  test("the net amount of a line excludes its tax", () => {
    const inclusive = completed(line("3", "19.99"), { types: "Inclusive" });
    expect(lineNet(inclusive, "Inclusive")).toBe(cents("52.15"));
    expect(lineNet(completed(line("3", "19.99")), "Exclusive")).toBe(cents("59.97"));
    expect(lineNet({}, "Exclusive")).toBe(0);
  });

  test("the Total of a document is SubTotal plus TotalTax, and SubTotal is the sum of net line amounts", () => {
    const someLine = fc.record({
      Quantity: fc.integer({ min: -1_000_000, max: 1_000_000 }),
      UnitAmount: fc.integer({ min: -10_000_000, max: 10_000_000 }),
      DiscountRate: fc.option(fc.integer({ min: 0, max: 1_000_000 }), { nil: undefined }),
      TaxAmount: fc.option(fc.integer({ min: -10_000, max: 10_000 }), { nil: undefined }),
    });
    fc.assert(
      fc.property(
        fc.array(someLine, { maxLength: 12 }),
        fc.constantFrom(...lineAmountTypes),
        fc.integer({ min: 0, max: 300_000 }),
        (lines, types, rate) => {
          const made = lines.map((each) =>
            completed(
              {
                Quantity: each.Quantity as Quantity,
                UnitAmount: each.UnitAmount as UnitAmount,
                DiscountRate: each.DiscountRate as Percent | undefined,
                TaxAmount: each.TaxAmount as Cents | undefined,
              },
              { types, rate: rate as Percent, unitDecimals: 4 },
            ),
          );
          const { SubTotal, TotalTax, Total } = documentTotals(made, types);
          expect(Total).toBe(SubTotal + TotalTax);
          expect(made.reduce((all, each) => all + lineNet(each, types), 0)).toBe(SubTotal);
        },
      ),
    );
  });
});
