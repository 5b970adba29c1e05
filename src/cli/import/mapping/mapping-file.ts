/** Mapping files: JSON that stores how files of one kind are read. */

import { writeFileSync } from "node:fs";
import { inputText } from "../../../platform/input-file.ts";
import { inputBounds } from "../../../resources/bounds.ts";
import { UsageError } from "../../../resources/errors.ts";

/** Settings that a mapping may contain, with their types. */
export type MappingForms = Readonly<Record<string, "text" | "texts" | "switch">>;

type MappingTexts = Readonly<Record<string, string>>;

/** A stored mapping with the settings that it has. */
export type KeptMapping<F extends MappingForms> = {
  readonly [K in keyof F]?: F[K] extends "texts"
    ? MappingTexts
    : F[K] extends "text"
      ? string
      : boolean;
};

const valueTests = {
  text: (value: unknown) => typeof value === "string",
  switch: (value: unknown) => typeof value === "boolean",
  texts: (value: unknown) =>
    isObject(value) && Object.values(value).every((value) => typeof value === "string"),
} as const;

/**
 * Reads a mapping file.
 *
 * @param records  the kind of record that it must be for
 * @throws UsageError `NoFile`, `BadMapping`
 */
export function readMapping<const F extends MappingForms>(
  path: string,
  records: string,
  forms: F,
): KeptMapping<F> {
  const bad = (problem: string) => new UsageError("BadMapping", `The mapping ${path} ${problem}.`);
  let value: unknown;
  try {
    value = JSON.parse(inputText(path, inputBounds.note));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw bad(`is no JSON: ${(error as Error).message}`);
  }
  if (!isObject(value)) throw bad("is no object");
  const { records: kept, ...parts } = value;
  const names = ["records", ...Object.keys(forms)];
  for (const [name, part] of Object.entries(parts)) {
    const form = Object.hasOwn(forms, name) ? forms[name] : undefined;
    if (form === undefined) {
      throw bad(`says "${name}", which means nothing; it may say ${names.join(", ")}`);
    }
    if (!valueTests[form](part)) throw bad(`has a value of "${name}" that cannot be read`);
  }
  if (kept !== undefined && typeof kept !== "string") {
    throw bad('has a value of "records" that cannot be read');
  }
  if (kept !== undefined && kept !== records) throw bad(`is for ${kept}, not for ${records}`);
  return parts as KeptMapping<F>;
}

/** Writes a mapping file for `readMapping`; undefined settings are left out. */
export function writeMapping(path: string, records: string, parts: object): void {
  writeFileSync(path, `${JSON.stringify({ records, ...parts }, null, 2)}\n`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
