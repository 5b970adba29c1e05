/** Transactions on the connections of a driver, and the `Tx` objects given to their work. */
import {
  type Kysely,
  SingleConnectionProvider,
  Transaction,
  type TransactionSettings,
} from "kysely";
import type { Connection } from "../connection/connection.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect, StoreDriver } from "../tx/dialect.ts";
import type { OrganisationLock, Tx, TxWork } from "../tx/tx.ts";

/** A database transaction in progress. */
export interface OpenTransaction {
  readonly connection: Connection;
  /** Runs work of one organisation; its `Tx` is invalid once the work ends. */
  use<T>(org: number, action: TxWork<T>, lock?: OrganisationLock): Promise<T>;
}

export const readOnly: TransactionSettings = { accessMode: "read only" };
export const writing: TransactionSettings = {};

/**
 * Runs a function in one transaction, which is rolled back when it throws; without settings, in
 * none.
 */
export type RunTransaction = <T>(
  settings: TransactionSettings | undefined,
  run: (transaction: OpenTransaction) => Promise<T>,
) => Promise<T>;

/**
 * A `Tx` that is valid until its work ends.
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
 * Makes the function that runs transactions. The query builder is set up at first use: setting it
 * up, with a transaction of its own, takes longer than reading a record.
 *
 * @throws Error when a work uses a transaction that has ended
 */
export function transactionsOn(
  db: Kysely<Tables>,
  driver: StoreDriver,
  dialect: StoreDialect,
): RunTransaction {
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
    action: TxWork<T>,
    lock: OrganisationLock | undefined,
  ): Promise<T> => {
    const tx = new OpenTx(org, lock, dialect, connection, builderOn);
    try {
      return await action(tx);
    } finally {
      tx.end();
    }
  };
  return async (settings, run) => {
    const connection = await driver.acquireConnection();
    const transaction: OpenTransaction = {
      connection,
      use: (org, action, lock) => use(connection, org, action, lock),
    };
    try {
      if (settings === undefined) return await run(transaction);
      await driver.beginTransaction(connection, settings);
      try {
        const result = await run(transaction);
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
