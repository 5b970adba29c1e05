/** /Reports: profit and loss, trial balance, balance sheet. Read from sums, never from documents. */

import {
  type DateRange,
  financialYear,
  longDate,
  shortDate,
  startOfMonth,
} from "../../ledger/calendar.ts";
import { balanceSheet as balanceSheetRows } from "../../ledger/reports/balance-sheet.ts";
import {
  groupsCurrencyGains,
  profitAndLoss as profitAndLossRows,
} from "../../ledger/reports/profit-and-loss.ts";
import {
  balanceDates,
  periodsMax,
  type ReportBody,
  reportPeriods,
  reportRange,
  timeframes,
} from "../../ledger/reports/rows.ts";
import { trialBalance as trialBalanceRows } from "../../ledger/reports/trial-balance.ts";
import { NotFoundError } from "../../resources/errors.ts";
import { sums } from "../../store/journals.ts";
import { readDay } from "../../wire/dates.ts";
import { encodeReports } from "../../wire/encode.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerWith, envelopeOf } from "../answer.ts";
import { type Call, type Here, here, invalid } from "../call.ts";
import { loadChart } from "../chart.ts";
import { netSums, optionNamed, type Reading, trackingOf } from "./report-columns.ts";

async function report(
  call: Call,
  name: string,
  title: string,
  make: (reading: Reading) => Promise<ReportBody>,
): Promise<ServiceResponse> {
  const basis = call.query.boolean("paymentsOnly") === true ? "cash" : "accrual";
  return call.read(async (tx) => {
    const reading: Reading = { ...(await here(call, tx)), tx, chart: await loadChart(tx), basis };
    const { titles, rows } = await make(reading);
    const made = {
      ReportID: name,
      ReportName: title,
      ReportType: name,
      ReportTitles: titles,
      ReportDate: longDate(reading.today),
      UpdatedDateUTC: call.now,
      Rows: rows,
    };
    return answerWith(call, encodeReports(call.format, [made], envelopeOf(call)));
  });
}

/** GET /Reports/ProfitAndLoss: the current month unless told otherwise. */
export function profitAndLoss(call: Call): Promise<ServiceResponse> {
  return report(call, "ProfitAndLoss", "Profit and Loss", async (reading) => {
    const { organisation, chart, today } = reading;
    const { from, to } = reportRange(dateOf(call, "fromDate"), dateOf(call, "toDate"), today);
    const tracking = trackingOf(call, chart);
    const common = {
      organisation: organisation.Name,
      from,
      to,
      accounts: chart.accounts,
      groupCurrencyGains: groupsCurrencyGains(organisation),
    };
    if (tracking !== undefined) {
      const rows = await sums(reading.tx, { basis: reading.basis, from, to, byOption: true });
      return profitAndLossRows({
        ...common,
        filter: tracking.title,
        columns: tracking.columns(rows),
      });
    }
    const periods = call.query.integer("periods", 1, periodsMax);
    const timeframe = call.query.choice("timeframe", timeframes) ?? "MONTH";
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

/** GET /Reports: published tax reports; there are none until one is published. */
export async function listReports(call: Call): Promise<ServiceResponse> {
  return answerWith(call, encodeReports(call.format, [], envelopeOf(call)));
}

export async function readPublishedReport(_call: Call, id: string): Promise<ServiceResponse> {
  throw new NotFoundError("NotFound", `There is no published report ${id.slice(0, 60)}.`);
}

// --- parameters ------------------------------------------------------------------------------

function dateOf(call: Call, name: string): string | undefined {
  const text = call.query.get(name);
  if (text === undefined) return undefined;
  // Months and days of one digit are taken here, as in 2026-3-1.
  const date = readDay(text.replace(/-(?=\d(-|$))/g, "-0"));
  if (date === undefined) {
    throw invalid(`The parameter ${name} must be a date (YYYY-MM-DD), not '${text.slice(0, 40)}'.`);
  }
  return date;
}

function yearEndOf({ organisation }: Here): { day: number; month: number } {
  return { day: organisation.FinancialYearEndDay, month: organisation.FinancialYearEndMonth };
}

function yearOf(here: Here, date: string): DateRange {
  const { day, month } = yearEndOf(here);
  return financialYear(date, day, month);
}
