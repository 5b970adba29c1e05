/** Comma-separated values with a line of headings. */

import { cellText, columnsOf } from "../../../output/columns.ts";
import { plainValue } from "../../../wire/plain.ts";
import { csvRow } from "../csv-row.ts";
import type { Format, Writer } from "../format.ts";
import { reportCsv } from "../report.ts";
import { safeText } from "../safe.ts";

export const csv: Format = {
  holds: "columns",

  record: (writer, resource, record) => csv.records(writer, resource, [record]),

  records(writer, resource, records) {
    const columns = columnsOf(resource, writer.columns);
    return writer.answer(async (target) => {
      await target.write(csvRow(columns.map(({ path }) => path)));
      for await (const record of records) {
        const cells = columns.map((column) => cellText(column, record, plainValue));
        await target.write(shown(writer, csvRow(cells)));
      }
    });
  },

  report: (writer, report) =>
    writer.answer((target) => target.write(shown(writer, reportCsv(report)))),
};

/** A terminal is not to be told anything by what records hold. */
function shown({ width }: Writer, text: string): string {
  return width === undefined ? text : safeText(text);
}
