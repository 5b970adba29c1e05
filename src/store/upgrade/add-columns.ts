/** Adds missing tables, columns and indexes. */
import { type Kysely, sql } from "kysely";
import { allTables } from "../schema/all-tables.ts";
import type { AnyTableDefinition, Index } from "../schema/define.ts";
import type { Tables } from "../schema/index.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { columnText, createIndex, createTables } from "./create.ts";
import { lineOfIndex } from "./table-shape.ts";

/**
 * Creates missing tables, columns and indexes, and recreates indexes with other columns. Anything
 * else stays. A missing column that is not nullable cannot be added, and stays missing.
 */
export async function complete(
  db: Kysely<Tables>,
  dialect: StoreDialect,
  wanted: Readonly<Record<string, AnyTableDefinition>>,
): Promise<void> {
  const { lines } = await dialect.shape(db);
  const existingLines = new Set(lines);
  const known = allTables();
  for (const [name, table] of Object.entries(wanted)) {
    const { rows, indexes } = known[name] ?? {};
    if (!existingLines.has(`table ${name}`)) {
      await createTables(db, dialect, { [name]: { ...table, rows } });
      continue;
    }
    await addColumns(db, dialect, name, table.columns);
    for (const [index, it] of Object.entries(table.indexes ?? {})) {
      if (existingLines.has(lineOfIndex(name, index, it))) continue;
      await sql.raw(`drop index if exists "${index}"`).execute(db);
      const counted: Index = { ...it, rows: indexes?.[index]?.rows };
      await createIndex(db, dialect, name, index, counted);
    }
  }
}

/** Adds the missing nullable columns of a table. */
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
