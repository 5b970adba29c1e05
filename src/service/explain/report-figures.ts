/** The figures of a report by where they stand: row, section and column. */
import type { ReportBody, ReportRow } from "../../ledger/reports/report-rows.ts";
import { readDecimal } from "../../resources/decimal.ts";
import { notKnown } from "../../wire/report.ts";

export interface FigureRow {
  /** From 1, rows of figures alone counted. */
  readonly line: number;
  /** Title of its section; empty for none. */
  readonly section: string;
  readonly isTotal: boolean;
  readonly label: string;
  readonly cells: NonNullable<ReportRow["Cells"]>;
}

/** A cell of a report. */
export interface CellRef {
  readonly row: FigureRow;
  /** From 0, the column of names counted. */
  readonly column: number;
}

const figurePattern = /^-?\d+(?:\.\d{1,4})?%?$/;

export class Figures {
  readonly headings: readonly string[];
  /** Ids of the columns that have one. */
  readonly columns: readonly (string | undefined)[];
  readonly rows: readonly FigureRow[];
  readonly titles: readonly string[];

  constructor({ titles, rows }: ReportBody) {
    this.titles = titles;
    const [header] = rows.filter(({ RowType }) => RowType === "Header");
    this.headings = (header?.Cells ?? []).map(({ Value = "" }) => Value);
    this.columns = (header?.Cells ?? []).map(({ id }) => id);
    const own: FigureRow[] = [];
    const add = (row: ReportRow, section: string) =>
      own.push({
        line: own.length + 1,
        section,
        isTotal: row.RowType === "SummaryRow",
        label: row.Cells?.[0]?.Value ?? "",
        cells: row.Cells ?? [],
      });
    for (const row of rows) {
      if (row.RowType === "Header") continue;
      if (row.RowType !== "Section") add(row, "");
      else for (const each of row.Rows ?? []) add(each, row.Title ?? "");
    }
    this.rows = own;
  }
}

export const textAt = ({ row, column }: CellRef): string => row.cells[column]?.Value ?? "";

/** Whether a figure stands there, known or not: no text, no day, no empty cell. */
export const isFigure = (place: CellRef): boolean =>
  place.column > 0 && (figurePattern.test(textAt(place)) || textAt(place) === notKnown);

/** Its value without the point, at the scale of a number of decimals. */
export function valueAt(place: CellRef, scale = 2): number {
  return readDecimal(textAt(place).replace("%", ""), scale) ?? 0;
}

/** What the cells of a row say of a record: an AccountID, a ContactID. */
export function attributeOf({ cells }: FigureRow, id: string): string | undefined {
  return cells.flatMap(({ Attributes = [] }) => Attributes).find((each) => each.Id === id)?.Value;
}
