import { describe, expect, test } from "vitest";
import {
  emptyStock,
  moveAt,
  purchase,
  returnIn,
  reversePurchase,
  reverseSale,
  type Stock,
  takeOutSale,
} from "../../src/ledger/inventory.ts";
import type { Cents, Quantity } from "../../src/ledger/money.ts";
import { RefusedError } from "../../src/resources/errors.ts";
import { fc } from "../support/properties.ts";
import { cents, quantity } from "./amounts.ts";

const stock = (on: string, pool: string): Stock => ({ quantity: quantity(on), pool: cents(pool) });

test("after two purchases the cost of a sale is at the average, and selling the rest leaves no value", () => {
  let now = purchase(emptyStock, quantity("10"), cents("40.00"));
  expect(now).toEqual(stock("10", "40.00"));
  now = purchase(now, quantity("5"), cents("27.50"));
  expect(now).toEqual(stock("15", "67.50"));
  const first = takeOutSale(now, quantity("4"), 1);
  expect(first).toEqual({ cost: cents("18.00"), stock: stock("11", "49.50") });
  const second = takeOutSale(first.stock, quantity("11"), 1);
  expect(second).toEqual({ cost: cents("49.50"), stock: emptyStock });
});

test.each([
  ["3", "10.00", "1", "3.33"],
  ["2", "6.67", "1", "3.34"],
  ["0.5", "0.01", "0.25", "0.01"],
  ["1000000", "0.00", "1", "0.00"],
])("of %s items bought for %s, a sale of %s costs %s", (on, pool, out, cost) => {
  expect(takeOutSale(stock(on, pool), quantity(out), 1).cost).toBe(cents(cost));
});

describe("stock moves that are refused", () => {
  const have = stock("2", "10.00");

  test.each<[string, () => unknown, string, string]>([
    [
      "a sale of more than there is",
      () => takeOutSale(have, quantity("2.5"), 1, "CLAY"),
      "QuantityOnHand",
      "There is not enough of item 'CLAY': 2.5 needed, 2 on hand.",
    ],
    [
      "undoing a purchase of more than there is",
      () => reversePurchase(have, quantity("3"), cents("15.00")),
      "QuantityOnHand",
      "There is not enough of the item: 3 needed, 2 on hand.",
    ],
    [
      "undoing a purchase whose cost went out with later sales",
      () => reversePurchase(have, quantity("1"), cents("12.00"), "CLAY"),
      "QuantityOnHand",
      "The cost of this purchase of item 'CLAY' has gone out with sales since. " +
        "Void those sales first.",
    ],
    [
      "undoing a purchase that leaves cost without goods",
      () => reversePurchase(have, quantity("2"), cents("8.00"), "CLAY"),
      "QuantityOnHand",
      "The cost of this purchase of item 'CLAY' has gone out with sales since. " +
        "Void those sales first.",
    ],
    [
      "a sale of quantity zero",
      () => takeOutSale(have, quantity("0"), 1),
      "Quantity",
      "The quantity of the item must be above zero.",
    ],
    [
      "a purchase of a negative quantity",
      () => purchase(have, quantity("-1"), cents("1")),
      "Quantity",
      "The quantity of the item must be above zero.",
    ],
    [
      "goods that cost more elsewhere than the pool holds",
      () => moveAt(have, -1, quantity("1"), cents("9000"), "CLAY"),
      "Cost",
      expect.stringMatching(/^1 of item 'CLAY' cannot cost 9000\.00: the .* on hand cost/),
    ],
    [
      "all goods at another cost than the pool",
      () => moveAt(have, -1, have.quantity, cents("0.01")),
      "Cost",
      expect.stringContaining("of the item cannot cost 0.01"),
    ],
    [
      "a purchase below zero cost",
      () => purchase(have, quantity("1"), cents("-1")),
      "Cost",
      "The cost of the item must not be below zero.",
    ],
  ])("a stock move is refused: %s", (_name, act, code, message) => {
    expect(act).toThrow(expect.objectContaining({ code, message }));
  });
});

test("reversing a stock move restores the quantity and its value", () => {
  const before = stock("11", "49.50");
  const bought = purchase(before, quantity("5"), cents("27.50"));
  expect(reversePurchase(bought, quantity("5"), cents("27.50"))).toEqual(before);
  const sold = takeOutSale(before, quantity("4"), 1);
  expect(reverseSale(sold.stock, quantity("4"), sold.cost)).toEqual(before);
});

test("stock quantity and value are never negative, and a quantity of zero has no value", () => {
  type Act = { kind: "buy" | "sell" | "unbuy" | "unsell"; quantity: number; cost: number };
  const acts = fc.array(
    fc.record({
      kind: fc.constantFrom<Act["kind"]>("buy", "sell", "sell", "unbuy", "unsell"),
      quantity: fc.integer({ min: 1, max: 500_000 }),
      cost: fc.integer({ min: 0, max: 1_000_000 }),
    }),
    { maxLength: 40 },
  );
  fc.assert(
    fc.property(acts, (run) => {
      let now = emptyStock;
      const bought: [Quantity, Cents][] = [];
      const sold: [Quantity, Cents][] = [];
      for (const act of run) {
        const amount = act.quantity as Quantity;
        try {
          if (act.kind === "buy") {
            now = purchase(now, amount, act.cost as Cents);
            bought.push([amount, act.cost as Cents]);
          } else if (act.kind === "sell") {
            const all = act.cost % 3 === 0 && now.quantity > 0 ? now.quantity : amount;
            const out = takeOutSale(now, all, 1);
            expect(now.pool - out.cost).toBe(out.stock.pool);
            now = out.stock;
            sold.push([all, out.cost]);
          } else {
            const list = act.kind === "unbuy" ? bought : sold;
            const undo = act.kind === "unbuy" ? reversePurchase : reverseSale;
            const last = list.at(-1);
            if (last === undefined) continue;
            now = undo(now, ...last);
            list.pop();
          }
        } catch (error) {
          expect(error).toBeInstanceOf(RefusedError);
        }
        expect(now.quantity).toBeGreaterThanOrEqual(0);
        expect(now.pool).toBeGreaterThanOrEqual(0);
        if (now.quantity === 0) expect(now.pool).toBe(0);
      }
    }),
  );
});

test("in a currency without cents, items are sold and returned at whole units of the currency", () => {
  const have = stock("3", "1000.00");
  const sold = takeOutSale(have, quantity("1"), 100);
  expect(sold).toEqual({ stock: stock("2", "667.00"), cost: cents("333.00") });
  const { cost } = returnIn(sold.stock, quantity("1"), undefined, 100);
  expect(cost).toBe(cents("334.00"));
});
