/**
 * Interface of an audit file format: input is checked before the ledger is read, and again before
 * the first byte is written.
 */
import type { Charset } from "./charset.ts";
import type { Ledger } from "./ledger/read-ledger.ts";

export interface AuditFile {
  /** File name, as the law or the receiving program prescribes it. */
  readonly name: string;
  readonly charset: Charset;
  /** Checks the ledger and returns the file. @throws UsageError for values that the book lacks */
  prepare(ledger: Ledger): PreparedFile;
}

/** Content of a file: text, or bytes for a binary file. */
export type PreparedFile = {
  /** Notes for the user about the file, shown after it is written. */
  readonly notes?: () => readonly string[];
} & (
  | { readonly text: () => Iterable<string> | AsyncIterable<string> }
  | { readonly bytes: () => AsyncIterable<Uint8Array> }
);
