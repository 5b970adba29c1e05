/** Compares a document of the book with the document of the file. */
import { amountText, type LineAmountTypes } from "../../../resources/common.ts";
import { multiplyDivide } from "../../../resources/decimal.ts";
import { RefusedError } from "../../../resources/errors.ts";
import type { Invoice } from "../../../resources/invoice.ts";
import type { KnownContact } from "../records/contact-book.ts";
import { fold, isEqual } from "../records/lookup.ts";
import { type DocumentRecord, type Line, linesOf } from "./document-record.ts";

/**
 * Returns the sum of the lines in cents, rounded as the service does; undefined if a line lacks
 * amounts.
 */
export function linesTotal(lines: readonly Line[]): number | undefined {
  let total = 0;
  for (const line of lines) {
    const cents = lineCents(line);
    if (cents === undefined) return undefined;
    total += cents;
  }
  return total;
}

const wholePercent = 1_000_000n;

function lineCents(line: Line): number | undefined {
  const { Quantity, UnitAmount, LineAmount, DiscountRate, DiscountAmount = 0 } = line;
  if (LineAmount !== undefined) return LineAmount;
  if (Quantity === undefined || UnitAmount === undefined) {
    return Quantity === undefined && UnitAmount === undefined && line.ItemCode === undefined
      ? 0
      : undefined;
  }
  try {
    if (!DiscountRate) return multiplyDivide(Quantity, UnitAmount, 1_000_000) - DiscountAmount;
    // The product is rounded once, from its exact value.
    const exact = BigInt(Quantity) * BigInt(UnitAmount) * (wholePercent - BigInt(DiscountRate));
    const unit = 1_000_000_000_000n;
    const rest = exact % unit;
    const roundingUnit = 2n * (rest < 0n ? -rest : rest) >= unit ? (exact < 0n ? -1n : 1n) : 0n;
    return Number(exact / unit + roundingUnit);
  } catch (error) {
    if (error instanceof RefusedError) return undefined; // too large, as the service will say
    throw error;
  }
}

/** Returns the difference between the documents of book and file; undefined when they are equal. */
export function difference(
  candidate: DocumentRecord,
  invoice: Invoice,
  contact: KnownContact | undefined,
): string | undefined {
  const total = linesTotal(linesOf(candidate));
  const types: LineAmountTypes = invoice.LineAmountTypes;
  const heldTotal = types === "Exclusive" ? invoice.SubTotal : invoice.Total;
  if (invoice.Contact?.ContactID !== contact?.id) {
    return `for ${invoice.Contact?.Name ?? "another contact"}`;
  }
  if (total !== undefined && total !== heldTotal) {
    return `over ${amountText(heldTotal, invoice.CurrencyCode)}, not ${amountText(total, invoice.CurrencyCode)}`;
  }
  const { CurrencyCode } = candidate.input;
  if (CurrencyCode !== undefined && CurrencyCode !== invoice.CurrencyCode) {
    return `in ${invoice.CurrencyCode}, not ${CurrencyCode}`;
  }
  return undefined;
}

/** Whether the document in the book has all values of the file. */
export function agreesWithFile(
  candidate: DocumentRecord,
  invoice: Invoice,
  contact: KnownContact | undefined,
): boolean {
  if (contact?.id === undefined || invoice.Contact?.ContactID !== contact.id) return false;
  const { LineItems, Status, Contact, ...record } = candidate.input as Partial<Invoice>;
  // A status that the document has already passed is not a difference.
  const rank = ["DRAFT", "SUBMITTED", "AUTHORISED", "PAID"];
  if (Status !== undefined && rank.indexOf(invoice.Status) < rank.indexOf(Status)) return false;
  const lines = linesOf(candidate);
  const heldLines = invoice.LineItems ?? [];
  return (
    lines.length === heldLines.length &&
    isEqual(record, invoice) &&
    lines.every(({ ItemCode, Item, ...line }, at) => {
      const heldLine = heldLines[at];
      const sameItem = ItemCode === undefined || fold(ItemCode) === fold(heldLine?.ItemCode ?? "");
      return sameItem && isEqual(line, heldLine);
    })
  );
}
