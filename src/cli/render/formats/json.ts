/** JSON formats: one line for programs, indented for people. */

import { columnsOf, narrowFields } from "../../../output/columns.ts";
import { reportTable } from "../../../output/report-table.ts";
import { type Cell, type CellRow, plainCell } from "../../../output/table.ts";
import type { Resource } from "../../../resources/field.ts";
import { writePlain } from "../../../wire/plain.ts";
import { notKnown, type Report } from "../../../wire/report.ts";
import type { FormatContext, Formatter } from "../formatter.ts";
import { safeJson } from "../safe.ts";

export const json: Formatter = {
  holds: "records",
  isJson: true,

  record: (writer, resource, record) =>
    writeJson(writer, writePlain(fieldsOf(writer, resource), record)),

  records(writer, resource, records) {
    const fields = fieldsOf(writer, resource);
    return writer.answer(async (sink) => {
      let separator = "[\n";
      for await (const record of records) {
        await sink.write(separator + layOut(writer, writePlain(fields, record), "  "));
        separator = ",\n";
      }
      await sink.write(separator === ",\n" ? "\n]\n" : "[]\n");
    });
  },

  report: (writer, report) => writeJson(writer, reportJson(report)),
};

/**
 * Formats a report as JSON text: `Columns`, `Fields` where it has some, and `Sections` of rows with
 * cells by column.
 */
export function reportJson(report: Report): string {
  const { titles, columns, rows } = reportTable(report);
  const sections: { title: string; rows: string[] }[] = [];
  for (const row of rows) {
    if (row.role === "section") sections.push({ title: row.title, rows: [] });
    else sections.at(-1)?.rows.push(rowJson(row));
  }
  return members([
    ["ReportID", JSON.stringify(report.ReportID)],
    ["ReportName", JSON.stringify(report.ReportName)],
    ["ReportTitles", JSON.stringify(titles)],
    ...(report.ReportNotes === undefined
      ? []
      : [["ReportNotes", JSON.stringify(report.ReportNotes)] as const]),
    ["ReportDate", JSON.stringify(report.ReportDate)],
    ["Columns", JSON.stringify(columns.map(({ heading }) => heading))],
    [
      "Sections",
      list(
        sections.map(({ title, rows: own }) =>
          members([
            ["Title", JSON.stringify(title)],
            ["Rows", list(own)],
          ]),
        ),
      ),
    ],
    ...(report.Fields === undefined || report.Fields.length === 0
      ? []
      : [["Fields", JSON.stringify(report.Fields)] as const]),
  ]);
}

function rowJson({ role, cells }: CellRow): string {
  const origin = cells.find((cell) => cell?.origin?.length)?.origin ?? [];
  const ids = origin.map(({ Id, Value }) => [Id, JSON.stringify(Value)] as const);
  return members([
    ["RowType", role === "total" ? '"SummaryRow"' : '"Row"'],
    ["Cells", list(cells.map(cellJson))],
    ...(ids.length > 0 ? [["Attributes", members(ids)] as const] : []),
  ]);
}

/** Formats a cell as JSON: amounts and quantities as numbers, all others as text. */
function cellJson(cell: Cell | undefined): string {
  if (cell === undefined) return "null";
  const text = plainCell({ ...cell, currency: undefined });
  if (text === notKnown) return "null";
  return cell.kind === "money" || cell.kind === "quantity" ? text : JSON.stringify(text);
}

const list = (items: readonly string[]) => `[${items.join(",")}]`;

const members = (pairs: readonly (readonly [string, string])[]) =>
  `{${pairs.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;

/** Returns the fields to write as JSON: all, or those of the requested columns. */
export function fieldsOf({ columns }: FormatContext, resource: Resource) {
  return columns ? narrowFields(resource.fields, columnsOf(resource, columns)) : resource.fields;
}

/**
 * Writes a single value as JSON.
 *
 * @param text  valid JSON
 */
export function writeJson(writer: FormatContext, text: string): Promise<void> {
  return writer.answer((sink) => sink.write(`${layOut(writer, text, "")}\n`));
}

function layOut({ width }: FormatContext, text: string, margin: string): string {
  const safe = safeJson(text);
  return margin + (width === undefined ? safe : indentJson(safe, margin));
}

/**
 * Indents JSON text. The text is scanned and not parsed, since a parser would turn `92.00` into 92.
 *
 * @param text    valid JSON, with or without spaces between its parts
 * @param margin  prefix of every line but the first
 */
export function indentJson(text: string, margin = ""): string {
  let indentedText = "";
  let depth = 0;
  const line = () => `\n${margin}${"  ".repeat(depth)}`;
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (piece === "{" || piece === "[") {
      depth += 1;
      indentedText += piece + line();
    } else if (piece === "}" || piece === "]") {
      depth -= 1;
      indentedText += line() + piece;
    } else if (piece === ",") indentedText += piece + line();
    else if (piece === ":") indentedText += ": ";
    else indentedText += piece.startsWith('"') ? piece : piece.replace(/\s+/g, "");
  }
  return indentedText;
}

/** JSON Lines: one record per line, written as records arrive. */
export const ndjson: Formatter = {
  holds: "records",
  isJson: true,

  record: (writer, resource, record) => ndjson.records(writer, resource, [record]),

  records(writer, resource, records) {
    const fields = fieldsOf(writer, resource);
    return writer.answer(async (sink) => {
      for await (const record of records) {
        await sink.write(`${safeJson(writePlain(fields, record))}\n`);
      }
    });
  },

  report: (writer, report) =>
    writer.answer((sink) => sink.write(`${safeJson(reportJson(report))}\n`)),
};
