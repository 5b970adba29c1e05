/**
 * The VAT return of the United Kingdom: nine boxes.
 *
 * The construction industry scheme does not affect it: the withheld amount is no part of the
 * supply. Postponed import VAT, bad debts (box 4) and recovered debts (box 1) are entered by the
 * preparer.
 *
 * @source HM Revenue and Customs, VAT Notices 700/12 (boxes) and 731 (cash accounting)
 */
import {
  difference,
  grossOf,
  netOf,
  type ReturnForm,
  reverseTaxOf,
  sumOf,
  type Treatment,
  taxOf,
  usualHead,
} from "./form.ts";

const sold: Treatment = { side: "sales", boxes: { 1: taxOf, 6: netOf } };
const bought: Treatment = { side: "purchases", boxes: { 4: taxOf, 7: netOf } };

/**
 * The cash accounting scheme excludes reverse charges and purchases from abroad, which count when
 * invoiced.
 */
const onInvoice = { when: "invoice" } as const;

const acquired: Treatment = {
  side: "purchases",
  boxes: { 2: reverseTaxOf, 4: reverseTaxOf, 7: netOf, 9: netOf },
  reverse: reverseTaxOf,
  ...onInvoice,
};

export const gb: ReturnForm = {
  tax: "VAT",
  source: "HM Revenue and Customs, VAT Notices 700/12 and 731",
  declared: { collected: "3", paid: "4" },
  headLines: usualHead("VAT registration number", "Cash accounting", "Standard accounting"),
  treatments: {
    OUTPUT: sold,
    CAPITALSALESOUTPUT: sold,
    EXEMPTOUTPUT: { side: "sales", boxes: { 6: netOf } },
    ECOUTPUTSERVICES: { side: "sales", boxes: { 6: netOf } },
    ECOUTPUT: { side: "sales", boxes: { 6: netOf, 8: netOf } },
    DRCHARGE: { side: "sales", boxes: { 6: netOf }, ...onInvoice },
    MOSSSALES: { side: "sales", boxes: {} },
    INPUT: bought,
    CAPITALEXPENSESINPUT: bought,
    EXEMPTINPUT: { side: "purchases", boxes: { 7: netOf } },
    REVERSECHARGES: {
      side: "purchases",
      boxes: { 1: reverseTaxOf, 4: reverseTaxOf, 6: netOf, 7: netOf },
      reverse: reverseTaxOf,
      ...onInvoice,
    },
    DRCHARGESUPPLY: {
      side: "purchases",
      boxes: { 1: reverseTaxOf, 4: reverseTaxOf, 7: netOf },
      reverse: reverseTaxOf,
      ...onInvoice,
    },
    ECACQUISITIONS: acquired,
    ECINPUT: { side: "purchases", boxes: { 7: netOf, 9: netOf }, ...onInvoice },
    // A line of imports consists of tax only.
    GSTONIMPORTS: { side: "purchases", boxes: { 4: grossOf }, ...onInvoice },
    NONE: { side: "purchases", boxes: {} },
  },
  boxes: [
    { id: "1", description: "VAT due on sales and other outputs", entered: true },
    {
      id: "2",
      description:
        "VAT due on acquisitions of goods made in Northern Ireland from EU member states",
    },
    { id: "3", description: "Total VAT due (Box 1 + Box 2)", formula: sumOf("1", "2") },
    { id: "4", description: "VAT reclaimed on purchases and other inputs", entered: true },
    {
      id: "5",
      description: "Net VAT to pay, or to reclaim where Box 4 is more than Box 3",
      formula: { ...difference("3", "4"), isUnsigned: true },
    },
    {
      id: "6",
      description: "Total value of sales and other outputs, without VAT",
      rounding: "cut",
    },
    {
      id: "7",
      description: "Total value of purchases and other inputs, without VAT",
      rounding: "cut",
    },
    {
      id: "8",
      description: "Total value of goods supplied from Northern Ireland to EU member states",
      rounding: "cut",
    },
    {
      id: "9",
      description: "Total value of goods acquired in Northern Ireland from EU member states",
      rounding: "cut",
    },
  ],
};
