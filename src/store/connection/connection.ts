/** A connection of the store: beyond Kysely's, many rows at a time, deferred statements, savepoints. */
import type { DatabaseConnection } from "kysely";

/** What a column holds: text, integers, and of files their bytes. */
export type Value = string | number | Uint8Array | null;
export type Row = readonly Value[];

/** An insert of many rows, whose text is made once; see `insertRows`. */
export interface Insertion {
  readonly table: string;
  readonly columns: readonly string[];
  /** What follows the rows: `on conflict …`, or nothing. */
  readonly tail: string;
  /** A row takes the place of one that is there: the tail sets every column that it names. */
  readonly replaces?: boolean;
  /** The columns after `on conflict`: rows of different keys may go in together. */
  readonly key?: readonly string[];
  /** A row that does what two of one key do, one after the other. */
  readonly merged?: (before: Row, after: Row) => Row;
}

/** A connection that also takes and gives rows past the cost of building each query. */
export interface Connection extends DatabaseConnection {
  /** Inserts rows; a failure may be reported as for `executeDeferred`. */
  insert(insertion: Insertion, rows: readonly Row[]): Promise<void>;
  /**
   * The rows of a query, each a list of its columns in the order of the text.
   *
   * @param text  as the dialect spells it, with names of columns that differ
   * @returns at once where the database is in this process
   */
  rows(text: string, parameters: readonly Value[]): readonly Row[] | Promise<readonly Row[]>;
  /**
   * Runs a statement whose answer decides nothing, before any that is given after it.
   *
   * A remote database is not waited for: a failure is reported by the next statement of the
   * transaction whose answer is awaited, its commit at the latest.
   */
  executeDeferred(text: string, parameters?: readonly Value[]): Promise<void>;
  /** Savepoints do not nest. */
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  /**
   * Rolls back to the savepoint. A failed deferred statement may belong to before the savepoint, so
   * it ends the whole transaction.
   *
   * @throws an error that ends the whole transaction
   */
  rollbackToSavepoint(): Promise<void>;
}
