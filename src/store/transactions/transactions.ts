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
 * What changes with the standing data of an organisation (`standing.ts`): undefined after a change
 * that is not yet committed.
 */
export interface Marks {
  /** Of itself and its chart of accounts. */
  chart_mark: number | undefined;
  contact_mark: number | undefined;
}

/** The query of the marks, but for the organisation. */
export const selectMarks = "select chart_mark, contact_mark from organisation where org =";

/** @param row  none where there is no such organisation */
export function marksIn(row: Row | undefined): Marks | undefined {
  return row && { chart_mark: Number(row[0] ?? 0), contact_mark: Number(row[1] ?? 0) };
}

/**
 * What writers know while it is their turn at an organisation: from taking its lock, which keeps
 * others from changing any of it, to the end of the transaction.
 */
export interface Turn {
  /** It was not asked for what it knows, and comes to nothing where that is wrong (`expected.ts`). */
  readonly isExpected: boolean;
  /** Undefined where there is no such organisation. */
  marks: Marks | undefined;
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
  /** Undefined for who only reads. */
  readonly turn: Turn | undefined;
}

/** Tells that most is written: where the writer is alone, the database is given it meanwhile. */
export function written({ connection }: Tx): void {
  connection.sendRows?.();
}

export type Work<T> = (tx: Tx) => Promise<T>;

/** A transaction that has begun. */
export interface Begun {
  readonly connection: Connection;
  /** Does work of one organisation, which may not go on when it is done. */
  use<T>(org: number, work: Work<T>, turn?: Turn): Promise<T>;
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
  readonly turn: Turn | undefined;
  readonly #connection: Connection;
  readonly #builderOn: (tx: Tx) => Transaction<Tables>;
  #builder: Transaction<Tables> | undefined;
  #isOver = false;

  constructor(
    org: number,
    turn: Turn | undefined,
    dialect: StoreDialect,
    connection: Connection,
    builderOn: (tx: Tx) => Transaction<Tables>,
  ) {
    this.org = org;
    this.turn = turn;
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
    turn: Turn | undefined,
  ): Promise<T> => {
    const tx = new OpenTx(org, turn, dialect, connection, builderOn);
    try {
      return await work(tx);
    } finally {
      tx.end();
    }
  };
  return async (settings, run) => {
    const connection = await driver.acquireConnection();
    const begun: Begun = { connection, use: (org, work, turn) => use(connection, org, work, turn) };
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
