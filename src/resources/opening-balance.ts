/**
 * Opening balances of a book that starts after the company did: account balances of a day, open
 * documents, and stock on hand.
 */
import { currencyCodes, lineTracking } from "./common.ts";
import {
  choice,
  date,
  type Input,
  id,
  many,
  money,
  quantity,
  rate,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

/** Name of the contact on the bill that brings in opening stock. */
export const stockContact = "Opening balances";

export const openingBalance = resource(
  "OpeningBalance",
  () => ({
    OpeningBalanceID: id({ readOnly: true, always: true }),
    Date: date({ required: true, help: "the last day of the books before these" }),
    Accounts: many(
      "Account",
      {
        AccountCode: text({ max: 10, required: true }),
        Debit: money(),
        Credit: money(),
        CurrencyBalance: money({
          currency: "other",
          help: "of a bank account in another currency, in that; debit above zero",
        }),
      },
      { min: 1, max: 5_000, always: true, help: "the trial balance of the day" },
    ),
    Documents: many(
      "Document",
      {
        Type: choice(["ACCREC", "ACCPAY", "ACCRECCREDIT", "ACCPAYCREDIT"], { required: true }),
        Number: text({ max: 255, required: true }),
        ContactName: text({ max: 255, required: true, help: "a new contact where none bears it" }),
        Date: date({ required: true }),
        DueDate: date(),
        Reference: text({ max: 255 }),
        CurrencyCode: choice(currencyCodes),
        CurrencyRate: rate({ help: "that of its day when not given" }),
        AmountDue: money({ help: "what is outstanding; all of its lines when not given" }),
        Lines: many(
          "Line",
          {
            Description: text({ max: 4000 }),
            Amount: money({ required: true, help: "with its tax" }),
            TaxAmount: money({ help: "by the rate of its TaxType when not given" }),
            AccountCode: text({ max: 10, help: "Historical Adjustment when not given" }),
            TaxType: text({ max: 50 }),
            Tracking: lineTracking,
          },
          {
            min: 1,
            max: 1_000,
            always: true,
            help: "of the whole document, also where a part of it is paid",
          },
        ),
        DocumentID: id({ readOnly: true }),
      },
      {
        max: 10_000,
        help: "invoices, bills and credit notes that were open at the end of the day",
      },
    ),
    Stock: many(
      "Item",
      {
        ItemCode: text({ max: 30, required: true }),
        Quantity: quantity({ required: true, min: 1 }),
        Cost: money({ required: true, min: 0, help: "of all of it, in the base currency" }),
      },
      { max: 10_000, help: "tracked items on hand at the end of the day" },
    ),
    StockDocumentID: id({ readOnly: true }),
    HistoricalAdjustment: money({
      readOnly: true,
      always: true,
      help: "what the balances are out by, debit above zero; it stands on Historical Adjustment",
    }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
  }),
  {
    plural: "OpeningBalances",
    extension: true,
    id: "OpeningBalanceID",
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST", "DELETE"],
    columns: ["Date", "HistoricalAdjustment"],
    noun: "opening",
    summary: "balances, open documents and stock that the books begin with",
  },
);

export type OpeningBalance = Shape<typeof openingBalance>;
export type OpeningBalanceInput = Input<typeof openingBalance>;
export type OpeningDocument = NonNullable<OpeningBalance["Documents"]>[number];
