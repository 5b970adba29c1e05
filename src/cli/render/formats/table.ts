/** The table format: a record field by field, a list or report as a table. */

import type { Chart } from "../../../output/chart.ts";
import { columnsOf } from "../../../output/columns.ts";
import { shortened } from "../../../output/display-width.ts";
import type { Marks } from "../../../output/figures.ts";
import { listTable } from "../../../output/list-table.ts";
import { reportTable } from "../../../output/report-table.ts";
import type { CellRow, Column, Row } from "../../../output/table.ts";
import { batches, type Formatter } from "../formatter.ts";
import { reportLines } from "../report-lines.ts";
import { safeLine } from "../safe.ts";
import { Table } from "../table-layout.ts";
import { shownText } from "../value-text.ts";
import { recordLines, tableColumn } from "./record-lines.ts";

export const table: Formatter = {
  holds: "columns",
  isLaidOut: true,
  isTextual: true,

  async record(writer, resource, record) {
    const columns = writer.columns && columnsOf(resource, writer.columns);
    const { width } = writer;
    const [marks, paint] = [await writer.marks(), await writer.paint()];
    const lines = recordLines(resource, record, { width, columns, marks, paint });
    await writer.pages((target) => target.write(joined(lines)));
  },

  async records(writer, resource, records) {
    const paths = columnsOf(resource, writer.columns);
    const marks = await writer.marks();
    // Totals are added for people alone; output for programs ends with the last record.
    const summed = marks && { today: writer.today() };
    const { columns, rows } = listTable(resource, paths, records, { summed });
    const { width } = writer;
    const own = paths.map((path) => tableColumn(path, marks));
    const layout = new Table(own, { width, paint: await writer.paint() });
    let isEmpty = true;
    await writer.pages(async (target) => {
      for await (const batch of batches<Row>(rows)) {
        isEmpty = false;
        const held = batch.filter((row) => row.role !== "section");
        const lines = held.filter(({ role }) => role === "line");
        const totals = held.filter(({ role }) => role === "total");
        await target.write(joined(layout.lines(lines.map((row) => texts(row, columns, marks)))));
        await target.write(joined(layout.totals(totals.map((row) => texts(row, columns, marks)))));
      }
    });
    if (isEmpty) writer.say(`No ${inWords(resource.plural)} found.`);
  },

  async report(writer, report) {
    const [marks, paint] = [await writer.marks(), await writer.paint()];
    const lines = reportLines(reportTable(report), { width: writer.width, marks, paint });
    await writer.pages((target) => target.write(joined(lines)));
  },

  async chart(writer, { titles, charts }) {
    const { chartLines } = await import("../../../output/chart/terminal.ts");
    const [marks = exactMarks, paint, blocks] = [
      await writer.marks(),
      await writer.paint(),
      await writer.blocks(),
    ];
    const { width = usualWidth } = writer;
    const options = {
      width,
      blocks,
      marks,
      paint: { strong: paint.strong, above: paint.open, below: paint.bad },
    };
    const head = titles.map((title, at) => {
      const line = shortened(safeLine(title), width);
      return at === 0 ? paint.strong(line) : line;
    });
    const bodies = charts.flatMap((chart) => [
      "",
      ...(charts.length > 1 ? [paint.strong(shortened(safeLine(chart.title), width))] : []),
      ...chartLines(safeChart(chart), options),
    ]);
    await writer.pages((target) => target.write(joined([...head, ...bodies])));
  },
};

/** Width of a chart, where the width of the terminal is not known. */
const usualWidth = 80;
/** Number format for programs. */
const exactMarks: Marks = { thousands: "", decimal: ".", minus: "-" };

function safeChart(chart: Chart): Chart {
  const points = chart.points.map((point) => ({ ...point, label: safeLine(point.label) }));
  return { ...chart, points };
}

/**
 * Returns the texts of cells; an overdue document is marked in its status cell, or beside the date.
 */
function texts(
  { cells, overdueDays }: CellRow,
  columns: readonly Column[],
  marks: Marks | undefined,
): string[] {
  const shown = cells.map((cell) => shownText(cell, marks));
  if (overdueDays === undefined || marks === undefined) return shown;
  const late = `${overdueDays}d late`;
  const status = columns.findIndex(({ isStatus }) => isStatus);
  if (status >= 0) shown[status] = late;
  else {
    const day = columns.findIndex(({ path }) => path === "DueDate");
    if (day >= 0) shown[day] = `${shown[day]} ${late}`;
  }
  return shown;
}

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** Splits a name to words: `TaxRates` to `tax rates`. */
function inWords(plural: string): string {
  return plural.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
