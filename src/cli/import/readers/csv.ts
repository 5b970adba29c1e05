/**
 * Rows of a CSV file, a chunk of text at a time.
 *
 * Written here: csv-parse takes six times as long, and a file is read twice. RFC 4180, with what
 * real files add to it: other delimiters, a byte order mark, `sep=;`, line ends of any kind, quotes
 * inside an unquoted cell (`12" RULER`) that are just text. A row that cannot be taken apart comes
 * with its fault, so that it can be refused by itself; a quote that is never closed leaves nothing
 * to be trusted after it, and refuses the file.
 */
import { RefusedError, UsageError } from "../../../resources/errors.ts";
import type { Source } from "./source.ts";

export interface CsvForm {
  /** One character. */
  readonly delimiter: string;
  /** As `TextDecoder` names it. */
  readonly encoding: string;
  /** `\n`, or `\r` in files of old. */
  readonly newline: "\n" | "\r";
}

export interface CsvRow {
  /** As a spreadsheet counts: the first row is 1, empty ones count too. */
  readonly row: number;
  readonly cells: string[];
  /** Why the row cannot be taken apart. */
  readonly fault?: string;
}

/** Longest row, in characters: a longer one means that a quote was left open. */
const rowLengthMax = 1 << 20;
const chunkBytes = 256 * 1024;
const quote = '"';

/** Encodings that are found by the mark at the beginning of the file. */
const marks = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
] as const;

const delimiterNames: Readonly<Record<string, string>> = {
  comma: ",",
  semicolon: ";",
  tab: "\t",
  "\\t": "\t",
  pipe: "|",
  space: " ",
};

