/** Periods of tax returns. */
import type { Organisation } from "../../../../resources/organisation.ts";
import { type ReturnType, returnTypes, taxReturns } from "../../../../resources/tax-report.ts";
import {
  addDays,
  addMonths,
  type DateRange,
  type DateText,
  endOfMonth,
  financialYear,
  startOfMonth,
} from "../../../dates/calendar.ts";

type Registration = Pick<
  Organisation,
  | "CountryCode"
  | "SalesTaxBasis"
  | "SalesTaxPeriod"
  | "FinancialYearEndDay"
  | "FinancialYearEndMonth"
>;

/** The return type of an organisation; undefined when its country has none here. */
export function returnTypeOf({ CountryCode }: Pick<Registration, "CountryCode">) {
  return returnTypes.find((type): type is ReturnType => taxReturns[type].country === CountryCode);
}

/** Number of months in a tax period; undefined when the organisation makes no returns. */
export function returnMonths({ SalesTaxBasis, SalesTaxPeriod }: Registration): number | undefined {
  if (SalesTaxBasis === "NONE" || SalesTaxPeriod === "NONE") return undefined;
  const lengths: Readonly<Record<string, number>> = {
    MONTHLY: 1,
    ONEMONTHS: 1,
    "1MONTHLY": 1,
    TWOMONTHS: 2,
    "2MONTHLY": 2,
    QUARTERLY: 3,
    QUARTERLY1: 3,
    QUARTERLY2: 3,
    QUARTERLY3: 3,
    "3MONTHLY": 3,
    SIXMONTHS: 6,
    "6MONTHLY": 6,
    YEARLY: 12,
    ANNUALLY: 12,
  };
  return lengths[SalesTaxPeriod];
}

/** The period of the return that follows one ending on the day before `from`. */
export function returnFrom(from: DateText, monthCount: number): DateRange {
  return { from, to: endOfMonth(addMonths(startOfMonth(from), monthCount - 1)) };
}

/**
 * The period of the next return: after the last published one; without any, the period containing
 * `today`, counted from the first day of the financial year.
 *
 * @param filedTo  the last day of the last published return
 * @returns undefined for an organisation that makes no returns
 */
export function nextReturn(
  registration: Registration,
  today: DateText,
  filedTo: DateText | undefined,
): DateRange | undefined {
  const monthCount = returnMonths(registration);
  if (monthCount === undefined) return undefined;
  if (filedTo !== undefined) return returnFrom(addDays(filedTo, 1), monthCount);
  const { FinancialYearEndDay, FinancialYearEndMonth } = registration;
  const year = financialYear(today, FinancialYearEndDay, FinancialYearEndMonth);
  let period = returnFrom(startOfMonth(year.from), monthCount);
  while (period.to < today) period = returnFrom(addDays(period.to, 1), monthCount);
  return period;
}

/**
 * The due period to suggest when the given days are no period of the organisation; undefined when
 * they are one. Before the first return, any period counted from the first day of a financial year
 * is valid.
 */
export function suggestedPeriod(
  registration: Registration,
  days: DateRange,
  filedTo: DateText | undefined,
): DateRange | undefined {
  const due = nextReturn(registration, days.to, filedTo);
  return due === undefined || (due.from === days.from && due.to === days.to) ? undefined : due;
}
