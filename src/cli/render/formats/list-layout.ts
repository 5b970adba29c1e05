/**
 * Lists on a terminal: headings, days and statuses in words, and columns that give way where the
 * terminal is too narrow for all of them.
 */

import { addMonths, type DateText, mediumDate, shortDate } from "../../../ledger/dates/calendar.ts";
import type { FieldColumn } from "../../../output/columns.ts";
import { displayWidth } from "../../../output/display-width.ts";
import { idLabel, labelOf } from "../../../output/field-labels.ts";
import type { Marks } from "../../../output/figures.ts";
import type { Cell, CellRow, Row } from "../../../output/table.ts";
import type { Resource } from "../../../resources/field.ts";
import { idWidthMin, Table, type TableColumn, type TableOptions } from "../table-layout.ts";
import { shownText, textInWords } from "../value-text.ts";
import { tableColumn } from "./record-lines.ts";

/** A list of records. */
export interface ListView {
  readonly resource: Resource;
  readonly columns: readonly FieldColumn[];
  /** Number format for people; undefined for output to programs. */
  readonly numberMarks: Marks | undefined;
  /**
   * Today's local date, `YYYY-MM-DD`, where headings, days and statuses are shown in words and
   * columns may give way; undefined where columns were asked for, or programs read the list.
   */
  readonly today?: string | undefined;
}

/** Formats the rows of a list, which arrive in batches. */
export class ListLayout {
  readonly #view: ListView;
  readonly #options: TableOptions;
  #layout: { readonly table: Table; readonly places: readonly number[] } | undefined;

  constructor(view: ListView, options: TableOptions) {
    this.#view = view;
    this.#options = options;
  }

  /** Returns the lines of further rows. @param isLastBatch  whether the list has no other batch */
  lines(batch: readonly Row[], isLastBatch: boolean): string[] {
    const figureRows = batch.filter((row) => row.role !== "section");
    const textsOf = (row: CellRow) => textsOfRow(this.#view, row);
    const lines = figureRows.filter(({ role }) => role === "line").map(textsOf);
    const totals = figureRows.filter(({ role }) => role === "total").map(textsOf);
    const above = this.#layout === undefined ? this.#begin(lines, isLastBatch) : [];
    const { table, places } = this.#layout!;
    const shownColumns = (rows: readonly (readonly string[])[]) =>
      rows.map((row) => places.map((at) => row[at] ?? ""));
    return [...above, ...table.lines(shownColumns(lines)), ...table.totals(shownColumns(totals))];
  }

  /** Chooses the columns by the first rows; returns what is said above the table. */
  #begin(lines: readonly (readonly string[])[], isLast: boolean): string[] {
    const { resource, columns, numberMarks: marks, today } = this.#view;
    const { width } = this.#options;
    const tableColumns = columns.map((column) => {
      const plainColumn = tableColumn(column, marks);
      if (today === undefined) return plainColumn;
      const { path, field } = column;
      return { ...plainColumn, heading: path === resource.id ? idLabel(field) : labelOf(path) };
    });
    const isFitted = today !== undefined && width !== undefined;
    const isUsed = (at: number) =>
      at === 0 || !isLast || lines.length === 0 || lines.some((row) => row[at] !== "");
    const columnIndexes = [...columns.keys()].filter(
      (at) =>
        today === undefined ||
        marks === undefined ||
        (!unsaidFields.has(columns[at]?.path ?? "") && isUsed(at)),
    );
    const { places, common } = isFitted
      ? columnsThatFit(columns, tableColumns, lines, { all: columnIndexes, width, isWhole: isLast })
      : { places: columnIndexes, common: "" };
    const table = new Table(
      places.map((at) => tableColumns[at]!),
      this.#options,
    );
    this.#layout = { table, places };
    return common === "" ? [] : [common];
  }
}

/**
 * Columns that are left out in words: the direction of a payment is the sign of its amount, and the
 * request of an operation is for programs.
 */
const unsaidFields: ReadonlySet<string> = new Set(["Direction", "Action"]);

/** Texts of a row; an overdue document says so in place of its status, or beside its day. */
function textsOfRow(view: ListView, { cells, role, overdueDays }: CellRow): string[] {
  const { columns, numberMarks: marks } = view;
  const shownCells = cells.map((cell, at) => cellText(view, columns[at]!, cell, role === "line"));
  const direction = cells[columns.findIndex(({ path }) => path === "Direction")];
  if (direction?.value === "PAID" && view.today !== undefined) {
    for (const [at, { field }] of columns.entries()) {
      if (field.kind === "money" && shownCells[at]) shownCells[at] = `-${shownCells[at]}`;
    }
  }
  if (overdueDays === undefined || marks === undefined) return shownCells;
  const lateText = `${overdueDays} ${overdueDays === 1 ? "day" : "days"} late`;
  const status = columns.findIndex(isStatus);
  const day = columns.findIndex(({ path }) => path === "DueDate");
  if (status >= 0) shownCells[status] = lateText;
  else if (day >= 0) shownCells[day] = `${shownCells[day]}, ${lateText}`;
  return shownCells;
}

