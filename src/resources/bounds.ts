/**
 * Bounds of what is read from outside: bytes that come in, bytes that they unpack to, and work.
 *
 * Each reader has its row here, and counts by a `Meter`. What goes beyond a bound is refused with the
 * code `TooMuch` before it is read any further, so that no file holds up a server or fills its memory.
 */
import { RefusedError } from "./errors.ts";

export interface Bounds {
  /** What is read, as the subject of a sentence. */
  readonly what: string;
  /** Bytes in. */
  readonly bytes: number;
  /** Bytes out, of all that is unpacked of one file together; those in where nothing is packed. */
  readonly unpacked: number;
  /** Steps of work, and what one of them is, in the plural. */
  readonly steps: number;
  readonly counted: string;
  /** Levels that nest. */
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

/** Bytes in of what a person names at the command line. */
export const inputBounds = {
  /** Records and whole requests. */
  records: { bytes: 64 * mebibyte },
  attachment: { bytes: 25 * mebibyte },
  /** Rows of an import, statements of a bank. */
  rows: { bytes: boundsOf.csv.bytes },
  /** The same from a pipe, which is kept in a file of its own first. */
  pipedRows: { bytes: 128 * mebibyte },
  eInvoice: { bytes: boundsOf.pdf.bytes },
  plan: { bytes: boundsOf.json.bytes },
  /** Mappings and seals. */
  note: { bytes: mebibyte },
} as const;

/** Counts what is read of one file, and refuses it beyond its bounds. */
export class Meter {
  readonly #bounds: Bounds;
  #steps = 0;
  #unpacked = 0;

  /** @param bytes  of the file @throws RefusedError `TooMuch` */
  constructor(bounds: Bounds, bytes: number) {
    this.#bounds = bounds;
    if (bytes > bounds.bytes) throw tooMuch(bounds, `is larger than ${inWords(bounds.bytes)}`);
  }

  /** Bytes that may still be unpacked. */
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

  deep(levels: number): void {
    const { depth } = this.#bounds;
    if (levels > depth) throw tooMuch(this.#bounds, `nests deeper than ${depth} levels`);
  }
}

/** What goes beyond a bound of its reader. */
export class TooMuchError extends RefusedError {}

/** @param excess  how it goes beyond a bound, "has more than 5 rows" */
export function tooMuch({ what }: Pick<Bounds, "what">, excess: string): TooMuchError {
  return new TooMuchError("TooMuch", `${what} that ${excess} is not read.`);
}

export function inWords(bytes: number): string {
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes / 1024} KiB`;
}
