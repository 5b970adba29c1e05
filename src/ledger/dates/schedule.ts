/**
 * On which days a template of repeating invoices makes one.
 *
 * A date is told by its number from the first, never by the date before it: a schedule that begins
 * on the 31st falls on the last day of a shorter month, and on the 31st again after it.
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
  /** Weeks or months from one date to the next, above zero. */
  readonly Period: number;
  readonly Unit: "WEEKLY" | "MONTHLY";
  readonly StartDate: DateText;
  /** The last day on which there may be a date. */
  readonly EndDate?: DateText | undefined;
}

const daysInWeek = 7;

/** @param number  0 for the first date; whether the schedule has ended is not looked at */
function dateNumbered({ Unit, Period, StartDate }: Schedule, number: number): DateText {
  const steps = number * Period;
  return Unit === "WEEKLY" ? addDays(StartDate, steps * daysInWeek) : addMonths(StartDate, steps);
}

/** How many dates come before `day`, up to one too few. */
function numberBefore({ Unit, Period, StartDate }: Schedule, day: DateText): number {
  const steps =
    Unit === "WEEKLY"
      ? Math.floor(daysBetween(StartDate, day) / daysInWeek)
      : (yearOf(day) - yearOf(StartDate)) * 12 + monthNumberOf(day) - monthNumberOf(StartDate);
  return Math.max(0, Math.floor(steps / Period) - 1);
}

/**
 * The first date of a schedule on a day or after it.
 *
 * @returns undefined where the schedule has ended by then
 */
export function firstFrom(schedule: Schedule, day: DateText): DateText | undefined {
  for (let number = numberBefore(schedule, day); ; number += 1) {
    const date = dateNumbered(schedule, number);
    if (schedule.EndDate !== undefined && date > schedule.EndDate) return undefined;
    if (date >= day) return date;
  }
}

/** The first date after a day; undefined where there is none any more. */
export function firstAfter(schedule: Schedule, day: DateText): DateText | undefined {
  return firstFrom(schedule, addDays(day, 1));
}

/**
 * How many dates there are from one day to another, both included.
 *
 * @param most  where counting stops: a schedule may have begun long ago
 */
export function countBetween(
  schedule: Schedule,
  from: DateText,
  to: DateText,
  most: number,
): number {
  let count = 0;
  let date = firstFrom(schedule, from);
  while (date !== undefined && date <= to && count < most) {
    count += 1;
    date = firstAfter(schedule, date);
  }
  return count;
}
