/**
 * Brings the tables of a store to the version that this program knows.
 *
 * A book is made by one script of the latest state (`createTables`). One of an earlier version is
 * brought up by the migrations after its version, all of them in one transaction, and is compared
 * with the latest state before that is committed. The queries know only the latest state.
 *
 * To change the tables:
 * 1. change their definitions in `src/store/schema`; columns are added at the end;
 * 2. add a file `N-words.ts` here, N one above the last, that exports `migration`, and its line in
 *    `migrations`; put N into `latestVersion` (`state.ts`);
 * 3. `npx vitest run test/store/schema` writes `test/golden/schema-N.txt`, where there is none; read it;
 * 4. keep a book of the version before in `test/books`.
 *
 * A migration never changes once its golden stands, which has the hash of its text: it is run on
 * books of every age. It uses statements of its own, and of the sources what makes tables and
 * indexes, never the queries.
 */
import type { Kysely } from "kysely";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { createTables } from "./create.ts";
import { latestVersion, refusalOf, schemaIn } from "./state.ts";

/** A migration; it runs with no other user of the store, on tables of the previous version. */
export type Migration = (db: Kysely<Tables>, dialect: StoreDialect) => Promise<void>;

/** Migrations by the version they produce; the versions before 25 had several shapes. */
export const migrations: ReadonlyMap<number, () => Promise<{ readonly migration: Migration }>> =
  new Map([
    [25, () => import("./25-bring-up.ts")],
    [26, () => import("./26-bank-lines.ts")],
    [27, () => import("./27-link-cause.ts")],
    [28, () => import("./28-handles.ts")],
    [29, () => import("./29-expense-claims.ts")],
    [30, () => import("./30-policy.ts")],
  ]);

/**
 * Creates the tables of an empty store, and checks those of others.
 * @throws RefusedError `NotABook`, `BookTooNew`, `SchemaForeign`; `SchemaMismatch` for tables of an
 *   earlier version
 */
export async function prepareTables(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  const state = await schemaIn(db, dialect);
  if (state.state === "none") await makeTables(db, dialect);
  const refusal = refusalOf(state, dialect);
  if (refusal !== undefined) throw refusal;
}

async function makeTables(db: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await dialect.prepare(db);
  await db.transaction().execute(async (tx) => {
    await dialect.lockSchema(tx);
    // Another process may have created the tables first.
    if ((await dialect.schemaVersion(tx)) !== 0) return;
    await createTables(tx, dialect);
    await dialect.setSchemaVersion(tx, latestVersion);
  });
}
