/**
 * Converts a plain value to records with a derived description, so that every format can write it.
 */
import {
  boolean,
  type Field,
  type Fields,
  integer,
  many,
  one,
  type Resource,
  resource,
  text,
  texts,
} from "../../resources/field.ts";

type Entries = Readonly<Record<string, unknown>>;

/** Returns a resource for records that no service has, with all fields as columns. */
export function describedResource(name: string, fields: Fields): Resource {
  const columns = pathsOf(fields);
  const words = { noun: name.toLowerCase(), summary: "what a command did or found" };
  const options = { plural: `${name}s`, id: columns[0] ?? "", columns, ...words };
  return resource(name, fields, options);
}

/**
 * Returns resource and records of a value: a list as its records; a scalar as a record with the
 * field `Value`.
 */
export function describedValue(value: unknown): { resource: Resource; records: object[] } {
  const records = (Array.isArray(value) ? value : [value]).map((value) =>
    isEntries(value) ? value : { Value: value },
  );
  const fields = fieldsOf(records);
  return {
    resource: describedResource("Value", fields),
    records: records.map((value) => shapeRecord(fields, value)),
  };
}

/** Whether a value is an object; exact numbers made by `JSON.rawJSON` are not. */
function isEntries(value: unknown): value is Entries {
  if (typeof value !== "object" || value === null) return false;
  return !Array.isArray(value) && !("rawJSON" in value);
}

/** Converts a key to a valid name for XML elements and paths. */
const nameOf = (key: string) => key.replace(/[^\p{L}\p{N}_-]/gu, "").replace(/^(?!\p{L})/u, "_");

function nonEmptyFields(record: Entries): [name: string, value: unknown][] {
  return Object.entries(record).flatMap(([key, value]) =>
    value === undefined || value === null ? [] : [[nameOf(key), value]],
  );
}

function fieldsOf(records: readonly Entries[]): Fields {
  const byName = Map.groupBy(records.flatMap(nonEmptyFields), ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, array]) => [name, fieldOf(array.map(([, value]) => value))]),
  );
}

/** Returns the field kind that all values share; text where they differ. */
function fieldOf(values: readonly unknown[]): Field {
  if (values.every(Array.isArray)) {
    const elements: unknown[] = values.flat();
    const isRecords = elements.length > 0 && elements.every(isEntries);
    return isRecords ? many("Item", fieldsOf(elements)) : texts("Item");
  }
  if (values.every(isEntries)) return one(fieldsOf(values));
  if (values.every(Number.isSafeInteger)) return integer();
  return values.every((value) => typeof value === "boolean") ? boolean() : text();
}

function pathsOf(fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, field]) =>
    "fields" in field ? pathsOf(field.fields).map((path) => `${name}.${path}`) : [name],
  );
}

function shapeRecord(fields: Fields, record: Entries): object {
  return Object.fromEntries(
    nonEmptyFields(record).map(([name, value]) => [name, valueAs(fields[name] as Field, value)]),
  );
}

function valueAs(field: Field, value: unknown): unknown {
  if (field.kind === "one") return shapeRecord(field.fields, value as Entries);
  if (field.kind === "many") {
    return (value as Entries[]).map((value) => shapeRecord(field.fields, value));
  }
  if (field.kind === "texts") return (value as unknown[]).map(textOf);
  return field.kind === "text" ? textOf(value) : value;
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
