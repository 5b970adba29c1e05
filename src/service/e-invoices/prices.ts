/**
 * Net prices of e-invoice lines: quantity times price, less the discount, equals the net amount of
 * the line to the cent.
 */
import {
  amountOf,
  type Decimal,
  isEqual,
  isNegative,
  isZero,
  type Line,
  negate,
  one,
  percentOf,
  toDecimal,
  unitPriceOf,
} from "../../e-invoices/index.ts";
import type { Cents } from "../../ledger/money.ts";
import { scaleOf } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";

type LinePrice = Pick<Line, "quantity" | "price" | "priceQuantity" | "allowances">;

/**
 * Maximum decimal places of a price, as platforms in France take it; with more, the price is given
 * for the whole quantity.
 */
const placesMax = 6;

/**
 * Returns quantity, price and discount of a line, which give its net amount. Prices are never
 * negative: the quantity has the sign.
 *
 * @param rate  tax rate included in the unit amount; undefined for a net one
 */
export function linePriceOf(item: LineItem, net: Cents, rate: Decimal | undefined): LinePrice {
  const quantity = toDecimal(item.Quantity ?? 10_000, scaleOf.quantity);
  const unit = toDecimal(item.UnitAmount ?? 0, scaleOf.unitAmount);
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
  const isOpposite = isNegative(quantity) !== net < 0;
  const signedQuantity = isOpposite && net !== 0 ? negate(quantity) : quantity;
  const absolute = isNegative(unit) ? negate(unit) : unit;
  if (rate === undefined && amountOf(signedQuantity, absolute) === net) {
    return { quantity: signedQuantity, price: absolute, priceQuantity: undefined, allowances: [] };
  }
  return { quantity: signedQuantity, ...priceFor(net, signedQuantity), allowances: [] };
}

/** Returns a price of few decimals that gives the amount, else one for the whole quantity. */
function priceFor(amount: Cents, quantity: Decimal): Pick<LinePrice, "price" | "priceQuantity"> {
  for (let decimals = 4; decimals <= placesMax; decimals += 1) {
    const price = unitPriceOf(amount, quantity, decimals);
    if (amountOf(quantity, price) === amount) return { price, priceQuantity: undefined };
  }
  const per = isNegative(quantity) ? negate(quantity) : quantity;
  const price = toDecimal(Math.abs(amount), scaleOf.money);
  return isEqual(per, one) ? { price, priceQuantity: undefined } : { price, priceQuantity: per };
}

/** Returns the discount of a line as an allowance; undefined without one, or for a negative one. */
function discountOf(
  { DiscountRate, DiscountAmount }: LineItem,
  quantity: Decimal,
  unit: Decimal,
  net: Cents,
  rate: Decimal | undefined,
): LinePrice | undefined {
  if (!DiscountRate && !DiscountAmount) return undefined;
  if (isNegative(quantity) || isNegative(unit) || net < 0) return undefined;
  const listedNet = amountOf(quantity, unit);
  const listNet = rate === undefined ? listedNet : withoutTax(listedNet, rate);
  const amount = (listNet - net) as Cents;
  if (amount <= 0) return undefined;
  const percent = DiscountRate ? toDecimal(DiscountRate, scaleOf.percent) : undefined;
  // Percentage and base are given together or not at all, and the receiver recomputes the amount.
  const isExact = percent !== undefined && Math.abs(percentOf(listNet, percent) - amount) <= 1;
  const price =
    rate === undefined ? { price: unit, priceQuantity: undefined } : priceFor(listNet, quantity);
  return {
    quantity,
    ...price,
    allowances: [
      {
        isCharge: false,
        amount,
        percent: isExact ? percent : undefined,
        base: isExact ? listNet : undefined,
        reason: "Discount",
        reasonCode: "95",
      },
    ],
  };
}

/** Returns the net amount: `amount × 100 ÷ (100 + rate)`. */
function withoutTax(amount: Cents, { units, scale }: Decimal): Cents {
  const hundred = 100n * 10n ** BigInt(scale);
  return amountOf(
    toDecimal(amount, 2),
    { units: hundred, scale: 0 },
    { units: hundred + units, scale: 0 },
  );
}
