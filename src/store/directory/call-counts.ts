/**
 * Calls of apps, counted by several processes together.
 *
 * A process reads a row and updates it on the condition of its version: one statement a call, no
 * lock that a dead process could hold, and no wait for the disk.
 */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";

/** Of an app on an organisation; with the organisation 0, which there is none of, on all of them. */
export interface Counts {
  /** How often it was written; 0 where it never was. */
  readonly version: number;
  readonly counts: string;
}

export async function countsOf({ db, org }: Tx, app: string): Promise<Counts> {
  const row = await db
    .selectFrom("call_count")
    .select(["version", "counts"])
    .where("org", "=", org)
    .where("app", "=", app)
    .executeTakeFirst();
  return row ?? { version: 0, counts: "" };
}

/** Writes counts made from those of `version`. @returns whether these were still the latest */
export async function writeCounts(
  { db, org }: Tx,
  app: string,
  { version, counts }: Counts,
): Promise<boolean> {
  if (version === 0) {
    const { numAffectedRows } = await sql`insert into call_count (org, app, version, counts)
      values (${org}, ${app}, 1, ${counts}) on conflict (org, app) do nothing`.execute(db);
    return numAffectedRows === 1n;
  }
  const { numAffectedRows } = await sql`
    update call_count set version = ${version + 1}, counts = ${counts}
    where org = ${org} and app = ${app} and version = ${version}`.execute(db);
  return numAffectedRows === 1n;
}
