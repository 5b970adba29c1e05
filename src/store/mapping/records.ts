/**
 * Storage of records of every described resource: fetched by a key, listed by a condition, saved.
 *
 * A record is returned with the fields of its description, displayed fields of the records it
 * refers to, and columns that only the store knows. Computed fields are left out: lines, the
 * options of a tracking category, balances.
 */
import { type RawBuilder, sql } from "kysely";
import { type Fields, idOf, prefixOf, type Resource } from "../../resources/field.ts";
import { fold } from "../../wire/fold.ts";
import { type FilterField, joinedWhere, type Where } from "../../wire/query/tree.ts";
import { takeHandles } from "../chain/sequences.ts";
import type { Insertion, Row, Value } from "../connection/connection.ts";
import {
  type Changeable,
  deleteRows,
  insertRows,
  keyLists,
  padToPowerOfTwo,
  selectOnce,
} from "../operations/bulk.ts";
import { noteCreated, noteRead, noteRemoved, noteSaved } from "../operations/effects.ts";
import { recordChanges } from "../outbox/changes.ts";
import {
  quoted,
  type RecordShape,
  type StoredRecord,
  self,
  shapeFrom,
  shapeOf,
} from "../schema/shapes.ts";
import {
  type Column,
  columnNames,
  filterFields,
  placeOf,
  rowOf,
  type StoredFields,
  type Table,
  tableOf,
  targetOf,
} from "../schema/tables.ts";
import { invalidate } from "../transactions/reference-cache.ts";
import type { Tx } from "../tx/tx.ts";
import { allOf, conditionOf, type Operands } from "./conditions.ts";
import { findIds } from "./text-search.ts";

export { filterFields, type StoredFields, type StoredRecord };

export interface ListQuery {
  readonly where?: Where | undefined;
  /**
   * Sort order. Missing values come first in `asc`, last in `desc`. Records equal in all terms are
   * ordered by id in the direction of the last term, so that the reversed order lists the same
   * records backwards.
   */
  readonly order?: readonly { readonly field: FilterField; readonly direction: "asc" | "desc" }[];
  /** Filter: each field equals one of the values, ids exactly, text without case and accents. */
  readonly in?: readonly { readonly field: string; readonly values: readonly string[] }[];
  /** Filter: each field lies between the bounds, both included. */
  readonly ranges?: readonly {
    readonly field: string;
    readonly from?: string | number | undefined;
    readonly to?: string | number | undefined;
  }[];
  /** Filter: records updated at or after this time, in milliseconds since 1970 UTC. */
  readonly modifiedSince?: number | undefined;
  /** Filter: one of the fields contains the text. */
  readonly search?: { readonly fields: readonly string[]; readonly text: string } | undefined;
  /** Filter: client id of the app that created the record. */
  readonly createdByApp?: string | undefined;
  /** Names of the fields to read; all fields when undefined. */
  readonly fields?: readonly string[] | undefined;
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  /** Whether to count all matching records, whatever the limit. */
  readonly count?: boolean | undefined;
}

export interface RecordPage<Stored = StoredRecord> {
  readonly records: Stored[];
  /** Number of matching records; present when asked for. */
  readonly count?: number;
}

type Sql = RawBuilder<unknown>;

// -------------------------------------------------------------------------------------------------
// Reading

/**
 * The records whose field equals one of the values, ordered by id.
 * @param field   a dotted path, `InvoiceNumber` or `Invoice.InvoiceID`
 * @param values  ids exactly, text in any letter case and with any accents
 */
