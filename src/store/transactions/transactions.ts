/** Transactions on the connections of a driver, and what works see of them. */
import {
  type Kysely,
  SingleConnectionProvider,
  Transaction,
  type TransactionSettings,
} from "kysely";
import type { Connection, Row, StoreDialect, StoreDriver } from "../dialects/dialect.ts";
import type { Tables } from "../schema/index.ts";
import type { Answered } from "./idempotency.ts";

/**
 * Versions of the reference data of an organisation (`reference-cache.ts`): undefined after a change
 * that is not yet committed.
 */
export interface Versions {
  /** Of the organisation itself and its chart of accounts. */
  chart_version: number | undefined;
  contact_version: number | undefined;
}

/** The query of the versions, but for the organisation. */
export const selectVersions = "select chart_version, contact_version from organisation where org =";

/** @param row  none where there is no such organisation */
export function versionsIn(row: Row | undefined): Versions | undefined {
  return row && { chart_version: Number(row[0] ?? 0), contact_version: Number(row[1] ?? 0) };
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
}

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

/** A transaction that has begun. */
export interface Begun {
  readonly connection: Connection;
  /** Does work of one organisation, which may not go on when it is done. */
  use<T>(org: number, work: Work<T>, lock?: OrganisationLock): Promise<T>;
}

export const reading: TransactionSettings = { accessMode: "read only" };
export const writing: TransactionSettings = {};

/**
 * Runs what is to happen in one transaction, which is rolled back when it throws; without settings,
 * in none.
 */
export type Within = <T>(
  settings: TransactionSettings | undefined,
  run: (begun: Begun) => Promise<T>,
) => Promise<T>;

/**
 * A transaction until the work in it is done.
 *
 * A class, since an object literal with accessors gets a hidden class of its own each time, which
 * stays in memory until all of it is collected.
 */
class OpenTx implements Tx {
  readonly org: number;
  readonly dialect: StoreDialect;
  readonly lock: OrganisationLock | undefined;
  readonly #connection: Connection;
  readonly #builderOn: (tx: Tx) => Transaction<Tables>;
  #builder: Transaction<Tables> | undefined;
  #isOver = false;

  constructor(
    org: number,
    lock: OrganisationLock | undefined,
    dialect: StoreDialect,
    connection: Connection,
    builderOn: (tx: Tx) => Transaction<Tables>,
  ) {
    this.org = org;
    this.lock = lock;
    this.dialect = dialect;
    this.#connection = connection;
    this.#builderOn = builderOn;
  }

  get connection(): Connection {
    if (this.#isOver) throw new Error("The transaction is over.");
    return this.#connection;
  }

  get db(): Transaction<Tables> {
    this.#builder ??= this.#builderOn(this);
    return this.#builder;
  }

  end(): void {
    this.#isOver = true;
  }
}

/**
 * The query builder is set up when a work first asks for it: that, and a transaction of the
 * builder's own, takes longer than reading a record.
 *
 * @throws Error where a work goes on using a transaction that is over
 */
export function transactionsOn(
  db: Kysely<Tables>,
  driver: StoreDriver,
  dialect: StoreDialect,
): Within {
  const executor = db.getExecutor();
  const builderOn = (tx: Tx): Transaction<Tables> => {
    const inTurn = new SingleConnectionProvider(tx.connection);
    const onThis = executor.withConnectionProvider({
      provideConnection: (use) => inTurn.provideConnection(() => use(tx.connection)),
    });
    return new Transaction<Tables>({ config: { dialect }, dialect, driver, executor: onThis });
  };
  const use = async <T>(
    connection: Connection,
    org: number,
    work: Work<T>,
    lock: OrganisationLock | undefined,
  ): Promise<T> => {
    const tx = new OpenTx(org, lock, dialect, connection, builderOn);
    try {
      return await work(tx);
    } finally {
      tx.end();
    }
  };
  return async (settings, run) => {
    const connection = await driver.acquireConnection();
    const begun: Begun = { connection, use: (org, work, lock) => use(connection, org, work, lock) };
    try {
      if (settings === undefined) return await run(begun);
      await driver.beginTransaction(connection, settings);
      try {
        const result = await run(begun);
        await driver.commitTransaction(connection);
        return result;
      } catch (error) {
        await driver.rollbackTransaction(connection);
        throw error;
      }
    } finally {
      await driver.releaseConnection(connection);
    }
  };
}
