/**
 * Brings the tables of a store to the version that this program knows.
 *
 * An existing book costs one query. A migration is a file of its own under `migrations/`, is run
 * once, inside one transaction with the others that are due, and never changes after it was
 * published; the queries know only the latest state.
 */
import type { Kysely } from "kysely";
import { RefusedError } from "../resources/errors.ts";
import type { StoreDialect } from "./dialect.ts";
import type { Tables } from "./schema.ts";

/** How many migrations there are. */
export const latestVersion = 31;

/** @throws RefusedError `BookTooNew` */
export async function migrate(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  if (isCurrent(await dialect.schemaVersion(db), dialect)) return;
  const { migrations } = await import("./migrations/index.ts");
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
