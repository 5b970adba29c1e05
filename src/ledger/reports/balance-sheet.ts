/** Balance sheet: assets, liabilities and equity at the end of a month. */

import type { CellAttribute } from "../../wire/report.ts";
import { addDays, type DateText, longDate, mediumDate, slashedDate } from "../dates/calendar.ts";
import { type Figure, ledger, type Period, single, sum } from "../figures/expression.ts";
import { add } from "../money.ts";
import { type OtherSides, splitLines } from "./layouts/balance-sheet.ts";
import {
  type AccountInfo,
  accountFigures,
  byCode,
  byName,
  figureRow,
  hasAmount,
  headerRow,
  isProfitAndLoss,
  negated,
  netProfit,
  type ReportBody,
  sectionRow,
} from "./report-rows.ts";

/** Stand-in for an AccountID on the line of the current year's profit, which is never posted. */
const currentYearEarningsId = "abababab-abab-abab-abab-abababababab";

export interface BalanceSheetRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /**
   * Columns, each from the first day of a financial year to the date, with movements and closing
   * balances.
   */
  readonly columns: readonly Period[];
  /** All accounts of the chart. */
  readonly accounts: readonly AccountInfo[];
  /** Title that names the tracking filter, if any. */
  readonly filter?: string | undefined;
  /** In the accountant's layout, the contacts on the other side, by column. */
  readonly otherSides?: readonly OtherSides[] | undefined;
}

const titles = {
  Bank: ["BANK"],
  "Current Assets": ["CURRENT", "INVENTORY", "PREPAYMENT"],
  "Fixed Assets": ["FIXED"],
  "Non-current Assets": ["NONCURRENT"],
  "Non-current Liabilities": ["TERMLIAB"],
} as const;

type BalanceSheetSection = keyof typeof titles | "Current Liabilities" | "Equity";

const assetParts: readonly BalanceSheetSection[] = [
  "Bank",
  "Current Assets",
  "Fixed Assets",
  "Non-current Assets",
];
const liabilityParts: readonly BalanceSheetSection[] = [
  "Current Liabilities",
  "Non-current Liabilities",
];

const partByType = new Map<string, BalanceSheetSection>(
  Object.entries(titles).flatMap(([part, types]) =>
    types.map((type) => [type, part as BalanceSheetSection]),
  ),
);

/** The section of an account; types in no list are placed by class. */
function partOf({ Class, Type }: AccountInfo): BalanceSheetSection | undefined {
  if (Class === "EQUITY") return "Equity";
  if (Class === "ASSET") return partByType.get(Type) ?? "Current Assets";
  if (Class === "LIABILITY") return partByType.get(Type) ?? "Current Liabilities";
  return undefined;
}

/**
 * The balance sheet in the standard layout.
 *
 * Retained Earnings includes the profit of all earlier financial years, and Current Year Earnings
 * is the profit since the year began; both without a journal. Accounts that are zero in every
 * column are left out, and sections without accounts; totals, Net Assets and Equity are always
 * present.
 */
export function balanceSheet(request: BalanceSheetRequest): ReportBody {
  const { organisation, columns, filter } = request;
  const firstColumn = columns[0];
  if (firstColumn === undefined) throw new Error("A balance sheet has at least one column.");
  const linesBySection = linesOf(request);
  const perColumn = (figureOf: (at: number) => Figure) => columns.map((_, at) => figureOf(at));
  const sectionOf = (name: BalanceSheetSection) => {
    const ownLines = linesBySection.get(name) ?? [];
    const id = `total-${name.toLowerCase().replaceAll(" ", "-")}`;
    const totals = perColumn((at) =>
      sum(
        [id, `Total ${name}`, "SectionTotal"],
        ownLines.map(({ figures }) => figures[at] as Figure),
      ),
    );
    const rows = [...ownLines.map(({ row }) => row), figureRow("SummaryRow", totals)];
    return { totals, rows, sections: ownLines.length === 0 ? [] : [sectionRow(name, rows)] };
  };
  const owned = assetParts.map(sectionOf);
  const owed = liabilityParts.map(sectionOf);
  const totalOf = (id: string, label: string, parts: typeof owned) =>
    perColumn((at) =>
      sum(
        [id, label, "SectionTotal"],
        parts.map(({ totals }) => totals[at] as Figure),
      ),
    );
  const assets = totalOf("total-assets", "Total Assets", owned);
  const liabilities = totalOf("total-liabilities", "Total Liabilities", owed);
  const netAssets = perColumn((at) =>
    sum(
      ["net-assets", "Net Assets", "NetAssets"],
      [assets[at] as Figure],
      [liabilities[at] as Figure],
    ),
  );
  return {
    titles: [
      "Balance Sheet",
      organisation,
      `As at ${longDate(firstColumn.to)}`,
      ...(filter === undefined ? [] : [filter]),
    ],
    rows: [
      headerRow(["", ...columns.map(({ to }) => mediumDate(to))]),
      sectionRow("Assets", []),
      ...owned.flatMap(({ sections }) => sections),
      sectionRow("", [figureRow("SummaryRow", assets)]),
      sectionRow("Liabilities", []),
      ...owed.flatMap(({ sections }) => sections),
      sectionRow("", [figureRow("SummaryRow", liabilities)]),
      sectionRow("", [figureRow("Row", netAssets)]),
      sectionRow("Equity", sectionOf("Equity").rows),
    ],
  };
}

