/**
 * Tracked inventory at average cost.
 *
 * An item has a quantity and a pool of cost; the average is never stored, only pool ÷ quantity.
 * Both are as of the moment of posting: no move is costed as of an earlier date. Neither is ever
 * negative, and a quantity of zero has a pool of zero.
 */
import { amountText } from "../resources/common.ts";
import { isSafe, quantityText, writeDecimal } from "../resources/decimal.ts";
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
  /** Total cost of the quantity on hand, in base currency. */
  readonly pool: Cents;
}

export const emptyStock: Stock = { quantity: 0 as Quantity, pool: 0 as Cents };

/**
 * Adds purchased goods to stock.
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
    quantity: isSafe(stock.quantity + quantity) as Quantity,
    pool: add(stock.pool, cost),
  };
}

/**
 * Takes sold goods out at average cost; the last of the quantity takes the whole pool.
 * @param quantity  above zero
 * @param smallest  smallest amount of the base currency
 * @returns the remaining stock, and the cost of goods sold, in base currency
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Quantity`
 */
export function takeOutSale(
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
  return { stock: reduceStock(stock, quantity, cost), cost };
}

/**
 * Reverses a purchase at its cost.
 *
 * Refused when the goods, or their cost, have since left with a sale: the pool would be negative,
 * or be left without goods. On an edit, add the new purchase before reversing the old one.
 *
 * @throws RefusedError `QuantityOnHand`, `Quantity`
 */
export function reversePurchase(
  stock: Stock,
  quantity: Quantity,
  cost: Cents,
  item?: string,
): Stock {
  const stockLeft = issueAt(stock, quantity, cost, item);
  if (stockLeft !== undefined) return stockLeft;
  throw new RefusedError(
    "QuantityOnHand",
    `The cost of this purchase of ${named(item)} has gone out with sales since. ` +
      "Void those sales first.",
  );
}

/**
 * Moves goods at the cost they had in previous books, for a conversion.
 * @param direction  1 for goods coming in, −1 for goods going out
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Cost` when the pool would be
 *   negative or be left without goods, `Quantity`
 */
export function moveAt(
  stock: Stock,
  direction: 1 | -1,
  quantity: Quantity,
  cost: Cents,
  item?: string,
  baseCurrency?: string,
): Stock {
  const stockAfter =
    direction === 1 ? purchase(stock, quantity, cost, item) : issueAt(stock, quantity, cost, item);
  if (stockAfter !== undefined) return stockAfter;
  throw new RefusedError(
    "Cost",
    `${quantityText(quantity)} of ${named(item)} cannot cost ${amountText(cost, baseCurrency)}: ` +
      `the ${quantityText(stock.quantity)} on hand cost ${amountText(stock.pool, baseCurrency)}.`,
  );
}

/** The remaining stock after goods leave at a cost; undefined when the pool is too small. */
function issueAt(stock: Stock, quantity: Quantity, cost: Cents, item?: string): Stock | undefined {
  checkQuantity(quantity, item);
  checkOnHand(stock, quantity, item);
  const remains = reduceStock(stock, quantity, cost);
  return remains.pool < 0 || (remains.quantity === 0 && remains.pool !== 0) ? undefined : remains;
}

/** Reverses a sale: the goods return at the cost at which they left. */
export function reverseSale(stock: Stock, quantity: Quantity, cost: Cents, item?: string): Stock {
  return purchase(stock, quantity, cost, item);
}

function reduceStock(stock: Stock, quantity: Quantity, cost: Cents): Stock {
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

/**
 * The stock quantity of a line.
 * @throws RefusedError `Quantity` when it exceeds the limit of stock
 */
export function stockQuantity(quantity: LineQuantity, item: string): Quantity {
  if (typeof quantity === "number") return quantity;
  const most = writeDecimal(Number.MAX_SAFE_INTEGER, 4);
  throw new RefusedError("Quantity", `The quantity of ${named(item)} must not be above ${most}.`);
}

const named = (item: string | undefined): string =>
  item === undefined ? "the item" : `item '${item}'`;

/**
 * Returns goods from a customer to stock, at the average cost on hand or, when nothing is on hand,
 * at the purchase price.
 * @param price     unit price in base currency; an unknown price counts as zero
 * @param smallest  smallest amount of the base currency
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
 * Returns goods to a supplier: they leave at the supplier's credit, limited to the pool, or at the
 * whole pool when nothing is left.
 * @param credited  net of the line, in base currency
 * @throws RefusedError `QuantityOnHand` when there is not enough, `Quantity`
 */
export function returnToSupplier(
  stock: Stock,
  quantity: Quantity,
  credited: Cents,
  item?: string,
): { stock: Stock; cost: Cents } {
  checkQuantity(quantity, item);
  checkOnHand(stock, quantity, item);
  const isAll = quantity === stock.quantity || credited > stock.pool;
  const cost = isAll ? stock.pool : (Math.max(credited, 0) as Cents);
  return { stock: reduceStock(stock, quantity, cost), cost };
}
