/** Shared parts of reports: initial reads, parameters and answer. */

import {
  addDays,
  addMonths,
  type DateRange,
  endOfMonth,
  financialYear,
  longDate,
  mediumDate,
  shortDate,
  spanName,
} from "../../ledger/dates/calendar.ts";
import { localMinute } from "../../ledger/dates/timezones.ts";
import type { Period } from "../../ledger/figures/expression.ts";
import type { Basis } from "../../ledger/journal.ts";
import { lockedUntil } from "../../ledger/locks.ts";
import type { ReportBody, ReportRow } from "../../ledger/reports/report-rows.ts";
import { nextReturn, returnTypeOf } from "../../ledger/reports/tax/returns/periods.ts";
import type { Organisation } from "../../resources/organisation.ts";
import { layoutField } from "../../resources/report.ts";
import { taxReturns } from "../../resources/tax-report.ts";
import { filedSoFar } from "../../store/queries/published.ts";
import type { Tx } from "../../store/tx/tx.ts";
import { encodeReports } from "../../wire/encode/encode-report.ts";
import type { ServiceResponse } from "../../wire/http.ts";
import { figureId, noValue } from "../../wire/report.ts";
import { loadChart } from "../lookups/chart-of-accounts.ts";
import { answerWith, envelopeOf } from "../request/answer.ts";
import {
  type OrganisationContext,
  organisationContext,
  type RequestContext,
} from "../request/context.ts";
import { Gains, type GainsContext } from "./gains.ts";

/** The initial reads of every report. */
export interface ReportContext extends GainsContext {
  readonly call: RequestContext;
  readonly gains: Gains;
  /** Whether titles and headings have more detail than in the public API. */
  readonly isDescribed: boolean;
  /** Whether the report has the accountant's layout, which is also described. */
  readonly isAccountant: boolean;
}

/** Makes the rows of a report. */
export type MakeReport = (context: ReportContext) => Promise<ReportBody>;

/**
 * Answers with a report that is read from one state of the book.
 *
 * @param name  path segment, which is also its id and type
 * @param title  its title
 */
export async function answerReport(
  call: RequestContext,
  name: string,
  title: string,
  makeReport: MakeReport,
): Promise<ServiceResponse> {
  return call.read(async (tx) => {
    const context = await readingOf(call, tx);
    const { rows, ...made } = await makeReport(context);
    const titles = context.isDescribed ? reportTitles(context, made) : made.titles;
    const ReportNotes = context.isAccountant ? await notesOf(context) : undefined;
    const report = {
      ReportID: name,
      ReportName: title,
      ReportType: name,
      ReportTitles: titles,
      ...(ReportNotes && { ReportNotes }),
      ReportDate: longDate(context.today),
      UpdatedDateUTC: call.now(),
      Rows: rows
        .map(context.isDescribed ? identifyRow : (row) => row)
        .map(context.isAccountant ? withDashes : (row) => row),
    };
    return answerWith(call, encodeReports(call.format, [report], envelopeOf(call)));
  });
}

/** Makes the context of a report; on the cash basis with `paymentsOnly=true`. */
export async function readingOf(call: RequestContext, tx: Tx): Promise<ReportContext> {
  const basis: Basis = call.query.boolean("paymentsOnly") === true ? "cash" : "accrual";
  const chart = await loadChart(tx);
  const books = { ...(await organisationContext(call, tx)), call, tx, chart, basis };
  const isAccountant = isLaidOutFor(call);
  const isDescribed = isAccountant || call.query.boolean("described") === true;
  return { ...books, gains: new Gains(books), isDescribed, isAccountant };
}

/** Whether a request is for the accountant's layout. */
export const isLaidOutFor = ({ query }: RequestContext): boolean =>
  query.choice("layout", layoutField.values) === "accountant";

// --- descriptions ----------------------------------------------------------------------------

/** Returns the days of a column with the sums of their postings, on the requested basis. */
export const periodOf = (
  { basis }: ReportContext,
  { from, to }: DateRange,
  sums: Period["sums"],
) => ({
  ...{ from, to, basis, sums },
});

/**
 * Returns the heading of a column of days; in the public API only its last day.
 *
 * @param isRolling  whether the column has days of its neighbours, which the accountant's layout says
 */
