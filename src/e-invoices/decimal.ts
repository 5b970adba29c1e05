/**
 * Exact decimals with any number of decimal places, for prices, quantities and rates of e-invoices.
 */
import { type Cents, isSafe } from "../resources/decimal.ts";

/** The number `units` × 10^−`scale`, without trailing zeros. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

/** Maximum number of characters of a number; the next is the maximum number of decimal places. */
const lengthMax = 40;
const scaleMax = 20;

export function toDecimal(units: bigint | number, scale: number): Decimal {
  let digits = BigInt(units);
  let decimals = scale;
  while (decimals > 0 && digits % 10n === 0n) {
    digits /= 10n;
    decimals -= 1;
  }
  return { units: digits, scale: decimals };
}

/** Parses a decimal; undefined for text that is no decimal or exceeds any amount. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > lengthMax) return undefined;
  const match = /^([+-]?)(\d*)(?:\.(\d*))?$/.exec(text.trim());
  if (match === null) return undefined;
  const [, sign, whole = "", fraction = ""] = match;
  if (whole + fraction === "" || fraction.length > scaleMax) return undefined;
  const units = BigInt(whole + fraction);
  return toDecimal(sign === "-" ? -units : units, fraction.length);
}

/** Formats a decimal with at least `decimalsMin` decimal places. */
export function writeDecimalOf({ units, scale }: Decimal, decimalsMin = 0): string {
  const negative = units < 0n;
  const digitsShown = Math.max(scale, decimalsMin);
  const digits = String((negative ? -units : units) * 10n ** BigInt(digitsShown - scale)).padStart(
    digitsShown + 1,
    "0",
  );
  const at = digits.length - digitsShown;
  const text = digitsShown === 0 ? digits : `${digits.slice(0, at)}.${digits.slice(at)}`;
  return negative ? `-${text}` : text;
}

export function isEqual(a: Decimal, b: Decimal): boolean {
  return a.units === b.units && a.scale === b.scale;
}

export const isZero = ({ units }: Decimal): boolean => units === 0n;
export const isNegative = ({ units }: Decimal): boolean => units < 0n;

export function negate({ units, scale }: Decimal): Decimal {
  return { units: -units, scale };
}

export const one: Decimal = { units: 1n, scale: 0 };

/**
 * Divides two numbers and rounds half away from zero.
 *
 * @param divisor  not zero
 */
function divideRounded(dividend: bigint, divisor: bigint): bigint {
  const negative = dividend < 0n !== divisor < 0n;
  const [top, bottom] = [abs(dividend), abs(divisor)];
  const rounded = (top * 2n + bottom) / (bottom * 2n);
  return negative ? -rounded : rounded;
}

const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** Amount in cents, `quantity × price / per`, rounded half away from zero. */
export function amountOf(quantity: Decimal, price: Decimal, per: Decimal = one): Cents {
  const top = quantity.units * price.units * 10n ** BigInt(per.scale + 2);
  const bottom = per.units * 10n ** BigInt(quantity.scale + price.scale);
  return isSafe(Number(divideRounded(top, bottom))) as Cents;
}

/** Percentage of an amount, in cents. */
export function percentOf(amount: Cents, percent: Decimal): Cents {
  const bottom = 100n * 10n ** BigInt(percent.scale);
  return isSafe(Number(divideRounded(BigInt(amount) * percent.units, bottom))) as Cents;
}

/** Unit price that yields an amount, rounded to `scale`. @param quantity  not zero */
export function unitPriceOf(amount: Cents, quantity: Decimal, scale: number): Decimal {
  const top = BigInt(amount) * 10n ** BigInt(quantity.scale + scale);
  return toDecimal(divideRounded(top, quantity.units * 100n), scale);
}

/** Converts a decimal to an integer of a scale; undefined where it has more decimal places. */
export function atScale({ units, scale }: Decimal, wantedScale: number): number | undefined {
  if (scale > wantedScale) return undefined;
  const value = Number(units * 10n ** BigInt(wantedScale - scale));
  return Number.isSafeInteger(value) ? value : undefined;
}
