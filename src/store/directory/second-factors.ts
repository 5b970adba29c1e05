/** Second factors of people, stored among the keys of the directory, and so in its chain. */
import { type DirectoryTx, touchChained } from "./directory.ts";

export interface SecondFactor {
  /** Key of the codes, in hexadecimal. */
  readonly secret: string;
  /** Number of the last step whose code was used: a code counts once. */
  readonly step: number;
  /** Hashes of the recovery codes that are left. */
  readonly codes: readonly string[];
}

const idOf = (personId: string) => `second-factor-${personId}`;

/** The second factor of a person; undefined without one. */
export async function secondFactorOf(
  { db }: DirectoryTx,
  personId: string,
): Promise<SecondFactor | undefined> {
  const row = await db
    .selectFrom("directory_key")
    .select("material")
    .where("id", "=", idOf(personId))
    .executeTakeFirst();
  return row && JSON.parse(row.material);
}

/** Sets the second factor of a person, in place of another. */
export async function keepSecondFactor(
  tx: DirectoryTx,
  personId: string,
  factor: SecondFactor,
  now: number,
): Promise<void> {
  const id = idOf(personId);
  const material = JSON.stringify(factor);
  await touchChained(tx, "directory_key", [[id]]);
  await tx.db
    .insertInto("directory_key")
    .values({ id, use: "second-factor", material, created_at: now })
    .onConflict((on) => on.column("id").doUpdateSet({ material }))
    .execute();
}

/**
 * Changes a second factor.
 * @returns whether it was still as before; of two that use one code only one is told so
 */
export async function changeSecondFactor(
  tx: DirectoryTx,
  personId: string,
  formerFactor: SecondFactor,
  newFactor: SecondFactor,
): Promise<boolean> {
  const id = idOf(personId);
  await touchChained(tx, "directory_key", [[id]]);
  const { numUpdatedRows } = await tx.db
    .updateTable("directory_key")
    .set({ material: JSON.stringify(newFactor) })
    .where("id", "=", id)
    .where("material", "=", JSON.stringify(formerFactor))
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function removeSecondFactor(tx: DirectoryTx, personId: string): Promise<void> {
  const id = idOf(personId);
  await touchChained(tx, "directory_key", [[id]]);
  await tx.db.deleteFrom("directory_key").where("id", "=", id).execute();
}
