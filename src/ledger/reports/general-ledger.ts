/** General ledger summary: opening balance, movements and closing balance of each account. */
import { type DateText, longDate } from "../dates/calendar.ts";
import type { SumPart } from "../figures/counted.ts";
import {
  columnTotals,
  type Figure,
  ledger,
  listedFigure,
  type Period,
  sum,
} from "../figures/expression.ts";
import { balanceOf } from "./balance-sheet.ts";
import {
  type AccountInfo,
  accountAttribute,
  figureCell,
  hasAmount,
  headerRow,
  type ReportBody,
  type ReportRow,
  sectionRow,
} from "./report-rows.ts";

export interface GeneralLedgerRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  /** The tracking options of the filter; empty for none. */
  readonly filter: string;
  /** The accounts, in row order. */
  readonly accounts: readonly AccountInfo[];
  /**
   * From the first day of the financial year to the day before `from`, with movements and balances.
   */
  readonly before: Period;
  /** The range of days, with debits and credits. */
  readonly period: Period;
  /** Unposted movements of an account within the range (computed by reports), debit positive. */
  readonly workedOut: (account: AccountInfo) => readonly SumPart[];
}

/** Opening, debit, credit, net and closing figures of an account, debit positive. */
export function ledgerFigures(account: AccountInfo, request: GeneralLedgerRequest): Figure[] {
  const { accounts, before, period, workedOut } = request;
  const { AccountID: id, Name } = account;
  const opening = balanceOf(account, accounts, before, 1);
  const worked = workedOut(account);
  const net = worked.reduce((total, { amount }) => total + amount, 0);
  // The net of the unposted movements is a debit or a credit, and counts on that side.
  const sideFigure = (name: "debit" | "credit", sign: 1 | -1) => {
    const ownParts = Math.sign(net) === sign ? worked : [];
    const signedParts = ownParts.map((sumPart) => ({ ...sumPart, amount: sign * sumPart.amount }));
    return sum(
      [`${id}.${name}`, Name, "LedgerSide"],
      [
        ledger([`${id}.${name}-posted`, Name, "LedgerSide"], 1, name, period, [account]),
        listedFigure(
          [`${id}.${name}-worked`, Name, "LedgerSide"],
          ownParts.length && sign * net,
          () => signedParts,
        ),
      ],
    );
  };
  const [debit, credit] = [sideFigure("debit", 1), sideFigure("credit", -1)];
  return [
    ...[opening, debit, credit],
    sum([`${id}.net`, Name, "LedgerNet"], [debit], [credit]),
    sum([`${id}.closing`, Name, "LedgerClosing"], [opening, debit], [credit]),
  ];
}

/**
 * The report. Unposted movements (currency gains of open items, and the profit of a year that ended
 * within the range) count among debits or credits, as in the account's own ledger.
 */
export function generalLedger(request: GeneralLedgerRequest): ReportBody {
  const { organisation, from, to, filter, accounts } = request;
  const shownAccounts = accounts
    .map((account) => ({ account, figures: ledgerFigures(account, request) }))
    .filter(({ figures }) => hasAmount(figures));
  const headings = ["Opening", "Debit", "Credit", "Net", "Closing"];
  const totals = columnTotals(headings, shownAccounts);
  const rowOf = ({ account, figures }: (typeof shownAccounts)[number]): ReportRow => {
    const Attributes = [accountAttribute(account.AccountID)];
    const cells = [{ Value: account.Code ?? "" }, { Value: account.Name }];
    return {
      RowType: "Row",
      Cells: [...cells, ...figures.map(figureCell)].map((cell) => ({ ...cell, Attributes })),
    };
  };
  return {
    titles: [
      "General Ledger",
      organisation,
      `${longDate(from)} to ${longDate(to)}`,
      ...(filter === "" ? [] : [filter]),
    ],
    rows: [
      headerRow(["Code", ["account", "Account"], ...headings]),
      sectionRow("", shownAccounts.map(rowOf)),
      sectionRow("", [
        {
          ...{ RowType: "SummaryRow", id: "total" },
          Cells: [{ Value: "Total" }, { Value: "" }, ...totals.map(figureCell)],
        },
      ]),
    ],
  };
}
