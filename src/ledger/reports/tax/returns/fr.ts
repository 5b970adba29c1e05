/**
 * The VAT return of France, form CA3, by the numbers of its lines.
 *
 * Every line is in whole euros, .50 up; sums are those of rounded lines. No line is below zero: where
 * credit notes are more than sales at a rate, the base goes to B5 and the tax to 21; exempt sales go
 * to F8, and deductions to 15.
 *
 * @source Direction générale des finances publiques, form 3310-CA3-SD; Code général des impôts,
 *   articles 256 to 298
 */
import { negated } from "../../report-rows.ts";
import {
  type Box,
  type BoxShare,
  boxTotals,
  difference,
  netOf,
  type ReturnForm,
  reverseTaxOf,
  sumOf,
  type TaxedSum,
  type Treatment,
  type Treatments,
  taxOf,
  usualHead,
} from "./form.ts";

type Boxes = Treatment["boxes"];
/** Boxes of a part of the form: `usual`, unless its amount is below zero. */
type Place = (part: string, amount: BoxShare, usual: Boxes, turned: Boxes) => Boxes;

const turnedBy =
  (share: BoxShare): BoxShare =>
  (each) =>
    negated(share(each));

/** The line of each rate, by the end of its tax types: of sales and purchases, and of imports. */
const rateLines = {
  20: ["08", "I1"],
  10: ["9B", "I2"],
  55: ["09", "I4"],
  21: ["T6", "I5"],
} as const;

/** A row for each rate of a tax type that has several. */
const atRates = (
  taxType: string,
  of: (line: string, importLine: string) => Treatment,
  end = "",
): [string, Treatment][] =>
  Object.entries(rateLines).map(([rate, [line, importLine]]) => [
    `${taxType}${rate}${end}`,
    of(line, importLine),
  ]);

/** The treatments, where `place` decides the boxes of a part. */
function treatmentsBy(place: Place): Treatments {
  /** A base with its tax: on the line of its kind, and on the line of its rate. */
  const taxed = (line: string, rate: string, tax: BoxShare, more: Boxes = {}) =>
    place(
      `${line} ${rate}`,
      netOf,
      { [line]: netOf, [rate]: netOf, [`${rate}T`]: tax, ...more },
      { B5: turnedBy(netOf), 21: turnedBy(tax) },
    );
  const untaxed = (line: string): Treatment => ({
    side: "sales",
    boxes: place(line, netOf, { [line]: netOf }, { F8: turnedBy(netOf) }),
    when: "invoice",
  });
  const deducted = (tax: BoxShare, line = "20") =>
    place(line, tax, { [line]: tax }, { 15: turnedBy(tax) });
  const purchase = (boxes: Boxes): Treatment => ({ side: "purchases", boxes, when: "invoice" });
  const input = purchase(deducted(taxOf));
  const capital = purchase(deducted(taxOf, "19"));
  const reversed = (line: string, rate: string, more: Boxes = {}, deduction = "20"): Treatment => ({
    ...purchase({
      ...taxed(line, rate, reverseTaxOf, more),
      ...deducted(reverseTaxOf, deduction),
    }),
    reverse: reverseTaxOf,
  });
  const acquired = { 17: reverseTaxOf };
  const sold = (rate: string): Treatment => ({ side: "sales", boxes: taxed("A1", rate, taxOf) });
  return {
    ...Object.fromEntries([
      ...atRates("OUTPUT", (rate) => ({ ...sold(rate), when: "invoice" })),
      ...atRates("OUTPUT", sold, "S"),
      ...atRates("INPUT", () => input),
      ...atRates("INPUT", () => ({ ...input, when: "payment" }), "S"),
      ...atRates("CAPEX", () => capital),
      ...atRates("INPUTBLOCKED", () => purchase({})),
      ...atRates("ECACQUISITIONS", (rate) => reversed("B2", rate, acquired)),
      ...atRates("REVERSESERVICES", (rate) => reversed("A3", rate)),
      ...atRates("REVERSECHARGE", (rate) => reversed("B4", rate)),
      ...atRates("DRCHARGESUPPLY", (rate) => reversed("A2", rate)),
      ...atRates("IMPORT", (_, line) => reversed("A4", line, { 24: reverseTaxOf })),
    ]),
    ECCAPEX20: reversed("B2", "08", acquired, "19"),
    FUEL20: input,
    EXPORT: untaxed("E1"),
    ECOUTPUTSERVICES: untaxed("E2"),
    OSOUTPUT: untaxed("E2"),
    EXEMPTOUTPUT: untaxed("E2"),
    DRCHARGE: untaxed("E2"),
    OSSOUTPUT: untaxed("E3"),
    ECOUTPUT: untaxed("F2"),
    FRANCHISE: { side: "sales", boxes: {} },
    EXEMPTINPUT: purchase({}),
    NONE: purchase({}),
  };
}

const treatments = treatmentsBy((_part, _amount, usual) => usual);

