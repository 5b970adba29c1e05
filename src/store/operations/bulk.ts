/** Bulk statements on many rows or keys, without the cost of building a query for each. */
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import type { Tx } from "../tx/tx.ts";
import { loggedColumns, noteInserted, noteRemovedRows } from "./effects.ts";

/**
 * Inserts rows by a statement whose text is built once.
 * @param insertion  a constant of its module: connections cache what they derive from it
 */
export async function insertRows(
  tx: Tx,
  insertion: Insertion,
  rows: readonly Row[],
): Promise<void> {
  if (rows.length === 0) return;
  const { connection, lock } = tx;
  lock?.writeSet.insert(insertion, rows);
  if (lock !== undefined) await noteInserted(tx, insertion, rows);
  await connection.insert(insertion, rows);
}

/** Tables that allow updates and deletes; the others are append-only. */
export type Changeable = Exclude<keyof Tables, "audit_entry" | "chain_link">;

type ColumnName<T extends keyof Tables> = Exclude<keyof Tables[T] & string, "org">;

/** A new row by its columns; columns that may be null may be left out. */
type NewRow<T extends keyof Tables> = {
  readonly [C in ColumnName<T> as null extends Tables[T][C] ? never : C]: Tables[T][C];
} & {
  readonly [C in ColumnName<T> as null extends Tables[T][C] ? C : never]?: Tables[T][C] | undefined;
};

const insertions = new Map<string, Insertion>();

/** Inserts new rows, all with the columns of the first. */
export function insertNew<T extends keyof Tables>(
  tx: Tx,
  table: T,
  rows: readonly NewRow<T>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof NewRow<T>)[];
  const key = `${table} ${columns}`;
  const insertion = insertions.get(key) ?? { table, columns: ["org", ...columns.map(String)] };
  insertions.set(key, insertion);
  return insertRows(
    tx,
    insertion,
    rows.map((row) => [tx.org, ...columns.map((name) => (row[name] ?? null) as Value)]),
  );
}

/**
 * Starts a query of rows of the organisation.
 * @param values  by column, what the rows have: a value, or one of several
 */
export function ownRows<T extends keyof Tables>(
  tx: Tx,
  table: T,
  values: {
    readonly [C in ColumnName<T>]?: Tables[T][C] | readonly Tables[T][C][] | RawBuilder<unknown>;
  } = {},
): SelectQueryBuilder<Tables, T, object> {
  // No table is known to Kysely here, whose types follow from its name.
  let query = tx.db.selectFrom(table as "history").where("org", "=", tx.org);
  for (const [column, value] of Object.entries(values)) {
    query = query.where(sql.ref(column), Array.isArray(value) ? "in" : "=", value);
  }
  return query as unknown as SelectQueryBuilder<Tables, T, object>;
}

/** Columns with their new values, or expressions that compute them. */
type Assignments<T extends keyof Tables> = {
  readonly [C in ColumnName<T>]?: Tables[T][C] | RawBuilder<unknown>;
};

/**
 * Updates columns of the rows that meet a condition.
 * @returns the number of rows
 */
export function updateRows<T extends Changeable>(
  tx: Tx,
  table: T,
  changes: Assignments<T>,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const columns = Object.keys(changes);
  const assignments = Object.entries(changes).map(
    ([column, value]) => sql`${sql.id(column)} = ${value}`,
  );
  const statement = sql`update ${sql.id(table)} set ${sql.join(assignments)}
    where org = ${tx.org} and ${condition}`;
  return executeNoted(tx, table, statement, columns);
}

/**
 * Deletes the rows that meet a condition.
 * @returns the number of rows
 */
export function deleteRows(
  tx: Tx,
  table: Changeable,
  condition: RawBuilder<unknown>,
): Promise<number> {
  const statement = sql`delete from ${sql.id(table)} where org = ${tx.org} and ${condition}`;
  return executeNoted(tx, table, statement);
}

/** Runs a statement, and adds the changed records to the write set of the chain. */
async function executeNoted(
  tx: Tx,
  table: string,
  statement: RawBuilder<unknown>,
  columns?: readonly string[],
): Promise<number> {
  const { lock, connection } = tx;
  if (lock === undefined) throw new Error("Rows are changed by a write.");
  const key = lock.writeSet.keyOf(table, columns);
  const logged = columns === undefined ? loggedColumns(table) : [];
  if (key === undefined) {
    const { numAffectedRows } = await statement.execute(tx.db);
    return Number(numAffectedRows ?? 0n);
  }
  const names = [...new Set([...key, ...logged])];
  const returned = sql.join(["org", ...names].map((name) => sql.id(name)));
  const { sql: text, parameters } = sql`${statement} returning ${returned}`.compile(tx.db);
  const changedRows = await connection.rows(text, parameters as readonly Value[]);
  lock.writeSet.touch(
    table,
    changedRows.map((row) => row.slice(1, 1 + key.length)),
  );
  if (logged.length > 0) {
    const at = logged.map((name) => 1 + names.indexOf(name));
    const rows = changedRows.map((row) => at.map((column) => row[column] ?? null));
    noteRemovedRows(tx, table, rows);
  }
  return changedRows.length;
}

