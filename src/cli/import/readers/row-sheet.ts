/** Reads small files of rows as a whole: a heading row, and rows with values by column name. */

import { isOtherCurrency } from "../../../bank-files/bank-values.ts";
import { closeAtBlockEnd } from "../../../platform/disposal.ts";
import { type Detail, RefusedError } from "../../../resources/errors.ts";
import type { FieldOf, ScalarKind } from "../../../resources/field.ts";
import { shown } from "../../../resources/scalar.ts";
import type { ScalarValue } from "../../values/value.ts";
import { cellReader, type ValueForm } from "../mapping/cell-values.ts";
import { CellFault } from "../mapping/template.ts";
import { openReader } from "./reader.ts";
import { openSource } from "./source.ts";

export interface SheetRow {
  /** Row number as a spreadsheet counts; the heading row is usually 1. */
  readonly row: number;
  readonly cells: readonly string[];
}

export interface Sheet {
  readonly heading: readonly string[];
  readonly rows: readonly SheetRow[];
}

/** Maximum count of rows. */
const rowsMax = 200_000;

/**
 * Reads a sheet.
 *
 * @throws UsageError `NoFile`; RefusedError `BadFile` where it cannot be parsed
 */
export async function readSheet(path: string): Promise<Sheet> {
  await using source = closeAtBlockEnd(await openSource(path));
  const rows: SheetRow[] = [];
  for (const chunk of openReader(source, {}).rows()) {
    for (const { row, cells, fault } of chunk) {
      if (fault !== undefined) throw badFile(`Row ${row} of ${path} ${fault}.`);
      rows.push({ row, cells: cells.map((cell) => cell.trim()) });
      if (rows.length > rowsMax) throw badFile(`${path} has more than ${rowsMax} rows.`);
    }
  }
  const [heading, ...others] = rows;
  if (heading === undefined) throw badFile(`${path} is empty.`);
  const filledRows = others.filter(({ cells }) => cells.some((cell) => cell !== ""));
  return { heading: heading.cells, rows: filledRows };
}

/**
 * Finds a column by any of its names.
 *
 * @returns its index, or -1 when there is none
 */
export function columnOf({ heading }: Sheet, names: readonly string[]): number {
  const plainNames = names.map(plainName);
  return heading.findIndex((text) => plainNames.includes(plainName(text)));
}

/** Normalises a column name: `* Account Code` and `AccountCode` are equal. */
export const plainName = (text: string) => text.toLowerCase().replace(/[^a-z0-9]/g, "");

/**
 * Refuses a file with invalid rows.
 *
 * @throws RefusedError with every fault, when there is one
 */
export function refuseRows(path: string, faults: readonly Detail[]): void {
  const [first] = faults;
  if (first === undefined) return;
  const andMore = faults.length === 1 ? "" : ` (and ${faults.length - 1} more)`;
  throw new RefusedError("BadFile", `${path}: ${first.record}: ${first.message}${andMore}`, faults);
}

function noColumn(path: string, { heading }: Sheet, wanted: string, field?: string): RefusedError {
  const mapHint = field === undefined ? "" : ` Say which it is, with --map ${field}=COLUMN.`;
  return badFile(`${path} has no column ${wanted}, but ${heading.join(", ")}.${mapHint}`);
}

function badFile(message: string): RefusedError {
  return new RefusedError("BadFile", message);
}

/**
 * A column of a table: its accepted headings, of which the first present one counts, and its field.
 */
export interface Column {
  readonly names: readonly string[];
  readonly field: FieldOf<ScalarKind>;
}

export interface TableForm extends ValueForm {
  /** Currency of amounts in rows without one. */
  readonly currency?: string | undefined;
  /** Headings given by flags, by normalised column name. */
  readonly map?: ReadonlyMap<string, string> | undefined;
  /** Groups of columns, of each of which at least one is required. */
  readonly oneOf?: readonly (readonly string[])[];
  /** Columns that must all be present, or none. */
  readonly together?: readonly string[];
}

/** A parsed row; the value of a missing column or an empty cell is absent. */
export type RowOf<C extends Readonly<Record<string, Column>>> = {
  readonly [K in keyof C]?: ScalarValue<C[K]["field"]>;
} & { readonly row: number };

/** A table file, and what tells the user of columns that are not read. */
export interface TableFile {
  readonly path: string;
  readonly tell: (sentence: string) => void;
}

/**
 * Reads a table by its headings; columns that no value is read from are told.
 *
 * @param required  columns that must be present; a row with one of them empty is refused
 * @throws UsageError `NoFile`, `BadDateFormat`; RefusedError `BadFile` with every cell that is
 *   invalid
 */
export async function readTable<C extends Readonly<Record<string, Column>>>(
  { path, tell }: TableFile,
  columns: C,
  required: readonly (keyof C & string)[],
  form: TableForm = {},
): Promise<RowOf<C>[]> {
  const sheet = await readSheet(path);
  const { oneOf = [], together = [] } = form;
  const readers = Object.entries(columns).flatMap(([name, { names, field }]) => {
    const mapped = form.map?.get(plainName(name));
    const heading = (mapped === undefined ? names : [mapped]).find(
      (text) => columnOf(sheet, [text]) >= 0,
    );
    if (heading !== undefined) {
      const at = columnOf(sheet, [heading]);
      return [{ name, field, heading, at, read: cellReader(field, name, heading, form) }];
    }
    if (mapped !== undefined) throw noColumn(path, sheet, mapped);
    if (!required.includes(name)) return [];
    throw noColumn(path, sheet, names[0] ?? name, form.map && name);
  });
  const lacks = (name: string) => !readers.some((reader) => reader.name === name);
  for (const names of oneOf) {
    if (names.every(lacks)) throw noColumn(path, sheet, names.join(" or "), form.map && names[0]);
  }
  const halfGiven = together.find(lacks);
  if (halfGiven !== undefined && !together.every(lacks)) {
    throw noColumn(path, sheet, halfGiven, form.map && halfGiven);
  }
  const unread = sheet.heading.filter(
    (heading, at) =>
      heading !== "" &&
      readers.every((reader) => reader.at !== at) &&
      sheet.rows.some(({ cells }) => (cells[at] ?? "") !== ""),
  );
  if (unread.length > 0) tell(`${path}: Not read: ${unread.join(", ")}.`);
  const faults: Detail[] = [];
  const rows: RowOf<C>[] = [];
  for (const { row, cells } of sheet.rows) {
    const values: Record<string, unknown> = { row };
    const currencyAt = readers.find(({ name }) => name === "CurrencyCode")?.at ?? -1;
    const currency = cells[currencyAt] || form.currency || "";
    for (const { name, field, heading, at, read } of readers) {
      const text = cells[at] ?? "";
      try {
        values[name] = read(text);
        // A balance in the account's own currency must have no currency sign.
        const ownCode = name === "CurrencyBalance" ? "" : currency.toUpperCase();
        if (field.kind === "money" && isOtherCurrency(text, ownCode)) {
          throw new CellFault(`${heading} ${shown(text)} is not in ${ownCode || "the currency"}.`);
        }
      } catch (error) {
        if (!(error instanceof CellFault)) throw error;
        faults.push({ record: `row ${row}`, message: error.message });
        continue;
      }
      if (values[name] === undefined && required.includes(name)) {
        faults.push({ record: `row ${row}`, message: `${heading} is empty.` });
      }
    }
    rows.push(values as RowOf<C>);
  }
  refuseRows(path, faults);
  return rows;
}
