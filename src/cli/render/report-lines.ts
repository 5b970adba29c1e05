/** Reports at a terminal: an indented table, with a rule above each total. */
import { displayWidth, padded, shortened, wrapped } from "../../output/display-width.ts";
import type { Marks } from "../../output/figures.ts";
import type { ReportTable } from "../../output/report-table.ts";
import type { CellRow } from "../../output/table.ts";
import { type Paint, plainPaint } from "./paint.ts";
import { safeLine } from "./safe.ts";
import { narrow } from "./table-layout.ts";
import { shownText } from "./value-text.ts";

interface Section {
  /** Empty where there is none. */
  readonly title: string;
  readonly lines: readonly ReportLine[];
}

/** A row with the text of its cells. */
interface ReportLine {
  readonly role: CellRow["role"];
  readonly cells: readonly string[];
}

export interface ReportOptions {
  /** Columns of the terminal; undefined for no limit. */
  readonly width: number | undefined;
  /** How figures are written for a person; as the service has them when not given. */
  readonly marks?: Marks | undefined;
  readonly paint?: Paint;
  /** Whether long text is wrapped, instead of cut, where all columns fit beside each other. */
  readonly wraps?: boolean;
}

const gap = "  ";
const indent = "  ";
/** Least width of a column of wrapped text: a date, a word. */
const wrappedWidthMin = 12;
/** What the names of rows keep beside the figures, where there is any choice. */
const nameWidthMin = 24;

/**
 * The lines that show a report: its titles, then its sections, with a rule above each total.
 *
 * Columns that do not fit beside each other follow in blocks below, with the names of the rows.
 */
export function reportLines(
  table: ReportTable,
  { width, marks, paint = plainPaint, wraps = false }: ReportOptions,
): string[] {
  const heading = table.columns.map((column) => safeLine(column.heading));
  const sections = sectionsOf(table, marks);
  const lines = sections.flatMap((section) => section.lines);
  const [names, ...figures] = table.columns.map(({ align }, at) => {
    const cells = lines.map((line) => line.cells[at] ?? "");
    const widest = Math.max(0, ...[heading[at] ?? "", ...cells].map(displayWidth));
    return { at, right: align === "right", width: widest };
  });
  const titled = sections.some(({ title }) => title !== "");
  const left = Math.max(
    (names?.width ?? 0) + (titled ? indent.length : 0),
    ...sections.map(({ title }) => displayWidth(title)),
  );
  const whole = wraps ? wrappedBlock(figures, left, width) : undefined;
  const blocks = whole === undefined ? blocksOf(figures, left, width) : [whole];
  const body = blocks.flatMap((block, at) => {
    const shown = blockLines(heading, sections, block, paint);
    return at === 0 ? shown : ["", ...shown];
  });
  const top = table.titles.map((title, at) => {
    const text = width === undefined ? safeLine(title) : shortened(safeLine(title), width);
    return at === 0 ? paint.strong(text) : text;
  });
  return [...top, ...(top.length > 0 ? [""] : []), ...body];
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
  readonly wraps?: true;
}

/** All columns beside each other, with text columns narrowed to the width; undefined where they do not fit. */
function wrappedBlock(
  figures: readonly ReportColumn[],
  left: number,
  width: number | undefined,
): Block | undefined {
  const widths = [left, ...figures.map((column) => column.width)];
  const floors = [
    Math.min(left, nameWidthMin),
    ...figures.map(({ right, width: own }) => (right ? own : Math.min(own, wrappedWidthMin))),
  ];
  const taken = widths.reduce((sum, own) => sum + own, gap.length * figures.length);
  if (narrow(widths, floors, Math.max(0, taken - (width ?? taken))) > 0) return undefined;
  const [narrowed = 1, ...rest] = widths;
  return {
    left: narrowed,
    figures: figures.map((column, at) => ({ ...column, width: rest[at] ?? 1 })),
    wraps: true,
  };
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
  { left, figures, wraps }: Block,
  paint: Paint,
): string[] {
  const pieces = (text: string, width: number) =>
    wraps ? wrapped(text, width) : [shortened(text, width)];
  /** A row in as many lines as its longest text needs, the inset before each of its name. */
  const line = (inset: string, name: string, cell: (column: ReportColumn) => string): string[] => {
    const names = pieces(name, Math.max(2, left - inset.length));
    const cells = figures.map((column) => pieces(cell(column), column.width));
    const height = Math.max(...[names, ...cells].map(({ length }) => length));
    return Array.from({ length: height }, (_, at) => {
      const rest = figures.map(({ width, right }, column) =>
        padded(cells[column]?.[at] ?? "", width, right ? "right" : "left"),
      );
      return [padded(`${inset}${names[at] ?? ""}`, left, "left"), ...rest].join(gap).trimEnd();
    });
  };
  const rule = (cells: readonly string[]) =>
    line("", "", ({ at, right, width }) => (right && cells[at] ? "-".repeat(width) : ""));
  const room = figures.reduce((sum, { width }) => sum + gap.length + width, left);
  const strong = (text: string) => paint.strong(text);
  const body = sections.flatMap(({ title, lines }) => {
    const rows = lines.flatMap(({ role, cells }, at) => {
      const inset = title === "" ? "" : indent;
      const text = line(inset, cells[0] ?? "", (column) => cells[column.at] ?? "");
      const shown = role === "line" ? text : text.map(strong);
      const ruled = role === "total" && lines[at - 1]?.role !== "total";
      return ruled ? [...rule(cells), ...shown] : shown;
    });
    // Nothing stands beside a title.
    const titleWidth = wraps ? room : left;
    return ["", ...(title === "" ? [] : pieces(title, titleWidth).map(strong)), ...rows];
  });
  const headings = line("", heading[0] ?? "", ({ at }) => heading[at] ?? "");
  return [...(headings.every((each) => each === "") ? [] : headings.map(strong)), ...body];
}

/** Sections in order; a row that stands in none is an untitled section. */
function sectionsOf({ rows }: ReportTable, marks: Marks | undefined): readonly Section[] {
  const sections: { title: string; lines: ReportLine[] }[] = [];
  for (const row of rows) {
    if (row.role === "section") sections.push({ title: safeLine(row.title), lines: [] });
    else {
      const cells = row.cells.map((cell) => safeLine(shownText(cell, marks)));
      sections.at(-1)?.lines.push({ role: row.role, cells });
    }
  }
  return sections;
}
