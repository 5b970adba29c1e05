/** Columns of the profit and loss as an accountant's paper: the days, the year so far, last year. */
import { type DateRange, financialYear, type YearEnd } from "../../dates/calendar.ts";
import { reportPeriods } from "../report-rows.ts";

/**
 * Returns the days asked for, the financial year up to their end, and the same of the year before;
 * days that are the year so far, or begin before it, stand beside those of the year before alone.
 */
export function profitColumns(days: DateRange, { day, month }: YearEnd): DateRange[] {
  const year = financialYear(days.to, day, month);
  const columns = days.from > year.from ? [days, { from: year.from, to: days.to }] : [days];
  const lastColumn = columns.at(-1) ?? days;
  return [...columns, ...reportPeriods(lastColumn.from, lastColumn.to, 1, "YEAR").slice(1)];
}
