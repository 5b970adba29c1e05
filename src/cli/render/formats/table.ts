/** The table format: a record field by field, a list or report as a table. */

import { localDay } from "../../../ledger/dates/timezones.ts";
import type { Chart } from "../../../output/chart.ts";
import { columnsOf, columnsShown, everyField } from "../../../output/columns.ts";
import { truncate } from "../../../output/display-width.ts";
import type { Marks } from "../../../output/figures.ts";
import { listTable } from "../../../output/list-table.ts";
import { reportTable } from "../../../output/report-table.ts";
import type { Row } from "../../../output/table.ts";
import { wordsOf } from "../../../resources/scalar.ts";
import { batchRows, type FormatContext, type Formatter, inBatches } from "../formatter.ts";
import { reportLines } from "../report/report-lines.ts";
import { safeLine } from "../safe.ts";
import { ListLayout } from "./list-layout.ts";
import { recordLines } from "./record-lines.ts";

export const table: Formatter = {
  holds: "columns",
  isLaidOut: true,
  isTextual: true,

  async record(writer, resource, record) {
    // All fields are those that have a value.
    const isAllFields = writer.columns?.join() === everyField;
    const columns = isAllFields ? undefined : writer.columns && columnsOf(resource, writer.columns);
    const { width } = writer;
    const [marks, paint] = [await writer.marks(), await writer.paint()];
    const inWords = marks !== undefined && writer.columns === undefined;
    const lines = recordLines(resource, record, { width, columns, marks, paint, inWords });
    await writer.pages((sink) => sink.write(joinLines(lines)));
  },

  async records(writer, resource, records) {
    const columns = columnsShown(resource, writer.columns);
    const numberMarks = await writer.marks();
    // Totals are added for people alone; output for programs ends with the last record.
    const day = numberMarks && todayOf(writer, numberMarks);
    const summed = day === undefined ? undefined : { today: day, isScreen: true };
    const { rows } = listTable(resource, columns, records, { summed });
    // Columns that were asked for keep their names, and all of them stay.
    const today = writer.columns === undefined ? day : undefined;
    const { width } = writer;
    const layout = new ListLayout(
      { resource, columns, numberMarks, today },
      { width, paint: await writer.paint() },
    );
    let isEmpty = true;
    await writer.pages(async (sink) => {
      for await (const batch of inBatches<Row>(rows)) {
        isEmpty = false;
        await sink.write(joinLines(layout.lines(batch, batch.length < batchRows)));
      }
    });
    if (isEmpty) writer.say(`No ${wordsOf(resource.plural).toLowerCase()} found.`);
  },

  async report(writer, report) {
    const [marks, paint] = [await writer.marks(), await writer.paint()];
    const lines = reportLines(reportTable(report), { width: writer.width, marks, paint });
    await writer.pages((sink) => sink.write(joinLines(lines)));
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
    const headLines = titles.map((title, at) => {
      const line = truncate(safeLine(title), width);
      return at === 0 ? paint.strong(line) : line;
    });
    const bodies = charts.flatMap((chart) => [
      "",
      ...(charts.length > 1 ? [paint.strong(truncate(safeLine(chart.title), width))] : []),
      ...chartLines(sanitiseChart(chart), options),
    ]);
    await writer.pages((sink) => sink.write(joinLines([...headLines, ...bodies])));
  },
};

/** Today in the time zone of the organisation; the day of the machine where it has none. */
const todayOf = ({ clock, today }: FormatContext, { timezone }: Marks): string =>
  timezone === undefined ? today() : localDay(clock(), timezone);

/** Width of a chart, where the width of the terminal is not known. */
const usualWidth = 80;
/** Number format for programs. */
const exactMarks: Marks = { thousands: "", decimal: ".", minus: "-" };

function sanitiseChart(chart: Chart): Chart {
  const points = chart.points.map((point) => ({ ...point, label: safeLine(point.label) }));
  return { ...chart, points };
}

function joinLines(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}
