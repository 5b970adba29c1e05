/** The text of one value, for a person: in a cell, on one line. */
import type { Field, FieldOf, Fields, Kind } from "../../resources/field.ts";
import { plainValue } from "../../wire/plain.ts";
import type { Column } from "./columns.ts";

type Writers = { [K in Kind]: (field: FieldOf<K>, value: unknown) => string };

const plain = (field: Field, value: unknown) => plainValue(field, value);
const among = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const writers = {
  id: plain,
  text: plain,
  choice: plain,
  boolean: plain,
  integer: plain,
  date: plain,
  timestamp: plain,
  money: plain,
  unitAmount: plain,
  quantity: plain,
  percent: plain,
  rate: plain,
  ref: plain,
  one: (field, value) => joined(field.fields, value),
  many: (field, value) =>
    among(value)
      .map((element) => joined(field.fields, element))
      .join(", "),
  texts: plain,
} satisfies Writers;

/** The text of a value; empty where there is none. Not yet safe for a terminal. */
export function valueText(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  const writer = writers[field.kind] as (field: Field, value: unknown) => string;
  return writer(field, value);
}

/**
 * The text of a column in one record.
 *
 * @param text  how one value is written: for a person unless told otherwise
 */
export function cellText(column: Column, record: unknown, text = valueText): string {
  const value = column.read(record);
  if (!column.listed || !Array.isArray(value)) return text(column.field, value);
  return value.map((one) => text(column.field, one)).join(", ");
}

/** Whether cells of this field are lined up on the right and never shortened. */
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

/** `Region:North`: the values that say something, in the order of the fields. */
function joined(fields: Fields, value: unknown): string {
  if (typeof value !== "object" || value === null) return "";
  const record = value as Readonly<Record<string, unknown>>;
  const present = Object.entries(fields).filter(([name]) => isPresent(record[name]));
  const telling = present.filter(([, field]) => field.kind !== "id");
  return (telling.length > 0 ? telling : present)
    .map(([name, field]) => valueText(field, record[name]))
    .filter((text) => text !== "")
    .join(":");
}

/** Whether there is anything to show: not nothing, not empty text, not an empty list. */
export function isPresent(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return typeof value !== "object" || Object.values(value).some(isPresent);
}
