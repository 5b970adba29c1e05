/** What reports are put together from: figures, rows, columns. */

import type { Account } from "../../resources/account.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import { RefusedError } from "../../resources/errors.ts";
import { comparedPeriodsMax, timeframes, weeksMax } from "../../resources/report.ts";
import type { Cell, CellAttribute, Row } from "../../wire/report.ts";
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
import { type Figure, figureValue, type Sums, scaleOfUnit } from "../figures/expression.ts";
import type { Basis } from "../journal.ts";
import { add, type Cents, sum, zeroCents } from "../money.ts";

/** What a report needs to know of an account. */
export type AccountInfo = Pick<
  Account,
  "AccountID" | "Code" | "Name" | "Type" | "Class" | "SystemAccount"
>;

export type { Sums } from "../figures/expression.ts";

/** A report without what only the service knows: its id and when it was made. */
export interface ReportBody {
  readonly titles: string[];
  /** Where it is not the one that was asked for. */
  readonly basis?: Basis;
  /** Where its amounts are not in the base currency. */
  readonly currency?: string;
  readonly rows: ReportRow[];
}

interface FigureCell extends Cell {
  readonly figure?: Figure;
  /** Of a heading. */
  readonly id?: string;
}

/** A row before it is written: with its id, and what its figures are. */
export interface ReportRow extends Omit<Row, "Cells" | "Rows"> {
  /** By it programs find the row again, whatever its label is. */
  readonly id?: string | undefined;
  readonly Cells?: readonly FigureCell[];
  readonly Rows?: readonly ReportRow[];
}

/** What an account comes to in one column. */
export const figure = (sums: Sums, account: AccountInfo): Cents =>
  sums.get(account.AccountID) ?? zeroCents;

export const negated = (amount: Cents): Cents => (amount === 0 ? 0 : -amount) as Cents;

export const isProfitAndLoss = ({ Class }: AccountInfo): boolean =>
  Class === "REVENUE" || Class === "EXPENSE";

/** The net profit in `sums`, positive for a profit. */
export function netProfit(accounts: readonly AccountInfo[], sums: Sums): Cents {
  return negated(sum(accounts.filter(isProfitAndLoss).map((account) => figure(sums, account))));
}

/**
 * The balances of a day as a trial balance shows them: of profit and loss accounts what the year of
 * the day came to, and with Retained Earnings the profit of earlier years.
 *
 * @param balances    from the beginning of the book, all accounts
 * @param yearToDate  from the first day of the financial year, all accounts
 */
export function closingBalances(
  accounts: readonly AccountInfo[],
  balances: Sums,
  yearToDate: Sums,
): Sums {
  const earlier = add(netProfit(accounts, balances), negated(netProfit(accounts, yearToDate)));
  return new Map(
    accounts.map((account) => {
      const posted = figure(isProfitAndLoss(account) ? yearToDate : balances, account);
      const isRetained = account.SystemAccount === "RETAINEDEARNINGS";
      return [account.AccountID, isRetained ? add(posted, negated(earlier)) : posted];
    }),
  );
}

/** By name, case-insensitive, then by code. Without `Intl`, which costs a command its start. */
export function byName(a: AccountInfo, b: AccountInfo): number {
  return (
    compareText(a.Name.toLowerCase(), b.Name.toLowerCase()) ||
    compareText(a.Code ?? "", b.Code ?? "")
  );
}

export const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

// --- rows ------------------------------------------------------------------------------------

/** What a column is called; with the id by which programs find it, where they look for it. */
export type ColumnHeading = string | readonly [id: string, heading: string];

export function headerRow(headings: readonly ColumnHeading[]): ReportRow {
  return {
    RowType: "Header",
    Cells: headings.map((each) =>
      typeof each === "string" ? { Value: each } : { Value: each[1], id: each[0] },
    ),
  };
}

export function section<R extends ReportRow>(title: string, rows: readonly R[]) {
  return { RowType: "Section", Title: title, Rows: rows } as const;
}

/** A row of texts, of which empty ones are cells without a value, and figures; `attributes` stand on each. */
export function textRow(
  type: "Row" | "SummaryRow",
  values: readonly (string | Figure)[],
  attributes?: readonly CellAttribute[],
  id?: string,
): ReportRow {
  const shared = attributes === undefined ? {} : { Attributes: attributes };
  const cellOf = (value: string | Figure) =>
    typeof value === "string" ? (value === "" ? {} : { Value: value }) : figureCell(value);
  return {
    ...{ RowType: type, id },
    Cells: values.map((value) => ({ ...cellOf(value), ...shared })),
  };
}

/** A row of figures, called as the first of them, which has its id. */
export function figureRow(type: "Row" | "SummaryRow", figures: readonly Figure[]): ReportRow {
  const [first] = figures;
  return {
    ...{ RowType: type, id: first?.id },
    Cells: [{ Value: first?.label ?? "" }, ...figures.map(figureCell)],
  };
}