/** Treatments by the parts of the form, whose totals decide where their amounts go. */
const parts = treatmentsBy((part, amount) => ({ [`part ${part}`]: amount }));

function treatmentsFor(sums: readonly TaxedSum[]): Treatments {
  const total = boxTotals({ treatments: parts }, sums);
  return treatmentsBy((part, _amount, usual, turned) =>
    total(`part ${part}`) < 0 ? turned : usual,
  );
}

const line = (id: string, description: string): Box => ({ id, description });
const entered = (id: string, description: string): Box => ({ id, description, entered: true });
const base = (id: string, percent: string, what = "Taxable"): Box[] => [
  line(id, `${what} at ${percent} %`),
  line(`${id}T`, `Tax of ${id}`),
];

const taxes = ["08T", "09T", "9BT", "T6T", "I1T", "I2T", "I4T", "I5T"];

const lines: readonly Box[] = [
  line("A1", "Sales of goods and services"),
  line("A2", "Other taxable operations"),
  line("A3", "Services bought of businesses outside France, article 283-2"),
  line("A4", "Imports"),
  entered("A5", "Goods that leave a suspensive arrangement"),
  entered("B1", "Petroleum products released for consumption"),
  line("B2", "Goods bought in the EU"),
  entered("B3", "Electricity, gas, heat and cold that are taxed in France"),
  line("B4", "Goods and services of businesses outside France, article 283-1"),
  entered("B5", "Corrections of taxable operations"),
  line("E1", "Exports outside the EU"),
  line("E2", "Other operations without tax"),
  line("E3", "Distance sales taxed in another state of the EU"),
  entered("E4", "Imports without tax"),
  entered("E5", "Goods that leave a suspensive arrangement without tax"),
  entered("E6", "Imports under a suspensive arrangement"),
  entered("F1", "Goods bought in the EU without tax"),
  line("F2", "Goods to businesses in the EU"),
  entered("F3", "Electricity, gas, heat and cold that are not taxed in France"),
  entered("F4", "Petroleum products released without tax"),
  entered("F5", "Imports of petroleum products under a suspensive arrangement"),
  entered("F6", "Purchases free of tax"),
  entered("F7", "Sales of a business outside France, article 283-1"),
  entered("F8", "Corrections of operations without tax"),
  entered("F9", "Operations within a group of VAT"),
  ...base("08", "20"),
  ...base("09", "5.5"),
  ...base("9B", "10"),
  ...base("T6", "2.1"),
  ...base("I1", "20", "Imports"),
  ...base("I2", "10", "Imports"),
  ...base("I4", "5.5", "Imports"),
  ...base("I5", "2.1", "Imports"),
  entered("15", "Tax formerly deducted, to pay back"),
  entered("5B", "Amounts to add"),
  {
    ...line("16", `Gross tax (${taxes.join(" + ")} + 15 + 5B)`),
    formula: sumOf(...taxes, "15", "5B"),
  },
  line("17", "Of which on goods bought in the EU"),
  entered("18", "Of which on operations to Monaco"),
  line("19", "Tax deducted on fixed assets"),
  line("20", "Tax deducted on other goods and services"),
  entered("21", "Other tax to deduct"),
  { ...entered("22", "Credit carried over (27 of the return before)"), brought: "27" },
  entered("2C", "Amounts to deduct"),
  {
    ...line("23", "Tax deducted (19 + 20 + 21 + 22 + 2C)"),
    formula: sumOf("19", "20", "21", "22", "2C"),
  },
  line("24", "Of which on imports"),
  { ...line("23-22", "Tax deducted without credit carried over"), formula: difference("23", "22") },
  {
    ...line("25", "Credit of VAT (23 - 16)"),
    formula: { ...difference("23", "16"), floor: 0 },
  },
  entered("26", "Refund asked for on form 3519"),
  { ...line("27", "Credit to carry over (25 - 26)"), formula: difference("25", "26") },
  { ...line("TD", "VAT due (16 - 23)"), formula: { ...difference("16", "23"), floor: 0 } },
  entered("X5", "Energy taxes offset"),
  { ...line("28", "VAT to pay (TD - X5)"), formula: difference("TD", "X5") },
  entered("29", "Similar taxes, annex 3310-A"),
  entered("AB", "Paid by the head of the group"),
  {
    ...line("32", "To pay (28 + 29 - AB)"),
    formula: { of: [...sumOf("28", "29").of, [-1, "AB"]] },
  },
];

export const fr: ReturnForm = {
  tax: "VAT",
  source: "Direction générale des finances publiques, form 3310-CA3-SD",
  declared: { collected: "16", paid: "23-22" },
  headLines: usualHead("VAT number", "Receipts for services", "Invoices (option for débits)"),
  treatments,
  treatmentsFor,
  isNeverNegative: true,
  notYearly:
    "A return a year is the form CA12 of the simplified regime, which is not offered; it ends with 2026.",
  boxes: lines.map((each) => ({ ...each, rounding: "half-up" })),
};
