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
} from "../dialect.ts";
import { WaitingRows } from "./rows.ts";

/** What is needed of a client of `pg`, or of anything that can stand in for one. */
export interface PostgresClient {
  /**
   * Sends a statement after those that were sent before, answered or not.
   *
   * @param asLists  each row a list of its columns, instead of an object
   * @returns integers as numbers, none of them beyond the safe ones
   */
  query(text: string, values: readonly Value[], asLists: boolean): Promise<PostgresResult>;
  /** Has what waits for the rest of its batch sent, where nothing before it is still under way. */
  sendNow(): void;
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

/** A part of a transaction. */
interface Part {
  readonly waiting: WaitingRows;
  /** What the server has of it: nothing, what follows a savepoint, or what can no longer be told apart. */
  sent: "nothing" | "saved" | "mixed";
}

class PostgresConnection implements Connection {
  readonly #client: PostgresClient;
  #isBroken = false;
  /** What the first statement that nobody waited for failed with, since the last rollback. */
  #failure: { readonly error: unknown } | undefined;
  /** Rows that the server has not been sent, but for those of a part. */
  readonly #waiting = new WaitingRows();
  #part: Part | undefined;
  #sendsAhead = false;
  #underWay = 0;
  /** The last statement that was sent and not waited for. */
  #last: Promise<unknown> | undefined;
  /** Of files, since the last answer that was waited for. */
  #bytes = 0;

  constructor(client: PostgresClient) {
    this.#client = client;
  }

  release(): void {
    this.#client.release(this.#isBroken);
  }

  /** @throws what it failed with, or one before it that nobody waited for */
  ask(text: string, values: readonly Value[] = []): Promise<PostgresResult> {
    this.#sendWaiting();
    return this.#answered(text, values, false);
  }

  async #answered(
    text: string,
    values: readonly Value[],
    asLists: boolean,
  ): Promise<PostgresResult> {
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
    this.#sendWaiting();
    this.#send(text, values);
    await this.#notTooMuch();
  }

  sendAhead(): void {
    this.#sendsAhead = true;
    this.#client.sendNow();
  }

  sendRows(): void {
    if (!this.#sendsAhead) return;
    if (this.#part?.sent === "nothing") this.#part.sent = "mixed";
    this.#sendWaiting();
    this.#client.sendNow();
  }

  /** Sends the rows that wait: those of before the part, then those of the part. */
  #sendWaiting(): void {
    this.#sendRows(this.#waiting);
    if (this.#part === undefined) return;
    if (this.#part.sent === "nothing") {
      this.#send("savepoint part");
      this.#part.sent = "saved";
    }
    this.#sendRows(this.#part.waiting);
  }

  #sendRows(rows: WaitingRows): void {
    for (const { text, values } of rows.take()) this.#send(text, values);
  }

  #send(text: string, values: readonly Value[] = []): void {
    for (const value of values) if (value instanceof Uint8Array) this.#bytes += value.length;
    this.#underWay += 1;
    this.#last = this.#client
      .query(text, values, false)
      .catch((error: unknown) => {
        this.#failure ??= { error };
      })
      .finally(() => {
        this.#underWay -= 1;
      });
  }

  /** Waits where much is under way. @throws what any of it failed with */
  async #notTooMuch(): Promise<void> {
    if (this.#underWay < underWayMax && this.#bytes <= bytesUnderWayMax) return;
    await this.#last;
    this.#bytes = 0;
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  /** Takes back everything, and with it what failed. */
  async rollback(): Promise<void> {
    this.#part = undefined;
    this.#waiting.clear();
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
    // To read takes no savepoint: should it fail, the parts are tried again, each by itself.
    if (this.#part === undefined || this.#part.sent === "saved" || !this.#part.waiting.isEmpty) {
      this.#sendWaiting();
    } else this.#sendRows(this.#waiting);
    return (await this.#answered(text, parameters, true)).rows as readonly Row[];
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
    const waiting = this.#part?.waiting ?? this.#waiting;
    if (waiting.mustFollow(insertion, rows)) this.#sendWaiting();
    waiting.add(insertion, rows);
    if (!waiting.isFull) return;
    this.#sendWaiting();
    await this.#notTooMuch();
  }

  /** A savepoint only where the server is told of the part before its end. */
  async beginPart(): Promise<void> {
    this.#part = { waiting: new WaitingRows(), sent: "nothing" };
  }

  async keepPart(): Promise<void> {
    const part = this.#part;
    this.#part = undefined;
    if (part === undefined) return;
    if (part.sent === "saved") this.#send("release part");
    try {
      if (!this.#waiting.addAll(part.waiting)) {
        this.#sendWaiting();
        this.#waiting.addAll(part.waiting);
      }
    } catch (error) {
      // Rows of the part may be among the others, so that it can no longer be taken back alone.
      this.#failure ??= { error };
      throw error;
    }
    if (this.#waiting.isFull) this.#sendWaiting();
    await this.#notTooMuch();
  }

  /** @throws what a statement that nobody waited for failed with, since it may be of before */
  async undoPart(): Promise<void> {
    const sent = this.#part?.sent;
    this.#part = undefined;
    if (this.#failure !== undefined) throw this.#failure.error;
    if (sent === "mixed") throw new Error("What was sent ahead is not taken back by itself.");
    if (sent !== "saved") return;
    await this.#client.query("rollback to part", [], false);
    if (this.#failure !== undefined) throw (this.#failure as { error: unknown }).error;
    this.#send("release part");
  }
}
