/**
 * Plain form of records for people and programs outside the API: ISO dates, exact numbers, no
 * duplicate fields.
 *
 * Also the text of a field in a table or CSV file, and client requests: JSON in the same plain
 * form, which every service of this API reads.
 */
import { scaleOf, writeDecimal } from "../resources/decimal.ts";
import type { Field, FieldOf, Fields, FieldValues, Kind, Resource } from "../resources/field.ts";
import type { Collection } from "./codec.ts";
import { isoMoment } from "./dates.ts";

/** Formats a decimal without trailing zeros, but with at least `leastDecimals` places. */
function trimmedDecimal(value: number, scale: number, leastDecimals: number): string {
  const writtenNumber = writeDecimal(value, scale);
  let endAt = writtenNumber.length;
  const shortest = writtenNumber.length - scale + leastDecimals;
  while (endAt > shortest && writtenNumber[endAt - 1] === "0") endAt -= 1;
  return writtenNumber.slice(0, writtenNumber[endAt - 1] === "." ? endAt - 1 : endAt);
}

type Show<K extends Kind> = (value: unknown, field: FieldOf<K>) => string;

const asString = (value: unknown) => String(value);

/** The text of a table cell, by kind of field. */
const cells = {
  id: asString,
  text: asString,
  choice: asString,
  boolean: (value) => (value === true ? "true" : "false"),
  integer: asString,
  date: asString,
  timestamp: (value) => isoMoment(value as number),
  money: (value) => writeDecimal(value as number, scaleOf.money),
  unitAmount: (value) => trimmedDecimal(value as number, scaleOf.unitAmount, 2),
  quantity: (value) => trimmedDecimal(value as number, scaleOf.quantity, 0),
  percent: (value) => trimmedDecimal(value as number, scaleOf.percent, 0),
  rate: (value) => trimmedDecimal(value as number, scaleOf.rate, 0),
  // A reference is shown by the key that people know, its last.
  ref: (value, field) => {
    const name = field.by.findLast((key) => (value as FieldValues)[key] !== undefined);
    return name === undefined ? "" : String((value as FieldValues)[name]);
  },
  one: (value, field) => writePlain(field.fields, value as object),
  many: (value, field) => plainJson(field, value),
  texts: (value) => (value as string[]).join("; "),
} satisfies { [K in Kind]: Show<K> };

/** The text of a value in a table or CSV file; empty when there is none. */
export function plainValue(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "";
  return (cells[field.kind] as Show<Kind>)(value, field);
}

const quotedJson = (value: unknown) => JSON.stringify(value);

/** The JSON of a value, by kind of field. */
const jsons = {
  id: quotedJson,
  text: quotedJson,
  choice: quotedJson,
  boolean: cells.boolean,
  integer: asString,
  date: quotedJson,
  timestamp: (value) => `"${isoMoment(value as number)}"`,
  money: cells.money,
  unitAmount: cells.unitAmount,
  quantity: cells.quantity,
  percent: cells.percent,
  rate: cells.rate,
  ref: (value, field) => writePlain(field.fields, value as object),
  one: (value, field) => writePlain(field.fields, value as object),
  many: (value, field) =>
    `[${(value as object[]).map((value) => writePlain(field.fields, value)).join(",")}]`,
  texts: quotedJson,
} satisfies { [K in Kind]: Show<K> };

/** One value as JSON; `null` when there is none. */
export function plainJson(field: Field, value: unknown): string {
  if (value === undefined || value === null) return "null";
  return (jsons[field.kind] as Show<Kind>)(value, field);
}

/**
 * Writes an object as one line of JSON, in the order of the description: dates `YYYY-MM-DD`, times
 * ISO 8601, amounts as exact numbers. Undefined fields are left out.
 */
export function writePlain(fields: Fields, record: object): string {
  const writtenMembers: string[] = [];
  for (const [name, field] of Object.entries(fields)) {
    const value = (record as FieldValues)[name];
    if (value === undefined || value === null) continue;
    writtenMembers.push(`${JSON.stringify(name)}:${plainJson(field, value)}`);
  }
  return `{${writtenMembers.join(",")}}`;
}

/** One record as one line of JSON; see `writePlain`. */
export function plainRecord(resource: Pick<Resource, "fields">, record: object): string {
  return writePlain(resource.fields, record);
}

// --- requests --------------------------------------------------------------------------------

/**
 * Encodes a request body as JSON: absent fields are not sent, undefined fields are sent as `null`,
 * which clears them.
 * @param inputs  one or more records of typed values
 */
export function encodeInputs(collection: Collection, inputs: readonly object[]): string {
  const { plural, fields } = collection;
  return `{${JSON.stringify(plural)}:[${inputs.map((each) => writeInput(fields, each)).join(",")}]}`;
}

const inputs = {
  ...jsons,
  ref: (value, field) => writePlain(field.fields, value as object),
  one: (value, field) => writeInput(field.fields, value as object),
  many: (value, field) =>
    `[${(value as object[]).map((value) => writeInput(field.fields, value)).join(",")}]`,
} satisfies { [K in Kind]: Show<K> };

function writeInput(fields: Fields, input: object): string {
  const writtenMembers: string[] = [];
  for (const [name, value] of Object.entries(input)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (field === undefined || field.readOnly === true) continue;
    const json =
      value === undefined || value === null
        ? "null"
        : (inputs[field.kind] as Show<Kind>)(value, field);
    writtenMembers.push(`${JSON.stringify(name)}:${json}`);
  }
  return `{${writtenMembers.join(",")}}`;
}
