/** Formats reports for a terminal: an indented table, with a rule above each total. */
import { displayWidth, pad, truncate, wrapText } from "../../../output/display-width.ts";
import { type Marks, marksIn } from "../../../output/figures.ts";
import type { ReportTable } from "../../../output/report-table.ts";
import type { CellRow } from "../../../output/table.ts";
import { type Paint, plainPaint } from "../paint.ts";
import { safeLine } from "../safe.ts";
import { narrow } from "../table-layout.ts";
import { reportText } from "../value-text.ts";
import { fitTo, nameWidthMin, textWidthMin } from "./report-fit.ts";

interface Section {
  /** Section title; may be empty. */
  readonly title: string;
  readonly lines: readonly ReportLine[];
}

/** A row with the text of its cells. */
interface ReportLine {
  readonly role: CellRow["role"];
  readonly cells: readonly string[];
}

export interface ReportOptions {
  /** Terminal width in columns; undefined for no limit. */
  readonly width: number | undefined;
  /** Number format for people; unformatted when not given. */
  readonly marks?: Marks | undefined;
  readonly paint?: Paint;
  /** Whether long text wraps instead of being truncated, where all columns fit side by side. */
  readonly wraps?: boolean;
}

const gap = "  ";
const indent = "  ";
/** Width that names keep where the columns need several blocks all the same. */
const nameWidthUsual = 24;
/** Width up to which a section title widens the row names; longer ones extend over the figures. */
const titleWidthMax = 40;

/**
 * Returns the lines of a report: titles, then sections, with a rule above each total.
 *
 * Columns that do not fit side by side follow in blocks below, each with the row names.
 */
export function reportLines(
  wholeTable: ReportTable,
  { width, marks, paint = plainPaint, wraps = false }: ReportOptions,
): string[] {
  const table = width === undefined ? wholeTable : fitTo(wholeTable, width, marks);
  const heading = table.columns.map((column) => safeLine(column.heading));
  const sections = sectionsOf(table, marksIn(table, marks));
  const lines = sections.flatMap((section) => section.lines);
  const isFormal = table.hasDashes === true;
  const columnsBy = (headingWidth: (text: string) => number) =>
    table.columns.map(({ align }, at) => {
      const cells = lines.map((line) => displayWidth(line.cells[at] ?? ""));
      const widestWidth = Math.max(headingWidth(heading[at] ?? ""), ...cells);
      return { at, right: align === "right", width: widestWidth };
    });
  const [names, ...wide] = columnsBy(displayWidth);
  const total = wide.reduce((sum, column) => sum + gap.length + column.width, nameWidthMin);
  const isTight = isFormal && width !== undefined && total > width;
  const figures = isTight ? columnsBy(longestWord).slice(1) : wide;
  const isTitled = sections.some(({ title }) => title !== "");
  // Beside columns of text a title stands over them, as over rows of a list.
  const isList = isFormal && figures.some(({ right }) => !right);
  const titleWidthMost = isList ? 0 : titleWidthMax;
  const left = Math.max(
    (names?.width ?? 0) + (isTitled ? indent.length : 0),
    ...sections.map(({ title }) => displayWidth(title)).filter((own) => own <= titleWidthMost),
  );
  const nameFloor = isFormal ? nameWidthMin : nameWidthUsual;
  const single = wraps || isFormal ? wrappedBlock(figures, left, { width, nameFloor }) : undefined;
  const blocks = single === undefined ? blocksOf(figures, left, width) : [single];
  const look = { paint, areNamesWhole: isFormal };
  const body = blocks.flatMap((block, at) => {
    const shownLines = linesOfBlock(heading, sections, block, look);
    return at === 0 ? shownLines : ["", ...shownLines];
  });
  const top = table.titles.flatMap((title, at) => {
    const lines = width === undefined ? [safeLine(title)] : wrapText(safeLine(title), width);
    return at === 0 ? lines.map(paint.strong) : lines;
  });
  const foot = (table.notes ?? []).flatMap((note) => wrapText(safeLine(note), width ?? 100));
  return [
    ...top,
    ...(top.length > 0 ? [""] : []),
    ...body,
    ...(foot.length > 0 ? ["", ...foot] : []),
  ];
}

const longestWord = (text: string) => Math.max(...text.split(" ").map(displayWidth));

interface ReportColumn {
  readonly at: number;
  readonly right: boolean;
  readonly width: number;
}

/** Columns shown side by side, and the width of the row names. */
interface Block {
  readonly left: number;
  readonly figures: readonly ReportColumn[];
  readonly wraps?: true;
}

/**
 * Returns all columns in one block, with text columns narrowed to fit; undefined where they do not.
 */
function wrappedBlock(
  figures: readonly ReportColumn[],
  leftWidth: number,
  { width, nameFloor }: { readonly width: number | undefined; readonly nameFloor: number },
): Block | undefined {
  const widths = [leftWidth, ...figures.map((column) => column.width)];
  const floors = [
    Math.min(leftWidth, nameFloor),
    ...figures.map(({ right, width: own }) => (right ? own : Math.min(own, textWidthMin))),
  ];
  const total = widths.reduce((sum, columnWidth) => sum + columnWidth, gap.length * figures.length);
  if (narrow(widths, floors, Math.max(0, total - (width ?? total))) > 0) return undefined;
  const [narrowed = 1, ...rest] = widths;
  return {
    left: narrowed,
    figures: figures.map((column, at) => ({ ...column, width: rest[at] ?? 1 })),
    wraps: true,
  };
}

