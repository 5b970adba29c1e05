/**
 * Tables as data, the common form of lists and reports for all renderers: text, PDF, web page,
 * spreadsheet.
 *
 * Cells keep exact values with their kind, so that each renderer formats them in its own way: a
 * spreadsheet as numbers and dates, a page with separators. Rows may be a stream, as a list may
 * have a million rows.
 */
import { inDigitsOf } from "../resources/common.ts";
import { scaleOf } from "../resources/decimal.ts";
import type { Field, ScalarKind } from "../resources/field.ts";
import { plainValue } from "../wire/plain.ts";
import type { CellAttribute } from "../wire/report.ts";
import type { Chart } from "./chart.ts";

export interface Table {
  /** Name of the table for file names and worksheets: `Invoices`, `Profit and Loss`. */
  readonly name: string;
  /** Lines above the table, the title first. */
  readonly titles: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** Notes below the rows: by whom a report was prepared, locks. */
  readonly notes?: readonly string[] | undefined;
  /** Whether zero amounts are dashes, as in reports for people. */
  readonly hasDashes?: boolean | undefined;
  /** Charts above the table, for renderers that can draw. */
  readonly charts?: readonly Chart[] | undefined;
}

/** Tables printed together, under the titles of the first. */
export type Tables = readonly [Table, ...Table[]];

export type Rows = AsyncIterable<Row> | Iterable<Row>;

export interface Column {
  /** Path of the column in the API: `Contact.Name`. */
  readonly path: string;
  /** Heading for people: `Contact`. */
  readonly heading: string;
  /** Id of the column of a report in the API. */
  readonly id?: string | undefined;
  /** Alignment: figures are right-aligned. */
  readonly align: "left" | "right";
  /** Kind of the cells in the column; cells of another kind state it themselves. */
  readonly kind: ScalarKind;
  /** Whether the column holds statuses. */
  readonly isStatus: boolean;
}

/** A row of a table; a section row precedes the rows of its section. */
export type Row =
  | { readonly role: "section"; readonly title: string }
  | {
      /** Role of the row; a result is a figure without an account behind it, such as net profit. */
      readonly role: "line" | "total" | "result";
      /** Cells by column; undefined for an empty cell. */
      readonly cells: readonly (Cell | undefined)[];
      /** Record that the row shows. */
      readonly record?: RecordLink | undefined;
      /**
       * Values that rows must have in these columns to be summed in this total, by path; only in
       * lists.
       */
      readonly sumOf?: Readonly<Record<string, string>> | undefined;
      /** Statuses of rows that the total leaves out. */
      readonly without?: readonly string[] | undefined;
      /** Number of days that the document is overdue; undefined where it is not. */
      readonly overdueDays?: number | undefined;
    };

/** A row of cells. */
export type CellRow = Exclude<Row, { role: "section" }>;

export interface RecordLink {
  /** Name of the resource: `Invoice`. */
  readonly resource: string;
  readonly id: string;
}

export interface Cell {
  readonly kind: ScalarKind;
  /**
   * Value as stored: figures as scaled integers of their kind, days as `YYYY-MM-DD`, times in
   * milliseconds since 1970 UTC.
   */
  readonly value: string | number | bigint | boolean;
  /** Original text of the value, where it was read from text. */
  readonly text?: string | undefined;
  /** Currency of an amount or price, where it is known. */
  readonly currency?: string | undefined;
  /** Attributes of a report cell that identify the source of the figure: account and days. */
  readonly origin?: readonly CellAttribute[] | undefined;
}

/** Decimal places of a figure by its kind; undefined for kinds that are no figures. */
export function scaleOfKind(kind: ScalarKind): number | undefined {
  if (kind === "integer") return 0;
  return kind in scaleOf ? scaleOf[kind as keyof typeof scaleOf] : undefined;
}

export const textCell = (value: string): Cell => ({ kind: "text", value });

/** Exact text of a cell for programs: `1234.50`, `1234` in yen; empty for an undefined cell. */
export function plainCell(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return inDigitsOf(
    cell.currency,
    cell.text ?? plainValue({ kind: cell.kind } as Field, cell.value),
  );
}

/** Text of the overdue days: `1 day overdue`, `12 days overdue`. */
export const daysOverdue = (dayCount: number): string =>
  `${dayCount} ${dayCount === 1 ? "day" : "days"} overdue`;
