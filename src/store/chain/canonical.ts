/**
 * The canonical form of records, of which their hashes are made.
 *
 * A record is written as JSON by the rules of RFC 8785: `{"journal":[{"basis":0,"date":…}]}`, its
 * table with its rows in the order of their key, each with its columns in the order of their names.
 * Columns without a value are left out, so that a column that is added later changes no hash.
 * Integers that may have more digits than a number holds are text of digits, bytes are base64.
 * Nothing of it depends on the database. `version` names these rules in every link.
 */
import { hash } from "node:crypto";
import type { Row, Value } from "../dialects/connection.ts";
import { tables } from "../schema/create.ts";
import { exactColumns } from "../schema/define.ts";
import type { ChainedTable } from "../schema/index.ts";

/** Of the rules above. */
export const version = 1;

/** A kind of record: the rows of a table, alone or those of one key together. */
export interface RecordKind {
  readonly table: ChainedTable;
  /** The columns by which a record is known, the first of the table's key after `org`. */
  readonly key: readonly string[];
  /** The columns that order the rows of one record, after `key`. */
  readonly order: readonly string[];
  /** Those that are hashed, in the order of their names. */
  readonly columns: readonly string[];
}

/** Every kind of record, in the order of their tables. */
export const recordKinds: readonly RecordKind[] = Object.keys(tables).sort().flatMap(kindFrom);

const kinds = new Map(recordKinds.map((kind) => [kind.table as string, kind]));

/** Undefined for a table whose rows are no records of the chain. */
export function recordKindOf(table: string): RecordKind | undefined {
  return kinds.get(table);
}

function kindFrom(table: string): readonly RecordKind[] {
  const definition = tables[table];
  if (definition === undefined) return [];
  const { chain } = definition;
  if (chain === "derived" || chain === "passing") return [];
  const whole = definition.key.slice(1);
  const key = typeof chain === "object" && "by" in chain ? chain.by : whole;
  const without = typeof chain === "object" && "without" in chain ? chain.without : [];
  const columns = Object.keys(definition.columns).filter((name) => !without.includes(name));
  return [
    {
      table: table as ChainedTable,
      key,
      order: whole.slice(key.length),
      columns: columns.sort(),
    },
  ];
}

/** Writes a row, whose columns are in the order of `columns`. */
export function rowWriter(kind: RecordKind, columns: readonly string[]): (row: Row) => string {
  const parts = kind.columns.flatMap((name) => {
    const at = columns.indexOf(name);
    return at < 0
      ? []
      : [{ at, head: `${JSON.stringify(name)}:`, isExact: exactColumns.has(name) }];
  });
  return (row) => {
    let text = "{";
    for (const { at, head, isExact } of parts) {
      const value = row[at] ?? null;
      if (value === null) continue;
      if (text.length > 1) text += ",";
      text += head;
      text += typeof value === "number" && !isExact ? value : textOf(value);
    }
    return `${text}}`;
  };
}

/** Text that stands in JSON as it is, as most does. */
const plain = /^[ !#-[\]-~]*$/;

function textOf(value: Exclude<Value, null>): string {
  if (typeof value === "string") {
    // A database keeps no half of a character, and has the sign for an unknown one in its place.
    return plain.test(value) ? `"${value}"` : JSON.stringify(value.toWellFormed());
  }
  if (typeof value === "number") return `"${value}"`;
  return JSON.stringify(Buffer.from(value).toString("base64"));
}

/** The hash of a record, of the text of its rows with commas between. */
export function hashOf({ table }: RecordKind, rows: string): string {
  return sha256(`{"${table}":[${rows}]}`);
}

/** SHA-256 as 32 characters, one for each byte: shorter in memory than as hexadecimal. */
export function sha256(text: string | Uint8Array): string {
  return hash("sha256", text, "binary");
}

export const hexOf = (bytes: string): string => Buffer.from(bytes, "latin1").toString("hex");
