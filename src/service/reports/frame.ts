/** Shared by the reports: their first reads, parameters and answer. */

import { type DateRange, financialYear, longDate } from "../../ledger/dates/calendar.ts";
import type { Basis } from "../../ledger/journal.ts";
import type { ReportBody } from "../../ledger/reports/rows.ts";
import type { Tx } from "../../store/transactions/tx.ts";
import { encodeReports } from "../../wire/encode/report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { loadChart } from "../lookups/chart.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import {
  type OrganisationContext,
  organisationContext,
  type RequestContext,
} from "../request/context.ts";
import { type Books, Gains } from "./gains.ts";

/** First reads of every report. */
export interface Reading extends Books {
  readonly call: RequestContext;
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
  call: RequestContext,
  name: string,
  title: string,
  make: MakeReport,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const reading = await readingOf(call, tx);
    const { titles, rows } = await make(reading);
    const made = {
      ReportID: name,
      ReportName: title,
      ReportType: name,
      ReportTitles: titles,
      ReportDate: longDate(reading.today),
      UpdatedDateUTC: call.now(),
      Rows: rows,
    };
    return answerWith(call, encodeReports(call.format, [made], envelopeOf(call)));
  });
}

/** What reports read first; with `paymentsOnly=true` of the cash basis. */
export async function readingOf(call: RequestContext, tx: Tx): Promise<Reading> {
  const basis: Basis = call.query.boolean("paymentsOnly") === true ? "cash" : "accrual";
  const chart = await loadChart(tx);
  const books = { ...(await organisationContext(call, tx)), call, tx, chart, basis };
  return { ...books, gains: new Gains(books) };
}

// --- parameters ------------------------------------------------------------------------------

/** The day of a parameter. @throws RefusedError when it is none */
export function dateOf({ query }: RequestContext, name: string): string | undefined {
  return query.day(name);
}

/** When the years of the organisation end. */
export function yearEndOf({ organisation }: OrganisationContext): { day: number; month: number } {
  return { day: organisation.FinancialYearEndDay, month: organisation.FinancialYearEndMonth };
}

/** The financial year that holds a day. */
export function yearOf(here: OrganisationContext, date: string): DateRange {
  const { day, month } = yearEndOf(here);
  return financialYear(date, day, month);
}
