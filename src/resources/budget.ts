/** Budgets: expected amounts of accounts by month. */
import {
  choice,
  type Input,
  id,
  many,
  money,
  resource,
  type Shape,
  text,
  timestamp,
} from "./field.ts";

const budgetBalance = {
  Period: text({ required: true, max: 7, help: "a month, YYYY-MM" }),
  Amount: money({ required: true, help: "income and costs both above zero" }),
  Notes: text({ max: 255 }),
} as const;

const budgetLine = {
  AccountID: id(),
  AccountCode: text({ max: 10 }),
  BudgetBalances: many("BudgetBalance", budgetBalance),
} as const;

export const budget = resource(
  "Budget",
  () => ({
    BudgetID: id({ always: true }),
    Type: choice(["OVERALL", "TRACKING"], { default: "OVERALL", always: true }),
    Description: text({ max: 255, key: true }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
    Tracking: many(
      "TrackingCategory",
      {
        TrackingCategoryID: id(),
        TrackingOptionID: id(),
        Name: text({ max: 100 }),
        Option: text({ max: 100 }),
      },
      { max: 2 },
    ),
    BudgetLines: many("BudgetLine", budgetLine, {
      computed: true,
      shown: "single",
      help: "to write them, as to write budgets at all, is an extension of the API",
    }),
  }),
  {
    plural: "Budgets",
    id: "BudgetID",
    collection: ["GET", "PUT", "POST"],
    record: ["GET", "POST"],
    parameters: [{ name: "IDs", field: "BudgetID" }],
    columns: ["Description", "Type", "UpdatedDateUTC"],
    noun: "budget",
    summary: "what accounts are expected to come to, by month",
  },
);

export type Budget = Shape<typeof budget>;
export type BudgetInput = Input<typeof budget>;
