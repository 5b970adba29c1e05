/** Parses and validates the line in a row of a document file. */
import type { LineItem } from "../../../resources/line-item.ts";
import { shown } from "../../../resources/scalar.ts";
import { readAmount } from "../../values/read-number.ts";
import type { DescribedOptions, Merge, RowSaid } from "../described/local-rules.ts";
import type { Mapped } from "../mapping/mapping.ts";
import { type ExactDecimal, multiply, productOf, readExact } from "../records/decimal-sum.ts";
import type { ImportChart } from "../records/import-chart.ts";
import { fold } from "../records/lookup.ts";
import { currencyFaults, rawText } from "../records/row-records.ts";
import type { ImportedType, Line } from "./document-record.ts";

/** Context for validating lines. */
export interface LineRules {
  readonly type: ImportedType;
  readonly chart: ImportChart;
  readonly decimal: "," | "." | undefined;
  readonly fields: readonly Mapped[];
  /** Columns from which the amount of a row is computed when its values are not valid. */
  readonly quantity: Mapped | undefined;
  readonly unit: Mapped | undefined;
}

export function lineRules(
  type: ImportedType,
  { chart, mapping, decimal }: DescribedOptions,
): LineRules {
  const fields = mapping.fields.filter(({ target }) => target.part === "line");
  const [quantity, unit] = ["Quantity", "UnitAmount"].map((name) =>
    fields.find(({ target }) => target.name === name),
  );
  const decimalMark = decimal === "comma" ? "," : decimal && ".";
  return { type, chart, decimal: decimalMark, fields, quantity, unit };
}

/**
 * Merges rows of one document number: a head field that a row omits has the value of another row.
 */
export function headMerger(): Merge {
  const firstValues = new Map<Mapped, { readonly value: unknown; readonly row: number }>();
  return (mapped, value, row) => {
    const before = firstValues.get(mapped);
    if (before === undefined) {
      firstValues.set(mapped, { value, row });
      return undefined;
    }
    const { part, name } = mapped.target;
    // Rows may differ in contact details, but not in the identity of the contact.
    const isOptional = part === "contact" && !/^(Name|ContactNumber|ContactID)$/.test(name);
    if (isOptional || before.value === value || isSameText(before.value, value)) return [];
    return [
      `${mapped.shownAs} is ${shown(value)} here and ${shown(before.value)} in row ${before.row}, of the same number.`,
    ];
  };
}

/** Whether two texts are equal to the service, which ignores letter case and accents. */
function isSameText(left: unknown, right: unknown): boolean {
  return typeof left === "string" && typeof right === "string" && fold(left) === fold(right);
}

/** Whether a status requires every line to be complete. */
export function isComplete(status: unknown): boolean {
  return status === "AUTHORISED" || status === "SUBMITTED";
}

/** Returns the amount of a row: Quantity × UnitAmount, or its LineAmount when it lacks these. */
export function amountOfRow(
  { line, cells }: RowSaid,
  { quantity, unit, decimal }: LineRules,
): ExactDecimal | undefined {
  const { Quantity, UnitAmount, LineAmount } = line as Line;
  if (Quantity !== undefined && UnitAmount !== undefined) return multiply(Quantity, UnitAmount);
  if (Quantity === undefined && UnitAmount === undefined && LineAmount !== undefined) {
    return { value: BigInt(LineAmount), scale: 2 };
  }
  const [a, b] = [quantity, unit].map((mapped) => {
    const text = readAmount(rawText(mapped, cells), { decimal });
    return text === undefined ? undefined : readExact(text);
  });
  return a === undefined || b === undefined ? undefined : productOf(a, b);
}

/** Returns the faults of a row whose cells are valid; completes its line. */
export function rowFaults({ said, line, cells }: RowSaid, rules: LineRules): string[] {
  const faults = lineFaults(line as Line, isComplete(said.Status), rules);
  return [...faults, ...otherCurrencies(said, cells, rules)];
}

/** Returns a fault where a currency code beside an amount differs from the document's currency. */
function otherCurrencies(
  record: RowSaid["said"],
  cells: readonly string[],
  { chart, fields }: LineRules,
): string[] {
  const { BaseCurrency } = chart.organisation;
  const { CurrencyCode = BaseCurrency } = record;
  const faults = currencyFaults(fields, cells, String(CurrencyCode));
  if (faults.length > 0 && record.CurrencyCode === undefined)
    faults.push("Map or set CurrencyCode.");
  if (currencyFaults(fields, cells, "").length > 0) record.CurrencyCode ??= BaseCurrency;
  return faults;
}

function lineFaults(line: Line, complete: boolean, rules: LineRules): string[] {
  const { type, chart, quantity, unit } = rules;
  const faults = trackingFaults(line, chart);
  const isPriced =
    line.Quantity !== undefined || line.UnitAmount !== undefined || line.LineAmount !== undefined;
  if (!isPriced && line.Description === undefined && line.ItemCode === undefined) {
    return ["The row has no description, no item and no amount."];
  }
  if (line.Quantity === undefined && line.UnitAmount !== undefined) {
    if (quantity !== undefined) faults.push(`${quantity.shownAs} is empty.`);
    else line.Quantity = 10_000 as NonNullable<LineItem["Quantity"]>; // one of it
  }
  const needsPrice = line.Quantity !== undefined && line.ItemCode === undefined;
  if (needsPrice && line.UnitAmount === undefined && line.LineAmount === undefined) {
    faults.push(`${unit?.shownAs ?? "UnitAmount"} is empty.`);
  }
  if (line.AccountCode !== undefined) {
    const fault = chart.accountFault(line.AccountCode);
    if (fault !== undefined) faults.push(fault);
    line.AccountCode = chart.account(line.AccountCode)?.Code ?? line.AccountCode;
  } else if (complete && isPriced && line.ItemCode === undefined) {
    faults.push("The row has no AccountCode.");
  }
  if (complete && line.Description === undefined && line.ItemCode === undefined) {
    faults.push("The row has no description.");
  }
  if (line.TaxType !== undefined) {
    const taxType = chart.taxType(line.TaxType);
    if (taxType === undefined) faults.push(chart.taxFault(line.TaxType, shown(line.TaxType)));
    else line.TaxType = taxType;
  }
  if (type === "ACCPAY" && (line.DiscountRate || line.DiscountAmount)) {
    faults.push("Bills have no discounts; give the price after it.");
  }
  return faults;
}

/** Returns the faults of the tracking of a line. */
function trackingFaults(line: Line, chart: ImportChart): string[] {
  if (line.Tracking?.length === 0) line.Tracking = undefined;
  return (line.Tracking ?? []).flatMap((record) => {
    if (record.Name === undefined) return "Tracking has no category.";
    const option = chart.tracked(record.Name, record.Option ?? "");
    if (typeof option === "string") return option;
    Object.assign(record, option);
    return [];
  });
}
