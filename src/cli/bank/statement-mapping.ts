/** How the statements of a bank are read, given by flags or by a mapping file. */
import type { DateOrder, Delimiter, ReadOptions, SettledReading } from "../../bank-files/index.ts";
import { hasKnownForms } from "../../bank-import/reading.ts";
import { UsageError } from "../../resources/errors.ts";
import { type MappingForms, readMapping, writeMapping } from "../import/mapping/mapping-file.ts";

const records = "bank-statements";

const forms = {
  columns: "texts",
  encoding: "text",
  dateOrder: "text",
  decimal: "text",
  delimiter: "text",
  isReversed: "switch",
  fillDates: "switch",
} as const satisfies MappingForms & Readonly<Record<Exclude<keyof SettledReading, "on">, unknown>>;

/**
 * Merges flags with a mapping file; flags take precedence, and column flags replace all columns.
 *
 * @throws UsageError `NoFile`, `BadMapping`
 */
export function withMapping(options: ReadOptions, path: string | undefined): ReadOptions {
  if (path === undefined) return options;
  const mapping = readMapping(path, records, forms);
  const { dateOrder, decimal, delimiter } = mapping;
  if (!hasKnownForms(mapping)) {
    const message = `The mapping ${path} has a date order, a decimal sign or a delimiter that is none.`;
    throw new UsageError("BadMapping", message);
  }
  const entries = Object.entries(options).filter(([, value]) => value !== undefined);
  return {
    ...mapping,
    dateOrder: dateOrder as DateOrder | undefined,
    decimal: decimal as ReadOptions["decimal"],
    delimiter: delimiter as Delimiter | undefined,
    ...Object.fromEntries(entries),
  };
}

export function saveMapping(path: string, options: ReadOptions): void {
  writeMapping(path, records, options);
}
