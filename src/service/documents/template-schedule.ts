/** Pipeline stage of templates: the schedule and its next date. */
import { addDays, type DateText } from "../../ledger/dates/calendar.ts";
import { countBetween, firstDateFrom, type Schedule } from "../../ledger/dates/schedule.ts";
import type { Faults } from "../request/faults.ts";
import type { StoredRepeatingInvoice } from "./stored-documents.ts";
import type { DocumentInProgress } from "./writing/document-in-progress.ts";

/** Maximum number of overdue invoices of a new schedule: seven years of weekly ones. */
const owedMax = 366;

type Terms = Schedule & Pick<StoredRepeatingInvoice["Schedule"], "DueDate" | "DueDateType">;

/**
 * Sets the schedule of a template. Invoices already made stay: a changed schedule continues after
 * its last date.
 */
export function applySchedule({
  record,
  existing,
  input,
  kind,
  batch,
  entry,
  faults,
}: DocumentInProgress): void {
  const { Schedule } = record;
  if (kind.isTemplate !== true || Schedule === undefined) return;
  const schedule = Schedule as Terms;
  checkTerms(schedule, faults);
  const { LastDate } = (existing ?? {}) as Partial<StoredRepeatingInvoice>;
  const NextDate = nextDate(schedule, LastDate);
  if (NextDate === undefined && input.Schedule !== undefined) {
    faults.add("Form", "The schedule has no date: its EndDate is before the first one.");
  }
  if (NextDate !== undefined && input.Schedule !== undefined) {
    if (countBetween(schedule, NextDate, batch.today, owedMax + 1) > owedMax) {
      faults.add(
        "Limit",
        `More than ${owedMax} invoices would be due at once; let the schedule begin later.`,
      );
    }
  }
  const { ApprovedForSending } = record as Partial<StoredRepeatingInvoice>;
  if (ApprovedForSending === true && record.Status === "DRAFT") {
    entry.warnings.push("Only approved invoices are emailed, and this template makes drafts.");
  }
  record.Schedule = { ...Schedule, NextScheduledDate: NextDate };
  Object.assign(record, { NextDate, LastDate });
}

/** Returns the next date of a schedule after the last one used. */
export function nextDate(schedule: Schedule, lastDate: DateText | undefined): DateText | undefined {
  const { StartDate } = schedule;
  const from = lastDate === undefined ? StartDate : addDays(lastDate, 1);
  return firstDateFrom(schedule, from > StartDate ? from : StartDate);
}

function checkTerms({ DueDate, DueDateType }: Terms, faults: Faults): void {
  if (DueDate === undefined || DueDateType?.startsWith("OF") !== true) return;
  if (DueDate >= 1 && DueDate <= 31) return;
  faults.add("Form", `Schedule.DueDate must be a day of the month, 1 to 31, with ${DueDateType}.`);
}
