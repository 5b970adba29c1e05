/** Building blocks of reports: figures, rows, columns. */

import type { Account } from "../../resources/account.ts";
import { RefusedError } from "../../resources/errors.ts";
import { comparedPeriodsMax, timeframes, weeksMax } from "../../resources/report.ts";
import { compareText } from "../../wire/fold.ts";
import type { Cell, CellAttribute, CellValue, Row } from "../../wire/report.ts";
import {
  addDays,
  addMonths,
  type DateRange,
  type DateText,
  daysBetween,
  endOfMonth,
  laterDate,
  startOfMonth,
} from "../dates/calendar.ts";
import { type Figure, figureValue, type Sums, unitForms } from "../figures/expression.ts";
import type { Basis } from "../journal.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";

/** The account fields that reports use. */
export type AccountInfo = Pick<
  Account,
  "AccountID" | "Code" | "Name" | "Type" | "Class" | "SystemAccount"
>;

export type { Sums } from "../figures/expression.ts";

/** A report without the service's own data: its id and time. */
export interface ReportBody {
  readonly titles: string[];
  /** Basis of the report, if it differs from the one requested. */
  readonly basis?: Basis;
  /** Currency of the amounts, if it is not the base currency. */
  readonly currency?: string;
  readonly rows: ReportRow[];
}

interface FigureCell extends Cell<CellValue> {
  readonly figure?: Figure;
  /** Id of the column, in a heading row. */
  readonly id?: string;
}

/** A report row before encoding, with its id and its figures. */
export interface ReportRow extends Omit<Row, "Cells" | "Rows"> {
  /** Id by which programs identify the row, independent of its label. */
  readonly id?: string | undefined;
  readonly Cells?: readonly FigureCell[];
  readonly Rows?: readonly ReportRow[];
}

/** The sum of an account in one column. */
export const figure = (sumsById: Sums, account: AccountInfo): Cents =>
  sumsById.get(account.AccountID) ?? zeroCents;

export const negated = (amount: Cents): Cents => (amount === 0 ? 0 : -amount) as Cents;

export const isProfitAndLoss = ({ Class }: AccountInfo): boolean =>
  Class === "REVENUE" || Class === "EXPENSE";

/** The net profit in `sumsById`, positive for a profit. */
export function netProfit(accounts: readonly AccountInfo[], sumsById: Sums): Cents {
  return negated(sum(accounts.filter(isProfitAndLoss).map((account) => figure(sumsById, account))));
}

/**
 * Closing balances as a trial balance shows them: for profit and loss accounts the movement of the
 * year of the day, and for Retained Earnings also the profit of earlier years.
 *
 * @param balanceById    from the beginning of the book, all accounts
 * @param yearSums  from the first day of the financial year, all accounts
 */
export function closingBalances(
  accounts: readonly AccountInfo[],
  balanceById: Sums,
  yearSums: Sums,
): Sums {
  const earlier = add(netProfit(accounts, balanceById), negated(netProfit(accounts, yearSums)));
  return new Map(
    accounts.map((account) => {
      const postedAmount = figure(isProfitAndLoss(account) ? yearSums : balanceById, account);
      const isRetained = account.SystemAccount === "RETAINEDEARNINGS";
      return [account.AccountID, isRetained ? add(postedAmount, negated(earlier)) : postedAmount];
    }),
  );
}

/**
 * Compares accounts by name, case-insensitive, then by code. Without `Intl`, which slows down the
 * start of a command.
 */
export function byName(a: AccountInfo, b: AccountInfo): number {
  return (
    compareText(a.Name.toLowerCase(), b.Name.toLowerCase()) ||
    compareText(a.Code ?? "", b.Code ?? "")
  );
}

/** Compares accounts by code; those without a code come last, by name. */
export const byCode = (a: AccountInfo, b: AccountInfo): number =>
  compareText(a.Code ?? "\uffff", b.Code ?? "\uffff") || compareText(a.Name, b.Name);

// --- rows ------------------------------------------------------------------------------------

/** Heading of a column; with the id by which programs identify it, where needed. */
export type ColumnHeading = string | readonly [id: string, heading: string];

export function headerRow(headings: readonly ColumnHeading[]): ReportRow {
  return {
    RowType: "Header",
    Cells: headings.map((heading) =>
      typeof heading === "string" ? { Value: heading } : { Value: heading[1], id: heading[0] },
    ),
  };
}

export function sectionRow<R extends ReportRow>(title: string, rows: readonly R[]) {
  return { RowType: "Section", Title: title, Rows: rows } as const;
}

/**
 * A row of values (an empty text is a cell without one) and figures; every cell gets `attributes`.
 */
export function textRow(
  type: "Row" | "SummaryRow",
  values: readonly (CellValue | Figure)[],
  attributes?: readonly CellAttribute[],
  id?: string,
): ReportRow {
  const shared = attributes === undefined ? {} : { Attributes: attributes };
  const cellOf = (value: CellValue | Figure) =>
    value === ""
      ? {}
      : typeof value === "object" && "is" in value
        ? figureCell(value)
        : { Value: value };
  return {
    ...{ RowType: type, id },
    Cells: values.map((value) => ({ ...cellOf(value), ...shared })),
  };
}

/** A row of figures, with the label and id of the first. */
export function figureRow(type: "Row" | "SummaryRow", figures: readonly Figure[]): ReportRow {
  const [first] = figures;
  return {
    ...{ RowType: type, id: first?.id },
    Cells: [{ Value: first?.label ?? "" }, ...figures.map(figureCell)],
  };
}

/**
 * A row of an account's figures; every cell has the account attribute, amounts also those of
 * `extra` by column.
 */
