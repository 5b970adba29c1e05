/** Summary reports: bank, budget, and executive summary. */
import {
  addDays,
  addMonths,
  type DateRange,
  endOfMonth,
  hyphenMonth,
  monthOf,
  shortMonthYear,
  spanName,
  startOfMonth,
} from "../../ledger/dates/calendar.ts";
import { add, type Cents, sum, sumToBase, zeroCents } from "../../ledger/money.ts";
import {
  type BankSummaryRequest,
  bankSummary as bankRows,
} from "../../ledger/reports/bank-summary.ts";
import {
  budgetPeriods,
  budgetSummary as budgetRows,
  budgetSums,
} from "../../ledger/reports/budget-summary.ts";
import { budgetVariance as budgetVarianceRows } from "../../ledger/reports/budget-variance.ts";
import {
  executiveSummary as executiveRows,
  type SummaryMonth,
} from "../../ledger/reports/executive-summary.ts";
import { groupsCurrencyGains } from "../../ledger/reports/profit-and-loss.ts";
import { negated, reportRange, type Sums } from "../../ledger/reports/report-rows.ts";
import { budgetColumnsMax } from "../../resources/report.ts";
import { budgetBalances } from "../../store/ledger/budgets.ts";
import { sums } from "../../store/ledger/journals.ts";
import { transferTurnover } from "../../store/queries/cash-flows.ts";
import { loadForeignHeld } from "../../store/queries/foreign-balances.ts";
import { invoicesIssued } from "../../store/queries/invoices-issued.ts";
import { foreignBanks } from "./gains.ts";
import { netSums } from "./report-columns.ts";
import { dateOf, type MakeReport, type ReportContext } from "./report-context.ts";

/** GET /Reports/BankSummary: the current month unless told otherwise. */
export const bankSummary: MakeReport = async (context) => {
  const { organisation, chart, today } = context;
  const range = reportRange(
    dateOf(context.call, "fromDate"),
    dateOf(context.call, "toDate"),
    today,
  );
  return bankRows({
    organisation: organisation.Name,
    ...range,
    accounts: chart.accounts,
    ...(await cashIn(context, range)),
  });
};

/**
 * Returns bank accounts in a range of days: opening balances, movements, exchange gains, foreign
 * amounts.
 */
async function cashIn(
  context: ReportContext,
  { from, to }: DateRange,
): Promise<Pick<BankSummaryRequest, "before" | "period" | "gains" | "currencies">> {
  const { tx, chart, gains } = context;
  const accounts = chart.accounts
    .filter(({ Type }) => Type === "BANK")
    .map(({ AccountID }) => AccountID);
  const query = { basis: "accrual", accounts } as const;
  const dayBefore = addDays(from, -1);
  const turnover = await sums(tx, { ...query, from, to });
  const openingSums = amountsOf(await sums(tx, { ...query, to: dayBefore }), "amount");
  const banks = foreignBanks(context);
  const isForeign = banks.length > 0;
  const ids = banks.map(({ AccountID }) => AccountID);
  const holdings = isForeign ? await loadForeignHeld(tx, "accrual", ids, to) : [];
  const days = { ...{ from: dayBefore, to: dayBefore }, basis: "accrual" as const };
  return {
    before: {
      ...days,
      sums: { held: isForeign ? await gains.in(openingSums, undefined, dayBefore) : openingSums },
    },
    period: {
      ...{ ...days, from, to },
      sums: {
        debit: amountsOf(turnover, "debit"),
        credit: amountsOf(turnover, "credit"),
        foreign: amountsOf(holdings, "amount"),
      },
    },
    gains: isForeign ? await gains.in(new Map(), from, to) : undefined,
    currencies: isForeign
      ? new Map(banks.map(({ AccountID, CurrencyCode = "" }) => [AccountID, CurrencyCode]))
      : undefined,
  };
}

