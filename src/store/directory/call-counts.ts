/**
 * Calls of apps, counted by several processes together.
 *
 * A process reads a row and updates it on the condition of its version: one statement a call, no
 * lock that a dead process could hold, and no wait for the disk.
 */
import type { Tx } from "../transactions/tx.ts";

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
    const { numInsertedOrUpdatedRows } = await db
      .insertInto("call_count")
      .values({ org, app, version: 1, counts })
      .onConflict((on) => on.columns(["org", "app"]).doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }
  const { numUpdatedRows } = await db
    .updateTable("call_count")
    .set({ version: version + 1, counts })
    .where("org", "=", org)
    .where("app", "=", app)
    .where("version", "=", version)
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}
