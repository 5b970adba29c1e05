/**
 * Tracked inventory at average cost.
 *
 * An item is a quantity and a pool of cost; the average is never stored, only pool ÷ quantity. Both
 * are as of the moment of posting: nothing is costed back to an earlier date. At all times neither
 * is negative, and a quantity of zero has a pool of zero.
 */
import { fits, writeDecimal } from "../resources/decimal.ts";
import { RefusedError } from "../resources/errors.ts";
import {
  add,
  type Cents,
  type LineQuantity,
  lineAmount,
  type Quantity,
  type Smallest,
  share,
  type UnitAmount,
} from "./money.ts";

export interface Stock {
  readonly quantity: Quantity;
  /** Cost of all that is on hand, in base currency. */
  readonly pool: Cents;
}

export const emptyStock: Stock = { quantity: 0 as Quantity, pool: 0 as Cents };

/**
 * Goods come in.
 *
 * @param quantity  above zero
 * @param cost      net, in base currency, not negative
 * @throws RefusedError `Quantity`, `Cost`, `Overflow`
 */
export function purchase(stock: Stock, quantity: Quantity, cost: Cents, item?: string): Stock {
  checkQuantity(quantity, item);
  if (cost < 0) {
    throw new RefusedError("Cost", `The cost of ${named(item)} must not be below zero.`);
  }
  return {
    quantity: fits(stock.quantity + quantity) as Quantity,
    pool: add(stock.pool, cost),
  };
}

/**
 * Goods go out at the average cost; all that is on hand takes the whole pool.
 *
 * @param quantity  above zero
 * @param smallest  of the base currency
 * @returns what is left, and the cost of what went, in base currency
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Quantity`
 */
export function sale(
  stock: Stock,
  quantity: Quantity,
  smallest: Smallest,
  item?: string,
): { stock: Stock; cost: Cents } {
  checkQuantity(quantity, item);
  checkOnHand(stock, quantity, item);
  const cost =
    quantity === stock.quantity
      ? stock.pool
      : share(stock.pool, quantity, stock.quantity, smallest);
  return { stock: less(stock, quantity, cost), cost };
}

/**
 * A purchase is undone, at what it cost.
 *
 * Refused when the goods, or the cost they brought, have gone out with a sale since: the pool would
 * be negative, or be left without goods. On an edit, take in the new purchase before undoing the
 * old one.
 *
 * @throws RefusedError `QuantityOnHand`, `Quantity`
 */
export function reversePurchase(
  stock: Stock,
  quantity: Quantity,
  cost: Cents,
  item?: string,
): Stock {
  const left = outAt(stock, quantity, cost, item);
  if (left !== undefined) return left;
  throw new RefusedError(
    "QuantityOnHand",
    `The cost of this purchase of ${named(item)} has gone out with sales since. ` +
      "Void those sales first.",
  );
}

/**
 * Goods move at the cost that they had in other books.
 *
 * @param direction  1 where they come in, −1 where they go out
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Cost` where the pool would be
 *   negative or be left without goods, `Quantity`
 */
export function movedAt(
  stock: Stock,
  direction: 1 | -1,
  quantity: Quantity,
  cost: Cents,
  item?: string,
): Stock {
  const moved =
    direction === 1 ? purchase(stock, quantity, cost, item) : outAt(stock, quantity, cost, item);
  if (moved !== undefined) return moved;
  throw new RefusedError(
    "Cost",
    `${quantityText(quantity)} of ${named(item)} cannot cost ${writeDecimal(cost, 2)}: ` +
      `the ${quantityText(stock.quantity)} on hand cost ${writeDecimal(stock.pool, 2)}.`,
  );
}

/** What is left when goods go out at a cost; undefined where the pool has not that much. */
function outAt(stock: Stock, quantity: Quantity, cost: Cents, item?: string): Stock | undefined {
  checkQuantity(quantity, item);
  checkOnHand(stock, quantity, item);
  const left = less(stock, quantity, cost);
  return left.pool < 0 || (left.quantity === 0 && left.pool !== 0) ? undefined : left;
}

/** A sale is undone: the goods come back at the cost they went out with. */
export function reverseSale(stock: Stock, quantity: Quantity, cost: Cents, item?: string): Stock {
  return purchase(stock, quantity, cost, item);
}

function less(stock: Stock, quantity: Quantity, cost: Cents): Stock {
  return {
    quantity: (stock.quantity - quantity) as Quantity,
    pool: (stock.pool - cost) as Cents,
  };
}

function checkQuantity(quantity: Quantity, item: string | undefined): void {
  if (quantity > 0) return;
  throw new RefusedError("Quantity", `The quantity of ${named(item)} must be above zero.`);
}

function checkOnHand(stock: Stock, quantity: Quantity, item: string | undefined): void {
  if (quantity <= stock.quantity) return;
  throw new RefusedError(
    "QuantityOnHand",
    `There is not enough of ${named(item)}: ${quantityText(quantity)} needed, ` +
      `${quantityText(stock.quantity)} on hand.`,
  );
}

/** The quantity of a line of goods. @throws RefusedError `Quantity` of more than stock can hold */
export function stockQuantity(quantity: LineQuantity, item: string): Quantity {
  if (typeof quantity === "number") return quantity;
  const most = writeDecimal(Number.MAX_SAFE_INTEGER, 4);
  throw new RefusedError("Quantity", `The quantity of ${named(item)} must not be above ${most}.`);
}

const quantityText = (quantity: Quantity): string =>
  writeDecimal(quantity, 4).replace(/\.?0+$/, "");

const named = (item: string | undefined): string =>
  item === undefined ? "the item" : `item '${item}'`;

/**
 * A customer brings goods back: they come in at the average cost of what is on hand, or, where
 * nothing is, at the price they are bought at.
 *
 * @param price     for one, in base currency; what is not known counts as nothing
 * @param smallest  of the base currency
 * @throws RefusedError `Quantity`, `Overflow`
 */
export function returnIn(
  stock: Stock,
  quantity: Quantity,
  price: UnitAmount | undefined,
  smallest: Smallest,
  item?: string,
): { stock: Stock; cost: Cents } {
  checkQuantity(quantity, item);
  const cost =
    stock.quantity > 0
      ? share(stock.pool, quantity, stock.quantity, smallest)
      : lineAmount(quantity, price ?? (0 as UnitAmount), undefined, smallest);
  return { stock: purchase(stock, quantity, cost, item), cost };
}

/**
 * Goods go back to a supplier: they go out at what the supplier credits for them, which is no more
 * than the pool, and all of it where nothing is left.
 *
 * @param credited  net of the line, in base currency
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Quantity`
 */
export function returnOut(
  stock: Stock,
  quantity: Quantity,
  credited: Cents,
  item?: string,
): { stock: Stock; cost: Cents } {
  checkQuantity(quantity, item);
  checkOnHand(stock, quantity, item);
  const all = quantity === stock.quantity || credited > stock.pool;
  const cost = all ? stock.pool : (Math.max(credited, 0) as Cents);
  return { stock: less(stock, quantity, cost), cost };
}
