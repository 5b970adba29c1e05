/**
 * The goods and services tax return of New Zealand.
 *
 * Boxes 8 and 12 are three twenty-thirds of what is taxed, as the form says, whatever the ledger
 * rounded line by line. Sales and purchases at a rate other than 15 % stand in boxes 5 and 11 in
 * full, and what the fraction counts too much or too little of their tax in the adjustments.
 *
 * @source Inland Revenue, form GST101A
 */

import { multiplyDivide } from "../../resources/decimal.ts";
import { mediumDate } from "../dates/calendar.ts";
import { add, type Cents, zeroCents } from "../money.ts";
import { negated } from "./rows.ts";
import {
  boxed,
  type Figure,
  fieldsOf,
  grossOf,
  rangeAttributes,
  remarks,
  type TaxedSum,
  type TaxReturn,
  type TaxReturnRequest,
  type Treatments,
} from "./tax-return.ts";

/** Boxes that take what the ledger cannot know, on top of what it does. */
export const gstReturnEntries = ["9", "13"] as const;

const standardRate = 150_000;

/** The tax in an amount that includes it at the standard rate. */
const fraction = (gross: Cents): Cents => multiplyDivide(gross, 3, 23) as Cents;

const isZeroRated = ({ rate }: TaxedSum) => rate === 0;
const isStandard = ({ rate, isEntered }: TaxedSum) => rate === standardRate && !isEntered;

/** What the fraction misses of the tax at another rate, or of a tax that was entered. */
const missed: Figure = (each) => {
  if (isStandard(each) || (isZeroRated(each) && !each.isEntered)) return zeroCents;
  const counted = isZeroRated(each) ? zeroCents : fraction(grossOf(each));
  return (each.tax - counted) as Cents;
};

/** Of a bad debt: its share of tax, which no box of totals has. */
const ofDebt: Figure = (each) => (isStandard(each) ? fraction(grossOf(each)) : each.tax);

const treatments: Treatments = {
  OUTPUT: {
    side: "sales",
    boxes: { 5: grossOf, 6: (each) => (isZeroRated(each) ? grossOf(each) : zeroCents), 9: missed },
  },
  INPUT: {
    side: "purchases",
    boxes: { 11: (each) => (isZeroRated(each) ? zeroCents : grossOf(each)), 13: missed },
  },
  // A debt is written off by a credit note to the customer on an account of costs, and charged
  // again by an invoice on it.
  "INPUT EXPENSE ACCRECCREDIT": { side: "purchases", boxes: { 13: ofDebt } },
  "INPUT EXPENSE ACCREC": { side: "sales", boxes: { 9: ofDebt } },
  // All of a line of imports is tax.
  GSTONIMPORTS: { side: "purchases", boxes: { 13: grossOf } },
  EXEMPTOUTPUT: { side: "sales", boxes: {} },
  EXEMPTINPUT: { side: "purchases", boxes: {} },
  NONE: { side: "purchases", boxes: {} },
};

/** What of the adjustments comes from tax amounts that were entered; nothing where none were. */
function reconciling(sums: readonly TaxedSum[]) {
  const inBox = boxed(
    treatments,
    sums.filter(({ isEntered }) => isEntered),
  );
  const rows = (["9", "13"] as const).map(
    (box) =>
      [`Entered ${box}`, `Included in Box ${box}: tax that was entered`, inBox(box)] as const,
  );
  return rows.filter(([, , amount]) => amount !== 0);
}

/** The return, with every box. */
export function gstReturn(request: TaxReturnRequest): TaxReturn {
  const { registration, basis, range, sums, entered } = request;
  const inBox = boxed(treatments, sums);
  const entry = (id: string) => entered.get(id) ?? zeroCents;
  const box5 = inBox("5");
  const box6 = inBox("6");
  const box7 = (box5 - box6) as Cents;
  const box8 = fraction(box7);
  const box9 = add(inBox("9"), entry("9"));
  const box10 = add(box8, box9);
  const box11 = inBox("11");
  const box12 = fraction(box11);
  const box13 = add(inBox("13"), entry("13"));
  const box14 = add(box12, box13);
  const period = `${mediumDate(range.from)} to ${mediumDate(range.to)}`;
  return {
    attributes: rangeAttributes(range),
    fields: [
      ...fieldsOf([
        ["1", "Registration number", registration],
        ["GSTBasis", "GST accounting method", basis === "cash" ? "Payments" : "Invoice"],
        ["PeriodCovered", "Period covered by the return", period],
        ["From", "From", range.from],
        ["2", "To", range.to],
        [
          "5",
          "Total sales and income for the period (including GST and zero-rated supplies)",
          box5,
        ],
        ["6", "Zero-rated supplies included in Box 5", box6],
        ["7", "Box 5 less Box 6", box7],
        ["8", "Box 7 multiplied by three and divided by twenty-three", box8],
        ["9", "Adjustments", box9],
        ["10", "Total GST collected on sales and income", box10],
        ["11", "Total purchases and expenses for the period (including GST)", box11],
        ["12", "Box 11 multiplied by three and divided by twenty-three", box12],
        ["13", "Credit adjustments", box13],
        ["14", "Total GST credit for purchases and expenses", box14],
        [
          "15",
          "Difference between Box 10 and Box 14: to pay, or a refund when negative",
          add(box10, negated(box14)),
        ],
        ...reconciling(sums),
      ]),
      ...remarks(treatments, sums),
    ],
  };
}
