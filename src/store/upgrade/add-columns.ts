/** Adds to tables what they lack of others. */
import { type Kysely, sql } from "kysely";
import { allTables } from "../schema/all-tables.ts";
import type { AnyTableDefinition, Index } from "../schema/define.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { columnText, createIndex, createTables } from "./create.ts";
import { lineOfIndex } from "./table-shape.ts";

/**
 * Makes the tables, columns and indexes that are missing, and anew the indexes that have other columns.
 * What else there is stays. A column that may not be empty cannot be added, and stays missing.
 */
export async function complete(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  wanted: Readonly<Record<string, AnyTableDefinition>>,
): Promise<void> {
  const { lines } = await dialect.shape(db);
  const found = new Set(lines);
  const known = allTables();
  for (const [name, table] of Object.entries(wanted)) {
    const { rows, indexes } = known[name] ?? {};
    if (!found.has(`table ${name}`)) {
      await createTables(db, dialect, { [name]: { ...table, rows } });
      continue;
    }
    await addColumns(db, dialect, name, table.columns);
    for (const [index, it] of Object.entries(table.indexes ?? {})) {
      if (found.has(lineOfIndex(name, index, it))) continue;
      await sql.raw(`drop index if exists "${index}"`).execute(db);
      const counted: Index = { ...it, rows: indexes?.[index]?.rows };
      await createIndex(db, dialect, name, index, counted);
    }
  }
}

/** Adds the columns that a table lacks and that may be empty. */
export async function addColumns(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  table: string,
  columns: Readonly<Record<string, string>>,
): Promise<void> {
  const { lines } = await dialect.shape(db);
  for (const [column, type] of Object.entries(columns)) {
    const isThere = lines.some((line) => line.startsWith(`column ${table}.${column} `));
    if (isThere || !type.endsWith("?")) continue;
    const text = columnText(dialect, column, type);
    await sql.raw(`alter table "${table}" add column ${text}`).execute(db);
  }
}
