/**
 * Tables of resources: one for each resource, with a column per field, derived from the
 * description.
 *
 * A column has its field's name in lower case with underscores; a reference stores the id of its
 * target in `…_id`; objects and lists are JSON; computed fields have no column. The record's own id
 * is always `id`. Further settings are in `table-mapping.ts`.
 */
import { longFrom } from "../../resources/decimal.ts";
import { type Field, fieldAt, type Kind, type Resource } from "../../resources/field.ts";
import { fold } from "../../wire/fold.ts";
import type { FilterField } from "../../wire/query/tree.ts";
import type { Value } from "../connection/connection.ts";
import { newSalt } from "./salt.ts";
import { type Settings, settings } from "./table-mapping.ts";

export type { StoredFields } from "./table-mapping.ts";

// -------------------------------------------------------------------------------------------------
// Kinds

/** How values of one kind are stored in a column. */
export interface Storage {
  readonly type: "text" | "integer";
  encode(value: unknown, field: string): Value;
  /**
   * Whether the column is selected as text, since an integer may exceed the safe range of a number.
   */
  readonly selectsText?: true;
  /** Decodes a column value; absent when the record has the same value. */
  readonly decode?: (value: Value) => unknown;
  /** Field kind for where and order; absent when they may not use the field. */
  readonly filter?: FilterField["kind"];
  /** Decimal places of a decimal. */
  readonly scale?: number;
}

function encodeText(value: unknown, field: string): string {
  if (typeof value === "string") return value;
  throw new TypeError(`${field} must be text, not ${typeof value}.`);
}

/**
 * Checks the integer again before it is written, since a column of integers would store 0.1
 * unchanged.
 */
function encodeInteger(value: unknown, field: string): number {
  if (Number.isSafeInteger(value)) return value as number;
  throw new TypeError(`${field} must be an integer, not ${String(value)}.`);
}

const decimal = (scale: number): Storage => ({
  type: "integer",
  encode: encodeInteger,
  filter: "decimal",
  scale,
});

/**
 * Storage of decimals beyond the safe integers: read as text, and written as text when so long.
 */
const long = (scale: number): Storage => ({
  ...decimal(scale),
  encode: (value, field) =>
    typeof value === "bigint" ? String(value) : encodeInteger(value, field),
  decode: (value) => longFrom(value as string),
  selectsText: true,
});

const isLong = (value: unknown): value is { readonly long: string } =>
  typeof value === "object" && value !== null && "long" in value;

/** JSON text in which integers of any length are preserved. */
export const jsonText = (value: unknown): string =>
  JSON.stringify(value, (_name, value: unknown) =>
    typeof value === "bigint" ? { long: String(value) } : value,
  );

/** Parses the text written by `jsonText`. */
export const jsonValue = (text: string): unknown =>
  text.includes('{"long":"')
    ? JSON.parse(text, (_name, value: unknown) => (isLong(value) ? BigInt(value.long) : value))
    : JSON.parse(text);

const json: Storage = {
  type: "text",
  encode: jsonText,
  decode: (value) => (value === "[]" ? [] : jsonValue(value as string)),
};

const storages = {
  id: { type: "text", encode: encodeText, filter: "id" },
  text: { type: "text", encode: encodeText, filter: "text" },
  choice: { type: "text", encode: encodeText, filter: "choice" },
  boolean: {
    type: "integer",
    encode: (value) => (value === true ? 1 : 0),
    decode: (value) => value === 1,
    filter: "boolean",
  },
  integer: { type: "integer", encode: encodeInteger, filter: "integer" },
  date: { type: "text", encode: encodeText, filter: "date" },
  timestamp: { type: "integer", encode: encodeInteger, filter: "timestamp" },
  money: decimal(2),
  unitAmount: decimal(4),
  quantity: decimal(4),
  percent: decimal(4),
  rate: long(6),
  // The column of a reference stores an id; `refColumn` names it.
  ref: { type: "text", encode: encodeText, filter: "id" },
  one: json,
  many: json,
  texts: json,
} satisfies Record<Kind, Storage>;

const longQuantity = long(4);

/** Storage of handles, folded as searches take them. */
const handleStorage: Storage = {
  ...storages.text,
  encode: (value, field) => fold(encodeText(value, field)),
  decode: (value) => (value as string).toUpperCase(),
};

