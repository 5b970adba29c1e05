/** The account ledger: postings of an account between its opening and closing balance. */
import { currencyCodes } from "./common.ts";
import {
  boolean,
  choice,
  date,
  type Fields,
  id,
  integer,
  money,
  rate,
  resource,
  type Shape,
  text,
} from "./field.ts";

/** Resources whose records post money, by name. */
export const documentKinds = [
  "Invoice",
  "CreditNote",
  "BankTransaction",
  "Prepayment",
  "Overpayment",
  "Receipt",
] as const;

/**
 * Computed rows without a journal: opening and closing balance, revaluation at a day's exchange
 * rates, and the year-end transfer of profit.
 */
export const workedOutRows = {
  OPENING: "Opening balance",
  REVALUATION: "At the rates of the last day",
  YEAREND: "Year end",
  CLOSING: "Closing balance",
} as const;

export const accountTransaction = resource(
  "AccountTransaction",
  () => ({
    AccountCode: text(),
    AccountName: text({ always: true }),
    AccountID: id({ always: true }),
    Date: date({ always: true }),
    Source: text({
      always: true,
      help: `the SourceType of its journal; CONVERSION of opening balances; ${Object.keys(workedOutRows).join(", ")} of a row that no journal made`,
    }),
    SourceID: id(),
    JournalNumber: integer(),
    DocumentID: id({
      help: "of the document whose money it moves: of a payment, the one that is paid",
    }),
    DocumentKind: choice(documentKinds, { help: "the resource of that document" }),
    DocumentType: text({ help: "the Type of that document, where it has one" }),
    Number: text({ help: "of the document" }),
    Contact: text(),
    Description: text(),
    Reference: text(),
    Debit: money({ currency: "base" }),
    Credit: money({ currency: "base" }),
    Balance: money({
      currency: "base",
      help: "after it; debit above zero; none where journals are in their order",
    }),
    TaxType: text(),
    TaxAmount: money({ currency: "base", help: "debit above zero" }),
    Tracking: text({ help: "options, with commas" }),
    OtherAccount: text({ help: "the other account of its journal; Split where there are several" }),
    CurrencyCode: choice(currencyCodes, { help: "of the document, or of a foreign bank account" }),
    CurrencyRate: rate(),
    ForeignAmount: money({ help: "of a foreign bank account, in its currency; debit above zero" }),
    Next: text({
      help: "on the last of a page that others follow: the parameter after of the next",
    }),
  }),
  {
    plural: "AccountTransactions",
    extension: true,
    id: "AccountID",
    columns: [
      "AccountCode",
      "Date",
      "Source",
      "Number",
      "Contact",
      "Description",
      "Reference",
      "Debit",
      "Credit",
      "Balance",
    ],
    noun: "account transaction",
    summary: "the postings of accounts, between their opening and closing balances",
  },
);

export type AccountTransaction = Shape<typeof accountTransaction>;

/** Query parameters of the account ledger. */
export const ledgerParameters = {
  accounts: text({ help: "codes or AccountIDs, with commas; every account when not given" }),
  fromDate: date({ help: "first day; the first of this month when not given" }),
  toDate: date({ help: "last day; the end of the month when not given" }),
  paymentsOnly: boolean({ help: "cash basis: only what was paid" }),
  trackingOptionID1: text({ help: "only what carries this tracking option" }),
  trackingOptionID2: text({ help: "and this option of the other category" }),
  undone: boolean({ help: "also what was undone, and what undid it" }),
  journal: integer({ min: 1, help: "the postings of this journal alone, by its number" }),
  record: id({ help: "only what this record made, or moves the money of, by its id" }),
  order: choice(["account", "journal"], {
    help: "by account, with balances (the default), or by journal, as posted",
  }),
  pageSize: integer({ min: 1, max: 1000, help: "about so many rows; 1000 when not given" }),
  after: text({ help: "go on here: Next of the page before" }),
} as const satisfies Fields;