export async function fetch<T extends Fields>(
  tx: Tx,
  resource: Resource<T>,
  field: string,
  values: readonly string[],
): Promise<StoredFields<T>[]> {
  const table = tableOf(resource);
  const shape = shapeOf(table);
  const isText = placeOf(table, field)?.column.description.kind === "text";
  const scope = table.kind === undefined ? [tx.org] : [tx.org, table.kind];
  const records: StoredRecord[] = [];
  for (const list of keyLists(isText ? values.map(fold) : values)) {
    const key = { of: resource.name, by: field, count: list.length };
    const build = () => new TableReader(tx, table).having(field, list);
    const rows = selectOnce(tx, key, build, [...scope, ...list]);
    for (const row of rows instanceof Promise ? await rows : rows) {
      const record = shape.decode(row);
      noteRead(tx, resource, record, row);
      records.push(record);
    }
  }
  return records as StoredFields<T>[];
}

export async function list<T extends Fields>(
  tx: Tx,
  resource: Resource<T>,
  asked: ListQuery = {},
): Promise<RecordPage<StoredFields<T>>> {
  const query = await withIdsFound(tx, resource, asked);
  const reader = new TableReader(tx, tableOf(resource));
  const condition = conditionsOf(reader, query, resource.changedAt);
  const terms = query.order ?? [];
  const order = sql.join([
    ...terms.map((term) => reader.sorted(term.field, term.direction)),
    terms.at(-1)?.direction === "desc" ? sql`${reader.byId} desc` : reader.byId,
  ]);
  const { fields, limit, offset = 0 } = query;
  const page = { order, limit, offset };
  const records = (await reader.records(condition, page, fields)) as StoredFields<T>[];
  if (!query.count) return { records };
  const isLastPage = limit === undefined || records.length < limit;
  if (isLastPage && (records.length > 0 || offset === 0)) {
    return { records, count: offset + records.length };
  }
  // A separate query counts, so that joins needed only for the order are left out.
  const counting = new TableReader(tx, tableOf(resource));
  const countFilter = conditionsOf(counting, query, resource.changedAt);
  return { records, count: await counting.count(countFilter) };
}

/** All records of a resource in the order of their ids, `size` at a time. */
export async function* pagesOf<T extends Fields>(
  tx: Tx,
  resource: Resource<T>,
  size: number,
): AsyncGenerator<StoredFields<T>[]> {
  for (let afterId: string | undefined; ; ) {
    // The range includes its lower bound, so the last record of the page is read again.
    const ranges = afterId === undefined ? [] : [{ field: resource.id, from: afterId }];
    const { records } = await list(tx, resource, { ranges, limit: size + 1 });
    const idOf = (record: unknown) => (record as Readonly<Record<string, string>>)[resource.id];
    const remaining = records.filter((record) => idOf(record) !== afterId);
    if (remaining.length === 0) return;
    yield remaining;
    afterId = idOf(remaining.at(-1));
  }
}

/** Replaces a search for parts of texts by the ids of what it finds, where that is faster. */
async function withIdsFound(tx: Tx, resource: Resource, query: ListQuery): Promise<ListQuery> {
  const { where, search, in: lists = [] } = query;
  if (where === undefined && search === undefined) return query;
  const searched = search?.fields.flatMap((name): Where[] => {
    const field = filterFields(resource)([name]);
    return field === undefined ? [] : [{ op: "text", field, test: "contains", value: search.text }];
  });
  const condition = joinedWhere("and", [
    ...(where === undefined ? [] : [where]),
    ...(searched === undefined ? [] : [joinedWhere("or", searched)]),
  ]);
  const args = condition.op === "and" ? condition.args : [condition];
  for (const [at, arg] of args.entries()) {
    const values = await findIds(tx, tableOf(resource), arg);
    if (values === undefined) continue;
    const others = joinedWhere("and", args.toSpliced(at, 1));
    return { ...query, where: others, in: [...lists, { field: resource.id, values }] };
  }
  return { ...query, where: condition };
}

