/** What a format of audit files is: checked before the ledger is read, and again before a byte is written. */
import type { Charset } from "./charset.ts";
import type { Ledger } from "./ledger/read-ledger.ts";

export interface AuditFile {
  /** As the law or the program that reads it has it. */
  readonly name: string;
  readonly charset: Charset;
  /** @throws UsageError for what the book lacks */
  prepare(ledger: Ledger): PreparedFile;
}

/** A file as text or, where it is none, as bytes. */
export type PreparedFile = {
  /** What a person should know of the file, told after it is written. */
  readonly notes?: () => readonly string[];
} & (
  | { readonly text: () => Iterable<string> | AsyncIterable<string> }
  | { readonly bytes: () => AsyncIterable<Uint8Array> }
);
