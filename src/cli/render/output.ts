/** What a command answers with, whatever the format. */
import type { Resource, Shape } from "../../resources/field.ts";
import type { Report } from "../../wire/report.ts";
import type { ChartPage } from "./formatter.ts";
import type { Paint } from "./paint.ts";

/** What lines are drawn for. */
export interface RenderOptions {
  /** Columns of the terminal; undefined when there is none, and nothing is cut. */
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Whether the terminal shows blocks as they are meant. */
  readonly blocks: boolean;
  /** Asks where the organisation is, if there is one. */
  timezone?(): Promise<string | undefined>;
  /** Of the books. */
  currency?(): Promise<string | undefined>;
}

/** Where an organisation is. */
export interface Home {
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
  /** Of the books. */
  readonly currency?: string | undefined;
}

/** Writes data to stdout and talk to stderr, in the format asked for. */
export interface Out {
  /** One record, as the answer to a command. */
  record<R extends Resource>(resource: R, record: Shape<R>): Promise<void>;
  /** A list, written as it arrives; an empty one is still a valid answer. */
  records<R extends Resource>(
    resource: R,
    records: AsyncIterable<Shape<R>> | Iterable<Shape<R>>,
  ): Promise<void>;
  report(report: Report): Promise<void>;
  /** Charts of a report or a list, in a format that draws. */
  chart(page: ChartPage): Promise<void>;
  /** Lines for a person that were drawn for this terminal; of no other format than a table. */
  page(
    draw: (view: RenderOptions) => readonly string[] | Promise<readonly string[]>,
  ): Promise<void>;
  /** A plain value: text as it is, anything else as JSON when that is asked for. */
  value(value: unknown, text: string): Promise<void>;
  /** Raw bytes, untouched. */
  bytes(bytes: Uint8Array | string): Promise<void>;
  /** A message for the person, on stderr. */
  say(message: string): void;
  /** Ends the answer: where a command gave none, its messages are it, in a format for programs. */
  conclude(): Promise<void>;
  /** Lines for the person, on stderr, that were made safe for a terminal before they were painted. */
  sayPainted(lines: readonly string[]): void;
}
