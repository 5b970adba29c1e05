/** Statements that create the tables of the latest schema version. */
import { type Kysely, sql } from "kysely";
import { allTables } from "../schema/all-tables.ts";
import type { AnyTableDefinition, Index } from "../schema/define.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";

/** Creates the tables, inside a transaction that excludes all others. */
export async function createTables(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  made: Readonly<Record<string, AnyTableDefinition>> = allTables(),
): Promise<void> {
  for (const [name, table] of Object.entries(made)) {
    await createTable(db, dialect, name, table);
    for (const [index, definition] of Object.entries(table.indexes ?? {})) {
      await createIndex(db, dialect, name, index, definition);
    }
  }
}

async function createTable(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  name: string,
  table: AnyTableDefinition,
): Promise<void> {
  const { clustered, unlogged, rows } = table;
  const kind = unlogged ? `create ${dialect.unlogged} table` : "create table";
  await sql.raw(`${kind} ${tableText(dialect, name, table)}`).execute(db);
  if ("org" in table.columns && !unlogged) await dialect.distributeNew?.(db, name);
  if (rows === undefined) return;
  await dialect.expect(db, { table: name, index: undefined, clustered: clustered === true, rows });
}

/** The `create table` statement of a table, after its first words. */
export function tableText(
  dialect: StoreDialect,
  name: string,
  { key, columns, clustered }: AnyTableDefinition,
): string {
  const made = Object.entries(columns).map(([column, type]) => columnText(dialect, column, type));
  const keys = key.map((column) => `"${column}"`).join(", ");
  const end = dialect.tableEnd(clustered === true);
  const text = `"${name}" (${made.join(", ")}, constraint "${name}_key" primary key (${keys}))`;
  return end === "" ? text : `${text} ${end}`;
}

/** The definition of a column in SQL. */
export function columnText({ columnTypes }: StoreDialect, column: string, type: string): string {
  const kind = columnTypes[type.replace("?", "") as keyof typeof columnTypes];
  return `"${column}" ${kind}${type.endsWith("?") ? "" : " not null"}`;
}

export async function createIndex(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  table: string,
  name: string,
  index: Index,
): Promise<void> {
  const kind = index.unique ? "create unique index" : "create index";
  await sql.raw(`${kind} ${indexText(table, name, index)}`).execute(db);
  const { rows } = index;
  if (rows === undefined) return;
  await dialect.expect(db, { table, index: name, clustered: false, rows });
}

/** The `create index` statement of an index, after its first words. */
export function indexText(table: string, name: string, { columns, where }: Index): string {
  const names = columns.map((column) => `"${column}"`).join(", ");
  const condition = where === undefined ? "" : ` where ${where}`;
  return `"${name}" on "${table}" (${names})${condition}`;
}
