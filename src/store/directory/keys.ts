/**
 * Signing keys of a server, stored in the directory so that any of its processes can verify and
 * sign.
 */
import { type DirectoryTx, touchChained } from "./directory.ts";

/** Use of a key: access and id tokens, cookies, or plans. */
export type KeyUse = "token" | "cookie" | "plan";

export interface DirectoryKey {
  readonly id: string;
  /** A private JWK, or random bytes as text. */
  readonly material: string;
  /** Milliseconds since 1970 UTC. */
  readonly createdAt: number;
}

/** The keys for a use, the newest first. */
export function keysFor({ db }: DirectoryTx, use: KeyUse): Promise<DirectoryKey[]> {
  return db
    .selectFrom("directory_key")
    .select(["id", "material", "created_at as createdAt"])
    .where("use", "=", use)
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** Adds a key unless its id exists: of processes that add one at once, only one succeeds. */
export async function addKey(
  tx: DirectoryTx,
  use: KeyUse,
  { id, material }: Pick<DirectoryKey, "id" | "material">,
  now: number,
): Promise<void> {
  await touchChained(tx, "directory_key", [[id]]);
  await tx.db
    .insertInto("directory_key")
    .values({ id, use, material, created_at: now })
    .onConflict((on) => on.doNothing())
    .execute();
}

/**
 * Deletes keys.
 * @param ids  of keys whose rows may be gone already; they are noted in the chain
 */
export async function endKeys(tx: DirectoryTx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await touchChained(
    tx,
    "directory_key",
    ids.map((id) => [id]),
  );
  await tx.db.deleteFrom("directory_key").where("id", "in", ids).execute();
}
