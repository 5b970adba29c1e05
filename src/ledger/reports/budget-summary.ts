/** Budget summary: the amounts of the overall budget for the coming months. */
import {
  addMonths,
  type DateRange,
  type DateText,
  monthYear,
  startOfMonth,
} from "../dates/calendar.ts";
import { counted, type Figure, sum } from "../figures/expression.ts";
import { add, type Cents, sum as total, zeroCents } from "../money.ts";
import { type LineFigure, profitFigures } from "./profit-and-loss.ts";
import {
  type AccountInfo,
  figure,
  figureRow,
  headerRow,
  negated,
  type ReportBody,
  type Sums,
  sectionRow,
} from "./report-rows.ts";

export interface BudgetColumn {
  /** Any day in the last month of the column. */
  readonly month: DateText;
  readonly heading: string;
  readonly days: DateRange;
  /** Budget of the column's months by AccountID, debit positive. */
  readonly sums: Sums;
}

export interface BudgetSummaryRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** Any day in the first month of the report. */
  readonly from: DateText;
  /** The columns, at least one. */
  readonly columns: readonly BudgetColumn[];
  /** All accounts of the chart. */
  readonly accounts: readonly AccountInfo[];
}

/** The first and last month of each column, in order: `periodCount` columns of `timeframe` months. */
export function budgetPeriods(
  from: DateText,
  periodCount: number,
  timeframe: 1 | 3 | 12,
): { first: DateText; last: DateText }[] {
  const start = startOfMonth(from);
  return Array.from({ length: periodCount }, (_, column) => ({
    first: addMonths(start, column * timeframe),
    last: addMonths(start, (column + 1) * timeframe - 1),
  }));
}

/**
 * The budget summary; without any budget only its three results, all zero.
 *
 * @throws Error when there are no columns
 */
export function budgetSummary(request: BudgetSummaryRequest): ReportBody {
  const { organisation, from, columns, accounts } = request;
  const lastColumn = columns.at(-1);
  if (lastColumn === undefined) throw new Error("A budget summary has at least one column.");
  const { income, costs, other, expenses, grossProfit, netProfit } = profitFigures(
    { accounts },
    columns.map(({ sums, days }) => planned(sums, days)),
  );
  const result = (figures: readonly Figure[]) => sectionRow("", [figureRow("SummaryRow", figures)]);
  const totalExpenses = expenses.totals.map((total) =>
    sum(["total-costs", "Total Expenses", "SectionTotal"], [total]),
  );
  return {
    titles: [
      "Overall Budget",
      "Budget Summary",
      organisation,
      `${monthYear(from)} to ${monthYear(lastColumn.month)}`,
    ],
    rows: [
      headerRow(["Account", ...columns.map(({ heading }) => heading)]),
      ...income.sections,
      ...costs.sections,
      result(grossProfit),
      ...other.sections,
      ...expenses.sections,
      result(totalExpenses),
      result(netProfit),
    ],
  };
}

/** A figure of the overall budget for the months of a range of days. */
export const planned =
  (sumById: Sums, days: DateRange): LineFigure =>
  (name, isCredit, accounts) => {
    const net = total(accounts.map((account) => figure(sumById, account)));
    return counted([...name, "Budget"], isCredit ? negated(net) : net, {
      ...{ of: "budget", accounts, days },
    });
  };

/**
 * Converts budget amounts, which are positive for an account's usual direction (income earned,
 * costs and expenses spent), to debit-positive sums as a profit and loss uses them.
 *
 * @param balances  budgeted amounts, in any order; several of one account add up
 */
export function budgetSums(
  accounts: readonly AccountInfo[],
  balances: readonly { readonly accountId: string; readonly amount: Cents }[],
): Sums {
  const revenueIds = new Set(
    accounts.filter(({ Class }) => Class === "REVENUE").map(({ AccountID }) => AccountID),
  );
  const sumById = new Map<string, Cents>();
  for (const { accountId, amount } of balances) {
    const signedAmount = revenueIds.has(accountId) ? negated(amount) : amount;
    sumById.set(accountId, add(sumById.get(accountId) ?? zeroCents, signedAmount));
  }
  return sumById;
}
