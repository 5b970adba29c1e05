/** What a work on the store is given, and what the lock of its organisation holds. */
import type { Transaction } from "kysely";
import type { Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Connection, Insertion, Row } from "../connection/connection.ts";
import type { Versions } from "../connection/versions.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "./dialect.ts";

/** An answer whose body is at hand; a file is never the answer to a write. */
export interface KeptAnswer extends ServiceResponse {
  readonly body: string | Uint8Array;
}

/** An idempotency key, which means something to its app alone. */
export interface KeyOfApp {
  readonly app: string;
  readonly key: string;
}

/** What a request with a key was answered. */
export interface IdempotentAnswer extends KeyOfApp {
  /** A hash of the request, which distinguishes it from another with the same key. */
  readonly fingerprint: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly answer: KeptAnswer;
}

/** The records of a transaction's organisation that it has written, for the chain (`chain/`). */
export interface WriteSet {
  /** Notes rows that are inserted. */
  insert(insertion: Insertion, rows: readonly Row[]): void;
  /**
   * The columns by which the records of a table are noted; undefined where the chain covers none of
   * `columns`.
   *
   * @param columns  those that a statement changes; all where it removes rows
   */
  keyOf(table: string, columns?: readonly string[]): readonly string[] | undefined;
  /**
   * Notes records that a statement has changed or removed.
   *
   * @param keys  the columns of each
   */
  touch(table: string, keys: readonly Row[]): void;
  /** Notes records whose rows are gone, all of them. */
  remove(table: string, keys: readonly Row[]): void;
  /** How much was noted so far. */
  mark(): number;
  /** Drops what was noted since: it was rolled back. */
  rollback(mark: number): void;
  /** Notes the moment of a request that has written, in milliseconds since 1970 UTC. */
  happened(at: number | undefined): void;
  /** Drops what was noted: it stands in the chain already, or was not written after all. */
  forget(): void;
}

/**
 * The lock of an organisation, and what its holder knows meanwhile: nobody else changes any of it
 * until the end of the transaction.
 */
export interface OrganisationLock {
  /** Undefined where there is no such organisation. */
  versions: Versions | undefined;
  /** The highest number taken of counters that were asked for (`sequences.ts`). */
  readonly sequences: Map<string, number>;
  /** Those of them that the writer has moved, and not written yet. */
  readonly movedSequences: Set<string>;
  /** The first answers to keys that were asked for, where there are any (`idempotency.ts`). */
  readonly answers: Map<string, IdempotentAnswer | undefined>;
  /** Told of records that are written or removed, where somebody wants to know. */
  readonly onWrite?: OnWrite | undefined;
  readonly writeSet: WriteSet;
}

/** @param ids  of records of the resource */
export type OnWrite = (resource: Resource, ids: readonly string[]) => void;

/** The query builder as far as it reads: rows are changed by `operations/bulk.ts`, which notes them. */
export type Reads = Pick<
  Transaction<Tables>,
  "selectFrom" | "selectNoFrom" | "with" | "fn" | "getExecutor"
>;

/** What stands for no organisation where a key of one is wanted: what is of a server as a whole. */
export const serverKey = 0;

/** A transaction for one organisation; every query names `org`. */
export interface Tx {
  readonly org: number;
  readonly db: Reads;
  /** For queries whose text is at hand, and many rows at a time. */
  readonly connection: Connection;
  readonly dialect: StoreDialect;
  /** Undefined in a read-only transaction. */
  readonly lock: OrganisationLock | undefined;
}

export type Work<T> = (tx: Tx) => Promise<T>;
