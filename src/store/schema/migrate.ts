/**
 * Brings the tables of a store to the version that this program knows.
 *
 * An existing book costs one query. A migration is run once, inside one transaction with the others
 * that are due, and never changes after it was released; from then on a change of the schema is one
 * more. The queries know only the latest state.
 */
import type { Kysely } from "kysely";
import { RefusedError } from "../../resources/errors.ts";
import type { StoreDialect } from "../dialects/dialect.ts";
import type { Tables } from "./index.ts";

/** Runs with nobody else in the store. */
type Migration = (db: Kysely<Tables>, dialect: StoreDialect) => Promise<void>;

const migrations: readonly Migration[] = [
  async (db, dialect) => (await import("./create.ts")).createTables(db, dialect),
];

/** How many migrations there are. */
export const latestVersion = migrations.length;

/** @throws RefusedError `BookTooNew` */
export async function migrate(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  if (isCurrent(await dialect.schemaVersion(db), dialect)) return;
  await dialect.prepare(db);
  await db.transaction().execute(async (tx) => {
    await dialect.lockSchema(tx);
    // Another process may have been faster.
    const version = await dialect.schemaVersion(tx);
    if (isCurrent(version, dialect)) return;
    for (const migration of migrations.slice(version)) await migration(tx, dialect);
    await dialect.setSchemaVersion(tx, latestVersion);
  });
}

function isCurrent(version: number, { place }: StoreDialect): boolean {
  if (version <= latestVersion) return version === latestVersion;
  throw new RefusedError(
    "BookTooNew",
    `${place} was made by a later version of acct; update acct to open it.`,
  );
}
