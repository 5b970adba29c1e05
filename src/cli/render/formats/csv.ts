/** The CSV format: comma-separated values with a heading row. */

import { columnsOf } from "../../../output/columns.ts";
import { listCsv, reportCsv } from "../../../output/csv-output.ts";
import { reportTable } from "../../../output/report-table.ts";
import { csvRow } from "../csv-row.ts";
import type { FormatContext, Formatter } from "../formatter.ts";
import { safeText } from "../safe.ts";

export const csv: Formatter = {
  holds: "columns",

  record: (writer, resource, record) => csv.records(writer, resource, [record]),

  records(writer, resource, records) {
    const columns = columnsOf(resource, writer.columns);
    return writer.answer(async (sink) => {
      let isHead = true;
      for await (const row of listCsv(resource, columns, records, csvRow)) {
        await sink.write(isHead ? row : shownText(writer, row));
        isHead = false;
      }
    });
  },

  report: (writer, report) =>
    writer.answer((sink) => sink.write(shownText(writer, reportCsv(reportTable(report), csvRow)))),
};

/** Makes record text safe when the output is a terminal. */
function shownText({ width }: FormatContext, text: string): string {
  return width === undefined ? text : safeText(text);
}
