/** Processes that serve one database, by which they know of each other. */
import { sql } from "kysely";
import type { DirectoryTx } from "../directory.ts";

export interface Peer {
  /** A GUID, another each time a process is started. */
  readonly id: string;
  /** Where it is asked by the others. */
  readonly address: string;
}

/** A process as it has written of itself. */
export interface Beating extends Pick<Peer, "id" | "address"> {
  /** How often. What does not go up any more, or is of a copied database, is no process. */
  readonly beats: number;
}

/** Writes that a process is there. @returns the others that have, now or once */
export async function beat(
  { db }: DirectoryTx,
  { id, address }: Peer,
): Promise<readonly Beating[]> {
  await db
    .insertInto("peer")
    .values({ id, address, beats: 1 })
    .onConflict((on) => on.column("id").doUpdateSet({ beats: sql`peer.beats + 1` }))
    .execute();
  return db.selectFrom("peer").selectAll().where("id", "!=", id).execute();
}

export async function forgetPeers({ db }: DirectoryTx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom("peer").where("id", "in", ids).execute();
}
