/**
 * Columns of tables, CSV and JSON: which fields of a record are shown.
 *
 * A column is a dotted path through the resource description (`Contact.Name`), in any letter case
 * and also in kebab case, like the flags. A path may lead through a list (`LineItems.Description`);
 * its cell then holds the values of all elements.
 */
import { inDigitsOf } from "../resources/common.ts";
import { UsageError } from "../resources/errors.ts";
import {
  type Field,
  type FieldOf,
  type Fields,
  fieldNamed,
  type Kind,
  type Resource,
} from "../resources/field.ts";
import { nearest } from "../resources/scalar.ts";
import { plainValue } from "../wire/plain.ts";

export interface FieldColumn {
  /** Canonical path, which is also the heading. */
  readonly path: string;
  /** Field at the end of the path. */
  readonly field: Field;
  /** Whether the path leads through a list, so that `read` gives a list. */
  readonly listed: boolean;
  /** Value of the column in a record; undefined where the record has none. */
  read(record: unknown): unknown;
}

/**
 * Resolves the columns asked for, or the default columns of the resource; `*` is every field.
 *
 * @throws UsageError `UnknownColumn`, naming the nearest
 */
export function columnsOf(resource: Resource, paths?: readonly string[]): readonly FieldColumn[] {
  const namedPaths = (paths ?? resource.columns).flatMap((path) =>
    path === everyField ? Object.keys(resource.fields) : [path],
  );
  return namedPaths.map((path) => columnAt(resource, path));
}

/** Path of `--columns` that stands for every field of a record. */
export const everyField = "*";

/**
 * Columns of a table for people: of its default columns the handle stands for the id, or the
 * beginning of the id where a service gives no handles.
 *
 * @param paths     columns asked for, which are shown as they are
 * @param defaults  default columns of the table
 */
export function columnsShown(
  resource: Resource,
  paths?: readonly string[],
  defaults = resource.columns,
): readonly FieldColumn[] {
  const columns = columnsOf(resource, paths ?? defaults);
  if (paths !== undefined || !defaults.includes("Handle")) return columns;
  return columns
    .filter(({ path }) => path !== resource.id)
    .map((column) =>
      column.path === "Handle" ? { ...column, read: (each) => shortName(resource, each) } : column,
    );
}

/** Short name of a record: its handle, else the first 8 digits of its id. */
function shortName({ id }: Resource, record: unknown): unknown {
  return valueIn(record, "Handle") ?? String(valueIn(record, id) ?? "").slice(0, 8);
}

/** Lists all paths that `--columns` accepts, for completion and suggestions. */
function columnPaths(fields: Fields, depth = 2): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const nestedFields = innerFields(field);
    if (!nestedFields || depth <= 1) return [name];
    return [name, ...columnPaths(nestedFields, depth - 1).map((path) => `${name}.${path}`)];
  });
}

/**
 * Reduces a resource description to some columns, in their order, so that output written from it
 * contains only these fields.
 */
export function narrowFields(fields: Fields, columns: readonly FieldColumn[]): Fields {
  const byHead = new Map<string, string[]>();
  for (const { path } of columns) {
    const [head = "", ...rest] = path.split(".");
    const tails = byHead.get(head) ?? [];
    byHead.set(head, [...tails, rest.join(".")]);
  }
  return Object.fromEntries(
    [...byHead].map(([head, tails]) => [head, narrow(fields[head]!, tails)]),
  );
}

/**
 * Reduces a field to some of its inner fields.
 *
 * @param tails  paths inside the field; an empty path selects the whole field
 */
function narrow(field: Field, tails: readonly string[]): Field {
  const nestedFields = innerFields(field);
  if (!nestedFields || tails.includes("")) return field;
  const columns = tails.map((tail) => resolveColumn(nestedFields, tail.split(".")) as FieldColumn);
  return { ...field, fields: narrowFields(nestedFields, columns) } as Field;
}

function columnAt(resource: Resource, path: string): FieldColumn {
  const column = resolveColumn(resource.fields, path.trim().split("."));
  if (column) return column;
  const suggestion = nearest(path.trim(), columnPaths(resource.fields));
  const remedy =
    suggestion === undefined
      ? `It has ${Object.keys(resource.fields).join(", ")}.`
      : `Did you mean ${suggestion}?`;
  throw new UsageError("UnknownColumn", `${resource.name} has no column "${path}". ${remedy}`);
}

