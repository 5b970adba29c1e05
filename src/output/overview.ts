/**
 * Overview of a company as tables and charts, shared by the terminal and the web page, which lay it
 * out and add links.
 */
import { shortDate } from "../ledger/dates/calendar.ts";
import { sum, zeroCents } from "../ledger/money.ts";
import type { Overview, Owed } from "../resources/overview.ts";
import { taxReturns } from "../resources/tax-report.ts";
import type { Chart } from "./chart.ts";

export type OverviewParts = ReturnType<typeof overviewParts>;
export type OwedPart = OverviewParts["owed"]["in"];

/**
 * Parts of the overview. Amounts are in base currency; monthly charts end with the current month.
 */
export function overviewParts(overview: Overview) {
  const { BankAccounts = [], Months = [], BaseCurrency, Tax } = overview;
  const monthEnds = BankAccounts[0]?.History ?? [];
  const balances = monthEnds.map((_, at) =>
    sum(BankAccounts.map(({ History = [] }) => History[at]?.Balance ?? zeroCents)),
  );
  const byMonth = { axis: "time", form: "bars", currency: BaseCurrency } as const;
  const months = (days: readonly string[]) =>
    days.map((date) => ({ label: shortDate(date).replace(/^\d+ /, "") }));
  const cash: Chart = {
    ...byMonth,
    title: "Cash at the end of each month",
    series: [{ name: "Cash", amounts: balances }],
    points: months(monthEnds.map((monthEnd) => monthEnd.Date)),
    measure: 0,
    isSum: false,
  };
  const results: Chart = {
    ...byMonth,
    title: "Income and expenses by month",
    series: [
      { name: "Income", amounts: Months.map(({ Income }) => Income) },
      { name: "Expenses", amounts: Months.map(({ Expenses }) => Expenses) },
      { name: "Profit", amounts: Months.map(({ Profit }) => Profit), isLine: true },
    ],
    points: months(Months.map(({ FromDate }) => FromDate)),
    measure: 2,
    isSum: true,
  };
  return {
    cash,
    results,
    /** Profit of the current month so far. */
    profit: Months.at(-1)?.Profit,
    owed: {
      in: owedPart("Owed to us", overview.Receivables, BaseCurrency),
      out: owedPart("Owed by us", overview.Payables, BaseCurrency),
    },
    tax: Tax && { ...Tax, ...taxReturns[Tax.ReportType] },
    locks: [
      { date: overview.PeriodLockDate, what: "" },
      { date: overview.EndOfYearLockDate, what: "the year " },
    ].flatMap(({ date, what }) => (date === undefined ? [] : [{ date, what }])),
  };
}

/** What an empty book begins with: commands, and the pages that show what comes of them. */
export const firstSteps = [
  {
    command: "acct opening set FILE --date DAY",
    what: "balances from the books before",
    page: "/accounts",
  },
  { command: "acct import invoices FILE", what: "records of another program", page: "/contacts" },
  { command: "acct account create --type BANK", what: "a bank account", page: "/bank" },
  {
    command: "acct bank import FILE --account CODE",
    what: "a statement of the bank",
    page: "/bank/upload",
  },
  { command: "acct invoice create", what: "the first invoice", page: "/invoices" },
  { command: "acct --demo", what: "a company with a year behind it", page: undefined },
] as const;

/** Whether the book has nothing to show. */
export function isEmptyBook(of: Overview): boolean {
  const { BankAccounts = [], Receivables, Payables, Waiting = [], Months = [] } = of;
  const amounts = [
    ...BankAccounts.flatMap(({ History = [] }) => History.map(({ Balance }) => Balance)),
    ...[Receivables, Payables].flatMap(({ Buckets = [], Credits }) => [
      Credits,
      ...Buckets.map(({ Amount }) => Amount),
    ]),
    ...Months.flatMap(({ Income, Expenses }) => [Income, Expenses]),
  ];
  const hasLines = BankAccounts.some(({ UnreconciledLines }) => UnreconciledLines > 0);
  return Waiting.length === 0 && !hasLines && amounts.every((amount) => amount === 0);
}

function owedPart(heading: string, owed: Owed, currency: string) {
  const { Buckets = [], Credits, Total } = owed;
  const ages = Buckets.map(({ Name, Amount, Count }, at) => ({
    label: at === 0 ? "Not due yet" : Name,
    amount: Amount,
    count: Count,
  }));
  const title = `${heading} by age`;
  const chart: Chart = {
    ...{ title, currency, axis: "names", form: "bars", measure: 0, isSum: true },
    series: [{ name: heading, amounts: ages.map(({ amount }) => amount) }],
    points: ages.map(({ label }) => ({ label })),
  };
  return {
    heading,
    title,
    /** Amounts by days overdue; the first row is not due yet. */
    ages,
    credits: Credits,
    total: Total,
    /** Amounts due, by the names of the list filters that show them. */
    due: {
      overdue: { label: "Overdue", amount: owed.Overdue, count: owed.OverdueCount },
      week: { label: "Due this week", amount: owed.DueThisWeek, count: owed.DueThisWeekCount },
    },
    chart: ages.every(({ amount }) => amount === 0) ? undefined : chart,
  };
}
