/**
 * The database interface of the store beyond Kysely.
 *
 * The queries are written once. Whatever SQLite and PostgreSQL spell or do differently is behind
 * this interface, in `sqlite/` and `postgres/` and nowhere else.
 */
import type { Dialect, Driver, Kysely, RawBuilder } from "kysely";
import type { Trouble } from "../../platform/disk.ts";
import type { Connection } from "../connection/connection.ts";
import type { Versions } from "../connection/versions.ts";
import type { Tables } from "../schema/index.ts";

/** Numbers of open connections, idle ones, and transactions waiting for one. */
export interface ConnectionFigures {
  readonly open: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface StoreDriver extends Driver {
  acquireConnection(): Promise<Connection>;
  figures(): ConnectionFigures;
  /**
   * The data version, which changes with every commit of anybody; undefined when reading it would
   * take as long as reading a record.
   */
  dataVersion?(): number | undefined;
}

/** The meaning of a database error for the transaction that it ended. */
export type DatabaseFault =
  /** A conflict with another transaction; a retry may succeed. */
  | { readonly is: "transient" }
  /** A unique value is taken: the index or the columns, as the database names them. */
  | { readonly is: "conflict"; readonly on: string }
  /** A value the database cannot store: text with a NUL character. */
  | { readonly is: "unfit" }
  /** A table or column is missing, or the schema changed since it was checked. */
  | { readonly is: "schema" }
  /** Disk trouble, or a damaged file. */
  | { readonly is: "disk"; readonly trouble: Trouble }
  /** The connection ended before the commit, so that nothing was done. */
  | { readonly is: "lost" }
  /** A commit that was not confirmed: it may or may not have been done. */
  | { readonly is: "unsure" }
  /** The database cannot be reached or does not answer; the reason, if it gives one. */
  | { readonly is: "unavailable"; readonly because?: string };

/**
 * Expected statistics of an index: its rows, and how many share its first column, its first two,
 * and so on.
 */
export interface Expectation {
  readonly table: string;
  /** Name of the index; undefined for the primary key. */
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
  /** Location of the database, for messages. */
  readonly place: string;
  /** Whether the database takes one writer at a time, whichever organisation it writes to. */
  readonly oneWriter: boolean;

  /**
   * The version of the schema, 0 in an empty database.
   * @throws RefusedError `NotABook`
   */
  schemaVersion(db: Kysely<Tables>): Promise<number>;
  /** Prepares the database; called before the first migration, outside any transaction. */
  prepare(db: Kysely<Tables>): Promise<void>;
  /** Blocks migrations by other processes until the transaction ends. */
  lockSchema(tx: Kysely<Tables>): Promise<void>;
  /** Lifts the time limit of a transaction; absent when the database has none. */
  liftTimeLimit?(tx: Pick<Kysely<Tables>, "getExecutor">): Promise<void>;
  setSchemaVersion(tx: Kysely<Tables>, version: number): Promise<void>;
  /** Distributes a new table of organisations where those before it are; absent on one node. */
  distributeNew?(db: Kysely<Tables>, table: string): Promise<void>;
  /** The command that upgrades a database of an earlier version. */
  readonly upgrading: string;
  /**
   * Whether all tables have the very statements by which this build creates them, which saves the work
   * of comparing their shapes; accepts them. Absent where the database keeps no statements.
   */
  isAsCreated?(db: Kysely<Tables>): Promise<boolean>;
  /**
   * The shape of the tables, in the lines of `upgrade/table-shape.ts`.
   * @param madeShape  statements of the program, after `create`; an object that still has its statement
   *   is reported by it instead of its lines, where the database keeps statements
   */
  shape(db: Kysely<Tables>, madeShape?: ReadonlyMap<string, unknown>): Promise<StoredShape>;
  /**
   * Locks one organisation for writing until the transaction ends.
   *
   * @returns the versions of its reference data, which nobody else changes while the lock is held;
   *   undefined where there is no such organisation
   */
  lockOrganisation(connection: Connection, org: number): Promise<Versions | undefined>;

  /**
   * Locks the creation of one organisation until the transaction ends.
   * @param latestKnown  its id, or another value that identifies it
   */
  lockNew(connection: Connection, latestKnown: string): Promise<void>;
  /** Every column of every table. */
  columns(connection: Connection): Promise<readonly ColumnOfTable[]>;

  readonly columnTypes: Readonly<Record<"text" | "integer" | "bytes", string>>;
  /**
   * The end of a `create table` statement.
   * @param clustered  whether rows are stored in key order: for short rows that are read so
   */
  tableEnd(clustered: boolean): string;
  /** The keyword before `table` for tables whose rows may be lost in a database crash. */
  readonly unlogged: string;
  /**
   * Sets the planner statistics of a large book; a database that collects its own ignores them.
   */
  expect(db: Kysely<Tables>, expectation: Expectation): Promise<void>;

  /** SQL that folds `text` (no letter case, no accents) as `fold` of the where language does. */
  fold(text: RawBuilder<unknown>): RawBuilder<unknown>;
  contains(text: RawBuilder<unknown>, substring: string): RawBuilder<unknown>;
  endsWith(text: RawBuilder<unknown>, suffix: string): RawBuilder<unknown>;
  /** SQL of sort directions that puts missing values first in `asc` and last in `desc`. */
  readonly ordering: { readonly asc: string; readonly desc: string };

  faultOf(error: unknown): DatabaseFault | undefined;

  /**
   * Removes old row contents from the database file, outside any transaction; absent when the
   * database has no file of ours.
   */
  compact?(connection: Connection): Promise<void>;
}
