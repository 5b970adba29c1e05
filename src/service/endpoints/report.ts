/** /Reports: profit and loss, trial balance, balance sheet. Read from sums, never from documents. */

import { shortDate, startOfMonth } from "../../ledger/calendar.ts";
import { balanceSheet as balanceSheetRows } from "../../ledger/reports/balance-sheet.ts";
import {
  groupsCurrencyGains,
  profitAndLoss as profitAndLossRows,
} from "../../ledger/reports/profit-and-loss.ts";
import {
  balanceDates,
  periodsMax,
  reportPeriods,
  reportRange,
  timeframes,
} from "../../ledger/reports/rows.ts";
import { trialBalance as trialBalanceRows } from "../../ledger/reports/trial-balance.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import type { Call } from "../call.ts";
import { netSums, optionNamed, sumsByOption, trackingOf } from "./report-columns.ts";
import { dateOf, report, yearEndOf, yearOf } from "./report-frame.ts";

/** GET /Reports/ProfitAndLoss: the current month unless told otherwise. */
export function profitAndLoss(call: Call): Promise<ServiceResponse> {
  return report(call, "ProfitAndLoss", "Profit and Loss", async (reading) => {
    const { organisation, chart, today } = reading;
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const periods = call.query.integer("periods", 1, periodsMax);
    const timeframe = call.query.choice("timeframe", timeframes) ?? "MONTH";
    const tracking = trackingOf(call, chart);
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
        heading: shortDate(period.to),
        sums: await netSums(reading, period.from, period.to),
      });
    }
    return profitAndLossRows({ ...common, columns });
  });
}

/** GET /Reports/TrialBalance: as at `date`, with its month and its year to date. */
export function trialBalance(call: Call): Promise<ServiceResponse> {
  return report(call, "TrialBalance", "Trial Balance", async (reading) => {
    const { organisation, chart, today } = reading;
    const date = dateOf(call, "date") ?? today;
    return trialBalanceRows({
      organisation: organisation.Name,
      date,
      accounts: chart.accounts,
      yearEnd: yearEndOf(reading),
      month: await netSums(reading, startOfMonth(date), date),
      yearToDate: await netSums(reading, yearOf(reading, date).from, date),
      balances: await netSums(reading, undefined, date),
    });
  });
}

/** GET /Reports/BalanceSheet: at the end of the month of `date`, beside a year before. */
export function balanceSheet(call: Call): Promise<ServiceResponse> {
  return report(call, "BalanceSheet", "Balance Sheet", async (reading) => {
    const { organisation, chart, today } = reading;
    const dates = balanceDates(
      dateOf(call, "date") ?? today,
      call.query.integer("periods", 1, periodsMax),
      call.query.choice("timeframe", timeframes),
    );
    const options = ["trackingOptionID1", "trackingOptionID2"].flatMap((name) => {
      const id = call.query.get(name);
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
  });
}
