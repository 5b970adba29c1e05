/**
 * Document numbers: a prefix and a counter, `INV-0042`.
 *
 * The counter of a series is the highest number seen with its prefix, given by the service or by a
 * caller, so a number is never handed out twice, even after its document was voided or deleted.
 */

export interface Series {
  /** Name of the counter. */
  readonly sequence: string;
  readonly prefix: string;
  /** Minimum digits of a number, padded with zeros. */
  readonly width: number;
}

/** Number series of the TaxTypes of new tax rates. */
export const taxRateSeries: Series = { sequence: "tax-rate", prefix: "TAX", width: 3 };

/** Number series of one user's receipts: 1, 2, 3. */
export const receiptSeries = (userId: string): Series => ({
  sequence: `receipt:${userId}`,
  prefix: "",
  width: 1,
});

/**
 * Maximum digits of a counted number: a longer one is a reference of somebody's own, and would
 * exhaust the counter.
 */
const digitsMax = 9;

/**
 * The number after `last`, padded with zeros up to the width.
 * @param lastNumber  the counter of the series, 0 at the start
 */
export function nextNumber({ prefix, width }: Series, lastNumber: number): string {
  return prefix + String(lastNumber + 1).padStart(width, "0");
}

/**
 * The counter value in a caller's number: 100 for INV-0100.
 *
 * The prefix matches in any letter case, as in comparisons of numbers.
 *
 * @returns undefined when it is not the prefix and 1 to 9 digits; such numbers are allowed, and do
 *   not raise the counter
 */
export function numberValue({ prefix }: Series, text: string): number | undefined {
  const digits = text.slice(prefix.length);
  if (digits.length > digitsMax || !/^\d+$/.test(digits)) return undefined;
  if (text.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined;
  return Number(digits);
}
