/**
 * Merges an input into a record.
 *
 * A missing field keeps its value, and so does one sent empty that cannot be without a value; others
 * sent empty are cleared. Objects are merged field by field; a list is replaced, unless its elements
 * are merged by a key field (addresses and phones by type).
 */
import {
  type Field,
  type FieldOf,
  type Fields,
  isScalar,
  type Kind,
  type Resource,
} from "../../resources/field.ts";
import type { RequestContext } from "./context.ts";

type MergedValues = Record<string, unknown>;
type Merge<K extends Kind> = (field: FieldOf<K>, oldValue: unknown, sentValue: unknown) => unknown;

const replace = (_field: Field, _old: unknown, sentValue: unknown) => sentValue;

const merges = {
  id: replace,
  text: replace,
  choice: replace,
  boolean: replace,
  integer: replace,
  date: replace,
  timestamp: replace,
  money: replace,
  unitAmount: replace,
  quantity: replace,
  percent: replace,
  rate: replace,
  texts: replace,
  ref: replace,
  one: (field, oldValue, sentValue) =>
    mergeRecord(field.fields, (oldValue ?? {}) as MergedValues, sentValue as MergedValues),
  many: (field, oldValue, sentValue) => {
    const by = field.mergeBy;
    if (by === undefined) return sentValue;
    const byKey = new Map(((oldValue ?? []) as MergedValues[]).map((each) => [each[by], each]));
    for (const each of sentValue as MergedValues[]) {
      const key = each[by] ?? defaultOf(field.fields[by]); // as clients leave the usual type out
      byKey.set(key, mergeRecord(field.fields, byKey.get(key) ?? { [by]: key }, each));
    }
    return [...byKey.values()];
  },
} satisfies { [K in Kind]: Merge<K> };

/** Returns the value of a field sent empty: none, or the old one where there must be one. */
function emptiedValue(field: Field, oldValue: unknown): unknown {
  const preset = defaultOf(field);
  return preset !== undefined || field.always === true ? (oldValue ?? preset) : undefined;
}

function defaultOf(field: Field | undefined): unknown {
  return field !== undefined && isScalar(field) && "default" in field ? field.default : undefined;
}

/**
 * Returns a record merged with a sent one, without changing either. Read-only fields of the sent one
 * are ignored.
 */
export function mergeRecord<V extends object>(fields: Fields, oldRecord: V, sentRecord: object): V {
  const result = { ...oldRecord } as MergedValues;
  for (const [name, value] of Object.entries(sentRecord)) {
    const field = fields[name];
    if (field === undefined || field.readOnly === true) continue;
    const merge = merges[field.kind] as Merge<Kind>;
    result[name] =
      value === undefined ? emptiedValue(field, result[name]) : merge(field, result[name], value);
  }
  return result as V;
}

/** Applies the defaults of the description, and drops fields that only the service may set. */
export function withDefaults<V extends object>(fields: Fields, input: object): V {
  const result: MergedValues = {};
  for (const [name, field] of Object.entries(fields)) {
    if (isScalar(field) && "default" in field) result[name] = field.default;
  }
  return mergeRecord(fields, result, input) as V;
}

/** Returns the record of a write entry, new or updated, with its id and the time of the change. */
export function recordFrom<V extends object>(
  { fields, id }: Resource,
  { newId, now }: Pick<RequestContext, "newId" | "now">,
  stored: V | undefined,
  input: object,
): V {
  const record = (
    stored === undefined ? withDefaults(fields, input) : mergeRecord(fields, stored, input)
  ) as MergedValues;
  record[id] = (stored as MergedValues | undefined)?.[id] ?? newId();
  if (fields.UpdatedDateUTC !== undefined) record.UpdatedDateUTC = now();
  return record as V;
}
