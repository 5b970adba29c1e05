/** Profit and loss: what was earned and spent in a range of days. */
import type { Row } from "../../wire/report.ts";
import { type DateText, longDate } from "../dates/calendar.ts";
import { type Cents, sum, zeroCents } from "../money.ts";
import {
  type AccountInfo,
  accountRow,
  byName,
  columnTotals,
  compareText,
  figure,
  headerRow,
  negated,
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

export interface ProfitAndLossColumn {
  /** `31 Mar 26`, the last day of its range, or the name of a tracking option. */
  readonly heading: string;
  /** Over the range of the column. */
  readonly sums: Sums;
}

export interface ProfitAndLossRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** Of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly ProfitAndLossColumn[];
  /** The whole chart; others than those of profit and loss are passed over. */
  readonly accounts: readonly AccountInfo[];
  /** One line for all currency gains; see `groupsCurrencyGains`. */
  readonly groupCurrencyGains?: boolean | undefined;
  /** A fourth title, which names the tracking filter. */
  readonly filter?: string | undefined;
}

/** Stands for an AccountID on the line of all currency gains. */
const currencyGainsId = "FXGROUPID";

const currencyGains: ReadonlySet<string | undefined> = new Set([
  "BANKCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
]);

/** Whether the standard layout shows currency gains as one line: not in the US, nor in AU demos. */
export function groupsCurrencyGains(organisation: {
  readonly CountryCode?: string | undefined;
  readonly IsDemoCompany?: boolean | undefined;
}): boolean {
  const { CountryCode, IsDemoCompany } = organisation;
  return CountryCode !== "US" && !(CountryCode === "AU" && IsDemoCompany === true);
}

type Part = "income" | "costs" | "other" | "expenses";

function partOf({ Class, Type }: AccountInfo): Part | undefined {
  if (Class === "REVENUE") return Type === "OTHERINCOME" ? "other" : "income";
  if (Class === "EXPENSE") return Type === "DIRECTCOSTS" ? "costs" : "expenses";
  return undefined;
}

/** Figures of each column; all positive in the usual case. */
export interface ProfitFigures {
  readonly income: Cents[];
  readonly costOfSales: Cents[];
  readonly grossProfit: Cents[];
  readonly otherIncome: Cents[];
  readonly expenses: Cents[];
  readonly netProfit: Cents[];
}

/** The totals of a profit and loss, one value per column. */
export function profitFigures(
  accounts: readonly AccountInfo[],
  columns: readonly Sums[],
): ProfitFigures {
  const total = (part: Part) => {
    const members = accounts.filter((account) => partOf(account) === part);
    return columns.map((sums) => {
      const net = sum(members.map((account) => figure(sums, account)));
      return part === "income" || part === "other" ? negated(net) : net;
    });
  };
  const [income, costOfSales, otherIncome, expenses] = [
    total("income"),
    total("costs"),
    total("other"),
    total("expenses"),
  ];
  const at = (amounts: readonly Cents[], column: number) => amounts[column] ?? zeroCents;
  const grossProfit = income.map((amount, column) => (amount - at(costOfSales, column)) as Cents);
  const netProfit = grossProfit.map(
    (amount, column) => (amount + at(otherIncome, column) - at(expenses, column)) as Cents,
  );
  return { income, costOfSales, grossProfit, otherIncome, expenses, netProfit };
}

/**
 * The report in the standard layout.
 *
 * Income is positive when credited, costs and expenses when debited. Accounts that are zero in
 * every column are left out, and sections without accounts; Gross Profit and Net Profit always stand.
 */
export function profitAndLoss(request: ProfitAndLossRequest): ReportBody {
  const { organisation, from, to, columns, accounts, filter } = request;
  const titles = ["Profit & Loss", organisation, `${longDate(from)} to ${longDate(to)}`];
  if (filter !== undefined) titles.push(filter);
  const figures = profitFigures(
    accounts,
    columns.map(({ sums }) => sums),
  );
  const parts = profitSections(request);
  return {
    titles,
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...parts.income,
      ...parts.costs,
      section("", [plainRow("Row", "Gross Profit", figures.grossProfit)]),
      ...parts.other,
      ...parts.expenses,
      section("", [plainRow("Row", "Net Profit", figures.netProfit)]),
    ],
  };
}

const sectionTitles = {
  income: ["Income", "Total Income"],
  costs: ["Less Cost of Sales", "Total Cost of Sales"],
  other: ["Plus Other Income", "Total Other Income"],
  expenses: ["Less Operating Expenses", "Total Operating Expenses"],
} as const satisfies Record<Part, readonly [title: string, total: string]>;

/** What the sections of accounts are made from. */
export type SectionsRequest = Pick<
  ProfitAndLossRequest,
  "columns" | "accounts" | "groupCurrencyGains"
>;

/** The sections of account rows with their totals; none where no account has a figure. */
export function profitSections(request: SectionsRequest): Record<Part, Row[]> {
  const part = (which: Part): Row[] => {
    const lines = linesOf(which, request);
    if (lines.length === 0) return [];
    const [title, total] = sectionTitles[which];
    const totals = columnTotals(
      request.columns.length,
      lines.map(({ amounts }) => amounts),
    );
    const rows = lines.map(({ label, id, amounts }) => accountRow(label, id, amounts));
    return [section(title, [...rows, plainRow("SummaryRow", total, totals)])];
  };
  return {
    income: part("income"),
    costs: part("costs"),
    other: part("other"),
    expenses: part("expenses"),
  };
}

interface ReportLine {
  readonly label: string;
  readonly id: string;
  readonly amounts: readonly Cents[];
}

/** The account lines of one section, sorted by label. */
function linesOf(part: Part, request: SectionsRequest): ReportLine[] {
  const { accounts, columns, groupCurrencyGains = false } = request;
  const credit = part === "income" || part === "other";
  const lines: ReportLine[] = [];
  const gains: Cents[][] = [];
  for (const account of accounts.filter((one) => partOf(one) === part).sort(byName)) {
    const amounts = columns.map(({ sums }) => {
      const net = figure(sums, account);
      return credit ? negated(net) : net;
    });
    if (groupCurrencyGains && currencyGains.has(account.SystemAccount)) gains.push(amounts);
    else lines.push({ label: account.Name, id: account.AccountID, amounts });
  }
  if (gains.length > 0) {
    lines.push({
      label: "Foreign Currency Gains and Losses",
      id: currencyGainsId,
      amounts: columnTotals(columns.length, gains),
    });
    lines.sort((a, b) => compareText(a.label.toLowerCase(), b.label.toLowerCase()));
  }
  return lines.filter(({ amounts }) => amounts.some((amount) => amount !== 0));
}
