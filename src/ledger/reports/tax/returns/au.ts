/**
 * The business activity statement of Australia: goods and services tax, and tax withheld.
 *
 * The ledger supplies sales and purchases. Wages and tax withheld from them (W1 to W4), instalments
 * and the other taxes of the form are entered by the preparer. The form uses whole dollars: cents
 * are dropped from every label, and the amount owed is computed from those.
 *
 * @source Australian Taxation Office, form NAT 4235, and Simpler BAS GST bookkeeping guide
 */
import { type Cents, zeroCents } from "../../../money.ts";
import {
  type Box,
  type BoxShare,
  difference,
  grossOf,
  type ReturnForm,
  sumOf,
  type Treatments,
  taxOf,
} from "./form.ts";

/**
 * Value of imports: their whole line is tax at 10 %, so the value including tax is eleven times as
 * much.
 */
const importValue: BoxShare = (taxedSum) => (11 * grossOf(taxedSum)) as Cents;

const treatments: Treatments = {
  OUTPUT: { side: "sales", boxes: { G1: grossOf, "1A": taxOf } },
  EXEMPTOUTPUT: { side: "sales", boxes: { G1: grossOf, G3: grossOf } },
  EXEMPTEXPORT: { side: "sales", boxes: { G1: grossOf, G2: grossOf } },
  CAPITALEXINPUT: { side: "purchases", boxes: { G10: grossOf, "1B": taxOf } },
  EXEMPTCAPITAL: { side: "purchases", boxes: { G10: grossOf } },
  GSTONCAPIMPORTS: { side: "purchases", boxes: { G10: importValue, "1B": grossOf } },
  GSTONCAPITALIMPORTS: { side: "purchases", boxes: { G10: importValue, "1B": grossOf } },
  INPUT: { side: "purchases", boxes: { G11: grossOf, "1B": taxOf } },
  EXEMPTEXPENSES: { side: "purchases", boxes: { G11: grossOf } },
  GSTONIMPORTS: { side: "purchases", boxes: { G11: importValue, "1B": grossOf } },
  // Input-taxed types cover both residential rent (sale) and its costs (purchase); loans are
  // neither.
  "INPUTTAXED REVENUE": { side: "sales", boxes: { G1: grossOf } },
  "INPUTTAXED EXPENSE": { side: "purchases", boxes: { G11: grossOf } },
  INPUTTAXED: { side: "purchases", boxes: {} },
  BASEXCLUDED: { side: "purchases", boxes: {} },
  NONE: { side: "purchases", boxes: {} },
};

const owed = ["1A", "1C", "1E", "4", "5A", "6A", "7", "7A", "7C"];
const owing = ["1B", "1D", "1F", "5B", "6B", "7D"];
const withheld = sumOf("W2", "W4", "W3");

const labels: readonly Box[] = [
  { id: "G1", description: "Total sales (including GST)" },
  { id: "G2", description: "Export sales", isLong: true },
  { id: "G3", description: "Other GST-free sales", isLong: true },
  { id: "G10", description: "Capital purchases (including GST)", isLong: true },
  { id: "G11", description: "Non-capital purchases (including GST)", isLong: true },
  { id: "1A", description: "GST on sales" },
  { id: "1B", description: "GST on purchases" },
  { id: "1C", description: "Wine equalisation tax", entered: true },
  { id: "1D", description: "Wine equalisation tax refundable", entered: true },
  { id: "1E", description: "Luxury car tax", entered: true },
  { id: "1F", description: "Luxury car tax refundable", entered: true },
  { id: "W1", description: "Total salary, wages and other payments", entered: true },
  { id: "W2", description: "Amount withheld from payments shown at W1", entered: true },
  { id: "W4", description: "Amount withheld where no ABN is quoted", entered: true },
  { id: "W3", description: "Other amounts withheld", entered: true },
  { id: "W5", description: "Total amounts withheld (W2 + W4 + W3)", formula: withheld },
  { id: "4", description: "PAYG tax withheld", formula: withheld },
  { id: "5A", description: "PAYG income tax instalment", entered: true },
  { id: "5B", description: "Credit from a PAYG instalment variation", entered: true },
  { id: "6A", description: "FBT instalment", entered: true },
  { id: "6B", description: "Credit from an FBT instalment variation", entered: true },
  { id: "7", description: "Deferred company or fund instalment", entered: true },
  { id: "7A", description: "Deferred GST on imports", entered: true },
  { id: "7C", description: "Fuel tax credit over claim", entered: true },
  { id: "7D", description: "Fuel tax credit", entered: true },
  {
    id: "8A",
    description: `Amount owed to the tax office (${owed.join(" + ")})`,
    formula: sumOf(...owed),
  },
  {
    id: "8B",
    description: `Amount owed by the tax office (${owing.join(" + ")})`,
    formula: sumOf(...owing),
  },
  {
    id: "9",
    description: "To pay, or a refund when negative (8A - 8B)",
    formula: difference("8A", "8B"),
  },
];

/** Turnover without tax, which over a year decides whether the short form may be used. */
const turnover: BoxShare = ({ reportTaxType, taxType, accountClass, net }) => {
  const { side } = treatments[`${reportTaxType ?? taxType}`] ?? {};
  return accountClass === "REVENUE" && side === "sales" ? (-net as Cents) : zeroCents;
};

export const au: ReturnForm = {
  tax: "goods and services tax",
  source: "Australian Taxation Office, form NAT 4235, and Simpler BAS GST bookkeeping guide",
  declared: { collected: "1A", paid: "1B" },
  headLines: ({ registration, basis }) => [
    ["ABN", "Australian business number", registration],
    ["GSTBasis", "GST accounting method", basis === "cash" ? "Cash" : "Accruals"],
  ],
  treatments,
  boxes: labels.map((label) => ({ ...label, rounding: "cut" as const })),
  shortForm: { name: "Simpler BAS", below: 1_000_000_000 as Cents, turnover },
};
