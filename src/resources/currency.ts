/** Currencies of the books, with their exchange rates by day. */
import { currencyCodes } from "./common.ts";
import { choice, date, rate, resource, type Shape, text } from "./field.ts";

export const currency = resource(
  "Currency",
  () => ({
    Code: choice(currencyCodes, { required: true, key: true, filter: true }),
    Description: text({ readOnly: true, filter: true }),
  }),
  {
    plural: "Currencies",
    id: "Code",
    collection: ["GET", "PUT"],
    where: true,
    order: true,
    columns: ["Code", "Description"],
    listOrder: "Code ASC",
    noun: "currency",
    example: "EUR",
    summary: "currencies and their exchange rates",
  },
);

/**
 * Exchange rate of a currency on a day: an extension, at `/Currencies/{Code}/Rates`.
 *
 * A rate applies until the next known one, and is identified by currency and day.
 */
export const exchangeRate = resource(
  "CurrencyRate",
  () => ({
    Date: date({ required: true }),
    Rate: rate({ required: true, help: "units of the currency for one of the base currency" }),
  }),
  {
    plural: "Rates",
    id: "Date",
    collection: ["GET", "PUT"],
    batchMax: 5000,
    columns: ["Date", "Rate"],
    noun: "exchange rate",
    summary: "what a currency was worth from day to day",
  },
);

export type Currency = Shape<typeof currency>;
export type ExchangeRate = Shape<typeof exchangeRate>;
