/** Trial balance: every account's movement in the month and its balance, debit against credit. */
import type { Cell, CellAttribute, Row } from "../../wire/report.ts";
import {
  addDays,
  type DateText,
  financialYear,
  longDate,
  type YearEnd,
} from "../dates/calendar.ts";
import { type Cents, zeroCents } from "../money.ts";
import { dateAttributes } from "./balance-sheet.ts";
import {
  type AccountInfo,
  accountAttribute,
  amountText,
  byName,
  closingBalances,
  columnTotals,
  figure,
  headerRow,
  negated,
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

export interface TrialBalanceRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly date: DateText;
  /** The whole chart, with the Retained Earnings account. */
  readonly accounts: readonly AccountInfo[];
  readonly yearEnd: YearEnd;
  /** From the first day of the month of `date` to `date`, all accounts. */
  readonly month: Sums;
  /** From the first day of the financial year of `date` to `date`; profit and loss accounts. */
  readonly yearToDate: Sums;
  /** From the beginning of the book to `date`, all accounts. */
  readonly balances: Sums;
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
 * profit of earlier years stands with Retained Earnings. Accounts with nothing in either pair are
 * left out.
 */
export function trialBalance(request: TrialBalanceRequest): ReportBody {
  const { organisation, date, accounts, yearEnd, month, yearToDate, balances } = request;
  const year = financialYear(date, yearEnd.day, yearEnd.month);
  const closing = closingBalances(accounts, balances, yearToDate);
  const shown: Cents[][] = [];
  const sorted = [...accounts].sort(byName);
  const rowOf = (account: AccountInfo): Row | undefined => {
    const retained = account.SystemAccount === "RETAINEDEARNINGS";
    const moved = figure(month, account);
    const balance = figure(closing, account);
    if (moved === 0 && balance === 0) return undefined;
    const debitSide = account.Class === "ASSET" || account.Class === "EXPENSE";
    const pairs = [pair(moved, debitSide), pair(balance, debitSide)];
    shown.push(pairs.flat().map((amount) => amount ?? zeroCents));
    const own = [accountAttribute(account.AccountID)];
    const dated = retained ? dateAttributes(undefined, addDays(year.from, -1)) : [];
    const name = account.Code === undefined ? account.Name : `${account.Name} (${account.Code})`;
    const cells: Cell[] = [{ Value: name, Attributes: own }];
    pairs.forEach((amounts, index) => {
      const attributes: readonly CellAttribute[] = index === 0 ? own : [...own, ...dated];
      for (const amount of amounts) {
        cells.push({
          ...(amount === undefined ? {} : { Value: amountText(amount) }),
          Attributes: attributes,
        });
      }
    });
    return { RowType: "Row", Cells: cells };
  };
  const rows: Row[] = [headerRow(["Account", "Debit", "Credit", "YTD Debit", "YTD Credit"])];
  for (const [Class, title] of sections) {
    const members = sorted
      .filter((account) => account.Class === Class)
      .map(rowOf)
      .filter((row) => row !== undefined);
    if (members.length > 0) rows.push(section(title, members));
  }
  rows.push(section("", [plainRow("SummaryRow", "Total", columnTotals(4, shown))]));
  return { titles: ["Trial Balance", organisation, `As at ${longDate(date)}`], rows };
}

/** Debit and credit of a net amount: one of the two; zero stands on the account's own side. */
function pair(net: Cents, debitSide: boolean): [Cents | undefined, Cents | undefined] {
  const debit = net === 0 ? debitSide : net > 0;
  return debit ? [net, undefined] : [undefined, negated(net)];
}
