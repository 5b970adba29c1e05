/**
 * Exact sums of what rows come to, Quantity × UnitAmount, before anything is rounded.
 *
 * A refused row may hold more decimals than the books keep, so a sum carries as many as it needs;
 * what was taken and what was refused then add up to what the file holds.
 */
import { scaleOf } from "../../../resources/decimal.ts";

/** `value` × 10^-`scale`. */
export interface ExactDecimal {
  readonly value: bigint;
  readonly scale: number;
}

/** Digits after the point of a product of a quantity and a unit amount. */
const productScale = scaleOf.quantity + scaleOf.unitAmount;

/** The product of a quantity and a unit amount, both in 10⁻⁴. */
export function product(quantity: number | bigint, unitAmount: number): ExactDecimal {
  const made = typeof quantity === "number" ? quantity * unitAmount : Number.NaN;
  const value = Number.isSafeInteger(made) ? BigInt(made) : BigInt(quantity) * BigInt(unitAmount);
  return { value, scale: productScale };
}

/** A plain decimal with all its digits; undefined when the text is none. */
export function readExact(text: string): ExactDecimal | undefined {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(text);
  const digits = `${match?.[2] ?? ""}${match?.[3] ?? ""}`;
  if (match === null || digits === "") return undefined;
  const value = BigInt(digits);
  return { value: match[1] === "-" ? -value : value, scale: match[3]?.length ?? 0 };
}

export function times(a: ExactDecimal, b: ExactDecimal): ExactDecimal {
  return { value: a.value * b.value, scale: a.scale + b.scale };
}

/** Adds up. */
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

  toString(): string {
    return writeExact(this.exact);
  }
}

/** Decimal text with two digits after the point, or as many more as there are. */
export function writeExact({ value, scale }: ExactDecimal): string {
  const negative = value < 0n;
  const digits = String(negative ? -value : value).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits
    .slice(digits.length - scale)
    .replace(/0+$/, "")
    .padEnd(2, "0");
  return `${negative ? "-" : ""}${whole}.${fraction}`;
}
