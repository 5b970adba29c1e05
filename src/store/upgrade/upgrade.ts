/** Upgrades the tables of an earlier version to the latest, in one transaction. */
import { Kysely, sql } from "kysely";
import type { Connection } from "../connection/connection.ts";
import { allTables } from "../schema/all-tables.ts";
import type { Tables } from "../schema/index.ts";
import { type OpenTransaction, transactionsOn, writing } from "../transactions/transactions.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { serverKey } from "../tx/tx.ts";
import { complete } from "./add-columns.ts";
import { linkDirectory } from "./begin-chain.ts";
import { migrations } from "./migrate.ts";
import {
  differencesIn,
  foreignObjectsError,
  latestVersion,
  mismatchOf,
  refusalOf,
  type SchemaState,
  schemaIn,
} from "./state.ts";
import { compareLines } from "./table-shape.ts";

/** The version since which the chain of a server covers people and apps. */
const directoryChained = 26;

export interface UpgradeOptions {
  /** Whether to run the upgrade and roll it back. */
  readonly dryRun?: boolean | undefined;
  /** Called before any change, on the upgrading connection, with no other user of the store. */
  readonly before?: ((connection: Connection) => Promise<void>) | undefined;
  /**
   * Records the upgrade in the log of each organisation, once the tables are of the latest version.
   */
  readonly enter: (begun: OpenTransaction, org: number, fromVersion: number) => Promise<void>;
}

export interface UpgradeResult {
  readonly from: number;
  readonly to: number;
  /** Shape lines (`table-shape.ts`) added, and removed; empty when there was nothing to do. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Exception that rolls a dry run back and carries its result. */
class DryRunRollback extends Error {
  readonly result: UpgradeResult;

  constructor(result: UpgradeResult) {
    super("rolled back on purpose");
    this.result = result;
  }
}

/**
 * Upgrades a store. Nobody else may use its tables meanwhile; a concurrent upgrade is waited for.
 * @throws RefusedError `NotABook`, `BookTooNew`; `SchemaForeign` for objects no version has
 *   created, `SchemaMismatch` when something missing cannot be created; errors of the database
 */
export async function upgradeStore(
  dialect: StoreDialect,
  options: UpgradeOptions,
): Promise<UpgradeResult> {
  const driver = dialect.createDriver();
  const db = new Kysely<Tables>({
    dialect: {
      createDriver: () => driver,
      createAdapter: () => dialect.createAdapter(),
      createIntrospector: (it) => dialect.createIntrospector(it),
      createQueryCompiler: () => dialect.createQueryCompiler(),
    },
  });
  const within = transactionsOn(db, driver, dialect);
  try {
    const state = await schemaIn(db, dialect);
    if (isDone(state, dialect)) return nothing(state);
    await dialect.prepare(db);
    await within(undefined, async ({ connection }) => options.before?.(connection));
    return await within(writing, (begun) => upgradeIn(begun, dialect, options));
  } catch (error) {
    if (error instanceof DryRunRollback) return error.result;
    throw error;
  } finally {
    await db.destroy();
  }
}

const nothing = ({ version }: SchemaState): UpgradeResult => ({
  from: version,
  to: version,
  added: [],
  removed: [],
});

/**
 * Whether the tables are of the latest version.
 * @throws RefusedError when they cannot be upgraded
 */
function isDone(state: SchemaState, dialect: StoreDialect): boolean {
  if (state.state === "older") return false;
  const refusal = refusalOf(state, dialect);
  if (refusal !== undefined) throw refusal;
  return true;
}

async function upgradeIn(
  begun: OpenTransaction,
  dialect: StoreDialect,
  { dryRun, enter }: UpgradeOptions,
): Promise<UpgradeResult> {
  const done = await begun.use(serverKey, async (tx) => {
    // An upgrade uses the full query builder, which requests may not.
    const db = tx.db as unknown as Kysely<Tables>;
    await dialect.lockSchema(db);
    // Another process may have upgraded the tables first.
    const state = await schemaIn(db, dialect);
    if (isDone(state, dialect)) return nothing(state);
    const before = (await dialect.shape(db)).lines;
    for (const [version, load] of migrations) {
      if (version > state.version) await (await load()).migration(db, dialect);
    }
    // Objects that an earlier migration added may have been dropped since.
    await complete(db, dialect, allTables());
    const left = await differencesIn(db, dialect);
    if (left.foreign.length > 0) throw foreignObjectsError(dialect, left);
    if (left.missing.length > 0) {
      throw mismatchOf({ ...dialect, upgrading: "a backup" }, { ...left, version: latestVersion });
    }
    await dialect.setSchemaVersion(db, latestVersion);
    const { missing: removed, foreign: added } = compareLines(
      before,
      (await dialect.shape(db)).lines,
    );
    return { from: state.version, to: latestVersion, added, removed };
  });
  if (done.added.length + done.removed.length > 0 || done.from !== done.to) {
    if (done.from < directoryChained) await linkDirectory(begun);
    for (const org of await organisationsIn(begun)) await enter(begun, org, done.from);
  }
  if (dryRun === true) throw new DryRunRollback(done);
  return done;
}

const organisationsIn = (begun: OpenTransaction): Promise<number[]> =>
  begun.use(serverKey, async ({ db }) => {
    const { rows } = await sql<{ org: number }>`select org from organisation order by org`.execute(
      db,
    );
    return rows.map(({ org }) => Number(org));
  });