/** The storage of a field. A quantity with given decimals may exceed the safe integers. */
export const storageOf = (field: Field): Storage => {
  if (field.kind === "text" && field.handle !== undefined) return handleStorage;
  return field.kind === "quantity" && field.digits !== undefined
    ? longQuantity
    : storages[field.kind];
};

/** Encodes a field's value for its column; undefined and null become null. */
export function encodeColumn(field: Field, value: unknown, name: string): Value {
  if (value === undefined || value === null) return null;
  return storageOf(field).encode(value, name);
}

// -------------------------------------------------------------------------------------------------
// Tables

export interface Column {
  /** Name of the field. */
  readonly field: string;
  /** Name of the column. */
  readonly name: string;
  readonly description: Field;
  readonly storage: Storage;
  /** Name of the column with the folded text: its own where the text is stored folded. */
  readonly folded: string | undefined;
  /** Whether the column is written only when the record is created. */
  readonly isOnce: boolean;
}

export interface Table {
  readonly resource: Resource;
  readonly name: string;
  /** The value of `kind` for the resource, in a shared table. */
  readonly kind: string | undefined;
  /** The values of `type` for a view of some records of a kind. */
  readonly types: readonly string[] | undefined;
  readonly columns: readonly Column[];
  /** The column of a field; undefined when the field is not stored. */
  column(field: string): Column | undefined;
  /** Displayed field paths of each reference, by its name. */
  readonly shows: Readonly<Record<string, readonly string[]>>;
  readonly unique: NonNullable<Settings["unique"]>;
  readonly salted: Settings["salted"];
  readonly version: Settings["version"];
}

/** The column name of a field: `DueDate` is `due_date`, `UpdatedDateUTC` is `updated_date_utc`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase();
}

/**
 * Derives the table of a resource; columns are derived at first use, since a list shows few of
 * them.
 */
function tableFrom(setting: Settings): Table {
  const { resource, shared } = setting;
  const columnByField = new Map<string, Column>();
  const column = (field: string): Column | undefined => {
    const knownColumn = columnByField.get(field);
    if (knownColumn !== undefined) return knownColumn;
    const description = resource.fields[field] ?? setting.hidden?.[field];
    if (description === undefined || description.computed === true) return undefined;
    const newColumn = columnFrom(setting, field, description);
    columnByField.set(field, newColumn);
    return newColumn;
  };
  let columns: readonly Column[] | undefined;
  return {
    resource,
    name: setting.table,
    kind: shared === true ? resource.name : shared?.kind,
    types: shared === true ? undefined : shared?.types,
    get columns() {
      const fields = [...Object.keys(resource.fields), ...Object.keys(setting.hidden ?? {})];
      columns ??= fields.map(column).filter((column) => column !== undefined);
      return columns;
    },
    column,
    shows: setting.shows ?? {},
    unique: setting.unique ?? [],
    salted: setting.salted,
    version: setting.version,
  };
}

function columnFrom(setting: Settings, field: string, description: Field): Column {
  const columnName = setting.columns?.[field] ?? snakeCase(field);
  const isId = field === setting.resource.id;
  const isHandle = description.kind === "text" && description.handle !== undefined;
  return {
    field,
    name: isId ? "id" : description.kind === "ref" ? `${columnName}_id` : columnName,
    description,
    storage: storageOf(description),
    folded: isHandle ? columnName : setting.folded?.[field],
    isOnce: isHandle || (setting.once?.includes(field) ?? false),
  };
}

const tableByName = new Map<string, Table>();

/**
 * The table of a resource.
 * @throws Error for a resource that is not stored
 */
export function tableOf(resource: Pick<Resource, "name">): Table {
  const knownTable = tableByName.get(resource.name);
  if (knownTable !== undefined) return knownTable;
  const setting = settings.find((setting) => setting.resource.name === resource.name);
  if (setting === undefined) throw new Error(`There is no table for ${resource.name}.`);
  const table = tableFrom(setting);
  tableByName.set(resource.name, table);
  return table;
}

/** Every resource that has a table. */
export const storedResources: readonly Resource[] = settings.map((setting) => setting.resource);

