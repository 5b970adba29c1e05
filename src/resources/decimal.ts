/**
 * Exact decimals: integers of a stated scale.
 *
 * A value is a safe integer of JavaScript, so addition and comparison are exact and fast;
 * operations that could exceed that range use `bigint` and are refused when the result does not
 * fit. No amount is ever a floating-point fraction: text is parsed digit by digit, and formatted to
 * text again. Only this module handles scale, rounding and overflow; bookkeeping with money (line
 * amounts, tax, conversion) is in `ledger/money.ts`.
 */
import { RefusedError } from "./errors.ts";

declare const unit: unique symbol;
type ScaledNumber<Unit extends string> = number & { readonly [unit]: Unit };
/**
 * A scaled integer with more digits than a safe integer: a `bigint` outside the safe integers, a
 * number inside.
 */
type Long<Unit extends string> = (number | bigint) & { readonly [unit]: Unit };

/** Money in 10⁻² of its currency, either sign. */
export type Cents = ScaledNumber<"Cents">;
/** A price per unit, in 10⁻⁴ of its currency. */
export type UnitAmount = ScaledNumber<"UnitAmount">;
/** Quantity on hand or moved, in 10⁻⁴. */
export type Quantity = ScaledNumber<"Quantity">;
/** Quantity of a line, in 10⁻⁴, with up to 13 digits as written, which are up to 17 when scaled. */
export type LineQuantity = Long<"Quantity">;
/** A percentage (tax, discount), in 10⁻⁴ percent: 15 % is 150000. */
export type Percent = ScaledNumber<"Percent">;
/** Exchange rate: foreign units per unit of base currency, in 10⁻⁶, with up to 18 digits. */
export type Rate = Long<"Rate">;

/** Decimal places by field kind. */
export const scaleOf = { money: 2, unitAmount: 4, quantity: 4, percent: 4, rate: 6 } as const;

/** The exchange rate 1.000000 as a scaled integer. */
export const rateOfOne = 10 ** scaleOf.rate;

const powersOfTen = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/** 10 to the power of `exponent`, 0 to 15. */
export function powerOfTen(exponent: number): number {
  return powersOfTen[exponent] ?? 10 ** exponent;
}

/** Maximum length of a decimal in characters; longer text is refused unread. */
const decimalLengthMax = 64;

const decimalPattern = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * Parses decimal text as an integer of `scale`, rounding further digits half away from zero.
 *
 * @param text   digits with an optional sign, point and exponent; no thousands separators
 * @param scale  digits after the point that are kept, 0 to 6
 * @returns the scaled integer, or undefined when `text` is no decimal
 * @throws RefusedError `Overflow` when it does not fit
 */
export function readDecimal(text: string, scale: number): number | undefined {
  const digits = digitsOf(text, scale);
  if (digits === undefined) return undefined;
  const { isNegative, significant, isRoundedUp } = digits;
  if (significant.length > 16) throw overflowError(text);
  let value = significant === "" ? 0 : Number(significant);
  if (isRoundedUp) value += 1;
  if (value > Number.MAX_SAFE_INTEGER) throw overflowError(text);
  return isNegative && value !== 0 ? -value : value;
}

/** Maximum number of digits of a rate, 6 of them decimal places, and of a quantity. */
export const rateDigits = 18;
const longLimit = 10n ** BigInt(rateDigits);

/** Parses an exchange rate like `readDecimal`, with up to 12 digits before the decimal point. */
export function readRate(text: string): Rate | undefined {
  return readLong(text, scaleOf.rate) as Rate | undefined;
}

/** Parses a decimal like `readDecimal`, with up to 18 digits in total. */
export function readLong(text: string, scale: number): number | bigint | undefined {
  const digits = digitsOf(text, scale);
  if (digits === undefined) return undefined;
  const { isNegative, significant, isRoundedUp } = digits;
  const value = BigInt(significant) + (isRoundedUp ? 1n : 0n);
  return longFits(isNegative ? -value : value);
}

/** Checks that an integer has at most 18 digits. @throws RefusedError `Overflow` */
export function longFits(value: bigint): number | bigint {
  if (value >= longLimit || value <= -longLimit) throw overflowError(String(value));
  return longFrom(value);
}

/**
 * Converts an integer to a number, or to a bigint outside the safe integers.
 *
 * @param value  an integer, or the text of one
 */
export function longFrom(value: bigint | number | string): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : BigInt(value);
}

