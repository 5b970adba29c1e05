/** The transaction interface given to work on the store, and the lock of an organisation. */
import type { Transaction } from "kysely";
import type { Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Connection, Insertion, Row } from "../connection/connection.ts";
import type { Versions } from "../connection/versions.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "./dialect.ts";

/** An answer with its body in memory; the answer to a write is never a file. */
export interface KeptAnswer extends ServiceResponse {
  readonly body: string | Uint8Array;
}

/** An idempotency key; keys of different apps are independent. */
export interface KeyOfApp {
  readonly app: string;
  readonly key: string;
}

/** The stored answer to a request with an idempotency key. */
export interface IdempotentAnswer extends KeyOfApp {
  /** Fingerprint (hash) of the request, which detects another request with the same key. */
  readonly fingerprint: string;
  /** Time of the answer, milliseconds since 1970 UTC. */
  readonly at: number;
  readonly answer: KeptAnswer;
}

/**
 * The write set: records of the organisation that a transaction has written, for the chain
 * (`chain/`).
 */
export interface WriteSet {
  /** Notes inserted rows. */
  insert(insertion: Insertion, rows: readonly Row[]): void;
  /**
   * The columns by which the write set notes records of a table; undefined when the chain covers
   * none of `columns`.
   * @param columns  columns that a statement updates; all when it deletes rows
   */
  keyOf(table: string, columns?: readonly string[]): readonly string[] | undefined;
  /**
   * Notes records that a statement changed or removed.
   * @param keys  the key columns of each
   */
  touch(table: string, keys: readonly Row[]): void;
  /** Notes records all of whose rows were deleted. */
  remove(table: string, keys: readonly Row[]): void;
  /** The number of notes so far, for a later `rollback`. */
  mark(): number;
  /** Drops the notes after a mark, because they were rolled back. */
  rollback(noteCount: number): void;
  /** Notes the time of a request that has written, in milliseconds since 1970 UTC. */
  happened(at: number | undefined): void;
  /** Drops all notes: they are in the chain already, or were not written after all. */
  forget(): void;
}

/**
 * The lock of an organisation, with data cached by its holder: nobody else changes it until the
 * transaction ends.
 */
export interface OrganisationLock {
  /** Versions of reference data; undefined when the organisation does not exist. */
  versions: Versions | undefined;
  /** Counters read so far, with the highest number taken (`sequences.ts`). */
  readonly sequences: Map<string, number>;
  /** Counters that the writer has raised and not yet written. */
  readonly movedSequences: Set<string>;
  /**
   * First answers to idempotency keys looked up so far, undefined when there is none
   * (`idempotency.ts`).
   */
  readonly answers: Map<string, IdempotentAnswer | undefined>;
  /** Callback for records written or removed. */
  readonly onWrite?: OnWrite | undefined;
  readonly writeSet: WriteSet;
  /** What the agent that writes calls itself, for histories and logs. */
  agent?: string | undefined;
}

/**
 * Callback for writes.
 * @param ids  of records of the resource
 */
export type OnWrite = (resource: Resource, ids: readonly string[]) => void;

/**
 * The read part of the query builder: rows are changed by `operations/bulk.ts`, which adds them to
 * the write set.
 */
export type Reads = Pick<
  Transaction<Tables>,
  "selectFrom" | "selectNoFrom" | "with" | "fn" | "getExecutor"
>;

/** The organisation number 0, which stands for the server as a whole. */
export const serverKey = 0;

/** A transaction for one organisation; every query names `org`. */
export interface Tx {
  readonly org: number;
  readonly db: Reads;
  /** The connection, for prepared query texts and bulk inserts. */
  readonly connection: Connection;
  readonly dialect: StoreDialect;
  /** The lock of the organisation; undefined in a read-only transaction. */
  readonly lock: OrganisationLock | undefined;
}

export type TxWork<T> = (tx: Tx) => Promise<T>;
