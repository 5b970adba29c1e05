/**
 * The goods and services tax return of Singapore, form F5.
 *
 * A kind of supply has a code for each past rate, with a suffix for the year: boxes are assigned by
 * the code without it. Imports bear no tax on the supplier's bill: tax paid to customs is entered
 * in box 7.
 *
 * @source Inland Revenue Authority of Singapore, form GST F5
 */
import { type Percent, percentOf } from "../../../money.ts";
import {
  type BoxShare,
  difference,
  grossOf,
  netOf,
  type ReturnForm,
  sumOf,
  type TaxedSum,
  type Treatment,
  taxOf,
  usualHead,
} from "./form.ts";

const era = /Y2[34]$/;
const rates: Readonly<Record<string, number>> = { Y24: 90_000, Y23: 80_000 };

/** The tax for which the buyer accounts, at the rate of the code's years. */
const buyersTax: BoxShare = ({ net, taxType }) =>
  percentOf(net, (rates[era.exec(taxType)?.[0] ?? ""] ?? 70_000) as Percent);

const sales = (boxes: Treatment["boxes"]): Treatment => ({ side: "sales", boxes });
const purchases = (boxes: Treatment["boxes"]): Treatment => ({ side: "purchases", boxes });
/** The treatment of supplies for which the buyer accounts for the tax. */
const buyers = (boxes: Treatment["boxes"] = {}): Treatment => ({
  ...purchases({ 1: netOf, 5: netOf, 6: buyersTax, 7: buyersTax, ...boxes }),
  reverse: buyersTax,
});

const standard = sales({ 1: netOf, 6: taxOf });
const input = purchases({ 5: netOf, 7: taxOf });
const imported = purchases({ 5: netOf });
const noBoxes = purchases({});

const treatments: ReturnForm["treatments"] = {
  OUTPUT: standard,
  DSOUTPUT: standard,
  SRCAS: sales({ 1: netOf }),
  SROVR: standard,
  SROVRRS: sales({ ...standard.boxes, 15: netOf }),
  SROVRLVG: sales({ ...standard.boxes, 16: netOf }),
  SRLVG: sales({ ...standard.boxes, 17: netOf }),
  ZERORATEDOUTPUT: sales({ 2: netOf }),
  ES33OUTPUT: sales({ 3: netOf }),
  ESN33OUTPUT: sales({ 3: netOf }),
  INPUT: input,
  TXPETINPUT: input,
  TXESSINPUT: input,
  TXN33INPUT: input,
  TXREINPUT: input,
  ZERORATEDINPUT: imported,
  IM: imported,
  IMINPUT2: imported,
  IMESS: imported,
  IMN33: imported,
  IMRE: imported,
  IGDSINPUT2: purchases({ 5: netOf, 21: netOf }),
  IGDSINPUT3: purchases({ 21: netOf }),
  MEINPUT: purchases({ 5: netOf, 9: netOf }),
  TXCA: buyers(),
  TXRCTS: buyers({ 14: netOf }),
  TXRCESS: buyers({ 14: netOf }),
  TXRCN33: buyers({ 14: netOf }),
  TXRCRE: buyers({ 14: netOf }),
  TOURISTREFUND: purchases({ 10: grossOf }),
  BADDEBTRELIEF: purchases({ 11: taxOf }),
  BADDEBTRECOVERY: sales({ 6: taxOf }),
  BLINPUT: noBoxes,
  BLINPUT3: noBoxes,
  EPINPUT: noBoxes,
  NRINPUT: noBoxes,
  OPINPUT: noBoxes,
  OSOUTPUT: sales({}),
  OSOUTPUT2: sales({}),
  NONE: noBoxes,
};

/** Key of a sum: a custom rate counts as standard-rated when it charges tax. */
function keyOf({ taxType, accountClass, rate }: TaxedSum): string {
  const stem = taxType.replace(era, "");
  if (stem in treatments || rate === 0) return stem;
  return accountClass === "REVENUE" ? "OUTPUT" : "INPUT";
}

export const sg: ReturnForm = {
  tax: "goods and services tax",
  source: "Inland Revenue Authority of Singapore, form GST F5",
  declared: { collected: "6", paid: "7" },
  headLines: usualHead("GST registration number", "Cash", "Accrual"),
  treatments,
  keyOf,
  boxes: [
    { id: "1", description: "Total value of standard-rated supplies" },
    { id: "2", description: "Total value of zero-rated supplies" },
    { id: "3", description: "Total value of exempt supplies", ledger: "exchangeGain" },
    { id: "4", description: "Total supplies (1 + 2 + 3)", formula: sumOf("1", "2", "3") },
    { id: "5", description: "Total value of taxable purchases" },
    { id: "6", description: "Output tax due" },
    {
      id: "7",
      description: "Input tax and refunds claimed (with 10 to 12)",
      formula: sumOf("10", "11", "12"),
      entered: true,
    },
    {
      id: "8",
      description: "Net GST to pay, or to be refunded when negative (6 - 7)",
      formula: difference("6", "7"),
    },
    { id: "9", description: "Value of goods imported under special schemes" },
    { id: "10", description: "GST refunded to tourists, in Box 7" },
    { id: "11", description: "Bad debt relief and refund for reverse charge, in Box 7" },
    { id: "12", description: "Pre-registration claims, in Box 7", entered: true },
    { id: "13", description: "Revenue", ledger: "revenue" },
    { id: "14", description: "Imported services and low-value goods subject to reverse charge" },
    { id: "15", description: "Remote services supplied by an electronic marketplace" },
    { id: "16", description: "Low-value goods supplied by an electronic marketplace" },
    { id: "17", description: "Own supplies of imported low-value goods" },
    { id: "18", description: "Net GST per Box 8", formula: sumOf("8") },
    { id: "19", description: "Deferred import GST payable", entered: true },
    { id: "20", description: "Total tax to pay (18 + 19)", formula: sumOf("18", "19") },
    { id: "21", description: "Value of goods imported under the deferment scheme" },
  ],
};
