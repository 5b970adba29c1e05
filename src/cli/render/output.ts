/** Output interface of commands, independent of the format. */
import type { Resource, Shape } from "../../resources/field.ts";
import type { Report } from "../../wire/report.ts";
import type { ChartPage } from "./formatter.ts";
import type { Paint } from "./paint.ts";

/** Terminal settings for drawn lines. */
export interface RenderOptions {
  /** Terminal width in columns; undefined when there is no terminal, and nothing is truncated. */
  readonly width: number | undefined;
  readonly paint: Paint;
  /** Whether the terminal displays block characters correctly. */
  readonly blocks: boolean;
  /** Returns the time zone of the organisation, if known. */
  timezone?(): Promise<string | undefined>;
  /** Returns the base currency. */
  currency?(): Promise<string | undefined>;
}

/** Country, time zone and currency of an organisation. */
export interface Home {
  readonly country?: string | undefined;
  readonly timezone?: string | undefined;
  /** The base currency. */
  readonly currency?: string | undefined;
}

/** Writes data to stdout and messages to stderr, in the chosen format. */
export interface Out {
  /** Whether the format is laid out for people, such as a table or a PDF. */
  readonly isLaidOut: boolean;
  /** Whether lines may be drawn instead of a list: a table on a terminal, with its own columns. */
  readonly isScreen: boolean;
  /** Writes one record as the answer. */
  record<R extends Resource>(resource: R, record: Shape<R>): Promise<void>;
  /**
   * Writes a list as it arrives; an empty list is a valid answer.
   *
   * @param laidOut  the same as a report, for formats that are laid out, unless columns are chosen
   */
  records<R extends Resource>(
    resource: R,
    records: AsyncIterable<Shape<R>> | Iterable<Shape<R>>,
    laidOut?: () => Promise<Report>,
  ): Promise<void>;
  report(report: Report): Promise<void>;
  /** Writes charts of a report or list, in a format that supports them. */
  chart(page: ChartPage): Promise<void>;
  /** Writes lines drawn for this terminal; in the table format alone. */
  page(
    draw: (view: RenderOptions) => readonly string[] | Promise<readonly string[]>,
  ): Promise<void>;
  /** Writes a plain value: as text, or as JSON in a JSON format. */
  value(value: unknown, text: string): Promise<void>;
  /** Writes raw bytes unchanged. */
  bytes(bytes: Uint8Array | string): Promise<void>;
  /** Writes a message to stderr. */
  say(message: string): void;
  /**
   * Ends the answer: in formats for programs, the messages are the answer of a command without
   * data.
   */
  conclude(): Promise<void>;
  /** Writes coloured lines to stderr, whose texts were made safe before. */
  sayPainted(lines: readonly string[]): void;
}
