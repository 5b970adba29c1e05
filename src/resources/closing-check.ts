/** Checks before a period is closed. */
import {
  choice,
  date,
  type Fields,
  id,
  integer,
  money,
  resource,
  type Shape,
  text,
} from "./field.ts";

/** Descriptions of the checks, as statements that hold where all is in order. */
export const closingChecks = {
  bankStatements: "Bank statements imported",
  bankBalances: "Balances of banks told",
  bankLines: "Bank lines reconciled",
  drafts: "No document waiting",
  repeating: "Repeating invoices made",
  depreciation: "Depreciation posted",
  rates: "Exchange rates known",
  bankDetails: "Bank details in every currency",
  receivables: "Receivables agree with ageing",
  payables: "Payables agree with ageing",
  credits: "Credits allocated",
  stock: "No stock below zero",
  inventory: "Inventory agrees with items",
  fixedAssets: "Fixed assets agree with register",
  suspense: "Suspense accounts at zero",
  taxReturns: "Tax returns published",
  taxAccount: "Tax account explained",
} as const;

export type ClosingCheckName = keyof typeof closingChecks;

export const closingCheck = resource(
  "ClosingCheck",
  () => ({
    Check: choice(Object.keys(closingChecks) as ClosingCheckName[], { always: true }),
    Name: text({ always: true, help: "what is in order, or should be" }),
    Status: choice(["OK", "OPEN"], { always: true }),
    Subject: text({ help: "code of the account or of the item, type of the documents" }),
    SubjectID: id({ help: "of the account" }),
    Found: text({ help: "what is not in order" }),
    Count: integer(),
    Amount: money({ help: "of what is apart" }),
    FromDate: date({ help: "of the first of them; the first day of a tax return" }),
    ToDate: date({ help: "the last day of a tax return" }),
  }),
  {
    plural: "ClosingChecks",
    extension: true,
    id: "Check",
    columns: ["Name", "Status", "Found"],
    noun: "closing check",
    summary: "what an accountant looks at before a period is closed",
  },
);

export type ClosingCheck = Shape<typeof closingCheck>;

export const closingParameters = {
  date: date({ required: true, help: "the last day of the period" }),
} as const satisfies Fields;
