/** Changes in equity: from the net assets before a range of days to those at its end. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { add, type Cents, sum } from "../money.ts";
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

export interface EquityColumn {
  /** `31 Mar 26`, the last day of its range. */
  readonly heading: string;
  /** From the beginning of the book up to the day before, and up to the last day; all accounts. */
  readonly before: Sums;
  readonly after: Sums;
}

export interface EquityRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** Of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly EquityColumn[];
  readonly accounts: readonly AccountInfo[];
}

const total = (accounts: readonly AccountInfo[], sums: Sums, classes: readonly string[]): Cents =>
  sum(
    accounts
      .filter(({ Class = "" }) => classes.includes(Class))
      .map((account) => figure(sums, account)),
  );

/** The report; its last row is zero: assets less liabilities are the closing equity. */
export function equity({ organisation, from, to, columns, accounts }: EquityRequest): ReportBody {
  const owned = (sums: Sums) => total(accounts, sums, ["ASSET", "LIABILITY"]);
  const held = (sums: Sums) =>
    add(negated(total(accounts, sums, ["EQUITY"])), netProfit(accounts, sums));
  const opening = columns.map(({ before }) => held(before));
  const profit = columns.map(({ before, after }) =>
    add(netProfit(accounts, after), negated(netProfit(accounts, before))),
  );
  const movements = accounts
    .filter(({ Class }) => Class === "EQUITY")
    .toSorted(byName)
    .map((account) => ({
      account,
      amounts: columns.map(({ before, after }) =>
        add(figure(before, account), negated(figure(after, account))),
      ),
    }))
    .filter(({ amounts }) => amounts.some((amount) => amount !== 0));
  const closing = columnTotals(columns.length, [
    opening,
    profit,
    ...movements.map(({ amounts }) => amounts),
  ]);
  const netAssets = columns.map(({ after }) => owned(after));
  return {
    titles: [
      "Statement of Changes in Equity",
      organisation,
      `${longDate(from)} to ${longDate(to)}`,
    ],
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      section("", [
        plainRow("Row", "Opening Equity", opening),
        plainRow("Row", "Net Profit", profit),
        ...movements.map(({ account, amounts }) =>
          accountRow(account.Name, account.AccountID, amounts),
        ),
        plainRow("SummaryRow", "Closing Equity", closing),
      ]),
      section("", [
        plainRow("Row", "Net Assets", netAssets),
        plainRow(
          "SummaryRow",
          "Difference",
          netAssets.map((amount, at) => add(amount, negated(closing[at] as Cents))),
        ),
      ]),
    ],
  };
}
