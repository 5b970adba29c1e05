/** How wide the columns of a printed table are, in which size of type, and on which way of the paper. */
import { displayWidth } from "../display-width.ts";
import type { CellRow, Column, Table } from "../table.ts";
import type { Sheet } from "./paper-sheet.ts";
import { type Style, styles } from "./type.ts";

/** Lines of text of one row, or the title of a section. */
export type PrintedRow =
  | { readonly role: "section"; readonly title: string }
  | {
      readonly role: CellRow["role"];
      readonly texts: readonly string[];
      /** Whether a figure is below zero. */
      readonly isLess: readonly boolean[];
      /** Whether it stands in a section with a title. */
      readonly isIn: boolean;
      readonly overdue: string | undefined;
    };

/** A table of which all rows are known. */
export interface PrintedTable extends Pick<Table, "titles" | "columns"> {
  readonly rows: readonly PrintedRow[];
}

/** A column where it is printed. */
export interface ColumnSlot {
  /** Its place in the table. */
  readonly at: number;
  readonly column: Column;
  readonly x: number;
  readonly width: number;
}

/** Columns that stand beside each other. */
export interface ColumnLayout {
  readonly places: readonly ColumnSlot[];
  readonly type: Type;
}

/** Styles in one size, and the distances that go with it. */
export interface Type {
  readonly body: Style;
  readonly strong: Style;
  readonly soft: Style;
  readonly gap: number;
  readonly indent: number;
}

export interface Layout {
  readonly sheet: Sheet;
  /** Of each table its blocks, one below the other. */
  readonly tables: readonly (readonly ColumnLayout[])[];
}

/** Sizes that are tried, the largest first. */
const sizes = [9, 8, 7] as const;
/** Down to this text is wrapped, in the largest size. */
const textMin = 84;
/** The longest texts of a column are measured, since measuring all takes longer than printing. */
const measured = 24;

/** Height of a row of so many lines. */
export function rowHeight({ body }: Type, lines: number): number {
  return lines * body.leading + 6;
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

/** What a column takes in the largest size: at least, and where nothing is wrapped. */
interface Extent {
  readonly least: number;
  readonly natural: number;
}

/**
 * The first way in which all columns fit beside each other: in smaller type, then on paper that lies.
 * Where none does, columns follow in blocks, each with the names of the rows.
 *
 * @param wide  makes a sheet that lies
 */
export function layOut(tables: readonly PrintedTable[], upright: Sheet, wide: () => Sheet): Layout {
  const extents = tables.map((table) => extentsOf(table, upright));
  const fitting = (sheet: Sheet) =>
    sizes.find((size) => extents.every((each) => neededOf(each, size) <= sheet.width));
  let sheet = upright;
  let size = fitting(sheet);
  if (size === undefined) {
    sheet = wide();
    size = fitting(sheet);
  }
  const type = typeOf(size ?? 7);
  const chosen = sheet;
  return {
    sheet,
    tables: tables.map(({ columns }, at) =>
      blocksOf(extents[at] ?? [], type, chosen).map((block) => ({
        type,
        places: placesOf(block, { columns, extents: extents[at] ?? [], type, sheet: chosen }),
      })),
    ),
  };
}

function neededOf(extents: readonly Extent[], size: number): number {
  const { gap } = typeOf(size);
  const scale = size / styles.body.size;
  return extents.reduce((sum, { least }) => sum + least * scale + gap, -gap);
}

function extentsOf({ columns, rows }: PrintedTable, sheet: Sheet): Extent[] {
  const { body, strong, soft } = styles;
  return columns.map((column, at) => {
    const lines = rows.filter((row) => isMeasured(row, at));
    const longest = lines
      .map((row) => ({ text: row.texts[at] ?? "", row }))
      // Characters of East Asia are two others wide.
      .map((each) => ({ ...each, length: displayWidth(each.text) }))
      .toSorted((a, b) => b.length - a.length)
      .slice(0, measured)
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
    const least = isWrapped(column) ? Math.min(content, Math.max(heading, textMin)) : content;
    // A heading wraps before anything else does.
    return { least, natural: Math.max(content, sheet.measure(column.heading, soft)) };
  });
}

type Cells = Extract<PrintedRow, { texts: readonly string[] }>;

/** A title of a section, and the name of a total, go on over other columns. */
function isMeasured(row: PrintedRow, at: number): row is Cells {
  return row.role !== "section" && !(row.role === "total" && at === 0);
}

/** Whether it has text, of which there may be more than fits on a line. */
export const isWrapped = ({ kind, align }: Column) =>
  align === "left" && (kind === "text" || kind === "id");

/** Columns by their places, spread over as many blocks as the width asks for. */
function blocksOf(extents: readonly Extent[], { body, gap }: Type, sheet: Sheet): number[][] {
  const scale = body.size / styles.body.size;
  const widthOf = (at: number) => (extents[at]?.least ?? 0) * scale + gap;
  const [, ...others] = extents.keys();
  if (extents.length === 0) return [];
  const blocks: number[][] = [[0]];
  let used = widthOf(0);
  for (const at of others) {
    const block = blocks.at(-1) ?? [];
    if (used + widthOf(at) - gap > sheet.width && block.length > 1) {
      blocks.push([0, at]);
      used = widthOf(0) + widthOf(at);
    } else {
      block.push(at);
      used += widthOf(at);
    }
  }
  return blocks;
}

interface Placing {
  readonly columns: readonly Column[];
  readonly extents: readonly Extent[];
  readonly type: Type;
  readonly sheet: Sheet;
}

/** Text gets what figures leave; what nobody needs widens the distances between the columns. */
function placesOf(
  block: readonly number[],
  { columns, extents, type, sheet }: Placing,
): ColumnSlot[] {
  const scale = type.body.size / styles.body.size;
  const widths = block.map((at) => (extents[at]?.least ?? 0) * scale);
  const missing = block.map(
    (at) => ((extents[at]?.natural ?? 0) - (extents[at]?.least ?? 0)) * scale,
  );
  const sumOf = (all: readonly number[]) => all.reduce((sum, each) => sum + each, 0);
  let spare = sheet.width - sumOf(widths) - type.gap * (block.length - 1);
  const wanted = sumOf(missing);
  const share = wanted > 0 ? Math.min(1, Math.max(0, spare) / wanted) : 0;
  for (const [index, more] of missing.entries())
    widths[index] = (widths[index] ?? 0) + more * share;
  spare -= wanted * share;
  // Names and a few figures: the figures stand at the right edge, with the names before them.
  const isNarrow = block.length <= 4;
  if (isNarrow) widths[0] = (widths[0] ?? 0) + Math.max(0, spare);
  const gap =
    type.gap + (isNarrow || block.length < 2 ? 0 : Math.max(0, spare) / (block.length - 1));
  let x = sheet.left;
  return block.flatMap((at, index) => {
    const column = columns[at];
    if (column === undefined) return [];
    const width = widths[index] ?? 0;
    const place = { at, column, x, width };
    x += width + gap;
    return [place];
  });
}
