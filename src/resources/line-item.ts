/** A line of an invoice, bill or other document. */
import { lineTracking } from "./common.ts";
import {
  id,
  many,
  money,
  one,
  percent,
  quantity,
  type ShapeOf,
  text,
  unitAmount,
} from "./field.ts";

/** Maximum line amount, 9,999,999,999.99. */
export const lineAmountMaxCents = 999_999_999_999;

export const lineItemFields = {
  LineItemID: id({ help: "keep it on updates; a line without it is deleted and made anew" }),
  Description: text({ max: 4000, min: 1, verbatim: true }),
  Quantity: quantity({ digits: 13 }),
  UnitAmount: unitAmount({ currency: "other" }),
  ItemCode: text({ max: 30 }),
  AccountCode: text({ max: 10 }),
  AccountID: id(),
  Item: one({ ItemID: id(), Name: text(), Code: text() }, { readOnly: true }),
  TaxType: text({ max: 50 }),
  TaxAmount: money(),
  LineAmount: money({ max: lineAmountMaxCents }),
  DiscountRate: percent({ help: "percent; sales only" }),
  DiscountAmount: money({ help: "instead of DiscountRate; sales only" }),
  Tracking: lineTracking,
  StockCost: money({
    min: 0,
    currency: "base",
    computed: true,
    extension: true,
    help: "what goods that are sold or returned cost, as in the books that they are copied from; the average cost when not given; read with stockCosts=true",
  }),
} as const;

export const lineItems = many("LineItem", lineItemFields, { emptyInLists: true, computed: true });

export type LineItem = ShapeOf<typeof lineItemFields>;
