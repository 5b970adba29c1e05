/** Balance sheet: what is owned and owed at the end of a month. */

import type { CellAttribute, Row } from "../../wire/report.ts";
import {
  addDays,
  type DateText,
  financialYear,
  longDate,
  mediumDate,
  slashDate,
  type YearEnd,
} from "../dates/calendar.ts";
import { add, type Cents } from "../money.ts";
import {
  type AccountInfo,
  accountRow,
  byName,
  columnTotals,
  figure,
  headerRow,
  negated,
  netProfit,
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

/** Stands for an AccountID on the line of the current year's profit, which is never posted. */
const currentYearEarningsId = "abababab-abab-abab-abab-abababababab";

export interface BalanceColumn {
  /** Its last day. */
  readonly date: DateText;
  /** From the beginning of the book to `date`, all accounts. */
  readonly balances: Sums;
  /** From the first day of the financial year of `date` to `date`; profit and loss accounts. */
  readonly yearToDate: Sums;
}

export interface BalanceSheetRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly columns: readonly BalanceColumn[];
  /** The whole chart. */
  readonly accounts: readonly AccountInfo[];
  readonly yearEnd: YearEnd;
  /** A fourth title, which names the tracking filter. */
  readonly filter?: string | undefined;
}

const titles = {
  Bank: ["BANK"],
  "Current Assets": ["CURRENT", "INVENTORY", "PREPAYMENT"],
  "Fixed Assets": ["FIXED"],
  "Non-current Assets": ["NONCURRENT"],
  "Non-current Liabilities": ["TERMLIAB"],
} as const;

type Part = keyof typeof titles | "Current Liabilities" | "Equity";

const partByType = new Map<string, Part>(
  Object.entries(titles).flatMap(([part, types]) => types.map((type) => [type, part as Part])),
);

/** Where an account stands; types that no list names go by their class. */
function partOf({ Class, Type }: AccountInfo): Part | undefined {
  if (Class === "EQUITY") return "Equity";
  if (Class === "ASSET") return partByType.get(Type) ?? "Current Assets";
  if (Class === "LIABILITY") return partByType.get(Type) ?? "Current Liabilities";
  return undefined;
}

interface ReportLine {
  readonly row: Row;
  readonly amounts: readonly Cents[];
}

/**
 * The report in the standard layout.
 *
 * Retained Earnings takes in the profit of all earlier financial years, and Current Year Earnings
 * is the profit since the year began; both without a journal. Accounts that are zero in every column
 * are left out, and sections without accounts; totals, Net Assets and Equity always stand.
 */
export function balanceSheet(request: BalanceSheetRequest): ReportBody {
  const { organisation, columns, filter } = request;
  const first = columns[0];
  if (first === undefined) throw new Error("A balance sheet has at least one column.");
  const lines = linesOf(request);
  const totals = (...parts: Part[]): Cents[] =>
    columnTotals(
      columns.length,
      parts.flatMap((part) => lines[part].map(({ amounts }) => amounts)),
    );
  const part = (name: Part): Row[] => {
    const rows = lines[name].map(({ row }) => row);
    const total = plainRow("SummaryRow", `Total ${name}`, totals(name));
    return rows.length === 0 ? [] : [section(name, [...rows, total])];
  };
  const assets = totals("Bank", "Current Assets", "Fixed Assets", "Non-current Assets");
  const liabilities = totals("Current Liabilities", "Non-current Liabilities");
  const netAssets = assets.map((amount, column) =>
    add(amount, negated(liabilities[column] as Cents)),
  );
  const equity = [
    ...lines.Equity.map(({ row }) => row),
    plainRow("SummaryRow", "Total Equity", totals("Equity")),
  ];
  return {
    titles: [
      "Balance Sheet",
      organisation,
      `As at ${longDate(first.date)}`,
      ...(filter === undefined ? [] : [filter]),
    ],
    rows: [
      headerRow(["", ...columns.map(({ date }) => mediumDate(date))]),
      section("Assets", []),
      ...part("Bank"),
      ...part("Current Assets"),
      ...part("Fixed Assets"),
      ...part("Non-current Assets"),
      section("", [plainRow("SummaryRow", "Total Assets", assets)]),
      section("Liabilities", []),
      ...part("Current Liabilities"),
      ...part("Non-current Liabilities"),
      section("", [plainRow("SummaryRow", "Total Liabilities", liabilities)]),
      section("", [plainRow("Row", "Net Assets", netAssets)]),
      section("Equity", equity),
    ],
  };
}

function linesOf(request: BalanceSheetRequest): Record<Part, ReportLine[]> {
  const { accounts, columns, yearEnd } = request;
  const lines: Record<Part, ReportLine[]> = {
    Bank: [],
    "Current Assets": [],
    "Fixed Assets": [],
    "Non-current Assets": [],
    "Current Liabilities": [],
    "Non-current Liabilities": [],
    Equity: [],
  };
  const earnings = earningsOf(accounts, columns, yearEnd);
  const currentYear: AccountInfo = {
    AccountID: currentYearEarningsId,
    Name: "Current Year Earnings",
    Type: "EQUITY",
    Class: "EQUITY",
  };
  for (const account of [...accounts, currentYear].sort(byName)) {
    const part = partOf(account);
    if (part === undefined) continue;
    const kind =
      account === currentYear
        ? earnings.current
        : account.SystemAccount === "RETAINEDEARNINGS"
          ? earnings.retained
          : undefined;
    const amounts = columns.map(({ balances }, column) => {
      const net = figure(balances, account);
      const posted = account.Class === "ASSET" ? net : negated(net);
      return add(posted, (kind?.amounts[column] ?? 0) as Cents);
    });
    if (amounts.every((amount) => amount === 0)) continue;
    const extra =
      kind === undefined ? undefined : (column: number) => kind.attributes[column] ?? [];
    lines[part].push({ amounts, row: accountRow(account.Name, account.AccountID, amounts, extra) });
  }
  return lines;
}

/** Profit that is equity without a posting, per column, and the dates that go with it. */
interface Earnings {
  readonly amounts: readonly Cents[];
  readonly attributes: readonly (readonly CellAttribute[])[];
}

function earningsOf(
  accounts: readonly AccountInfo[],
  columns: readonly BalanceColumn[],
  yearEnd: YearEnd,
): { current: Earnings; retained: Earnings } {
  const years = columns.map(({ date }) => financialYear(date, yearEnd.day, yearEnd.month));
  const profits = columns.map(({ balances, yearToDate }) => {
    const current = netProfit(accounts, yearToDate);
    return { current, earlier: add(netProfit(accounts, balances), negated(current)) };
  });
  return {
    current: {
      amounts: profits.map(({ current }) => current),
      attributes: columns.map(({ date }, column) => dateAttributes(years[column]?.from, date)),
    },
    retained: {
      amounts: profits.map(({ earlier }) => earlier),
      attributes: years.map(({ from }) => dateAttributes(undefined, addDays(from, -1))),
    },
  };
}

/** The range a figure of earnings covers, in US style; no first day when from the beginning. */
export function dateAttributes(from: DateText | undefined, to: DateText): CellAttribute[] {
  return [
    { Value: from === undefined ? "" : slashDate(from), Id: "fromDate" },
    { Value: slashDate(to), Id: "toDate" },
  ];
}
