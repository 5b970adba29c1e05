/** Bank summary: what came into and went out of each bank account in a range of days. */
import type { Row } from "../../wire/report.ts";
import { type DateText, longDate } from "../dates/calendar.ts";
import { type Cents, sum, zeroCents } from "../money.ts";
import {
  type AccountInfo,
  accountAttribute,
  amountText,
  byName,
  figure,
  headerRow,
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

/** What came in and went out of one account, neither negative in the usual case. */
export interface CashMoved {
  readonly received: Cents;
  readonly spent: Cents;
}

export interface BankSummaryRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  readonly from: DateText;
  readonly to: DateText;
  /** Bank accounts that are in use; of others those are shown that have a figure. */
  readonly accounts: readonly (AccountInfo & { readonly Status?: string | undefined })[];
  /** From the beginning of the book to the day before `from`. */
  readonly opening: Sums;
  /** By AccountID, over the range; accounts where nothing moved may be absent. */
  readonly moved: ReadonlyMap<string, CashMoved>;
  /**
   * What the rates of the range gained on accounts in foreign currencies, by AccountID; undefined
   * where there are none, and then without a column.
   */
  readonly gains?: Sums | undefined;
  /**
   * What accounts in foreign currencies hold in these at the end of `to`, by AccountID; undefined
   * where there are none, and then without its columns.
   */
  readonly held?: ReadonlyMap<string, Held> | undefined;
}

/** Money in the currency of its account. */
export interface Held {
  readonly currency: string;
  readonly amount: Cents;
}

/** Opening balance, cash received, cash spent, currency gain, closing balance. */
type BankFigures = readonly [Cents, Cents, Cents, Cents, Cents];

/** What the figures are made from. */
export type BankMoves = Pick<BankSummaryRequest, "opening" | "moved" | "gains">;

/** The figures of one account. */
function figuresOf(account: AccountInfo, { opening, moved, gains }: BankMoves): BankFigures {
  const { received, spent } = moved.get(account.AccountID) ?? {
    received: zeroCents,
    spent: zeroCents,
  };
  const before = figure(opening, account);
  const gain = gains === undefined ? zeroCents : figure(gains, account);
  return [before, received, spent, gain, (before + received - spent + gain) as Cents];
}

/** What all bank accounts come to. */
function bankTotals(accounts: readonly AccountInfo[], moves: BankMoves): BankFigures {
  const each = accounts
    .filter(({ Type }) => Type === "BANK")
    .map((account) => figuresOf(account, moves));
  const total = (at: 0 | 1 | 2 | 3 | 4) => sum(each.map((figures) => figures[at]));
  return [total(0), total(1), total(2), total(3), total(4)];
}

/** The report: a row for each bank account by name, and the total of all. */
export function bankSummary(request: BankSummaryRequest): ReportBody {
  const { organisation, from, to, accounts, gains, held } = request;
  const shown = (figures: BankFigures) =>
    gains === undefined ? figures.filter((_, at) => at !== 3) : figures;
  const rows: Row[] = [];
  for (const account of accounts.filter(({ Type }) => Type === "BANK").sort(byName)) {
    const figures = figuresOf(account, request);
    // An account put away with money still in it would be missing from the total.
    if (account.Status !== "ACTIVE" && figures.every((amount) => amount === 0)) continue;
    rows.push(withHeld(bankRow(account, shown(figures)), held, account.AccountID));
  }
  const total = plainRow("SummaryRow", "Total", shown(bankTotals(accounts, request)));
  return {
    titles: ["Bank Summary", organisation, `From ${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow([
        "Bank Accounts",
        "Opening Balance",
        "Cash Received",
        "Cash Spent",
        ...(gains === undefined ? [] : ["FX Gain"]),
        "Closing Balance",
        ...(held === undefined ? [] : ["Currency", "Balance in Currency"]),
      ]),
      section("", [...rows, withHeld(total, held)]),
    ],
  };
}

/**
 * A row with what its account holds in its own currency. The cells are empty for accounts in the
 * base currency, and in the total: different currencies have none.
 */
function withHeld(row: Row, all: BankSummaryRequest["held"], id?: string): Row {
  if (all === undefined) return row;
  const held = id === undefined ? undefined : all.get(id);
  const cells =
    held === undefined ? [{}, {}] : [{ Value: held.currency }, { Value: amountText(held.amount) }];
  return { ...row, Cells: [...(row.Cells ?? []), ...cells] };
}

function bankRow({ Name, AccountID }: AccountInfo, figures: readonly Cents[]): Row {
  const own = { Attributes: [accountAttribute(AccountID)] };
  return {
    RowType: "Row",
    Cells: [
      { Value: Name, Attributes: [{ Value: AccountID, Id: "accountID" }] },
      // What was received and spent leads to the account; balances and gains do not.
      ...figures.map((amount, at) => ({
        Value: amountText(amount),
        ...(at === 1 || at === 2 ? own : {}),
      })),
    ],
  };
}
