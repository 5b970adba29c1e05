/** Wire form of reports: rows of cells, whose amounts become text in the encoder. */
import { type Cents, shortDecimal, writeDecimal } from "../resources/decimal.ts";

/** Text of an unknown figure; `null` where figures are numbers. */
export const notKnown = "not known";

/** Text of a figure that has no value, such as a change against nothing. */
export const noValue = "\u2013";

/** `Id` of the attribute that holds the figure ids of a row, on its first cell. */
export const figureId = "figure";

/** `Id` of the attribute of a cell that shows an amount without decimals. */
export const wholeUnits = "whole";

export interface CellAttribute {
  readonly Value: string;
  readonly Id: string;
}

/** A figure before it is encoded: `amount` ÷ 10 ** `scale`. */
export interface CellAmount {
  readonly amount: number | bigint;
  readonly scale: number;
  /** Whether trailing zeros of the decimals are left out. */
  readonly isShort?: true;
  readonly suffix?: "%";
}

export type CellValue = string | CellAmount;

export const moneyValue = (amount: number): CellAmount => ({ amount, scale: 2 });

/** The amount of a value at its scale; zero of a text. */
export const amountOf = (value: CellValue | undefined): number =>
  typeof value === "object" ? Number(value.amount) : 0;

/** Text of a value: `1234.50`, `2`, `12.5%`. */
export function valueText(value: CellValue): string {
  if (typeof value === "string") return value;
  const write = value.isShort ? shortDecimal : writeDecimal;
  return write(value.amount, value.scale) + (value.suffix ?? "");
}

/** A cell; its value is text where it was read, and may be an amount where it is to be encoded. */
export interface Cell<V = string> {
  /** Absent for an empty cell of a debit and credit pair. */
  readonly Value?: V;
  readonly Attributes?: readonly CellAttribute[];
}

export type RowType = "Header" | "Section" | "Row" | "SummaryRow";

export interface Row<V = string> {
  readonly RowType: RowType;
  /** Title, for sections only; empty when untitled. */
  readonly Title?: string;
  readonly Cells?: readonly Cell<V>[];
  /** Nested rows, for sections only. */
  readonly Rows?: readonly Row<V>[];
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
export interface ReportField<V = string> {
  readonly FieldID: string;
  readonly Description: string;
  readonly Value: V;
}

/** A contact on a 1099 report. */
export interface ReportContact {
  /** Amounts by box, `Box1` and so on; zero amounts are left out. */
  readonly Boxes: readonly (readonly [name: string, amount: Cents])[];
  /** Name, address and tax number, in output order. */
  readonly Texts: readonly (readonly [name: string, text: string])[];
}

export interface Report<V = string> {
  readonly ReportID: string;
  /** Handle of a published return, where the caller asked for handles. */
  readonly Handle?: string;
  readonly ReportName: string;
  readonly ReportType: string;
  readonly ReportTitles: readonly string[];
  /** Notes at the foot, in the accountant's layout only: preparation, locks, tax periods. */
  readonly ReportNotes?: readonly string[];
  /** The day the report was produced, `d MMMM yyyy`; for tax reports the days they cover. */
  readonly ReportDate: string;
  /** Time of the report, milliseconds since 1970 UTC. */
  readonly UpdatedDateUTC: number;
  readonly Rows: readonly Row<V>[];
  /** Attributes, for tax returns only. */
  readonly Attributes?: readonly ReportAttribute[];
  readonly Fields?: readonly ReportField<V>[];
  /** Contacts, for 1099 reports only. */
  readonly Contacts?: readonly ReportContact[];
}

/** A report as the service sends it: lists of reports, and reports without rows, omit members. */
export type GivenReport = Partial<Report<CellValue>> & Pick<Report, "ReportName" | "ReportDate">;
