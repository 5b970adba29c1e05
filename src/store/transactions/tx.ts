/** What a work on the store is given, and what the lock of its organisation holds. */
import type { Transaction } from "kysely";
import type { Resource } from "../../resources/field.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Connection } from "../dialects/connection.ts";
import type { StoreDialect } from "../dialects/dialect.ts";
import type { Versions } from "../dialects/versions.ts";
import type { Tables } from "../schema/index.ts";

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
export interface Answered extends KeyOfApp {
  /** A hash of the request, which distinguishes it from another with the same key. */
  readonly print: string;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly answer: KeptAnswer;
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
  /** The first answers to keys that were asked for, where there are any (`idempotency.ts`). */
  readonly answers: Map<string, Answered | undefined>;
  /** Told of records that are written or removed, where somebody wants to know. */
  readonly onWrite?: OnWrite | undefined;
}

/** @param ids  of records of the resource */
export type OnWrite = (resource: Resource, ids: readonly string[]) => void;

/** A transaction for one organisation; every query names `org`. */
export interface Tx {
  readonly org: number;
  readonly db: Transaction<Tables>;
  /** For queries whose text is at hand, and many rows at a time. */
  readonly connection: Connection;
  readonly dialect: StoreDialect;
  /** Undefined in a read-only transaction. */
  readonly lock: OrganisationLock | undefined;
}

export type Work<T> = (tx: Tx) => Promise<T>;