export function accountFigures(
  figures: readonly Figure[],
  extra: (column: number) => readonly CellAttribute[] = () => [],
): ReportRow {
  const { RowType, id = "", Cells = [] } = figureRow("Row", figures);
  const account = accountAttribute(id);
  return {
    RowType,
    Cells: Cells.map((cell, at) => ({
      ...cell,
      Attributes: [account, ...(at === 0 ? [] : extra(at - 1))],
    })),
  };
}

/** Whether any figure of a row has a non-zero amount. */
export const hasAmount = (figures: readonly Figure[]): boolean =>
  figures.some((figure) => figureValue(figure) !== 0);

/** A cell with the value of a figure; without a value when the divisor is zero. */
export function figureCell(figure: Figure): FigureCell {
  const amount = figureValue(figure);
  return amount === undefined
    ? { figure }
    : { Value: { amount, ...unitForms[figure.unit] }, figure };
}

/** The attribute that links a cell to an account. */
export const accountAttribute = (id: string): CellAttribute => ({ Value: id, Id: "account" });

// --- columns ---------------------------------------------------------------------------------

export type Timeframe = (typeof timeframes)[number];

const monthsIn: Readonly<Record<Timeframe, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/**
 * The range of each column of a report with periods, newest first.
 *
 * Each column is the next newer one moved back by a timeframe, keeping the day numbers; a range
 * that ends with its month moves to ranges that end with theirs: before 1 to 30 June comes 1 to 31
 * May.
 *
 * @param periodCount  number of comparison columns, 1 to 11; undefined for none
 * @throws RefusedError `Periods`
 */
export function reportPeriods(
  from: DateText,
  to: DateText,
  periodCount?: number | undefined,
  timeframe: Timeframe = "MONTH",
): DateRange[] {
  return Array.from({ length: columnsOf(periodCount, 0) }, (_, column) => {
    const monthCount = -column * monthsIn[timeframe];
    const end = addMonths(to, monthCount);
    return { from: addMonths(from, monthCount), to: to === endOfMonth(to) ? endOfMonth(end) : end };
  });
}

/** Whether columns with this range, a timeframe apart, overlap. */
export const areOverlapping = ({ from, to }: DateRange, timeframe: Timeframe): boolean =>
  (reportPeriods(from, to, 1, timeframe)[1]?.to ?? "") >= from;

/**
 * The timeframe for comparing a range with earlier ones: the one of the same length; a month for
 * parts of a month, a year for 52 weeks.
 *
 * @returns undefined when no timeframe has that length
 */
export function timeframeOf(range: DateRange): Timeframe | undefined {
  const dayBefore = addDays(range.from, -1);
  const isNext = (timeframe: Timeframe) =>
    reportPeriods(range.from, range.to, 1, timeframe)[1]?.to === dayBefore;
  const exact = timeframes.find(isNext);
  if (exact !== undefined) return exact;
  if (!areOverlapping(range, "MONTH")) return "MONTH";
  const isYear = daysBetween(range.from, range.to) > 357 && !areOverlapping(range, "YEAR");
  return isYear ? "YEAR" : undefined;
}

/**
 * The weeks of a range, newest first: seven days each back from the last, the earliest may be
 * shorter.
 *
 * @throws RefusedError `Periods`
 */
export function reportWeeks(from: DateText, to: DateText): DateRange[] {
  const count = Math.ceil((daysBetween(from, to) + 1) / 7);
  if (count > weeksMax) {
    throw new RefusedError(
      "Periods",
      `By the week a report has at most ${weeksMax} of them; ${from} to ${to} are ${count}.`,
    );
  }
  return Array.from({ length: count }, (_, column) => {
    const endDate = addDays(to, -7 * column);
    return { from: laterDate(from, addDays(endDate, -6)), to: endDate };
  });
}

/**
 * The range of a profit and loss as requested; by default the month of `today`.
 *
 * @throws RefusedError `DateRange` when it ends before it begins
 */
export function reportRange(
  fromDate: DateText | undefined,
  toDate: DateText | undefined,
  today: DateText,
): DateRange {
  const range = {
    from: fromDate ?? startOfMonth(toDate ?? today),
    to: toDate ?? endOfMonth(fromDate ?? today),
  };
  if (range.to < range.from) {
    throw new RefusedError("DateRange", "The fromDate must not be after the toDate.");
  }
  return range;
}

/**
 * The date of each column of a balance sheet, newest first: month ends, or the exact day.
 *
 * @param date     any day of the month whose end is the first column
 * @param periodCount  number of comparison columns, 1 to 11, with `isExact` also 0; by default one: a
 *   year earlier, or one timeframe earlier if that is given
 * @param isExact  uses the day itself, and the same day of earlier months
 * @throws RefusedError `Periods`
 */
export function balanceDates(
  date: DateText,
  periodCount?: number | undefined,
  timeframe?: Timeframe | undefined,
  isExact = false,
): DateText[] {
  const step = monthsIn[timeframe ?? (periodCount === undefined ? "YEAR" : "MONTH")];
  if (isExact && periodCount === 0) return [date];
  const isEnd = !isExact || date === endOfMonth(date);
  return Array.from({ length: columnsOf(periodCount, 1) }, (_, column) => {
    const months = -column * step;
    return isEnd ? endOfMonth(addMonths(startOfMonth(date), months)) : addMonths(date, months);
  });
}

function columnsOf(periodCount: number | undefined, defaultCount: number): number {
  if (periodCount === undefined) return defaultCount + 1;
  if (Number.isInteger(periodCount) && periodCount >= 1 && periodCount <= comparedPeriodsMax)
    return periodCount + 1;
  throw new RefusedError(
    "Periods",
    `The periods must be a whole number from 1 to ${comparedPeriodsMax}.`,
  );
}
