/**
 * Fits a report to a terminal: unused columns and those of detail give way, then empty columns of an ageing, whose
 * last two buckets fold until all stand side by side.
 */
import { displayWidth } from "../../../output/display-width.ts";
import { type Marks, marksIn } from "../../../output/figures.ts";
import type { ReportTable } from "../../../output/report-table.ts";
import type { Cell, Column, Row } from "../../../output/table.ts";
import { reportText } from "../value-text.ts";

/** Width that the names of rows keep. */
export const nameWidthMin = 16;
/** Width of a column of wrapped text, enough for a date or a word. */
export const textWidthMin = 12;
const gapWidth = 2;

/** Returns a report with the columns that fit; as it is where it has no columns that give way. */
export function fitTo(table: ReportTable, width: number, marks: Marks | undefined): ReportTable {
  let fittedTable = table;
  while (widthOf(fittedTable, marks) > width) {
    const narrower = narrowTable(fittedTable);
    if (narrower === undefined) return fittedTable;
    fittedTable = narrower;
  }
  return fittedTable;
}

function widthOf(table: ReportTable, numberMarks: Marks | undefined): number {
  const ownMarks = marksIn(table, numberMarks);
  const widths = table.columns.map(({ heading }, at) =>
    Math.max(
      ...heading.split(" ").map(displayWidth),
      ...table.rows.map((row) =>
        row.role === "section" ? 0 : displayWidth(reportText(row.cells[at], ownMarks)),
      ),
    ),
  );
  return widths.reduce((sum, widestWidth, at) => {
    if (at === 0) return sum + Math.min(widestWidth, nameWidthMin);
    const isText = table.columns[at]?.align === "left";
    return sum + gapWidth + (isText ? Math.min(widestWidth, nameWidthMin) : widestWidth);
  }, 0);
}

/** Returns the report with one column fewer; undefined where none gives way. */
function narrowTable(table: ReportTable): ReportTable | undefined {
  const { columns, rows } = table;
  const isBucket = ({ id = "" }: Column) => id.startsWith("bucket-");
  const unusedIndex = columns.findLastIndex(
    (_, at) => at > 0 && rows.every((row) => row.role === "section" || !row.cells[at]),
  );
  if (unusedIndex > 0) return removeColumn(table, unusedIndex);
  const detailIndex = columns.findLastIndex(({ id = "" }) => id.startsWith("detail-"));
  if (detailIndex > 0) return removeColumn(table, detailIndex);
  const isEmpty = (at: number) =>
    rows.every((row) => row.role === "section" || (row.cells[at]?.value ?? 0) === 0);
  const emptyIndex = columns.findLastIndex(
    (column, at) => column.id === "bucket-credits" && isEmpty(at),
  );
  if (emptyIndex > 0) return removeColumn(table, emptyIndex);
  const buckets = columns.filter((column) => isBucket(column) && column.id !== "bucket-credits");
  const [columnBefore, lastBucket] = buckets.slice(-2);
  if (columnBefore === undefined || lastBucket === undefined || buckets.length < 3)
    return undefined;
  const lastAt = columns.indexOf(lastBucket);
  const heading = `${/^\d*/.exec(columnBefore.heading)?.[0]}+`;
  return removeColumn(
    {
      ...table,
      columns: columns.map((column, at) => (at === lastAt - 1 ? { ...column, heading } : column)),
      rows: rows.map((row) => foldCell(row, lastAt)),
    },
    lastAt,
  );
}

/** Adds the cell of a column to the one before it. */
function foldCell(row: Row, at: number): Row {
  if (row.role === "section") return row;
  const foldedCell = sumOf(row.cells[at - 1], row.cells[at]);
  return { ...row, cells: row.cells.map((cell, index) => (index === at - 1 ? foldedCell : cell)) };
}

const sumOf = (a: Cell | undefined, b: Cell | undefined): Cell | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return { ...a, text: undefined, value: Number(a.value) + Number(b.value) };
};

function removeColumn(table: ReportTable, at: number): ReportTable {
  const withoutAt = <T>(cells: readonly T[]) => cells.filter((_, index) => index !== at);
  return {
    ...table,
    columns: withoutAt(table.columns),
    rows: table.rows.map((row) =>
      row.role === "section" ? row : { ...row, cells: withoutAt(row.cells) },
    ),
  };
}
