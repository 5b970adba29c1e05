/**
 * The store of a book in a file: SQLite as built into Node.
 *
 * Several commands and a server may have one book open. Readers never wait; writers run one after
 * another, by a queue within a process and by SQLite's lock between processes. A commit is on disk
 * before it is acknowledged (WAL with `synchronous = full`).
 */
import { closeSync, existsSync, openSync } from "node:fs";
import { backup, DatabaseSync, type StatementSync } from "node:sqlite";
import {
  type CompiledQuery,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
  type TransactionSettings,
} from "kysely";
import { diskTroubleOf, type Trouble } from "../../../platform/disk.ts";
import { partName, removePart } from "../../../platform/part-file.ts";
import { RefusedError } from "../../../resources/errors.ts";
import { fold } from "../../../wire/fold.ts";
import type { Connection, Insertion, Row, Value } from "../../connection/connection.ts";
import { selectVersions, versionsIn } from "../../connection/versions.ts";
import type { Listing } from "../../records/organisations.ts";
import type { Tables } from "../../schema/index.ts";
import type {
  ConnectionFigures,
  DatabaseFault,
  StoreDialect,
  StoreDriver,
} from "../../tx/dialect.ts";
import {
  createdText,
  type ShapeRow,
  selectShape,
  selectWhole,
  shapeOf,
  type WholeSchema,
} from "./shape.ts";

/** `acct` in ASCII: the application id in the file header, which marks a book. */
export const applicationId = 0x61636374;

/** Maximum prepared statements of a connection; the least recently used is dropped first. */
const statementsMax = 256;

/** Maximum connections to one file, all but one of them readers. */
const connectionsMax = 8;

/**
 * Timeout of SQLite's own wait for a lock, which blocks the whole process; after that the store
 * retries without blocking.
 */
const lockWaitMs = 50;

/** Page cache of a connection in KiB: an import returns to the same index pages. */
const cacheKiB = 16_384;

/** Pages in the log before a checkpoint; an import is a sixth faster than with 1000. */
export const checkpointPages = 4000;

/** Size to which a restarted log is truncated; a long reader makes it grow meanwhile. */
const logBytesMax = checkpointPages * 4096;

/**
 * Temporary data (savepoints, sorts) stays in memory: writers that commit together are each in a
 * savepoint, and a batch of 100 invoices is a twelfth faster than with a file.
 */
const temporary = "memory";

