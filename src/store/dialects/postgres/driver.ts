/**
 * Connections to a server and the statements sent over them.
 *
 * The cost of a small statement is its round trip. So a statement whose result is not needed is
 * deferred: sent without waiting, and run by the server before the next one. Its failure fails the
 * transaction, and is thrown by the next awaited statement.
 */
import type { CompiledQuery, QueryResult, TransactionSettings } from "kysely";
import type { Connection, Insertion, Row, Value } from "../../connection/connection.ts";
import type { ConnectionFigures, StoreDriver } from "../../tx/dialect.ts";

/** The part of a `pg` client that the dialect uses, so that another can stand in for it. */
export interface PostgresClient {
  /**
   * Sends a statement after all earlier ones, whether or not they were answered.
   * @param isAsLists  whether each row is a list of its columns instead of an object
   * @returns integers as numbers, all within the safe range
   */
  query(text: string, values: readonly Value[], isAsLists: boolean): Promise<PostgresResult>;
  /**
   * Returns the client to the pool.
   * @param isBroken  whether the pool must discard the connection
   */
  release(isBroken?: boolean): void;
}

export interface PostgresResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
  /** Whether a commit was answered before the standby that it has to reach confirmed it. */
  readonly isUnsure?: boolean;
}

/** Error of a commit that the server did not confirm: it may or may not have been done. */
export class UnsureCommitError extends Error {}

/** The part of a `pg` pool that the dialect uses. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  /** Settings to make in each transaction, where a connection cannot be opened with them. */
  readonly limits?: Readonly<Record<string, number>>;
  figures?(): ConnectionFigures;
}

/**
 * Maximum unanswered statements and bytes on one connection, so that a large batch is not in memory
 * twice.
 */
const underWayMax = 32;
const bytesUnderWayMax = 512 * 1024;

/**
 * Maximum wait for the answer to a commit. A commit that waits for a synchronous standby which is
 * gone is ended by no timeout of the server.
 */
const commitWaitMs = 15_000;

export class PostgresDriver implements StoreDriver {
  readonly #pool: PostgresPool;
  readonly #commitWaitMs: number;

  constructor(pool: PostgresPool, waitMs = commitWaitMs) {
    this.#pool = pool;
    this.#commitWaitMs = waitMs;
  }

  init(): Promise<void> {
    return Promise.resolve();
  }

