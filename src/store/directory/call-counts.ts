/**
 * API call counts of apps, shared by several processes.
 *
 * A process reads a row and updates it on condition of its version (optimistic locking): one
 * statement a call, no lock that a dead process could hold, and no wait for the disk.
 */
import { sql } from "kysely";
import type { Tx } from "../tx/tx.ts";

/**
 * Counts of an app's calls on an organisation; organisation 0, which does not exist, holds those on
 * all.
 */
export interface Counts {
  /** Number of writes of the row; 0 before the first. */
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

/**
 * Writes counts computed from those of `version`.
 * @returns false when another process wrote in between
 */
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
