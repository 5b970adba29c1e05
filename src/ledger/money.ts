/**
 * Money arithmetic: line amounts, percentages, currency conversion.
 *
 * Scale, rounding and overflow are those of `resources/decimal.ts`: amounts are integers of a
 * stated scale, results are rounded once, half away from zero, and overflow is refused.
 */
import {
  type Cents,
  isSafe,
  type LineQuantity,
  longFits,
  multiplyDivide,
  type Percent,
  type Rate,
  type UnitAmount,
} from "../resources/decimal.ts";
import { RefusedError } from "../resources/errors.ts";

export type {
  Cents,
  LineQuantity,
  Percent,
  Quantity,
  Rate,
  UnitAmount,
} from "../resources/decimal.ts";

/** The smallest amount of a currency, in cents; results are whole multiples of it. */
export type Smallest = 1 | 100;

/** A conversion to the base currency: exchange rate, and smallest amount of the base currency. */
export interface Exchange {
  readonly rate: Rate;
  /** Smallest amount of the base currency, in cents. */
  readonly smallest: Smallest;
}

/** A rate of 100 %. */
export const wholePercent = 1_000_000 as Percent;

/** The exchange rate of documents in the base currency, 1. */
export const baseRate = 1_000_000 as Rate;

export const zeroCents = 0 as Cents;

/**
 * `quantity × unitAmount × (100 − discountRate) / 100`, rounded once.
 *
 * @param quantity      either sign
 * @param unitAmount    either sign
 * @param discountRate  0 to 100 %
 * @throws RefusedError `Overflow`
 * @source service document, Invoice LineItem, LineAmount
 */
export function lineAmount(
  quantity: LineQuantity,
  unitAmount: UnitAmount,
  discountRate: Percent = 0 as Percent,
  smallest: Smallest = 1,
): Cents {
  if (smallest !== 1) {
    const product = BigInt(quantity) * BigInt(unitAmount) * BigInt(wholePercent - discountRate);
    return wholeAmount(product, 1_000_000_000_000n, smallest);
  }
  if (discountRate === 0) return multiplyDivide(quantity, unitAmount, 1_000_000) as Cents;
  const net = wholePercent - discountRate;
  const gross = typeof quantity === "number" ? quantity * unitAmount : Number.NaN;
  // The exact product has twelve more digits than cents; an intermediate rounding would round
  // twice.
  if (Number.isSafeInteger(gross)) return multiplyDivide(gross, net, 1_000_000_000_000) as Cents;
  const product = BigInt(quantity) * BigInt(unitAmount) * BigInt(net);
  return isSafe(Number(roundedQuotient(product, 1_000_000_000_000n))) as Cents;
}

/**
 * The quantity or unit amount that a line amount implies when the other is known.
 *
 * @param amount        the line amount, either sign
 * @param factor        the known quantity or unit amount, in 10⁻⁴, not zero
 * @param discountRate  0 to below 100 %
 * @returns the missing factor in 10⁻⁴; the product may differ from `amount` by rounding
 * @throws RefusedError `Overflow`
 */
export function missingFactor(
  amount: Cents,
  factor: number | bigint,
  discountRate: Percent = 0 as Percent,
): number | bigint {
  const numerator = BigInt(factor < 0 ? -amount : amount) * 1_000_000_000_000n;
  const denominator = BigInt(factor) * BigInt(wholePercent - discountRate);
  return longFits(roundedQuotient(numerator, denominator < 0n ? -denominator : denominator));
}

/** `rate` percent of `amount`, either sign. */
export function percentOf(amount: Cents, rate: Percent, smallest: Smallest = 1): Cents {
  return share(amount, rate, wholePercent, smallest);
}

/** The tax included in `amount` at `rate` percent: amount × r ÷ (100 + r). */
export function taxInside(amount: Cents, rate: Percent, smallest: Smallest = 1): Cents {
  return share(amount, rate, wholePercent + rate, smallest);
}

/**
 * `amount × factor ÷ divisor`, rounded once to the smallest amount of the currency; `divisor` above
 * zero.
 */
export function share(
  amount: number,
  factor: number | bigint,
  divisor: number | bigint,
  smallest: Smallest,
): Cents {
  if (smallest === 1) return multiplyDivide(amount, factor, divisor) as Cents;
  return wholeAmount(BigInt(amount) * BigInt(factor), BigInt(divisor), smallest);
}

function wholeAmount(dividend: bigint, divisor: bigint, smallest: Smallest): Cents {
  return isSafe(Number(roundedQuotient(dividend, divisor * BigInt(smallest))) * smallest) as Cents;
}

/** `a + b`. @throws RefusedError `Overflow` */
export function add(a: Cents, b: Cents): Cents {
  return isSafe(a + b) as Cents;
}

/**
 * The sum of amounts, 0 for none.
 * @throws RefusedError `Overflow`
 */
export function sum(amounts: Iterable<Cents>): Cents {
  let total = 0;
  for (const amount of amounts) total = isSafe(total + amount);
  return total as Cents;
}

/**
 * Converts a foreign amount to the base currency: `amount ÷ rate`.
 *
 * @param amount  foreign cents, either sign
 * @throws RefusedError `CurrencyRate` when the rate is not above zero, `Overflow`
 */
export function toBase(amount: Cents, { rate, smallest }: Exchange): Cents {
  if (rate === baseRate && smallest === 1) return amount;
  if (!(rate > 0)) throw rateError();
  return share(amount, baseRate, rate, smallest);
}

/** `toBase` for a sum in foreign cents that may exceed the safe integers. */
export function sumToBase(amount: bigint, { rate, smallest }: Exchange): Cents {
  if (!(rate > 0)) throw rateError();
  return wholeAmount(amount * BigInt(baseRate), BigInt(rate), smallest);
}

/**
 * Converts a base amount to a foreign currency: `amount × rate`; see `toBase`.
 *
 * @param smallest  smallest amount of the foreign currency
 */
export function fromBase(amount: Cents, rate: Rate, smallest: Smallest): Cents {
  if (rate === baseRate && smallest === 1) return amount;
  if (!(rate > 0)) throw rateError();
  return share(amount, rate, baseRate, smallest);
}

/**
 * The exchange rate implied by a foreign and a base amount, both above zero.
 *
 * It has six decimals, so `toBase` and `fromBase` only approximate the amounts: a known amount is
 * stored beside the rate.
 *
 * @throws RefusedError `CurrencyRate` when it is zero at six decimals
 */
export function rateBetween(foreign: Cents, baseAmount: Cents): Rate {
  if (!(baseAmount > 0)) throw rateError();
  const rate = multiplyDivide(foreign, baseRate, baseAmount) as Rate;
  if (!(rate > 0)) throw rateError();
  return rate;
}

/**
 * Whether two exchange rates differ by at most a quarter, as rates of one currency on one day do.
 */
export function areNear(a: Rate, b: Rate): boolean {
  const [less = 0, more = 0] = [Number(a), Number(b)].toSorted((x, y) => x - y);
  return more * 4 <= less * 5;
}

function rateError(): RefusedError {
  return new RefusedError("CurrencyRate", "The currency rate must be above zero.");
}

/** `dividend / divisor` rounded half away from zero; `divisor` above zero. */
function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const rest = dividend % divisor;
  let quotient = dividend / divisor;
  if (2n * (rest < 0n ? -rest : rest) >= divisor) quotient += dividend < 0n ? -1n : 1n;
  return quotient;
}
