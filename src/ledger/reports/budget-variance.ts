/** Budget variance: what was earned and spent in whole months beside what was planned. */
import { multiplyDivide, readDecimal, writeDecimal } from "../../resources/decimal.ts";
import type { Cell, Row } from "../../wire/report.ts";
import { type DateText, monthYear } from "../dates/calendar.ts";
import { add, type Cents } from "../money.ts";
import { profitFigures, profitSections } from "./profit-and-loss.ts";
import {
  type AccountInfo,
  figure,
  headerRow,
  negated,
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

export interface BudgetVarianceRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** A day of the first month, and of the last. */
  readonly from: DateText;
  readonly to: DateText;
  readonly actual: Sums;
  /** Of the overall budget, debit positive. */
  readonly budget: Sums;
  readonly accounts: readonly AccountInfo[];
  /** Currency gains are one row. */
  readonly groupCurrencyGains?: boolean | undefined;
}

/** More is better of what is earned, less of what is spent. */
type Better = "more" | "less";

/** In the order and with the signs of a profit and loss. */
export function budgetVariance(request: BudgetVarianceRequest): ReportBody {
  const { organisation, from, to, actual, budget, accounts, groupCurrencyGains } = request;
  const [first, last] = [monthYear(from), monthYear(to)];
  const months = first === last ? first : `${first} to ${last}`;
  const variance = new Map(
    accounts.map((account) => [
      account.AccountID,
      add(figure(actual, account), negated(figure(budget, account))),
    ]),
  );
  const columns = [actual, budget, variance];
  const parts = profitSections({
    accounts,
    columns: columns.map((sums) => ({ heading: "", sums })),
    groupCurrencyGains,
  });
  const { grossProfit, netProfit } = profitFigures(accounts, columns);
  const judged = (rows: readonly Row[], better: Better) => rows.map((row) => judge(row, better));
  const result = (label: string, amounts: readonly Cents[]) =>
    judge(section("", [plainRow("Row", label, amounts)]), "more");
  return {
    titles: ["Budget Variance", organisation, months],
    rows: [
      headerRow(["Account", "Actual", "Budget", "Variance", "%", "Favourable"]),
      ...judged(parts.income, "more"),
      ...judged(parts.costs, "less"),
      result("Gross Profit", grossProfit),
      ...judged(parts.other, "more"),
      ...judged(parts.expenses, "less"),
      result("Net Profit", netProfit),
    ],
  };
}

/** The row, or the rows of a section, with the share of the budget, and whether it is welcome. */
function judge(row: Row, better: Better): Row {
  if (row.Rows !== undefined) return { ...row, Rows: row.Rows.map((each) => judge(each, better)) };
  const cells = row.Cells ?? [];
  const [budget, variance] = cells.slice(2).map(({ Value = "" }) => readDecimal(Value, 2) ?? 0);
  const attributes = cells.at(-1)?.Attributes;
  const cell = (Value: string): Cell => ({
    ...(Value === "" ? {} : { Value }),
    ...(attributes === undefined ? {} : { Attributes: attributes }),
  });
  return { ...row, Cells: [...cells, ...verdict(budget ?? 0, variance ?? 0, better).map(cell)] };
}

function verdict(budget: number, variance: number, better: Better): [string, string] {
  const isWelcome = better === "more" ? variance >= 0 : variance <= 0;
  const share =
    budget === 0 ? "" : `${writeDecimal(multiplyDivide(variance, 1000, Math.abs(budget)), 1)}%`;
  return [share, isWelcome ? "Yes" : "No"];
}
