/** Prints lists, reports and records as PDF: titles, and tables over as many pages as needed. */
import { currencyCodes } from "../../resources/common.ts";
import { UsageError } from "../../resources/errors.ts";
import { cellFigure, type Marks, marksIn } from "../figures.ts";
import { marksOn, type PaperContext } from "../letterhead.ts";
import { daysOverdue, type Row, type Table, type Tables } from "../table.ts";
import {
  type ColumnLayout,
  type ColumnSlot,
  isWrapped,
  layOut,
  type PrintedRow,
  type PrintedTable,
  rowHeight,
} from "./column-layout.ts";
import { printChart } from "./paper-chart.ts";
import { type Imprint, printParagraph, Sheet } from "./paper-sheet.ts";
import { colors, type Style, styles } from "./type.ts";

/**
 * Maximum number of rows in a PDF, some 250 pages: all is kept in memory until the page count is
 * known.
 */
export const printedRowsMax = 10_000;

/**
 * Prints tables.
 *
 * @returns the PDF, and the characters that no font has, each once
 * @throws UsageError `TooManyRows`
 */
export async function printTables(
  tables: Tables,
  making: PaperContext,
): Promise<{ readonly bytes: Buffer; readonly missing: string }> {
  const numberMarks = marksOn(making.letterhead);
  const printed = await readAll(tables, numberMarks);
  const imprint = imprintOf(tables[0], making);
  const upright = new Sheet(imprint);
  const plans = layOut(printed, upright, () => new Sheet({ ...imprint, isWide: true }));
  const { sheet } = plans;
  printHead(sheet, tables[0], making);
  for (const [at, table] of printed.entries()) {
    if (at > 0) printTitle(sheet, table);
    for (const chart of tables[at]?.charts ?? []) printChart(sheet, chart, numberMarks);
    for (const [block, plan] of (plans.tables[at] ?? []).entries()) {
      if (block > 0) sheet.y += 24;
      printRows(sheet, plan, table.rows);
    }
    printNotes(sheet, tables[at]?.notes ?? []);
  }
  return { bytes: await sheet.finish(), missing: sheet.missing };
}

async function readAll(tables: Tables, usualMarks: Marks): Promise<PrintedTable[]> {
  let count = 0;
  const printed: PrintedTable[] = [];
  for (const table of tables) {
    const { titles, columns, rows: given } = table;
    const marks = marksIn(table, usualMarks);
    const rows: PrintedRow[] = [];
    let isIn = false;
    for await (const row of given) {
      count += 1;
      if (count > printedRowsMax) throw tooMany();
      if (row.role === "section") isIn = row.title !== "";
      rows.push(row.role === "section" ? row : textsOf(row, columns.length, { marks, isIn }));
    }
    printed.push({ titles, columns, rows });
  }
  return printed;
}

function textsOf(
  { role, cells, overdueDays }: Exclude<Row, { role: "section" }>,
  width: number,
  { marks, isIn }: { readonly marks: Marks; readonly isIn: boolean },
): PrintedRow {
  const rowCells = Array.from({ length: width }, (_, at) => cells[at]);
  return {
    role,
    cellTexts: rowCells.map((cell) => cellFigure(cell, marks)),
    isLess: rowCells.map((cell) => Number(cell?.value) < 0 && typeof cell?.value !== "string"),
    isIn: isIn && role === "line",
    overdue: overdueDays === undefined ? undefined : daysOverdue(overdueDays),
  };
}

function tooMany(): UsageError {
  const message =
    `A PDF has room for ${printedRowsMax} rows, and there are more. ` +
    "Narrow what is asked for, or take -o xlsx, html or csv.";
  return new UsageError("TooManyRows", message);
}

function imprintOf({ titles: [title = ""] }: Table, { letterhead, at }: PaperContext): Imprint {
  const { name, imprint, brand, language, paper } = letterhead;
  return { title, brand, organisation: { name }, imprint, language, paper, at };
}

// --- the head --------------------------------------------------------------------------------------

