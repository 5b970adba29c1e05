/** /Reports: profit and loss, trial balance, balance sheet, equity. Read from sums, never from documents. */

import { addDays, startOfMonth } from "../../ledger/dates/calendar.ts";
import { balanceSheet as balanceSheetRows } from "../../ledger/reports/balance-sheet.ts";
import { equity as equityRows } from "../../ledger/reports/equity.ts";
import {
  groupsCurrencyGains,
  profitAndLoss as profitAndLossRows,
} from "../../ledger/reports/profit-and-loss.ts";
import { balanceDates, reportPeriods, reportRange } from "../../ledger/reports/rows.ts";
import { trialBalance as trialBalanceRows } from "../../ledger/reports/trial-balance.ts";
import { comparedPeriodsMax, timeframes } from "../../resources/report.ts";
import { netSums, optionNamed, sumsByOption, trackingOf } from "./columns.ts";
import { dateOf, headingOf, type MakeReport, yearEndOf, yearOf } from "./frame.ts";

/** GET /Reports/ProfitAndLoss: the current month by default. */
export const profitAndLoss: MakeReport = async (reading) => {
  const { organisation, chart, today } = reading;
  const { from, to } = reportRange(
    dateOf(reading.call, "fromDate"),
    dateOf(reading.call, "toDate"),
    today,
  );
  const periods = reading.call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = reading.call.query.choice("timeframe", timeframes) ?? "MONTH";
  const tracking = trackingOf(reading.call, chart);
  const common = {
    organisation: organisation.Name,
    from,
    to,
    accounts: chart.accounts,
    groupCurrencyGains: groupsCurrencyGains(organisation),
  };
  if (tracking !== undefined) {
    const rows = await sumsByOption(reading, from, to);
    return profitAndLossRows({
      ...common,
      filter: tracking.title,
      columns: tracking.columns(rows),
    });
  }
  const columns = [];
  for (const period of reportPeriods(from, to, periods, timeframe)) {
    columns.push({
      heading: headingOf(reading, period),
      sums: await netSums(reading, period.from, period.to),
    });
  }
  return profitAndLossRows({ ...common, columns });
};

/** GET /Reports/TrialBalance: as at `date`, with its month and its year to date. */
export const trialBalance: MakeReport = async (reading) => {
  const { organisation, chart, today } = reading;
  const date = dateOf(reading.call, "date") ?? today;
  return trialBalanceRows({
    organisation: organisation.Name,
    date,
    accounts: chart.accounts,
    yearEnd: yearEndOf(reading),
    month: await netSums(reading, startOfMonth(date), date),
    yearToDate: await netSums(reading, yearOf(reading, date).from, date),
    balances: await netSums(reading, undefined, date),
  });
};

/** GET /Reports/BalanceSheet: at the end of the month of `date`, or that day, beside a year before. */
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
  for (const date of dates) {
    columns.push({
      date,
      balances: await netSums(reading, undefined, date, options),
      yearToDate: await netSums(reading, yearOf(reading, date).from, date, options),
    });
  }
  return balanceSheetRows({
    organisation: organisation.Name,
    columns,
    accounts: chart.accounts,
    yearEnd: yearEndOf(reading),
    filter: options.length === 0 ? undefined : options.map((each) => each.Name).join(", "),
  });
};

/** GET /Reports/Equity: the current month by default. */
export const equity: MakeReport = async (reading) => {
  const { call, organisation, chart, today } = reading;
  const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
  const periods = call.query.integer("periods", 1, comparedPeriodsMax);
  const timeframe = call.query.choice("timeframe", timeframes);
  const columns = [];
  for (const period of reportPeriods(from, to, periods, timeframe)) {
    columns.push({
      heading: headingOf(reading, period),
      before: await netSums(reading, undefined, addDays(period.from, -1)),
      after: await netSums(reading, undefined, period.to),
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