/** The SQL syntax of SQLite. */
const syntax = {
  columnTypes: { text: "text", integer: "integer", bytes: "blob" },
  tableEnd: (clustered) => (clustered ? "strict, without rowid" : "strict"),
  unlogged: "",
  async expect(db, { table, index, clustered, rows }) {
    // Creates the missing table of statistics, without counting any rows.
    await sql`analyze sqlite_schema`.execute(db);
    const name = index ?? (clustered ? table : `sqlite_autoindex_${table}_1`);
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${name}, ${rows.join(" ")})
      `.execute(db);
  },
  fold: (text) => sql`fold(${text})`,
  contains: (text, substring) => sql`instr(${text}, ${substring}) > 0`,
  endsWith: (text, part) =>
    part === "" ? sql`${text} is not null` : sql`substr(${text}, ${-[...part].length}) = ${part}`,
  ordering: { asc: "asc", desc: "desc" },
} satisfies Partial<StoreDialect>;

/**
 * The dialect of the book at `path`, which is created when missing; `:memory:` is gone when closed.
 * @param options.isAlone  whether one connection holds the file exclusively while open
 * @param options.called   name of the book in messages, instead of its path
 */
export function sqliteDialect(
  path: string,
  { isAlone = false, called = path }: { isAlone?: boolean; called?: string | undefined } = {},
): StoreDialect {
  const accepted: AcceptedSchema = {};
  return {
    place: called,
    oneWriter: true,
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new SqliteDriver(path, isAlone, accepted),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new SqliteQueryCompiler(),

    async schemaVersion(db) {
      const { id, version } = await headOf(db, path);
      if (id === applicationId) return version;
      const result = await sql`select 1 from sqlite_schema limit 1`.execute(db);
      if (id === 0 && version === 0 && result.rows.length === 0) return 0;
      // Another process may have created the book between the two checks.
      const again = await headOf(db, path);
      if (again.id === applicationId) return again.version;
      throw notABookError(path);
    },
    async prepare(db) {
      await sql`pragma journal_mode = wal`.execute(db);
    },
    // A write transaction already holds the lock of the whole file.
    lockSchema: () => Promise.resolve(),
    async setSchemaVersion(tx, version) {
      await sql`pragma application_id = ${sql.lit(applicationId)}`.execute(tx);
      await sql`pragma user_version = ${sql.lit(version)}`.execute(tx);
    },
    upgrading: `acct book upgrade ${called}`,
    async isAsCreated(db) {
      const { rows } = await sql.raw<WholeSchema>(selectWhole).execute(db);
      const [whole] = rows;
      if (whole === undefined || whole.text !== createdText) return false;
      accepted.stamp = whole.stamp;
      return true;
    },
    async shape(db, expectedShape) {
      const { rows } = await sql.raw<ShapeRow>(selectShape).execute(db);
      const accept = () => {
        accepted.stamp = rows[0]?.stamp;
      };
      return { ...shapeOf(rows, expectedShape), accept };
    },
    async lockOrganisation(connection, org) {
      const [row] = await connection.rows(`${selectVersions} ?`, [org]);
      return versionsIn(row);
    },

    lockNew: () => Promise.resolve(),
    async columns(connection) {
      const rows = await connection.rows(
        `select t.name as "table", c.name as "column", c.type from sqlite_schema t
        join pragma_table_info(t.name) c
        where t.type = 'table' and t.name not like 'sqlite_%' order by t.name, c.name`,
        [],
      );
      return rows.map(([table, column, type]) => ({
        table: table as string,
        column: column as string,
        holdsBytes: type === "BLOB",
      }));
    },

    ...syntax,

    faultOf: (error) => faultOf(error, path),

    async compact(connection) {
      await connection.executeDeferred("vacuum", []);
      await connection.rows("pragma wal_checkpoint(truncate)", []);
    },
  };
}

/**
 * The organisation in the file of a book, read without opening a store; undefined where there is none.
 *
 * @throws RefusedError `NotABook`
 */
export function organisationIn(path: string): Listing | undefined {
  try {
    using db = new DatabaseSync(path, { readOnly: true, timeout: 20 * lockWaitMs });
    const [head] = db.prepare("select application_id as id from pragma_application_id").all();
    if (head?.id !== applicationId) throw notABookError(path);
    const [row] = db
      .prepare(`select org, id as "OrganisationID", name as "Name" from organisation order by org`)
      .all();
    return row as Listing | undefined;
  } catch (error) {
    throw (codeOf(error) & 0xff) === notADatabase ? notABookError(path) : error;
  }
}

/** Reads application id and version from the file header. */
async function headOf(db: Kysely<Tables>, path: string): Promise<{ id: number; version: number }> {
  try {
    const { rows } = await sql<{ id: number; version: number }>`
      select application_id as id, user_version as version
      from pragma_application_id, pragma_user_version`.execute(db);
    return rows[0] ?? { id: 0, version: 0 };
  } catch (error) {
    if ((codeOf(error) & 0xff) === notADatabase) throw notABookError(path);
    throw error;
  }
}

export function notABookError(path: string): RefusedError {
  return new RefusedError("NotABook", `${path} is no book: it holds something else.`);
}

/** Primary result codes of SQLite. */
export const plainError = 1;
/** SQLite's message for an unknown table or column, for which it has no code of its own. */
export const unknownName =
  /^no such (table|column)|has no column named|ON CONFLICT clause does not match/;
const busyCode = 5;
const lockedCode = 6;
const cannotOpen = 14;
const unauthorisedCode = 23;
export const notADatabase = 26;
/** Extended result codes. */
const constraintUnique = 2067;
const constraintPrimaryKey = 1555;
/** Result code when the shared-memory index of the log cannot grow: the disk is full. */
const sharedMemorySize = 4874;

/** Disk troubles by result code, extended codes before their primary ones. */
const troubleByCode: ReadonlyMap<number, Trouble> = new Map([
  [sharedMemorySize, "DiskFull"],
  [3, "NotPermitted"],
  [8, "ReadOnly"],
  [10, "DiskFailing"],
  [11, "Damaged"],
  [13, "DiskFull"],
  [notADatabase, "Damaged"],
]);

export function codeOf(error: unknown): number {
  const code = (error as { errcode?: unknown } | null)?.errcode;
  return typeof code === "number" ? code : 0;
}

/**
 * The disk trouble behind an error of SQLite; undefined for other errors.
 * @param path  of the book's file
 */
export function troubleOf(error: unknown, path: string): Trouble | undefined {
  const code = codeOf(error);
  const trouble = troubleByCode.get(code) ?? troubleByCode.get(code & 0xff);
  if (trouble !== undefined || (code & 0xff) !== cannotOpen || path === ":memory:") return trouble;
  return findDiskTrouble(path);
}

/**
 * The disk trouble that keeps SQLite from creating files beside a book, for which it reports no
 * reason.
 */
function findDiskTrouble(path: string): Trouble | undefined {
  const probe = partName(path);
  try {
    if (existsSync(path)) closeSync(openSync(path, "r+"));
    closeSync(openSync(probe, "wx", 0o600));
    return undefined;
  } catch (error) {
    return diskTroubleOf(error);
  } finally {
    removePart(probe);
  }
}

function faultOf(error: unknown, path: string): DatabaseFault | undefined {
  if (error instanceof TablesChanged) return { is: "schema" };
  const code = codeOf(error);
  if (code === unauthorisedCode) return { is: "schema" };
  if ((code & 0xff) === busyCode || (code & 0xff) === lockedCode) return { is: "transient" };
  if (code === constraintUnique || code === constraintPrimaryKey) {
    const on = (error as Error).message.replace(/^.*failed: /, "");
    return { is: "conflict", on };
  }
  if (code === plainError && unknownName.test((error as Error).message)) return { is: "schema" };
  const trouble = troubleOf(error, path);
  if (trouble !== undefined) return { is: "disk", trouble };
  return (code & 0xff) === cannotOpen ? { is: "unavailable" } : undefined;
}

/** The schema last accepted as the program's; undefined before the first check. */
interface AcceptedSchema {
  stamp?: number | undefined;
}

class TablesChanged extends Error {}

class SqliteDriver implements StoreDriver {
  readonly #path: string;
  readonly #max: number;
  readonly #open = new Set<SqliteConnection>();
  readonly #free: SqliteConnection[] = [];
  readonly #waiting: ((connection: SqliteConnection) => void)[] = [];
  #watch: Watch | undefined;

  readonly #isAlone: boolean;

  readonly #accepted: AcceptedSchema;

  constructor(path: string, isExclusive: boolean, accepted: AcceptedSchema) {
    this.#path = path;
    this.#accepted = accepted;
    this.#isAlone = isExclusive;
    this.#max = isExclusive || path === ":memory:" ? 1 : connectionsMax;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<SqliteConnection> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#open.size < this.#max) {
      const connection = new SqliteConnection(this.#path, this.#isAlone);
      this.#open.add(connection);
      return connection;
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  async releaseConnection(connection: SqliteConnection): Promise<void> {
    const nextWaiting = this.#waiting.shift();
    if (nextWaiting !== undefined) nextWaiting(connection);
    else this.#free.push(connection);
  }

  async beginTransaction(connection: SqliteConnection, { accessMode }: TransactionSettings) {
    if (accessMode === "read only") return connection.run("begin");
    connection.run("begin immediate");
    const { stamp } = this.#accepted;
    // A trigger added since the last schema check would write as well.
    if (stamp === undefined || connection.stamp() === stamp) return;
    connection.run("rollback");
    throw new TablesChanged();
  }

  async commitTransaction(connection: SqliteConnection): Promise<void> {
    connection.run("commit");
  }

  async rollbackTransaction(connection: SqliteConnection): Promise<void> {
    // Some errors, such as a full disk, end the transaction by themselves.
    if (connection.inTransaction) connection.run("rollback");
  }

  figures(): ConnectionFigures {
    return { open: this.#open.size, idle: this.#free.length, waiting: this.#waiting.length };
  }

  /** The data version of the file; undefined with a single connection, as for `:memory:`. */
  dataVersion(): number | undefined {
    if (this.#max === 1) return undefined;
    try {
      this.#watch ??= new Watch(this.#path);
      return this.#watch.version();
    } catch {
      // Any failure here is reported by the read that follows.
      return undefined;
    }
  }

  async destroy(): Promise<void> {
    this.#watch?.close();
    for (const connection of this.#open) connection.close();
    this.#open.clear();
    this.#free.length = 0;
  }
}

/**
 * Detects commits of other connections by SQLite's data version. This connection never writes,
 * because the data version leaves out a connection's own commits.
 */
class Watch {
  readonly #db: DatabaseSync;
  readonly #version: StatementSync;

  constructor(path: string) {
    this.#db = new DatabaseSync(path, { readOnly: true, timeout: lockWaitMs });
    this.#version = this.#db.prepare("pragma data_version");
    this.#version.setReturnArrays(true);
  }

  version(): number {
    return (this.#version.get() as unknown as readonly [number])[0];
  }

  close(): void {
    this.#db.close();
  }
}

/** A prepared statement, and whether it returns rows. */
interface PreparedStatement {
  readonly statement: StatementSync;
  readonly reads: boolean;
  /** The request count at the statement's last use. */
  usedAt: number;
}

/**
 * Cache of prepared statements by their text.
 *
 * A use marks the statement instead of moving it to the end of the map: a map whose entries come
 * and go is rebuilt all the time, and its remains outlive several garbage collections.
 */
class Statements {
  readonly #prepare: (text: string) => Omit<PreparedStatement, "usedAt">;
  readonly #known = new Map<string, PreparedStatement>();
  #asked = 0;

  constructor(prepare: (text: string) => Omit<PreparedStatement, "usedAt">) {
    this.#prepare = prepare;
  }

  of(text: string): PreparedStatement {
    this.#asked += 1;
    const statement = this.#known.get(text);
    if (statement !== undefined) {
      statement.usedAt = this.#asked;
      return statement;
    }
    const prepared = { ...this.#prepare(text), usedAt: this.#asked };
    if (this.#known.size >= statementsMax) this.#forgetOldest();
    this.#known.set(text, prepared);
    return prepared;
  }

  #forgetOldest(): void {
    let oldest: string | undefined;
    let oldestUse = Number.POSITIVE_INFINITY;
    for (const [text, { usedAt }] of this.#known) {
      if (usedAt >= oldestUse) continue;
      oldest = text;
      oldestUse = usedAt;
    }
    if (oldest !== undefined) this.#known.delete(oldest);
  }

  clear(): void {
    this.#known.clear();
  }
}

const textByInsertion = new WeakMap<Insertion, string>();

/** Codes of the authorizer's actions that write, from sqlite3.h; Node 22 has no names for them. */
const codesOfWrites: ReadonlySet<number> = new Set([
  9, // SQLITE_DELETE
  18, // SQLITE_INSERT
  23, // SQLITE_UPDATE
]);

type Authorizer = (
  actionCode: number,
  _of: unknown,
  _in: unknown,
  _db: unknown,
  source: string | null,
) => number;

/** Options and methods of a SQLite connection that Node has from 24 on. */
interface SinceNode24 {
  readonly setAuthorizer?: (authorizer: Authorizer) => void;
}

/**
 * Authorizer of SQLite actions: answers SQLITE_DENY (1) or SQLITE_OK (0).
 * @param source  the trigger or view that causes the action; null for a statement of the program
 */
const allowed: Authorizer = (actionCode, _of, _in, _db, source) =>
  source !== null && codesOfWrites.has(actionCode) ? 1 : 0;

class SqliteConnection implements Connection {
  readonly #db: DatabaseSync;
  readonly #statements = new Statements((text) => {
    const statement = this.#db.prepare(text);
    return { statement, reads: statement.columns().length > 0 };
  });
  /**
   * Prepared statements that return rows as lists instead of objects, which takes half the time.
   */
  readonly #lists = new Statements((text) => {
    const statement = this.#db.prepare(text);
    statement.setReturnArrays(true);
    return { statement, reads: true };
  });

  constructor(path: string, isExclusive: boolean) {
    const options = { enableForeignKeyConstraints: false, timeout: lockWaitMs, defensive: true };
    const db: DatabaseSync & SinceNode24 = new DatabaseSync(path, options);
    try {
      if (isExclusive) db.exec("pragma locking_mode = exclusive; begin exclusive; rollback;");
    } catch (error) {
      db.close();
      throw error;
    }
    db.function("fold", { deterministic: true, directOnly: true }, foldValue);
    db.exec(
      `pragma synchronous = full; pragma cache_size = -${cacheKiB};
      pragma wal_autocheckpoint = ${checkpointPages}; pragma journal_size_limit = ${logBytesMax};
      pragma temp_store = ${temporary}; pragma trusted_schema = off;`,
    );
    // With Node 22 only the check of the schema at opening keeps planted triggers from writing.
    db.setAuthorizer?.(allowed);
    this.#db = db;
  }

  get inTransaction(): boolean {
    return this.#db.isTransaction;
  }

  run(text: string): void {
    this.#statements.of(text).statement.run();
  }

  /** The schema version; see `Shaped`. */
  stamp(): Value | undefined {
    return this.rows("pragma schema_version", [])[0]?.[0];
  }

  rows(text: string, parameters: readonly Value[]): readonly Row[] {
    return this.#lists.of(text).statement.all(...parameters) as unknown as Row[];
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { statement, reads } = this.#statements.of(text);
    if (reads) return { rows: statement.all(...(parameters as Value[])) as R[] };
    const { changes } = statement.run(...(parameters as Value[]));
    return { rows: [], numAffectedRows: BigInt(changes) };
  }

  async savepoint(): Promise<void> {
    this.run("savepoint writer");
  }

  async releaseSavepoint(): Promise<void> {
    this.run("release writer");
  }

  async rollbackToSavepoint(): Promise<void> {
    this.run("rollback to writer");
    this.run("release writer");
  }

  async executeDeferred(text: string, parameters: readonly Value[] = []): Promise<void> {
    this.#statements.of(text).statement.run(...parameters);
  }

  async *streamQuery<R>(
    { sql: text, parameters }: CompiledQuery,
    size = 1,
  ): AsyncGenerator<QueryResult<R>> {
    // A statement not shared through the cache: others run while this one is read.
    let rows: R[] = [];
    for (const row of this.#db.prepare(text).iterate(...(parameters as Value[]))) {
      rows.push(row as R);
      if (rows.length < size) continue;
      yield { rows };
      rows = [];
    }
    if (rows.length > 0) yield { rows };
  }

  /**
   * Inserts row by row, which costs SQLite less than many rows in one statement: it need not keep
   * undo data in case a later row fails.
   */
  async insert(insertion: Insertion, rows: readonly Row[]): Promise<void> {
    let text = textByInsertion.get(insertion);
    if (text === undefined) {
      const { table, columns, tail = "" } = insertion;
      const names = columns.map((column) => `"${column}"`).join(", ");
      const questionMarks = columns.map(() => "?").join(", ");
      text = `insert into "${table}" (${names}) values (${questionMarks}) ${tail}`;
      textByInsertion.set(insertion, text);
    }
    const { statement } = this.#statements.of(text);
    for (const row of rows) statement.run(...row);
  }

  copyTo(path: string): Promise<number> {
    return backup(this.#db, path, { rate: copiedPages });
  }

  close(): void {
    this.#statements.clear();
    this.#lists.clear();
    this.#db.close();
  }
}

/** Pages copied in one step. */
const copiedPages = 1000;

/** Copies the whole file to an empty one; the connection holds the file exclusively. */
export async function copyOf(connection: Connection, path: string): Promise<void> {
  await (connection as SqliteConnection).copyTo(path);
}

function foldValue(value: unknown): string | null {
  return value === null ? null : fold(String(value));
}
