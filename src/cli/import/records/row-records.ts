/** Shared parsing for contacts, items and payments: one row is one record. */
import { isOtherCurrency } from "../../../bank-files/bank-values.ts";
import { shown } from "../../../resources/scalar.ts";
import type { Mapped } from "../mapping/mapping.ts";
import { CellFault } from "../mapping/template.ts";

/** Parses the cell of a field into the record, or adds to the faults. */
export function readCell(
  mapped: Mapped,
  cells: readonly string[],
  faults: string[],
  takeValue: (value: unknown) => void,
): void {
  try {
    const value = mapped.read(cells);
    if (value !== undefined) takeValue(value);
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    faults.push(error.message);
  }
}

/**
 * Returns faults of amounts with a foreign currency sign or code.
 *
 * @param currency  currency of the record
 */
export function currencyFaults(
  fields: readonly Mapped[],
  cells: readonly string[],
  currency: string,
): string[] {
  return fields.flatMap((mapped) => {
    const { field } = mapped.target;
    if (field.kind !== "money" && field.kind !== "unitAmount") return [];
    const text = rawText(mapped, cells);
    if (!isOtherCurrency(text, currency)) return [];
    return [`${mapped.shownAs} ${shown(text)} is not in ${currency}.`];
  });
}

/** Returns the raw text of a field, empty where there is none. */
export function rawText(mapped: Mapped | undefined, cells: readonly string[]): string {
  try {
    return mapped?.template?.read(cells) ?? "";
  } catch (error) {
    if (!(error instanceof CellFault)) throw error;
    return "";
  }
}

/** Returns the first difference between two rows of one record; undefined when there is none. */
export function firstDifference(
  left: Readonly<Record<string, unknown>>,
  right: Readonly<Record<string, unknown>>,
): string | undefined {
  const fieldNames = new Set([...Object.keys(left), ...Object.keys(right)]);
  const name = [...fieldNames].find(
    (name) => JSON.stringify(left[name]) !== JSON.stringify(right[name]),
  );
  if (name === undefined) return undefined;
  const [a, b] = [left[name], right[name]];
  const areSimple = typeof a !== "object" && typeof b !== "object";
  return areSimple
    ? `${name} is ${shown(b ?? "")} here and ${shown(a ?? "")} there`
    : `${name} is another`;
}

/** Estimates the request size of a row, in bytes. */
export function bytesOf(cells: readonly string[]): number {
  return cells.reduce((sum, cell) => sum + cell.length, 150);
}