/** The lines of each section with a non-zero amount, by name. */
function linesOf({ accounts, columns, otherSides: others }: BalanceSheetRequest) {
  const currentYear: AccountInfo = {
    AccountID: currentYearEarningsId,
    Name: "Current Year Earnings",
    Type: "EQUITY",
    Class: "EQUITY",
  };
  const lines = [...accounts, currentYear].sort(others ? byCode : byName).flatMap((account) => {
    const sectionName = partOf(account);
    if (sectionName === undefined) return [];
    const isCurrent = account === currentYear;
    const figures = columns.map((period) =>
      isCurrent ? profitOf(account, accounts, period) : balanceOf(account, accounts, period),
    );
    const datesOf = (at: number) => {
      const { from, to } = columns[at] as Period;
      if (isCurrent) return dateAttributes(from, to);
      return isRetained(account) ? dateAttributes(undefined, addDays(from, -1)) : [];
    };
    const divided = others && !isCurrent ? splitLines(account, figures, others) : undefined;
    const ownLines = divided ?? [{ section: sectionName, figures }];
    return ownLines
      .filter((line) => hasAmount(line.figures))
      .map((line) => ({
        ...line,
        row: divided ? figureRow("Row", line.figures) : accountFigures(line.figures, datesOf),
      }));
  });
  return Map.groupBy(lines, ({ section: part }) => part);
}

const profitOf = (
  { AccountID, Name }: AccountInfo,
  accounts: readonly AccountInfo[],
  period: Period,
): Figure =>
  ledger(
    [AccountID, Name, "CurrentYearEarnings"],
    ...([-1, "moved", period, accounts.filter(isProfitAndLoss)] as const),
  );

const isRetained = ({ SystemAccount }: AccountInfo) => SystemAccount === "RETAINEDEARNINGS";

/**
 * The closing balance of an account at the end of a period: for profit and loss the movement of the
 * year, and for Retained Earnings also the profit of earlier years.
 *
 * @param sign  1 when debits are positive; by default for assets
 */
export function balanceOf(
  account: AccountInfo,
  accounts: readonly AccountInfo[],
  period: Period,
  sign: 1 | -1 = account.Class === "ASSET" ? 1 : -1,
): Figure {
  const name = [account.AccountID, account.Name] as const;
  if (isProfitAndLoss(account))
    return ledger([...name, "YearToDate"], sign, "moved", period, [account]);
  if (!isRetained(account)) return ledger([...name, "Balance"], sign, "held", period, [account]);
  const { held = new Map(), moved = new Map() } = period.sums;
  const earlierProfit = add(netProfit(accounts, held), negated(netProfit(accounts, moved)));
  const date = addDays(period.from, -1);
  const label = `Net profit of the years up to ${mediumDate(date)}`;
  const amount = sign === -1 ? earlierProfit : negated(earlierProfit);
  return sum(
    [...name, "RetainedEarnings"],
    [
      ledger([`${name[0]}.posted`, account.Name, "Balance"], sign, "held", period, [account]),
      single([`${name[0]}.earlier`, label, "Sum"], { date, amount }),
    ],
  );
}

/**
 * Cell attributes with the dates of an earnings figure, in US style; without a first day when it is
 * from the beginning.
 */
export function dateAttributes(from: DateText | undefined, to: DateText): CellAttribute[] {
  return [
    { Value: from === undefined ? "" : slashedDate(from), Id: "fromDate" },
    { Value: slashedDate(to), Id: "toDate" },
  ];
}
