/** Executive summary: some twenty figures of a month, compared with the month before. */
import { type DateRange, dayOf, monthYear } from "../dates/calendar.ts";
import {
  counted,
  type Figure,
  figureValue,
  ledger,
  type Measure,
  type Name,
  type Operand,
  type Period,
  ratioOf,
  sum,
} from "../figures/expression.ts";
import type { Cents } from "../money.ts";
import {
  type AccountInfo,
  figureRow,
  headerRow,
  type ReportBody,
  sectionRow,
} from "./report-rows.ts";

/** The data of one month for the summary. */
export interface SummaryMonth {
  /** The month, with movements, closing balances, money received and spent. */
  readonly period: Period;
  /** Approved sales invoices dated in the month. */
  readonly invoices: {
    readonly count: number;
    /** Income of the invoices without tax, in the base currency. */
    readonly income: Cents;
  };
}

export interface ExecutiveSummaryRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly current: SummaryMonth;
  readonly prior: SummaryMonth;
  /** Heading of the column of a month. */
  readonly headingOf: (month: DateRange) => string;
  /** All accounts of the chart. */
  readonly accounts: readonly AccountInfo[];
}

/** The report. Variance is the change from the month before, as a percentage of it. */
export function executiveSummary(request: ExecutiveSummaryRequest): ReportBody {
  const { organisation, current, prior, accounts, headingOf } = request;
  const monthBefore = figuresOf(accounts, prior);
  const { to: month } = current.period;
  return {
    titles: ["Executive Summary", organisation, `For the month of ${monthYear(month)}`],
    rows: [
      headerRow(["", headingOf(current.period), headingOf(prior.period), "Variance"]),
      ...Object.entries(figuresOf(accounts, current)).map(([title, figures]) =>
        sectionRow(
          title,
          figures.map((figure, at) => {
            const otherFigure = monthBefore[title]?.[at] as Figure;
            return figureRow("Row", [figure, otherFigure, change(figure, otherFigure)]);
          }),
        ),
      ),
    ],
  };
}

/** The figures of the report, by section title. */
function figuresOf(
  accounts: readonly AccountInfo[],
  { period, invoices }: SummaryMonth,
): Readonly<Record<string, readonly Figure[]>> {
  const of: Of = (name, sign, measure, isIncluded) =>
    ledger(name, sign, measure, period, accounts.filter(isIncluded));
  const amounts = amountsOf(of);
  const { received, spent, income, costs, gross, other, expenses, profit } = amounts;
  const { debtors, creditors, netAssets } = amounts;
  const issued = (name: Name) =>
    counted(name, invoices.count, { of: "invoices", days: period }, "count");
  const issuedIncome = counted(["invoice-income", "Invoices without tax", "Sum"], invoices.income, {
    of: "invoice income",
    days: period,
  });
  return {
    Cash: [
      received,
      spent,
      sum(["cash-surplus", "Cash surplus (deficit)", "Surplus"], [received], [spent]),
      of(["bank", "Closing bank balance", "Balance"], 1, "held", isBank),
    ],
    Profitability: [income, costs, gross, other, expenses, profit],
    "Balance Sheet": [debtors, creditors, netAssets],
    Income: [
      issued(["invoices", "Number of invoices issued", "InvoicesIssued"]),
      ratioOf(
        ["average-invoice", "Average value of invoices", "AverageInvoice"],
        issuedIncome,
        issued(["invoice-count", "How many", "Sum"]),
        "money",
        0,
      ),
    ],
    ...ratiosOf(of, amounts, period),
  };
}

type Of = (name: Name, sign: 1 | -1, measure: Measure, isIncluded: Fits) => Figure;

function amountsOf(of: Of) {
  const received = of(["cash-received", "Cash received", "CashEarned"], 1, "earned", isBank);
  const spent = of(["cash-spent", "Cash spent", "CashPaid"], 1, "paid", isBank);
  const income = of(["income", "Income", "Income"], -1, "moved", isIncome);
  const costs = of(["direct-costs", "Direct costs", "Costs"], 1, "moved", isDirectCost);
  const gross = sum(["gross-profit", "Gross profit (loss)", "GrossProfit"], [income], [costs]);
  const otherIncome = of(["other-income", "Other Income", "Income"], -1, "moved", isOtherIncome);
  const expenses = of(["expenses", "Expenses", "Costs"], 1, "moved", isExpense);
  const profit = sum(["profit", "Profit (loss)", "NetProfit"], [gross, otherIncome], [expenses]);
  const debtors = of(["debtors", "Debtors", "Balance"], 1, "held", isSystem("DEBTORS"));
  const creditors = of(["creditors", "Creditors", "Balance"], -1, "held", isSystem("CREDITORS"));
  const netAssets = of(["net-assets", "Net assets", "NetAssets"], 1, "held", isNetAsset);
  return {
    ...{ received, spent, income, costs, gross, other: otherIncome, expenses, profit },
    ...{ debtors, creditors, netAssets },
  };
}

