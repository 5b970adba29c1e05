/** A long text taken apart at a mark, so that only one piece of it is in memory. */
import { BankFileError } from "./bank-statement.ts";

/** Longest piece, in characters: a longer one means that the mark is missing. */
export const pieceLengthMax = 1 << 20;

export interface Piece {
  /** Ends with the mark, except for the last piece of all. */
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * @param mark        global; what matches is at most `markLength` characters long
 * @throws BankFileError `TooMuch`
 */
export function* piecesOf(
  chunks: Iterable<string>,
  mark: RegExp,
  markLength: number,
): Generator<Piece> {
  let buffer = "";
  for (const chunk of chunks) {
    let searchFrom = Math.max(0, buffer.length - markLength);
    buffer += chunk;
    let start = 0;
    for (;;) {
      mark.lastIndex = searchFrom;
      const match = mark.exec(buffer);
      // A mark at the very end may go on in the next chunk.
      if (match === null || mark.lastIndex === buffer.length) break;
      searchFrom = mark.lastIndex;
      if (searchFrom - start > pieceLengthMax) throw tooLong();
      yield { text: buffer.slice(start, searchFrom), isLast: false };
      start = searchFrom;
    }
    buffer = buffer.slice(start);
    if (buffer.length > pieceLengthMax) throw tooLong();
  }
  yield { text: buffer, isLast: true };
}

function tooLong(): BankFileError {
  return new BankFileError(
    "TooMuch",
    `An entry of the file is longer than ${pieceLengthMax} characters.`,
  );
}

/**
 * Lines of a text whose lines end in any way.
 *
 * @throws BankFileError `TooMuch`
 */
export function* linesOf(chunks: Iterable<string>): Generator<string> {
  for (const { text } of piecesOf(chunks, /\r\n|\n|\r/g, 2)) {
    const line = text.replace(/(?:\r\n|\n|\r)$/, "");
    yield line;
  }
}
