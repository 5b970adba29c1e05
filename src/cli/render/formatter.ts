/** Interface of an output format: writers of records and reports, and its properties. */

import type { Chart } from "../../output/chart.ts";
import { columnsOf } from "../../output/columns.ts";
import type { Marks } from "../../output/figures.ts";
import type { PaperContext } from "../../output/letterhead.ts";
import { type ListedRecords, listTable } from "../../output/list-table.ts";
import { reportTable } from "../../output/report-table.ts";
import type { Table, Tables } from "../../output/table.ts";
import type { Resource } from "../../resources/field.ts";
import type { Report } from "../../wire/report.ts";
import type { Paint } from "./paint.ts";

export interface Formatter {
  /** What it shows of a record: selected columns, the whole record, or its id alone. */
  readonly holds: "columns" | "records" | "ids";
  /** Whether the layout is for people. */
  readonly isLaidOut?: true;
  /**
   * Whether the format is a document, requested by a flag alone; `binary` is never written to a
   * terminal.
   */
  readonly paper?: "text" | "binary";
  /** Whether single values, summaries and errors are JSON too. */
  readonly isJson?: true;
  /** Whether a single value is written as its sentence for people; otherwise as a record. */
  readonly isTextual?: true;
  /**
   * Whether reports are written as the service returns them; otherwise boxes of a tax return become
   * rows.
   */
  readonly keepsReports?: true;
  /** Media type that `acct api` requests; JSON when not given. */
  readonly mediaType?: string;
  record(writer: FormatContext, resource: Resource, record: object): Promise<void>;
  records(writer: FormatContext, resource: Resource, records: ListedRecords): Promise<void>;
  /** Writes a report; undefined where the format does not support reports. */
  report?(writer: FormatContext, report: Report): Promise<void>;
  /** Writes charts; undefined where the format does not support them. */
  chart?(writer: FormatContext, page: ChartPage): Promise<void>;
}

/** Charts, and the table of the same figures, shown below them where there is room. */
export interface ChartPage {
  readonly titles: readonly string[];
  readonly charts: readonly Chart[];
  readonly table: () => Promise<Table>;
}

/** Target of one answer. */
export interface OutputSink {
  write(piece: string | Uint8Array): void | Promise<void>;
  end(): void | Promise<void>;
}

/** Wraps the target of a JSON answer with a filter. */
export type Filter = (
  sink: OutputSink,
  options: {
    readonly isTerminal: boolean;
    /** Whether each text is a separate record that can be processed alone. */
    readonly byRecord: boolean;
    readonly say: (message: string) => void;
  },
) => OutputSink;

/** Services for formats: target, columns, and display settings. */
export interface FormatContext {
  /** Paths of the requested fields. */
  readonly columns: readonly string[] | undefined;
  /** Width of the terminal on stdout; undefined when it is not a terminal. */
  readonly width: number | undefined;
  /** Clock in milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Today's local date, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** Returns the number format for a terminal; undefined for output to programs. */
  marks(): Promise<Marks | undefined>;
  /** Returns letterhead and settings of a document. */
  making(): Promise<PaperContext>;
  paint(): Promise<Paint>;
  /** Whether the terminal displays block characters correctly. */
  blocks(): Promise<boolean>;
  /** Opens the target for `write`, and always closes it. */
  answer(write: (sink: OutputSink) => void | Promise<void>): Promise<void>;
  /** Writes text for people, through the pager when it is long. */
  pages(write: (sink: OutputSink) => void | Promise<void>): Promise<void>;
  say(message: string): void;
}

/**
 * Builds a document format: output becomes tables that `write` formats.
 *
 * @param isDrawing  whether charts are included
 */
export function paperOf(
  paper: NonNullable<Formatter["paper"]>,
  isDrawing: boolean,
  write: (writer: FormatContext, tables: Tables) => Promise<void>,
): Formatter {
  return {
    holds: "columns",
    isLaidOut: true,
    paper,
    async record(writer, resource, record) {
      const { recordTables } = await import("../../output/record-parts.ts");
      const columns = writer.columns && columnsOf(resource, writer.columns);
      await write(writer, recordTables(resource, record, columns));
    },
    records: (writer, resource, records) =>
      write(writer, [
        listTable(resource, columnsOf(resource, writer.columns), records, {
          summed: { today: writer.today() },
        }),
      ]),
    report: (writer, report) => write(writer, [reportTable(report)]),
    ...(isDrawing && {
      chart: async (writer: FormatContext, { charts, table }: ChartPage) =>
        write(writer, [{ ...(await table()), charts }]),
    }),
  };
}

/** Count of rows formatted and written at once. */
export const batchRows = 100;

export async function* inBatches<T>(records: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  try {
    for await (const record of records) {
      batch.push(record);
      if (batch.length < batchRows) continue;
      const full = batch;
      batch = [];
      yield full;
    }
  } catch (error) {
    // Rows before a failure are written too.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
