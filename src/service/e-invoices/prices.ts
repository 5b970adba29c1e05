/**
 * Net prices of e-invoice lines: quantity times price, less the discount, equals the net amount of
 * the line to the cent.
 */
import {
  amountOf,
  type Decimal,
  decimal,
  isEqual,
  isNegative,
  isZero,
  type Line,
  negate,
  one,
  percentOf,
  unitPriceOf,
} from "../../e-invoices/index.ts";
import type { Cents } from "../../ledger/money.ts";
import { scaleOf } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";

type Priced = Pick<Line, "quantity" | "price" | "priceQuantity" | "allowances">;

/** Maximum decimal places of a price; with more, the price is given for the whole quantity. */
const placesMax = 10;

/**
 * Returns quantity, price and discount of a line, which give its net amount. Prices are never
 * negative: the quantity has the sign.
 *
 * @param rate  tax rate included in the unit amount; undefined for a net one
 */
export function priced(item: LineItem, net: Cents, rate: Decimal | undefined): Priced {
  const quantity = decimal(item.Quantity ?? 10_000, scaleOf.quantity);
  const unit = decimal(item.UnitAmount ?? 0, scaleOf.unitAmount);
  if (isZero(quantity)) {
    return {
      quantity,
      price: isNegative(unit) ? negate(unit) : unit,
      priceQuantity: undefined,
      allowances: [],
    };
  }
  const discounted = discountOf(item, quantity, unit, net, rate);
  if (discounted !== undefined) return discounted;
  const isBelow = isNegative(quantity) !== net < 0;
  const signed = isBelow && net !== 0 ? negate(quantity) : quantity;
  const absolute = isNegative(unit) ? negate(unit) : unit;
  if (rate === undefined && amountOf(signed, absolute) === net) {
    return { quantity: signed, price: absolute, priceQuantity: undefined, allowances: [] };
  }
  return { quantity: signed, ...priceFor(net, signed), allowances: [] };
}

/** Returns a price of few decimals that gives the amount, else one for the whole quantity. */
function priceFor(amount: Cents, quantity: Decimal): Pick<Priced, "price" | "priceQuantity"> {
  for (let places = 4; places <= placesMax; places += 1) {
    const price = unitPriceOf(amount, quantity, places);
    if (amountOf(quantity, price) === amount) return { price, priceQuantity: undefined };
  }
  const per = isNegative(quantity) ? negate(quantity) : quantity;
  const price = decimal(Math.abs(amount), scaleOf.money);
  return isEqual(per, one) ? { price, priceQuantity: undefined } : { price, priceQuantity: per };
}

/** Returns the discount of a line as an allowance; undefined without one, or for a negative one. */
function discountOf(
  { DiscountRate, DiscountAmount }: LineItem,
  quantity: Decimal,
  unit: Decimal,
  net: Cents,
  rate: Decimal | undefined,
): Priced | undefined {
  if (!DiscountRate && !DiscountAmount) return undefined;
  if (isNegative(quantity) || isNegative(unit) || net < 0) return undefined;
  const listed = amountOf(quantity, unit);
  const base = rate === undefined ? listed : withoutTax(listed, rate);
  const amount = (base - net) as Cents;
  if (amount <= 0) return undefined;
  const percent = DiscountRate ? decimal(DiscountRate, scaleOf.percent) : undefined;
  // Percentage and base are given together or not at all, and the receiver recomputes the amount.
  const isExact = percent !== undefined && Math.abs(percentOf(base, percent) - amount) <= 1;
  const price =
    rate === undefined ? { price: unit, priceQuantity: undefined } : priceFor(base, quantity);
  return {
    quantity,
    ...price,
    allowances: [
      {
        isCharge: false,
        amount,
        percent: isExact ? percent : undefined,
        base: isExact ? base : undefined,
        reason: "Discount",
        reasonCode: "95",
      },
    ],
  };
}

/** Returns the net amount: `amount × 100 ÷ (100 + rate)`. */
function withoutTax(amount: Cents, { units, scale }: Decimal): Cents {
  const whole = 100n * 10n ** BigInt(scale);
  return amountOf(
    decimal(amount, 2),
    { units: whole, scale: 0 },
    { units: whole + units, scale: 0 },
  );
}