/** A row of the figures of an account; every cell carries the account, amounts what `extra` adds by column. */
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

/** A figure is nothing in a row that has no amount in any column. */
export const isAnything = (figures: readonly Figure[]): boolean =>
  figures.some((figure) => figureValue(figure) !== 0);

export const figureCell = (figure: Figure): FigureCell => ({ ...textCell(figure), figure });

/** Without a value where there is nothing to divide by. */
function textCell(figure: Figure): Cell {
  const value = figureValue(figure);
  if (value === undefined) return {};
  const { unit } = figure;
  if (unit === "quantity") return { Value: trimmed(value, scaleOfUnit[unit]) };
  return {
    Value: `${writeDecimal(value, scaleOfUnit[unit])}${unit === "percent" ? "%" : ""}`,
  };
}

/** Without zeros at its end. */
export const trimmed = (value: number | bigint, scale: number): string =>
  writeDecimal(value, scale).replace(/\.?0+$/, "");

/** The attribute that ties a cell to an account. */
export const accountAttribute = (id: string): CellAttribute => ({ Value: id, Id: "account" });

// --- columns ---------------------------------------------------------------------------------

export type Timeframe = (typeof timeframes)[number];

const monthsIn: Readonly<Record<Timeframe, number>> = { MONTH: 1, QUARTER: 3, YEAR: 12 };

/**
 * The range of each column of a report of periods, newest first.
 *
 * A column covers the range before it moved back by one timeframe, keeping the day numbers; one that
 * ends with its month moves to ranges that end with theirs: before 1 to 30 June comes 1 to 31 May.
 *
 * @param periods  how many to compare with, 1 to 11; none is one column
 * @throws RefusedError `Periods`
 */
export function reportPeriods(
  from: DateText,
  to: DateText,
  periods?: number | undefined,
  timeframe: Timeframe = "MONTH",
): DateRange[] {
  return Array.from({ length: columnsOf(periods, 0) }, (_, column) => {
    const months = -column * monthsIn[timeframe];
    const end = addMonths(to, months);
    return { from: addMonths(from, months), to: to === endOfMonth(to) ? endOfMonth(end) : end };
  });
}

/** Whether columns of these days, one timeframe apart, share days. */
export const areOverlapping = ({ from, to }: DateRange, timeframe: Timeframe): boolean =>
  (reportPeriods(from, to, 1, timeframe)[1]?.to ?? "") >= from;

/**
 * The timeframe by which days of a report are compared with those before them: the one that is as long
 * as they are, of parts of a month the month, and of 52 weeks the year.
 *
 * @returns undefined for days that are as long as none
 */
export function timeframeOf(range: DateRange): Timeframe | undefined {
  const before = addDays(range.from, -1);
  const isNext = (timeframe: Timeframe) =>
    reportPeriods(range.from, range.to, 1, timeframe)[1]?.to === before;
  const exact = timeframes.find(isNext);
  if (exact !== undefined) return exact;
  if (!areOverlapping(range, "MONTH")) return "MONTH";
  const isYear = daysBetween(range.from, range.to) > 357 && !areOverlapping(range, "YEAR");
  return isYear ? "YEAR" : undefined;
}

/**
 * The weeks of a range, newest first: seven days each back from the last, the earliest with what is left.
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
    const end = addDays(to, -7 * column);
    return { from: laterDate(from, addDays(end, -6)), to: end };
  });
}

/**
 * The range of a profit and loss from what was asked; the month of `today` when nothing was.
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
 * The date of each column of a balance sheet, newest first: month ends, or the day itself.
 *
 * @param date     any day of the month whose end is the first column
 * @param periods  how many to compare with, 1 to 11, of the day itself also none; when not given,
 *   one: a year earlier, or one timeframe earlier where that is given
 * @param isExact  for the day itself, and the same day of earlier months
 * @throws RefusedError `Periods`
 */
export function balanceDates(
  date: DateText,
  periods?: number | undefined,
  timeframe?: Timeframe | undefined,
  isExact = false,
): DateText[] {
  const step = monthsIn[timeframe ?? (periods === undefined ? "YEAR" : "MONTH")];
  if (isExact && periods === 0) return [date];
  const isEnd = !isExact || date === endOfMonth(date);
  return Array.from({ length: columnsOf(periods, 1) }, (_, column) => {
    const months = -column * step;
    return isEnd ? endOfMonth(addMonths(startOfMonth(date), months)) : addMonths(date, months);
  });
}

function columnsOf(periods: number | undefined, otherwise: number): number {
  if (periods === undefined) return otherwise + 1;
  if (Number.isInteger(periods) && periods >= 1 && periods <= comparedPeriodsMax)
    return periods + 1;
  throw new RefusedError(
    "Periods",
    `The periods must be a whole number from 1 to ${comparedPeriodsMax}.`,
  );
}
