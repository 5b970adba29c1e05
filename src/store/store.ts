/**
 * The store: transactions over the tables, each for one organisation.
 *
 * A read sees a snapshot of the book. A write is atomic and durable. A write that conflicts with
 * another transaction is retried, so its function must be repeatable: it reads and writes through
 * `tx`, and has no other effects.
 */
import { type Dialect, Kysely } from "kysely";
import { Attempts } from "./attempts.ts";
import { flushSequences } from "./chain/sequences.ts";
import type { WriteOrigin } from "./operations/log.ts";
import { flushChanges } from "./outbox/changes.ts";
import type { Tables } from "./schema/index.ts";
import { GroupCommit, inSavepoint } from "./transactions/group-commit.ts";
import { ReadCache } from "./transactions/read-cache.ts";
import { type OpenTransaction, readOnly, transactionsOn } from "./transactions/transactions.ts";
import type { ConnectionFigures, StoreDialect, StoreDriver } from "./tx/dialect.ts";
import {
  type KeyOfApp,
  type OnWrite,
  type OrganisationLock,
  serverKey,
  type Tx,
  type TxWork,
} from "./tx/tx.ts";
import { prepareTables } from "./upgrade/migrate.ts";
import { type SchemaState, schemaIn } from "./upgrade/state.ts";
import { fingerprintOf } from "./upgrade/table-shape.ts";

export interface WriteOptions {
  /** Whether to run everything, return the result, and roll back. */
  readonly dryRun?: boolean;
  /**
   * Time of the write, in milliseconds since 1970 UTC, by which its changes are recognised. Called
   * after the work, which may have read the clock under the lock of its organisation.
   */
  readonly at?: () => number;
  /** The idempotency key of the request, whose first answer the work looks up. */
  readonly key?: KeyOfApp;
  /** User, app and operation for the operation log; writes without an origin are not logged. */
  readonly origin?: WriteOrigin | undefined;
}

export interface TransactionOptions extends Pick<WriteOptions, "dryRun"> {
  /** Callback for every record written or removed, even when that is rolled back. */
  readonly onWrite?: OnWrite;
}

