/** Records of any resource, generated from its description. */
import type { Field, FieldOf, Fields, Kind } from "../../src/resources/field.ts";
import { illegalAt, zeroId } from "../../src/resources/scalar.ts";
import { type Arbitrary, fc } from "../support/properties.ts";

export interface Wanted {
  /** Whether fields that only the service sets are wanted too. */
  readonly readOnly: boolean;
}

type Make<K extends Kind> = (field: FieldOf<K>, wanted: Wanted) => Arbitrary<unknown>;

/** Around zero, around cents, and up to what a number keeps. */
const amount = fc
  .oneof(
    fc.integer({ min: -1_000_000, max: 1_000_000 }),
    fc.integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER }),
  )
  .map((value) => (value === 0 ? 0 : value));

const anyText = fc
  .oneof(
    fc.string({ minLength: 1, maxLength: 20 }),
    fc.string({ unit: "grapheme", minLength: 1, maxLength: 20 }),
    fc.constantFrom(
      "<a>&amp;]]>",
      "a\r\nb\tc",
      '"quoted\\"',
      "null",
      "0012",
      "true",
      "/Date(0)/",
      "1e5",
      "é😀",
    ),
  )
  .filter((each) => illegalAt(each) < 0);

const day = fc
  .date({
    min: new Date("1900-01-01T00:00:00Z"),
    max: new Date("2999-12-31T00:00:00Z"),
    noInvalidDate: true,
  })
  .map((each) => each.toISOString().slice(0, 10));

const makes = {
  id: () => fc.uuid().filter((each) => each !== zeroId),
  text: (field) =>
    field.verbatim === true
      ? anyText
      : anyText.map((each) => each.trim()).filter((each) => each !== ""),
  choice: (field) => fc.constantFrom(...field.values),
  boolean: () => fc.boolean(),
  integer: ({ min = -1000, max = 1_000_000 }) => fc.integer({ min, max }),
  date: () => day,
  timestamp: () => fc.integer({ min: 0, max: 32_000_000_000_000 }),
  money: () => amount,
  unitAmount: () => amount,
  quantity: () => amount,
  percent: () => amount,
  rate: () => amount,
  ref: (field, wanted) => {
    const fields = wanted.readOnly
      ? // What a reference shows of a record never holds that record again.
        Object.fromEntries(Object.entries(field.fields).filter(([, each]) => !("fields" in each)))
      : Object.fromEntries(field.by.map((key) => [key, field.fields[key] as Field]));
    return recordOf(fields, wanted);
  },
  one: (field, wanted) => recordOf(field.fields, wanted),
  many: (field, wanted) => fc.array(recordOf(field.fields, wanted), { maxLength: 3 }),
  texts: () => fc.array(anyText, { maxLength: 3 }),
} satisfies { [K in Kind]: Make<K> };

/** Any record with any part of its fields. */
export function recordOf(fields: Fields, wanted: Wanted): Arbitrary<Record<string, unknown>> {
  const entries = Object.entries(fields)
    .filter(([, field]) => wanted.readOnly || field.readOnly !== true)
    .map(([name, field]) => [name, (makes[field.kind] as Make<Kind>)(field, wanted)] as const);
  return (
    fc
      .record(Object.fromEntries(entries), { requiredKeys: [] })
      // As decoding makes them: fast-check's records have no prototype now and then.
      .map((record) => ({ ...record }))
  );
}

/** The value without the empty lists in it, which JSON answers add. */
export function withoutEmptyLists(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmptyLists);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, held]) => !(Array.isArray(held) && held.length === 0))
      .map(([name, held]) => [name, withoutEmptyLists(held)]),
  );
}
