/** Budget variance: actual income and expenses of whole months against the budget. */
import { type DateText, endOfMonth, monthYear, startOfMonth } from "../dates/calendar.ts";
import { type Figure, figureValue, type Period, ratioOf, sum } from "../figures/expression.ts";
import type { Basis } from "../journal.ts";
import { planned } from "./budget-summary.ts";
import { postedIn, profitFigures } from "./profit-and-loss.ts";
import {
  type AccountInfo,
  figureCell,
  figureRow,
  headerRow,
  type ReportBody,
  type ReportRow,
  type Sums,
  sectionRow,
} from "./report-rows.ts";

export interface BudgetVarianceRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** Any day in the first month, and any day in the last month. */
  readonly from: DateText;
  readonly to: DateText;
  readonly basis: Basis;
  readonly actual: Sums;
  /** Sums of the overall budget, debit positive. */
  readonly budget: Sums;
  readonly accounts: readonly AccountInfo[];
  /** Whether currency gains are shown as one row. */
  readonly groupCurrencyGains?: boolean | undefined;
}

/** Direction of a favourable variance: more for income, less for expenses. */
type Better = "more" | "less";

/** The budget variance report, in the order and with the signs of a profit and loss. */
export function budgetVariance(request: BudgetVarianceRequest): ReportBody {
  const { organisation, from, to, basis, actual, budget, accounts, groupCurrencyGains } = request;
  const [first, last] = [monthYear(from), monthYear(to)];
  const months = first === last ? first : `${first} to ${last}`;
  const days = { from: startOfMonth(from), to: endOfMonth(to) };
  const period: Period = { ...days, basis, sums: { moved: actual } };
  const { income, costs, other, expenses, grossProfit, netProfit } = profitFigures(
    { accounts, groupCurrencyGains },
    [postedIn(period), planned(budget, days)],
  );
  const varianceRows = ({ sections }: typeof income, better: Better) =>
    sections.map((each) => ({ ...each, Rows: each.Rows.map((row) => withVariance(row, better)) }));
  const result = (figures: readonly Figure[]) =>
    sectionRow("", [withVariance(figureRow("Row", figures), "more")]);
  return {
    titles: ["Budget Variance", organisation, months],
    rows: [
      headerRow([
        "Account",
        ["actual", "Actual"],
        ["budget", "Budget"],
        "Variance",
        ["share", "%"],
        "Favourable",
      ]),
      ...varianceRows(income, "more"),
      ...varianceRows(costs, "less"),
      result(grossProfit),
      ...varianceRows(other, "more"),
      ...varianceRows(expenses, "less"),
      result(netProfit),
    ],
  };
}

/**
 * Builds a row of actual and budget with variance, its percentage, and whether it is favourable.
 */
function withVariance(row: ReportRow, better: Better): ReportRow {
  const [name, actual, budget] = row.Cells ?? [];
  if (actual?.figure === undefined || budget?.figure === undefined) return row;
  const { id, label } = actual.figure;
  const variance = sum([`${id}.variance`, label, "Variance"], [actual.figure], [budget.figure]);
  const share = ratioOf(
    [`${id}.share`, label, "VarianceShare"],
    { figure: variance, label: "Variance" },
    { figure: budget.figure, label: "Budget", unsigned: true },
    "percent",
  );
  const value = figureValue(variance) ?? 0;
  const isWelcome = better === "more" ? value >= 0 : value <= 0;
  const verdict = { Value: isWelcome ? "Yes" : "No" };
  const { Attributes } = budget;
  const addedCells = [figureCell(variance), figureCell(share), verdict].map((cell) =>
    Attributes === undefined ? cell : { ...cell, Attributes },
  );
  return { ...row, Cells: [name ?? {}, actual, budget, ...addedCells] };
}
