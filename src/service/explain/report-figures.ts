/** The figures of a report by position: row, section and column. */
import type { ReportBody, ReportRow } from "../../ledger/reports/report-rows.ts";
import { amountOf, type CellValue, notKnown } from "../../wire/report.ts";

export interface FigureRow {
  /** Line number from 1, counting only rows of figures. */
  readonly line: number;
  /** Title of the section; empty without one. */
  readonly section: string;
  readonly isTotal: boolean;
  readonly label: string;
  readonly cells: NonNullable<ReportRow["Cells"]>;
}

/** Position of a cell in a report. */
export interface CellRef {
  readonly row: FigureRow;
  /** Column index from 0, with the column of names. */
  readonly column: number;
}

export class Figures {
  readonly headings: readonly string[];
  /** Ids of the columns; undefined for columns without one. */
  readonly columns: readonly (string | undefined)[];
  readonly rows: readonly FigureRow[];
  readonly titles: readonly string[];

  constructor({ titles, rows }: ReportBody) {
    this.titles = titles;
    const [header] = rows.filter(({ RowType }) => RowType === "Header");
    this.headings = (header?.Cells ?? []).map(textIn);
    this.columns = (header?.Cells ?? []).map(({ id }) => id);
    const figureRows: FigureRow[] = [];
    const add = (row: ReportRow, section: string) =>
      figureRows.push({
        line: figureRows.length + 1,
        section,
        isTotal: row.RowType === "SummaryRow",
        label: textIn(row.Cells?.[0]),
        cells: row.Cells ?? [],
      });
    for (const row of rows) {
      if (row.RowType === "Header") continue;
      if (row.RowType !== "Section") add(row, "");
      else for (const reportRow of row.Rows ?? []) add(reportRow, row.Title ?? "");
    }
    this.rows = figureRows;
  }
}

/** Returns the text of a cell; empty for an amount. */
export const textIn = (cell: FigureRow["cells"][number] | undefined): string =>
  typeof cell?.Value === "string" ? cell.Value : "";

export const valueAt = ({ row, column }: CellRef): CellValue => row.cells[column]?.Value ?? "";

/** Whether a cell has a figure, and not a text, a date or nothing. */
export const isFigure = (cell: CellRef): boolean =>
  cell.column > 0 && (typeof valueAt(cell) === "object" || valueAt(cell) === notKnown);

/** Returns the amount of a cell at the scale of its unit; zero for one without. */
export const amountAt = (cell: CellRef): number => amountOf(valueAt(cell));

/** Returns an attribute of a row's cells, such as an AccountID or ContactID. */
export function attributeOf({ cells }: FigureRow, id: string): string | undefined {
  return cells.flatMap(({ Attributes = [] }) => Attributes).find((each) => each.Id === id)?.Value;
}
