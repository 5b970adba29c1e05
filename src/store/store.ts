/**
 * The store: transactions over the tables, each for one organisation.
 *
 * A read sees one moment of the book. A write happens wholly or not at all, and when it is done it
 * is on disk. Where another transaction stands in the way a write is run again, so its work must
 * give the same result when repeated: it may read and write through `tx`, and change nothing else.
 */
import {
  type Dialect,
  Kysely,
  SingleConnectionProvider,
  Transaction,
  type TransactionSettings,
} from "kysely";
import { RefusedError, UnavailableError } from "../resources/errors.ts";
import type { Connection, StoreDialect, StoreDriver } from "./dialect.ts";
import { migrate } from "./migrate.ts";
import type { Tables } from "./schema.ts";
import { kept, tableOf } from "./tables.ts";

/** A transaction for one organisation; every query names `org`. */
export interface Tx {
  readonly org: number;
  readonly db: Transaction<Tables>;
  /** For queries whose text is at hand, and many rows at a time. */
  readonly connection: Connection;
  readonly dialect: StoreDialect;
}

export interface WriteOptions {
  /** Run everything, answer the result, and keep nothing. */
  readonly dryRun?: boolean;
}

export interface Store {
  read<T>(org: number, work: (tx: Tx) => Promise<T>): Promise<T>;
  write<T>(org: number, work: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  close(): Promise<void>;
}

/**
 * Opens a store, and brings its tables up to date first where they are not.
 *
 * @throws RefusedError `NotABook` when there is something else, `BookTooNew` when a later version
 *   of the program made it; UnavailableError
 */
export async function openStore(dialect: StoreDialect): Promise<Store> {
  const driver = dialect.createDriver();
  const db = new Kysely<Tables>({ dialect: withDriver(dialect, driver) });
  const within = transactionsOn(db, driver, dialect);
  const inTurn = dialect.oneWriter ? queue() : <T>(work: () => Promise<T>) => work();
  try {
    await retried(dialect, () => migrate(db, dialect));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return {
    read: (org, work) => retried(dialect, () => within(org, reading, work)),
    write: (org, work, { dryRun = false } = {}) =>
      retried(dialect, () =>
        inTurn(() =>
          undone(dryRun, (finish) =>
            within(org, writing, async (tx) => {
              await dialect.lockOrganisation(tx.db, org);
              return finish(await work(tx));
            }),
          ),
        ),
      ),
    close: () => db.destroy(),
  };
}

function withDriver(dialect: StoreDialect, driver: StoreDriver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

const reading: TransactionSettings = { accessMode: "read only" };
const writing: TransactionSettings = {};

/**
 * Runs work in a transaction, which is rolled back when it throws.
 *
 * The query builder is set up when the work first asks for it: that, and a transaction of the
 * builder's own, takes longer than reading a record.
 */
function transactionsOn(db: Kysely<Tables>, driver: StoreDriver, dialect: StoreDialect) {
  const executor = db.getExecutor();
  const builderOn = (tx: Tx): Transaction<Tables> => {
    const inTurn = new SingleConnectionProvider(tx.connection);
    const onThis = executor.withConnectionProvider({
      provideConnection: (use) => inTurn.provideConnection(() => use(tx.connection)),
    });
    return new Transaction<Tables>({ config: { dialect }, dialect, driver, executor: onThis });
  };
  return async <T>(
    org: number,
    settings: TransactionSettings,
    work: (tx: Tx) => Promise<T>,
  ): Promise<T> => {
    const connection = await driver.acquireConnection();
    let isOver = false;
    let builder: Transaction<Tables> | undefined;
    const tx: Tx = {
      org,
      dialect,
      get connection() {
        if (isOver) throw new Error("The transaction is over.");
        return connection;
      },
      get db() {
        builder ??= builderOn(tx);
        return builder;
      },
    };
    try {
      await driver.beginTransaction(connection, settings);
      try {
        const result = await work(tx);
        await driver.commitTransaction(connection);
        return result;
      } catch (error) {
        await driver.rollbackTransaction(connection);
        throw error;
      }
    } finally {
      isOver = true;
      await driver.releaseConnection(connection);
    }
  };
}

/** Thrown out of a transaction to roll it back, with the result that it came to. */
class Undone<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super("rolled back on purpose");
    this.result = result;
  }
}

async function undone<T>(
  dryRun: boolean,
  run: (finish: (result: T) => T) => Promise<T>,
): Promise<T> {
  if (!dryRun) return run((result) => result);
  try {
    return await run((result) => {
      throw new Undone(result);
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}

/** Runs one work after another, in the order in which they were asked for. */
function queue(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  };
}

/** Tries after the first, and the longest wait before one: a minute in all. */
const retriesMax = 250;
const retryWaitMaxMs = 250;

async function retried<T>(dialect: StoreDialect, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      const fault = dialect.faultOf(error);
      if (fault?.is === "transient" && tries <= retriesMax) {
        // Chance keeps two that collided from colliding again.
        const { setTimeout: sleep } = await import("node:timers/promises");
        await sleep(Math.random() * Math.min(retryWaitMaxMs, 2 ** tries));
        continue;
      }
      throw fault === undefined ? error : explained(dialect, fault, error);
    }
  }
}

function explained(
  dialect: StoreDialect,
  fault: NonNullable<ReturnType<StoreDialect["faultOf"]>>,
  cause: unknown,
): Error {
  switch (fault.is) {
    case "transient":
      return new UnavailableError(
        "Busy",
        `${dialect.place} is in use by another program that does not let go of it; try again.`,
        { cause },
      );
    case "unavailable":
      return new UnavailableError("Unreachable", `${dialect.place} cannot be reached or opened.`, {
        cause,
      });
    case "conflict": {
      const found = uniqueField(fault.on);
      if (found === undefined) return cause as Error;
      const message = `Another ${found.noun} has the same ${found.field}.`;
      return new RefusedError("NotUnique", message, [{ message, field: found.field }], { cause });
    }
  }
}

/** The field that must be unique, by the index that a database names, or its columns. */
function uniqueField(on: string): { noun: string; field: string } | undefined {
  for (const resource of kept) {
    const table = tableOf(resource);
    for (const { index, field } of table.unique) {
      const column = table.column(field)?.folded;
      if (on === index || (on.startsWith(`${table.name}.`) && on.endsWith(`.${column}`))) {
        return { noun: resource.noun, field };
      }
    }
  }
  return undefined;
}