/** Splits the columns into as many blocks as the width requires, at least one column each. */
function blocksOf(
  figures: readonly ReportColumn[],
  leftWidth: number,
  width: number | undefined,
): readonly Block[] {
  if (width === undefined) return [{ left: leftWidth, figures }];
  const widthOf = (some: readonly ReportColumn[]) =>
    some.reduce((sum, column) => sum + gap.length + column.width, 0);
  const areWhole = widthOf(figures) + Math.min(leftWidth, nameWidthMin) <= width;
  const namesWidth = Math.min(leftWidth, areWhole ? nameWidthMin : nameWidthUsual);
  const blocks: ReportColumn[][] = [[]];
  for (const figure of figures) {
    // Text is narrowed to the terminal width, figures are not.
    const widestWidth = figure.right ? figure.width : Math.max(1, width - namesWidth - gap.length);
    const column = { ...figure, width: Math.min(figure.width, widestWidth) };
    const block = blocks.at(-1) ?? [];
    const isRoom = widthOf([...block, column]) + namesWidth <= width;
    if (isRoom || block.length === 0) block.push(column);
    else blocks.push([column]);
  }
  const room = Math.min(...blocks.map((block) => width - widthOf(block)));
  return blocks.map((block) => ({ left: Math.max(1, Math.min(leftWidth, room)), figures: block }));
}

function linesOfBlock(
  heading: readonly string[],
  sections: readonly Section[],
  { left, figures, wraps }: Block,
  { paint, areNamesWhole }: { readonly paint: Paint; readonly areNamesWhole: boolean },
): string[] {
  const wrapOrCut = (text: string, width: number) =>
    wraps ? wrapText(text, width) : [truncate(text, width)];
  /** Formats a row in as many lines as its longest text needs, its name indented. */
  const line = (inset: string, name: string, cell: (column: ReportColumn) => string): string[] => {
    const nameRoom = Math.max(2, left - inset.length);
    const names = areNamesWhole ? wrapText(name, nameRoom) : wrapOrCut(name, nameRoom);
    const cells = figures.map((column) => wrapOrCut(cell(column), column.width));
    const height = Math.max(...[names, ...cells].map(({ length }) => length));
    return Array.from({ length: height }, (_, at) => {
      const restCells = figures.map(({ width, right }, column) =>
        pad(cells[column]?.[at] ?? "", width, right ? "right" : "left"),
      );
      return [pad(`${inset}${names[at] ?? ""}`, left, "left"), ...restCells].join(gap).trimEnd();
    });
  };
  const rule = (cells: readonly string[]) =>
    line("", "", ({ at, right, width }) => (right && cells[at] ? "-".repeat(width) : ""));
  const room = figures.reduce((sum, { width }) => sum + gap.length + width, left);
  const strong = (text: string) => paint.strong(text);
  const titlePieces = (title: string) =>
    areNamesWhole ? wrapText(title, Math.max(room, left)) : wrapOrCut(title, Math.max(room, left));
  const body = sections.flatMap(({ title, lines }) => {
    const rows = lines.flatMap(({ role, cells }, at) => {
      const inset = title === "" ? "" : indent;
      const text = line(inset, cells[0] ?? "", (column) => cells[column.at] ?? "");
      const shownText = role === "line" ? text : text.map(strong);
      const isRuled = role === "total" && lines[at - 1]?.role !== "total";
      return isRuled ? [...rule(cells), ...shownText] : shownText;
    });
    // Title rows may use the full width.
    return ["", ...(title === "" ? [] : titlePieces(title).map(strong)), ...rows];
  });
  const broken = figures.map(({ at, width }) => wrapText(heading[at] ?? "", width));
  const rowCount = Math.max(1, ...broken.map(({ length }) => length));
  const headings = Array.from({ length: rowCount }, (_, row) =>
    line("", row === 0 ? (heading[0] ?? "") : "", ({ at }) => {
      const ownPieces = broken[figures.findIndex((column) => column.at === at)] ?? [];
      return ownPieces[row] ?? "";
    }),
  ).flat();
  return [...(headings.every((heading) => heading === "") ? [] : headings.map(strong)), ...body];
}

/** Groups rows to sections, in order; rows outside a section form an untitled one. */
function sectionsOf({ rows }: ReportTable, numberMarks: Marks | undefined): readonly Section[] {
  const sections: { title: string; lines: ReportLine[] }[] = [];
  for (const row of rows) {
    if (row.role === "section") sections.push({ title: safeLine(row.title), lines: [] });
    else {
      const cells = row.cells.map((cell) => safeLine(reportText(cell, numberMarks)));
      sections.at(-1)?.lines.push({ role: row.role, cells });
    }
  }
  return sections;
}
