/** Bank summary: money received and spent on each bank account in a range of days. */
import { type DateText, longDate } from "../dates/calendar.ts";
import {
  columnTotals,
  counted,
  type Figure,
  ledger,
  type Period,
  sum,
} from "../figures/expression.ts";
import {
  type AccountInfo,
  accountAttribute,
  byName,
  type ColumnHeading,
  figure,
  figureCell,
  figureRow,
  hasAmount,
  headerRow,
  type ReportBody,
  type ReportRow,
  type Sums,
  sectionRow,
} from "./report-rows.ts";

export interface BankSummaryRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  /** Bank accounts; archived ones are shown only with a non-zero figure. */
  readonly accounts: readonly (AccountInfo & { readonly Status?: string | undefined })[];
  /** The period up to the day before `from`, with opening balances. */
  readonly before: Period;
  /** The range, with debits and credits, and closing balances in foreign account currencies. */
  readonly period: Period;
  /**
   * Currency gains of the range; undefined without accounts in foreign currencies, and then without
   * a column.
   */
  readonly gains?: Sums | undefined;
  /**
   * Currencies of accounts in foreign ones, by AccountID; undefined without any, and then without
   * columns.
   */
  readonly currencies?: ReadonlyMap<string, string> | undefined;
}

/** Opening balance, cash received, cash spent, currency gain (if shown), closing balance. */
function figuresOf(account: AccountInfo, { before, period, gains }: BankSummaryRequest): Figure[] {
  const { AccountID: id, Name } = account;
  const accounts = [account];
  const opening = ledger([`${id}.opening`, Name, "Balance"], 1, "held", before, accounts);
  const received = ledger([`${id}.received`, Name, "CashReceived"], 1, "debit", period, accounts);
  const spent = ledger([`${id}.spent`, Name, "CashSpent"], 1, "credit", period, accounts);
  const gain =
    gains &&
    counted([`${id}.gain`, Name, "UnrealisedGain"], figure(gains, account), {
      ...{ of: "gains", accounts, days: period },
    });
  const gained = gain === undefined ? [] : [gain];
  const plus = [opening, received, ...gained];
  const closing = sum([`${id}.closing`, Name, "ClosingBalance"], plus, [spent]);
  return [opening, received, spent, ...gained, closing];
}

/** The bank summary: a row for each bank account by name, and the total. */
export function bankSummary(request: BankSummaryRequest): ReportBody {
  const { organisation, from, to, accounts, gains, currencies, period } = request;
  const shownBanks = accounts
    .filter(({ Type }) => Type === "BANK")
    .sort(byName)
    .map((account) => ({ account, figures: figuresOf(account, request) }))
    // Without it, an archived account with a balance would be missing from the total.
    .filter(({ account, figures }) => account.Status === "ACTIVE" || hasAmount(figures));
  const headings: ColumnHeading[] = [
    "Opening Balance",
    "Cash Received",
    "Cash Spent",
    ...(gains === undefined ? [] : ["FX Gain"]),
    ["closing", "Closing Balance"],
  ];
  const totals = columnTotals(headings, shownBanks);
  /** The balance of an account in its own currency; a total of different currencies is empty. */
  const heldBy = (account?: AccountInfo): ReportRow["Cells"] => {
    if (currencies === undefined) return [];
    const currency = account && currencies.get(account.AccountID);
    if (account === undefined || currency === undefined) return [{}, {}];
    const { AccountID: id, Name } = account;
    const name = [`${id}.held`, Name, "BalanceInCurrency"] as const;
    return [{ Value: currency }, figureCell(ledger(name, 1, "foreign", period, [account]))];
  };
  const withHeld = (row: ReportRow, account?: AccountInfo): ReportRow => ({
    ...row,
    Cells: [...(row.Cells ?? []), ...(heldBy(account) ?? [])],
  });
  return {
    titles: ["Bank Summary", organisation, `From ${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow([
        "Bank Accounts",
        ...headings,
        ...(currencies === undefined
          ? []
          : ["Currency", ["foreign", "Balance in Currency"] as const]),
      ]),
      sectionRow("", [
        ...shownBanks.map(({ account, figures }) => withHeld(bankRow(account, figures), account)),
        withHeld(figureRow("SummaryRow", totals)),
      ]),
    ],
  };
}

function bankRow({ Name, AccountID }: AccountInfo, figures: readonly Figure[]): ReportRow {
  const own = { Attributes: [accountAttribute(AccountID)] };
  return {
    RowType: "Row",
    Cells: [
      { Value: Name, Attributes: [{ Value: AccountID, Id: "accountID" }] },
      // The cells of received and spent money link to the account; balances and gains do not.
      ...figures.map((each, at) => ({ ...figureCell(each), ...(at === 1 || at === 2 ? own : {}) })),
    ],
  };
}
