/** Requests that undo operations, made from records as the service answers them. */
import {
  type Field,
  type Fields,
  type FieldValues,
  pathOf,
  type Resource,
} from "../../resources/field.ts";
import { writePlain } from "../../wire/plain.ts";

/** A request; requests with the same `batch` may be sent together in one body. */
export interface Request {
  readonly method: "PUT" | "POST" | "DELETE";
  /** Path with query parameters. */
  readonly path: string;
  readonly body?: FieldValues;
  readonly batch?: Resource;
}

export const recordPath = (resource: Resource, id: string) =>
  `${pathOf(resource)}/${encodeURIComponent(id)}`;

/** Returns a request that updates fields of a record. */
export function update(resource: Resource, id: string, changes: FieldValues): Request {
  if (!resource.collection.includes("POST") || resource.batchMax === 1) {
    return { method: "POST", path: recordPath(resource, id), body: changes };
  }
  const body = { [resource.id]: id, ...changes };
  return { method: "POST", path: pathOf(resource), body, batch: resource };
}

export function create(resource: Resource, values: FieldValues): Request {
  const isMany = resource.batchMax > 1;
  const request = { method: "PUT", path: pathOf(resource), body: values } as const;
  return isMany ? { ...request, batch: resource } : request;
}

export function remove(resource: Resource, id: string): Request {
  return { method: "DELETE", path: recordPath(resource, id) };
}

/**
 * Returns the input for creating a record equal to an existing one: without ids and computed
 * fields.
 *
 * @param record  the decoded record
 */
export function inputOf(resource: Resource, record: object): FieldValues {
  const { [resource.id]: _, ...fields } = resource.fields;
  return parsed(writePlain(fields, sent(fields, record)));
}

/** Parses JSON with numbers as text: a double would lose digits of large ones. */
export const parsed = (json: string): FieldValues => JSON.parse(json, asWritten) as FieldValues;

const asWritten = ((_: string, value: unknown, { source }: { readonly source?: string } = {}) =>
  typeof value === "number" ? (source ?? String(value)) : value) as Parameters<
  typeof JSON.parse
>[1];

function sent(fields: Fields, record: object): object {
  const entries = Object.entries(fields).flatMap(([name, field]) => {
    const value = (record as FieldValues)[name];
    const isReadOnly = field.readOnly === true || lineIds.has(name);
    if (isReadOnly || value === undefined || value === null) return [];
    const sentMember = valueToSend(field, value);
    return isEmpty(sentMember) ? [] : [[name, sentMember] as const];
  });
  return Object.fromEntries(entries);
}

const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** Ids of parts of a record, which a new record must not have. */
const lineIds: ReadonlySet<string> = new Set(["LineItemID", "ValidationErrors", "Warnings"]);

function valueToSend(field: Field, value: unknown): unknown {
  if (field.kind === "one") return sent(field.fields, value as object);
  if (field.kind === "many") return (value as object[]).map((value) => sent(field.fields, value));
  if (field.kind !== "ref") return value;
  const fields = value as FieldValues;
  const by = field.by.find((name) => fields[name] !== undefined) ?? field.by[0] ?? "";
  return { [by]: fields[by] };
}
