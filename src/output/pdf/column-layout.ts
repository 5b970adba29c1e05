/** Computes the column widths, font size and page orientation of a printed table. */
import { displayWidth } from "../display-width.ts";
import type { CellRow, Column, Table } from "../table.ts";
import type { Sheet } from "./paper-sheet.ts";
import { type Style, styles } from "./type.ts";

/** A row as printed: the texts of its cells, or the title of a section. */
export type PrintedRow =
  | { readonly role: "section"; readonly title: string }
  | {
      readonly role: CellRow["role"];
      readonly cellTexts: readonly string[];
      /** Whether the figure of each cell is negative. */
      readonly isLess: readonly boolean[];
      /** Whether the row is in a section with a title. */
      readonly isIn: boolean;
      readonly overdue: string | undefined;
    };

/** A table with all of its rows in memory. */
export interface PrintedTable extends Pick<Table, "titles" | "columns"> {
  readonly rows: readonly PrintedRow[];
}

/** Position and width of a printed column. */
export interface ColumnSlot {
  /** Index of the column in the table. */
  readonly at: number;
  readonly column: Column;
  readonly x: number;
  readonly width: number;
}

/** Columns printed side by side. */
export interface ColumnLayout {
  readonly places: readonly ColumnSlot[];
  readonly type: Type;
}

/** Text styles in one font size, with the matching spacing. */
export interface Type {
  readonly body: Style;
  readonly strong: Style;
  readonly soft: Style;
  readonly gap: number;
  readonly indent: number;
}

export interface Layout {
  readonly sheet: Sheet;
  /** Blocks of columns of each table, printed one below the other. */
  readonly tables: readonly (readonly ColumnLayout[])[];
}

/** Font sizes to try, the largest first. */
const sizes = [9, 8, 7] as const;
/** Minimum width of a column of wrapped text, in points at the largest font size. */
const textMin = 84;
/** Number of texts measured per column, the longest: measuring all takes longer than printing. */
const measuredRowCount = 24;

/** Height of a row by its number of lines. */
export function rowHeight({ body }: Type, lineCount: number): number {
  return lineCount * body.leading + 6;
}

function typeOf(size: number): Type {
  const scale = size / styles.body.size;
  const scaled = (style: Style): Style => ({ ...style, size, leading: style.leading * scale });
  return {
    body: scaled(styles.body),
    strong: scaled(styles.strong),
    soft: scaled(styles.soft),
    gap: 12 * scale,
    indent: 12 * scale,
  };
}

/** Width of a column in the largest font size: the minimum, and the width without wrapping. */
interface Extent {
  readonly least: number;
  readonly natural: number;
}

/**
 * Chooses the first layout in which all columns fit side by side: in a smaller font, then on
 * landscape paper. Otherwise columns are split into blocks, each of which repeats the row names.
 *
 * @param wide  creates a landscape sheet
 */
export function layOut(tables: readonly PrintedTable[], upright: Sheet, wide: () => Sheet): Layout {
  const extents = tables.map((table) => extentsOf(table, upright));
  const fittingSize = (sheet: Sheet) =>
    sizes.find((size) => extents.every((extent) => minWidthOf(extent, size) <= sheet.width));
  let sheet = upright;
  let size = fittingSize(sheet);
  if (size === undefined) {
    sheet = wide();
    size = fittingSize(sheet);
  }
  const type = typeOf(size ?? 7);
  const chosenSheet = sheet;
  return {
    sheet,
    tables: tables.map(({ columns }, at) =>
      blocksOf(extents[at] ?? [], type, chosenSheet).map((block) => ({
        type,
        places: placesOf(block, { columns, extents: extents[at] ?? [], type, sheet: chosenSheet }),
      })),
    ),
  };
}

function minWidthOf(extents: readonly Extent[], size: number): number {
  const { gap } = typeOf(size);
  const scale = size / styles.body.size;
  return extents.reduce((sum, { least }) => sum + least * scale + gap, -gap);
}

