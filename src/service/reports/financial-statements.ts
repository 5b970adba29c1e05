/**
 * Profit and loss, trial balance, balance sheet and equity: computed from stored sums, not from
 * documents.
 */

import { addDays, type DateRange, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { SumPart } from "../../ledger/figures/counted.ts";
import type { Period } from "../../ledger/figures/expression.ts";
import { balanceSheet as balanceSheetRows } from "../../ledger/reports/balance-sheet.ts";
import { equityOf as equityRows } from "../../ledger/reports/equity.ts";
import type { OtherSides } from "../../ledger/reports/layouts/balance-sheet.ts";
import { profitColumns } from "../../ledger/reports/layouts/profit-columns.ts";
import { trialBalanceLayout } from "../../ledger/reports/layouts/trial-balance.ts";
import {
  groupsCurrencyGains,
  profitAndLoss as profitAndLossRows,
} from "../../ledger/reports/profit-and-loss.ts";
import {
  areOverlapping,
  balanceDates,
  reportPeriods,
  reportRange,
} from "../../ledger/reports/report-rows.ts";
import { trialBalance as trialBalanceRows } from "../../ledger/reports/trial-balance.ts";
import { comparedPeriodsMax, timeframes } from "../../resources/report.ts";
import type { TrackingOption } from "../../resources/tracking-category.ts";
import { isAnythingPostedUntil } from "../../store/queries/references.ts";
import { type Control, creditsAt } from "./contacts/aged.ts";
import { generalLedgerOf } from "./ledger.ts";
import {
  balancesAt,
  netSums,
  optionNamed,
  postingFilterOf,
  sumsByOption,
  trackingOf,
} from "./report-columns.ts";
import {
  dateOf,
  headingOf,
  type MakeReport,
  periodOf,
  type ReportContext,
  yearEndOf,
  yearOf,
} from "./report-context.ts";

/**
 * GET /Reports/ProfitAndLoss: by default the current month; in the accountant's layout beside the
 * year so far and last year, unless other periods are asked for.
 */
export const profitAndLoss: MakeReport = async (context) => {
  const { organisation, chart, today } = context;
  const { from, to } = reportRange(
    dateOf(context.call, "fromDate"),
    dateOf(context.call, "toDate"),
    today,
  );
  const periodCount = context.call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = context.call.query.choice("timeframe", timeframes);
  const tracking = trackingOf(context.call, chart);
  const commonQuery = {
    organisation: organisation.Name,
    from,
    to,
    accounts: chart.accounts,
    groupCurrencyGains: context.isAccountant || groupsCurrencyGains(organisation),
    isSignSaid: context.isAccountant,
  };
  if (tracking !== undefined) {
    const rows = await sumsByOption(context, from, to);
    return profitAndLossRows({
      ...commonQuery,
      filter: tracking.title,
      columns: tracking.columns(rows).map(({ heading, sums, takes }) => ({
        heading,
        period: { ...periodOf(context, { from, to }, { moved: sums }), carries: takes },
      })),
    });
  }
  const columns = [];
  const isRolling = periodCount !== undefined && areOverlapping({ from, to }, timeframe ?? "MONTH");
  const isCompared = !context.isAccountant || periodCount !== undefined || timeframe !== undefined;
  const spans = isCompared
    ? reportPeriods(from, to, periodCount, timeframe)
    : await withoutYearsBeforeBooks(context, profitColumns({ from, to }, yearEndOf(context)));
  for (const period of spans) {
    columns.push({
      heading: headingOf(context, period, isRolling),
      period: await movedIn(context, period),
    });
  }
  return profitAndLossRows({ ...commonQuery, columns });
};

/** Leaves out a year before in which there were no books yet. */
async function withoutYearsBeforeBooks({ tx }: ReportContext, spans: readonly DateRange[]) {
  const lastSpan = spans.at(-1);
  const isYoung = lastSpan !== undefined && !(await isAnythingPostedUntil(tx, lastSpan.to));
  return isYoung ? spans.slice(0, -1) : spans;
}

/** GET /Reports/TrialBalance: as at `date`, with its month and its year to date. */
export const trialBalance: MakeReport = async (context) => {
  const { organisation, chart, today } = context;
  const date = dateOf(context.call, "date") ?? today;
  if (context.isAccountant) {
    const days = { from: yearOf(context, date).from, to: date, options: [] };
    return trialBalanceLayout({
      ...(await generalLedgerOf(context, days)),
      prior: await yearTo(context, balanceDates(date, 1, "YEAR", true)[1] ?? date),
    });
  }
  return trialBalanceRows({
    organisation: organisation.Name,
    date,
    accounts: chart.accounts,
    month: await movedIn(context, { from: startOfMonth(date), to: date }),
    year: await yearTo(context, date),
  });
};

/** GET /Reports/BalanceSheet: at `date` or the end of its month, compared with a year earlier. */
export const balanceSheet: MakeReport = async (context) => {
  const { organisation, chart, today } = context;
  const isExact = context.call.query.boolean("exactDate") === true;
  const dates = balanceDates(
    dateOf(context.call, "date") ?? today,
    context.call.query.integer("periods", isExact ? 0 : 1, comparedPeriodsMax),
    context.call.query.choice("timeframe", timeframes),
    isExact,
  );
  const options = ["trackingOptionID1", "trackingOptionID2"].flatMap((name) => {
    const id = context.call.query.get(name);
    return id === undefined ? [] : [optionNamed(chart, id)];
  });
  const columns = [];
  const otherSides: OtherSides[] = [];
  for (const date of dates) {
    columns.push(await yearTo(context, date, options));
    otherSides.push(await otherSidesAt(context, date, options));
  }
  return balanceSheetRows({
    organisation: organisation.Name,
    columns,
    accounts: chart.accounts,
    filter: options.length === 0 ? undefined : options.map((option) => option.Name).join(", "),
    otherSides: context.isAccountant ? otherSides : undefined,
  });
};

/**
 * Returns the contacts whose balance is on the other side of receivables and payables; none with
 * tracking, nor on the cash basis, which has no open documents.
 */
async function otherSidesAt(
  context: ReportContext,
  date: string,
  options: readonly TrackingOption[],
): Promise<OtherSides> {
  const isAccountant = context.isAccountant && context.basis === "accrual" && options.length === 0;
  const contactsOf = async (control: Control): Promise<SumPart[]> => {
    const entries = await creditsAt(context, control, date);
    return [...Map.groupBy(entries, ({ contactId }) => contactId)].flatMap(([Value, own]) => {
      const amount = -own.reduce((total, entry) => total + entry.amount, 0);
      const attributes = [{ Value, Id: "contactID" }];
      return amount > 0 ? [{ label: own[0]?.contact ?? "", amount, attributes }] : [];
    });
  };
  if (!isAccountant || !(await isAnythingPostedUntil(context.tx, date))) {
    return { DEBTORS: [], CREDITORS: [] };
  }
  return { DEBTORS: await contactsOf("DEBTORS"), CREDITORS: await contactsOf("CREDITORS") };
}

/** GET /Reports/Equity: by default the current month. */
export const equity: MakeReport = async (context) => {
  const { call, organisation, chart, today } = context;
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const periodCount = call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = call.query.choice("timeframe", timeframes);
  const isRolling = periodCount !== undefined && areOverlapping({ from, to }, timeframe ?? "MONTH");
  const columns = [];
  for (const period of reportPeriods(from, to, periodCount, timeframe)) {
    columns.push({
      heading: headingOf(context, period, isRolling),
      before: await balancesAt(context, addDays(period.from, -1)),
      period: periodOf(context, period, {
        moved: await netSums(context, period.from, period.to),
        held: await netSums(context, undefined, period.to),
      }),
    });
  }
  return equityRows({
    organisation: organisation.Name,
    from,
    to,
    columns,
    accounts: chart.accounts,
  });
};

/** Returns the movements in a range of days. */
const movedIn = async (context: ReportContext, days: DateRange): Promise<Period> =>
  periodOf(context, days, { moved: await netSums(context, days.from, days.to) });

/**
 * Returns the financial year up to a day, with movements and balances of postings that have all
 * given options.
 */
async function yearTo(
  context: ReportContext,
  to: string,
  options: readonly TrackingOption[] = [],
): Promise<Period> {
  const { from } = yearOf(context, to);
  return {
    ...periodOf(
      context,
      { from, to },
      {
        moved: await netSums(context, from, to, options),
        held: await netSums(context, undefined, to, options),
      },
    ),
    carries: postingFilterOf(options),
  };
}