const amountsOf = <K extends string>(
  rows: readonly ({ readonly account: string } & Readonly<Record<K, Cents>>)[],
  name: K,
): Sums => new Map(rows.map((row) => [row.account, row[name]]));

/** Allowed numbers of months in a column of a budget summary. */
const budgetTimeframes = ["1", "3", "12"] as const;

/** GET /Reports/BudgetSummary: by default twelve months from the current one. */
export const budgetSummary: MakeReport = async (context) => {
  const { organisation, chart, today, tx } = context;
  const from = startOfMonth(dateOf(context.call, "date") ?? today);
  const columns = context.call.query.integer("periods", 1, budgetColumnsMax) ?? budgetColumnsMax;
  const monthCount = Number(context.call.query.choice("timeframe", budgetTimeframes) ?? "1") as
    | 1
    | 3
    | 12;
  const spans = budgetPeriods(from, columns, monthCount);
  const lastMonth = spans.at(-1)?.last ?? from;
  const balances = await budgetBalances(tx, { from: monthOf(from), to: monthOf(lastMonth) });
  return budgetRows({
    organisation: organisation.Name,
    from,
    accounts: chart.accounts,
    columns: spans.map((span) => ({
      month: span.last,
      days: { from: span.first, to: span.last },
      heading: context.isDescribed
        ? spanName({ from: span.first, to: endOfMonth(span.last) })
        : hyphenMonth(span.last),
      sums: budgetSums(
        chart.accounts,
        balances.filter(({ month }) => month >= monthOf(span.first) && month <= monthOf(span.last)),
      ),
    })),
  });
};

/** GET /Reports/BudgetVariance: whole months, by default the current one. */
export const budgetVariance: MakeReport = async (context) => {
  const { call, organisation, chart, today, tx } = context;
  const range = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const [from, to] = [startOfMonth(range.from), endOfMonth(range.to)];
  const balances = await budgetBalances(tx, { from: monthOf(from), to: monthOf(to) });
  return budgetVarianceRows({
    organisation: organisation.Name,
    from,
    to,
    accounts: chart.accounts,
    basis: context.basis,
    actual: await netSums(context, from, to),
    budget: budgetSums(chart.accounts, balances),
    groupCurrencyGains: context.isAccountant || groupsCurrencyGains(organisation),
  });
};

/** GET /Reports/ExecutiveSummary: the month of `date` compared with the previous one. */
export const executiveSummary: MakeReport = async (context) => {
  const { organisation, chart, today } = context;
  const month = startOfMonth(dateOf(context.call, "date") ?? today);
  return executiveRows({
    organisation: organisation.Name,
    accounts: chart.accounts,
    current: await summaryMonth(context, month),
    prior: await summaryMonth(context, addMonths(month, -1)),
    headingOf: context.isAccountant ? spanName : ({ to }) => shortMonthYear(to),
  });
};

async function summaryMonth(context: ReportContext, month: string): Promise<SummaryMonth> {
  const { tx, basis, chart } = context;
  const range = { from: month, to: endOfMonth(month) };
  const issued = await invoicesIssued(tx, range);
  const turnover = await sums(tx, { basis: "accrual", ...range });
  const own = new Map((await transferTurnover(tx, range)).map((each) => [each.account, each]));
  const withoutOwn = (amountSide: "debit" | "credit"): Sums =>
    new Map(
      turnover.map((sumsRow) => [
        sumsRow.account,
        add(sumsRow[amountSide], negated(own.get(sumsRow.account)?.[amountSide] ?? zeroCents)),
      ]),
    );
  return {
    period: {
      ...{ ...range, basis },
      sums: {
        moved: await netSums(context, range.from, range.to),
        held: await netSums(context, undefined, range.to),
        earned: withoutOwn("debit"),
        paid: withoutOwn("credit"),
      },
    },
    invoices: {
      count: issued.reduce((total, { count }) => total + count, 0),
      income: sum(issued.map((each) => sumToBase(each.income, chart.exchange(each.currency_rate)))),
    },
  };
}
