/**
 * The canonical form of records, from which their hashes are computed.
 *
 * A record is a JSON array by the rules of RFC 8785: the name of its table, then its rows in the
 * order of their key, each an array of its columns in the order of the schema, to which columns are
 * only ever added at the end. Missing values at the end of a row are left out, so that a column
 * added later changes no hash. Integers that may exceed the safe range of a number are strings of
 * digits, bytes are base64. The form does not depend on the database.
 */
import { hash } from "node:crypto";
import type { Row, Value } from "../connection/connection.ts";
import { tables } from "../schema/all-tables.ts";
import {
  type DirectoryTableDefinition,
  isExact,
  isLongSome,
  type TableDefinition,
} from "../schema/define.ts";
import { directoryTables } from "../schema/definitions/directory-tables.ts";
import type { ChainedTable } from "../schema/index.ts";
import { serverKey } from "../tx/tx.ts";

/** A kind of record: the rows of a table, alone or those of one key together. */
export interface RecordKind {
  readonly table: ChainedTable;
  /** Whether the table lacks the column `org`, as only tables in the chain of a server do. */
  readonly isOfServer: boolean;
  /** The columns of the record's key: the first columns of the table's key after `org`. */
  readonly key: readonly string[];
  /** The columns that order the rows of one record, after `key`. */
  readonly order: readonly string[];
  /** The columns included in the hash, in their order. */
  readonly columns: readonly string[];
}

const definitions: Readonly<Record<string, TableDefinition | DirectoryTableDefinition>> = {
  ...tables,
  ...directoryTables,
};

/** Every kind of record, in the order of their tables. */
export const recordKinds: readonly RecordKind[] = Object.keys(definitions).sort().flatMap(kindFrom);

/** The kinds of record in the chain of an organisation, or of the server (organisation 0). */
export const kindsOf = (org: number): readonly RecordKind[] =>
  recordKinds.filter(({ isOfServer }) => !isOfServer || org === serverKey);

const kindByTable = new Map(recordKinds.map((kind) => [kind.table as string, kind]));

/** Finds the kind of record of a table; undefined for tables outside the hash chain. */
export function recordKindOf(table: string): RecordKind | undefined {
  return kindByTable.get(table);
}

function kindFrom(table: string): readonly RecordKind[] {
  const definition = definitions[table];
  if (definition === undefined) return [];
  const { chain } = definition;
  if (chain === "derived" || chain === "passing") return [];
  const isOfServer = table in directoryTables;
  const keyColumns = definition.key.slice(isOfServer ? 0 : 1);
  const key = typeof chain === "object" && "by" in chain ? chain.by : keyColumns;
  const excluded = typeof chain === "object" && "without" in chain ? chain.without : [];
  const columns = Object.keys(definition.columns).filter((name) => !excluded.includes(name));
  const order = keyColumns.slice(key.length);
  return [{ table: table as ChainedTable, isOfServer, key, order, columns }];
}

/** Whether the column at this place of the record key holds integers. */
export const isInteger = ({ table, key }: RecordKind, at: number): boolean =>
  definitions[table]?.columns[key[at] ?? ""] === "integer";

/** A row in the form in which it is hashed. */
export type CanonicalRow = readonly (string | number | null)[];

/**
 * Returns a function that turns rows, with columns in the order of `rowColumns`, into canonical
 * rows.
 */
export function canonicalRows(
  kind: RecordKind,
  rowColumns: readonly string[],
): (row: Row) => CanonicalRow {
  const positions = kind.columns.map((name) => rowColumns.indexOf(name));
  const areExact = kind.columns.map((name) => isExact(kind.table, name));
  const areLongSome = kind.columns.map((name) => isLongSome(kind.table, name));
  return (row) => {
    let length = positions.length;
    while (length > 0 && (row[positions[length - 1] as number] ?? null) === null) length -= 1;
    const values = new Array<string | number | null>(length);
    for (let at = 0; at < length; at += 1) {
      const cell = row[positions[at] as number] ?? null;
      const isShort = areLongSome[at] && Number.isSafeInteger(Number(cell));
      const value = isShort && cell !== null ? Number(cell) : cell;
      values[at] =
        typeof value === "string" || (typeof value === "number" && (isShort || !areExact[at]))
          ? value
          : scalarOf(value);
    }
    return values;
  };
}

function scalarOf(value: Value): string | null {
  if (value === null) return null;
  return value instanceof Uint8Array ? Buffer.from(value).toString("base64") : String(value);
}

/** The text that is hashed for a record. */
export function canonicalText({ table }: RecordKind, rows: readonly CanonicalRow[]): string {
  const text = JSON.stringify([table, ...rows]);
  // Databases store half a surrogate pair as U+FFFD, so it is hashed as U+FFFD too.
  return text.includes("\\ud") ? JSON.stringify([table, ...rows.map(wellFormed)]) : text;
}

const wellFormed = (row: CanonicalRow): CanonicalRow =>
  row.map((value) => (typeof value === "string" ? value.toWellFormed() : value));

/** The hash of a record. */
export function hashOf(kind: RecordKind, rows: readonly CanonicalRow[]): string {
  return sha256(canonicalText(kind, rows));
}

/** SHA-256 as a string of 32 characters, one for each byte: shorter in memory than hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "binary");
}

export const hexOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex");