/** Exchange rate from an integer in 10⁻⁶; see `longFrom`. */
export const rateFrom = (value: bigint | number | string): Rate => longFrom(value) as Rate;

/** Digits of decimal text at a scale; undefined for text that is no decimal. */
function digitsOf(text: string, scale: number) {
  if (text.length > decimalLengthMax) return undefined;
  const match = decimalPattern.exec(text);
  if (match === null) return undefined;
  const wholeDigits = match[2] ?? "";
  const fraction = match[3] ?? "";
  if (wholeDigits === "" && fraction === "") return undefined;
  const pointAt = wholeDigits.length + Number(match[4] ?? 0) + scale;
  const digits = wholeDigits + fraction;
  const leading = pointAt <= 0 ? "" : digits.slice(0, pointAt).padEnd(pointAt, "0");
  const nextDigit = pointAt < 0 ? 0 : digits.charCodeAt(pointAt) - 48;
  return {
    isNegative: match[1] === "-",
    significant: leading.replace(/^0+/, ""),
    isRoundedUp: nextDigit >= 5,
  };
}

/** Writes a scaled integer without trailing zeros: `2`, `12.5`. */
export const shortDecimal = (value: number | bigint, scale: number): string =>
  writeDecimal(value, scale).replace(/\.0*$|(?<=\.\d*[1-9])0+$/, "");

export const quantityText = (quantity: number | bigint): string =>
  shortDecimal(quantity, scaleOf.quantity);

/** Number of decimal places in `text`, without trailing zeros. */
export function decimalPlaces(text: string): number {
  const match = decimalPattern.exec(text);
  const fraction = (match?.[3] ?? "").replace(/0+$/, "");
  return Math.max(0, fraction.length - Number(match?.[4] ?? 0));
}

/**
 * Writes a scaled integer as decimal text.
 *
 * @param value   an integer of `scale`; a bigint only where it is long, which is never rounded
 * @param scale   its digits after the point
 * @param places  digits to show; fewer than `scale` rounds half away from zero
 */
export function writeDecimal(
  value: number | bigint,
  scale: number,
  places: number = scale,
): string {
  if (typeof value === "bigint") {
    const digits = String(value);
    return `${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
  }
  if (places < scale) {
    return writeDecimal(divideRounded(value, powerOfTen(scale - places)), places);
  }
  const sign = value < 0 ? "-" : "";
  const digits = Math.abs(value);
  if (places === 0) return `${sign}${digits}`;
  const unit = powerOfTen(scale);
  const below = digits % unit;
  // The division is exact, as the dividend is a multiple of the divisor.
  const fraction = scale === 0 ? "" : String(below + unit).slice(1);
  return `${sign}${(digits - below) / unit}.${fraction}${places === scale ? "" : "0".repeat(places - scale)}`;
}

/**
 * `value / divisor`, rounded half away from zero.
 *
 * @param value    a safe integer, either sign
 * @param divisor  a safe integer above zero
 */
export function divideRounded(value: number, divisor: number): number {
  // For safe integers, the remainder is exact, and so is the division of a multiple.
  const remainder = value % divisor;
  const quotient = (value - remainder) / divisor;
  if (2 * Math.abs(remainder) < divisor) return quotient === 0 ? 0 : quotient;
  return quotient + (value < 0 ? -1 : 1);
}

/**
 * `a * b / divisor`, rounded half away from zero, exact however large the product.
 *
 * @param divisor  above zero
 * @throws RefusedError `Overflow` when the result is no safe integer
 */
export function multiplyDivide(
  a: number | bigint,
  b: number | bigint,
  divisor: number | bigint,
): number {
  if (typeof a === "number" && typeof b === "number" && typeof divisor === "number") {
    const product = a * b;
    if (Number.isSafeInteger(product)) return divideRounded(product, divisor);
  }
  const exact = BigInt(a) * BigInt(b);
  const wide = BigInt(divisor);
  const remainder = exact % wide;
  let quotient = exact / wide;
  if (2n * (remainder < 0n ? -remainder : remainder) >= wide) quotient += exact < 0n ? -1n : 1n;
  return isSafe(Number(quotient));
}

/**
 * Checks that a sum or product is a safe integer.
 *
 * @throws RefusedError `Overflow`
 */
export function isSafe(value: number): number {
  if (!Number.isSafeInteger(value)) throw overflowError(String(value));
  return value === 0 ? 0 : value;
}

function overflowError(text: string): RefusedError {
  return new RefusedError(
    "Overflow",
    `The number ${text.slice(0, 40)} is too large to be kept exactly.`,
  );
}
