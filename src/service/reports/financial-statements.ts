/**
 * Profit and loss, trial balance, balance sheet and equity: computed from stored sums, not from
 * documents.
 */

import { addDays, type DateRange, startOfMonth } from "../../ledger/dates/calendar.ts";
import type { SumPart } from "../../ledger/figures/counted.ts";
import type { Period } from "../../ledger/figures/expression.ts";
import { balanceSheet as balanceSheetRows } from "../../ledger/reports/balance-sheet.ts";
import { equity as equityRows } from "../../ledger/reports/equity.ts";
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
  carriesAll,
  netSums,
  optionNamed,
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
export const profitAndLoss: MakeReport = async (reading) => {
  const { organisation, chart, today } = reading;
  const { from, to } = reportRange(
    dateOf(reading.call, "fromDate"),
    dateOf(reading.call, "toDate"),
    today,
  );
  const periods = reading.call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = reading.call.query.choice("timeframe", timeframes);
  const tracking = trackingOf(reading.call, chart);
  const common = {
    organisation: organisation.Name,
    from,
    to,
    accounts: chart.accounts,
    groupCurrencyGains: reading.isAccountant || groupsCurrencyGains(organisation),
    isSignSaid: reading.isAccountant,
  };
  if (tracking !== undefined) {
    const rows = await sumsByOption(reading, from, to);
    return profitAndLossRows({
      ...common,
      filter: tracking.title,
      columns: tracking.columns(rows).map(({ heading, sums, takes }) => ({
        heading,
        period: { ...periodOf(reading, { from, to }, { moved: sums }), carries: takes },
      })),
    });
  }
  const columns = [];
  const isRolling = periods !== undefined && areOverlapping({ from, to }, timeframe ?? "MONTH");
  const isCompared = !reading.isAccountant || periods !== undefined || timeframe !== undefined;
  const spans = isCompared
    ? reportPeriods(from, to, periods, timeframe)
    : await sinceTheFirstPosting(reading, profitColumns({ from, to }, yearEndOf(reading)));
  for (const period of spans) {
    columns.push({
      heading: headingOf(reading, period, isRolling),
      period: await movedIn(reading, period),
    });
  }
  return profitAndLossRows({ ...common, columns });
};

/** Leaves out a year before in which there were no books yet. */
async function sinceTheFirstPosting({ tx }: ReportContext, spans: readonly DateRange[]) {
  const last = spans.at(-1);
  const isYoung = last !== undefined && !(await isAnythingPostedUntil(tx, last.to));
  return isYoung ? spans.slice(0, -1) : spans;
}

/** GET /Reports/TrialBalance: as at `date`, with its month and its year to date. */
export const trialBalance: MakeReport = async (reading) => {
  const { organisation, chart, today } = reading;
  const date = dateOf(reading.call, "date") ?? today;
  if (reading.isAccountant) {
    const days = { from: yearOf(reading, date).from, to: date, options: [] };
    return trialBalanceLayout({
      ...(await generalLedgerOf(reading, days)),
      prior: await yearTo(reading, balanceDates(date, 1, "YEAR", true)[1] ?? date),
    });
  }
  return trialBalanceRows({
    organisation: organisation.Name,
    date,
    accounts: chart.accounts,
    month: await movedIn(reading, { from: startOfMonth(date), to: date }),
    year: await yearTo(reading, date),
  });
};

/** GET /Reports/BalanceSheet: at `date` or the end of its month, compared with a year earlier. */
export const balanceSheet: MakeReport = async (reading) => {
  const { organisation, chart, today } = reading;
  const isExact = reading.call.query.boolean("exactDate") === true;
  const dates = balanceDates(
    dateOf(reading.call, "date") ?? today,
    reading.call.query.integer("periods", isExact ? 0 : 1, comparedPeriodsMax),
    reading.call.query.choice("timeframe", timeframes),
    isExact,
  );
  const options = ["trackingOptionID1", "trackingOptionID2"].flatMap((name) => {
    const id = reading.call.query.get(name);
    return id === undefined ? [] : [optionNamed(chart, id)];
  });
  const columns = [];
  const others: OtherSides[] = [];
  for (const date of dates) {
    columns.push(await yearTo(reading, date, options));
    others.push(await otherSidesAt(reading, date, options));
  }
  return balanceSheetRows({
    organisation: organisation.Name,
    columns,
    accounts: chart.accounts,
    filter: options.length === 0 ? undefined : options.map((option) => option.Name).join(", "),
    others: reading.isAccountant ? others : undefined,
  });
};

/**
 * Returns the contacts whose balance is on the other side of receivables and payables; none with
 * tracking, nor on the cash basis, which has no open documents.
 */
async function otherSidesAt(
  reading: ReportContext,
  date: string,
  options: readonly TrackingOption[],
): Promise<OtherSides> {
  const isLaidOut = reading.isAccountant && reading.basis === "accrual" && options.length === 0;
  const contactsOf = async (control: Control): Promise<SumPart[]> => {
    const entries = await creditsAt(reading, control, date);
    return [...Map.groupBy(entries, ({ contactId }) => contactId)].flatMap(([Value, own]) => {
      const amount = -own.reduce((total, entry) => total + entry.amount, 0);
      const attributes = [{ Value, Id: "contactID" }];
      return amount > 0 ? [{ label: own[0]?.contact ?? "", amount, attributes }] : [];
    });
  };
  if (!isLaidOut) return { DEBTORS: [], CREDITORS: [] };
  return { DEBTORS: await contactsOf("DEBTORS"), CREDITORS: await contactsOf("CREDITORS") };
}

/** GET /Reports/Equity: by default the current month. */
export const equity: MakeReport = async (reading) => {
  const { call, organisation, chart, today } = reading;
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const periods = call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = call.query.choice("timeframe", timeframes);
  const isRolling = periods !== undefined && areOverlapping({ from, to }, timeframe ?? "MONTH");
  const columns = [];
  for (const period of reportPeriods(from, to, periods, timeframe)) {
    columns.push({
      heading: headingOf(reading, period, isRolling),
      before: await balancesAt(reading, addDays(period.from, -1)),
      period: periodOf(reading, period, {
        moved: await netSums(reading, period.from, period.to),
        held: await netSums(reading, undefined, period.to),
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
const movedIn = async (reading: ReportContext, days: DateRange): Promise<Period> =>
  periodOf(reading, days, { moved: await netSums(reading, days.from, days.to) });

/**
 * Returns the financial year up to a day, with movements and balances of postings that have all
 * given options.
 */
async function yearTo(
  reading: ReportContext,
  to: string,
  options: readonly TrackingOption[] = [],
): Promise<Period> {
  const { from } = yearOf(reading, to);
  return {
    ...periodOf(
      reading,
      { from, to },
      {
        moved: await netSums(reading, from, to, options),
        held: await netSums(reading, undefined, to, options),
      },
    ),
    carries: carriesAll(options),
  };
}
