/** Overview of a company as of today, for the start page, the status command and charts. */
import {
  choice,
  date,
  type Fields,
  id,
  integer,
  many,
  money,
  one,
  resource,
  type Shape,
  text,
} from "./field.ts";
import { returnTypes } from "./tax-report.ts";

/** Number of months in the monthly figures, including the current one. */
export const overviewMonths = 12;
/** Number of days in "due this week", including today. */
export const dueDays = 7;

/** Records that may be drafts or await approval: types of documents, and manual journals. */
export const waitingTypes = [
  "ACCREC",
  "ACCPAY",
  "ACCRECCREDIT",
  "ACCPAYCREDIT",
  "PURCHASEORDER",
  "QUOTE",
  "RECEIPT",
  "MANJOURNAL",
] as const;
export type WaitingType = (typeof waitingTypes)[number];

/** Receivables or payables in base currency, by days overdue. */
const owed = {
  Buckets: many("Bucket", {
    Name: text({ always: true, help: "days overdue, 1–30; Current where it is not due yet" }),
    Amount: money({ always: true }),
    Count: integer({ always: true, help: "how many documents" }),
  }),
  Credits: money({ always: true, help: "credits not allocated yet, below zero" }),
  Total: money({ always: true }),
  Overdue: money({ always: true }),
  OverdueCount: integer({ always: true }),
  DueThisWeek: money({ always: true, help: `due today or in the ${dueDays - 1} days after it` }),
  DueThisWeekCount: integer({ always: true }),
} as const satisfies Fields;

const month = {
  FromDate: date({ always: true }),
  ToDate: date({ always: true }),
  Income: money({ always: true }),
  Expenses: money({ always: true }),
  Profit: money({ always: true }),
} as const satisfies Fields;

export const overview = resource(
  "Overview",
  () => ({
    OrganisationID: id({ always: true }),
    Name: text({ always: true, help: "of the organisation" }),
    CountryCode: text({ help: "ISO 3166" }),
    Date: date({ always: true, help: "today, where the organisation is" }),
    BaseCurrency: text({ always: true }),
    BankAccounts: many("BankAccount", {
      AccountID: id({ always: true }),
      Code: text(),
      Name: text({ always: true }),
      CurrencyCode: text({ always: true }),
      Balance: money({ always: true, help: "today, in the base currency" }),
      BalanceInCurrency: money({ help: "of an account in a foreign currency, in that" }),
      UnreconciledLines: integer({ always: true, help: "lines of bank statements" }),
      UnreconciledFrom: date({ help: "day of the first of them" }),
      History: many("MonthEnd", {
        Date: date({ always: true, help: "the last day of a month, and today" }),
        Balance: money({ always: true }),
      }),
    }),
    Cash: money({ always: true, help: "on all bank accounts" }),
    Receivables: one(owed, { always: true }),
    Payables: one(owed, { always: true }),
    Waiting: many("WaitingDocuments", {
      Type: choice(waitingTypes, { always: true, help: "type of the documents" }),
      Status: choice(["DRAFT", "SUBMITTED"], { always: true }),
      Count: integer({ always: true }),
      FromDate: date({ always: true, help: "date of the first of them" }),
    }),
    Tax: one(
      {
        ReportType: choice(returnTypes, { always: true }),
        FromDate: date({ always: true }),
        ToDate: date({ always: true }),
        Amount: money({
          always: true,
          help: "tax on sales less tax on purchases so far; below zero to be refunded",
        }),
      },
      { help: "the earliest tax return that is not published; none where the country has none" },
    ),
    PeriodLockDate: date(),
    EndOfYearLockDate: date(),
    Months: many("Month", month),
    SameMonthLastYear: one(month, { always: true }),
    Debtors: many(
      "Debtor",
      {
        ContactID: id({ always: true }),
        Name: text({ always: true }),
        Amount: money({ always: true }),
        DueDate: date({ always: true, help: "of the oldest open invoice" }),
      },
      { help: "customers who owe most on invoices, in the base currency" },
    ),
  }),
  {
    plural: "Overviews",
    extension: true,
    id: "OrganisationID",
    columns: ["Name", "Date", "Cash", "Receivables.Total", "Payables.Total"],
    noun: "overview",
    summary: "the state of the company today on one page",
  },
);

export type Overview = Shape<typeof overview>;
export type Owed = Overview["Receivables"];

/** Path of the overview; it has no id, as an organisation has only one. */
export const overviewPath = "/Extensions/Overview";
