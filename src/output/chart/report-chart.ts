/** Charts of reports, made from the figures of a report as the report's description specifies. */

import { endOfMonth, spanNamed } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import { type ReportChart, type ReportDescription, reports } from "../../resources/report.ts";
import { counted } from "../../resources/scalar.ts";
import type { Report } from "../../wire/report.ts";
import type { Chart, ChartSeries, Point } from "../chart.ts";
import { figureOf, reportTable } from "../report-table.ts";
import type { CellRow, Row, Table } from "../table.ts";

/** Maximum number of points in a chart of named things; the rest is summed in one further point. */
const pointsMost = 12;

/**
 * Chart of a report; undefined where its description has no chart, or the report has no figures.
 *
 * @param currency  base currency of the books, for reports that do not state it
 */
export function chartOf(report: Report, currency?: string): Chart | undefined {
  const descriptions: Readonly<Record<string, ReportDescription>> = reports;
  const described = descriptions[report.ReportType ?? report.ReportID]?.chart;
  if (described === undefined) return undefined;
  const table = reportTable(report);
  const { points, series, axis } =
    described.points === "columns" ? pointsOfColumns(described, table) : ofRows(described, table);
  if (points.length === 0 || hasOverlap(table)) return undefined;
  const lineIndex = Object.keys(described.series).indexOf(described.line ?? "");
  return {
    title: titlesOf(table.titles, { axis, points }).join(", "),
    currency,
    axis,
    form: "bars",
    points,
    series: series.map((series, at) => (at === lineIndex ? { ...series, isLine: true } : series)),
    measure: Math.max(0, lineIndex),
    isSum: described.isSum,
  };
}

/** Titles of a charted report; for several periods, the period runs from the first to the last. */
export function titlesOf(
  titles: readonly string[],
  { axis, points }: Pick<Chart, "axis" | "points">,
): string[] {
  const [first, last] = [points[0], points.at(-1)];
  if (axis !== "time" || first === undefined || last === undefined || first === last) {
    return [...titles];
  }
  return [...titles.slice(0, 2), `${first.label} to ${last.label}`, ...titles.slice(3)];
}

/** Whether the periods of columns overlap; bars side by side would then mislead. */
function hasOverlap({ columns }: Table): boolean {
  const spans = columns.flatMap(({ heading }) => spanNamed(heading) ?? []);
  spans.sort((a, b) => (a.from < b.from ? -1 : 1));
  return spans.some(({ from }, at) => at > 0 && from <= (spans[at - 1]?.to ?? ""));
}

interface ChartData {
  readonly axis: Chart["axis"];
  readonly points: readonly Point[];
  readonly series: readonly ChartSeries[];
}

const cellRows = ({ rows }: Table): CellRow[] =>
  [...(rows as Iterable<Row>)].filter((row): row is CellRow => row.role !== "section");

function centsOf(row: CellRow | undefined, at: number): Cents {
  const cell = row?.cells[at];
  return (cell?.kind === "money" ? (cell.value as number) : 0) as Cents;
}

const nameOf = (row: CellRow): string => String(row.cells[0]?.value ?? "");

/**
 * Makes a point of each column of figures: periods in order of time, or buckets and options as
 * listed.
 */
function pointsOfColumns({ series }: ReportChart, table: Table): ChartData {
  const columns = table.columns
    .map(({ heading, id }, at) => ({ heading, id, at, day: dayOf(heading) }))
    .slice(1)
    .filter(({ id }) => id !== "total");
  const isTime = columns.length > 0 && columns.every(({ day }) => day !== undefined);
  if (isTime) columns.sort((a, b) => ((a.day ?? "") < (b.day ?? "") ? -1 : 1));
  const isMonths = columns.every(({ heading }) => isMonthEnd(heading));
  const rows = cellRows(table);
  return {
    axis: isTime ? "time" : "names",
    points: columns.map(({ heading }) => ({
      label: isTime && isMonths ? heading.replace(/^\d+ /, "") : heading,
    })),
    series: Object.entries(series).map(([name, names]) => {
      const addedRows = rows.filter((row) => names.includes(figureOf(row)));
      return {
        name,
        amounts: columns.map(
          ({ at }) => addedRows.reduce((sum, row) => sum + centsOf(row, at), 0) as Cents,
        ),
      };
    }),
  };
}

/** Makes a point of each record in the rows, the largest first; else of each row of figures. */
function ofRows({ series, rows: named }: ReportChart, table: Table): ChartData {
  const tableRows = cellRows(table);
  const columnIndexes = Object.values(series).map(([id]) =>
    table.columns.findIndex((column) => column.id === id),
  );
  const amountsIn = (row: CellRow) => columnIndexes.map((at) => centsOf(row, at));
  const totalAt = tableRows.findIndex(({ role }) => role === "total");
  const rows =
    named === undefined
      ? tableRows
          .slice(0, totalAt < 0 ? tableRows.length : totalAt)
          .map((row) => ({ label: nameOf(row), amounts: amountsIn(row) }))
      : tableRows
          .filter((row) => named.includes(figureOf(row)))
          .map((row) => ({ label: nameOf(row), amounts: amountsIn(row) }));
  if (named === undefined) rows.sort((a, b) => (b.amounts[0] ?? 0) - (a.amounts[0] ?? 0));
  const isLong = named === undefined && rows.length > pointsMost;
  const shownRows = isLong ? rows.slice(0, pointsMost - 1) : rows;
  const otherRows = rows.slice(shownRows.length);
  const othersPoint = {
    label: counted(otherRows.length, "other"),
    amounts: columnIndexes.map(
      (_, of) => otherRows.reduce((sum, { amounts }) => sum + (amounts[of] ?? 0), 0) as Cents,
    ),
  };
  const points = isLong ? [...shownRows, othersPoint] : shownRows;
  return {
    axis: "names",
    points: points.map(({ label }) => ({ label })),
    series: Object.keys(series).map((name, of) => ({
      name,
      amounts: points.map(({ amounts }) => amounts[of] ?? (0 as Cents)),
    })),
  };
}

// --- headings of periods -------------------------------------------------------------------------

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const periodPattern = /^(?:(\d{1,2}) )?([A-Z][a-z]{2})[ -](\d{2}|\d{4})$/;

/**
 * Last day of the period in a heading, for sorting: `Apr–Jun 26`, `31 Mar 26`, `31 Mar 2026`,
 * `Mar-26`; undefined for other headings.
 */
function dayOf(heading: string): string | undefined {
  const span = spanNamed(heading);
  if (span !== undefined) return span.to;
  const [, day = "1", month = "", year = ""] = periodPattern.exec(heading) ?? [];
  const number = months.indexOf(month) + 1;
  if (number === 0) return undefined;
  const two = (unitText: string | number) => String(unitText).padStart(2, "0");
  return `${year.length === 2 ? `20${year}` : year}-${two(number)}-${two(day)}`;
}

function isMonthEnd(heading: string): boolean {
  const day = dayOf(heading);
  return day !== undefined && day === endOfMonth(day);
}
