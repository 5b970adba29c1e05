/**
 * The activity statement of Australia: goods and services tax, and tax withheld.
 *
 * The ledger knows what is sold and bought. Wages and what was withheld from them (W1 to W4),
 * instalments and the other taxes of the form are entered by whoever prepares the statement. The
 * form takes whole dollars: cents are left out of every label, and what is owed is made of those.
 *
 * @source Australian Taxation Office, form NAT 4235, and Simpler BAS GST bookkeeping guide
 */
import { RefusedError } from "../../resources/errors.ts";
import { type Cents, sum, zeroCents } from "../money.ts";
import { amountText } from "./rows.ts";
import {
  boxed,
  type Figure,
  fieldsOf,
  grossOf,
  rangeAttributes,
  remarks,
  type TaxReturn,
  type TaxReturnRequest,
  type Treatments,
  taxOf,
} from "./tax-return.ts";

/** Boxes that the ledger cannot know. */
export const activityStatementEntries = [
  ...["W1", "W2", "W3", "W4"],
  ...["1C", "1E", "5A", "6A", "7", "7A", "7C"],
  ...["1D", "1F", "5B", "6B", "7D"],
] as const;

/** Of imports the whole line is tax at 10 %, so that the value with it is eleven times as much. */
const importValue: Figure = (each) => (11 * grossOf(each)) as Cents;

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
  // Rent of a home is sold, and what it costs is bought, under the same type; a loan is neither.
  "INPUTTAXED REVENUE": { side: "sales", boxes: { G1: grossOf } },
  "INPUTTAXED EXPENSE": { side: "purchases", boxes: { G11: grossOf } },
  INPUTTAXED: { side: "purchases", boxes: {} },
  BASEXCLUDED: { side: "purchases", boxes: {} },
  NONE: { side: "purchases", boxes: {} },
};

/** From this turnover on a business fills in the whole form. */
const simplerBelow = 1_000_000_000 as Cents;

/** Labels that Simpler BAS leaves out. */
const leftOut: ReadonlySet<string> = new Set(["G2", "G3", "G10", "G11"]);

/** Without the cents, whichever sign. */
const dollars = (amount: Cents): Cents => ((Math.trunc(amount / 100) || 0) * 100) as Cents;

/** Sold without tax, of which a year tells whether the short form may be used. */
export const turnover: Figure = ({ reportTaxType, taxType, accountClass, net }) => {
  const { side } = treatments[`${reportTaxType ?? taxType}`] ?? {};
  return accountClass === "REVENUE" && side === "sales" ? (-net as Cents) : zeroCents;
};

/**
 * The statement, with every label; without those that Simpler BAS leaves out where it is asked for.
 *
 * @throws RefusedError `Simpler` when the turnover is too large for the short form
 */
export function activityStatement(request: TaxReturnRequest): TaxReturn {
  const { registration, basis, range, sums, entered, shortFor } = request;
  if (shortFor !== undefined && shortFor >= simplerBelow) {
    throw new RefusedError(
      "Simpler",
      `Simpler BAS is for a turnover below ${amountText(simplerBelow)}; ` +
        `it was ${amountText(shortFor)} in the year to ${range.to}.`,
    );
  }
  const inBox = boxed(treatments, sums);
  const box = (id: string) => dollars(inBox(id));
  const entry = (id: string) => dollars(entered.get(id) ?? zeroCents);
  const withheld = sum(["W2", "W4", "W3"].map(entry));
  const owed = sum([box("1A"), withheld, ...["1C", "1E", "5A", "6A", "7", "7A", "7C"].map(entry)]);
  const owing = sum([box("1B"), ...["1D", "1F", "5B", "6B", "7D"].map(entry)]);
  const fields = fieldsOf([
    ["ABN", "Australian business number", registration],
    ["GSTBasis", "GST accounting method", basis === "cash" ? "Cash" : "Accruals"],
    ["G1", "Total sales (including GST)", box("G1")],
    ["G2", "Export sales", box("G2")],
    ["G3", "Other GST-free sales", box("G3")],
    ["G10", "Capital purchases (including GST)", box("G10")],
    ["G11", "Non-capital purchases (including GST)", box("G11")],
    ["1A", "GST on sales", box("1A")],
    ["1B", "GST on purchases", box("1B")],
    ["1C", "Wine equalisation tax", entry("1C")],
    ["1D", "Wine equalisation tax refundable", entry("1D")],
    ["1E", "Luxury car tax", entry("1E")],
    ["1F", "Luxury car tax refundable", entry("1F")],
    ["W1", "Total salary, wages and other payments", entry("W1")],
    ["W2", "Amount withheld from payments shown at W1", entry("W2")],
    ["W4", "Amount withheld where no ABN is quoted", entry("W4")],
    ["W3", "Other amounts withheld", entry("W3")],
    ["W5", "Total amounts withheld (W2 + W4 + W3)", withheld],
    ["4", "PAYG tax withheld", withheld],
    ["5A", "PAYG income tax instalment", entry("5A")],
    ["5B", "Credit from a PAYG instalment variation", entry("5B")],
    ["6A", "FBT instalment", entry("6A")],
    ["6B", "Credit from an FBT instalment variation", entry("6B")],
    ["7", "Deferred company or fund instalment", entry("7")],
    ["7A", "Deferred GST on imports", entry("7A")],
    ["7C", "Fuel tax credit over claim", entry("7C")],
    ["7D", "Fuel tax credit", entry("7D")],
    ["8A", "Amount owed to the tax office (1A + 1C + 1E + 4 + 5A + 6A + 7 + 7A + 7C)", owed],
    ["8B", "Amount owed by the tax office (1B + 1D + 1F + 5B + 6B + 7D)", owing],
    ["9", "To pay, or a refund when negative (8A - 8B)", (owed - owing) as Cents],
  ]);
  const shown = fields.filter(({ FieldID }) => shortFor === undefined || !leftOut.has(FieldID));
  return {
    attributes: rangeAttributes(range),
    fields: [...shown, ...remarks(treatments, sums)],
  };
}