/** @throws UsageError `BadDelimiter` */
export function readDelimiter(text: string): string {
  const delimiter = delimiterNames[text.trim().toLowerCase()] ?? text;
  if (delimiter.length === 1 && !/["\r\n\w]/.test(delimiter)) return delimiter;
  throw new UsageError(
    "BadDelimiter",
    `--delimiter is one character, or comma, semicolon, tab or pipe, not "${text}".`,
  );
}

/** What a person calls a delimiter. */
export function delimiterName(delimiter: string): string {
  const named = Object.entries(delimiterNames).find(([, character]) => character === delimiter);
  return named?.[0] ?? delimiter;
}

/**
 * Finds out how a file is written, from its beginning.
 *
 * @param given  what the person said about it, which goes before what is found
 * @throws UsageError `BadEncoding`, RefusedError `BadFile`
 */
export function formOf(
  source: Source,
  given: { readonly delimiter?: string | undefined; readonly encoding?: string | undefined },
): CsvForm {
  const buffer = new Uint8Array(Math.min(chunkBytes, source.bytes));
  const bytes = buffer.subarray(0, source.read(buffer, 0));
  const mark = marks.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  const encoding =
    mark?.[0] ?? (given.encoding === undefined ? "utf-8" : knownEncoding(given.encoding));
  const text = decodedBy(encoding)(bytes, source.bytes > bytes.length);
  const newline = text.includes("\n") || !text.includes("\r") ? "\n" : "\r";
  const said = /^sep=(.)\r?\n/.exec(text)?.[1];
  const sample = text.slice(0, sampleCharacters);
  const isCut = sample.length < text.length || source.bytes > bytes.length;
  const delimiter = given.delimiter ?? said ?? delimiterOf(sample, newline, isCut);
  return { encoding, newline, delimiter };
}

function knownEncoding(name: string): string {
  try {
    return new TextDecoder(name).encoding;
  } catch {
    throw new UsageError(
      "BadEncoding",
      `There is no encoding "${name}"; utf-8, windows-1252 and utf-16le are some.`,
    );
  }
}

/** Rows from which the delimiter is guessed, and the most characters of them. */
const sampleRows = 20;
const sampleCharacters = 32_768;

/** The character that splits the first rows into the same number of cells, the most of them. */
function delimiterOf(text: string, newline: "\n" | "\r", isCut: boolean): string {
  let best = ",";
  let bestScore = 1;
  for (const delimiter of [",", ";", "\t", "|"]) {
    const splitter = new Splitter({ delimiter, newline });
    const rows: CsvRow[] = [];
    try {
      rows.push(...splitter.push(text));
      if (!isCut) rows.push(...splitter.end());
    } catch {
      // With this delimiter a quote stays open: it is another one.
      continue;
    }
    const sample = rows
      .filter(({ cells }) => cells.length > 1 || cells[0] !== "")
      .slice(0, sampleRows);
    const width = sample[0]?.cells.length ?? 1;
    const even = sample.filter(({ cells, fault }) => !fault && cells.length === width).length;
    // The heading counts most; rows that fall apart differently say that this is text.
    const score = width === 1 ? 1 : width * (even / Math.max(1, sample.length));
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Decodes chunk by chunk. @throws RefusedError `BadEncoding` */
function decodedBy(encoding: string): (bytes: Uint8Array, more: boolean) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes, more) => {
    try {
      return decoder.decode(bytes, { stream: more });
    } catch {
      throw new RefusedError(
        "BadEncoding",
        `The file is not written in ${encoding}; say what it is, with --encoding windows-1252 for example.`,
      );
    }
  };
}

/**
 * The rows of a file, some at a time. Empty rows are left out; they count in the numbers.
 *
 * @throws RefusedError `BadFile` for a quote that is never closed, `BadEncoding`
 */
export function* rowsOf(source: Source, form: CsvForm): Generator<CsvRow[]> {
  const decode = decodedBy(form.encoding);
  const splitter = new Splitter(form);
  const buffer = new Uint8Array(chunkBytes);
  let position = 0;
  for (;;) {
    const count = source.read(buffer, position);
    position += count;
    const isLast = count < buffer.length;
    const rows = splitter.push(decode(buffer.subarray(0, count), !isLast));
    if (isLast) rows.push(...splitter.end());
    yield rows;
    if (isLast) return;
  }
}

/** Takes text apart; a row that is cut by the end of a chunk waits for the next. */
class Splitter {
  readonly #delimiter: string;
  readonly #newline: string;
  #rest = "";
  #row = 0;

  constructor({ delimiter, newline }: Pick<CsvForm, "delimiter" | "newline">) {
    this.#delimiter = delimiter;
    this.#newline = newline;
  }

  push(chunk: string): CsvRow[] {
    const text = this.#rest === "" ? chunk : this.#rest + chunk;
    const rows: CsvRow[] = [];
    let at = 0;
    let nextQuote = text.indexOf(quote);
    for (;;) {
      if (nextQuote !== -1 && nextQuote < at) nextQuote = text.indexOf(quote, at);
      const end = text.indexOf(this.#newline, at);
      if (end === -1) break;
      if (nextQuote === -1 || nextQuote > end) {
        this.#take(rows, this.#plain(text, at, end));
        at = end + 1;
        continue;
      }
      const taken = this.#quoted(text, at);
      if (taken === undefined) break;
      this.#take(rows, taken.cells, taken.fault);
      at = taken.next;
    }
    this.#rest = text.slice(at);
    if (this.#rest.length > rowLengthMax) throw this.#unclosed();
    return rows;
  }

  /** What is left when the text has ended. */
  end(): CsvRow[] {
    const rows: CsvRow[] = [];
    if (this.#rest === "") return rows;
    const text = this.#rest + this.#newline;
    this.#rest = "";
    if (!text.includes(quote)) {
      this.#take(rows, this.#plain(text, 0, text.length - 1));
      return rows;
    }
    let at = 0;
    while (at < text.length) {
      const taken = this.#quoted(text, at);
      if (taken === undefined) throw this.#unclosed();
      this.#take(rows, taken.cells, taken.fault);
      at = taken.next;
    }
    return rows;
  }

  #take(rows: CsvRow[], cells: string[], fault?: string): void {
    this.#row += 1;
    if (cells.length === 1 && cells[0] === "" && fault === undefined) return;
    if (this.#row === 1 && cells.length === 2 && cells[0] === "sep=") return;
    if (this.#row === 1 && cells.length === 1 && /^sep=.?$/.test(cells[0] ?? "")) return;
    rows.push(fault === undefined ? { row: this.#row, cells } : { row: this.#row, cells, fault });
  }

  /** A row without quotes, from `at` to the line end at `end`. */
  #plain(text: string, at: number, end: number): string[] {
    const isCrLf = end > at && text[end - 1] === "\r";
    return text.slice(at, isCrLf ? end - 1 : end).split(this.#delimiter);
  }

  /** A row with quotes in it; undefined when it does not end in this text. */
  #quoted(
    text: string,
    start: number,
  ): { cells: string[]; next: number; fault?: string } | undefined {
    const cells: string[] = [];
    let fault: string | undefined;
    let at = start;
    for (;;) {
      let cell = "";
      if (text[at] === quote) {
        at += 1;
        for (;;) {
          const close = text.indexOf(quote, at);
          if (close === -1) return undefined;
          cell += text.slice(at, close);
          at = close + 1;
          if (text[at] !== quote) break;
          cell += quote;
          at += 1;
        }
      }
      const rest = this.#unquoted(text, at);
      if (rest === undefined) return undefined;
      const more = text.slice(at, rest.end);
      if (cell === "" && text[at - 1] !== quote) cell = more;
      else if (more.trim() !== "") {
        fault ??= `has text after the closing quote of cell ${cells.length + 1}; a quote inside a quoted cell is written twice`;
        cell += more;
      }
      cells.push(cell);
      at = rest.next;
      if (rest.isLast)
        return fault === undefined ? { cells, next: at } : { cells, next: at, fault };
    }
  }

  /** The end of an unquoted cell, or of what follows a quoted one. */
  #unquoted(text: string, at: number): { end: number; next: number; isLast: boolean } | undefined {
    const line = text.indexOf(this.#newline, at);
    if (line === -1) return undefined;
    const delimiter = text.indexOf(this.#delimiter, at);
    if (delimiter !== -1 && delimiter < line) {
      return { end: delimiter, next: delimiter + 1, isLast: false };
    }
    const isCrLf = line > at && text[line - 1] === "\r";
    return { end: isCrLf ? line - 1 : line, next: line + 1, isLast: true };
  }

  #unclosed(): RefusedError {
    return new RefusedError(
      "BadFile",
      `A quote that is opened in row ${this.#row + 1} is never closed; mend the file.`,
    );
  }
}
