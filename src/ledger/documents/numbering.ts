/**
 * Numbers of documents: a prefix and a counter, `INV-0042`.
 *
 * The counter of a series is the highest number seen with its prefix, given by the service or by a
 * caller, so a number is never handed out twice, also when its document was voided or deleted.
 */

export interface Series {
  /** The name under which the counter is kept. */
  readonly sequence: string;
  readonly prefix: string;
  /** Digits that smaller numbers are padded to with zeros. */
  readonly width: number;
}

/** The types of the tax rates that are made. */
export const taxRateSeries: Series = { sequence: "tax-rate", prefix: "TAX", width: 3 };

/** The receipts of one user: 1, 2, 3. */
export const receiptSeries = (userId: string): Series => ({
  sequence: `receipt:${userId}`,
  prefix: "",
  width: 1,
});

/** A longer number is no counter but somebody's own reference, and would use the counter up. */
const digitsMax = 9;

/**
 * The number after `last`, padded with zeros; it grows past them.
 *
 * @param last  the counter of the series, 0 at the start
 */
export function nextNumber({ prefix, width }: Series, last: number): string {
  return prefix + String(last + 1).padStart(width, "0");
}

/**
 * What a caller's number counts as: INV-0100 is 100.
 *
 * The prefix is matched in any letter case, as numbers are when they are compared.
 *
 * @returns undefined when it is not the prefix and 1 to 9 digits; such numbers are allowed, and do
 *   not move the counter
 */
export function numberValue({ prefix }: Series, text: string): number | undefined {
  const digits = text.slice(prefix.length);
  if (digits.length > digitsMax || !/^\d+$/.test(digits)) return undefined;
  if (text.slice(0, prefix.length).toLowerCase() !== prefix.toLowerCase()) return undefined;
  return Number(digits);
}
