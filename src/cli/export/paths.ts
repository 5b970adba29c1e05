/**
 * The columns of an exported file: every value of a record that a file can give, by the path that
 * `acct import` knows it under.
 *
 * Derived from the description: `Contact.Name`, `Addresses.POBOX.City`, `Tracking.1.Option`. Ids are
 * left out, since they mean nothing in another book, and so is what the service computes.
 */
import { type Field, type FieldOf, type Fields, isScalar } from "../../resources/field.ts";

export interface Path {
  /** `Addresses.POBOX.City` */
  readonly name: string;
  readonly field: Field;
  /** The value in a record; undefined where there is none. */
  readonly read: (record: unknown) => unknown;
}

type Read = Path["read"];

export function pathsOf(fields: Fields, prefix = "", read: Read = (record) => record): Path[] {
  return Object.entries(fields).flatMap(([own, field]) => {
    if (field.readOnly === true || field.kind === "id") return [];
    const name = prefix + own;
    const value: Read = (record) => memberOf(read(record), own);
    if (isScalar(field) || field.kind === "texts") return [{ name, field, read: value }];
    if (field.kind === "many") return elementsOf(field, name, value);
    const inner = field.kind === "ref" ? keysOf(field) : field.fields;
    return pathsOf(inner, `${name}.`, value);
  });
}

/** What another record is known by: its numbers, codes and names. */
function keysOf({ by, fields }: FieldOf<"ref">): Fields {
  return Object.fromEntries(by.map((key) => [key, fields[key] as Field]));
}

/** Elements by their type where they have one, by their place where there are only so many. */
function elementsOf(field: FieldOf<"many">, name: string, list: Read): Path[] {
  const { fields, mergeBy } = field;
  const type = mergeBy === undefined ? undefined : fields[mergeBy];
  if (mergeBy === undefined || type?.kind !== "choice") {
    // A list of any length is one cell, as JSON.
    if (field.max === undefined) return [{ name, field, read: list }];
    return Array.from({ length: field.max }, (_, at) =>
      pathsOf(fields, `${name}.${at + 1}.`, (record) => listIn(list(record))[at]),
    ).flat();
  }
  const others = Object.fromEntries(Object.entries(fields).filter(([own]) => own !== mergeBy));
  return type.values.flatMap((value) =>
    pathsOf(others, `${name}.${value}.`, (record) =>
      listIn(list(record)).find((element) => memberOf(element, mergeBy) === value),
    ),
  );
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
