/**
 * The days of the postings behind each report column, from the parameters of the report: figures
 * link to the ledger of these days, also those of services that explain none.
 */

import {
  addDays,
  type DateRange,
  endOfMonth,
  financialYear,
  startOfMonth,
  type YearEnd,
} from "../../../ledger/dates/calendar.ts";
import { profitColumns } from "../../../ledger/reports/layouts/profit-columns.ts";
import {
  balanceDates,
  reportPeriods,
  reportRange,
  type Timeframe,
} from "../../../ledger/reports/report-rows.ts";
import type { DrilledReport } from "../../../resources/report.ts";

/** A report request. */
export interface SpanRequest {
  /** Parameters by API name. */
  readonly parameters: Readonly<Record<string, string | undefined>>;
  readonly today: string;
  readonly yearEnd: YearEnd;
}

/**
 * A range of days whose postings are summed, or at whose end a balance is taken; the range of a
 * balance begins with its financial year.
 */
export interface Span extends DateRange {
  /** Filter: TrackingOptionIDs of the postings. */
  readonly options?: readonly (string | undefined)[] | undefined;
}

/** The span by column, from 0, names excluded; undefined for a column without days. */
export type Spans = (column: number) => Span | undefined;

const rangeOf = ({ parameters, today }: SpanRequest): DateRange =>
  reportRange(parameters.fromDate, parameters.toDate, today);

function balanceAt({ yearEnd }: SpanRequest, day: string, options?: Span["options"]): Span {
  const { from } = financialYear(day, yearEnd.day, yearEnd.month);
  return { from, to: day, options };
}

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
    const [periods, timeframe] = [periodsOf(request), timeframeOf(request)];
    const isAccountant = request.parameters.layout === "accountant";
    const columns =
      isAccountant && periods === undefined && timeframe === undefined
        ? profitColumns({ from, to }, request.yearEnd)
        : reportPeriods(from, to, periods, timeframe);
    return (column) => columns[column - 1];
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
    return (column) => (column <= 2 ? month : balanceAt(request, date));
  },
  GeneralLedger(request) {
    const range = rangeOf(request);
    const options = optionsOf(request);
    return (column) => {
      if (column === 2) return balanceAt(request, addDays(range.from, -1), options);
      return column > 2 ? { ...range, options } : undefined;
    };
  },
  BudgetVariance(request) {
    const { from, to } = rangeOf(request);
    const months = { from: startOfMonth(from), to: endOfMonth(to) };
    return (column) => (column === 1 ? months : undefined);
  },
  BankSummary(request) {
    const range = rangeOf(request);
    return (column) => (column === 1 ? balanceAt(request, addDays(range.from, -1)) : range);
  },
} as const satisfies Readonly<Record<DrilledReport, (request: SpanRequest) => Spans>>;
