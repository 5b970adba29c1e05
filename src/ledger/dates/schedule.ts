/**
 * Dates of repeating templates.
 *
 * A date is computed from its number since the start, never from the previous date: a schedule that
 * begins on the 31st falls on the last day of a shorter month, and on the 31st again after it.
 */
import {
  addDays,
  addMonths,
  type DateText,
  daysBetween,
  monthNumberOf,
  yearOf,
} from "./calendar.ts";

export interface Schedule {
  /** Weeks or months between dates, above zero. */
  readonly Period: number;
  readonly Unit: "WEEKLY" | "MONTHLY";
  readonly StartDate: DateText;
  /** The last possible date of the schedule. */
  readonly EndDate?: DateText | undefined;
}

const daysInWeek = 7;

/**
 * The date with a number, ignoring the end of the schedule.
 * @param number  0 for the first date
 */
function nthDate({ Unit, Period, StartDate }: Schedule, number: number): DateText {
  const steps = number * Period;
  return Unit === "WEEKLY" ? addDays(StartDate, steps * daysInWeek) : addMonths(StartDate, steps);
}

/** The number of dates before `day`, or one less. */
function countBefore({ Unit, Period, StartDate }: Schedule, day: DateText): number {
  const stepCount =
    Unit === "WEEKLY"
      ? Math.floor(daysBetween(StartDate, day) / daysInWeek)
      : (yearOf(day) - yearOf(StartDate)) * 12 + monthNumberOf(day) - monthNumberOf(StartDate);
  return Math.max(0, Math.floor(stepCount / Period) - 1);
}

/**
 * The first date of a schedule on or after a day.
 * @returns undefined when the schedule has ended by then
 */
export function firstDateFrom(schedule: Schedule, day: DateText): DateText | undefined {
  for (let number = countBefore(schedule, day); ; number += 1) {
    const date = nthDate(schedule, number);
    if (schedule.EndDate !== undefined && date > schedule.EndDate) return undefined;
    if (date >= day) return date;
  }
}

/** The first date after a day; undefined when the schedule has ended. */
export function firstDateAfter(schedule: Schedule, day: DateText): DateText | undefined {
  return firstDateFrom(schedule, addDays(day, 1));
}

/**
 * The number of dates from one day to another, both included.
 * @param countMax  maximum to count: a schedule may have begun long ago
 */
export function countBetween(
  schedule: Schedule,
  from: DateText,
  to: DateText,
  countMax: number,
): number {
  let count = 0;
  let date = firstDateFrom(schedule, from);
  while (date !== undefined && date <= to && count < countMax) {
    count += 1;
    date = firstDateAfter(schedule, date);
  }
  return count;
}
