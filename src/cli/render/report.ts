/**
 * Reports: as an indented table for a person, as rows of CSV, as a plain JSON object.
 *
 * Figures stay as the service wrote them, without thousands separators, so that what is on the
 * screen can be copied into another program.
 */

import { displayWidth, padded, shortened } from "../../output/display-width.ts";
import type { Cell, Report, Row } from "../../wire/report.ts";
import { csvRow } from "./csv-row.ts";
import { type Paint, plainPaint } from "./paint.ts";
import { safeLine } from "./safe.ts";

interface Section {
  /** Empty where there is none. */
  readonly title: string;
  readonly lines: readonly Line[];
}

/** A row with the text of its cells. */
interface Line {
  readonly row: Row;
  readonly cells: readonly string[];
}

export interface ReportOptions {
  /** Columns of the terminal; undefined for no limit. */
  readonly width: number | undefined;
  readonly paint?: Paint;
}

const gap = "  ";
const indent = "  ";
const figurePattern = /^-?\d+(?:\.\d+)?%?$/;
/** An amount, which JSON has as a number: with decimals, so that no document number is one. */
const amountPattern = /^-?\d+\.\d+$/;
/** What the names of rows keep beside the figures, where there is any choice. */
const nameWidthMin = 24;

/**
 * The lines that show a report: its titles, then its sections, with a rule above each total.
 *
 * Columns that do not fit beside each other follow in blocks below, with the names of the rows.
 */
export function reportLines(
  report: Report,
  { width, paint = plainPaint }: ReportOptions,
): string[] {
  const heading = headingOf(report);
  const sections = sectionsOf(report);
  const lines = sections.flatMap((section) => section.lines);
  const count = Math.max(heading.length, ...lines.map(({ cells }) => cells.length));
  const [names, ...figures] = Array.from({ length: count }, (_, at) => {
    const cells = lines.map((line) => line.cells[at] ?? "");
    const right = at > 0 && cells.every((cell) => cell === "" || figurePattern.test(cell));
    const widest = Math.max(0, ...[heading[at] ?? "", ...cells].map(displayWidth));
    return { at, right, width: widest };
  });
  const titled = sections.some(({ title }) => title !== "");
  const left = Math.max(
    (names?.width ?? 0) + (titled ? indent.length : 0),
    ...sections.map(({ title }) => displayWidth(title)),
  );
  const body = blocksOf(figures, left, width).flatMap((block, at) => {
    const shown = blockLines(heading, sections, block, paint);
    return at === 0 ? shown : ["", ...shown];
  });
  const top = report.ReportTitles.map((title, at) => {
    const text = width === undefined ? safeLine(title) : shortened(safeLine(title), width);
    return at === 0 ? paint.strong(text) : text;
  });
  return [...top, ...(top.length > 0 ? [""] : []), ...body];
}

/** The report as CSV: every row with its section and its type, so that totals can be told apart. */
export function reportCsv(report: Report): string {
  const [first = "", ...others] = headingOf(report, plainCell);
  const rows = sectionsOf(report, plainCell).flatMap(({ title, lines }) =>
    lines.map(({ row, cells }) => csvRow([title, row.RowType, ...cells])),
  );
  return csvRow(["Section", "RowType", first === "" ? "Name" : first, ...others]) + rows.join("");
}

/** The report as JSON text: `Columns`, and `Sections` of rows whose cells stand under them. */
export function reportJson(report: Report): string {
  const members = (pairs: readonly (readonly [string, string])[]) =>
    `{${pairs.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(",")}}`;
  const list = (items: readonly string[]) => `[${items.join(",")}]`;
  const rowJson = ({ row, cells }: Line) => {
    const attributes = row.Cells?.find((cell) => cell.Attributes?.length)?.Attributes ?? [];
    const ids = attributes.map(({ Id, Value }) => [Id, JSON.stringify(Value)] as const);
    return members([
      ["RowType", JSON.stringify(row.RowType)],
      ["Cells", list(cells.map(cellJson))],
      ...(ids.length > 0 ? [["Attributes", members(ids)] as const] : []),
    ]);
  };
  return members([
    ["ReportID", JSON.stringify(report.ReportID)],
    ["ReportName", JSON.stringify(report.ReportName)],
    ["ReportTitles", JSON.stringify(report.ReportTitles)],
    ["ReportDate", JSON.stringify(report.ReportDate)],
    ["Columns", JSON.stringify(headingOf(report, plainCell))],
    [
      "Sections",
      list(
        sectionsOf(report, plainCell).map(({ title, lines }) =>
          members([
            ["Title", JSON.stringify(title)],
            ["Rows", list(lines.map(rowJson))],
          ]),
        ),
      ),
    ],
  ]);
}

