/**
 * Exact sums of Quantity × UnitAmount, before any rounding.
 *
 * A refused row may have more decimals than the book supports, so a sum has as many as needed;
 * imported and refused sums then add up to the sum of the file.
 */
import { scaleOf } from "../../../resources/decimal.ts";

/** Decimal number with the value `value` × 10^-`scale`. */
export interface ExactDecimal {
  readonly value: bigint;
  readonly scale: number;
}

/** Decimal places of a quantity multiplied by a unit amount. */
const productScale = scaleOf.quantity + scaleOf.unitAmount;

/** Multiplies a quantity and a unit amount, both in units of 10⁻⁴. */
export function multiply(quantity: number | bigint, unitAmount: number): ExactDecimal {
  const made = typeof quantity === "number" ? quantity * unitAmount : Number.NaN;
  const value = Number.isSafeInteger(made) ? BigInt(made) : BigInt(quantity) * BigInt(unitAmount);
  return { value, scale: productScale };
}

/** Parses a plain decimal with all its digits; undefined when the text is not one. */
export function readExact(text: string): ExactDecimal | undefined {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  const digits = `${match?.[2] ?? ""}${match?.[3] ?? ""}`;
  if (match === null || digits === "") return undefined;
  const value = BigInt(digits);
  return { value: match[1] === "-" ? -value : value, scale: match[3]?.length ?? 0 };
}

export function productOf(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  return { value: a.value * b.value, scale: a.scale + b.scale };
}

/** Exact running sum of decimals. */
export class DecimalSum {
  #value = 0n;
  #scale = productScale;

  add({ value, scale }: ExactDecimal): void {
    if (scale > this.#scale) {
      this.#value *= 10n ** BigInt(scale - this.#scale);
      this.#scale = scale;
    }
    this.#value += scale === this.#scale ? value : value * 10n ** BigInt(this.#scale - scale);
  }

  get exact(): ExactDecimal {
    return { value: this.#value, scale: this.#scale };
  }

  /** Rounded to two decimal places, half away from zero, for people. */
  toString(): string {
    const unit = 10n ** BigInt(this.#scale - 2);
    const halfUnit = this.#value < 0n ? -unit / 2n : unit / 2n;
    return writeExact({ value: (this.#value + halfUnit) / unit, scale: 2 });
  }
}

/** Formats a decimal with at least two decimal places. */
export function writeExact({ value, scale }: ExactDecimal): string {
  const isNegative = value < 0n;
  const digits = String(isNegative ? -value : value).padStart(scale + 1, "0");
  const wholePart = digits.slice(0, digits.length - scale);
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, "")
    .padEnd(2, "0");
  return `${isNegative ? "-" : ""}${wholePart}.${fraction}`;
}