function conditionsOf(reader: TableReader, query: ListQuery, changedAt = "UpdatedDateUTC"): Sql {
  const { where, ranges = [], modifiedSince, createdByApp } = query;
  const conditions: Sql[] = [];
  if (where !== undefined) conditions.push(conditionOf(where, reader));
  for (const { field, values } of query.in ?? []) {
    const keys = reader.isText(field) ? values.map(fold) : values;
    conditions.push(reader.within(field, padToPowerOfTwo([...new Set(keys)])));
  }
  for (const { field, from, to } of ranges) {
    if (from !== undefined) conditions.push(sql`${reader.column(field)} >= ${from}`);
    if (to !== undefined) conditions.push(sql`${reader.column(field)} <= ${to}`);
  }
  if (modifiedSince !== undefined) {
    conditions.push(sql`${reader.column(changedAt)} >= ${modifiedSince}`);
  }
  if (createdByApp !== undefined) {
    conditions.push(sql`${reader.column("CreatedByApp")} = ${createdByApp}`);
  }
  return allOf(conditions);
}

/** A query on a table; it collects the references that its conditions join. */
class TableReader implements Operands {
  readonly dialect: Tx["dialect"];
  readonly #tx: Tx;
  readonly #table: Table;
  readonly #through = new Set<string>();

  constructor(tx: Tx, table: Table) {
    this.#tx = tx;
    this.#table = table;
    this.dialect = tx.dialect;
  }

  column(path: string): Sql {
    const { alias, column } = this.#placed(path);
    return sql.id(alias, column.name);
  }

  folded(path: string): Sql {
    const { alias, column } = this.#placed(path);
    if (column.folded !== undefined) return sql.id(alias, column.folded);
    return this.dialect.fold(sql.id(alias, column.name));
  }

  isText(path: string): boolean {
    return this.#placed(path).column.description.kind === "text";
  }

  /**
   * Condition that a field equals one of the values.
   * @param values  folded when the field is text
   */
  within(path: string, values: readonly string[]): Sql {
    if (values.length === 0) return sql`1 = 0`;
    const column = this.isText(path) ? this.folded(path) : this.column(path);
    return sql`${column} in (${sql.join(values)})`;
  }

  get byId(): Sql {
    return sql`${sql.id(self, "id")}`;
  }

  sorted(field: FilterField, direction: "asc" | "desc"): Sql {
    const column = field.kind === "text" ? this.folded(field.path) : this.column(field.path);
    return sql`${column} ${sql.raw(this.dialect.ordering[direction])}`;
  }

