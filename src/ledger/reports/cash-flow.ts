/** Cash flow, direct: which accounts the money of the bank accounts came from and went to. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { counted, type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import { type Cents, sum as total } from "../money.ts";
import {
  type AccountInfo,
  accountFigures,
  byName,
  figure,
  figureRow,
  headerRow,
  isAnything,
  type ReportBody,
  type Sums,
  section,
} from "./report-rows.ts";

export const activities = ["operating", "investing", "financing"] as const;
export type Activity = (typeof activities)[number];

/** One range of days. */
export interface CashFlowColumn {
  /** `31 Mar 26`, the last day of its range. */
  readonly heading: string;
  /** What the accounts brought in, by AccountID; what was paid for them is negative. */
  readonly flows: Sums;
  /** What opening balances put on bank accounts within its days. */
  readonly begun: Cents;
  /** Up to the day before, with what was held then. */
  readonly before: Period;
  /** With what was held at its end. */
  readonly period: Period;
  /** What the rates of its days gained on bank accounts in foreign currencies. */
  readonly gains: Cents;
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
  const { organisation, from, to, columns, accounts } = request;
  const banks = accounts.filter(({ Type }) => Type === "BANK");
  const hasGains = columns.some(({ gains }) => gains !== 0);
  const sections = activities.map((activity) => {
    const rows = flowsOf(activity, request);
    const name = `Net Cash from ${titles[activity]}`;
    const totals = columns.map((_, at) =>
      sum(
        [activity, name, "SectionTotal"],
        rows.map((figures) => figures[at] as Figure),
      ),
    );
    return { activity, rows, totals };
  });
  const cash = columns.map(({ before, begun, period, gains }, at) => {
    const moved = sum(
      ["net-cash-movement", "Net Cash Movement", "SectionTotal"],
      sections.map(({ totals }) => totals[at] as Figure),
    );
    const opening = sum(
      ["opening-balance", "Opening Balance", "CashOpening"],
      [
        ledger(["cash-before", "Bank Accounts", "Balance"], 1, "held", before, banks),
        counted(["begun", "Opening Balances", "Sum"], begun, {
          of: "opening balances",
          days: period,
        }),
      ],
    );
    const effect = counted(
      ["exchange-rates", "Effect of Exchange Rates", "UnrealisedGain"],
      gains,
      {
        ...{ of: "gains", accounts: banks, days: period },
      },
    );
    const closing = sum(
      ["closing-balance", "Closing Balance", "ClosingBalance"],
      [opening, moved, ...(hasGains ? [effect] : [])],
    );
    const balance = ledger(["bank-accounts", "Bank Accounts", "Balance"], 1, "held", period, banks);
    const difference = sum(["difference", "Difference", "Difference"], [balance], [closing]);
    return { moved, opening, effect, closing, held: balance, difference };
  });
  const row = (name: keyof (typeof cash)[number], type: "Row" | "SummaryRow" = "Row") =>
    figureRow(
      type,
      cash.map((each) => each[name]),
    );
  return {
    titles: ["Cash Flow Statement", organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...sections.map(({ activity, rows, totals }) =>
        section(titles[activity], [
          ...rows.map((figures) => accountFigures(figures)),
          figureRow("SummaryRow", totals),
        ]),
      ),
      section("Cash", [
        row("moved"),
        row("opening"),
        ...(hasGains ? [row("effect")] : []),
        row("closing", "SummaryRow"),
      ]),
      section("", [row("held"), row("difference", "SummaryRow")]),
    ],
  };
}

/** The lines of an activity with any amount. */
function flowsOf(activity: Activity, { accounts, columns, activityOf }: CashFlowRequest) {
  return accounts
    .filter((account) => (activityOf.get(account.AccountID) ?? usualActivity(account)) === activity)
    .toSorted(byClass)
    .map((account) =>
      columns.map(({ flows, period }) =>
        counted([account.AccountID, account.Name, "CashFlow"], figure(flows, account), {
          ...{ of: "cash flow", account: account.AccountID, days: period },
        }),
      ),
    )
    .filter(isAnything);
}

/** What the bank accounts among `accounts` come to. */
export function cashOf(accounts: readonly AccountInfo[], balances: Sums): Cents {
  return total(
    accounts.filter(({ Type }) => Type === "BANK").map((account) => figure(balances, account)),
  );
}
