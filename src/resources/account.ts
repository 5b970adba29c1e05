/** An account of the chart of accounts. */
import { attachments } from "./attachment.ts";
import { currencyCodes, hasAttachments } from "./common.ts";
import { boolean, choice, id, resource, type Shape, text, timestamp } from "./field.ts";

export const accountTypes = [
  "BANK",
  "CURRENT",
  "CURRLIAB",
  "DEPRECIATN",
  "DIRECTCOSTS",
  "EQUITY",
  "EXPENSE",
  "FIXED",
  "INVENTORY",
  "LIABILITY",
  "NONCURRENT",
  "OTHERINCOME",
  "OVERHEADS",
  "PREPAYMENT",
  "REVENUE",
  "SALES",
  "TERMLIAB",
  "PAYG",
] as const;

const accountClasses = ["ASSET", "LIABILITY", "EQUITY", "REVENUE", "EXPENSE"] as const;

export const account = resource(
  "Account",
  () => ({
    AccountID: id({ always: true }),
    Code: text({
      max: 10,
      key: true,
      filter: true,
      help: "short code, unique; needed except for bank accounts",
    }),
    Name: text({ max: 150, required: true, filter: true, oneLine: true }),
    Status: choice(["ACTIVE", "ARCHIVED", "DELETED"], { always: true, filter: true }),
    Type: choice(accountTypes, { required: true, filter: true }),
    TaxType: text({ max: 50, help: "tax used on lines that name none" }),
    Description: text({ max: 4000, verbatim: true }),
    Class: choice(accountClasses, { readOnly: true, always: true, filter: true }),
    SystemAccount: text({ readOnly: true }),
    EnablePaymentsToAccount: boolean({ default: false, always: true }),
    ShowInExpenseClaims: boolean({ default: false, always: true }),
    BankAccountNumber: text({ max: 50, oneLine: true, help: "needed for type BANK" }),
    BankAccountType: choice(["BANK", "CREDITCARD", "PAYPAL", "NONE"]),
    CurrencyCode: choice(currencyCodes, { help: "bank accounts only" }),
    ReportingCode: text({ readOnly: true }),
    ReportingCodeName: text({ readOnly: true }),
    HasAttachments: hasAttachments,
    Attachments: attachments,
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
    AddToWatchlist: boolean({ default: false, always: true }),
  }),
  {
    plural: "Accounts",
    id: "AccountID",
    collection: ["GET", "PUT"],
    record: ["GET", "POST", "DELETE"],
    where: true,
    order: true,
    modifiedSince: true,
    attachments: true,
    columns: ["Code", "Name", "Type", "TaxType", "Status"],
    listOrder: "Code ASC",
    noun: "account",
    example: "260",
    summary: "accounts of the chart",
  },
);

export type Account = Shape<typeof account>;
