/** Codes, refresh tokens and sessions, found again by a hash of what only their bearer knows. */
import type { DirectoryTables } from "../schema/index.ts";
import type { DirectoryTx } from "./directory.ts";

export interface Artefact {
  /** As the authorisation server calls it. */
  readonly kind: string;
  readonly idHash: string;
  readonly grantId: string | undefined;
  readonly uidHash: string | undefined;
  /** JSON, in which the id is not. */
  readonly payload: string;
  /** Milliseconds since 1970 UTC; never when not given. */
  readonly expiresAt: number | undefined;
  /** When it was first used, where it may be used once. */
  readonly consumedAt: number | undefined;
}

/** Keeps an artefact in place of an earlier one of its id; that one was used stays known. */
export async function keepArtefact(
  { db }: DirectoryTx,
  artefact: Omit<Artefact, "consumedAt">,
): Promise<void> {
  const changed = {
    grant_id: artefact.grantId ?? null,
    uid_hash: artefact.uidHash ?? null,
    payload: artefact.payload,
    expires_at: artefact.expiresAt ?? null,
  };
  await db
    .insertInto("artefact")
    .values({ kind: artefact.kind, id_hash: artefact.idHash, consumed_at: null, ...changed })
    .onConflict((on) => on.columns(["kind", "id_hash"]).doUpdateSet(changed))
    .execute();
}

/** @param by  what the hash is of */
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

/** Those of a kind that are in the name of a person. */
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

/** @returns whether this was the first use; of two at once it is for one of them */
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

/** Forgets what expired before `before`, in milliseconds since 1970 UTC. */
export async function forgetArtefacts({ db }: DirectoryTx, before: number): Promise<void> {
  await db.deleteFrom("artefact").where("expires_at", "<", before).execute();
}
