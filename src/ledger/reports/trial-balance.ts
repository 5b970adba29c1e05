/** Trial balance: every account's movement in the month and its balance, debit against credit. */
import type { CellAttribute } from "../../wire/report.ts";
import { addDays, type DateText, longDate } from "../dates/calendar.ts";
import { type Figure, figureValue, ledger, type Period, sum } from "../figures/expression.ts";
import { balanceOf, dateAttributes } from "./balance-sheet.ts";
import {
  type AccountInfo,
  accountAttribute,
  byName,
  figureCell,
  figureRow,
  hasAmount,
  headerRow,
  type ReportBody,
  type ReportRow,
  sectionRow,
} from "./report-rows.ts";

export interface TrialBalanceRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly date: DateText;
  /** The whole chart, with the Retained Earnings account. */
  readonly accounts: readonly AccountInfo[];
  /** From the first day of the month of `date` to `date`, with movements. */
  readonly month: Period;
  /** From the first day of the financial year to `date`, with movements and closing balances. */
  readonly year: Period;
}

const sections = [
  ["REVENUE", "Revenue"],
  ["EXPENSE", "Expenses"],
  ["ASSET", "Assets"],
  ["LIABILITY", "Liabilities"],
  ["EQUITY", "Equity"],
] as const;

/**
 * The report. Debits equal credits in both pairs of columns as long as the sums themselves balance;
 * profit of earlier years is included in Retained Earnings. Accounts with nothing in either pair
 * are left out.
 */
export function trialBalance(request: TrialBalanceRequest): ReportBody {
  const { organisation, date, accounts, month, year } = request;
  const sorted = [...accounts].sort(byName);
  const shownFigures: (readonly (Figure | undefined)[])[] = [];
  const rowOf = (account: AccountInfo): ReportRow[] => {
    const { AccountID, Code, Name, Class, SystemAccount } = account;
    const figures = ([1, -1] as const).map((sign) => ({
      moved: ledger([AccountID, Name, "Movement"], sign, "moved", month, [account]),
      balance: balanceOf(account, accounts, year, sign),
    }));
    const isDebit = Class === "ASSET" || Class === "EXPENSE";
    const [moved, balance] = (["moved", "balance"] as const).map((name) =>
      sideOf(
        figures.map((figure) => figure[name]),
        isDebit,
      ),
    ) as [Pair, Pair];
    if (!hasAmount([...moved, ...balance].filter((figure) => figure !== undefined))) return [];
    shownFigures.push([...moved, ...balance]);
    const ownAttributes = [accountAttribute(AccountID)];
    const isRetained = SystemAccount === "RETAINEDEARNINGS";
    const yearEndDate = isRetained ? dateAttributes(undefined, addDays(year.from, -1)) : [];
    const cellsOf = (pair: Pair, Attributes: readonly CellAttribute[]) =>
      pair.map((figure) => ({ ...(figure && figureCell(figure)), Attributes }));
    const Value = Code === undefined ? Name : `${Name} (${Code})`;
    return [
      {
        RowType: "Row",
        Cells: [
          { Value, Attributes: ownAttributes },
          ...cellsOf(moved, ownAttributes),
          ...cellsOf(balance, [...ownAttributes, ...yearEndDate]),
        ],
      },
    ];
  };
  const rows: ReportRow[] = [headerRow(["Account", "Debit", "Credit", "YTD Debit", "YTD Credit"])];
  for (const [Class, title] of sections) {
    const members = sorted.filter((account) => account.Class === Class).flatMap(rowOf);
    if (members.length > 0) rows.push(sectionRow(title, members));
  }
  const totals = [0, 1, 2, 3].map((at) =>
    sum(
      ["total", "Total", "SectionTotal"],
      shownFigures.flatMap((figures) => figures[at] ?? []),
    ),
  );
  rows.push(sectionRow("", [figureRow("SummaryRow", totals)]));
  return { titles: ["Trial Balance", organisation, `As at ${longDate(date)}`], rows };
}

type Pair = readonly [debit: Figure | undefined, credit: Figure | undefined];

/** The side of a net amount, debit or credit; zero is on the account's usual side. */
function sideOf([debit, credit]: readonly Figure[], isDebit: boolean): Pair {
  const net = debit === undefined ? 0 : (figureValue(debit) ?? 0);
  return (net === 0 ? isDebit : net > 0) ? [debit, undefined] : [undefined, credit];
}
