/** The shape of a record: its select clause, and the decoder that makes it from a row. */
import { type RawBuilder, sql } from "kysely";
import type { Row, Value } from "../connection/connection.ts";
import { placeOf, type Table } from "./tables.ts";

/** A stored record by field names; a field without a value is undefined. */
export type StoredRecord = Record<string, unknown>;

export interface RecordShape {
  /** The select list: the columns of a record, each under an alias. */
  readonly select: RawBuilder<unknown>;
  /** The references that the select list joins. */
  readonly through: readonly string[];
  readonly decode: (row: Row) => StoredRecord;
  /** Position in the row of the value of each field path. */
  readonly positions: ReadonlyMap<string, number>;
}

/** Alias of the main table; joined tables are named after their reference. */
export const self = "t";

/**
 * A quoted SQL name, the same in both dialects. Names come from descriptions, never from a caller.
 */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(".");
}

const shapeByResource = new Map<string, RecordShape>();

/** The shape of whole records. */
export function shapeOf(table: Table): RecordShape {
  const cachedShape = shapeByResource.get(table.resource.name);
  if (cachedShape !== undefined) return cachedShape;
  const fields = table.columns.map(({ field }) => field);
  const shape = shapeFrom(table, fields);
  shapeByResource.set(table.resource.name, shape);
  return shape;
}

/** The shape of records of which only the given fields are read. */
export function shapeFrom(table: Table, fields: readonly string[]): RecordShape {
  const selected: string[] = [];
  const throughPaths = new Set<string>();
  const parts: ShapeColumn[] = [];
  for (const field of fields) {
    const description = table.column(field)?.description;
    const shownPaths =
      description?.kind === "ref"
        ? (table.shows[field] ?? []).map((path) => `${field}.${path}`)
        : [field];
    for (const path of shownPaths) {
      const columnPath = placeOf(table, path);
      if (columnPath === undefined) throw new Error(`The store keeps no ${path} to show.`);
      for (const reference of columnPath.through) throughPaths.add(reference);
      const column = quoted(columnPath.through.at(-1) ?? self, columnPath.column.name);
      const { storage } = columnPath.column;
      const value = storage.selectsText ? `cast(${column} as text)` : column;
      selected.push(`${value} as c${parts.length}`);
      parts.push({ path: path.split("."), decode: storage.decode });
    }
  }
  return {
    select: sql.raw(selected.join(", ")),
    through: [...throughPaths],
    decode: decoderOf(parts),
    positions: new Map(parts.map(({ path }, at) => [path.join("."), at])),
  };
}

/** A column of the select list, with the field path it fills. */
export interface ShapeColumn {
  /** Path of the field: names from the record down through nested objects. */
  readonly path: readonly string[];
  readonly decode?: ((value: Value) => unknown) | undefined;
}

/** Number of rows of a shape after which its decoder is compiled. */
const compiledFrom = 100;

/**
 * Returns the function that decodes rows to records; every record has every field.
 *
 * For a shape with many rows the decoder is generated as source and compiled: an object literal, so
 * that all records share one hidden class and are fast to read. It takes a fiftieth of the time of
 * adding field after field, which ends in a hash table for each record. The source holds names from
 * the descriptions of this program, and nothing from outside.
 *
 * @param startAt  position in the row of the first part
 */
export function decoderOf(parts: readonly ShapeColumn[], startAt = 0): (row: Row) => StoredRecord {
  const members = membersOf(parts.map((shapeColumn, at) => ({ ...shapeColumn, at: at + startAt })));
  let position = 0;
  let makeRecord = (row: Row) => {
    position += 1;
    if (position === compiledFrom) makeRecord = compileReader(members, parts, startAt);
    return assemble(members, row);
  };
  return (row) => makeRecord(row);
}

/** A member of a decoded record: the value of a column or, with `within`, a nested object. */
interface ShapeMember {
  readonly name: string;
  readonly columns: readonly number[];
  readonly decode: ShapeColumn["decode"];
  readonly within: readonly ShapeMember[] | undefined;
}

function membersOf(parts: readonly (ShapeColumn & { readonly at: number })[]): ShapeMember[] {
  const byName = Map.groupBy(parts, ({ path }) => path[0] ?? "");
  return [...byName].map(([name, own]) => {
    const innerColumns = own.filter(({ path }) => path.length > 1);
    return {
      name,
      columns: own.map(({ at }) => at),
      decode: own[0]?.decode,
      within:
        innerColumns.length === 0
          ? undefined
          : membersOf(innerColumns.map((column) => ({ ...column, path: column.path.slice(1) }))),
    };
  });
}

/** Decodes a record field by field, for the few records that most commands read. */
function assemble(members: readonly ShapeMember[], row: Row): StoredRecord {
  const record: StoredRecord = {};
  for (const { name, columns, decode, within } of members) {
    const value = row[columns[0] ?? 0] ?? undefined;
    if (within !== undefined) {
      const hasValues = columns.some((at) => (row[at] ?? null) !== null);
      record[name] = hasValues ? assemble(within, row) : undefined;
    } else {
      record[name] = value === undefined || decode === undefined ? value : decode(value);
    }
  }
  return record;
}

function compileReader(
  members: readonly ShapeMember[],
  parts: readonly ShapeColumn[],
  startIndex: number,
): (row: Row) => StoredRecord {
  const source = `return (row) => (${literalOf(members)});`;
  const decoders = [...Array.from({ length: startIndex }), ...parts.map(({ decode }) => decode)];
  return new Function("decoders", source)(decoders) as (row: Row) => StoredRecord;
}

/** Generates the source of a decoder equivalent to `assemble`. */
function literalOf(members: readonly ShapeMember[]): string {
  const memberTexts = members.map(({ name, columns, decode, within }) => {
    const hasValues = columns.map((at) => `row[${at}] != null`).join(" || ");
    const [at] = columns;
    const value =
      within !== undefined
        ? `${hasValues} ? ${literalOf(within)} : undefined`
        : decode === undefined
          ? `row[${at}] ?? undefined`
          : `${hasValues} ? decoders[${at}](row[${at}]) : undefined`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `{ ${memberTexts.join(", ")} }`;
}
