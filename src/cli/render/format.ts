/** What an output format is: how it writes records and reports, and what else depends on it. */
import type { Resource } from "../../resources/field.ts";
import type { Report } from "../../wire/report.ts";
import type { Paint } from "./paint.ts";

export interface Format {
  /** What it holds of a record: the columns shown, the whole record, or its id alone. */
  readonly holds: "columns" | "records" | "ids";
  /** Laid out for a person to read. */
  readonly isLaidOut?: true;
  /** Single values, summaries and errors are JSON as well. */
  readonly isJson?: true;
  /** Reports are written as the service has them; otherwise boxes of a tax return become rows. */
  readonly keepsReports?: true;
  /** What `acct api` asks the service for; JSON when not given. */
  readonly mediaType?: string;
  record(writer: Writer, resource: Resource, record: object): Promise<void>;
  records(writer: Writer, resource: Resource, records: Records): Promise<void>;
  /** Undefined where a report has no such form. */
  report?(writer: Writer, report: Report): Promise<void>;
}

export type Records = AsyncIterable<object> | Iterable<object>;

/** Where the text of one answer goes. */
export interface Target {
  write(text: string): void | Promise<void>;
  end(): void | Promise<void>;
}

/** Puts something between an answer in JSON and the target that it goes to. */
export type Filter = (
  target: Target,
  options: {
    readonly isTerminal: boolean;
    /** Whether each text is a record of its own, which need not wait for the others. */
    readonly byRecord: boolean;
    readonly say: (message: string) => void;
  },
) => Target;

/** What formats write with. */
export interface Writer {
  /** Paths of the fields that were asked for. */
  readonly columns: readonly string[] | undefined;
  /** Columns of the terminal that stdout is; undefined when it is none. */
  readonly width: number | undefined;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  paint(): Promise<Paint>;
  /** Opens the target, and closes it whatever happens. */
  answer(write: (target: Target) => void | Promise<void>): Promise<void>;
  /** Text for a person, through the pager when it is long. */
  pages(write: (target: Target) => void | Promise<void>): Promise<void>;
  say(message: string): void;
}

/** Rows that are laid out together, and written at once. */
const batchRows = 100;

export async function* batches(records: Records): AsyncGenerator<object[]> {
  let batch: object[] = [];
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
