/**
 * Formats an explanation for people: a table of parts, their sum as in the report, and the rule.
 */
import { wrapText } from "../../../output/display-width.ts";
import { reportTable } from "../../../output/report-table.ts";
import type { Report } from "../../../wire/report.ts";
import type { Home, RenderOptions } from "../output.ts";
import { safeLine } from "../safe.ts";
import { shownText } from "../value-text.ts";
import { type ReportOptions, reportLines } from "./report-lines.ts";

/** Width of text in columns, where the width of the terminal is not known. */
const usualWidth = 80;

export function explanationLines(
  report: Report,
  { width, paint, currency: base }: Pick<RenderOptions, "width" | "paint"> & Pick<Home, "currency">,
  numberMarks: ReportOptions["marks"],
): string[] {
  const field = (id: string) => report.Fields?.find(({ FieldID }) => FieldID === id)?.Value;
  const textWidth = Math.min(width ?? usualWidth, usualWidth);
  const text = (words: string) => wrapText(safeLine(words), textWidth);
  const [figure = "", organisation = "", of = ""] = report.ReportTitles;
  const currency = field("Currency");
  const table = reportTable({ ...report, ReportTitles: [] }, currency ?? base);
  const lines = reportLines(table, { width, marks: numberMarks, paint, wraps: true });
  // The sum is in the last row, formatted for display.
  const lastRow = table.rows.at(-1);
  const cell = lastRow?.role === "section" ? undefined : lastRow?.cells.at(-1);
  const shown = shownText(cell, numberMarks) || (field("Figure") ?? "");
  const difference = field("Difference");
  return [
    ...wrapText(safeLine(figure), width).map((line) => paint.strong(line)),
    safeLine(organisation),
    ...text(of),
    "",
    ...lines,
    "",
    paint.strong(
      safeLine(
        `= ${currency === undefined ? "" : `${currency} `}${shown}, as ${field("ShownBy") ?? "the report"} shows`,
      ),
    ),
    ...(difference === undefined
      ? []
      : text(
          `${difference} of it is not explained by the books: acct book verify looks for what is wrong.`,
        ).map((line) => paint.bad(line))),
    "",
    ...text(`Rule: ${field("Rule") ?? ""}`),
    ...text(`Source: ${field("Source") ?? ""}.`),
  ];
}
