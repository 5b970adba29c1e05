/**
 * The days of the postings behind each report column: used for explanations of figures and by pages
 * that link figures to the ledger of these days.
 */

import type { DrilledReport } from "../../resources/report.ts";
import {
  addDays,
  type DateRange,
  endOfMonth,
  financialYear,
  startOfMonth,
  type YearEnd,
} from "../dates/calendar.ts";
import { balanceDates, reportPeriods, reportRange, type Timeframe } from "./report-rows.ts";

/** A report request. */
export interface SpanRequest {
  /** Parameters by API name. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly today: string;
  readonly yearEnd: YearEnd;
}

/** A range of days whose postings are summed, or at whose end a balance is taken. */
export interface Span extends DateRange {
  /**
   * Whether the figure is a balance at the end of `to`; `from` is then the first day of its
   * financial year.
   */
  readonly isBalance: boolean;
  /** Filter: TrackingOptionIDs of the postings. */
  readonly options?: readonly (string | undefined)[];
}

/** The span by column, from 0, names excluded; undefined for a column without days. */
export type Spans = (column: number) => Span | undefined;

const rangeOf = ({ parameters, today }: SpanRequest): DateRange =>
  reportRange(parameters.fromDate, parameters.toDate, today);

function balanceAt({ yearEnd }: SpanRequest, day: string, options?: Span["options"]): Span {
  const { from } = financialYear(day, yearEnd.day, yearEnd.month);
  return { from, to: day, isBalance: true, ...(options === undefined ? {} : { options }) };
}

const moved = (range: DateRange, options?: Span["options"]): Span => ({
  ...range,
  isBalance: false,
  ...(options === undefined ? {} : { options }),
});

const periodsOf = ({ parameters: { periods } }: SpanRequest) =>
  periods === undefined ? undefined : Number(periods);

const timeframeOf = ({ parameters: { timeframe } }: SpanRequest) =>
  timeframe?.toUpperCase() as Timeframe | undefined;

/** Both tracking options of a balance sheet or a ledger. */
const optionsOf = ({ parameters }: SpanRequest) => [
  parameters.trackingOptionID1,
  parameters.trackingOptionID2,
];

/**
 * Span functions of every report whose figures link to the ledger; profit and loss by tracking has
 * no periods.
 */
export const spansOf = {
  ProfitAndLoss(request) {
    const { from, to } = rangeOf(request);
    const columns = reportPeriods(from, to, periodsOf(request), timeframeOf(request));
    return (column) => {
      const range = columns[column - 1];
      return range && moved(range);
    };
  },
  BalanceSheet(request) {
    const { date = request.today } = request.parameters;
    const isExact = request.parameters.exactDate === "true";
    const dates = balanceDates(date, periodsOf(request), timeframeOf(request), isExact);
    return (column) => {
      const day = dates[column - 1];
      return day === undefined ? undefined : balanceAt(request, day, optionsOf(request));
    };
  },
  TrialBalance(request) {
    const { date = request.today, layout } = request.parameters;
    if (layout === "accountant") {
      const year = { ...balanceAt(request, date), isBalance: false };
      const [, prior = date] = balanceDates(date, 1, "YEAR", true);
      return (column) => {
        if (column < 3) return undefined;
        return column <= 4 ? year : balanceAt(request, column <= 6 ? date : prior);
      };
    }
    const month = { from: startOfMonth(date), to: date };
    return (column) => (column <= 2 ? moved(month) : balanceAt(request, date));
  },
  GeneralLedger(request) {
    const range = rangeOf(request);
    const options = optionsOf(request);
    return (column) => {
      if (column === 2) return balanceAt(request, addDays(range.from, -1), options);
      return column > 2 ? moved(range, options) : undefined;
    };
  },
  BudgetVariance(request) {
    const { from, to } = rangeOf(request);
    const months = { from: startOfMonth(from), to: endOfMonth(to) };
    return (column) => (column === 1 ? moved(months) : undefined);
  },
  BankSummary(request) {
    const range = rangeOf(request);
    return (column) => (column === 1 ? balanceAt(request, addDays(range.from, -1)) : moved(range));
  },
} as const satisfies Readonly<Record<DrilledReport, (request: SpanRequest) => Spans>>;
