/** What the reports share: what each reads first, its parameters, the answer it stands in. */

import { type DateRange, financialYear, longDate } from "../../ledger/calendar.ts";
import type { Basis } from "../../ledger/journal.ts";
import type { ReportBody } from "../../ledger/reports/rows.ts";
import { encodeReports } from "../../wire/encode-report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { answerWith, envelopeOf } from "../answer.ts";
import { type Call, type Here, here } from "../call.ts";
import { loadChart } from "../chart.ts";
import { type Books, Gains } from "./gains.ts";

/** What every report reads first. */
export interface Reading extends Books {
  readonly call: Call;
  readonly gains: Gains;
}

/** Makes the rows of a report. */
export type MakeReport = (reading: Reading) => Promise<ReportBody>;

/**
 * Answers with one report, read from one moment of the book.
 *
 * @param name   path segment, which is also its id and type
 * @param title  its name in words
 */
export async function answerReport(
  call: Call,
  name: string,
  title: string,
  make: MakeReport,
): Promise<ServiceResponse> {
  const basis: Basis = call.query.boolean("paymentsOnly") === true ? "cash" : "accrual";
  return call.read(async (tx) => {
    const books = { ...(await here(call, tx)), call, tx, chart: await loadChart(tx), basis };
    const reading: Reading = { ...books, gains: new Gains(books) };
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

// --- parameters ------------------------------------------------------------------------------

/** The day of a parameter. @throws RefusedError when it is none */
export function dateOf({ query }: Call, name: string): string | undefined {
  return query.day(name);
}

/** When the years of the organisation end. */
export function yearEndOf({ organisation }: Here): { day: number; month: number } {
  return { day: organisation.FinancialYearEndDay, month: organisation.FinancialYearEndMonth };
}

/** The financial year that holds a day. */
export function yearOf(here: Here, date: string): DateRange {
  const { day, month } = yearEndOf(here);
  return financialYear(date, day, month);
}
