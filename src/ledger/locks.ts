/** Lock dates: nothing may be posted, changed or reversed on or before them. */
import { type Detail, RefusedError } from "../resources/errors.ts";
import { addDays, type DateText, hyphenDate, laterDate } from "./dates/calendar.ts";

export interface LockDates {
  readonly PeriodLockDate?: DateText | undefined;
  readonly EndOfYearLockDate?: DateText | undefined;
  /** Date of the opening balances, which fix the books up to that day. */
  readonly ConversionDate?: DateText | undefined;
}

const kinds = [
  ["PeriodLockDate", "before the period lock date"],
  ["EndOfYearLockDate", "before the end of year lock date"],
  ["ConversionDate", "on or before the day of the opening balances"],
] as const;

/**
 * Refuses a posting date on or before a lock date.
 *
 * On an edit, check both the new date and the previous one.
 *
 * @throws RefusedError `LockDate`, one detail for each lock date that applies, the latest first
 */
export function checkLock(date: DateText, locks: LockDates): void {
  const details = kinds
    .flatMap(([field, place]) => ({ place, lock: locks[field] ?? "" }))
    .filter(({ lock }) => date <= lock)
    .toSorted((a, b) => (a.lock < b.lock ? 1 : a.lock > b.lock ? -1 : 0))
    .map(({ place, lock }): Detail => {
      const set = `currently set at ${hyphenDate(lock)}`;
      return { field: "Date", message: `The document date cannot be ${place}, ${set}` };
    });
  const [first] = details;
  if (first !== undefined) throw new RefusedError("LockDate", first.message, details);
}

/** The latest locked day of all lock dates; undefined when none is set. */
export function lockedUntil(locks: LockDates): DateText | undefined {
  const { PeriodLockDate: period, EndOfYearLockDate: year } = locks;
  return period === undefined ? year : laterDate(period, year);
}

/** The first day on or after `date` that no lock date and no opening balances close. */
export function firstOpenDay(date: DateText, locks: LockDates): DateText {
  const closed = laterDate(lockedUntil(locks) ?? "", locks.ConversionDate);
  return date > closed ? date : addDays(closed, 1);
}
