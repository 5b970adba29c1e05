/** Profit and loss: what was earned and spent in a range of days. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import {
  type AccountInfo,
  accountFigures,
  byName,
  type ColumnHeading,
  compareText,
  figureRow,
  headerRow,
  isAnything,
  type ReportBody,
  section,
} from "./report-rows.ts";

export interface ProfitAndLossColumn {
  /** `31 Mar 26`, the last day of its range, or the name of a tracking option. */
  readonly heading: ColumnHeading;
  /** With what moved in its days. */
  readonly period: Period;
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

type ProfitAndLossSection = "income" | "costs" | "other" | "expenses";

function partOf({ Class, Type }: AccountInfo): ProfitAndLossSection | undefined {
  if (Class === "REVENUE") return Type === "OTHERINCOME" ? "other" : "income";
  if (Class === "EXPENSE") return Type === "DIRECTCOSTS" ? "costs" : "expenses";
  return undefined;
}

/**
 * The report in the standard layout.
 *
 * Income is positive when credited, costs and expenses when debited. Accounts that are zero in
 * every column are left out, and sections without accounts; Gross Profit and Net Profit always stand.
 */
export function profitAndLoss(request: ProfitAndLossRequest): ReportBody {
  const { organisation, from, to, columns, filter } = request;
  const titles = ["Profit & Loss", organisation, `${longDate(from)} to ${longDate(to)}`];
  if (filter !== undefined) titles.push(filter);
  const { income, costs, other, expenses, grossProfit, netProfit } = profitFigures(
    request,
    columns.map(({ period }) => posted(period)),
  );
  return {
    titles,
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...income.sections,
      ...costs.sections,
      section("", [figureRow("Row", grossProfit)]),
      ...other.sections,
      ...expenses.sections,
      section("", [figureRow("Row", netProfit)]),
    ],
  };
}

/** What the accounts of a line come to in a column, positive in the usual case. */
export type LineFigure = (
  name: readonly [id: string, label: string],
  isCredit: boolean,
  accounts: readonly AccountInfo[],
) => Figure;

/** Their postings in the days of a period. */
export const posted =
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

/** Which accounts have lines, and whether all currency gains are one. */
type LinesRequest = Pick<ProfitAndLossRequest, "accounts" | "groupCurrencyGains">;

/** The figures of a profit and loss in each column, and its sections, without those that are empty. */
export function profitFigures(request: LinesRequest, columns: readonly LineFigure[]) {
  const partAs = (part: ProfitAndLossSection) => {
    const [title, ...name] = sectionTitles[part];
    const lines = linesOf(part, request, columns);
    const totals = columns.map((_, at) =>
      sum(
        [...name, "SectionTotal"],
        lines.map((figures) => figures[at] as Figure),
      ),
    );
    const rows = [...lines.map((line) => accountFigures(line)), figureRow("SummaryRow", totals)];
    return { totals, sections: lines.length === 0 ? [] : [section(title, rows)] };
  };
  const [income, costs] = [partAs("income"), partAs("costs")];
  const [other, expenses] = [partAs("other"), partAs("expenses")];
  const at_ = ({ totals }: typeof income, at: number) => totals[at] as Figure;
  const grossProfit = columns.map((_, at) =>
    sum(["gross-profit", "Gross Profit", "GrossProfit"], [at_(income, at)], [at_(costs, at)]),
  );
  const netProfit = grossProfit.map((gross, at) =>
    sum(["net-profit", "Net Profit", "NetProfit"], [gross, at_(other, at)], [at_(expenses, at)]),
  );
  return { income, costs, other, expenses, grossProfit, netProfit };
}

/** The lines of one section with any amount, sorted by label: the figures of each in every column. */
function linesOf(
  part: ProfitAndLossSection,
  { accounts, groupCurrencyGains = false }: LinesRequest,
  columns: readonly LineFigure[],
): Figure[][] {
  const isCredit = part === "income" || part === "other";
  const own = accounts.filter((account) => partOf(account) === part).sort(byName);
  const isGain = ({ SystemAccount }: AccountInfo) =>
    groupCurrencyGains && currencyGains.has(SystemAccount);
  const gains = own.filter(isGain);
  const lines = own
    .filter((account) => !isGain(account))
    .map((account) => ({ label: account.Name, id: account.AccountID, of: [account] }));
  if (gains.length > 0) {
    lines.push({ label: "Foreign Currency Gains and Losses", id: currencyGainsId, of: gains });
    lines.sort((a, b) => compareText(a.label.toLowerCase(), b.label.toLowerCase()));
  }
  return lines
    .map(({ label, id, of }) => columns.map((figureOf) => figureOf([id, label], isCredit, of)))
    .filter(isAnything);
}