  async acquireConnection(): Promise<PostgresConnection> {
    return new PostgresConnection(await this.#pool.connect());
  }

  async releaseConnection(connection: PostgresConnection): Promise<void> {
    connection.release();
  }

  async beginTransaction(connection: PostgresConnection, { accessMode }: TransactionSettings) {
    // A reader sees one snapshot throughout. A writer sees in each statement what the writer before
    // it left, since nobody else writes once it holds the lock of its organisation.
    await connection.executeDeferred(
      accessMode === "read only"
        ? "begin isolation level repeatable read read only"
        : "begin isolation level read committed",
    );
    for (const [name, value] of Object.entries(this.#pool.limits ?? {})) {
      await connection.executeDeferred(`set local ${name} = ${value}`);
    }
  }

  /**
   * Commits.
   * @throws the failure of any statement of the transaction; UnsureCommitError when the connection
   *   is lost meanwhile, or the server does not confirm in time
   */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.commit(this.#commitWaitMs);
  }

  async rollbackTransaction(connection: PostgresConnection): Promise<void> {
    await connection.rollback();
  }

  figures(): ConnectionFigures {
    return this.#pool.figures?.() ?? { open: 0, idle: 0, waiting: 0 };
  }

  async destroy(): Promise<void> {
    await this.#pool.end();
  }
}

/** Error codes of a connection that ended: `pg`, Node, and a server that stops. */
const lost = /^(08006|ECONNRESET|EPIPE|57P01|57P02)$/;

/** Whether the connection ended, so that a transaction which was not being committed is rolled back. */
export const isLost = (error: unknown) => lost.test(String((error as { code?: unknown })?.code));

/** Error code of a Citus coordinator whose worker did not confirm the commit, among others. */
const internalError = "XX000";

/** Whether an error of a commit leaves open whether it was done. */
const isUnsureAt = (error: unknown) =>
  isLost(error) || (error as { code?: unknown })?.code === internalError;

/** Whether the server takes no writes any more, as after another one took over. */
const isStandby = (error: unknown) => (error as { code?: unknown })?.code === "25006";

class PostgresConnection implements Connection {
  readonly #client: PostgresClient;
  #isBroken = false;
  /** The first failure of a deferred statement since the last rollback. */
  #failure: { readonly error: unknown } | undefined;
  #underWay = 0;
  /** Promise of the last deferred statement. */
  #last: Promise<unknown> | undefined;
  /** Bytes of files sent since deferred statements were last awaited. */
  #bytes = 0;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /**
   * Runs a statement and awaits its result.
   * @throws the failure of the statement, or of an earlier deferred one
   */
  async ask(text: string, values: readonly Value[] = [], asLists = false): Promise<PostgresResult> {
    let result: PostgresResult;
    try {
      result = await this.#client.query(text, values, asLists);
    } catch (error) {
      this.#isBroken ||= isStandby(error);
      throw this.#failure === undefined ? error : this.#failure.error;
    }
    // A server accepts the commit of a failed transaction and rolls it back, so the failure is
    // thrown here.
    if (this.#failure !== undefined) throw this.#failure.error;
    return result;
  }

  async commit(waitMs: number): Promise<void> {
    const timeout = Promise.withResolvers<never>();
    const timer = setTimeout(() => timeout.reject(new UnsureCommitError()), waitMs);
    try {
      const { isUnsure } = await Promise.race([this.ask("commit"), timeout.promise]);
      if (isUnsure) throw new UnsureCommitError();
    } catch (error) {
      const cause = this.#failure === undefined && isUnsureAt(error) ? { cause: error } : undefined;
      const thrown = cause === undefined ? error : new UnsureCommitError("", cause);
      this.#isBroken ||= thrown instanceof UnsureCommitError;
      throw thrown;
    } finally {
      clearTimeout(timer);
    }
  }

  async executeDeferred(text: string, values: readonly Value[] = []): Promise<void> {
    this.#defer(text, values);
    if (this.#underWay < underWayMax && this.#bytes <= bytesUnderWayMax) return;
    await this.#last;
    this.#bytes = 0;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  #defer(text: string, values: readonly Value[] = []): void {
    for (const value of values) if (value instanceof Uint8Array) this.#bytes += value.length;
    this.#underWay += 1;
    this.#last = this.#client
      .query(text, values, false)
      .catch((error: unknown) => {
        this.#isBroken ||= isStandby(error);
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  /** Rolls the transaction back and clears its failure. */
  async rollback(): Promise<void> {
    if (this.#isBroken) return; // The server rolls back when the connection ends.
    try {
      await this.#client.query("rollback", [], false);
      this.#failure = undefined;
    } catch {
      // The connection and its transaction are lost; the first failure is the cause.
      this.#isBroken = true;
    }
  }

  async executeQuery<R>({ sql: text, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount } = await this.ask(text, parameters as readonly Value[]);
    return { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) };
  }

  async rows(text: string, parameters: readonly Value[]): Promise<readonly Row[]> {
    return (await this.ask(text, parameters, true)).rows as readonly Row[];
  }

  /** Streams rows by a cursor of the server; a transaction has one cursor at a time. */
  async *streamQuery<R>(query: CompiledQuery, size = 1): AsyncGenerator<QueryResult<R>> {
    await this.executeDeferred(`declare stream no scroll cursor for ${query.sql}`, [
      ...(query.parameters as readonly Value[]),
    ]);
    for (;;) {
      const { rows } = await this.ask(`fetch ${size} from stream`);
      if (rows.length > 0) yield { rows: rows as R[] };
      if (rows.length < size) break;
    }
    await this.executeDeferred("close stream");
  }

  async insert(insertion: Insertion, rows: readonly Row[]): Promise<void> {
    for (const { text, values } of insertStatements(insertion, rows)) {
      await this.executeDeferred(text, values);
    }
  }

  async savepoint(): Promise<void> {
    await this.executeDeferred("savepoint writer");
  }

  async releaseSavepoint(): Promise<void> {
    await this.executeDeferred("release savepoint writer");
  }

  /**
   * Rolls back to the savepoint.
   * @throws the failure of a deferred statement, which may belong to the writer before
   */
  async rollbackToSavepoint(): Promise<void> {
    await this.ask("rollback to savepoint writer");
    await this.executeDeferred("release savepoint writer");
  }
}

/** Maximum parameters of one statement, by the wire protocol. */
const parametersMax = 32_767;
/**
 * Numbers of rows that a statement inserts: the largest that fits is used, so that few different
 * texts stay prepared.
 */
const chunks = [512, 128, 64, 32, 16, 8, 7, 6, 5, 4, 3, 2, 1] as const;

/** The statements that insert `rows`. */
export function insertStatements(insertion: Insertion, rows: readonly Row[]) {
  const merged = insertion.tail === undefined ? rows : mergeByKey(insertion, rows);
  const statements: { readonly text: string; readonly values: readonly Value[] }[] = [];
  const width = insertion.columns.length;
  let startIndex = 0;
  for (const chunkSize of chunks) {
    if (chunkSize > 1 && chunkSize * width > parametersMax) continue;
    for (; startIndex + chunkSize <= merged.length; startIndex += chunkSize) {
      const values = merged.slice(startIndex, startIndex + chunkSize).flat();
      statements.push({ text: insertText(insertion, chunkSize), values });
    }
  }
  return statements;
}

/** Merges rows with the same key, since a statement may not update a row twice. */
function mergeByKey({ columns, key, merged }: Insertion, rows: readonly Row[]): readonly Row[] {
  if (rows.length < 2 || key === undefined || merged === undefined) return rows;
  const positions = key.map((name) => columns.indexOf(name));
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const name = positions.map((at) => row[at]).join("\0");
    const rowBefore = byKey.get(name);
    byKey.set(name, rowBefore === undefined ? row : merged(rowBefore, row));
  }
  return [...byKey.values()];
}

const textsByInsertion = new WeakMap<Insertion, Map<number, string>>();

function insertText(insertion: Insertion, count: number): string {
  const textsByCount = textsByInsertion.get(insertion) ?? new Map<number, string>();
  textsByInsertion.set(insertion, textsByCount);
  let text = textsByCount.get(count);
  if (text === undefined) {
    const { table, columns, tail = "" } = insertion;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const rows = Array.from({ length: count }, (_, row) => {
      const parameters = columns.map((_column, at) => `$${row * columns.length + at + 1}`);
      return `(${parameters.join(", ")})`;
    });
    text = `insert into "${table}" (${names}) values ${rows.join(", ")} ${tail}`;
    textsByCount.set(count, text);
  }
  return text;
}
