/**
 * Limits on external input: bytes received, bytes unpacked, and steps of work.
 *
 * Each reader has a row of limits here and counts with a `Meter`. Input beyond a limit is refused
 * with the code `TooMuch` before it is read any further, so that no file can stall a server or
 * exhaust its memory.
 */
import { RefusedError } from "./errors.ts";

export interface Bounds {
  /** Name of the input, as the subject of an error message. */
  readonly what: string;
  /** Maximum size in bytes. */
  readonly bytes: number;
  /**
   * Maximum of bytes after unpacking, for all parts of a file together; equal to `bytes` where
   * nothing is compressed.
   */
  readonly unpacked: number;
  /** Maximum number of steps of work; the next names a step in the plural. */
  readonly steps: number;
  readonly counted: string;
  /** Maximum nesting depth. */
  readonly depth: number;
}

const mebibyte = 1024 * 1024;

export const boundsOf = {
  pdf: {
    what: "A PDF",
    bytes: 25 * mebibyte,
    unpacked: 64 * mebibyte,
    steps: 1_000_000,
    counted: "objects and words",
    depth: 60,
  },
  xml: {
    what: "An XML document",
    bytes: 32 * mebibyte,
    unpacked: 32 * mebibyte,
    steps: 1_000_000,
    counted: "elements and attributes",
    depth: 32,
  },
  json: {
    what: "A JSON document",
    bytes: 64 * mebibyte,
    unpacked: 64 * mebibyte,
    steps: 1_000_000,
    counted: "values",
    depth: 32,
  },
  zip: {
    what: "A ZIP",
    bytes: 64 * mebibyte,
    unpacked: 256 * mebibyte,
    steps: 1_000,
    counted: "files",
    depth: 1,
  },
  csv: {
    what: "A CSV file",
    bytes: 512 * mebibyte,
    unpacked: 512 * mebibyte,
    steps: 2_000,
    counted: "columns",
    depth: 1,
  },
} as const satisfies Readonly<Record<string, Bounds>>;

/** Size limits in bytes of files that users name on the command line. */
export const inputBounds = {
  /** Files of records or of whole requests. */
  records: { bytes: 64 * mebibyte },
  attachment: { bytes: 25 * mebibyte },
  /** Files of rows for an import, and bank statements. */
  rows: { bytes: boundsOf.csv.bytes },
  /** Rows from a pipe, which are first spooled to a file. */
  pipedRows: { bytes: 128 * mebibyte },
  eInvoice: { bytes: boundsOf.pdf.bytes },
  plan: { bytes: boundsOf.json.bytes },
  /** Files of mappings, and seals. */
  note: { bytes: mebibyte },
} as const;

/** Counts the work of reading one file, and refuses the file beyond its limits. */
export class Meter {
  readonly #bounds: Bounds;
  #steps = 0;
  #unpacked = 0;

  /**
   * Starts counting.
   *
   * @param bytes  size of the file
   * @throws RefusedError `TooMuch`
   */
  constructor(bounds: Bounds, bytes: number) {
    this.#bounds = bounds;
    if (bytes > bounds.bytes) throw tooMuch(bounds, `is larger than ${inWords(bounds.bytes)}`);
  }

  /** Number of bytes that may still be unpacked. */
  get left(): number {
    return this.#bounds.unpacked - this.#unpacked;
  }

  get steps(): number {
    return this.#steps;
  }

  step(count = 1): void {
    this.#steps += count;
    const { steps, counted } = this.#bounds;
    if (this.#steps > steps) {
      throw tooMuch(this.#bounds, `has more than ${steps.toLocaleString("en")} ${counted}`);
    }
  }

  unpack(bytes: number): void {
    this.#unpacked += bytes;
    const { unpacked } = this.#bounds;
    if (this.#unpacked > unpacked) {
      throw tooMuch(this.#bounds, `unpacks to more than ${inWords(unpacked)}`);
    }
  }

  deep(levelCount: number): void {
    const { depth } = this.#bounds;
    if (levelCount > depth) throw tooMuch(this.#bounds, `nests deeper than ${depth} levels`);
  }
}

/** Error of input that exceeds a limit of its reader. */
export class TooMuchError extends RefusedError {}

/**
 * Creates the error of an exceeded limit.
 *
 * @param excess  predicate of the sentence, "has more than 5 rows"
 */
export function tooMuch({ what }: Pick<Bounds, "what">, excess: string): TooMuchError {
  return new TooMuchError("TooMuch", `${what} that ${excess} is not read.`);
}

export function inWords(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / 1024} KiB`;
}

/** First year of a valid date; the next is the last. Dates outside are taken for typing errors. */
export const yearMin = 1900;
export const yearMax = 2999;
