/** Checks the required columns of a file before any row is read. */

import { UsageError } from "../../../resources/errors.ts";
import { lineItemFields } from "../../../resources/line-item.ts";
import { pluralOf } from "../../../resources/scalar.ts";
import { describedKinds } from "../described/described-kinds.ts";
import { type ImportNoun, isDocument } from "../options.ts";
import type { Columns } from "./heading-row.ts";
import type { Mapped, Mapping } from "./mapping.ts";

/**
 * Checks required columns.
 *
 * @throws UsageError `MissingColumn`, `BadMap`
 */
export function requireFields(noun: ImportNoun, mapping: Mapping, columns: Columns): void {
  const byPath = new Map(mapping.fields.map((mapped) => [mapped.target.path, mapped]));
  const missing = describedKinds[noun].needs.filter(
    (names) => !names.some((name) => byPath.has(name)),
  );
  if (missing.length > 0) {
    const names = missing.map((row) => row[0]).join(", ");
    const known = columns.headings.filter((heading) => heading !== "").join(", ");
    throw new UsageError(
      "MissingColumn",
      `No column gives ${names}; say which does, with --map ${missing[0]?.[0]}=COLUMN, or give one value for all with --set. The columns are ${known}.`,
    );
  }
  if (isDocument(noun)) requirePrice(byPath, mapping);
  if (describedKinds[noun].lines?.fields === lineItemFields) refuseUnread(byPath, mapping);
  const type = byPath.get("Type");
  if (isDocument(noun) && type?.template === undefined && type !== undefined) checkType(noun, type);
}

/** Refuses amounts that no column gives though one may, and prices with tax that is not said. */
function requirePrice(byPath: ReadonlyMap<string, Mapped>, { unused }: Mapping): void {
  const prices = ["LineItems.UnitAmount", "LineItems.LineAmount"];
  const price = prices.map((path) => byPath.get(path)).find((mapped) => mapped !== undefined);
  const likely = unused.find((heading) => /amount|price|net|gross|value/i.test(heading));
  const isSold = byPath.has("LineItems.Quantity") || likely !== undefined;
  if (price === undefined && isSold && !byPath.has("LineItems.ItemCode")) {
    const unread = unused.length === 0 ? "" : ` Not read: ${unused.join(", ")}.`;
    throw new UsageError(
      "MissingColumn",
      `No column gives UnitAmount; say which does, with --map 'UnitAmount=${likely ?? "COLUMN"}'.${unread}`,
    );
  }
  if (price === undefined || !/\binc(l|lusive|luding)?\b/i.test(price.shownAs)) return;
  if (byPath.has("LineAmountTypes")) return;
  const message = `The column ${price.shownAs} seems to include tax: --set LineAmountTypes=Inclusive says so`;
  throw new UsageError("MissingColumn", `${message}, Exclusive that it does not.`);
}

/** Headings of columns that change what a document comes to, or when it is due. */
const columnsThatChangeAmounts: readonly (readonly [
  field: string,
  others: readonly string[],
  pattern: RegExp,
])[] = [
  [
    "LineItems.Quantity",
    [],
    /(?<!\p{L})(qty|quantity|quantité|qté|menge|anzahl|cantidad|aantal|count|hours)(?!\p{L})/iu,
  ],
  [
    "LineItems.TaxType",
    [],
    /(?<!\p{L})(tax|gst|vat|mwst|ust|tva|btw|iva)[ -]?(rate|type|code|%|\(%\)|satz)/iu,
  ],
  ["LineItems.TaxAmount", ["TotalTax"], /^\W*((sales )?tax|gst|vat)( amount)?$/i],
  [
    "LineItems.DiscountRate",
    ["LineItems.DiscountAmount"],
    /(?<!\p{L})(disc|discount|rebate|rabatt|remise)(?!\p{L})/iu,
  ],
  ["DueDate", [], /^\W*((payment )?due( on| by)?|fällig( am)?|échéance)\W*$/i],
];

/** Refuses a column that is not read though its heading says what no other column does. */
function refuseUnread(byPath: ReadonlyMap<string, Mapped>, { unused, stated }: Mapping): void {
  const faults = columnsThatChangeAmounts.flatMap(([path, others, pattern]) => {
    const heading = unused.find((text) => pattern.test(text));
    const isSettled = [path, ...others].some((each) => byPath.has(each) || stated.has(each));
    if (heading === undefined || isSettled) return [];
    const name = path.replace("LineItems.", "");
    return `The column ${heading} is not read: --map '${name}=${heading}' reads it, --map ${name}= leaves it out.`;
  });
  if (faults.length > 0) throw new UsageError("MissingColumn", faults.join(" "));
}

function checkType(noun: ImportNoun, type: Mapped): void {
  const ownType = noun === "invoice" ? "ACCREC" : "ACCPAY";
  const value = type.read([]);
  if (value === undefined || value === ownType) return;
  const otherNoun = noun === "invoice" ? "bills" : "invoices";
  throw new UsageError(
    "BadMap",
    `${String(value)} are not ${pluralOf(noun)}; use acct import ${otherNoun}.`,
  );
}
