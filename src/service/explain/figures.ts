/** The figures of a report by where they stand: row, section and column. */
import type { ReportBody, ReportRow } from "../../ledger/reports/rows.ts";
import { readDecimal } from "../../resources/decimal.ts";
import { notKnown } from "../../wire/report.ts";

export interface FigureRow {
  /** From 1, rows of figures alone counted. */
  readonly line: number;
  /** Title of its section, empty for none, and which section it is. */
  readonly section: string;
  readonly sectionAt: number;
  readonly isTotal: boolean;
  readonly label: string;
  readonly cells: NonNullable<ReportRow["Cells"]>;
}

/** A cell of a report. */
export interface Place {
  readonly row: FigureRow;
  /** From 0, the column of names counted. */
  readonly column: number;
}

const figurePattern = /^-?\d+(?:\.\d{1,4})?%?$/;

export class Figures {
  readonly headings: readonly string[];
  readonly rows: readonly FigureRow[];
  readonly titles: readonly string[];

  constructor({ titles, rows }: ReportBody) {
    this.titles = titles;
    const [header] = rows.filter(({ RowType }) => RowType === "Header");
    this.headings = (header?.Cells ?? []).map(({ Value = "" }) => Value);
    const own: FigureRow[] = [];
    const add = (row: ReportRow, section: string, sectionAt: number) =>
      own.push({
        line: own.length + 1,
        section,
        sectionAt,
        isTotal: row.RowType === "SummaryRow",
        label: row.Cells?.[0]?.Value ?? "",
        cells: row.Cells ?? [],
      });
    for (const [at, row] of rows.entries()) {
      if (row.RowType === "Header") continue;
      if (row.RowType !== "Section") add(row, "", at);
      else for (const each of row.Rows ?? []) add(each, row.Title ?? "", at);
    }
    this.rows = own;
  }

  /** The first row of a label, in a section where one is named. */
  row(label: string, section?: string): FigureRow | undefined {
    return this.rows.find(
      (row) => row.label === label && (section === undefined || row.section === section),
    );
  }

  /** A cell of the row of a label; undefined where the report leaves the row out. */
  at(label: string, column: number, section?: string): Place | undefined {
    const row = this.row(label, section);
    return row && { row, column };
  }

  /** Cells of the lines of a section in a column, its totals left out. */
  linesOf(row: FigureRow, column: number): Place[] {
    return this.rows
      .filter((each) => each.sectionAt === row.sectionAt && !each.isTotal)
      .map((each) => ({ row: each, column }));
  }

  /** Place of a row among the lines of its section, from 0. */
  positionOf(row: FigureRow): number {
    return this.rows.filter(
      (each) => each.sectionAt === row.sectionAt && !each.isTotal && each.line < row.line,
    ).length;
  }
}

export const textAt = ({ row, column }: Place): string => row.cells[column]?.Value ?? "";

/** Whether a figure stands there, known or not: no text, no day, no empty cell. */
export const isFigure = (place: Place): boolean =>
  place.column > 0 && (figurePattern.test(textAt(place)) || textAt(place) === notKnown);

/** Its value without the point, at the scale of a number of decimals. */
export function valueAt(place: Place, scale = 2): number {
  return readDecimal(textAt(place).replace("%", ""), scale) ?? 0;
}

/** What the cells of a row say of a record: an AccountID, a ContactID. */
export function attributeOf({ cells }: FigureRow, id: string): string | undefined {
  return cells.flatMap(({ Attributes = [] }) => Attributes).find((each) => each.Id === id)?.Value;
}
