/**
 * The activity statement of Australia: goods and services tax, and tax withheld.
 *
 * The ledger knows what is sold and bought. Wages and what was withheld from them (W1 to W4) and
 * instalments (7) are entered by whoever prepares the statement.
 *
 * @source Australian Taxation Office, form NAT 4235
 */
import { add, type Cents, sum, zeroCents } from "../money.ts";
import { negated } from "./rows.ts";
import {
  boughtGross,
  fieldsOf,
  rangeAttributes,
  soldGross,
  type TaxedSum,
  type TaxReturn,
  type TaxReturnRequest,
  taxIn,
} from "./tax-return.ts";

/** Boxes that the ledger cannot know. */
export const activityStatementEntries = ["W1", "W2", "W3", "W4", "7"] as const;

/** How each tax type is reported; types that are not here, such as BASEXCLUDED, are left out. */
const sides: Readonly<Record<string, "sales" | "capital" | "purchases">> = {
  OUTPUT: "sales",
  EXEMPTOUTPUT: "sales",
  EXEMPTEXPORT: "sales",
  CAPITALEXINPUT: "capital",
  EXEMPTCAPITAL: "capital",
  GSTONCAPIMPORTS: "capital",
  GSTONCAPITALIMPORTS: "capital",
  INPUT: "purchases",
  EXEMPTEXPENSES: "purchases",
  GSTONIMPORTS: "purchases",
};

/** All of a line under these is tax. */
const imports: ReadonlySet<string> = new Set([
  "GSTONIMPORTS",
  "GSTONCAPIMPORTS",
  "GSTONCAPITALIMPORTS",
]);

function sideOf({ reportTaxType, accountClass }: TaxedSum) {
  if (reportTaxType !== "INPUTTAXED") return sides[reportTaxType];
  // Rent of a home is sold, and what it costs is bought, under the same type.
  return accountClass === "REVENUE" ? "sales" : "purchases";
}

/** The statement, with every box. */
export function activityStatement(request: TaxReturnRequest): TaxReturn {
  const { registration, basis, range, sums, entered } = request;
  const side = (wanted: string) => sums.filter((each) => sideOf(each) === wanted);
  const of = (type: string) => sums.filter(({ reportTaxType }) => reportTaxType === type);
  const [sales, capital, purchases] = [side("sales"), side("capital"), side("purchases")];
  const bought = [...capital, ...purchases];
  const entry = (id: string) => entered.get(id) ?? zeroCents;
  const collected = negated(taxIn(sales));
  const paid = add(
    taxIn(bought.filter(({ reportTaxType }) => !imports.has(reportTaxType))),
    boughtGross(bought.filter(({ reportTaxType }) => imports.has(reportTaxType))),
  );
  const withheld = sum([entry("W2"), entry("W4"), entry("W3")]);
  const owed = sum([collected, withheld, entry("7")]);
  return {
    attributes: rangeAttributes(range),
    fields: fieldsOf([
      ["ABN", "Australian business number", registration],
      ["GSTBasis", "GST accounting method", basis === "cash" ? "Cash" : "Accruals"],
      ["G1", "Total sales (including GST)", soldGross(sales)],
      ["G2", "Export sales", soldGross(of("EXEMPTEXPORT"))],
      ["G3", "Other GST-free sales", soldGross(of("EXEMPTOUTPUT"))],
      ["G10", "Capital purchases (including GST)", boughtGross(capital)],
      ["G11", "Non-capital purchases (including GST)", boughtGross(purchases)],
      ["1A", "GST on sales", collected],
      ["1B", "GST on purchases", paid],
      ["W1", "Total salary, wages and other payments", entry("W1")],
      ["W2", "Amount withheld from payments shown at W1", entry("W2")],
      ["W4", "Amount withheld where no ABN is quoted", entry("W4")],
      ["W3", "Other amounts withheld", entry("W3")],
      ["W5", "Total amounts withheld (W2 + W4 + W3)", withheld],
      ["4", "PAYG tax withheld", withheld],
      ["7", "Deferred company or fund instalment", entry("7")],
      ["8A", "Amount owed to the tax office (1A + 4 + 7)", owed],
      ["8B", "Amount owed by the tax office (1B)", paid],
      ["9", "To pay, or a refund when negative (8A - 8B)", add(owed, negated(paid)) as Cents],
    ]),
  };
}
