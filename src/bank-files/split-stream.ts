/** Splits a long text at a separator, with only one piece in memory. */
import { BankFileError } from "./bank-statement.ts";

/** Maximum length of a piece in characters; a longer piece means that the separator is missing. */
export const pieceLengthMax = 1 << 20;

export interface Piece {
  /** Text of the piece, with the separator at its end except for the last piece. */
  readonly text: string;
  readonly isLast: boolean;
}

/**
 * Splits a text into pieces.
 *
 * @param mark        global pattern of the separator; matches have at most `markLength` characters
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
      // A separator at the very end of the buffer may continue in the next chunk.
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
 * Splits a text into lines with any kind of line end.
 *
 * @throws BankFileError `TooMuch`
 */
export function* linesOf(chunks: Iterable<string>): Generator<string> {
  for (const { text } of piecesOf(chunks, /\r\n|\n|\r/g, 2)) {
    const line = text.replace(/(?:\r\n|\n|\r)$/, "");
    yield line;
  }
}