function extentsOf({ columns, rows }: PrintedTable, sheet: Sheet): Extent[] {
  const { body, strong, soft } = styles;
  return columns.map((column, at) => {
    const lines = rows.filter((row) => isMeasured(row, at));
    const longest = lines
      .map((row) => ({ text: row.cellTexts[at] ?? "", row }))
      // An East Asian character is as wide as two others.
      .map((cell) => ({ ...cell, length: displayWidth(cell.text) }))
      .toSorted((a, b) => b.length - a.length)
      .slice(0, measuredRowCount)
      .map(({ text, row }) => {
        const width = sheet.measure(
          text.replaceAll("\n", " "),
          row.role === "line" ? body : strong,
        );
        return width + (row.isIn && at === 0 ? 12 : 0);
      });
    const words = column.heading.split(" ").map((word) => sheet.measure(word, soft));
    const overdue = column.isStatus
      ? lines.map(({ overdue }) => (overdue ? sheet.measure(overdue, body) : 0))
      : [];
    const heading = Math.max(...words);
    const content = Math.max(heading, ...longest, ...overdue);
    const widthMin = isWrapped(column) ? Math.min(content, Math.max(heading, textMin)) : content;
    // Headings are wrapped before anything else.
    return { least: widthMin, natural: Math.max(content, sheet.measure(column.heading, soft)) };
  });
}

type Cells = Extract<PrintedRow, { cellTexts: readonly string[] }>;

/**
 * Whether a cell counts for the width: section titles and names of totals extend over other
 * columns.
 */
function isMeasured(row: PrintedRow, at: number): row is Cells {
  return row.role !== "section" && !(row.role === "total" && at === 0);
}

/** Whether a column holds text that may be wrapped. */
export const isWrapped = ({ kind, align }: Column) =>
  align === "left" && (kind === "text" || kind === "id");

/** Splits columns, given by index, into as many blocks as the width requires. */
function blocksOf(extents: readonly Extent[], { body, gap }: Type, sheet: Sheet): number[][] {
  const scale = body.size / styles.body.size;
  const widthOf = (at: number) => (extents[at]?.least ?? 0) * scale + gap;
  const [, ...others] = extents.keys();
  if (extents.length === 0) return [];
  const blocks: number[][] = [[0]];
  let usedWidth = widthOf(0);
  for (const at of others) {
    const block = blocks.at(-1) ?? [];
    if (usedWidth + widthOf(at) - gap > sheet.width && block.length > 1) {
      blocks.push([0, at]);
      usedWidth = widthOf(0) + widthOf(at);
    } else {
      block.push(at);
      usedWidth += widthOf(at);
    }
  }
  return blocks;
}

interface PlacementInput {
  readonly columns: readonly Column[];
  readonly extents: readonly Extent[];
  readonly type: Type;
  readonly sheet: Sheet;
}

/**
 * Positions of the columns in a block. Text columns get the width that figures leave; spare width
 * goes to the gaps between columns.
 */
function placesOf(
  block: readonly number[],
  { columns, extents, type, sheet }: PlacementInput,
): ColumnSlot[] {
  const scale = type.body.size / styles.body.size;
  const widths = block.map((at) => (extents[at]?.least ?? 0) * scale);
  const missing = block.map(
    (at) => ((extents[at]?.natural ?? 0) - (extents[at]?.least ?? 0)) * scale,
  );
  const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, number) => sum + number, 0);
  let spareWidth = sheet.width - sumOf(widths) - type.gap * (block.length - 1);
  const wantedWidth = sumOf(missing);
  const share = wantedWidth > 0 ? Math.min(1, Math.max(0, spareWidth) / wantedWidth) : 0;
  for (const [index, more] of missing.entries())
    widths[index] = (widths[index] ?? 0) + more * share;
  spareWidth -= wantedWidth * share;
  // With few columns, figures are placed at the right edge and the first column gets the spare
  // width.
  const isNarrow = block.length <= 4;
  if (isNarrow) widths[0] = (widths[0] ?? 0) + Math.max(0, spareWidth);
  const gap =
    type.gap + (isNarrow || block.length < 2 ? 0 : Math.max(0, spareWidth) / (block.length - 1));
  let x = sheet.left;
  return block.flatMap((at, index) => {
    const column = columns[at];
    if (column === undefined) return [];
    const width = widths[index] ?? 0;
    const slot = { at, column, x, width };
    x += width + gap;
    return [slot];
  });
}