function resolveColumn(
  fields: Fields,
  [head = "", ...rest]: readonly string[],
): FieldColumn | undefined {
  const name = fieldNamed(fields, head) ?? fieldNamed(fields, head.replaceAll("-", ""));
  const field = name === undefined ? undefined : fields[name];
  if (name === undefined || field === undefined) return undefined;
  if (rest.length === 0) {
    return { path: name, field, listed: false, read: (record) => valueIn(record, name) };
  }
  const nestedFields = innerFields(field);
  const tail = nestedFields && resolveColumn(nestedFields, rest);
  if (!tail) return undefined;
  const path = `${name}.${tail.path}`;
  if (field.kind !== "many") {
    return { ...tail, path, read: (record) => tail.read(valueIn(record, name)) };
  }
  return {
    path,
    field: tail.field,
    listed: true,
    read: (record) => {
      const list = valueIn(record, name);
      if (!Array.isArray(list)) return undefined;
      const values = tail.listed ? list.flatMap(tail.read) : list.map(tail.read);
      return values.filter((value) => value !== undefined);
    },
  };
}

/** Inner fields of an object or list field; undefined for a single value. */
function innerFields(field: Field): Fields | undefined {
  return "fields" in field ? field.fields : undefined;
}

function valueIn(record: unknown, name: string): unknown {
  if (typeof record !== "object" || record === null) return undefined;
  return (record as Readonly<Record<string, unknown>>)[name];
}

type Writers = { [K in Kind]: (field: FieldOf<K>, value: unknown) => string };

const plainText = (field: Field, value: unknown) => plainValue(field, value);
const listIn = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const writers = {
  id: plainText,
  text: plainText,
  choice: plainText,
  boolean: plainText,
  integer: plainText,
  date: plainText,
  timestamp: plainText,
  money: plainText,
  unitAmount: plainText,
  quantity: plainText,
  percent: plainText,
  rate: plainText,
  ref: (field, value) => String(valueIn(value, "Handle") ?? plainValue(field, value)),
  one: (field, value) => joinMembers(field.fields, value),
  many: (field, value) =>
    listIn(value)
      .map((element) => joinMembers(field.fields, element))
      .join(", "),
  texts: plainText,
} satisfies Writers;

/** Text of a value, empty for undefined. Control characters are not yet escaped for a terminal. */
export function valueText(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  const writer = writers[field.kind] as (field: Field, value: unknown) => string;
  return writer(field, value);
}

/**
 * Text of a column in one record.
 *
 * @param text  formats one value; for people when not given
 */
export function cellText(column: FieldColumn, record: unknown, text = valueText): string {
  const value = column.read(record);
  const write = (element: unknown) => inCurrencyDigits(record, column, text(column.field, element));
  if (!column.listed || !Array.isArray(value)) return write(value);
  return value.map(write).join(", ");
}

/** Drops the decimals of an amount in a currency without decimal places. */
function inCurrencyDigits(record: unknown, { field: { kind } }: FieldColumn, text: string): string {
  if (kind !== "money" && kind !== "unitAmount") return text;
  const code = valueIn(record, "CurrencyCode");
  return typeof code === "string" ? inDigitsOf(code, text) : text;
}

/** Whether cells of a kind are right-aligned and never truncated. */
export const isNumeric: Readonly<Record<Kind, boolean>> = {
  id: false,
  text: false,
  choice: false,
  boolean: false,
  integer: true,
  date: false,
  timestamp: false,
  money: true,
  unitAmount: true,
  quantity: true,
  percent: true,
  rate: true,
  ref: false,
  one: false,
  many: false,
  texts: false,
};

/** Joins the values of an object that are not empty, in the order of its fields: `Region:North`. */
function joinMembers(fields: Fields, value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const record = value as Readonly<Record<string, unknown>>;
  const present = Object.entries(fields).filter(([name]) => isPresent(record[name]));
  const telling = present.filter(([, field]) => field.kind !== "id");
  return (telling.length > 0 ? telling : present)
    .map(([name, field]) => valueText(field, record[name]))
    .filter((text) => text !== "")
    .join(":");
}

/** Whether a value is neither undefined, nor empty text, nor an empty list. */
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.values(value).some(isPresent);
}
