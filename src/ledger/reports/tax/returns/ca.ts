/**
 * The goods and services tax and harmonised sales tax return of Canada.
 *
 * Provincial taxes share the tax account and the rates with it. They are identified by component
 * names and listed below the lines, since they are returned to the provinces.
 *
 * @source Canada Revenue Agency, form GST34
 */

import { add, type Cents, sum, zeroCents } from "../../../money.ts";
import { regionOf } from "../../../regions/index.ts";
import { negated } from "../../report-rows.ts";
import {
  type BoxShare,
  difference,
  grossOf,
  netOf,
  type ReturnForm,
  sumOf,
  type TaxedSum,
  treatmentOf,
  usualHead,
} from "./form.ts";

const isFederal = (component: string) => /^(GST|HST)\b/i.test(component);

const federalTax: BoxShare = ({ components }) =>
  sum([...components].filter(([name]) => isFederal(name)).map(([, tax]) => tax));

/** Sales of the business; sales of its assets are no revenue. */
const revenue: BoxShare = (each) => (each.accountClass === "REVENUE" ? netOf(each) : zeroCents);

/** The side of a tax code, by the flags of its rate: purchase rates are not allowed on revenue. */
const directionOf = (taxType: string) => {
  const rate = regionOf("CA")
    .taxRates()
    .find((taxRate) => taxRate.taxType === taxType);
  if (rate?.flags === "TTFTT") return "sales";
  return rate?.flags === "TTTTF" ? "purchases" : undefined;
};

const treatments: ReturnForm["treatments"] = {
  sales: { side: "sales", boxes: { 101: revenue, 103: federalTax } },
  purchases: { side: "purchases", boxes: { 106: federalTax } },
  // A line of imports consists of tax only.
  GSTONIMPORTS: { side: "purchases", boxes: { 106: grossOf } },
};

/** Key of a sum: rates used on both sides, and custom rates, are treated by account class. */
const keyOf = ({ taxType, accountClass }: TaxedSum) =>
  taxType === "GSTONIMPORTS"
    ? taxType
    : (directionOf(taxType) ?? (accountClass === "REVENUE" ? "sales" : "purchases"));

export const ca: ReturnForm = {
  tax: "GST/HST",
  source: "Canada Revenue Agency, form GST34",
  declared: { collected: "105", paid: "108" },
  headLines: usualHead("Business number", "Cash", "Accrual"),
  treatments,
  keyOf,
  boxes: [
    { id: "101", description: "Sales and other revenue, without tax", rounding: "cut" },
    { id: "103", description: "GST/HST collected or collectible" },
    { id: "104", description: "Adjustments, such as bad debts recovered", entered: true },
    {
      id: "105",
      description: "Total GST/HST and adjustments (103 + 104)",
      formula: sumOf("103", "104"),
    },
    { id: "106", description: "Input tax credits" },
    { id: "107", description: "Adjustments, such as bad debts written off", entered: true },
    {
      id: "108",
      description: "Total input tax credits and adjustments (106 + 107)",
      formula: sumOf("106", "107"),
    },
    { id: "109", description: "Net tax (105 - 108)", formula: difference("105", "108") },
    { id: "110", description: "Instalments and net tax already paid", entered: true },
    { id: "111", description: "Rebates", entered: true },
    { id: "112", description: "Total other credits (110 + 111)", formula: sumOf("110", "111") },
    { id: "113A", description: "Balance (109 - 112)", formula: difference("109", "112") },
    {
      id: "205",
      description: "GST/HST due on the acquisition of taxable real property",
      entered: true,
    },
    { id: "405", description: "Other GST/HST to be self-assessed", entered: true },
    {
      id: "113B",
      description: "Total other debits (205 + 405)",
      formula: sumOf("205", "405"),
    },
    {
      id: "113C",
      description: "To pay, or a refund when negative (113A + 113B)",
      formula: sumOf("113A", "113B"),
    },
  ],
  extraLines: (sums) => {
    const provincial = new Map<string, Cents>();
    for (const sum of sums) {
      const isSale = treatmentOf({ treatments, keyOf }, sum)?.side === "sales";
      for (const [name, tax] of sum.components) {
        if (isFederal(name) || tax === 0) continue;
        const id = `${name} ${isSale ? "collected" : "paid"}`;
        provincial.set(id, add(provincial.get(id) ?? zeroCents, isSale ? negated(tax) : tax));
      }
    }
    return [...provincial]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([id, tax]) => [id, `In no line: ${id}, of the same tax account`, tax]);
  },
};
