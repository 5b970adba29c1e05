/** Prints a table in a PDF, over as many pages as needed. */
import type { Sheet } from "./paper-sheet.ts";
import { colors, styles } from "./type.ts";

type Element = PDFKit.PDFStructureElement;

export interface PaperColumn {
  readonly heading: string;
  /**
   * Whether the column is of figures, which are right-aligned and not wrapped; text is left-aligned
   * and wrapped.
   */
  readonly figures: boolean;
}

/** Columns and rows of cells; a row of a single cell is a text over the whole width. */
export interface TableOnPaper {
  readonly columns: readonly PaperColumn[];
  readonly rows: readonly (readonly string[])[];
}

interface Laid {
  readonly heading: string;
  readonly figures: boolean;
  readonly x: number;
  readonly width: number;
}

/** A row as lines of text, by column; or a single cell over the whole width. */
type Cells = readonly (readonly string[])[];

interface Placing {
  printRow(cells: Cells): void;
  nextPage(): void;
}

const gap = 14;
const padding = 5;
const headHeight = 22;
/** Maximum share of the width for a text column that is not the widest. */
const narrowShare = 0.2;
/** Share of a page above which a row may be split over pages. */
const tallShare = 1 / 3;
const { body, soft } = styles;

/**
 * Prints a table.
 *
 * @param tail  height of content that must be on the same page as at least the end of the last row
 */
export function printTable(sheet: Sheet, { columns, rows }: TableOnPaper, tail: number): void {
  const laidColumns = layOut(sheet, { columns, rows });
  const table = sheet.within("Table");
  const placing: Placing = {
    printRow: (cells) => printRow(sheet, laidColumns, table, cells),
    nextPage: () => {
      sheet.nextPage();
      printHeadings(sheet, laidColumns, table);
    },
  };
  if (!sheet.fits(headHeight + 3 * body.leading)) sheet.nextPage();
  printHeadings(sheet, laidColumns, table);
  rows.forEach((row, index) => {
    const isLast = index === rows.length - 1;
    placeRow(sheet, wrapRowCells(sheet, laidColumns, row), isLast ? tail : 0, placing);
  });
}

function printRow(sheet: Sheet, laidColumns: readonly Laid[], table: Element, cells: Cells): void {
  const row = sheet.within("TR", table);
  const topY = sheet.y + padding;
  const isSpanning = cells.length === 1;
  cells.forEach((lines, index) => {
    const column = laidColumns[index];
    if (column === undefined || lines.every((text) => text === "")) return;
    const { x, width, figures } = column;
    const draw = () => {
      if (figures && !isSpanning) sheet.putRight(lines[0] ?? "", x + width, topY, body);
      else sheet.putLines(lines, x, topY, body, isSpanning ? sheet.width : width);
    };
    sheet.tag("TD", draw, row);
  });
  sheet.y += heightOf(cells);
  sheet.rule(sheet.y, 0.5, colors.line);
}

/**
 * Prints a row on one page; a very high row is split, and its end kept with the content after it.
 */
function placeRow(sheet: Sheet, row: Cells, tail: number, { printRow, nextPage }: Placing): void {
  let cells = row;
  for (let isFresh = false; ; isFresh = true) {
    const height = heightOf(cells);
    const count = countOf(cells);
    if (sheet.fits(height + tail)) break;
    const isTall = height > sheet.capacity * tallShare;
    // At least two lines move to the next page, so that no line is alone there.
    const linesLeft = Math.floor((sheet.bottom - sheet.y - 2 * padding) / body.leading);
    const linesHere = Math.min(linesLeft, count - 2);
    if (isTall && linesHere >= 2) {
      printRow(cells.map((lines) => lines.slice(0, linesHere)));
      cells = cells.map((lines) => lines.slice(linesHere));
    } else if (isFresh) break;
    nextPage();
  }
  printRow(cells);
}

function countOf(cells: Cells): number {
  return Math.max(1, ...cells.map((lines) => lines.length));
}

function heightOf(cells: Cells): number {
  return countOf(cells) * body.leading + 2 * padding;
}

function wrapRowCells(sheet: Sheet, laidColumns: readonly Laid[], cells: readonly string[]): Cells {
  const isSpanning = cells.length === 1;
  return cells.map((text, index) => {
    const column = laidColumns[index];
    if (column === undefined || (column.figures && !isSpanning)) return [text];
    return sheet.wrap(text, isSpanning ? sheet.width : column.width, body);
  });
}

function printHeadings(sheet: Sheet, laidColumns: readonly Laid[], table: Element): void {
  const line = sheet.within("TR", table);
  for (const { heading, figures, x, width } of laidColumns) {
    const draw = () =>
      figures
        ? sheet.putRight(heading, x + width, sheet.y, soft)
        : sheet.put(heading, x, sheet.y, soft);
    sheet.tag("TH", draw, line);
  }
  sheet.y += headHeight - 4;
  sheet.rule(sheet.y, 1, sheet.accent);
  sheet.y += 1;
}

/**
 * Column widths: figures get what they need; the description, or else the reference, gets the rest.
 */
function layOut(sheet: Sheet, { columns, rows }: TableOnPaper): Laid[] {
  const widest = columns.map(({ heading, figures }, index) => {
    const wholeRows = rows.filter((cells) => cells.length === columns.length);
    const needed = wholeRows.map((cells) => sheet.measure(cells[index] ?? "", body));
    const width = needed.reduce((a, b) => Math.max(a, b), sheet.measure(heading, soft));
    return figures ? width : Math.min(width, sheet.width * narrowShare);
  });
  const roomy = [sheet.words.say("Description"), sheet.words.say("Reference")].find((name) =>
    columns.some(({ heading }) => heading === name),
  );
  const main = columns.findIndex(({ heading }) => heading === roomy);
  const others = widest.reduce((sum, width, index) => sum + (index === main ? 0 : width + gap), 0);
  let x = sheet.left;
  return columns.map(({ heading, figures }, index) => {
    const width = index === main ? Math.max(60, sheet.width - others) : (widest[index] ?? 0);
    const at = x;
    x += width + gap;
    return { heading, figures, x: at, width };
  });
}