export function headingOf(context: ReportContext, range: DateRange, isRolling = false): string {
  if (!context.isDescribed) return shortDate(range.to);
  if (!context.isAccountant) return spanName(range);
  const { from, to } = range;
  const isYear = to === addDays(addMonths(from, 12), -1);
  const year = yearOf(context, to).to === to ? "Year" : "12 months";
  const name = isYear ? `${year} to ${shortDate(to)}` : spanName(range);
  return isRolling ? `${name} rolling` : name;
}

const basisText = (basis: Basis) => (basis === "cash" ? "Cash basis" : "Accrual basis");

/** Shows a figure without a value, such as a change against nothing, as a dash. */
function withDashes({ Cells, Rows, ...row }: ReportRow): ReportRow {
  return {
    ...row,
    ...(Rows && { Rows: Rows.map(withDashes) }),
    ...(Cells && {
      Cells: Cells.map((cell) =>
        cell.figure !== undefined && cell.Value === undefined ? { ...cell, Value: noValue } : cell,
      ),
    }),
  };
}

/** Adds the row's id as an attribute of its first cell, and likewise in headings. */
export function identifyRow({ id, Cells, Rows, ...row }: ReportRow): ReportRow {
  const ids = [id, ...(Cells ?? []).slice(1).map((cell) => cell.id)];
  return {
    ...row,
    ...(Rows && { Rows: Rows.map(identifyRow) }),
    ...(Cells && {
      Cells: Cells.map((cell, at) =>
        ids[at] ? { ...cell, Attributes: [{ Value: ids[at], Id: figureId }] } : cell,
      ),
    }),
  };
}

/** Returns the titles of a report, with basis, currency, date of preparation and lock date. */
function reportTitles(
  { organisation, today, basis, isAccountant }: ReportContext,
  report: Omit<ReportBody, "rows">,
): string[] {
  const basisTitle = basisText(report.basis ?? basis);
  return [
    ...report.titles.filter((title) => title !== basisTitle),
    `${basisTitle}, in ${report.currency ?? organisation.BaseCurrency}`,
    ...(isAccountant ? [] : [preparedLine(organisation, today)]),
  ];
}

/**
 * Returns the notes at the foot of a report: when and by whom it was prepared, up to which day the
 * books are locked, and the tax period of its last day if no return of it was published.
 */
export async function notesOf(
  { call, organisation, today, tx }: Pick<ReportContext, "call" | "organisation" | "today" | "tx">,
  lastDay = lastDayOf(call) ?? today,
): Promise<string[]> {
  const [day = today, time = ""] = localMinute(call.now(), organisation.Timezone).split(" ");
  const locked = lockedUntil(organisation);
  const type = returnTypeOf(organisation);
  const filedTo =
    type && ((await filedSoFar(tx, type))?.to ?? organisation.ConversionDate ?? undefined);
  const due = type && nextReturn(organisation, lastDay, filedTo);
  return [
    `Prepared on ${longDate(day)}, ${time}, by ${call.principal.user}`,
    locked === undefined ? "Not locked" : `Locked up to ${longDate(locked)}`,
    ...(type && due && due.from <= lastDay
      ? [`${taxReturns[type].title} of ${longDate(due.from)} to ${longDate(due.to)} not published`]
      : []),
  ];
}

/** Returns the last day of a report as requested; undefined for the usual one. */
function lastDayOf(call: RequestContext): string | undefined {
  const from = dateOf(call, "fromDate");
  return dateOf(call, "toDate") ?? dateOf(call, "date") ?? (from && endOfMonth(from));
}

/** Returns a line such as `Prepared 3 April 2026, locked up to 31 Mar 2026`. */
export function preparedLine(organisation: Organisation, day: string): string {
  const locked = lockedUntil(organisation);
  const locks = locked === undefined ? "nothing locked" : `locked up to ${mediumDate(locked)}`;
  return `Prepared ${longDate(day)}, ${locks}`;
}

// --- parameters ------------------------------------------------------------------------------

/** Returns a date parameter. @throws RefusedError for an invalid date */
export function dateOf({ query }: RequestContext, name: string): string | undefined {
  return query.day(name);
}

/** Returns day and month of the organisation's financial year end. */
export function yearEndOf({ organisation }: OrganisationContext): { day: number; month: number } {
  return { day: organisation.FinancialYearEndDay, month: organisation.FinancialYearEndMonth };
}

/** Returns the financial year that contains a day. */
export function yearOf(context: OrganisationContext, date: string): DateRange {
  const { day, month } = yearEndOf(context);
  return financialYear(date, day, month);
}
