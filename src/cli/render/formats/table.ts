/** Lines for a person: a record field by field, a list or a report as a table. */
import { cellText, columnsOf } from "../../../output/columns.ts";
import { batches, type Format } from "../format.ts";
import { reportLines } from "../report.ts";
import { Table } from "../table-layout.ts";
import { recordLines, tableColumn } from "./record.ts";

export const table: Format = {
  holds: "columns",
  isLaidOut: true,

  async record(writer, resource, record) {
    const columns = writer.columns && columnsOf(resource, writer.columns);
    const { width } = writer;
    const lines = recordLines(resource, record, { width, columns, paint: await writer.paint() });
    await writer.pages((target) => target.write(joined(lines)));
  },

  async records(writer, resource, records) {
    const columns = columnsOf(resource, writer.columns);
    const { width } = writer;
    const layout = new Table(columns.map(tableColumn), { width, paint: await writer.paint() });
    let count = 0;
    await writer.pages(async (target) => {
      for await (const batch of batches(records)) {
        count += batch.length;
        const rows = batch.map((record) => columns.map((column) => cellText(column, record)));
        await target.write(joined(layout.lines(rows)));
      }
    });
    if (count === 0) writer.say(`No ${inWords(resource.plural)} found.`);
  },

  async report(writer, report) {
    const lines = reportLines(report, { width: writer.width, paint: await writer.paint() });
    await writer.pages((target) => target.write(joined(lines)));
  },
};

function joined(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join("");
}

/** `TaxRates`: `tax rates`. */
function inWords(plural: string): string {
  return plural.replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
}