function printHead(sheet: Sheet, { titles }: Table, { letterhead }: PaperContext): void {
  const [title = "", ...below] = titles;
  const { name, brand } = letterhead;
  const topY = sheet.y;
  const rightX = sheet.left + sheet.width * 0.62;
  let headEnd = topY;
  if (brand.logo !== undefined) {
    const box = { width: sheet.right - rightX, height: 44 };
    headEnd += sheet.drawImage(brand.logo, sheet.right, topY, box, "right") + 8;
  }
  if (name !== "" && !below.includes(name)) {
    for (const line of sheet.wrap(name, sheet.right - rightX, styles.name)) {
      sheet.tag("P", () => sheet.putRight(line, sheet.right, headEnd, styles.name));
      headEnd += styles.name.leading;
    }
  }
  const style: Style = { ...styles.title, size: 18, leading: 23, color: sheet.accent };
  const width = rightX - sheet.left - 24;
  let y = topY - 4;
  const lines = sheet.wrap(title, width, style);
  sheet.tag("H1", () => {
    y = sheet.putLines(lines, sheet.left, y, style);
  });
  y += 2;
  for (const line of below.flatMap((text) => sheet.wrap(text, width, styles.soft))) {
    sheet.tag("P", () => sheet.put(line, sheet.left, y, styles.soft));
    y += styles.soft.leading;
  }
  sheet.y = Math.max(y, headEnd) + 18;
}

function printTitle(sheet: Sheet, { titles: [title = ""] }: PrintedTable): void {
  sheet.y += 20;
  sheet.ensureRoom(6 * styles.body.leading);
  if (title === "") return;
  printParagraph(sheet, title, styles.name, "H2");
  sheet.y += 2;
}

function printNotes(sheet: Sheet, notes: readonly string[]): void {
  if (notes.length === 0) return;
  sheet.y += 14;
  sheet.ensureRoom(notes.length * styles.soft.leading);
  for (const note of notes) printParagraph(sheet, note, styles.soft);
}

// --- rows ------------------------------------------------------------------------------------------

/**
 * Tolerance in points, as text measured in another font size may be slightly wider than its column.
 */
const slackWidth = 0.75;

type Element = PDFKit.PDFStructureElement;

interface PrintContext {
  readonly sheet: Sheet;
  readonly plan: ColumnLayout;
  readonly table: Element;
}

function printRows(sheet: Sheet, plan: ColumnLayout, rows: readonly PrintedRow[]): void {
  const printing: PrintContext = { sheet, plan, table: sheet.within("Table") };
  if (!sheet.fits(headingHeight(printing) + 3 * rowHeight(plan.type, 1))) sheet.nextPage();
  printHeadings(printing, true);
  for (const [at, row] of rows.entries()) {
    if (row.role === "section") {
      printSection(printing, row.title, at === 0);
    } else printRow(printing, row);
  }
}

function headingHeight({ sheet, plan: { places, type } }: PrintContext): number {
  const lines = places.map(({ column, width }) =>
    sheet.wrap(column.heading, width + slackWidth, type.soft),
  );
  return Math.max(...lines.map(({ length }) => length)) * type.soft.leading + 6;
}

/** Prints headings; those repeated on later pages are hidden from screen readers. */
function printHeadings(printing: PrintContext, isFirst: boolean): void {
  const { sheet, plan, table } = printing;
  const { soft } = plan.type;
  const height = headingHeight(printing);
  const hasNames = plan.places.some(({ column }) => column.heading !== "");
  if (hasNames) {
    const row = isFirst ? sheet.within("TR", table) : undefined;
    for (const { column, x, width } of plan.places) {
      const lines = sheet.wrap(column.heading, width + slackWidth, soft);
      const topY = sheet.y + height - 6 - lines.length * soft.leading;
      const draw = () => putAligned(sheet, lines, { column, x, width }, topY, soft);
      if (column.heading === "") continue;
      if (row === undefined) sheet.artifact(draw, "Pagination");
      else sheet.tag("TH", draw, row);
    }
    sheet.y += height - 3;
  }
  sheet.rule(sheet.y, 1, sheet.accent);
  sheet.y += 2;
}

