/**
 * What the store needs from a database beyond Kysely.
 *
 * The queries are written once. What SQLite and PostgreSQL spell differently, or can only do each
 * in its own way, is behind this interface, in `sqlite/` and `postgres/` and nowhere else.
 */
import type { Dialect, Driver, Kysely, RawBuilder } from "kysely";
import type { Trouble } from "../../platform/disk.ts";
import type { Connection } from "../connection/connection.ts";
import type { Versions } from "../connection/versions.ts";
import type { Tables } from "../schema/index.ts";

/** Open connections, idle ones among them, and transactions waiting for one. */
export interface ConnectionFigures {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface StoreDriver extends Driver {
  acquireConnection(): Promise<Connection>;
  figures(): ConnectionFigures;
  /**
   * A number that is another one once anybody has committed anything; undefined where to find that
   * out would take as long as to read a record.
   */
  dataVersion?(): number | undefined;
}

/** What an error of the database means for the transaction that it ended. */
export type DatabaseFault =
  /** Another transaction stood in the way; run again, the work may succeed. */
  | { readonly is: "transient" }
  /** A value that must be unique is taken: the index, or the columns, as the database names them. */
  | { readonly is: "conflict"; readonly on: string }
  /** A value that the database cannot hold: text with a NUL in it. */
  | { readonly is: "unfit" }
  /** A table or a column is not there, or the tables were changed since they were looked at. */
  | { readonly is: "schema" }
  /** Its disk, or the file itself, is out of order. */
  | { readonly is: "disk"; readonly trouble: Trouble }
  /** The database cannot be reached, or does not answer; why, where it says so. */
  | { readonly is: "unavailable"; readonly because?: string };

/** How many rows an index has, and how many share its first column, its first two, and so on. */
export interface Expectation {
  readonly table: string;
  /** Undefined for the primary key. */
  readonly index: string | undefined;
  readonly clustered: boolean;
  readonly rows: readonly number[];
}

export interface StoredShape {
  readonly lines: readonly string[];
  readonly asMade: ReadonlySet<string>;
  /** Accepts this schema as the expected one; a write after a later change fails with `schema`. */
  accept?(): void;
}

export interface ColumnOfTable {
  readonly table: string;
  readonly column: string;
  readonly holdsBytes: boolean;
}

export interface StoreDialect extends Dialect {
  createDriver(): StoreDriver;
  /** Where it is kept, for messages. */
  readonly place: string;
  /** The database takes one writer at a time, whichever organisation it writes to. */
  readonly oneWriter: boolean;

  /** The version of the schema, 0 where there is none yet. @throws RefusedError `NotABook` */
  schemaVersion(db: Kysely<Tables>): Promise<number>;
  /** Called before the first migration, outside any transaction. */
  prepare(db: Kysely<Tables>): Promise<void>;
  /** Holds off other processes that would migrate, until the transaction ends. */
  lockSchema(tx: Kysely<Tables>): Promise<void>;
  /** Lets a transaction take as long as it does; absent where none is ended for that. */
  unhurried?(tx: Pick<Kysely<Tables>, "getExecutor">): Promise<void>;
  setSchemaVersion(tx: Kysely<Tables>, version: number): Promise<void>;
  /** The command that brings it up from an earlier version. */
  readonly upgrading: string;
  /**
   * What the database says of its tables, in the lines of `upgrade/table-shape.ts`.
   *
   * @param made  statements, after `create`; what still stands as one of them made it is told by that
   *   statement, where the database keeps statements, and not by its lines
   */
  shape(db: Kysely<Tables>, made?: ReadonlyMap<string, unknown>): Promise<StoredShape>;
  /**
   * Locks one organisation for writing until the transaction ends.
   *
   * @returns the versions of its reference data, which nobody else changes while the lock is held;
   *   undefined where there is no such organisation
   */
  lockOrganisation(connection: Connection, org: number): Promise<Versions | undefined>;

  /**
   * Locks the creation of one organisation until the transaction ends.
   *
   * @param known  its id, or whatever else makes it the same
   */
  lockNew(connection: Connection, known: string): Promise<void>;
  /** Every column of every table. */
  columns(connection: Connection): Promise<readonly ColumnOfTable[]>;

  readonly columnTypes: Readonly<Record<"text" | "integer" | "bytes", string>>;
  /**
   * What ends a `create table`.
   *
   * @param clustered  rows are short and read in the order of their key: keep them in it
   */
  tableEnd(clustered: boolean): string;
  /** The word before `table` where rows may be lost when the database itself fails. */
  readonly unlogged: string;
  /**
   * Gives the planner the statistics of a large book; a database that collects its own ignores
   * them.
   */
  expect(db: Kysely<Tables>, expectation: Expectation): Promise<void>;

  /** `text` without letter case and accents, as `fold` of the where language makes it. */
  fold(text: RawBuilder<unknown>): RawBuilder<unknown>;
  contains(text: RawBuilder<unknown>, part: string): RawBuilder<unknown>;
  endsWith(text: RawBuilder<unknown>, part: string): RawBuilder<unknown>;
  /** What sorts missing values first in `asc` and last in `desc`. */
  readonly ordering: { readonly asc: string; readonly desc: string };

  faultOf(error: unknown): DatabaseFault | undefined;

  /**
   * Leaves nothing in the file of what rows held that are gone or changed, outside of any transaction;
   * absent where the database keeps no file that is ours.
   */
  compact?(connection: Connection): Promise<void>;
}
