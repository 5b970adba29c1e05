/** What an output format is: how it writes records and reports, and what else depends on it. */

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
  /** What it holds of a record: the columns shown, the whole record, or its id alone. */
  readonly holds: "columns" | "records" | "ids";
  /** Laid out for a person to read. */
  readonly isLaidOut?: true;
  /** A whole document for a person, which a flag asks for and no habit; `binary` for no terminal. */
  readonly paper?: "text" | "binary";
  /** Single values, summaries and errors are JSON as well. */
  readonly isJson?: true;
  /** A single value is written as the line that says it to a person; otherwise as a record. */
  readonly isTextual?: true;
  /** Reports are written as the service has them; otherwise boxes of a tax return become rows. */
  readonly keepsReports?: true;
  /** What `acct api` asks the service for; JSON when not given. */
  readonly mediaType?: string;
  record(writer: FormatContext, resource: Resource, record: object): Promise<void>;
  records(writer: FormatContext, resource: Resource, records: ListedRecords): Promise<void>;
  /** Undefined where a report has no such form. */
  report?(writer: FormatContext, report: Report): Promise<void>;
  /** Undefined where nothing is drawn. */
  chart?(writer: FormatContext, page: ChartPage): Promise<void>;
}

/** Charts, and the table of the same figures, which stands below them where both have room. */
export interface ChartPage {
  readonly titles: readonly string[];
  readonly charts: readonly Chart[];
  readonly table: () => Promise<Table>;
}

/** Where one answer goes. */
export interface OutputSink {
  write(piece: string | Uint8Array): void | Promise<void>;
  end(): void | Promise<void>;
}

/** Puts something between an answer in JSON and the target that it goes to. */
export type Filter = (
  target: OutputSink,
  options: {
    readonly isTerminal: boolean;
    /** Whether each text is a record of its own, which need not wait for the others. */
    readonly byRecord: boolean;
    readonly say: (message: string) => void;
  },
) => OutputSink;

/** What formats write with. */
export interface FormatContext {
  /** Paths of the fields that were asked for. */
  readonly columns: readonly string[] | undefined;
  /** Columns of the terminal that stdout is; undefined when it is none. */
  readonly width: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The day it is here, `YYYY-MM-DD`. */
  readonly today: () => string;
  /** How figures are written for a person at a terminal; undefined for a program. */
  marks(): Promise<Marks | undefined>;
  /** Whose paper it is. */
  making(): Promise<PaperContext>;
  paint(): Promise<Paint>;
  /** Whether the terminal shows blocks as they are meant. */
  blocks(): Promise<boolean>;
  /** Opens the target, and closes it whatever happens. */
  answer(write: (target: OutputSink) => void | Promise<void>): Promise<void>;
  /** Text for a person, through the pager when it is long. */
  pages(write: (target: OutputSink) => void | Promise<void>): Promise<void>;
  say(message: string): void;
}

/**
 * A format of papers: whatever is shown becomes tables, which `write` puts down.
 *
 * @param draws  whether with the charts of the tables
 */
export function paperOf(
  paper: NonNullable<Formatter["paper"]>,
  draws: boolean,
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
    ...(draws && {
      chart: async (writer: FormatContext, { charts, table }: ChartPage) =>
        write(writer, [{ ...(await table()), charts }]),
    }),
  };
}

/** Rows that are laid out together, and written at once. */
const batchRows = 100;

export async function* batches<T>(records: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T[]> {
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
    // The rows before the failure are as good as any.
    if (batch.length > 0) yield batch;
    throw error;
  }
  if (batch.length > 0) yield batch;
}