function cellJson(text: string): string {
  if (text === "") return "null";
  return amountPattern.test(text) ? text : JSON.stringify(text);
}

interface ReportColumn {
  readonly at: number;
  readonly right: boolean;
  readonly width: number;
}

/** Columns that stand beside each other, and the width of the names before them. */
interface Block {
  readonly left: number;
  readonly figures: readonly ReportColumn[];
}

/** Spreads the columns over as many blocks as the width asks for, at least one column to each. */
function blocksOf(
  figures: readonly ReportColumn[],
  left: number,
  width: number | undefined,
): readonly Block[] {
  if (width === undefined) return [{ left, figures }];
  const taken = (some: readonly ReportColumn[]) =>
    some.reduce((sum, column) => sum + gap.length + column.width, 0);
  const blocks: ReportColumn[][] = [[]];
  for (const figure of figures) {
    // Text gives way to the width of the terminal, a figure never does.
    const widest = figure.right ? figure.width : Math.max(1, width - nameWidthMin - gap.length);
    const column = { ...figure, width: Math.min(figure.width, widest) };
    const block = blocks.at(-1) ?? [];
    const fits = taken([...block, column]) + Math.min(left, nameWidthMin) <= width;
    if (fits || block.length === 0) block.push(column);
    else blocks.push([column]);
  }
  const room = Math.min(...blocks.map((block) => width - taken(block)));
  return blocks.map((block) => ({ left: Math.max(1, Math.min(left, room)), figures: block }));
}

function blockLines(
  heading: readonly string[],
  sections: readonly Section[],
  { left, figures }: Block,
  paint: Paint,
): string[] {
  const line = (name: string, cell: (column: ReportColumn) => string) => {
    const rest = figures.map((column) =>
      padded(shortened(cell(column), column.width), column.width, column.right ? "right" : "left"),
    );
    return [padded(shortened(name, left), left, "left"), ...rest].join(gap).trimEnd();
  };
  const rule = (cells: readonly string[]) =>
    line("", ({ at, right, width }) => (right && cells[at] ? "-".repeat(width) : ""));
  const body = sections.flatMap(({ title, lines }) => {
    const rows = lines.flatMap(({ row, cells }, at) => {
      const name = (title === "" ? "" : indent) + (cells[0] ?? "");
      const text = line(name, (column) => cells[column.at] ?? "");
      const isTotal = row.RowType === "SummaryRow";
      // What no account stands behind is a result, as the net profit is.
      const isResult = title === "" && !row.Cells?.some((cell) => cell.Attributes?.length);
      const shown = isTotal || isResult ? paint.strong(text) : text;
      const ruled = isTotal && lines[at - 1]?.row.RowType !== "SummaryRow";
      return ruled ? [rule(cells), shown] : [shown];
    });
    return ["", ...(title === "" ? [] : [paint.strong(shortened(title, left))]), ...rows];
  });
  const headings = line(heading[0] ?? "", ({ at }) => heading[at] ?? "");
  return [...(headings === "" ? [] : [paint.strong(headings)]), ...body];
}

/** The text of a cell; a moment that is only a day is shown as the day. */
function plainCell(cell: Cell | undefined): string {
  return (cell?.Value ?? "").replace(/^(\d{4}-\d{2}-\d{2})T00:00:00$/, "$1");
}

const shownCell = (cell: Cell | undefined) => safeLine(plainCell(cell));

function headingOf(report: Report, text = shownCell): string[] {
  const heading = report.Rows.find(({ RowType }) => RowType === "Header");
  return (heading?.Cells ?? []).map(text);
}

/** Sections in order; a row that stands in none is an untitled section. */
function sectionsOf(report: Report, text = shownCell): readonly Section[] {
  return report.Rows.filter(({ RowType }) => RowType !== "Header").map((row) => {
    const isSection = row.RowType === "Section";
    const rows = isSection ? (row.Rows ?? []) : [row];
    return {
      title: isSection ? text({ Value: row.Title ?? "" }) : "",
      lines: rows.map((one) => ({ row: one, cells: (one.Cells ?? []).map(text) })),
    };
  });
}
