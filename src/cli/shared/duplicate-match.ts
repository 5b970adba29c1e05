/** Compares two records by the identity fields of their resource. */
import { completeLine } from "../../ledger/documents/totals.ts";
import type { Field, FieldOf, FieldValues, Resource } from "../../resources/field.ts";
import type { LineItem } from "../../resources/line-item.ts";

/** A record to be created, and the fields by which a duplicate is recognised. */
export interface DuplicateQuery {
  readonly input: FieldValues;
  readonly fields: readonly string[];
  /** Whether the supplier's document number alone identifies a duplicate. */
  readonly byNumber: boolean;
}

/** Whether an existing record agrees with a new one in all fields that the new one has. */
export function areSameRecords(
  { fields }: Resource,
  { input, fields: names }: DuplicateQuery,
  storedRecord: FieldValues,
): boolean {
  return names.every((name) => {
    const field = fields[name];
    return field !== undefined && agree(field, input[name], storedRecord[name]);
  });
}

function agree(field: Field, given: unknown, stored: unknown): boolean {
  if (field.kind === "ref") return agreeOnRecord(field, given, stored);
  if (field.kind === "many") return agreeOnLines(given, stored);
  if (field.kind === "text") return String(given ?? "").trim() === String(stored ?? "");
  const value = given ?? (field.kind === "choice" ? field.default : undefined);
  return value === undefined || String(value).toUpperCase() === String(stored).toUpperCase();
}

function agreeOnRecord({ by }: FieldOf<"ref">, given: unknown, stored: unknown): boolean {
  const [one, other] = [(given ?? {}) as FieldValues, (stored ?? {}) as FieldValues];
  return by.every((key) => {
    if (!one[key] || !other[key]) return true;
    return String(one[key]).toLowerCase() === String(other[key]).toLowerCase();
  });
}

type ComparedLine = Partial<LineItem> & { readonly Amount?: number };

/** Whether the lines of two records have the same total, and the given taxes agree. */
function agreeOnLines(given: unknown, stored: unknown): boolean {
  const lines = (given ?? []) as readonly ComparedLine[];
  const storedLines = (stored ?? []) as readonly ComparedLine[];
  const amounts = lines.map((line, at) => amountOf(line) ?? itemAmountFor(line, storedLines[at]));
  if (amounts.includes(undefined)) return false;
  const taxTypes = new Set(storedLines.map(({ TaxType }) => TaxType));
  const isTaxBorne = lines.every(({ TaxType }) => TaxType === undefined || taxTypes.has(TaxType));
  return isTaxBorne && total(amounts) === total(storedLines.map(amountOf));
}

/**
 * Returns the total: for journals, which sum to zero, of their debits; for documents of all lines.
 */
function total(amounts: readonly (number | undefined)[]): string {
  const all = amounts.map((amount) => amount ?? 0);
  const sum = (some: readonly number[]) => some.reduce((soFar, number) => soFar + number, 0);
  return `${sum(all)} ${sum(all) === 0 ? sum(all.filter((number) => number > 0)) : ""}`;
}

/** Returns the amount of a line; undefined where the service alone knows the price. */
function amountOf(line: ComparedLine): number | undefined {
  if (line.Amount !== undefined) return line.Amount;
  const isPriced = line.LineAmount !== undefined || line.UnitAmount !== undefined;
  if (!isPriced) return line.ItemCode === undefined ? 0 : undefined;
  const context = { types: "NoTax", rate: undefined, unitDecimals: 4, discounts: true } as const;
  return completeLine(line, context).line.LineAmount;
}

/** Returns the amount of the same quantity of an item, from the line with the same index. */
function itemAmountFor(
  line: ComparedLine,
  comparedLine: ComparedLine | undefined,
): number | undefined {
  const isSameItem =
    comparedLine?.ItemCode === line.ItemCode && comparedLine?.DiscountRate === line.DiscountRate;
  const oneUnit = 10_000;
  const isAsMuch = (line.Quantity ?? oneUnit) === (comparedLine?.Quantity ?? oneUnit);
  return isSameItem && isAsMuch ? comparedLine?.LineAmount : undefined;
}
