/** The shape of a record: what is selected for it, and how it is made of a row. */
import { type RawBuilder, sql } from "kysely";
import type { Row, Value } from "../connection/connection.ts";
import { placeOf, type Table } from "./tables.ts";

/** A record by the names of its fields; a field without a value is undefined. */
export type StoredRecord = Record<string, unknown>;

export interface RecordShape {
  /** What a record is made of, each under an alias. */
  readonly select: RawBuilder<unknown>;
  /** The references that `select` goes through. */
  readonly through: readonly string[];
  readonly decode: (row: Row) => StoredRecord;
  /** Which column of a row holds the value of each path. */
  readonly places: ReadonlyMap<string, number>;
}

/** The alias of the table that is read; those joined are called after their reference. */
export const self = "t";

/** A name as both dialects quote it. Names come from the descriptions, never from a caller. */
export function quoted(...names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(".");
}

const shapes = new Map<string, RecordShape>();

/** The shape of whole records. */
export function shapeOf(table: Table): RecordShape {
  const known = shapes.get(table.resource.name);
  if (known !== undefined) return known;
  const fields = table.columns.map(({ field }) => field);
  const shape = shapeFrom(table, fields);
  shapes.set(table.resource.name, shape);
  return shape;
}

/** The shape of records of which only these fields are read. */
export function shapeFrom(table: Table, fields: readonly string[]): RecordShape {
  const selected: string[] = [];
  const through = new Set<string>();
  const parts: ShapeColumn[] = [];
  for (const field of fields) {
    const description = table.column(field)?.description;
    const shown =
      description?.kind === "ref"
        ? (table.shows[field] ?? []).map((path) => `${field}.${path}`)
        : [field];
    for (const path of shown) {
      const place = placeOf(table, path);
      if (place === undefined) throw new Error(`The store keeps no ${path} to show.`);
      for (const reference of place.through) through.add(reference);
      const column = quoted(place.through.at(-1) ?? self, place.column.name);
      const { storage } = place.column;
      const value = storage.selectsText ? `cast(${column} as text)` : column;
      selected.push(`${value} as c${parts.length}`);
      parts.push({ path: path.split("."), decode: storage.decode });
    }
  }
  return {
    select: sql.raw(selected.join(", ")),
    through: [...through],
    decode: decoderOf(parts),
    places: new Map(parts.map(({ path }, at) => [path.join("."), at])),
  };
}

/** Which value of a record a column holds, in the order of the select. */
export interface ShapeColumn {
  /** Of the record or, one by one, of the objects in it. */
  readonly path: readonly string[];
  readonly decode?: ((value: Value) => unknown) | undefined;
}

/** As many rows of one shape are read before what reads them is compiled. */
const compiledFrom = 100;

/**
 * What makes records of rows; every field is in every record.
 *
 * Where many records of a shape are made, what makes them is written as source and compiled: an
 * object literal, so that they have one hidden class, and whatever reads them is quick as well. It
 * takes a fiftieth of the time of adding field after field, which ends in a hash table for each
 * record. The source holds names from the descriptions of this program, and nothing from outside.
 *
 * @param from  the column of the first part
 */
export function decoderOf(parts: readonly ShapeColumn[], from = 0): (row: Row) => StoredRecord {
  const members = membersOf(parts.map((part, at) => ({ ...part, at: at + from })));
  let read = 0;
  let make = (row: Row) => {
    read += 1;
    if (read === compiledFrom) make = compiled(members, parts, from);
    return assembled(members, row);
  };
  return (row) => make(row);
}

/** A member of a record: the value of a column or, with `within`, an object of several. */
interface ShapeMember {
  readonly name: string;
  readonly columns: readonly number[];
  readonly decode: ShapeColumn["decode"];
  readonly within: readonly ShapeMember[] | undefined;
}

function membersOf(parts: readonly (ShapeColumn & { readonly at: number })[]): ShapeMember[] {
  const byName = Map.groupBy(parts, ({ path }) => path[0] ?? "");
  return [...byName].map(([name, own]) => {
    const inner = own.filter(({ path }) => path.length > 1);
    return {
      name,
      columns: own.map(({ at }) => at),
      decode: own[0]?.decode,
      within:
        inner.length === 0
          ? undefined
          : membersOf(inner.map((part) => ({ ...part, path: part.path.slice(1) }))),
    };
  });
}

/** Field after field, for the few records that most commands read. */
function assembled(members: readonly ShapeMember[], row: Row): StoredRecord {
  const record: StoredRecord = {};
  for (const { name, columns, decode, within } of members) {
    const value = row[columns[0] ?? 0] ?? undefined;
    if (within !== undefined) {
      const isThere = columns.some((at) => (row[at] ?? null) !== null);
      record[name] = isThere ? assembled(within, row) : undefined;
    } else {
      record[name] = value === undefined || decode === undefined ? value : decode(value);
    }
  }
  return record;
}

function compiled(
  members: readonly ShapeMember[],
  parts: readonly ShapeColumn[],
  from: number,
): (row: Row) => StoredRecord {
  const source = `return (row) => (${literalOf(members)});`;
  const decoders = [...Array.from({ length: from }), ...parts.map(({ decode }) => decode)];
  return new Function("decoders", source)(decoders) as (row: Row) => StoredRecord;
}

/** The source of what `assembled` makes. */
function literalOf(members: readonly ShapeMember[]): string {
  const written = members.map(({ name, columns, decode, within }) => {
    const has = columns.map((at) => `row[${at}] != null`).join(" || ");
    const [at] = columns;
    const value =
      within !== undefined
        ? `${has} ? ${literalOf(within)} : undefined`
        : decode === undefined
          ? `row[${at}] ?? undefined`
          : `${has} ? decoders[${at}](row[${at}]) : undefined`;
    return `${JSON.stringify(name)}: ${value}`;
  });
  return `{ ${written.join(", ")} }`;
}
