/** The CSV format: comma-separated values with a heading row. */

import { columnsOf } from "../../../output/columns.ts";
import { listTable } from "../../../output/list-table.ts";
import { type ReportTable, reportTable } from "../../../output/report-table.ts";
import { plainCell } from "../../../output/table.ts";
import { plainValue } from "../../../wire/plain.ts";
import { csvRow } from "../csv-row.ts";
import type { FormatContext, Formatter } from "../formatter.ts";
import { safeText } from "../safe.ts";

export const csv: Formatter = {
  holds: "columns",

  record: (writer, resource, record) => csv.records(writer, resource, [record]),

  records(writer, resource, records) {
    const columns = columnsOf(resource, writer.columns);
    const { rows } = listTable(resource, columns, records, { text: plainValue });
    return writer.answer(async (target) => {
      await target.write(csvRow(columns.map(({ path }) => path)));
      for await (const row of rows) {
        if (row.role === "section") continue;
        await target.write(shown(writer, csvRow(row.cells.map(plainCell))));
      }
    });
  },

  report: (writer, report) =>
    writer.answer((target) => target.write(shown(writer, reportCsv(reportTable(report))))),
};

/** Formats a report as CSV: each row has its section and type, to distinguish totals. */
function reportCsv({ columns, rows }: ReportTable): string {
  const [first = "", ...others] = columns.map(({ heading }) => heading);
  let csv = csvRow(["Section", "RowType", first === "" ? "Name" : first, ...others]);
  let section = "";
  for (const row of rows) {
    if (row.role === "section") section = row.title;
    else
      csv += csvRow([
        section,
        row.role === "total" ? "SummaryRow" : "Row",
        ...row.cells.map(plainCell),
      ]);
  }
  return csv;
}

/** Makes record text safe when the output is a terminal. */
function shown({ width }: FormatContext, text: string): string {
  return width === undefined ? text : safeText(text);
}
