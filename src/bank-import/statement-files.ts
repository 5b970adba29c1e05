/** Reads bank files, alone or in an archive, for an import. */
import {
  type BankFile,
  type BankFilePart,
  filesIn,
  type ReadOptions,
  readBankFile,
  recognise,
} from "../bank-files/index.ts";
import type { Cents } from "../resources/decimal.ts";
import { AcctError } from "../resources/errors.ts";

export interface ImportOptions extends ReadOptions {
  /** The bank account; when not given, found by the account number in the file. */
  readonly account?: string | undefined;
  /** Closing day of statements whose files state none; the day of the last line when not given. */
  readonly to?: string | undefined;
  /** Balances given by flags. */
  readonly openingBalance?: Cents | undefined;
  readonly closingBalance?: Cents | undefined;
  readonly onDuplicate?: "skip" | "add" | undefined;
  /** Whether the reading is stored for later CSV files with the same headings. */
  readonly isKept?: boolean | undefined;
}

/** A file to import. */
export interface StatementFile {
  /** Name for the user, which is stored as the source of its statements. */
  readonly name: string;
  readonly open: BankFile;
}

/** Yields the parts of a file, or of all files in an archive. */
export function* partsOf(file: StatementFile, options: ReadOptions): Generator<BankFilePart> {
  for (const { open } of filesIn(file.open)) yield* readBankFile(open, options);
}

/**
 * Whether the file, or some file of the archive, is CSV. False for an unreadable file, whose error
 * the import reports later.
 */
export function isCsv(file: StatementFile): boolean {
  const decoder = new TextDecoder("latin1");
  try {
    return filesIn(file.open).some(({ open }) => {
      const [head = new Uint8Array()] = open();
      return recognise(decoder.decode(head.subarray(0, 8192))) === "csv";
    });
  } catch (error) {
    if (error instanceof AcctError) return false;
    throw error;
  }
}
