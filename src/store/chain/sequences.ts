/**
 * Counters of an organisation: invoice numbers, tax rates, journals. A counter holds the highest
 * number taken or, for a running sum, the sum.
 *
 * The lock of the organisation excludes other writers, so a transaction reads a counter once,
 * counts in memory, and writes the changed counters in one statement at the end.
 */
import { sql } from "kysely";
import type { Insertion } from "../connection/connection.ts";
import { insertRows, keyLists, ownRows, selectOnce, updateRows } from "../operations/bulk.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { Tx } from "../tx/tx.ts";

/** Number of counters read ahead: those of any one write. */
const wantedMax = 12;

const insertion: Insertion = {
  table: "sequence",
  columns: ["org", "name", "last"],
  tail: "on conflict (org, name) do update set last = excluded.last",
  replaces: true,
};

/** Names of the counters that the last writers of each store read, latest first. */
const wanted = new WeakMap<StoreDialect, readonly string[]>();

/** Names of the counters that a writer is likely to need, read in the round trip of the lock. */
export const likelySequences = ({ dialect }: Tx): readonly string[] => wanted.get(dialect) ?? [];

/** The highest number taken; 0 when none is. */
export async function sequenceOf(tx: Tx, name: string): Promise<number> {
  return (await sequencesOf(tx, [name])).get(name) ?? 0;
}

/** The highest number taken of each of several counters; 0 where none is. */
export async function sequencesOf(
  tx: Tx,
  names: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const knownNumbers = tx.lock?.sequences ?? new Map<string, number>();
  const unknown = names.filter((name) => !knownNumbers.has(name));
  if (unknown.length > 0 && tx.lock !== undefined) {
    const allNames = new Set([...names, ...likelySequences(tx)]);
    wanted.set(tx.dialect, [...allNames].slice(0, wantedMax));
  }
  for (const list of keyLists(unknown)) {
    const build = () =>
      sql`select name, last from sequence where org = ${tx.org} and name in (${sql.join(list)})`;
    const key = { of: "sequence", by: "name", count: list.length };
    const storedNumbers = new Map(
      (await selectOnce(tx, key, build, [tx.org, ...list])) as [string, number][],
    );
    for (const name of list) knownNumbers.set(name, storedNumbers.get(name) ?? 0);
  }
  return knownNumbers;
}

/** Reads every counter from the database, without the transaction's unwritten changes. */
export async function storedSequences(tx: Tx): Promise<ReadonlyMap<string, number>> {
  const rows = await ownRows(tx, "sequence").select(["name", "last"]).execute();
  return new Map(rows.map(({ name, last }) => [name, last]));
}

/**
 * Takes the next `count` numbers; they are free again only if this transaction fails.
 * @param count  above zero
 * @returns the first number taken
 */
export async function takeNumbers(tx: Tx, name: string, count: number): Promise<number> {
  const lastNumber = await sequenceOf(tx, name);
  await raiseSequence(tx, name, lastNumber + count);
  return lastNumber + 1;
}

/** Takes the next handles of a prefix, which are never given again: `P-318`. */
export async function takeHandles(tx: Tx, prefix: string, count: number): Promise<string[]> {
  const firstNumber = await takeNumbers(tx, `handle.${prefix}`, count);
  return Array.from({ length: count }, (_, at) => `${prefix}-${firstNumber + at}`);
}

/**
 * Lowers a counter by `count`, to undo a count of things not done after all. Not for numbers of
 * records, which may be in use by then.
 */
export async function returnNumbers(tx: Tx, name: string, count: number): Promise<void> {
  await flushSequences(tx);
  tx.lock?.sequences.delete(name);
  const lastBefore = sql`last - ${count}`;
  await updateRows(tx, "sequence", { last: lastBefore }, sql`name = ${name} and last >= ${count}`);
}

/** Raises a counter to at least `atLeast`. */
export async function raiseSequence(tx: Tx, name: string, atLeast: number): Promise<void> {
  if (tx.lock === undefined) throw new Error("Numbers are taken by a write.");
  if ((await sequenceOf(tx, name)) >= atLeast) return;
  tx.lock.sequences.set(name, atLeast);
  tx.lock.movedSequences.add(name);
}

/** Sets a running sum, which may be lower than before. */
export async function setSum(tx: Tx, name: string, amount: number): Promise<void> {
  if (tx.lock === undefined) throw new Error("Sums are kept by a write.");
  if ((await sequenceOf(tx, name)) === amount) return;
  tx.lock.sequences.set(name, amount);
  tx.lock.movedSequences.add(name);
}

/** Writes the counters that the transaction changed. */
export async function flushSequences(tx: Tx): Promise<void> {
  const { sequences, movedSequences: moved } = tx.lock ?? {};
  if (sequences === undefined || moved === undefined || moved.size === 0) return;
  const rows = [...moved].map((name) => [tx.org, name, sequences.get(name) ?? 0]);
  moved.clear();
  await insertRows(tx, insertion, rows);
}
