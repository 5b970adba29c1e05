/** Cash flow, direct: which accounts the money of the bank accounts came from and went to. */
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
  plainRow,
  type ReportBody,
  type Sums,
  section,
} from "./rows.ts";

export const activities = ["operating", "investing", "financing"] as const;
export type Activity = (typeof activities)[number];

/** One range of days. */
export interface CashFlowColumn {
  /** `31 Mar 26`, the last day of its range. */
  readonly heading: string;
  /** What the accounts brought in, by AccountID; what was paid for them is negative. */
  readonly flows: Sums;
  /** On all bank accounts the day before, at the rates of that day, with what the books begin with. */
  readonly opening: Cents;
  /** On all bank accounts at the end of the last day, at the rates of that day. */
  readonly closing: Cents;
}

export interface CashFlowRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** Of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly CashFlowColumn[];
  readonly accounts: readonly AccountInfo[];
  /** Activities of accounts, by AccountID, where they are not those of the types. */
  readonly activityOf: ReadonlyMap<string, Activity>;
  /** What the rates of a column's days gained on bank accounts in foreign currencies. */
  readonly gains: readonly Cents[];
}

const titles = {
  operating: "Operating Activities",
  investing: "Investing Activities",
  financing: "Financing Activities",
} as const satisfies Record<Activity, string>;

/** The activity that an account of this type belongs to unless it is told otherwise. */
function usualActivity({ Type }: AccountInfo): Activity {
  if (Type === "FIXED" || Type === "NONCURRENT") return "investing";
  if (Type === "TERMLIAB" || Type === "EQUITY") return "financing";
  return "operating";
}

const classOrder: readonly AccountInfo["Class"][] = [
  "REVENUE",
  "EXPENSE",
  "ASSET",
  "LIABILITY",
  "EQUITY",
];

function byClass(a: AccountInfo, b: AccountInfo): number {
  const place = ({ Class }: AccountInfo) => classOrder.indexOf(Class);
  return place(a) - place(b) || byName(a, b);
}

/**
 * The report: a section of accounts for each activity, income first, and from what the bank accounts
 * held to what they hold. The last row is zero: the balance sheet has the same cash.
 */
export function cashFlow(request: CashFlowRequest): ReportBody {
  const { organisation, from, to, columns, accounts, activityOf, gains } = request;
  const sections = activities.map((activity) => {
    const rows = accounts
      .filter(
        (account) => (activityOf.get(account.AccountID) ?? usualActivity(account)) === activity,
      )
      .toSorted(byClass)
      .map((account) => ({ account, amounts: columns.map(({ flows }) => figure(flows, account)) }))
      .filter(({ amounts }) => amounts.some((amount) => amount !== 0));
    const totals = columnTotals(
      columns.length,
      rows.map(({ amounts }) => amounts),
    );
    return { activity, rows, totals };
  });
  const moved = columnTotals(
    columns.length,
    sections.map(({ totals }) => totals),
  );
  const opening = columns.map((column) => column.opening);
  const cash = columnTotals(columns.length, [opening, moved, gains]);
  const apart = columns.map(({ closing }, at) => add(closing, negated(cash[at] as Cents)));
  const hasGains = gains.some((gain) => gain !== 0);
  return {
    titles: ["Cash Flow Statement", organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...sections.map(({ activity, rows, totals }) =>
        section(titles[activity], [
          ...rows.map(({ account, amounts }) =>
            accountRow(account.Name, account.AccountID, amounts),
          ),
          plainRow("SummaryRow", `Net Cash from ${titles[activity]}`, totals),
        ]),
      ),
      section("Cash", [
        plainRow("Row", "Net Cash Movement", moved),
        plainRow("Row", "Opening Balance", opening),
        ...(hasGains ? [plainRow("Row", "Effect of Exchange Rates", gains)] : []),
        plainRow("SummaryRow", "Closing Balance", cash),
      ]),
      section("", [
        plainRow(
          "Row",
          "Bank Accounts",
          columns.map(({ closing }) => closing),
        ),
        plainRow("SummaryRow", "Difference", apart),
      ]),
    ],
  };
}

/** What the bank accounts among `accounts` come to. */
export function cashOf(accounts: readonly AccountInfo[], balances: Sums): Cents {
  return sum(
    accounts.filter(({ Type }) => Type === "BANK").map((account) => figure(balances, account)),
  );
}
