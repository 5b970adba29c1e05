/** The chain and its records as the database holds them. */
import { CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import { keyLists, padToPowerOfTwo, selectOnce } from "../operations/bulk.ts";
import { isExact } from "../schema/define.ts";
import type { Tx } from "../tx/tx.ts";
import {
  type CanonicalRow,
  canonicalRows,
  hashOf,
  isInteger,
  type RecordKind,
} from "./canonical.ts";
import { genesis, type Head, type Link, type LinkedRecord } from "./links.ts";

const insertion: Insertion = {
  table: "chain_link",
  columns: ["org", "number", "at", "hash", "records", "cause"],
};

/**
 * Reads the last link and the named counters in one statement, since every write begins with them.
 */
export async function readAhead(
  tx: Tx,
  counters: readonly string[],
): Promise<{ readonly head: Head; readonly sequences: ReadonlyMap<string, number> }> {
  const names = padToPowerOfTwo(counters);
  const counterCondition = () =>
    names.length === 0
      ? sql``
      : sql`union all select last, null, name from sequence
          where org = ${tx.org} and name in (${sql.join(names)})`;
  const build =
    () => sql`select number, hash, null as name from (select number, hash from chain_link
    where org = ${tx.org} order by number desc limit 1) as head ${counterCondition()}`;
  const key = { of: "chain_link", by: "head", count: names.length };
  const parameters = names.length === 0 ? [tx.org] : [tx.org, tx.org, ...names];
  let chainHead: Head = genesis;
  const numberBySequence = new Map(counters.map((name) => [name, 0]));
  for (const [number, hash, name] of await selectOnce(tx, key, build, parameters)) {
    if (name === null) chainHead = { number: number as number, hash: hash as string };
    else numberBySequence.set(name as string, number as number);
  }
  return { head: chainHead, sequences: numberBySequence };
}

export async function insertLinks({ connection, org }: Tx, links: readonly Link[]): Promise<void> {
  const rows = links.map((link) => [
    org,
    link.number,
    link.at,
    link.hash,
    link.records,
    link.cause,
  ]);
  await connection.insert(insertion, rows);
}

/** The last link of the chain. */
export const headOf = async (tx: Tx): Promise<Head> => (await readAhead(tx, [])).head;

/** The key of a record as one text. */
export const keyOf = (columns: Row): string =>
  columns.length === 1 ? String(columns[0]) : columns.join("\0");

/**
 * Returns a function that reads the key of a record from its row.
 * @param positions  positions of the key columns in the row
 */
export function keyAt(positions: readonly number[]): (row: Row) => string {
  const [first = 0, ...others] = positions;
  if (positions.length === 0) return () => "";
  if (others.length === 0) return (row) => String(row[first]);
  return (row) => {
    let key = String(row[first]);
    for (const at of others) key += `\0${row[at]}`;
    return key;
  };
}

/** Maximum keys of several columns in one statement. */
const keysMax = 64;

/** The hashes of records as they are now, by key; a record that does not exist is not in the map. */
export async function readRecords(
  tx: Tx,
  kind: RecordKind,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const hashByKey = new Map<string, string>();
  const columns = keys.map((key) => columnsOf(kind, key));
  for (const [condition, values, count] of conditionsOf(kind, columns)) {
    const build = () => sql`select ${selectOf(kind)} from ${sql.id(kind.table)}
      where ${ownOf(tx, kind)} ${condition()} order by ${orderOf(kind)}`;
    const key = { of: kind.table, by: "record", count };
    const parameters = [...(kind.isOfServer ? [] : [tx.org]), ...values];
    for (const record of recordsIn(kind, await selectOnce(tx, key, build, parameters))) {
      hashByKey.set(record.key, record.hash);
    }
  }
  return hashByKey;
}

/** The condition for the rows of one chain; the tables of a server have no organisation. */
export const ownOf = ({ org }: Pick<Tx, "org">, { isOfServer }: Pick<RecordKind, "isOfServer">) =>
  isOfServer ? sql`1 = 1` : sql`org = ${org}`;

function* conditionsOf(
  { key }: RecordKind,
  keys: readonly Row[],
): Generator<[condition: () => RawBuilder<unknown>, values: readonly Value[], count: number]> {
  const [first, ...others] = key;
  if (keys.length === 0) return;
  if (first === undefined) {
    yield [() => sql``, [], 0];
    return;
  }
  if (others.length === 0) {
    for (const list of keyLists(keys.map((columns) => columns[0] as Value))) {
      yield [() => sql`and ${sql.id(first)} in (${sql.join(list)})`, list, list.length];
    }
    return;
  }
  for (let startIndex = 0; startIndex < keys.length; startIndex += keysMax) {
    const list = keys.slice(startIndex, startIndex + keysMax);
    const matching = (columns: Row) =>
      sql`(${sql.join(
        key.map((name, at) => sql`${sql.id(name)} = ${columns[at]}`),
        sql` and `,
      )})`;
    yield [() => sql`and (${sql.join(list.map(matching), sql` or `)})`, list.flat(), list.length];
  }
}

/** The select clause of the hashed columns, which include those of the key. */
function selectOf({ table, columns }: RecordKind): RawBuilder<unknown> {
  return sql.raw(
    columns
      .map((name) => (isExact(table, name) ? `cast("${name}" as text) as "${name}"` : `"${name}"`))
      .join(", "),
  );
}

function orderOf({ key, order }: RecordKind): RawBuilder<unknown> {
  const columns = [...key, ...order];
  return columns.length === 0 ? sql`org` : sql.join(columns.map((name) => sql.id(name)));
}

const canonicalByKind = new WeakMap<RecordKind, (row: Row) => CanonicalRow>();

/** The records in rows selected by `selectOf` and ordered by `orderOf`. */
function* recordsIn(kind: RecordKind, rows: readonly Row[]): Generator<LinkedRecord> {
  let canonical = canonicalByKind.get(kind);
  if (canonical === undefined) {
    canonical = canonicalRows(kind, kind.columns);
    canonicalByKind.set(kind, canonical);
  }
  const keyIn = keyAt(kind.key.map((name) => kind.columns.indexOf(name)));
  let key: string | undefined;
  let keyRows: CanonicalRow[] = [];
  for (const row of rows) {
    const nextKey = keyIn(row);
    if (nextKey !== key) {
      if (key !== undefined) yield { key, hash: hashOf(kind, keyRows) };
      key = nextKey;
      keyRows = [];
    }
    keyRows.push(canonical(row));
  }
  if (key !== undefined) yield { key, hash: hashOf(kind, keyRows) };
}

// --- in pages ------------------------------------------------------------------------------------

/** Maximum rows of a page. */
const rowsMax = 250;

export interface RecordPage {
  readonly records: readonly LinkedRecord[];
  readonly isLast: boolean;
}

/** The records after a key (from the first when none is given), in key order, one page of rows. */
export async function pageOf(
  tx: Tx,
  kind: RecordKind,
  afterKey: string | undefined,
): Promise<RecordPage> {
  const columns = sql.raw(kind.key.map((name) => `"${name}"`).join(", "));
  const start = afterKey === undefined ? [] : columnsOf(kind, afterKey);
  const beyond = () =>
    start.length === 0
      ? sql``
      : sql`and (${columns}) > (${sql.join(start.map((text) => sql`${text}`))})`;
  for (let limit = rowsMax; ; limit *= 4) {
    const build = () => sql`select ${selectOf(kind)} from ${sql.id(kind.table)}
      where ${ownOf(tx, kind)} ${beyond()} order by ${orderOf(kind)} limit ${limit}`;
    const key = { of: kind.table, by: "page of records", count: start.length };
    const serverKey = kind.isOfServer ? [] : [tx.org];
    const rows = await selectOnce(tx, key, build, [...serverKey, ...start, limit]);
    const records = [...recordsIn(kind, rows)];
    if (rows.length < limit) return { records, isLast: true };
    // The last record may have more rows beyond the page.
    if (kind.order.length > 0) records.pop();
    if (records.length > 0) return { records, isLast: false };
  }
}

/** Every link in order, of which `linksMax` are in memory at a time. */
export async function* linksOf(tx: Tx): AsyncGenerator<Link> {
  const query = CompiledQuery.raw(
    `select number, at, hash, records, cause from chain_link where org = ${Number(tx.org)} order by number`,
  );
  for await (const { rows } of tx.connection.streamQuery<Link>(query, linksMax)) yield* rows;
}

/** Maximum links in memory at a time. */
const linksMax = 8;

/** The time of a link; undefined when it has none. */
export async function atOf(tx: Tx, number: number): Promise<number | undefined> {
  const result = await sql<{ at: number | null }>`
    select at from chain_link where org = ${tx.org} and number = ${number}`.execute(tx.db);
  return result.rows[0]?.at ?? undefined;
}

/** The key's columns as values of the database. */
export function columnsOf(kind: RecordKind, key: string): Row {
  if (kind.key.length === 0) return [];
  return key.split("\0").map((text, at) => (isInteger(kind, at) ? Number(text) : text));
}
