/** Tax types in the boxes of returns: which stand where, and what is said of those that stand nowhere. */
import { expect, test } from "vitest";
import type { Percent } from "../../src/ledger/money.ts";
import {
  boxTotals,
  fillReturn,
  grossOf,
  remarkLines,
  type TaxedSum,
  type Treatments,
  taxOf,
} from "../../src/ledger/reports/tax/returns/form.ts";
import { returnForms } from "../../src/ledger/reports/tax/returns/index.ts";
import { type ReturnType, returnTypes } from "../../src/resources/tax-report.ts";
import { moneyValue } from "../../src/wire/report.ts";
import { cents } from "./amounts.ts";

const percent = (rate: number) => rate as Percent;

const sumOf = (taxType: string, net: string, tax: string, more: Partial<TaxedSum> = {}) => ({
  taxType,
  name: `Rate ${taxType}`,
  reportTaxType: undefined,
  rate: percent(90_000),
  displayRate: percent(90_000),
  components: new Map(),
  accountClass: "EXPENSE",
  source: undefined,
  side: undefined,
  isEntered: false,
  isLess: false,
  isLate: false,
  notReclaimed: cents("0"),
  reverseTax: cents("0"),
  net: cents(net),
  tax: cents(tax),
  ...more,
});

const treatments: Treatments = {
  INPUTY24: { side: "purchases", boxes: { 5: grossOf, 7: taxOf } },
  "INPUTY24 ASSET": { side: "purchases", boxes: { 9: grossOf } },
  OUTPUTY24: { side: "sales", boxes: { 1: grossOf } },
  NONE: { side: "purchases", boxes: {} },
};

test("a standard tax rate finds its tax return box by its tax type, a custom rate by its report type", () => {
  const inBox = boxTotals({ treatments }, [
    sumOf("INPUTY24", "100.00", "9.00"),
    sumOf("TAX001", "10.00", "0.90", { reportTaxType: "INPUTY24" }),
    sumOf("INPUTY24", "50.00", "4.50", { accountClass: "ASSET" }),
    sumOf("OUTPUTY24", "-200.00", "-18.00", { accountClass: "REVENUE" }),
  ]);
  const shown = ["1", "5", "7", "9", "13"].map((box) => inBox(box));
  expect(shown).toEqual(["218.00", "119.90", "9.90", "54.50", "0"].map(cents));
});

test("tax amounts that fit no box of the return are reported, except those left out on purpose", () => {
  const sums = [
    sumOf("OSOUTPUT", "-30.00", "0.00", { accountClass: "REVENUE" }),
    sumOf("NRINPUT", "20.00", "1.00"),
    sumOf("NRINPUT", "5.00", "0.00", { accountClass: "ASSET" }),
    sumOf("NONE", "7.00", "0.00"),
    sumOf("NONE", "7.00", "0.00", { isLate: true }),
    sumOf("OUTPUTY24", "-10.00", "-0.90", { isLate: true }),
  ];
  expect(remarkLines({ treatments }, sums).map(([id, , value]) => [id, value])).toEqual([
    ["Late net OUTPUTY24", cents("10.00")],
    ["Late tax OUTPUTY24", cents("0.90")],
    ["Unmapped net OSOUTPUT", cents("30.00")],
    ["Unmapped tax OSOUTPUT", cents("0.00")],
    ["Unmapped net NRINPUT", cents("25.00")],
    ["Unmapped tax NRINPUT", cents("1.00")],
  ]);
});

test.each(returnTypes.filter((type) => type !== "GSTHSTReturn"))(
  "the filled tax return form of %s lists the tax amounts that fit none of its boxes",
  (type: ReturnType) => {
    const { fields } = fillReturn(returnForms[type], {
      registration: "",
      basis: "accrual",
      range: { from: "2026-03-01", to: "2026-03-31" },
      currency: "NZD",
      sums: [sumOf("OLDTAX", "12.00", "0.00", { rate: percent(0) })],
      ledger: { revenue: cents("0"), exchangeGain: cents("0") },
      entered: new Map(),
    });
    expect(fields.slice(-2).map(({ Description, Value }) => [Description, Value])).toEqual([
      ["In no box: net at Rate OLDTAX", moneyValue(1200)],
      ["In no box: tax at Rate OLDTAX", moneyValue(0)],
    ]);
  },
);