function putAligned(
  sheet: Sheet,
  lines: readonly string[],
  { column, x, width }: Pick<ColumnSlot, "column" | "x" | "width">,
  topY: number,
  style: Style,
): void {
  if (column.align === "left") sheet.putLines(lines, x, topY, style, width);
  else {
    for (const [at, line] of lines.entries()) {
      sheet.putRight(line, x + width, topY + at * style.leading, style);
    }
  }
}

function nextPage(printing: PrintContext): void {
  printing.sheet.nextPage();
  printHeadings(printing, false);
}

function printSection(printing: PrintContext, title: string, isFirst: boolean): void {
  const { sheet, plan, table } = printing;
  const { strong } = plan.type;
  const height = rowHeight(plan.type, 1);
  if (!isFirst) sheet.y += height * 0.45;
  // Each currency of a statement is on pages of its own.
  if (!isFirst && currencyCodes.includes(title)) nextPage(printing);
  // A section title is kept on the page of its first row.
  if (!sheet.fits(height * 2 + 4)) nextPage(printing);
  if (title === "") return;
  const lines = sheet.wrap(title, sheet.width, strong);
  const row = sheet.within("TR", table);
  sheet.tag("TH", () => sheet.putLines(lines, sheet.left, sheet.y + 3, strong), row);
  sheet.y += rowHeight(plan.type, lines.length);
}

type Cells = Extract<PrintedRow, { cellTexts: readonly string[] }>;

/** A cell with its lines and position. */
interface LaidCell {
  readonly place: ColumnSlot;
  readonly lines: readonly string[];
  readonly style: Style;
  /** Text in small letters below the lines, such as the overdue days. */
  readonly below: string | undefined;
}

function printRow(printing: PrintContext, row: Cells): void {
  const { sheet, plan, table } = printing;
  const { type } = plan;
  const cells = layOutCells(sheet, plan, row);
  let lineCount = Math.max(1, ...cells.map((cell) => cell.lines.length + (cell.below ? 1 : 0)));
  const isSum = row.role !== "line";
  const linesMax = Math.floor((sheet.capacity - 60) / type.body.leading);
  // A row higher than a page is cut off.
  lineCount = Math.min(lineCount, linesMax);
  const height = rowHeight(type, lineCount) + (isSum ? 1 : 0);
  if (!sheet.fits(height)) nextPage(printing);
  if (isSum) sheet.rule(sheet.y, 0.75, colors.soft);
  const element = sheet.within("TR", table);
  const topY = sheet.y + 3 + (isSum ? 1 : 0);
  for (const { place, lines: texts, style, below } of cells) {
    if (texts.every((text) => text === "")) continue;
    const shownLines = texts.slice(0, lineCount);
    sheet.tag(
      place.at === 0 ? "TH" : "TD",
      () => {
        putAligned(sheet, shownLines, place, topY, style);
        if (below === undefined) return;
        const lateStyle: Style = { ...type.body, color: colors.VOID };
        sheet.put(below, place.x, topY + shownLines.length * style.leading, lateStyle);
      },
      element,
    );
  }
  sheet.y += height;
  sheet.rule(sheet.y, row.role === "result" ? 1 : 0.4, isSum ? colors.soft : colors.line);
}

/** Positions the cells of a row; the name of a total extends over the empty cells after it. */
function layOutCells(sheet: Sheet, { places, type }: ColumnLayout, row: Cells): LaidCell[] {
  const baseStyle = row.role === "line" ? type.body : type.strong;
  return places.map((slot, index) => {
    const text = row.cellTexts[slot.at] ?? "";
    const inset = index === 0 && row.isIn ? type.indent : 0;
    const nextSlot = places.slice(index + 1).find(({ at }) => (row.cellTexts[at] ?? "") !== "");
    const spans = index === 0 && row.role === "total";
    const width = spans ? (nextSlot?.x ?? sheet.right) - slot.x - type.gap : slot.width - inset;
    const style = row.isLess[slot.at] ? { ...baseStyle, color: colors.VOID } : baseStyle;
    return {
      place: { ...slot, x: slot.x + inset, width: spans ? slot.width : width },
      lines: spans || isWrapped(slot.column) ? sheet.wrap(text, width + slackWidth, style) : [text],
      style,
      below: slot.column.isStatus ? row.overdue : undefined,
    };
  });
}
