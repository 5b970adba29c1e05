import { expect, test } from "vitest";
import { markOf } from "../../src/output/documents/printed-kinds.ts";
import { tableOf } from "../../src/output/documents/printed-lines.ts";

const printed = (...units: number[]) => ({
  document: {
    LineItems: units.map((UnitAmount) => ({ Description: "Glaze", Quantity: 1_0000, UnitAmount })),
    LineAmountTypes: "NoTax",
    CurrencyCode: "NZD",
  } as never,
  organisation: { CountryCode: "NZ" } as never,
  rateByTaxType: new Map(),
});

test.each([
  [
    [64_0000, 23_1250],
    ["64.000", "23.125"],
  ],
  [
    [64_0000, 1234_5000],
    ["64.00", "1,234.50"],
  ],
])(
  "unit prices of a document have the decimal places of the longest, two at least: %j",
  (units, shown) => {
    const { columns, rows } = tableOf(printed(...units), false);
    const at = columns.findIndex(({ heading }) => heading === "Unit price");
    expect(rows.map((row) => row[at])).toEqual(shown);
  },
);

test("an invoice that is paid is marked so, a credit note that is used up is not", () => {
  expect(markOf({ Status: "PAID", AmountDue: 0 } as never)).toBe("PAID");
  expect(markOf({ Status: "PAID" } as never)).toBeUndefined();
  expect(markOf({ Status: "VOIDED", AmountDue: 0 } as never)).toBe("VOID");
});
