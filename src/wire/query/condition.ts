/**
 * Writes conditions of the `where` language.
 *
 * Values are given in the stored form of their field (scaled integers, `YYYY-MM-DD`) and written as
 * unambiguous literals, whatever a person typed.
 */

import { scaleOf, writeDecimal } from "../../resources/decimal.ts";
import {
  type FieldOf,
  type Fields,
  fieldAt,
  type Kind,
  type ScalarKind,
} from "../../resources/field.ts";
import { readId } from "../../resources/scalar.ts";
import { quotedText } from "./scanner.ts";

export type Comparison = "==" | "!=" | "<" | "<=" | ">" | ">=";

type Literal<K extends Kind> = (value: never, field: FieldOf<K>) => string;

const plainText = (value: number | boolean) => String(value);
const decimal = (scale: number) => (value: number) => writeDecimal(value, scale);

const literals = {
  id: (value: string) => `Guid("${value}")`,
  text: quotedText,
  choice: quotedText,
  boolean: plainText,
  integer: plainText,
  date: (value: string) => `DateTime(${value.split("-").join(",")})`,
  timestamp: (value: number) => {
    const parts = new Date(value).toISOString().slice(0, 19).split(/[-T:]/);
    return `DateTime(${parts.join(",")})`;
  },
  money: decimal(scaleOf.money),
  unitAmount: decimal(scaleOf.unitAmount),
  quantity: decimal(scaleOf.quantity),
  percent: decimal(scaleOf.percent),
  rate: decimal(scaleOf.rate),
} satisfies { [K in ScalarKind]: Literal<K> };

/**
 * Writes a comparison of a field with a value.
 * @param path   dotted, of a single value
 * @param value  in the stored form of the field
 */
export function compare(
  fields: Fields,
  path: string,
  comparison: Comparison,
  value: string | number | boolean,
): string {
  const match = fieldAt(fields, path.split("."));
  if (match === undefined || !Object.hasOwn(literals, match.field.kind)) {
    throw new Error(`${path} is no field that can be compared`);
  }
  const literal = literals[match.field.kind as ScalarKind] as (value: unknown) => string;
  return `${match.path}${comparison}${literal(value)}`;
}

export function anyOf(conditions: readonly string[]): string {
  return conditions.length === 1 ? (conditions[0] as string) : `(${conditions.join(" OR ")})`;
}

/**
 * Joins conditions by AND.
 * @returns undefined when there is no condition
 */
export function allOf(conditions: readonly (string | undefined)[]): string | undefined {
  const parts = conditions.filter((condition) => condition !== undefined && condition !== "");
  return parts.length === 0 ? undefined : parts.join(" AND ");
}

/** Whether text is a GUID in any notation that the service accepts. */
export function isGuid(text: string): boolean {
  return readId(text) !== undefined;
}
