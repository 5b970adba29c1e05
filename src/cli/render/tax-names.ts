/** Tax rates by their names in records that people read. */
import type { Fields } from "../../resources/field.ts";

/** Whether a field refers to a tax rate; the type in reports does not. */
const isTaxType = (name: string) => name.endsWith("TaxType") && name !== "ReportTaxType";

/** Whether records with these fields refer to tax rates, themselves or in their lines. */
export function hasTaxRates(fields: Fields): boolean {
  return Object.entries(fields).some(([name, field]) =>
    field.kind === "many" || field.kind === "one"
      ? hasTaxRates(field.fields)
      : isTaxType(name) && field.key !== true,
  );
}

/**
 * Returns a record with the names of tax rates in place of their types.
 *
 * @param names  by TaxType
 */
export function withTaxNames<T extends object>(
  fields: Fields,
  record: T,
  names: ReadonlyMap<string, string>,
): T {
  const entries = Object.entries(record).map(([name, value]) => {
    const field = fields[name];
    const innerFields = field?.kind === "many" || field?.kind === "one" ? field.fields : undefined;
    if (innerFields !== undefined && value !== undefined) {
      const rename = (innerRecord: object) => withTaxNames(innerFields, innerRecord, names);
      return [name, Array.isArray(value) ? value.map(rename) : rename(value)];
    }
    return [name, isTaxType(name) && field?.key !== true ? (names.get(value) ?? value) : value];
  });
  return Object.fromEntries(entries);
}
