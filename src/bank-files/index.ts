/**
 * Statements of banks, from the files that banks give.
 *
 * A file is recognised by what is in it, and read in constant memory. The room is pure: it is given
 * bytes and gives lines; it knows neither files nor books.
 */

import {
  type BankFile,
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type FormatName,
  type ReadOptions,
} from "./bank-statement.ts";
import { csv } from "./csv/index.ts";
import { decodeText } from "./decode-text.ts";
import { camt } from "./formats/camt.ts";
import { mt940 } from "./formats/mt940.ts";
import { ofx } from "./formats/ofx.ts";
import { qif } from "./formats/qif.ts";

export { filesIn } from "./archive.ts";
export * from "./bank-statement.ts";
export * from "./continuity.ts";
export { roles } from "./csv/index.ts";
export * from "./line-keys.ts";

/** In the order in which a file is tried: any text may be CSV, so that comes last. */
export const formats: Readonly<Record<FormatName, BankFormat>> = { ofx, camt, mt940, qif, csv };

/** Characters in which a format must show. */
const headLength = 8192;

/** @throws BankFileError `BadFile` where the file is of no known format */
export function recognise(head: string): FormatName {
  for (const [name, format] of Object.entries(formats)) {
    if (format.recognise(head)) return name as FormatName;
  }
  throw new BankFileError(
    "BadFile",
    "The file is no statement in a known format: OFX, CAMT.053, MT940, QIF or CSV.",
  );
}

/**
 * Reads a file a part at a time. Nothing may be kept before the last part came.
 *
 * @throws BankFileError
 */
export function* readBankFile(file: BankFile, options: ReadOptions = {}): Generator<BankFilePart> {
  const text = () => decodeText(file(), options.encoding);
  let head = "";
  for (const chunk of text()) {
    head += chunk;
    if (head.length >= headLength) break;
  }
  yield* formats[recognise(head.slice(0, headLength))].read(text, options);
}