  async count(condition: Sql): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${this.#from} where ${this.#scope} and ${condition}
      `.execute(this.#tx.db);
    return rows[0]?.count ?? 0;
  }

  async records(
    condition: Sql,
    page: { order: Sql; limit?: number | undefined; offset?: number | undefined },
    fields?: readonly string[],
  ): Promise<StoredRecord[]> {
    const shape = fields === undefined ? shapeOf(this.#table) : shapeFrom(this.#table, fields);
    const { order, limit, offset = 0 } = page;
    // Skipped rows are not joined, and only the columns of the condition are read for them.
    const idQuery =
      offset === 0
        ? condition
        : sql`${this.byId} in (select ${this.byId} from ${this.#from}
            where ${this.#scope} and ${condition} order by ${order} ${limitClause(limit, offset)})`;
    const window = offset === 0 ? limitClause(limit, 0) : sql``;
    const { db, connection } = this.#tx;
    const { sql: text, parameters } = sql`${this.#select(shape, idQuery, order)} ${window}`.compile(
      db,
    );
    return (await connection.rows(text, parameters as Value[])).map(shape.decode);
  }

  /** The records whose field equals one of the values, ordered by id. */
  having(path: string, values: readonly string[]): Sql {
    return this.#select(shapeOf(this.#table), this.within(path, values), this.byId);
  }

  /**
   * Builds the query; condition and order come first, since they decide which references are
   * joined.
   */
  #select({ select, through }: RecordShape, condition: Sql, order: Sql) {
    const tables = joinClauses(this.#table, [...through, ...this.#through]);
    return sql`
      select ${select} from ${tables} where ${this.#scope} and ${condition} order by ${order}`;
  }

  /** Condition for the rows of this organisation and, in a shared table, of this resource. */
  get #scope(): Sql {
    const { kind, types } = this.#table;
    const org = sql`${sql.id(self, "org")} = ${this.#tx.org}`;
    if (kind === undefined) return org;
    const ofKind = sql`${org} and ${sql.id(self, "kind")} = ${kind}`;
    return types === undefined ? ofKind : sql`${ofKind} and ${typeCondition(types)}`;
  }

  get #from(): Sql {
    return joinClauses(this.#table, [...this.#through]);
  }

  #placed(path: string): { alias: string; column: Column } {
    const columnPath = placeOf(this.#table, path);
    if (columnPath === undefined) {
      throw new Error(`The store keeps no ${path} of ${this.#table.resource.name}.`);
    }
    for (const reference of columnPath.through) this.#through.add(reference);
    return { alias: columnPath.through.at(-1) ?? self, column: columnPath.column };
  }
}

/**
 * Condition by type, as literals and not parameters, so that a partial index of these types can
 * serve.
 */
function typeCondition(types: readonly string[]): Sql {
  const list = types.map((type) => `'${type}'`).join(", ");
  return sql`${sql.id(self, "type")} in (${sql.raw(list)})`;
}

function limitClause(limit: number | undefined, offset: number): Sql {
  if (limit === undefined && offset === 0) return sql``;
  // SQLite allows no offset without a limit.
  const limitRows = limit ?? Number.MAX_SAFE_INTEGER;
  return offset === 0 ? sql`limit ${limitRows}` : sql`limit ${limitRows} offset ${offset}`;
}

/** The joins of the table with the tables it refers to, each under the path of the reference. */
function joinClauses(table: Table, through: readonly string[]): Sql {
  let from = `${quoted(table.name)} as ${self}`;
  for (const path of [...new Set(through)].sort()) {
    const parent = path.includes(".") ? path.slice(0, path.lastIndexOf(".")) : self;
    const { column, target } = referenceAt(table, path);
    from += ` left join ${quoted(target.name)} as ${quoted(path)} on ${quoted(path, "org")} = ${self}.org`;
    from += ` and ${quoted(path, "id")} = ${quoted(parent, column.name)}`;
  }
  return sql.raw(from);
}

function referenceAt(table: Table, path: string): { column: Column; target: Table } {
  let current = table;
  let column: Column | undefined;
  for (const name of path.split(".")) {
    column = current.column(name);
    const targetTable = column?.description.kind === "ref" && targetOf(column.description.to);
    if (!targetTable) throw new Error(`${path} of ${table.resource.name} leads nowhere.`);
    current = targetTable;
  }
  if (column === undefined) throw new Error("A reference has a name.");
  return { column, target: current };
}

// -------------------------------------------------------------------------------------------------
// Writing

const insertions = { save: new Map<string, Insertion>(), saveNew: new Map<string, Insertion>() };

function insertionOf(table: Table, of: keyof typeof insertions): Insertion {
  let insertion = insertions[of].get(table.resource.name);
  if (insertion === undefined) {
    const once = new Set(table.columns.filter((column) => column.isOnce).map((each) => each.name));
    const columns = columnNames(table);
    const changed = columns
      .filter((name) => name !== "id" && !once.has(name))
      .map((name) => `"${name}" = excluded."${name}"`);
    insertion = {
      table: table.name,
      columns: ["org", ...(table.kind === undefined ? [] : ["kind"]), ...columns],
      tail:
        of === "saveNew" ? undefined : `on conflict (org, id) do update set ${changed.join(", ")}`,
      key: ["org", "id"],
      replaces: once.size === 0,
    };
    insertions[of].set(table.resource.name, insertion);
  }
  return insertion;
}

/**
 * Upserts whole records by their ids.
 *
 * Fields set on creation (app, time) keep their value. Changes are recorded in the outbox when the
 * transaction ends (`changes.ts`).
 *
 * @throws RefusedError `NotUnique`, when the transaction ends: two records with one number
 */
export function save(tx: Tx, resource: Resource, records: readonly object[]): Promise<void> {
  return insert(tx, resource, records, "save");
}

/**
 * Inserts new records, which is cheaper than an upsert: no stored rows need be read.
 *
 * @throws as `save`; Error, when the transaction ends, if a record exists already
 */
export function saveNew(tx: Tx, resource: Resource, records: readonly object[]): Promise<void> {
  return insert(tx, resource, records, "saveNew");
}

async function insert(
  tx: Tx,
  resource: Resource,
  records: readonly object[],
  by: keyof typeof insertions,
): Promise<void> {
  const table = tableOf(resource);
  const ids = records.map((record) => idOf(resource, record));
  await giveHandles(tx, resource, records as readonly StoredRecord[]);
  tx.lock?.onWrite?.(resource, ids);
  await recordChanges(tx, resource, records as readonly StoredRecord[]);
  if (table.version !== undefined && records.length > 0) await invalidate(tx, table.version);
  const keyStart = table.kind === undefined ? [tx.org] : [tx.org, table.kind];
  const rows = records.map((record) => [...keyStart, ...rowOf(table, record as StoredRecord)]);
  if (by === "saveNew") noteCreated(tx, resource, ids);
  else {
    const ownRows = rows.map((row) => row.slice(keyStart.length));
    await noteSaved(tx, table, ids, ownRows, {
      shape: shapeOf(table),
      stored: (unread) => storedRows(tx, table, unread),
    });
  }
  await insertRows(tx, insertionOf(table, by), rows);
}

/** Gives new records their handles, by which people name them. */
async function giveHandles(
  tx: Tx,
  { fields }: Resource,
  records: readonly StoredRecord[],
): Promise<void> {
  const recordsByPrefix = new Map<string, StoredRecord[]>();
  for (const record of records) {
    const prefix = record.Handle === undefined ? prefixOf(fields.Handle, record) : undefined;
    if (prefix === undefined) continue;
    const samePrefix = recordsByPrefix.get(prefix);
    if (samePrefix === undefined) recordsByPrefix.set(prefix, [record]);
    else samePrefix.push(record);
  }
  for (const [prefix, own] of recordsByPrefix) {
    const handles = await takeHandles(tx, prefix, own.length);
    for (const [at, record] of own.entries()) record.Handle = handles[at];
  }
}

/** The rows of records as stored, by their ids. */
async function storedRows(
  tx: Tx,
  table: Table,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Row>> {
  const rowById = new Map<string, Row>();
  for (const list of keyLists(ids)) {
    const build = () => {
      const columns = table.columns.map(({ name, storage }) =>
        storage.selectsText ? sql`cast(${sql.id(name)} as text)` : sql.id(name),
      );
      return sql`select id, ${sql.join(columns)} from ${sql.id(table.name)}
        where org = ${tx.org} and id in (${sql.join(list)})`;
    };
    const key = { of: `${table.resource.name}, its row`, by: "id", count: list.length };
    for (const [id, ...row] of await selectOnce(tx, key, build, [tx.org, ...list])) {
      rowById.set(String(id), row);
    }
  }
  return rowById;
}

/** Deletes records for good; records that refer to them keep their ids. */
export async function remove(tx: Tx, resource: Resource, ids: readonly string[]): Promise<void> {
  const table = tableOf(resource);
  const { name, kind, version } = table;
  tx.lock?.onWrite?.(resource, ids);
  await noteRemoved(tx, table, ids, (unread) => storedRows(tx, table, unread));
  if (version !== undefined && ids.length > 0) await invalidate(tx, version);
  for (const list of keyLists(ids)) {
    const idCondition = sql`id in (${sql.join(list)})`;
    const condition = kind === undefined ? idCondition : sql`${idCondition} and kind = ${kind}`;
    await deleteRows(tx, name as Changeable, condition);
  }
}