function ratiosOf(of: Of, amounts: ReturnType<typeof amountsOf>, period: Period) {
  const { income, costs, gross, expenses, profit, debtors, creditors, netAssets } = amounts;
  const dayCount = dayOf(period.to);
  const inDays = (figure: Figure): Operand => ({
    ...{ figure, times: dayCount },
    label: `${figure.label}, times ${dayCount} days`,
  });
  const percentOf = (name: Name, figure: Figure, label: string, by: Figure, times?: number) =>
    ratioOf(name, { figure, label, times }, by, "percent");
  const cover = (end: string, assets: string, liabilities: string, fits: Fits) =>
    ratioOf(
      [
        `${end}-cover`,
        `${end === "term" ? "Term" : "Current"} assets to liabilities`,
        "AssetsToLiabilities",
      ],
      of([`${end}-assets`, assets, "Balance"], 1, "held", (a) => a.Class === "ASSET" && fits(a)),
      of(
        [`${end}-liabilities`, liabilities, "Balance"],
        -1,
        "held",
        (a) => a.Class === "LIABILITY" && fits(a),
      ),
      "ratio",
    );
  return {
    Performance: [
      percentOf(["gross-margin", "Gross profit margin", "Margin"], gross, "Gross profit", income),
      percentOf(["net-margin", "Net profit margin", "Margin"], profit, "Profit", income),
      percentOf(
        ["return-on-investment", "Return on investment (p.a.)", "ReturnOnInvestment"],
        profit,
        "Profit, for twelve months",
        netAssets,
        12,
      ),
    ],
    Position: [
      ratioOf(
        ["debtors-days", "Average debtors days", "DebtorsDays"],
        inDays(debtors),
        income,
        "ratio",
      ),
      ratioOf(
        ["creditors-days", "Average creditors days", "CreditorsDays"],
        inDays(creditors),
        sum(["spending", "Costs and expenses", "Sum"], [costs, expenses]),
        "ratio",
      ),
      sum(["cash-forecast", "Short term cash forecast", "CashForecast"], [debtors], [creditors]),
      cover("current", "Bank and current assets", "Current liabilities", (a) => !isTerm(a)),
      cover("term", "Fixed and non-current assets", "Non-current liabilities", isTerm),
    ],
  };
}

type Fits = (account: AccountInfo) => boolean;

const isBank: Fits = ({ Type }) => Type === "BANK";
const isOtherIncome: Fits = ({ Class, Type }) => Class === "REVENUE" && Type === "OTHERINCOME";
const isIncome: Fits = (account) => account.Class === "REVENUE" && !isOtherIncome(account);
const isDirectCost: Fits = ({ Type }) => Type === "DIRECTCOSTS";
const isExpense: Fits = (account) => account.Class === "EXPENSE" && !isDirectCost(account);
const isNetAsset: Fits = ({ Class }) => Class === "ASSET" || Class === "LIABILITY";
const isTerm: Fits = ({ Type }) => ["FIXED", "NONCURRENT", "TERMLIAB"].includes(Type);
const isSystem =
  (marker: string): Fits =>
  ({ SystemAccount }) =>
    SystemAccount === marker;

/** The change from the month before, as a percentage of it. */
function change(now: Figure, then: Figure): Figure {
  const { id, label, unit } = now;
  const [value, other] = [figureValue(now), figureValue(then)];
  const sumPart = (amount = 0, words = label) => ({ label: words, amount });
  const figure = (name: string, parts: readonly ReturnType<typeof sumPart>[]) => {
    const total = parts.reduce((soFar, { amount }) => soFar + amount, 0);
    return counted(
      [`${id}.${name}`, name, "Sum"],
      total,
      { of: "parts", parts: () => parts },
      unit,
    );
  };
  const less = other === undefined ? [] : [sumPart(-other, `${label}, the month before`)];
  const thisMonth = value === undefined || other === undefined ? [] : [sumPart(value)];
  const lastMonth = figure("The month before", other === undefined ? [] : [sumPart(other)]);
  return ratioOf(
    [`${id}.variance`, label, "Change"],
    figure("This month, less the month before", [...thisMonth, ...less]),
    { figure: lastMonth, unsigned: true },
    "percent",
  );
}
