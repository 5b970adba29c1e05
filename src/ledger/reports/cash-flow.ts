/** Cash flow, direct method: the contra accounts of money received and spent on bank accounts. */
import { type DateText, longDate } from "../dates/calendar.ts";
import { counted, type Figure, ledger, type Period, sum } from "../figures/expression.ts";
import { type Cents, sum as total } from "../money.ts";
import { cashFromProfit, receiptsAndPayments } from "./layouts/cash-flow.ts";
import {
  type AccountInfo,
  accountFigures,
  byName,
  figure,
  figureRow,
  hasAmount,
  headerRow,
  type ReportBody,
  type Sums,
  sectionRow,
} from "./report-rows.ts";

export const activities = ["operating", "investing", "financing"] as const;
export type Activity = (typeof activities)[number];

/** A column of the cash flow report: one range of days. */
export interface CashFlowColumn {
  /** Heading: the last day of the range, `31 Mar 26`. */
  readonly heading: string;
  /** Cash flows by AccountID of the contra account; payments are negative. */
  readonly flowById: Sums;
  /** Opening balances of bank accounts dated within the column. */
  readonly begun: Cents;
  /** The period up to the day before, with opening balances. */
  readonly before: Period;
  /** The column's period, with closing balances. */
  readonly period: Period;
  /** Currency gains of the column on bank accounts in foreign currencies. */
  readonly gains: Cents;
}

export interface CashFlowRequest {
  /** Name of the organisation. */
  readonly organisation: string;
  /** First day of the first column. */
  readonly from: DateText;
  readonly to: DateText;
  readonly columns: readonly CashFlowColumn[];
  readonly accounts: readonly AccountInfo[];
  /** Cash flow activities by AccountID, for accounts that differ from their type. */
  readonly activityOf: ReadonlyMap<string, Activity>;
  /** Rows of operating cash: receipts and payments, or from the profit; by account if undefined. */
  readonly layout?: "direct" | "indirect" | undefined;
}

const titles = {
  operating: "Operating Activities",
  investing: "Investing Activities",
  financing: "Financing Activities",
} as const satisfies Record<Activity, string>;

/** The default activity of an account, by its type. */
function defaultActivity({ Type }: AccountInfo): Activity {
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

function compareClasses(a: AccountInfo, b: AccountInfo): number {
  const classPlace = ({ Class }: AccountInfo) => classOrder.indexOf(Class);
  return classPlace(a) - classPlace(b) || byName(a, b);
}

/**
 * The cash flow report: a section of accounts for each activity, income first, and the change from
 * opening to closing bank balances. The last row is zero: the balance sheet has the same cash.
 */
export function cashFlow(request: CashFlowRequest): ReportBody {
  const { organisation, from, to, columns, accounts, layout } = request;
  const banks = accounts.filter(({ Type }) => Type === "BANK");
  const hasGains = columns.some(({ gains }) => gains !== 0);
  const effects = columns.map(({ period, gains }) =>
    counted(["exchange-rates", "Effect of Exchange Rates", "UnrealisedGain"], gains, {
      ...{ of: "gains", accounts: banks, days: period },
    }),
  );
  const begins = columns.map(({ begun, period }) =>
    counted(["begun", "Opening Balances", "Sum"], begun, { of: "opening balances", days: period }),
  );
  const flows = {
    operating: flowsOf("operating", request),
    investing: flowsOf("investing", request),
    financing: flowsOf("financing", request),
  };
  const sections = activities.map((activity) => {
    const isByAccount = layout === undefined || activity !== "operating";
    const rows = isByAccount
      ? flows[activity]
      : operatingRows(request, flows, (at) => [effects[at] as Figure, begins[at] as Figure]);
    const name = `Net Cash from ${titles[activity]}`;
    const totals = columns.map((_, at) =>
      sum(
        [activity, name, "SectionTotal"],
        rows.map((figures) => figures[at] as Figure),
      ),
    );
    return { activity, rows, totals, isByAccount };
  });
  const cash = columns.map(({ before, period }, at) => {
    const moneyMoved = sum(
      ["net-cash-movement", "Net Cash Movement", "SectionTotal"],
      sections.map(({ totals }) => totals[at] as Figure),
    );
    const opening = sum(
      ["opening-balance", "Opening Balance", "CashOpening"],
      [
        ledger(["cash-before", "Bank Accounts", "Balance"], 1, "held", before, banks),
        begins[at] as Figure,
      ],
    );
    const effect = effects[at] as Figure;
    const closing = sum(
      ["closing-balance", "Closing Balance", "ClosingBalance"],
      [opening, moneyMoved, ...(hasGains ? [effect] : [])],
    );
    const balance = ledger(["bank-accounts", "Bank Accounts", "Balance"], 1, "held", period, banks);
    const difference = sum(["difference", "Difference", "Difference"], [balance], [closing]);
    return { moved: moneyMoved, opening, effect, closing, held: balance, difference };
  });
  const row = (name: keyof (typeof cash)[number], type: "Row" | "SummaryRow" = "Row") =>
    figureRow(
      type,
      cash.map((cashFigures) => cashFigures[name]),
    );
  return {
    titles: ["Cash Flow Statement", organisation, `${longDate(from)} to ${longDate(to)}`],
    rows: [
      headerRow(["", ...columns.map(({ heading }) => heading)]),
      ...sections.map(({ activity, rows, totals, isByAccount }) =>
        sectionRow(titles[activity], [
          ...rows.map((figures) =>
            isByAccount ? accountFigures(figures) : figureRow("Row", figures),
          ),
          figureRow("SummaryRow", totals),
        ]),
      ),
      sectionRow("Cash", [
        row("moved"),
        row("opening"),
        ...(hasGains ? [row("effect")] : []),
        row("closing", "SummaryRow"),
      ]),
      sectionRow("", [row("held"), row("difference", "SummaryRow")]),
    ],
  };
}

/**
 * The rows of operating cash in the accountant's layout.
 *
 * @param apartFigures  as `cashFromProfit` takes it
 */
function operatingRows(
  request: CashFlowRequest,
  flows: Readonly<Record<Activity, readonly (readonly Figure[])[]>>,
  apartFigures: (at: number) => readonly Figure[],
): Figure[][] {
  const { columns, accounts, layout } = request;
  if (layout === "direct") return receiptsAndPayments(flows.operating, accounts);
  return cashFromProfit({
    ...{ columns, accounts, others: [...flows.investing, ...flows.financing], apart: apartFigures },
    isOperating: (account) => activityIn(request, account) === "operating",
  });
}

const activityIn = ({ activityOf }: Pick<CashFlowRequest, "activityOf">, account: AccountInfo) =>
  activityOf.get(account.AccountID) ?? defaultActivity(account);

/** The lines of an activity with a non-zero amount. */
function flowsOf(activity: Activity, request: CashFlowRequest) {
  const { accounts, columns } = request;
  return accounts
    .filter((account) => activityIn(request, account) === activity)
    .toSorted(compareClasses)
    .map((account) =>
      columns.map(({ flowById, period }) =>
        counted([account.AccountID, account.Name, "CashFlow"], figure(flowById, account), {
          ...{ of: "cash flow", account: account.AccountID, days: period },
        }),
      ),
    )
    .filter(hasAmount);
}

/** The total balance of the bank accounts among `accounts`. */
export function cashOf(accounts: readonly AccountInfo[], balanceById: Sums): Cents {
  return total(
    accounts.filter(({ Type }) => Type === "BANK").map((account) => figure(balanceById, account)),
  );
}
