/**
 * A table as data: what lists and reports are before they are text, paper, page or spreadsheet.
 *
 * Cells keep what records hold, exact and with their kind, so that each renderer writes them in its
 * own way: a spreadsheet as numbers and dates, a page with separators. Rows may be a stream, since a
 * list may have a million of them.
 */
import { inDigitsOf } from "../resources/common.ts";
import { scaleOf } from "../resources/decimal.ts";
import type { Field, ScalarKind } from "../resources/field.ts";
import { plainValue } from "../wire/plain.ts";
import type { CellAttribute } from "../wire/report.ts";
import type { Chart } from "./chart.ts";

export interface Table {
  /** `Invoices`, `Profit and Loss`: what a file or a sheet of it is called. */
  readonly name: string;
  /** Lines above the table, the title first. */
  readonly titles: readonly string[];
  readonly columns: readonly Column[];
  readonly rows: Rows;
  /** Drawn above it, where something is drawn. */
  readonly charts?: readonly Chart[] | undefined;
}

/** What is printed together, the titles of the first above all. */
export type Tables = readonly [Table, ...Table[]];

export type Rows = AsyncIterable<Row> | Iterable<Row>;

export interface Column {
  /** As programs know it: `Contact.Name`. */
  readonly path: string;
  /** As people read it: `Contact`. */
  readonly heading: string;
  /** Of a report, where programs look for it. */
  readonly id?: string | undefined;
  /** Figures are on the right. */
  readonly align: "left" | "right";
  /** Kind of what stands in it; cells of another kind say so themselves. */
  readonly kind: ScalarKind;
  /** Whether its cells are statuses. */
  readonly isStatus: boolean;
}

/** The rows of a table in their order; one that begins a section stands before those of it. */
export type Row =
  | { readonly role: "section"; readonly title: string }
  | {
      /** A result is a figure that no account stands behind: the net profit. */
      readonly role: "line" | "total" | "result";
      /** One for each column; undefined where there is nothing. */
      readonly cells: readonly (Cell | undefined)[];
      /** The record that the row shows. */
      readonly record?: RecordLink | undefined;
      /** Of a total: what the rows that it adds up have in these columns, by path; of a list alone. */
      readonly sumOf?: Readonly<Record<string, string>> | undefined;
      /** Statuses of rows that a total leaves out. */
      readonly without?: readonly string[] | undefined;
      /** Of a document that should have been paid: the days since. */
      readonly overdueDays?: number | undefined;
    };

/** Rows that hold cells. */
export type CellRow = Exclude<Row, { role: "section" }>;

export interface RecordLink {
  /** Name of the resource: `Invoice`. */
  readonly resource: string;
  readonly id: string;
}

export interface Cell {
  readonly kind: ScalarKind;
  /**
   * As records hold it: figures as integers of the scale of their kind, days as `YYYY-MM-DD`, moments
   * in milliseconds since 1970 UTC.
   */
  readonly value: string | number | bigint | boolean;
  /** As it was written, where it came as text. */
  readonly text?: string | undefined;
  /** Of an amount or a price, where it is known. */
  readonly currency?: string | undefined;
  /** What a report says of where a figure comes from: its account and its days. */
  readonly origin?: readonly CellAttribute[] | undefined;
}

/** Digits after the point in which the value of a figure is counted; undefined for other kinds. */
export function scaleOfKind(kind: ScalarKind): number | undefined {
  if (kind === "integer") return 0;
  return kind in scaleOf ? scaleOf[kind as keyof typeof scaleOf] : undefined;
}

export const textCell = (value: string): Cell => ({ kind: "text", value });

/** The exact text of a cell, for programs: `1234.50`, of yen `1234`; empty for none. */
export function plainCell(cell: Cell | undefined): string {
  if (cell === undefined) return "";
  return inDigitsOf(
    cell.currency,
    cell.text ?? plainValue({ kind: cell.kind } as Field, cell.value),
  );
}

/** `1 day overdue`, `12 days overdue`. */
export const daysOverdue = (days: number): string =>
  `${days} ${days === 1 ? "day" : "days"} overdue`;
