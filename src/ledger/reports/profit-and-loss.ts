/** Profit and loss: income and expenses in a range of days. */
import { compareText } from "../../wire/fold.ts";
import { type DateText, longDate } from "../dates/calendar.ts";
import { type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import {
  type AccountInfo,
  accountFigures,
  byName,
  type ColumnHeading,
  figureRow,
  hasAmount,
  headerRow,
  type ReportBody,
  sectionRow,
} from "./report-rows.ts";

export interface ProfitAndLossColumn {
  /** Heading: `31 Mar 26`, the last day of the range, or the name of a tracking option. */
  readonly heading: ColumnHeading;
  /** The column's period, with its movements. */
  readonly period: Period;
}

export interface ProfitAndLossRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** First day of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly ProfitAndLossColumn[];
  /** The whole chart; accounts outside the profit and loss are ignored. */
  readonly accounts: readonly AccountInfo[];
  /** Whether all currency gains share one line; see `groupsCurrencyGains`. */
  readonly groupCurrencyGains?: boolean | undefined;
  /** Whether the line of currency gains says what its sign means. */
  readonly isSignSaid?: boolean | undefined;
  /** Title that names the tracking filter, if any. */
  readonly filter?: string | undefined;
}

/** Stand-in for an AccountID on the line of all currency gains. */
const currencyGainsId = "FXGROUPID";

const currencyGainAccounts: ReadonlySet<string | undefined> = new Set([
  "BANKCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
]);

/**
 * Whether the standard layout shows currency gains as one line: not for US organisations, nor for
 * AU demonstration companies.
 */
export function groupsCurrencyGains(organisation: {
  readonly CountryCode?: string | undefined;
  readonly IsDemoCompany?: boolean | undefined;
}): boolean {
  const { CountryCode, IsDemoCompany } = organisation;
  return CountryCode !== "US" && !(CountryCode === "AU" && IsDemoCompany === true);
}

type ProfitAndLossSection = "income" | "costs" | "other" | "expenses";

function partOf({ Class, Type }: AccountInfo): ProfitAndLossSection | undefined {
  if (Class === "REVENUE") return Type === "OTHERINCOME" ? "other" : "income";
  if (Class === "EXPENSE") return Type === "DIRECTCOSTS" ? "costs" : "expenses";
  return undefined;
}

/**
 * The profit and loss in the standard layout.
 *
 * Income is positive when credited, costs and expenses when debited. Accounts that are zero in
 * every column are left out, and sections without accounts; Gross Profit and Net Profit are always
 * present.
 */
export function profitAndLoss(request: ProfitAndLossRequest): ReportBody {
  const { organisation, from, to, columns, filter } = request;
  const titles = ["Profit & Loss", organisation, `${longDate(from)} to ${longDate(to)}`];
  if (filter !== undefined) titles.push(filter);
  const { income, costs, other, expenses, grossProfit, netProfit } = profitFigures(
    request,
    columns.map(({ period }) => postedIn(period)),
  );
  return {
    titles,
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...income.sections,
      ...costs.sections,
      sectionRow("", [figureRow("Row", grossProfit)]),
      ...other.sections,
      ...expenses.sections,
      sectionRow("", [figureRow("Row", netProfit)]),
    ],
  };
}

/** Builds the figure of a line's accounts in a column, positive in the usual direction. */
export type LineFigure = (
  name: readonly [id: string, label: string],
  isCredit: boolean,
  accounts: readonly AccountInfo[],
) => Figure;

/** Line figures from the postings in the days of a period. */
export const postedIn =
  (period: Period): LineFigure =>
  (name, isCredit, accounts) =>
    ledger([...name, isCredit ? "Income" : "Costs"], isCredit ? -1 : 1, "moved", period, accounts);

const sectionTitles = {
  income: ["Income", "total-income", "Total Income"],
  costs: ["Less Cost of Sales", "total-cost-of-sales", "Total Cost of Sales"],
  other: ["Plus Other Income", "total-other-income", "Total Other Income"],
  expenses: ["Less Operating Expenses", "total-expenses", "Total Operating Expenses"],
} as const satisfies Record<
  ProfitAndLossSection,
  readonly [title: string, id: string, total: string]
>;

/** Accounts that get lines, and whether currency gains are grouped. */
type LinesRequest = Pick<ProfitAndLossRequest, "accounts" | "groupCurrencyGains" | "isSignSaid">;

/** The figures of a profit and loss in each column, and its sections without empty ones. */
export function profitFigures(request: LinesRequest, columns: readonly LineFigure[]) {
  const sectionFigures = (part: ProfitAndLossSection) => {
    const [title, ...name] = sectionTitles[part];
    const lines = linesOf(part, request, columns);
    const totals = columns.map((_, at) =>
      sum(
        [...name, "SectionTotal"],
        lines.map((figures) => figures[at] as Figure),
      ),
    );
    const rows = [...lines.map((line) => accountFigures(line)), figureRow("SummaryRow", totals)];
    return { totals, sections: lines.length === 0 ? [] : [sectionRow(title, rows)] };
  };
  const [income, costs] = [sectionFigures("income"), sectionFigures("costs")];
  const [other, expenses] = [sectionFigures("other"), sectionFigures("expenses")];
  const cell = ({ totals }: typeof income, at: number) => totals[at] as Figure;
  const grossProfit = columns.map((_, at) =>
    sum(["gross-profit", "Gross Profit", "GrossProfit"], [cell(income, at)], [cell(costs, at)]),
  );
  const netProfit = grossProfit.map((gross, at) =>
    sum(["net-profit", "Net Profit", "NetProfit"], [gross, cell(other, at)], [cell(expenses, at)]),
  );
  return { income, costs, other, expenses, grossProfit, netProfit };
}

/**
 * The lines of one section with a non-zero amount, sorted by label, with their figures in every
 * column.
 */
function linesOf(
  part: ProfitAndLossSection,
  { accounts, groupCurrencyGains = false, isSignSaid = false }: LinesRequest,
  columns: readonly LineFigure[],
): Figure[][] {
  const isCredit = part === "income" || part === "other";
  const ownAccounts = accounts.filter((account) => partOf(account) === part).sort(byName);
  const isGain = ({ SystemAccount }: AccountInfo) =>
    groupCurrencyGains && currencyGainAccounts.has(SystemAccount);
  const gains = ownAccounts.filter(isGain);
  const lines = ownAccounts
    .filter((account) => !isGain(account))
    .map((account) => ({ label: account.Name, id: account.AccountID, of: [account] }));
  if (gains.length > 0) {
    const signed = isCredit ? "Exchange gains, losses negative" : "Exchange losses, gains negative";
    const label = isSignSaid ? signed : "Foreign Currency Gains and Losses";
    lines.push({ label, id: currencyGainsId, of: gains });
    lines.sort((a, b) => compareText(a.label.toLowerCase(), b.label.toLowerCase()));
  }
  return lines
    .map(({ label, id, of }) => columns.map((figureOf) => figureOf([id, label], isCredit, of)))
    .filter(hasAmount);
}
