/**
 * Artefacts of sign-in (codes, refresh tokens, sessions), stored under the hash of a secret that
 * only the bearer knows.
 */
import type { DirectoryTables } from "../schema/index.ts";
import type { DirectoryTx } from "./directory.ts";

export interface Artefact {
  /** Kind of the artefact, in the authorisation server's terms. */
  readonly kind: string;
  readonly idHash: string;
  readonly grantId: string | undefined;
  readonly uidHash: string | undefined;
  /** Payload as JSON, without the id. */
  readonly payload: string;
  /** Expiry in milliseconds since 1970 UTC; undefined when it never expires. */
  readonly expiresAt: number | undefined;
  /** Time of first use of a single-use artefact. */
  readonly consumedAt: number | undefined;
}

/** Upserts an artefact by its id; its time of first use is kept. */
export async function keepArtefact(
  { db }: DirectoryTx,
  artefact: Omit<Artefact, "consumedAt">,
): Promise<void> {
  const changedColumns = {
    grant_id: artefact.grantId ?? null,
    uid_hash: artefact.uidHash ?? null,
    payload: artefact.payload,
    expires_at: artefact.expiresAt ?? null,
  };
  await db
    .insertInto("artefact")
    .values({ kind: artefact.kind, id_hash: artefact.idHash, consumed_at: null, ...changedColumns })
    .onConflict((on) => on.columns(["kind", "id_hash"]).doUpdateSet(changedColumns))
    .execute();
}

/**
 * Finds an artefact by the hash of a value.
 * @param by  the kind of value that was hashed
 */
export async function artefactWith(
  { db }: DirectoryTx,
  kind: string,
  by: "id_hash" | "uid_hash",
  hash: string,
): Promise<Artefact | undefined> {
  const row = await db
    .selectFrom("artefact")
    .selectAll()
    .where("kind", "=", kind)
    .where(by, "=", hash)
    .executeTakeFirst();
  return row && artefactOf(row);
}

/** The artefacts of a kind that belong to a person. */
export async function artefactsOf(
  { db }: DirectoryTx,
  kind: string,
  personId: string,
): Promise<Artefact[]> {
  const rows = await db
    .selectFrom("artefact")
    .selectAll()
    .where("kind", "=", kind)
    .where("payload", "like", `%"accountId":"${personId}"%`)
    .execute();
  return rows.map(artefactOf);
}

function artefactOf(row: DirectoryTables["artefact"]): Artefact {
  return {
    kind: row.kind,
    idHash: row.id_hash,
    grantId: row.grant_id ?? undefined,
    uidHash: row.uid_hash ?? undefined,
    payload: row.payload,
    expiresAt: row.expires_at ?? undefined,
    consumedAt: row.consumed_at ?? undefined,
  };
}

/**
 * Marks a single-use artefact as used.
 * @returns whether this was the first use; of two at once only one is
 */
export async function consumeArtefact(
  { db }: DirectoryTx,
  kind: string,
  idHash: string,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("artefact")
    .set({ consumed_at: now })
    .where("kind", "=", kind)
    .where("id_hash", "=", idHash)
    .where("consumed_at", "is", null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeArtefact(
  { db }: DirectoryTx,
  kind: string,
  idHash: string,
): Promise<void> {
  await db.deleteFrom("artefact").where("kind", "=", kind).where("id_hash", "=", idHash).execute();
}

/** Deletes artefacts that expired before `endMs`, in milliseconds since 1970 UTC. */
export async function forgetArtefacts({ db }: DirectoryTx, endMs: number): Promise<void> {
  await db.deleteFrom("artefact").where("expires_at", "<", endMs).execute();
}
