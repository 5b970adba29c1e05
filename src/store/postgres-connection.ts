/**
 * Connections to a server, and what is sent over them.
 *
 * What takes long about a small statement is the way there and back. So a statement whose answer
 * decides nothing is sent and not waited for: the server runs it before whatever is sent after it.
 * Should it fail, it takes the transaction with it, and whoever is waited for next says so.
 */
import type { CompiledQuery, QueryResult, TransactionSettings } from "kysely";
import type {
  Connection,
  ConnectionFigures,
  Insertion,
  Row,
  StoreDriver,
  Value,
} from "./dialect.ts";

/** What is needed of a client of `pg`, or of anything that can stand in for one. */
export interface PostgresClient {
  /**
   * Sends a statement after those that were sent before, answered or not.
   *
   * @param asLists  each row a list of its columns, instead of an object
   * @returns integers as numbers, none of them beyond the safe ones
   */
  query(text: string, values: readonly Value[], asLists: boolean): Promise<PostgresResult>;
  /** @param broken  do not use this connection again */
  release(broken?: boolean): void;
}

export interface PostgresResult {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

/** What is needed of a pool of `pg`. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>;
  end(): Promise<void>;
  figures?(): ConnectionFigures;
}

/** Parameters that one statement may take. */
const parametersMax = 32_767;
/** Rows of one insert: a full chunk, else the next smaller, so that few texts are ever made. */
const chunks = [512, 128, 32, 8, 7, 6, 5, 4, 3, 2, 1] as const;
/** Statements and bytes under way on one connection, so that a large batch is not in memory twice. */
const underWayMax = 32;
const bytesUnderWayMax = 512 * 1024;

export class PostgresDriver implements StoreDriver {
  readonly #pool: PostgresPool;

  constructor(pool: PostgresPool) {
    this.#pool = pool;
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
    // A reader sees one moment throughout. A writer sees, statement by statement, what the writer
    // before it has left, since nobody else writes once it holds the lock of its organisation.
    await connection.later(
      accessMode === "read only"
        ? "begin isolation level repeatable read read only"
        : "begin isolation level read committed",
    );
  }

  /** @throws what any statement of the transaction failed with */
  async commitTransaction(connection: PostgresConnection): Promise<void> {
    await connection.ask("commit");
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

class PostgresConnection implements Connection {
  readonly #client: PostgresClient;
  #isBroken = false;
  /** What the first statement that nobody waited for failed with, since the last rollback. */
  #failure: { readonly error: unknown } | undefined;
  #underWay = 0;
  /** Of files, since the last answer that was waited for. */
  #bytes = 0;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** @throws what it failed with, or one before it that nobody waited for */
  async ask(text: string, values: readonly Value[] = [], asLists = false): Promise<PostgresResult> {
    let result: PostgresResult;
    try {
      result = await this.#client.query(text, values, asLists);
    } catch (error) {
      throw this.#failure === undefined ? error : this.#failure.error;
    }
    // A commit is no error where the transaction has failed already, and keeps nothing.
    if (this.#failure !== undefined) throw this.#failure.error;
    return result;
  }

  async later(text: string, values: readonly Value[] = []): Promise<void> {
    for (const value of values) if (value instanceof Uint8Array) this.#bytes += value.length;
    if (this.#underWay >= underWayMax || this.#bytes > bytesUnderWayMax) {
      await this.ask(text, values);
      this.#bytes = 0;
      return;
    }
    this.#underWay += 1;
    this.#client
      .query(text, values, false)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  async undo(text: string): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    await this.#client.query(text, [], false);
    if (this.#failure !== undefined) throw (this.#failure as { error: unknown }).error;
  }

  /** Takes back everything, and with it what failed. */
  async rollback(): Promise<void> {
    try {
      await this.#client.query("rollback", [], false);
      this.#failure = undefined;
    } catch {
      // The connection is gone, and the transaction with it; what failed first is what matters.
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

  /** By a cursor of the server, of which a transaction has one at a time. */
  async *streamQuery<R>(query: CompiledQuery, size = 1): AsyncGenerator<QueryResult<R>> {
    await this.later(`declare stream no scroll cursor for ${query.sql}`, [
      ...(query.parameters as readonly Value[]),
    ]);
    for (;;) {
      const { rows } = await this.ask(`fetch ${size} from stream`);
      if (rows.length > 0) yield { rows: rows as R[] };
      if (rows.length < size) break;
    }
    await this.later("close stream");
  }

  async insert(insertion: Insertion, rows: readonly Row[]): Promise<void> {
    const width = insertion.columns.length;
    let from = 0;
    for (const chunk of chunks) {
      if (chunk > 1 && chunk * width > parametersMax) continue;
      for (; from + chunk <= rows.length; from += chunk) {
        await this.later(insertText(insertion, chunk), rows.slice(from, from + chunk).flat());
      }
    }
  }
}

const insertTexts = new WeakMap<Insertion, Map<number, string>>();

function insertText(insertion: Insertion, count: number): string {
  const texts = insertTexts.get(insertion) ?? new Map<number, string>();
  insertTexts.set(insertion, texts);
  let text = texts.get(count);
  if (text === undefined) {
    const { table, columns, tail } = insertion;
    const names = columns.map((column) => `"${column}"`).join(", ");
    const rows = Array.from({ length: count }, (_, row) => {
      const marks = columns.map((_column, at) => `$${row * columns.length + at + 1}`);
      return `(${marks.join(", ")})`;
    });
    text = `insert into "${table}" (${names}) values ${rows.join(", ")} ${tail}`;
    texts.set(count, text);
  }
  return text;
}
