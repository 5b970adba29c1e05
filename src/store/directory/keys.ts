/** With what a server signs: kept with the rest, so that any process of it can verify and sign. */
import { chained, type DirectoryTx } from "./directory.ts";

/** Access tokens and id tokens, cookies, or plans. */
export type KeyUse = "token" | "cookie" | "plan";

export interface DirectoryKey {
  readonly id: string;
  /** A private JWK, or chance. */
  readonly material: string;
}

/** The keys for a use, the newest first. */
export function keysFor({ db }: DirectoryTx, use: KeyUse): Promise<DirectoryKey[]> {
  return db
    .selectFrom("directory_key")
    .select(["id", "material"])
    .where("use", "=", use)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Keeps a key, unless there is one of that id: of processes that make one at once, one does. */
export async function addKey(
  tx: DirectoryTx,
  use: KeyUse,
  { id, material }: DirectoryKey,
  now: number,
): Promise<void> {
  await chained(tx, "directory_key", [[id]]);
  await tx.db
    .insertInto("directory_key")
    .values({ id, use, material, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

/**
 * Ends the keys for a use.
 *
 * @param ids  of keys whose rows may be gone already, and are then noted in the chain
 */
export async function endKeys(tx: DirectoryTx, use: KeyUse, ids: readonly string[]): Promise<void> {
  await chained(
    tx,
    "directory_key",
    ids.map((id) => [id]),
  );
  await tx.db.deleteFrom("directory_key").where("use", "=", use).execute();
}
