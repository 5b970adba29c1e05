/**
 * The advance VAT return of Germany (Umsatzsteuer-Voranmeldung), by the numbers of its form.
 *
 * Net amounts are truncated to whole euros. Output tax at 19 % and 7 % is computed from the truncated
 * amount, so that it differs from the posted tax by some cents. Tax of reverse charges and input tax
 * are the posted amounts.
 *
 * @source Bundesministerium der Finanzen, form USt 1 A of 2026; Umsatzsteuergesetz, sections 18 and 20
 */
import {
  type Box,
  difference,
  type Formula,
  grossOf,
  netOf,
  type ReturnForm,
  reverseTaxOf,
  shareOf,
  type TaxedSum,
  type Treatment,
  taxOf,
  usualHead,
} from "./form.ts";

const sales = (boxes: Treatment["boxes"]): Treatment => ({ side: "sales", boxes });
/** Purchases, and trade within the EU, count when invoiced, even where sales count when paid. */
const onInvoice = { when: "invoice" } as const;
const soldAbroad = (boxes: Treatment["boxes"]): Treatment => ({ ...sales(boxes), ...onInvoice });
const purchases = (boxes: Treatment["boxes"]): Treatment => ({
  side: "purchases",
  boxes,
  ...onInvoice,
});
const reversed = (boxes: Treatment["boxes"]): Treatment => ({
  ...purchases(boxes),
  reverse: reverseTaxOf,
});

const input = purchases({ 66: taxOf });
const acquired = (base: string) => reversed({ [base]: netOf, 61: reverseTaxOf });
const charged = (base: string, tax: string) =>
  reversed({ [base]: netOf, [tax]: reverseTaxOf, 67: reverseTaxOf });

const treatments: ReturnForm["treatments"] = {
  OUTPUT19: sales({ 81: netOf }),
  OUTPUT7: sales({ 86: netOf }),
  OUTPUT0: sales({ 87: netOf }),
  "other rate": sales({ 35: netOf, 36: taxOf }),
  ECOUTPUT: soldAbroad({ 41: netOf }),
  ECOUTPUTSERVICES: soldAbroad({ 21: netOf }),
  ECTRIANGULAR: soldAbroad({ 42: netOf }),
  EXPORT: sales({ 43: netOf }),
  EXEMPTCREDIT: sales({ 43: netOf }),
  EXEMPTOUTPUT: sales({ 48: netOf }),
  SMALLBUSINESS: sales({ 48: netOf }),
  DRCHARGE: sales({ 60: netOf }),
  OSOUTPUT: sales({ 45: netOf }),
  INPUT19: input,
  INPUT7: input,
  INPUT0: purchases({}),
  INPUTBLOCKED19: purchases({}),
  INPUTBLOCKED7: purchases({}),
  ECACQUISITIONS19: acquired("89"),
  ECACQUISITIONS7: acquired("93"),
  ECACQUISITIONS0: purchases({ 90: netOf }),
  ECEXEMPT: purchases({ 91: netOf }),
  REVERSEEU19: charged("46", "47"),
  REVERSEEU7: charged("46", "47"),
  REVERSECHARGE19: charged("84", "85"),
  REVERSECHARGE7: charged("84", "85"),
  // The tax is owed alone where it is not reclaimed.
  ECACQUISITIONS19N: reversed({ 89: netOf }),
  REVERSEEU19N: reversed({ 46: netOf, 47: reverseTaxOf }),
  REVERSECHARGE19N: reversed({ 84: netOf, 85: reverseTaxOf }),
  REVERSELAND19: charged("73", "74"),
  // A line of imports consists of tax only.
  GSTONIMPORTS: purchases({ 62: grossOf }),
  EXEMPTINPUT: purchases({}),
  NONE: purchases({}),
};

/** The key of a sum: a rate of the organisation's own with tax is another rate, or input tax. */
function keyOf({ taxType, accountClass, rate }: TaxedSum): string {
  if (taxType in treatments || rate === 0) return taxType;
  return accountClass === "REVENUE" ? "other rate" : "INPUT19";
}

