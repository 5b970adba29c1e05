/** The words in which migrations are written, over both dialects. */
import { type Kysely, sql } from "kysely";
import type { StoreDialect } from "../dialect.ts";
import type { Tables } from "../schema.ts";

/** Runs inside a transaction, with nobody else in the store. */
export type Migration = (db: Kysely<Tables>, dialect: StoreDialect) => Promise<void>;

/** `?` marks a column that may have no value. */
type ColumnType = "text" | "text?" | "integer" | "integer?" | "bytes";

interface Definition {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  /** Rows are short and read in the order of their key. */
  readonly clustered?: true;
  /** What it holds may be lost when the database fails. */
  readonly fleeting?: true;
  readonly rows: Rows;
}

export interface TableDefinition extends Definition {
  /** The primary key; its first column is `org` in every table of an organisation. */
  readonly key: readonly ["org", ...string[]];
}

/** A table of the directory, which belongs to a server and to no organisation. */
export interface DirectoryTableDefinition extends Definition {
  readonly key: readonly string[];
}

/**
 * How many rows of a large book there are, then how many of them share the first column of a key
 * or index, the first two, and so on.
 *
 * The first column is the organisation, which all rows of a book share. A planner that is not told
 * takes it for a choice, and reads a whole book in the order of its ids to find one number.
 */
type Rows = readonly number[];

export function createTable(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  { columns, ...definition }: TableDefinition,
): Promise<void> {
  return createDirectoryTable(db, dialect, {
    ...definition,
    columns: { org: "integer", ...columns },
  });
}

export async function createDirectoryTable(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  { name, key, columns, clustered, fleeting, rows }: DirectoryTableDefinition,
): Promise<void> {
  let table = db.schema.createTable(name);
  if (fleeting) table = table.modifyFront(sql.raw(dialect.fleeting));
  for (const [column, type] of Object.entries(columns)) {
    const kind = type.replace("?", "") as "text" | "integer" | "bytes";
    table = table.addColumn(column, sql.raw(dialect.columnTypes[kind]), (it) =>
      type.endsWith("?") ? it : it.notNull(),
    );
  }
  await table
    .addPrimaryKeyConstraint(`${name}_key`, [...key] as never[])
    .modifyEnd(sql.raw(dialect.tableEnd(clustered === true)))
    .execute();
  await dialect.expect(db, { table: name, index: undefined, clustered: clustered === true, rows });
}

/** Adds columns to a table that has rows; none of the new may be required. */
export async function addColumns(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  table: string,
  columns: Readonly<Record<string, "text?" | "integer?">>,
): Promise<void> {
  for (const [column, type] of Object.entries(columns)) {
    const kind = type === "text?" ? "text" : "integer";
    await db.schema
      .alterTable(table)
      .addColumn(column, sql.raw(dialect.columnTypes[kind]))
      .execute();
  }
}

export interface IndexDefinition extends DirectoryIndexDefinition {
  /** The first is `org` in every index of an organisation. */
  readonly columns: readonly ["org", ...string[]];
}

export interface DirectoryIndexDefinition {
  readonly name: string;
  readonly on: string;
  readonly columns: readonly string[];
  readonly unique?: true;
  /** Only the rows that meet this condition, in SQL without parameters. */
  readonly where?: string;
  readonly rows: Rows;
}

export async function createIndex(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  { name, on, columns, unique, where, rows }: DirectoryIndexDefinition,
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.ref(column)));
  const condition = where === undefined ? sql`` : sql` where ${sql.raw(where)}`;
  const kind = unique ? sql`unique index` : sql`index`;
  await sql`create ${kind} ${sql.ref(name)} on ${sql.ref(on)} (${names})${condition}`.execute(db);
  await dialect.expect(db, { table: on, index: name, clustered: false, rows });
}
