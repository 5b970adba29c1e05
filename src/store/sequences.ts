/** Counters of an organisation: invoice numbers, tax rates, journals. Each is its highest number taken. */
import { sql } from "kysely";
import { runLater } from "./bulk.ts";
import type { Tx } from "./store.ts";

/** The highest number taken; 0 when none is. */
export async function sequenceOf(tx: Tx, name: string): Promise<number> {
  const row = await tx.db
    .selectFrom("sequence")
    .select("last")
    .where("org", "=", tx.org)
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.last ?? 0;
}

/** The highest number taken of each of several counters; absent where none is. */
export async function sequencesOf(tx: Tx, names: readonly string[]): Promise<Map<string, number>> {
  if (names.length === 0) return new Map();
  const rows = await tx.db
    .selectFrom("sequence")
    .select(["name", "last"])
    .where("org", "=", tx.org)
    .where("name", "in", names)
    .execute();
  return new Map(rows.map(({ name, last }) => [name, last]));
}

/**
 * Takes the next `count` numbers, which nobody else gets unless this transaction fails.
 *
 * @param count  above zero
 * @returns the first of them
 */
export async function takeNumbers(tx: Tx, name: string, count: number): Promise<number> {
  const { rows } = await sql<{ last: number }>`
    insert into sequence (org, name, last) values (${tx.org}, ${name}, ${count})
    on conflict (org, name) do update set last = sequence.last + excluded.last
    returning last`.execute(tx.db);
  const last = rows[0]?.last;
  if (last === undefined) throw new Error(`The sequence ${name} gave no number.`);
  return last - count + 1;
}

/** Lets `count` of those that were taken be taken again; of counts, since numbers are in use by then. */
export async function giveBack(tx: Tx, name: string, count: number): Promise<void> {
  await sql`update sequence set last = last - ${count}
    where org = ${tx.org} and name = ${name} and last >= ${count}`.execute(tx.db);
}

/** Sees to it that numbers up to `atLeast` count as taken. */
export function raiseSequence(tx: Tx, name: string, atLeast: number): Promise<void> {
  return runLater(
    tx,
    sql`insert into sequence (org, name, last) values (${tx.org}, ${name}, ${atLeast})
      on conflict (org, name) do update set last = excluded.last
      where sequence.last < excluded.last`,
  );
}
