/** A report as it travels: rows of cells whose values are text. */
import type { Cents } from "../resources/decimal.ts";

/** The text of a figure that nothing tells; `null` where figures are numbers. */
export const notKnown = "not known";

/** The `Id` of the attribute that names the figures of a row, on its first cell, where it is described. */
export const figureId = "figure";

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

/** The id of the figures of a row; undefined for a row that has none. */
export const figureIn = ({ Cells = [] }: Row): string | undefined =>
  Cells[0]?.Attributes?.find(({ Id }) => Id === figureId)?.Value;

/** What a tax return says of itself: the days it covers. */
export interface ReportAttribute {
  readonly Name: string;
  readonly Description: string;
  readonly Value: string;
}

/** A box of a tax return. */
export interface ReportField {
  readonly FieldID: string;
  readonly Description: string;
  readonly Value: string;
}

/** A person on a 1099 report. */
export interface ReportContact {
  /** `Box1` and so on; those of zero are left out. */
  readonly Boxes: readonly (readonly [name: string, amount: Cents])[];
  /** Name, address, tax number, in the order in which they are written. */
  readonly Texts: readonly (readonly [name: string, text: string])[];
}

export interface Report {
  readonly ReportID: string;
  readonly ReportName: string;
  readonly ReportType: string;
  readonly ReportTitles: readonly string[];
  /** The day it was produced, `d MMMM yyyy`; of tax reports the range they cover. */
  readonly ReportDate: string;
  /** Milliseconds since 1970 UTC. */
  readonly UpdatedDateUTC: number;
  readonly Rows: readonly Row[];
  /** Tax returns only. */
  readonly Attributes?: readonly ReportAttribute[];
  readonly Fields?: readonly ReportField[];
  /** 1099 reports only. */
  readonly Contacts?: readonly ReportContact[];
}

/** A report as the service gives it: lists of reports, and those of no rows, leave members out. */
export type GivenReport = Partial<Report> & Pick<Report, "ReportName" | "ReportDate">;
