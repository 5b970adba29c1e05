/** Many rows and many keys at a time, without the cost of building a query for each. */
import type { RawBuilder } from "kysely";
import type { Insertion, Row, StoreDialect, Value } from "./dialect.ts";
import type { Tx } from "./store.ts";

/**
 * Inserts rows with the text of one statement, made once.
 *
 * @param insertion  a constant of its module: connections remember what they made of it
 */
export async function insertRows(
  { connection }: Tx,
  insertion: Insertion,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length > 0) await connection.insert(insertion, rows);
}

const texts = new WeakMap<StoreDialect, Map<string, string>>();

/**
 * Runs a query whose text is made once for each `key`, since making it takes longer than running
 * one that finds a single record.
 *
 * @param key         what the text depends on: equal keys, equal texts but for the parameters
 * @param build       makes the query
 * @param parameters  those of the query, in the order in which its text names them
 * @returns the columns of each row, in the order of the text
 * @throws Error when `parameters` are not those that `build` puts into the text
 */
export async function selectOnce(
  tx: Tx,
  key: string,
  build: () => RawBuilder<unknown>,
  parameters: readonly Value[],
): Promise<readonly Row[]> {
  let known = texts.get(tx.dialect);
  if (known === undefined) {
    known = new Map();
    texts.set(tx.dialect, known);
  }
  let text = known.get(key);
  if (text === undefined) {
    const made = build().compile(tx.db);
    if (made.parameters.some((value, at) => value !== parameters[at])) {
      throw new Error(`The parameters of ${key} are not those of its text.`);
    }
    text = made.sql;
    known.set(key, text);
  }
  return tx.connection.rows(text, parameters);
}

/** Keys in one statement. */
const keysMax = 512;

/**
 * Cuts keys into lists for `in (…)`, each filled up to a power of two by repeating its last, so
 * that the texts of statements are few and their plans are kept.
 *
 * @param values  in any order; equal ones count once
 */
export function keyLists<V extends Value>(values: Iterable<V>): V[][] {
  const distinct = [...new Set(values)];
  if (distinct.length <= 1) return distinct.length === 0 ? [] : [distinct];
  const lists: V[][] = [];
  for (let from = 0; from < distinct.length; from += keysMax) {
    lists.push(filledUp(distinct.slice(from, from + keysMax)));
  }
  return lists;
}

/** One list of any length, filled up in the same way; empty when `values` is. */
export function filledUp<V extends Value>(values: readonly V[]): V[] {
  const last = values.at(-1);
  if (last === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: size - values.length }, () => last)];
}