/** The cache key of a query's text: all that the text depends on, except parameters. */
export interface QueryKey {
  readonly of: string;
  readonly by: string;
  /** Number of keys in the query. */
  readonly count: number;
}

/**
 * Cache of SQL texts as nested maps by the parts of the key: joining the parts would take longer
 * than the look-ups.
 */
type SqlTexts = Map<string, Map<string, (string | undefined)[]>>;

/** Runs a statement whose result is not needed; its error may be thrown by a later statement. */
export function executeDeferred(tx: Tx, statement: RawBuilder<unknown>): Promise<void> {
  const { sql, parameters } = statement.compile(tx.db);
  return tx.connection.executeDeferred(sql, parameters as readonly Value[]);
}

const textsByDialect = new WeakMap<StoreDialect, SqlTexts>();

function textsOf(dialect: StoreDialect, { of, by }: QueryKey): (string | undefined)[] {
  let textsOfDialect = textsByDialect.get(dialect);
  if (textsOfDialect === undefined) {
    textsOfDialect = new Map();
    textsByDialect.set(dialect, textsOfDialect);
  }
  let ownTexts = textsOfDialect.get(of);
  if (ownTexts === undefined) {
    ownTexts = new Map();
    textsOfDialect.set(of, ownTexts);
  }
  let byCount = ownTexts.get(by);
  if (byCount === undefined) {
    byCount = [];
    ownTexts.set(by, byCount);
  }
  return byCount;
}

/**
 * Runs a query whose text is built once for each `key`, since building takes longer than finding a
 * single record.
 * @param key         equal keys must mean equal texts, apart from parameters
 * @param build       builds the query
 * @param parameters  the parameters, in the order in which the text names them
 * @returns the columns of each row, in select order; at once where `Connection.rows` does
 * @throws Error when `parameters` differ from those that `build` puts into the text
 */
export function selectOnce(
  tx: Tx,
  key: QueryKey,
  build: () => RawBuilder<unknown>,
  parameters: readonly Value[],
): readonly Row[] | Promise<readonly Row[]> {
  const cachedTexts = textsOf(tx.dialect, key);
  let text = cachedTexts[key.count];
  if (text === undefined) {
    const query = build().compile(tx.db);
    if (query.parameters.some((value, at) => value !== parameters[at])) {
      const { of, by } = key;
      throw new Error(`The parameters of ${of} by ${by} are not those of its text.`);
    }
    text = query.sql;
    cachedTexts[key.count] = text;
  }
  return tx.connection.rows(text, parameters);
}

/** Maximum keys in one statement. */
const keysMax = 512;

/**
 * Splits keys into lists for `in (…)`, each padded to a power of two by repeating its last key, so
 * that few different statements are needed and their plans are kept.
 * @param values  in any order; equal ones count once
 */
export function keyLists<V extends Value>(values: Iterable<V>): V[][] {
  if (Array.isArray(values) && values.length <= 1) return values.length === 0 ? [] : [values];
  const distinct = [...new Set(values)];
  if (distinct.length <= 1) return distinct.length === 0 ? [] : [distinct];
  const lists: V[][] = [];
  for (let startIndex = 0; startIndex < distinct.length; startIndex += keysMax) {
    lists.push(padToPowerOfTwo(distinct.slice(startIndex, startIndex + keysMax)));
  }
  return lists;
}

/** Returns the rows that a query finds of keys, in several statements where there are many. */
export async function rowsFor<V extends Value, R>(
  keys: Iterable<V>,
  query: (list: V[]) => Promise<readonly R[] | { readonly rows: readonly R[] }>,
): Promise<R[]> {
  const allRows: R[] = [];
  for (const list of keyLists(keys)) {
    const found = await query(list);
    allRows.push(...("rows" in found ? found.rows : found));
  }
  return allRows;
}

/** Pads a list of any length to a power of two; empty when `values` is. */
export function padToPowerOfTwo<V extends Value>(values: readonly V[]): V[] {
  const lastValue = values.at(-1);
  if (lastValue === undefined) return [];
  const size = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: size - values.length }, () => lastValue)];
}
