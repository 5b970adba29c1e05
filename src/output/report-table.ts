/** Converts reports to tables. */
import { currencyCodes } from "../resources/common.ts";
import { readDecimal, scaleOf } from "../resources/decimal.ts";
import {
  figureId,
  notKnown,
  noValue,
  type Report,
  type Cell as WireCell,
  type Row as WireRow,
  wholeUnits,
} from "../wire/report.ts";
import type { Cell, CellRow, Column, Row, Table } from "./table.ts";

/** Amounts in reports are text with two decimals; document numbers never have that form. */
const amountPattern = /^-?\d+\.\d\d$/;
const quantityPattern = /^-?\d+\.\d{1,4}$/;
const percentPattern = /^-?\d+(?:\.\d+)?%$/;
const figurePattern = /^-?\d+(?:\.\d+)?%?$/;
const dayPattern = /^(\d{4}-\d{2}-\d{2})(?:T00:00:00)?$/;

/** Title of a report that states its currency; services of other makes have no such title. */
const currencyPattern = /^(?:Accrual|Cash) basis, in ([A-Z]{3})$/;

const saidBy = ({ ReportTitles }: Report): string | undefined =>
  ReportTitles.flatMap((title) => currencyPattern.exec(title)?.[1] ?? [])[0];

/** A report table, with all rows in memory. */
export interface ReportTable extends Table {
  readonly rows: readonly Row[];
}

const figures = [
  [amountPattern, "money"],
  [quantityPattern, "quantity"],
  [percentPattern, "percent"],
] as const;

/**
 * Converts a report to a table.
 *
 * @param currency  currency of the amounts, where the titles do not state it
 */
export function reportTable(report: Report, currency = saidBy(report)): ReportTable {
  const header = report.Rows.find(({ RowType }) => RowType === "Header");
  const rows = report.Rows.filter(({ RowType }) => RowType !== "Header").flatMap((row) =>
    sectionRows(row, currency),
  );
  const wire = report.Rows.flatMap((row) => [row, ...(row.Rows ?? [])]);
  const count = Math.max(0, ...wire.map(({ Cells = [] }) => Cells.length));
  const columns = Array.from({ length: count }, (_, at): Column => {
    const heading = textOf(header?.Cells?.[at]);
    const cellTexts = wire
      .filter(({ RowType }) => RowType !== "Header")
      .map(({ Cells = [] }) => textOf(Cells[at]))
      .filter((text) => text !== "" && text !== notKnown && text !== noValue);
    const isFigures = at > 0 && cellTexts.every((text) => figurePattern.test(text));
    const cellKinds = new Set(cellTexts.map((text) => readCell(text).kind));
    const [only] = cellKinds;
    return {
      path: heading,
      heading,
      id: figureIdIn(header?.Cells?.[at]),
      align: isFigures ? "right" : "left",
      kind: cellKinds.size === 1 && only !== undefined ? only : isFigures ? "money" : "text",
      isStatus: false,
    };
  });
  const { ReportName: name, ReportTitles: titles, ReportNotes: notes } = report;
  return { name, titles, columns, rows, notes, hasDashes: notes !== undefined };
}

/**
 * Rows of a section, preceded by the section row; rows outside any section form one without title.
 */
function sectionRows(row: WireRow, ofReport: string | undefined): Row[] {
  const isSection = row.RowType === "Section";
  const title = isSection ? (row.Title ?? "") : "";
  const rows = isSection ? (row.Rows ?? []) : [row];
  return [
    { role: "section", title },
    ...rows.map((row) => toCellRow(row, title, codeIn(title) ?? ofReport)),
  ];
}

const codeIn = (text: string) => (currencyCodes.includes(text) ? text : undefined);

/**
 * Converts a row of cells.
 *
 * @param currency currency of the amounts, except where the cell before an amount is a currency
 * code
 */
function toCellRow(
  { RowType, Cells = [] }: WireRow,
  title: string,
  currency: string | undefined,
): CellRow {
  // A row without an account behind its figures is a result, such as net profit.
  const attributes = Cells.flatMap((cell) => cell.Attributes ?? []);
  const isResult = title === "" && attributes.every(({ Id }) => Id === figureId);
  return {
    role: RowType === "SummaryRow" ? "total" : isResult ? "result" : "line",
    cells: Cells.map((cell, at) => {
      const text = textOf(cell);
      if (text === "") return undefined;
      const own = codeIn(textOf(Cells[at - 1])) ?? currency;
      return { ...readCell(text, cell.Attributes), text, origin: cell.Attributes, currency: own };
    }),
  };
}

/** Id of the figures in a row; empty for a row that has none. */
export const figureOf = ({ cells }: CellRow): string =>
  cells[0]?.origin?.find(({ Id }) => Id === figureId)?.Value ?? "";

const figureIdIn = (cell: WireCell | undefined): string | undefined =>
  cell?.Attributes?.find(({ Id }) => Id === figureId)?.Value;

const textOf = (cell: WireCell | undefined): string =>
  (cell?.Value ?? "").replace(dayPattern, "$1");

/** Parses the text of a cell: a figure, a day, or else text. */
function readCell(text: string, attributes?: WireCell["Attributes"]): Pick<Cell, "kind" | "value"> {
  const kind = attributes?.some(({ Id }) => Id === wholeUnits)
    ? "quantity"
    : figures.find(([pattern]) => pattern.test(text))?.[1];
  if (kind !== undefined) {
    const value = readDecimal(text.replace("%", ""), scaleOf[kind]);
    if (value !== undefined) return { kind, value };
  }
  return dayPattern.test(text) ? { kind: "date", value: text } : { kind: "text", value: text };
}