export interface Store {
  read<T>(org: number, action: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Text that the work computes from what it reads, cached under `key` until any process writes.
   * @param key  everything that the text depends on besides the database
   */
  readCached(org: number, key: string, action: (tx: Tx) => Promise<string>): Promise<string>;
  write<T>(org: number, action: (tx: Tx) => Promise<T>, options?: WriteOptions): Promise<T>;
  /**
   * Runs reads and writes one after the other in a single transaction, which is rolled back as a
   * whole when `run` throws, and in a dry run. A failing write in it is rolled back alone.
   * @param run  receives a store valid for the transaction; retried after a conflict
   */
  transaction<T>(
    org: number,
    run: (store: Store) => Promise<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Runs single statements without a transaction. */
  withoutTransaction<T>(org: number, action: (tx: Tx) => Promise<T>): Promise<T>;
  /**
   * Removes old row contents from the database file, such as erased data; no effect on other
   * databases.
   */
  compact(): Promise<void>;
  /**
   * The schema version of the database and the latest version of this program. Foreign schema
   * objects block later writes until they are dropped.
   * @throws when the database does not answer
   */
  version(): Promise<{
    readonly found: number;
    readonly wanted: number;
    readonly state: SchemaState["state"];
    /**
     * The disk trouble that has blocked writes since one failed; a test write confirms that it
     * persists.
     */
    readonly trouble?: string | undefined;
  }>;
  /** The schema version and state, with the SHA-256 of the schema's shape. */
  schema(): Promise<Pick<SchemaState, "version" | "state"> & { readonly fingerprint: string }>;
  /** Load figures of the database. */
  figures(): ConnectionFigures & {
    /** Number of retries because of conflicting transactions. */
    readonly retries: number;
    /** Number of organisations whose last transaction did not reach the database. */
    readonly unreached: number;
  };
  /**
   * Calls `listener` with the organisation after each write of this process that added events.
   * @returns a function that removes the listener
   */
  onEvents(listener: (org: number) => void): () => void;
  close(): Promise<void>;
}

/**
 * Opens a store, creating its tables in an empty database.
 * @param elapsed  milliseconds of a monotonic clock, used to end a commit's wait for more writers
 * @throws RefusedError `NotABook` for other files; SchemaError `BookTooNew` when a later version of
 *   the program made it, `SchemaMismatch`, `SchemaForeign`; UnavailableError
 */
export async function openStore(
  dialect: StoreDialect,
  elapsed = () => performance.now(),
): Promise<Store> {
  const driver = dialect.createDriver();
  const db = new Kysely<Tables>({ dialect: withDriver(dialect, driver) });
  const attempts = new Attempts(db, dialect);
  try {
    await attempts.run(serverKey, () => prepareTables(db, dialect));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  return storeOver(attempts, driver, elapsed);
}

/**
 * Reads the schema state of a database, which stays as it is.
 * @throws RefusedError `NotABook`, UnavailableError
 */
export async function schemaStateOf(dialect: StoreDialect): Promise<SchemaState["state"]> {
  const db = new Kysely<Tables>({ dialect: withDriver(dialect, dialect.createDriver()) });
  try {
    return (await new Attempts(db, dialect).run(serverKey, () => schemaIn(db, dialect))).state;
  } finally {
    await db.destroy();
  }
}

function storeOver(attempts: Attempts, driver: StoreDriver, elapsed: () => number): Store {
  const { db, dialect } = attempts;
  const runTransaction = transactionsOn(db, driver, dialect);
  const listeners = new Set<(org: number) => void>();
  const writers = new GroupCommit(runTransaction, dialect, elapsed);
  const readCache = new ReadCache(() => driver.dataVersion?.());
  const read = <T>(org: number, action: TxWork<T>) =>
    attempts.run(org, () => runTransaction(readOnly, ({ use }) => use(org, action)));
  const tellListeners = (org: number) => {
    for (const listener of listeners) listener(org);
  };
  const store: Store = {
    read,
    readCached: (org, key, action) => readCache.get(`${org} ${key}`, () => read(org, action)),
    write: async <T>(
      org: number,
      action: (tx: Tx) => Promise<T>,
      { dryRun = false, at, key, origin }: WriteOptions = {},
    ) => {
      let hasEvents = false;
      if (attempts.planted !== undefined) await attempts.refusePlanted();
      const result = await attempts.runWrite(org, () =>
        withDryRun<T>(dryRun, (finish) =>
          writers.write(
            org,
            async (tx) => {
              nameAgent(tx, origin);
              const result = await action(tx);
              hasEvents = !dryRun && (await flush(tx, { at, origin }));
              return finish(result);
            },
            key,
          ),
        ),
      );
      if (!dryRun) attempts.wrote();
      if (hasEvents) tellListeners(org);
      return result;
    },
    transaction: async <T>(
      org: number,
      run: (store: Store) => Promise<T>,
      { dryRun = false, onWrite }: TransactionOptions = {},
    ) => {
      let hasEvents = false;
      const onEvents = () => {
        hasEvents = !dryRun;
      };
      if (attempts.planted !== undefined) await attempts.refusePlanted();
      const result = await attempts.runWrite(org, () =>
        withDryRun<T>(dryRun, (finish) =>
          writers.writeAlone(org, async (transaction, organisationLock) => {
            const lock = organisationLock && { ...organisationLock, onWrite };
            return finish(await run(storeWithin(store, transaction, { org, lock, onEvents })));
          }),
        ),
      );
      if (hasEvents) tellListeners(org);
      return result;
    },
    onEvents(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    withoutTransaction: (org, action) =>
      attempts.run(org, () => runTransaction(undefined, ({ use }) => use(org, action))),
    compact: () =>
      attempts.run(serverKey, () =>
        runTransaction(undefined, async ({ connection }) => dialect.compact?.(connection)),
      ),
    version: () => attempts.version(),
    async schema() {
      const { version, state } = await schemaIn(db, dialect);
      return { version, state, fingerprint: fingerprintOf((await dialect.shape(db)).lines) };
    },
    figures: () => ({ ...driver.figures(), ...attempts.figures() }),
    close: () => db.destroy(),
  };
  return store;
}

interface Within {
  readonly org: number;
  readonly lock: OrganisationLock | undefined;
  /** Called after each write that added events. */
  readonly onEvents: () => void;
}

/** A store whose reads and writes all run in one open transaction of an organisation. */
function storeWithin(store: Store, begun: OpenTransaction, { org, lock, onEvents }: Within): Store {
  const use = <T>(organisationNumber: number, action: TxWork<T>): Promise<T> => {
    if (organisationNumber !== org) throw new Error("The transaction is of another organisation.");
    return begun.use(org, action, lock);
  };
  return {
    ...store,
    read: use,
    readCached: (organisationNumber, _key, action) => use(organisationNumber, action),
    withoutTransaction: use,
    write: (organisationNumber, action, { dryRun = false, at, origin } = {}) =>
      withDryRun(dryRun, (finish) =>
        inSavepoint(begun, lock, () =>
          use(organisationNumber, async (tx) => {
            nameAgent(tx, origin);
            const result = await action(tx);
            if (!dryRun && (await flush(tx, { at, origin }))) onEvents();
            return finish(result);
          }),
        ),
      ),
    // Removed content stays in the file until the transaction ends.
    compact: async () => undefined,
    transaction: () => Promise.reject(new Error("Transactions do not nest.")),
    close: async () => undefined,
  };
}

/** Lets histories and logs of a writer tell which agent wrote. */
function nameAgent({ lock }: Tx, origin: WriteOptions["origin"]): void {
  if (lock !== undefined) lock.agent = origin?.agent;
}

let log: typeof import("./operations/log.ts") | undefined;

/**
 * Writes the buffered rows of a writer: counters, log and outbox.
 * @returns whether events were added
 */
async function flush(
  tx: Tx,
  { at: moment, origin }: Pick<WriteOptions, "at" | "origin">,
): Promise<boolean> {
  const at = moment?.();
  await flushSequences(tx);
  if (origin !== undefined && at !== undefined) {
    // Kept in a variable, since another `import()` costs as much as the log entry.
    log ??= await import("./operations/log.ts");
    await log.logOperation(tx, origin, at);
  }
  tx.lock?.writeSet.happened(at);
  return flushChanges(tx, at);
}

function withDriver(dialect: StoreDialect, driver: StoreDriver): Dialect {
  return {
    createDriver: () => driver,
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (db) => dialect.createIntrospector(db),
    createQueryCompiler: () => dialect.createQueryCompiler(),
  };
}

/** Exception that rolls a transaction back and carries its result. */
class Undone<T> extends Error {
  readonly result: T;

  constructor(result: T) {
    super("rolled back on purpose");
    this.result = result;
  }
}

async function withDryRun<T>(
  isDryRun: boolean,
  run: (finish: (result: T) => T) => Promise<T>,
): Promise<T> {
  if (!isDryRun) return run((result) => result);
  try {
    return await run((result) => {
      throw new Undone(result);
    });
  } catch (error) {
    if (error instanceof Undone) return error.result as T;
    throw error;
  }
}
