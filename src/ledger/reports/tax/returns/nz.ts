/**
 * The goods and services tax return of New Zealand.
 *
 * Boxes 8 and 12 are three twenty-thirds of the taxed amounts, as the form prescribes, whatever the
 * ledger rounded line by line. Sales at a rate other than 15 % are in box 5 in full, and the
 * resulting difference in tax is in the adjustments. Purchases are in box 11 as far as tax is
 * claimed on them, and tax claimed beyond the fraction is in the adjustments.
 *
 * @source Inland Revenue, form GST101A
 */
import { multiplyDivide } from "../../../../resources/decimal.ts";
import { mediumDate } from "../../../dates/calendar.ts";
import { type Cents, zeroCents } from "../../../money.ts";
import {
  type BoxShare,
  boxTotals,
  difference,
  grossOf,
  type ReturnForm,
  type ReturnLine,
  shareOf,
  sumOf,
  type TaxedSum,
  type Treatments,
} from "./form.ts";

const standardRate = 150_000;

/** The tax included in an amount at the standard rate: three twenty-thirds. */
const fraction = (gross: Cents): Cents => multiplyDivide(gross, 3, 23) as Cents;

const isZeroRated = ({ rate }: TaxedSum) => rate === 0;
const isStandard = ({ rate, isEntered }: TaxedSum) => rate === standardRate && !isEntered;

/** Difference between actual tax and the fraction, for other rates and for entered tax. */
const excess: BoxShare = (taxedSum) => {
  if (isStandard(taxedSum) || (isZeroRated(taxedSum) && !taxedSum.isEntered)) return zeroCents;
  const countedTax = isZeroRated(taxedSum) ? zeroCents : fraction(grossOf(taxedSum));
  return (taxedSum.tax - countedTax) as Cents;
};

/** Whether the tax claimed on a purchase is less than the fraction of it. */
const isClaimedInPart = ({ isLess, isEntered, rate }: TaxedSum) =>
  isLess || (!isEntered && rate !== 0 && rate < standardRate);

/** The part of a purchase on which tax is claimed. */
const claimedShare: BoxShare = (each) => {
  if (isZeroRated(each)) return zeroCents;
  return isClaimedInPart(each) ? (multiplyDivide(each.tax, 23, 3) as Cents) : grossOf(each);
};

/** Tax of a bad debt, which is in no total box. */
const debtShare: BoxShare = (each) => (isStandard(each) ? fraction(grossOf(each)) : each.tax);

const treatments: Treatments = {
  OUTPUT: {
    side: "sales",
    boxes: { 5: grossOf, 6: (each) => (isZeroRated(each) ? grossOf(each) : zeroCents), 9: excess },
  },
  INPUT: {
    side: "purchases",
    boxes: { 11: claimedShare, 13: (each) => (isClaimedInPart(each) ? zeroCents : excess(each)) },
  },
  // A bad debt is written off by a credit note to the customer on an expense account, and charged
  // again by an invoice on it.
  "INPUT EXPENSE ACCRECCREDIT": { side: "purchases", boxes: { 13: debtShare } },
  "INPUT EXPENSE ACCREC": { side: "sales", boxes: { 9: debtShare } },
  // A line of imports consists of tax only.
  GSTONIMPORTS: { side: "purchases", boxes: { 13: grossOf } },
  EXEMPTOUTPUT: { side: "sales", boxes: {} },
  EXEMPTINPUT: { side: "purchases", boxes: {} },
  NONE: { side: "purchases", boxes: {} },
};

export const nz: ReturnForm = {
  tax: "goods and services tax",
  source: "Inland Revenue, form GST101A",
  declared: { collected: "10", paid: "14" },
  headLines: ({ registration, basis, range: { from, to } }) => [
    ["1", "Registration number", registration],
    ["GSTBasis", "GST accounting method", basis === "cash" ? "Payments" : "Invoice"],
    ["PeriodCovered", "Period covered by the return", `${mediumDate(from)} to ${mediumDate(to)}`],
    ["From", "From", from],
    ["2", "To", to],
  ],
  treatments,
  boxes: [
    {
      id: "5",
      description: "Total sales and income for the period (including GST and zero-rated supplies)",
    },
    { id: "6", description: "Zero-rated supplies included in Box 5" },
    { id: "7", description: "Box 5 less Box 6", formula: difference("5", "6") },
    {
      id: "8",
      description: "Box 7 multiplied by three and divided by twenty-three",
      formula: shareOf("7", 3, 23),
    },
    { id: "9", description: "Adjustments", entered: true },
    {
      id: "10",
      description: "Total GST collected on sales and income",
      formula: sumOf("8", "9"),
    },
    { id: "11", description: "Total purchases and expenses for the period (including GST)" },
    {
      id: "12",
      description: "Box 11 multiplied by three and divided by twenty-three",
      formula: shareOf("11", 3, 23),
    },
    { id: "13", description: "Credit adjustments", entered: true },
    {
      id: "14",
      description: "Total GST credit for purchases and expenses",
      formula: sumOf("12", "13"),
    },
    {
      id: "15",
      description: "Difference between Box 10 and Box 14: to pay, or a refund when negative",
      formula: difference("10", "14"),
    },
  ],
  // The part of the adjustments that comes from entered tax amounts; no line without any.
  extraLines: (sums) => {
    const inBox = boxTotals(
      { treatments },
      sums.filter(({ isEntered }) => isEntered),
    );
    const lines = (["9", "13"] as const).map(
      (box): ReturnLine => [
        `Entered ${box}`,
        `Included in Box ${box}: tax that was entered`,
        inBox(box),
      ],
    );
    return lines.filter(([, , amount]) => amount !== 0);
  },
};
