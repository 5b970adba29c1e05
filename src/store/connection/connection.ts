/** The connection of the store: Kysely's with bulk inserts, deferred statements and savepoints. */
import type { DatabaseConnection } from "kysely";

/** A column value: text, an integer, the bytes of a file, or null. */
export type Value = string | number | Uint8Array | null;
export type Row = readonly Value[];

/** An insert statement for many rows, whose text is built once; see `insertRows`. */
export interface Insertion {
  readonly table: string;
  readonly columns: readonly string[];
  /** The SQL after the values: `on conflict …`, or nothing. */
  readonly tail?: string | undefined;
  /** Whether an upsert replaces the whole row: the tail sets every column of the insert. */
  readonly replaces?: boolean;
  /** The columns after `on conflict`; only rows with different keys may share a statement. */
  readonly key?: readonly string[];
  /** Merges two rows of one key into a row with the effect of both in turn. */
  readonly merged?: (oldRow: Row, newRow: Row) => Row;
}

/** A connection that also writes and reads rows without Kysely's cost of building each query. */
export interface Connection extends DatabaseConnection {
  /** Inserts rows; a failure may be reported as for `executeDeferred`. */
  insert(insertion: Insertion, rows: readonly Row[]): Promise<void>;
  /**
   * The rows of a query, each a list of its columns in select order.
   * @param text  in the SQL of the dialect; column names must differ
   * @returns at once when the database runs in this process
   */
  rows(text: string, parameters: readonly Value[]): readonly Row[] | Promise<readonly Row[]>;
  /**
   * Runs a statement whose result is not needed, before any statement given later.
   *
   * A remote database is not waited for: a failure is reported by the next awaited statement of the
   * transaction, its commit at the latest.
   */
  executeDeferred(text: string, parameters?: readonly Value[]): Promise<void>;
  /** Sets a savepoint; savepoints do not nest. */
  savepoint(): Promise<void>;
  releaseSavepoint(): Promise<void>;
  /**
   * Rolls back to the savepoint. The failure of a deferred statement ends the whole transaction,
   * since the statement may precede the savepoint.
   */
  rollbackToSavepoint(): Promise<void>;
}
