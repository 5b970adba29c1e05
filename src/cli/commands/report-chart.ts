/** `--chart` of reports: draws figures as bars, by month or week for reports with periods. */
import {
  addDays,
  addMonths,
  type DateRange,
  daysBetween,
  endOfMonth,
  startOfMonth,
} from "../../ledger/dates/calendar.ts";
import { chartOf, titlesOf } from "../../output/chart/report-chart.ts";
import { reportTable } from "../../output/report-table.ts";
import { UsageError } from "../../resources/errors.ts";
import {
  comparedPeriodsMax,
  type ReportChart,
  type ReportDescription,
  weeksMax,
} from "../../resources/report.ts";
import type { Report } from "../../wire/report.ts";
import type { Context } from "../context/context.ts";
import { checkDrawn } from "../render/out.ts";
import { ownOrganisation } from "./organisation.ts";

type ChartFlags = Readonly<Record<string, string>>;

/**
 * Refuses a chart that cannot be drawn, before any request.
 *
 * @throws UsageError
 */
export function checkChart({ flags }: Context, { chart, title }: ReportDescription): void {
  if (chart === undefined) {
    throw new UsageError("BadFlags", `${title} has no chart; leave --chart out.`);
  }
  checkDrawn({ format: flags.output, columns: flags.columns });
}

/**
 * Draws the chart of a report. A report that supports periods but was asked for none is read by
 * month or week over the requested days, so that each bar is a column of it.
 *
 * @param parameters  parameters of the report
 */
export async function showChart(
  ctx: Context,
  description: ReportDescription,
  parameters: ChartFlags,
  read: (chartFlags: ChartFlags) => Promise<Report>,
): Promise<void> {
  const { chart: described, title } = description;
  if (described === undefined) return;
  const stepped = chartColumns(described, parameters, await ctx.today());
  const report = await read(stepped?.flags ?? parameters);
  const { BaseCurrency } = await ownOrganisation(ctx);
  const drawnChart = chartOf(report, BaseCurrency);
  if (drawnChart === undefined) {
    ctx.out.say(`There is nothing to draw: ${title} has no figures here.`);
    return;
  }
  // Weekly columns are cut to the requested days, and titled by them.
  const isWeeks = stepped?.flags.timeframe === "WEEK";
  const titles = isWeeks ? report.ReportTitles : titlesOf(report.ReportTitles, drawnChart);
  // Bars that extend beyond the requested days do not add up to the figure of the report.
  const isSum = drawnChart.isSum && stepped?.isWider !== true;
  await ctx.out.chart({
    titles,
    charts: [{ ...drawnChart, title: titles.join(", "), isSum }],
    table: async () => {
      if (stepped === undefined) return reportTable(report);
      const hasDays = parameters.fromDate !== undefined || parameters.toDate !== undefined;
      return hasDays ? reportTable(await read(parameters)) : { ...reportTable(report), titles };
    },
  });
}

const stepMonths = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** Maximum count of columns in a report. */
const columnsMost = comparedPeriodsMax + 1;

interface SteppedChart {
  readonly flags: ChartFlags;
  /** Whether the columns begin before the requested days, or end after them. */
  readonly isWider: boolean;
}

/**
 * Returns report parameters for one column per step of the requested days: weeks, or whole months;
 * the last twelve months when no days are given. Undefined where periods or tracking already define
 * columns.
 */
export function chartColumns(
  { steps }: ReportChart,
  query: ChartFlags,
  today: string,
): SteppedChart | undefined {
  const isSettled = Object.keys(query).some((name) => /^(periods|timeframe|tracking)/.test(name));
  if (steps === undefined || isSettled) return undefined;
  const range = rangeOf(steps, query, today);
  const weekCount = Math.ceil((daysBetween(range.from, range.to) + 1) / 7);
  if (steps === "WEEK" && weekCount <= weeksMax) {
    const { from: fromDate, to: toDate } = range;
    return { flags: { ...query, fromDate, toDate, timeframe: "WEEK" }, isWider: false };
  }
  const months = monthsIn(range);
  const timeframe =
    (["MONTH", "QUARTER"] as const).find((value) => months / stepMonths[value] <= columnsMost) ??
    "YEAR";
  const step = stepMonths[timeframe];
  const count = Math.min(columnsMost, Math.ceil(months / step));
  const lastStart = addMonths(startOfMonth(range.to), 1 - step);
  const firstStart = addMonths(lastStart, -step * (count - 1));
  const lastDay = endOfMonth(range.to);
  return {
    flags: {
      ...query,
      fromDate: lastStart,
      toDate: lastDay,
      ...(count > 1 && { periods: String(count - 1) }),
      timeframe,
    },
    isWider: firstStart !== range.from || lastDay !== range.to,
  };
}

function rangeOf(
  steps: "WEEK" | "MONTH",
  { fromDate, toDate }: ChartFlags,
  today: string,
): DateRange {
  if (fromDate === undefined && toDate === undefined) {
    const from =
      steps === "WEEK"
        ? addDays(today, 1 - 7 * columnsMost)
        : addMonths(startOfMonth(today), 1 - columnsMost);
    return { from, to: steps === "WEEK" ? today : endOfMonth(today) };
  }
  return {
    from: fromDate ?? startOfMonth(toDate ?? today),
    to: toDate ?? endOfMonth(fromDate ?? today),
  };
}

function monthsIn({ from, to }: DateRange): number {
  const [first = 0, last = 0] = [from, to].map(
    (day) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)),
  );
  return Math.max(1, last - first + 1);
}
