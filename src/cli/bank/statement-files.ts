/** Files of banks as they are read: alone, or in an archive. */
import {
  type BankFilePart,
  filesIn,
  type ReadOptions,
  readBankFile,
  recognise,
} from "../../bank-files/index.ts";
import { inputChunks } from "../../platform/input-file.ts";
import { inputBounds } from "../../resources/bounds.ts";
import type { Cents } from "../../resources/decimal.ts";
import { AcctError } from "../../resources/errors.ts";

export interface ImportOptions extends ReadOptions {
  /** The bank account; by its number in the file when not given. */
  readonly account?: string | undefined;
  /** Last day of statements whose files name none; the day of the last line when not given. */
  readonly to?: string | undefined;
  /** Balances that a person types. */
  readonly openingBalance?: Cents | undefined;
  readonly closingBalance?: Cents | undefined;
  readonly onDuplicate?: "skip" | "add" | undefined;
  /** Whether a CSV file is shown on a terminal also where balances or a form prove it. */
  readonly preview?: boolean | undefined;
  /** Whether the next CSV file with the same headings is read as this one. */
  readonly isKept?: boolean | undefined;
}

/** The parts of a file, or of all files in an archive. */
export function* partsOf(path: string, options: ReadOptions): Generator<BankFilePart> {
  for (const { open } of filesIn(() => chunksOf(path))) yield* readBankFile(open, options);
}

/** Whether some file of an archive, or the file itself, is CSV; why a file cannot be read is told later. */
export function isCsv(path: string): boolean {
  const decoder = new TextDecoder("latin1");
  try {
    return filesIn(() => chunksOf(path)).some(({ open }) => {
      const [head = new Uint8Array()] = open();
      return recognise(decoder.decode(head.subarray(0, 8192))) === "csv";
    });
  } catch (error) {
    if (error instanceof AcctError) return false;
    throw error;
  }
}

const chunksOf = (path: string) => inputChunks(path, inputBounds.rows);
