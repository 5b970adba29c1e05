/** Parses the bytes of a CSV file to rows, with detected encoding and delimiter. */
import { documentKind } from "../../../bank-files/archive.ts";
import { RefusedError, UsageError } from "../../../resources/errors.ts";
import { type CsvRow, CsvSplitter, type CsvSyntax, csvSyntaxOf } from "../../../wire/csv.ts";
import type { SourceFile } from "./source.ts";

export interface CsvForm extends CsvSyntax {
  /** Encoding name of `TextDecoder`. */
  readonly encoding: string;
}

const chunkBytes = 256 * 1024;

/** Encodings with their byte order marks. */
const byteMarks = [
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

/**
 * Parses a delimiter.
 *
 * @throws UsageError `BadDelimiter`
 */
export function readDelimiter(text: string): string {
  const delimiter = delimiterNames[text.trim().toLowerCase()] ?? text;
  if (delimiter.length === 1 && !/["\r\n\w]/.test(delimiter)) return delimiter;
  throw new UsageError(
    "BadDelimiter",
    `--delimiter is one character, or comma, semicolon, tab or pipe, not "${text}".`,
  );
}

/** Returns the display name of a delimiter. */
export function delimiterName(delimiter: string): string {
  const named = Object.entries(delimiterNames).find(([, character]) => character === delimiter);
  return named?.[0] ?? delimiter;
}

/**
 * Detects encoding and delimiter from the beginning of a file.
 *
 * @param choice  settings of the user, which override detection
 * @throws UsageError `BadEncoding`, RefusedError `BadFile`
 */
export function formOf(
  source: SourceFile,
  choice: { readonly delimiter?: string | undefined; readonly encoding?: string | undefined },
): CsvForm {
  const buffer = new Uint8Array(Math.min(chunkBytes, source.bytes));
  const bytes = buffer.subarray(0, source.read(buffer, 0));
  const kind = documentKind(Buffer.from(bytes.subarray(0, 4096)).toString("latin1"));
  if (kind !== undefined) {
    throw new RefusedError("BadFile", `The file is a ${kind}; save it as CSV and give that.`);
  }
  const byteMark = byteMarks.find(([, start]) => start.every((byte, at) => bytes[at] === byte));
  const encoding =
    byteMark?.[0] ?? (choice.encoding === undefined ? "utf-8" : knownEncoding(choice.encoding));
  const text = decodedBy(encoding)(bytes, source.bytes > bytes.length);
  const isPartial = source.bytes > bytes.length;
  return { encoding, ...csvSyntaxOf(text, isPartial, choice.delimiter) };
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

/**
 * Returns a function that decodes chunk by chunk.
 *
 * @throws RefusedError `BadEncoding`
 */
function decodedBy(encoding: string): (bytes: Uint8Array, hasMore: boolean) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return (bytes, hasMore) => {
    try {
      return decoder.decode(bytes, { stream: hasMore });
    } catch {
      throw new RefusedError(
        "BadEncoding",
        `The file is not written in ${encoding}; say what it is, with --encoding windows-1252 for example.`,
      );
    }
  };
}

/**
 * Yields the rows of a file in chunks. Empty rows are omitted, but count for row numbers.
 *
 * @throws RefusedError `BadFile` for an unclosed quote, `BadEncoding`
 */
export function* rowsOf(source: SourceFile, form: CsvForm): Generator<CsvRow[]> {
  const decode = decodedBy(form.encoding);
  const splitter = new CsvSplitter(form);
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