function cellText(
  { resource, numberMarks: marks, today }: ListView,
  { path, field, listed }: FieldColumn,
  cell: Cell | undefined,
  isLine: boolean,
): string {
  if (cell === undefined || today === undefined || listed) return shownText(cell, marks);
  const day = (date: DateText) => shortDay(date, today);
  return textInWords({ path, field }, cell, { marks, day, statusOf: isLine ? resource.name : "" });
}

const isStatus = ({ path, field }: FieldColumn) =>
  field.kind === "choice" && path.endsWith("Status");

/** Formats a day of the last twelve months as `18 Nov`, and any other as `18 Nov 25`. */
function shortDay(day: DateText, today: DateText): string {
  const isRecent = day <= today && day > addMonths(today, -12);
  return (isRecent ? mediumDate(day).slice(0, -5) : shortDate(day)).replace(/^(?=\d )/, " ");
}

/** The columns that are shown, and the sentence on those that are the same in all rows. */
interface ShownColumns {
  /** Indices of the columns. */
  readonly places: readonly number[];
  /** What all rows have in common, such as `Account 090 · Paid`; empty where nothing is left out. */
  readonly common: string;
}

/** Width that a name keeps, in columns, before another column gives way. */
const nameWidth = 16;
const gapWidth = 2;

/**
 * Chooses the columns that fit with readable names: ids give way first, then what is the same in
 * all rows, references, a second date and further text. The first column always stays.
 *
 * @param cellTexts    texts of the rows, by column
 * @param all      indices of the columns to choose from
 * @param isWhole  whether these are all rows of the list
 */
function columnsThatFit(
  columns: readonly FieldColumn[],
  tableColumns: readonly TableColumn[],
  cellTexts: readonly (readonly string[])[],
  {
    all,
    width,
    isWhole,
  }: { readonly all: readonly number[]; readonly width: number; readonly isWhole: boolean },
): ShownColumns {
  const needed = tableColumns.map(({ heading, shrinks }, at) => {
    const widest = Math.max(...cellTexts.map((row) => displayWidth(row[at] ?? "")), 0);
    const widthMin = { never: widest, text: nameWidth, name: nameWidth, id: idWidthMin }[shrinks];
    const keptWidth = Math.min(widest, widthMin);
    return Math.max(keptWidth, ...heading.split(" ").map(displayWidth));
  });
  const areFitting = (columnIndexes: Iterable<number>) =>
    [...columnIndexes].reduce((sum, at) => sum + (needed[at] ?? 0) + gapWidth, -gapWidth) <= width;
  const shownIndexes = new Set(all);
  const saidTexts: string[] = [];
  for (const { at, isSaid } of chooseGivingWay(columns, cellTexts, isWhole)) {
    if (areFitting(shownIndexes)) break;
    const text = cellTexts[0]?.[at] ?? "";
    if (!shownIndexes.delete(at) || isSaid !== true || text === "") continue;
    saidTexts.push(
      /(Status|Type|Direction)$/.test(columns[at]?.path ?? "")
        ? text
        : `${tableColumns[at]?.heading} ${text}`,
    );
  }
  // On a terminal too narrow even so, each cell has a line of its own.
  return areFitting(shownIndexes)
    ? { places: [...shownIndexes], common: saidTexts.join(" · ") }
    : { places: all, common: "" };
}

interface GivingWay {
  readonly at: number;
  /** Whether the value, which all rows share, is said above the table instead. */
  readonly isSaid?: boolean;
}

function chooseGivingWay(
  columns: readonly FieldColumn[],
  cellTexts: readonly (readonly string[])[],
  isComplete: boolean,
): GivingWay[] {
  const columnIndexes = columns.map((_, at) => at).slice(1);
  const of = (isWanted: (column: FieldColumn) => boolean) =>
    columnIndexes.filter((at) => isWanted(columns[at] as FieldColumn));
  const isShared = (at: number) => cellTexts.every((row) => row[at] === cellTexts[0]?.[at]);
  const shared = of(({ path, field }) => field.kind === "choice" || /Code$/.test(path)).filter(
    (at) => isComplete && isShared(at),
  );
  const texted = of(
    ({ field, listed }) => listed || field.kind === "text" || field.kind === "many",
  );
  const dates = of(({ field }) => field.kind === "date" || field.kind === "timestamp");
  return [
    ...of(({ field }) => field.kind === "id").map((at) => ({ at })),
    ...shared.map((at) => ({ at, isSaid: true })),
    ...of(({ path }) => path === "Reference").map((at) => ({ at })),
    ...dates.slice(1).map((at) => ({ at })),
    ...texted.slice(1).map((at) => ({ at })),
  ];
}
