/** A report as it travels: rows of cells whose values are text. */

export interface CellAttribute {
  readonly Value: string;
  readonly Id: string;
}

export interface Cell {
  /** Absent for an empty cell of a debit and credit pair. */
  readonly Value?: string;
  readonly Attributes?: readonly CellAttribute[];
}

export type RowType = "Header" | "Section" | "Row" | "SummaryRow";

export interface Row {
  readonly RowType: RowType;
  /** Sections only; empty when untitled. */
  readonly Title?: string;
  readonly Cells?: readonly Cell[];
  /** Sections only. */
  readonly Rows?: readonly Row[];
}

export interface Report {
  readonly ReportID: string;
  readonly ReportName: string;
  readonly ReportType: string;
  readonly ReportTitles: readonly string[];
  /** The day it was produced, `d MMMM yyyy`. */
  readonly ReportDate: string;
  /** Milliseconds since 1970 UTC. */
  readonly UpdatedDateUTC: number;
  readonly Rows: readonly Row[];
}
