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
import { mediumDate } from "../calendar.ts";
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
} from "./tax-return.ts";

/** Boxes that take what the ledger cannot know, on top of what it does. */
export const gstReturnEntries = ["9", "13"] as const;

const standardRate = 150_000;

/** The tax in an amount that includes it at the standard rate. */
const fraction = (gross: Cents): Cents => multiplyDivide(gross, 3, 23) as Cents;

/** What the fraction misses of the tax of sums at other rates than the standard one. */
function missed(sums: readonly TaxedSum[], side: 1 | -1): Cents {
  return sum(
    sums
      .filter(({ rate }) => rate !== standardRate && rate !== 0)
      .map((each) => (side * (each.tax - fraction(boughtGross([each])))) as Cents),
  );
}

/** The return, with every box. */
export function gstReturn(request: TaxReturnRequest): TaxReturn {
  const { registration, basis, range, sums, entered } = request;
  const of = (type: string) => sums.filter(({ reportTaxType }) => reportTaxType === type);
  const sales = of("OUTPUT");
  const purchases = of("INPUT").filter(({ rate }) => rate !== 0);
  const entry = (id: string) => entered.get(id) ?? zeroCents;
  const box5 = soldGross(sales);
  const box6 = soldGross(sales.filter(({ rate }) => rate === 0));
  const box7 = (box5 - box6) as Cents;
  const box8 = fraction(box7);
  const box9 = add(missed(sales, -1), entry("9"));
  const box10 = add(box8, box9);
  const box11 = boughtGross(purchases);
  const box12 = fraction(box11);
  // All of a line of imports is tax.
  const box13 = sum([missed(purchases, 1), boughtGross(of("GSTONIMPORTS")), entry("13")]);
  const box14 = add(box12, box13);
  const period = `${mediumDate(range.from)} to ${mediumDate(range.to)}`;
  return {
    attributes: rangeAttributes(range),
    fields: fieldsOf([
      ["1", "Registration number", registration],
      ["GSTBasis", "GST accounting method", basis === "cash" ? "Payments" : "Invoice"],
      ["PeriodCovered", "Period covered by the return", period],
      ["From", "From", range.from],
      ["2", "To", range.to],
      ["5", "Total sales and income for the period (including GST and zero-rated supplies)", box5],
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
    ]),
  };
}