/** Encodes a record as a row: its columns in order, then the folded ones, then its salt. */
export function rowOf(table: Table, record: Readonly<Record<string, unknown>>): Value[] {
  const row: Value[] = [];
  for (const { field, description } of table.columns) {
    const value = record[field];
    if (description.kind !== "ref") row.push(encodeColumn(description, value, field));
    else row.push(idOf(value, description.by[0] ?? "", field));
  }
  for (const { field, name, folded } of table.columns) {
    if (folded === undefined || folded === name) continue;
    const value = record[field];
    row.push(value === undefined || value === null ? null : fold(String(value)));
  }
  if (table.salted !== undefined) {
    const isPersonal = table.salted.some((field) => (record[field] ?? null) !== null);
    row.push(isPersonal ? newSalt() : null);
  }
  return row;
}

/** The id in a reference, given as an object or an id. */
function idOf(record: unknown, by: string, field: string): Value {
  const value = (record as Readonly<Record<string, unknown>> | null | undefined)?.[by];
  return value === undefined || value === null ? null : encodeText(value, `${field}.${by}`);
}

/** Column names in the order of `rowOf`. */
export function columnNames(table: Table): string[] {
  return [
    ...table.columns.map((column) => column.name),
    ...table.columns.flatMap(({ name, folded = name }) => (folded === name ? [] : folded)),
    ...(table.salted === undefined ? [] : ["salt"]),
  ];
}

// -------------------------------------------------------------------------------------------------
// Paths

/** A column found by a path of fields. */
export interface ColumnPath {
  /** The references on the path, each of which is a join: none, `Contact`, `Invoice.Contact`. */
  readonly through: readonly string[];
  readonly column: Column;
}

/**
 * Finds the column of a dotted path.
 *
 * The id of a reference is stored in the referring table, so `Contact.ContactID` needs no join.
 * @param path  canonical names
 * @returns undefined when the store has no single column for it
 */
export function placeOf(table: Table, path: string): ColumnPath | undefined {
  let pathByName = columnPaths.get(table);
  if (pathByName === undefined) {
    pathByName = new Map();
    columnPaths.set(table, pathByName);
  }
  let columnPath = pathByName.get(path);
  if (columnPath === undefined) {
    columnPath = placeFrom(table, path);
    if (columnPath !== undefined) pathByName.set(path, columnPath);
  }
  return columnPath;
}

const columnPaths = new WeakMap<Table, Map<string, ColumnPath>>();

function placeFrom(table: Table, path: string): ColumnPath | undefined {
  const [head = "", ...rest] = path.split(".");
  const column = table.column(head);
  if (column === undefined) return undefined;
  const { description } = column;
  if (description.kind !== "ref") return rest.length === 0 ? { through: [], column } : undefined;
  if (rest.length === 0) return undefined;
  if (rest.length === 1 && rest[0] === description.by[0]) return { through: [], column };
  const targetTable = targetOf(description.to);
  const innerPath = targetTable && placeOf(targetTable, rest.join("."));
  return (
    innerPath && {
      through: [head, ...innerPath.through.map((text) => `${head}.${text}`)],
      column: innerPath.column,
    }
  );
}

/** The table of the resource that a reference names; undefined when it is not stored. */
export function targetOf(name: string): Table | undefined {
  return settings.some((setting) => setting.resource.name === name) ? tableOf({ name }) : undefined;
}

const filtersByResource = new Map<string, Map<string, FilterField | undefined>>();

/**
 * Returns a look-up, in any letter case, of the fields of a resource usable in where and order.
 */
export function filterFields(
  resource: Resource,
): (path: readonly string[]) => FilterField | undefined {
  let knownFilters = filtersByResource.get(resource.name);
  if (knownFilters === undefined) {
    knownFilters = new Map();
    filtersByResource.set(resource.name, knownFilters);
  }
  const fieldByPath = knownFilters;
  return (path) => {
    const found = fieldAt(resource.fields, path);
    if (found === undefined) return undefined;
    if (!fieldByPath.has(found.path)) {
      fieldByPath.set(found.path, filterField(tableOf(resource), found.path, found.field));
    }
    return fieldByPath.get(found.path);
  };
}

function filterField(table: Table, path: string, field: Field): FilterField | undefined {
  const columnPath = placeOf(table, path);
  const storage = storageOf(field);
  if (columnPath === undefined || storage.filter === undefined) return undefined;
  return {
    path,
    kind: storage.filter,
    scale: storage.scale,
    ...(field.kind === "choice" ? { choices: field.values } : {}),
  };
}
