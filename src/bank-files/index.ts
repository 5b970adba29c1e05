/**
 * Reads bank statements from the files that banks provide.
 *
 * The format is detected from the content, and a file is read in constant memory. The module is
 * pure: it converts bytes to lines, and knows neither the file system nor the books.
 */

import {
  type BankFile,
  BankFileError,
  type BankFilePart,
  type BankFormat,
  type FormatName,
  type ReadOptions,
  type StatementSummary,
} from "./bank-statement.ts";
import { csv } from "./csv/index.ts";
import { type AssumedEncoding, decodeText } from "./decode-text.ts";
import { camt } from "./formats/camt.ts";
import { mt940 } from "./formats/mt940.ts";
import { ofx } from "./formats/ofx.ts";
import { qif } from "./formats/qif.ts";

export { filesIn } from "./archive.ts";
export * from "./bank-statement.ts";
export * from "./continuity.ts";
export { roles } from "./csv/index.ts";
export * from "./line-keys.ts";

/** Formats in the order in which they are tried; CSV comes last, as any text may be CSV. */
export const formats: Readonly<Record<FormatName, BankFormat>> = { ofx, camt, mt940, qif, csv };

/** Number of characters by which a format is detected. */
const headLength = 8192;

/**
 * Detects the format of a text.
 *
 * @throws BankFileError `BadFile` where the file is of no known format
 */
export function recognise(fileStart: string): FormatName {
  for (const [name, format] of Object.entries(formats)) {
    if (format.recognise(fileStart)) return name as FormatName;
  }
  throw new BankFileError(
    "BadFile",
    "The file is no statement in a known format: OFX, CAMT.053, MT940, QIF or CSV.",
  );
}

/**
 * Reads a file part by part. Nothing may be stored before the last part.
 *
 * @throws BankFileError
 */
export function* readBankFile(file: BankFile, options: ReadOptions = {}): Generator<BankFilePart> {
  let doubt: AssumedEncoding | undefined;
  let format: FormatName | undefined;
  const checkEncoding = () => {
    // Headings of a table are known by their words; the words of other formats are those of the codes.
    if (doubt?.isWrong === true && format === "csv")
      throw new BankFileError("BadEncoding", doubt.sentence);
  };
  const tellDoubt = (found: AssumedEncoding) => {
    doubt ??= found;
    checkEncoding();
  };
  const text = () => decodeText(file(), options.encoding, tellDoubt);
  let fileStart = "";
  for (const chunk of text()) {
    fileStart += chunk;
    if (fileStart.length >= headLength) break;
  }
  let isUntold = true;
  format = recognise(fileStart.slice(0, headLength));
  checkEncoding();
  for (const filePart of formats[format].read(text, options)) {
    if (filePart.kind === "end" && doubt !== undefined && isUntold) {
      isUntold = false;
      yield withWarning(filePart.statement, doubt);
    } else yield filePart;
  }
}

/** End of a statement whose encoding is assumed, which a warning tells by a word of the file. */
function withWarning(statement: StatementSummary, { sentence }: AssumedEncoding): BankFilePart {
  return { kind: "end", statement: { ...statement, warnings: [...statement.warnings, sentence] } };
}