/** A base, cut to whole euros. */
const base = (id: string, description: string): Box => ({ id, description, rounding: "cut" });
const enteredBase = (id: string, description: string): Box => ({
  ...base(id, description),
  entered: true,
});
const enteredBox = (id: string, description: string): Box => ({ id, description, entered: true });
/** A base with the tax at its rate, of the cut amount. */
const taxed = (id: string, description: string, percent: number): Box[] => [
  base(id, description),
  { id: `${id}T`, description: `Tax of ${id}, ${percent} %`, formula: shareOf(id, percent, 100) },
];

const owed = ["81T", "86T", "36", "80", "89T", "93T", "98", "96", "47", "74", "85"];
const reclaimed = ["66", "61", "62", "67", "63", "59", "64"];
const due: Formula = {
  of: [...difference("USt", "VSt").of, [1, "65"], [1, "69"], [-1, "39"]],
};

export const de: ReturnForm = {
  tax: "VAT",
  source: "Bundesministerium der Finanzen, form USt 1 A of 2026",
  declared: { collected: "USt", paid: "VSt" },
  headLines: usualHead("Tax number", "Receipts (Ist)", "Invoices (Soll)"),
  treatments,
  keyOf,
  boxes: [
    ...taxed("81", "Sales at 19 %", 19),
    ...taxed("86", "Sales at 7 %", 7),
    base("87", "Sales at 0 %, section 12 (3)"),
    base("35", "Sales at other rates"),
    { id: "36", description: "Tax of 35" },
    enteredBase("77", "Farmers, section 24: goods to businesses in the EU"),
    enteredBase("76", "Farmers, section 24: sales that bear a tax"),
    enteredBox("80", "Tax of 76"),
    base("41", "Goods to businesses in the EU with a VAT number"),
    enteredBase("44", "New vehicles to buyers in the EU without a VAT number"),
    enteredBase("49", "New vehicles sold outside a business"),
    base("43", "Exports, and exempt sales with input tax, section 4 no. 2 to 7"),
    base("48", "Exempt sales without input tax, and small businesses, section 19"),
    base("91", "Goods bought in the EU, exempt"),
    ...taxed("89", "Goods bought in the EU at 19 %", 19),
    ...taxed("93", "Goods bought in the EU at 7 %", 7),
    base("90", "Goods bought in the EU at 0 %"),
    enteredBase("95", "Goods bought in the EU at other rates"),
    enteredBox("98", "Tax of 95"),
    enteredBase("94", "New vehicles bought in the EU without a VAT number"),
    enteredBox("96", "Tax of 94"),
    base("46", "Services of businesses in the EU, section 13b (1)"),
    { id: "47", description: "Tax of 46" },
    base("73", "Land and secured goods, section 13b (2) no. 2 and 3"),
    { id: "74", description: "Tax of 73" },
    base("84", "Other supplies on which the buyer owes the tax, section 13b (2)"),
    { id: "85", description: "Tax of 84" },
    base("42", "Triangular trade in the EU, first buyer"),
    base("60", "Supplies on which the customer owes the tax, section 13b (5)"),
    base("21", "Services to businesses in the EU, section 18b"),
    base("45", "Other sales outside Germany"),
    {
      id: "USt",
      description: `VAT owed (${owed.join(" + ")})`,
      formula: { of: owed.map((id) => [1, id] as const) },
    },
    { id: "66", description: "Input tax of invoices" },
    { id: "61", description: "Input tax of goods bought in the EU" },
    { id: "62", description: "Input tax of imports" },
    { id: "67", description: "Input tax of supplies under section 13b" },
    enteredBox("63", "Input tax by averages, sections 23 and 23a"),
    enteredBox("59", "Input tax of new vehicles sold in the EU"),
    enteredBox("64", "Correction of input tax, section 15a"),
    {
      id: "VSt",
      description: `Input tax (${reclaimed.join(" + ")})`,
      formula: { of: reclaimed.map((id) => [1, id] as const) },
    },
    enteredBox("65", "Tax after a change of taxation"),
    enteredBox("69", "Tax wrongly shown on invoices, sections 14c and 6a (4)"),
    enteredBox("39", "Special prepayment, in the last period of the year"),
    {
      id: "83",
      description: "VAT to prepay, or a refund when negative (USt - VSt + 65 + 69 - 39)",
      formula: due,
    },
    enteredBase("50", "For information: sales that were not paid, section 17"),
    enteredBox("37", "For information: input tax that 50 reduces"),
  ],
};
