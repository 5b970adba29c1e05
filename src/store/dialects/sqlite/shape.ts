/**
 * The shape of the tables, read from SQLite: the statements that created them, with later
 * alterations.
 */

import type { StoredShape } from "../../tx/dialect.ts";
import { lineOfIndex } from "../../upgrade/table-shape.ts";

/** Condition that excludes objects SQLite creates for itself. */
const own = "name not in ('sqlite_stat1', 'sqlite_stat4') and name not like 'sqlite_autoindex_%'";

/** A row of `selectShape`; the statement is null for objects SQLite created by itself. */
export interface ShapeRow {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
  /** The schema version, which changes with each change of the tables. */
  readonly stamp: number;
}

export const selectShape = `select type, name, tbl_name, sql, schema_version as stamp
  from sqlite_schema, pragma_schema_version where ${own}`;

/** All statements as one text, by the names of what they created. */
export interface WholeSchema {
  readonly text: string;
  readonly stamp: number;
}

export const selectWhole = `select group_concat(sql, char(10) order by name) as text,
  schema_version as stamp from sqlite_schema, pragma_schema_version where ${own}`;

/** The same text of a new book; the bundler inserts it, from `creationStatements`. */
declare const CREATED: string | undefined;

export const createdText: string | undefined = typeof CREATED === "undefined" ? undefined : CREATED;

/**
 * Computes the shape of the tables.
 * @param expectedShape  as `StoreDialect.shape` takes it
 */
export function shapeOf(
  rows: readonly ShapeRow[],
  expectedShape?: ReadonlyMap<string, unknown>,
): Pick<StoredShape, "lines" | "asMade"> {
  const linesAsMade = new Set<string>();
  const lines: string[] = [];
  for (const row of rows) {
    const text = statementOf(row);
    if (expectedShape?.has(text)) linesAsMade.add(text);
    else lines.push(...linesOfRow(row));
  }
  return { lines, asMade: linesAsMade };
}

/** The lines of the shape for a row of `selectShape`. */
function linesOfRow({ type, name, tbl_name: table, sql }: ShapeRow): readonly string[] {
  if (type === "table") return linesOfTable(name, sql ?? "");
  if (type === "index") return [lineOf(name, table, sql ?? "")];
  return [type === "trigger" ? `trigger ${name} on ${table}` : `${type} ${name}`];
}

/** The statement of a row as given, without its first word. */
const statementOf = ({ sql }: ShapeRow): string =>
  (sql ?? "").replace(/^CREATE (TABLE|UNIQUE INDEX|INDEX)/, (_, kind: string) =>
    kind.toLowerCase(),
  );

const tablePattern = /^create table "?\w+"? \((.*)\) strict(?:, without rowid)?$/is;
const columnPattern = /^"?(\w+)"?(?:\s+(text|integer|blob))?(\s+not null)?(.*)$/is;
const keyPattern = /^constraint "?\w+"? primary key \((.*)\)$/is;

function linesOfTable(name: string, text: string): string[] {
  const inside = tablePattern.exec(text)?.[1];
  if (inside === undefined) return [`table ${name}`, `table ${name} (made by another program)`];
  const parts = inside.split(/,(?![^(]*\))/).map((columnText) => {
    const text = columnText.trim();
    const key = keyPattern.exec(text)?.[1];
    if (key !== undefined) return `key ${name} (${namesIn(key)})`;
    const [, column, type = "", notNull = "", rest = ""] = columnPattern.exec(text) ?? [];
    const kind = type.toLowerCase().replace("blob", "bytes");
    return `column ${name}.${column} ${kind}${notNull.toLowerCase()}${rest}`.trimEnd();
  });
  return [`table ${name}`, ...parts];
}

const indexPattern =
  /^create (unique )?index "?\w+"? on "?\w+"? ?\(((?:[^()]|\([^)]*\))*)\)(?: where (.*))?$/is;

function lineOf(name: string, table: string, text: string): string {
  const [match, unique, columns = "", where] = indexPattern.exec(text) ?? [];
  if (match === undefined) return `index ${name} on ${table} (made by another program)`;
  const index = { columns: namesIn(columns).split(", "), where };
  return lineOfIndex(table, name, unique === undefined ? index : { ...index, unique: true });
}

const namesIn = (list: string): string => list.replaceAll('"', "").replace(/\s*,\s*/g, ", ");
