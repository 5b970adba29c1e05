/** Lists and reports as CSV by RFC 4180, with cells guarded so that spreadsheets take them as text. */
import type { Resource } from "../resources/field.ts";
import { csvLine } from "../wire/csv.ts";
import { plainValue } from "../wire/plain.ts";
import type { FieldColumn } from "./columns.ts";
import { type ListedRecords, listTable } from "./list-table.ts";
import type { ReportTable } from "./report-table.ts";
import { plainCell } from "./table.ts";

const needsQuotes = /[",\r\n]|^ | $/;
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?\d+(?:\.\d+)?$/;

/** One row with its line end. */
export function csvRow(cells: readonly string[]): string {
  // A row with a single empty cell is quoted, since readers skip empty lines.
  return cells.length === 1 && cells[0] === "" ? '""\n' : csvLine(cells.map(guard), needsQuotes);
}

/**
 * Guards a cell against evaluation as a formula: text that begins like one gets an apostrophe.
 * Numbers are unchanged.
 */
export function guard(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guarded` added, so that an exported file is imported unchanged. */
export function unguardCell(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

/** A list as CSV, row by row. @param row  writes one row */
export async function* listCsv(
  resource: Resource,
  columns: readonly FieldColumn[],
  records: ListedRecords,
  row: typeof csvRow = csvRow,
): AsyncGenerator<string> {
  const { rows } = listTable(resource, columns, records, { text: plainValue });
  yield row(columns.map(({ path }) => path));
  for await (const each of rows) {
    if (each.role !== "section") yield row(each.cells.map(plainCell));
  }
}

/**
 * A report as CSV: each row has its section and type, to distinguish totals.
 *
 * @param row  writes one row
 */
export function reportCsv({ columns, rows }: ReportTable, row: typeof csvRow = csvRow): string {
  const [first = "", ...others] = columns.map(({ heading }) => heading);
  let csv = row(["Section", "RowType", first === "" ? "Name" : first, ...others]);
  let section = "";
  for (const each of rows) {
    if (each.role === "section") section = each.title;
    else
      csv += row([
        section,
        each.role === "total" ? "SummaryRow" : "Row",
        ...each.cells.map(plainCell),
      ]);
  }
  return csv;
}
