/** Wire form of reports: rows of cells whose values are text. */
import type { Cents } from "../resources/decimal.ts";

/** Text of an unknown figure; `null` where figures are numbers. */
export const notKnown = "not known";

/** `Id` of the attribute that holds the figure ids of a row, on its first cell. */
export const figureId = "figure";

export interface CellAttribute {
  readonly Value: string;
  readonly Id: string;
}

export interface Cell {
  /** Text of the cell; absent for an empty cell of a debit and credit pair. */
  readonly Value?: string;
  readonly Attributes?: readonly CellAttribute[];
}

export type RowType = "Header" | "Section" | "Row" | "SummaryRow";

export interface Row {
  readonly RowType: RowType;
  /** Title, for sections only; empty when untitled. */
  readonly Title?: string;
  readonly Cells?: readonly Cell[];
  /** Nested rows, for sections only. */
  readonly Rows?: readonly Row[];
}

/** The figure id of a row; undefined when it has none. */
export const figureIn = ({ Cells = [] }: Row): string | undefined =>
  Cells[0]?.Attributes?.find(({ Id }) => Id === figureId)?.Value;

/** An attribute of a tax return, such as the days it covers. */
export interface ReportAttribute {
  readonly Name: string;
  readonly Description: string;
  readonly Value: string;
}

/** A box of a tax return, with its value. */
export interface ReportField {
  readonly FieldID: string;
  readonly Description: string;
  readonly Value: string;
}

/** A contact on a 1099 report. */
export interface ReportContact {
  /** Amounts by box, `Box1` and so on; zero amounts are left out. */
  readonly Boxes: readonly (readonly [name: string, amount: Cents])[];
  /** Name, address and tax number, in output order. */
  readonly Texts: readonly (readonly [name: string, text: string])[];
}

export interface Report {
  readonly ReportID: string;
  readonly ReportName: string;
  readonly ReportType: string;
  readonly ReportTitles: readonly string[];
  /** The day the report was produced, `d MMMM yyyy`; for tax reports the days they cover. */
  readonly ReportDate: string;
  /** Time of the report, milliseconds since 1970 UTC. */
  readonly UpdatedDateUTC: number;
  readonly Rows: readonly Row[];
  /** Attributes, for tax returns only. */
  readonly Attributes?: readonly ReportAttribute[];
  readonly Fields?: readonly ReportField[];
  /** Contacts, for 1099 reports only. */
  readonly Contacts?: readonly ReportContact[];
}

/** A report as the service sends it: lists of reports, and reports without rows, omit members. */
export type GivenReport = Partial<Report> & Pick<Report, "ReportName" | "ReportDate">;
