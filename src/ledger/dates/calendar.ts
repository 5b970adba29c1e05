/**
 * Calendar days as text, `YYYY-MM-DD`, and date arithmetic for bookkeeping.
 *
 * A day has no time and no zone, so nothing here goes through `Date` or `Intl`: days are counted in
 * the proleptic Gregorian calendar from 1970-01-01. Dates of this form compare as text.
 */

/** `YYYY-MM-DD`, years 0001 to 9999. */
export type DateText = string;

export interface DateRange {
  readonly from: DateText;
  /** The last day of the range, included. */
  readonly to: DateText;
}

/** End of the financial year: day of the month, 1 to 31, and month, 1 to 12. */
export interface YearEnd {
  readonly day: number;
  readonly month: number;
}

export const yearOf = (date: DateText): number => Number(date.slice(0, 4));
/** The month, 1 to 12. */
export const monthNumberOf = (date: DateText): number => Number(date.slice(5, 7));
/** The day of the month, 1 to 31. */
export const dayOf = (date: DateText): number => Number(date.slice(8, 10));

/** The month as `YYYY-MM`, the key of monthly balances. */
export const monthOf = (date: DateText): string => date.slice(0, 7);

/** Whether `text` is an existing day, `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const [year, month, day] = [yearOf(text), monthNumberOf(text), dayOf(text)];
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month);
}

/** The earlier of two days. */
export const earlierDate = (a: DateText, b: DateText): DateText => (a < b ? a : b);

/** The later of two days; the second may be undefined. */
export function laterDate(a: DateText, b: DateText | undefined): DateText {
  return b !== undefined && b > a ? b : a;
}

/** The number of days in a month, 28 to 31; `month` 1 to 12. */
function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** The day with this number in a month, or the month's last day when it is shorter. */
export function dateOf(year: number, month: number, day: number): DateText {
  const dayOfMonth = Math.max(1, Math.min(day, daysInMonth(year, month)));
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(dayOfMonth, 2)}`;
}

/**
 * Days since 1970-01-01.
 *
 * @source Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", days_from_civil
 */
export function dayNumber(date: DateText): number {
  const month = monthNumberOf(date);
  // The year begins in March, so that the leap day is its last.
  const year = yearOf(date) - (month <= 2 ? 1 : 0);
  const era = Math.floor(year / 400);
  const yearOfEra = year - era * 400;
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + dayOf(date) - 1;
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

/** The day with a `dayNumber`; the same source, civil_from_days. */
export function dateOfNumber(number: number): DateText {
  const shiftedDay = number + 719_468;
  const era = Math.floor(shiftedDay / 146_097);
  const dayOfEra = shiftedDay - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  );
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return dateOf(yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day);
}

/** The day `days` later, earlier when negative. */
export function addDays(date: DateText, dayCount: number): DateText {
  return dateOfNumber(dayNumber(date) + dayCount);
}

/**
 * The same day of the month `months` later (earlier when negative), or the last day of a shorter
 * month.
 */
export function addMonths(date: DateText, monthCount: number): DateText {
  const count = yearOf(date) * 12 + monthNumberOf(date) - 1 + monthCount;
  const year = Math.floor(count / 12);
  return dateOf(year, count - year * 12 + 1, dayOf(date));
}

export function startOfMonth(date: DateText): DateText {
  return `${monthOf(date)}-01`;
}

export function endOfMonth(date: DateText): DateText {
  return dateOf(yearOf(date), monthNumberOf(date), 31);
}

/** Number of days from `from` to `to`, negative when `to` is earlier. */
export function daysBetween(from: DateText, to: DateText): number {
  return dayNumber(to) - dayNumber(from);
}

/**
 * The financial year that holds `date`.
 *
 * @param endDay    a day beyond the month's length, 0, or 28 in February, means its last day
 * @param endMonth  1 to 12
 */
export function financialYear(date: DateText, endDay: number, endMonth: number): DateRange {
  const isLast = endDay < 1 || (endMonth === 2 && endDay === 28);
  const yearEnd = (year: number) => dateOf(year, endMonth, isLast ? 31 : endDay);
  const year = yearOf(date);
  const lastYear = date <= yearEnd(year) ? year : year + 1;
  return { from: addDays(yearEnd(lastYear - 1), 1), to: yearEnd(lastYear) };
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
] as const;

const monthName = (date: DateText): string => months[monthNumberOf(date) - 1] as string;
const monthAbbreviation = (date: DateText): string => monthName(date).slice(0, 3);

/** Formats as `31 March 2026`. */
export function longDate(date: DateText): string {
  return `${dayOf(date)} ${monthName(date)} ${date.slice(0, 4)}`;
}

/** A range as `1 Oct to 30 Nov 2026`: the first year only where it is another one. */
export function formatRange({ from, to }: DateRange): string {
  const firstDate = mediumDate(from);
  return `${yearOf(from) === yearOf(to) ? firstDate.slice(0, -5) : firstDate} to ${mediumDate(to)}`;
}

/** Formats as `31 Mar 2026`. */
export function mediumDate(date: DateText): string {
  return `${dayOf(date)} ${monthAbbreviation(date)} ${date.slice(0, 4)}`;
}

/** Formats as `31 Mar 26`. */
export function shortDate(date: DateText): string {
  return `${dayOf(date)} ${monthAbbreviation(date)} ${date.slice(2, 4)}`;
}

/**
 * The heading of a column for a range of days: `Nov 26`, `Apr–Jun 26`, `Apr 26–Mar 27` for whole
 * months, else `1–15 Nov 26`, `6 Apr–5 May 26`, `6 Apr 26–5 Apr 27`, and `5 Nov 26` for one day.
 */
export function spanName({ from, to }: DateRange): string {
  const isWholeMonths = from === startOfMonth(from) && to === endOfMonth(to);
  const name = (date: DateText) =>
    isWholeMonths ? shortDate(date).replace(/^\d+ /, "") : shortDate(date);
  if (isWholeMonths ? monthOf(from) === monthOf(to) : from === to) return name(to);
  const firstName = name(from);
  if (yearOf(from) !== yearOf(to)) return `${firstName}–${name(to)}`;
  const isOneMonth = monthOf(from) === monthOf(to);
  return `${isOneMonth ? dayOf(from) : firstName.slice(0, -3)}–${name(to)}`;
}

/** Parses a heading made by `spanName`, for years from 2000; undefined for any other text. */
export function spanNamed(text: string): DateRange | undefined {
  const match =
    /^(?:(?:(\d{1,2})(?: |–))?(?:([A-Z][a-z]{2})(?: (\d\d))?–)?)?(?:(\d{1,2}) )?([A-Z][a-z]{2}) (\d\d)$/.exec(
      text,
    );
  if (match === null) return undefined;
  const [, firstDay, firstMonth, firstYear, lastDay, lastMonth = "", lastYear = ""] = match;
  const numberOf = (name: string) => months.findIndex((month) => month.startsWith(name)) + 1;
  const dateAt = (year: string, month: string, day: string | undefined, whenMissing: number) =>
    dateOf(2000 + Number(year), numberOf(month), day === undefined ? whenMissing : Number(day));
  const isRange = text.includes("–");
  const from = dateAt(
    firstYear ?? lastYear,
    firstMonth ?? lastMonth,
    isRange ? firstDay : (firstDay ?? lastDay),
    1,
  );
  const to = dateAt(lastYear, lastMonth, isRange ? lastDay : (lastDay ?? firstDay), 31);
  const range = { from, to };
  return spanName(range) === text ? range : undefined;
}

/** Formats as `March 2026`. */
export function monthYear(date: DateText): string {
  return `${monthName(date)} ${date.slice(0, 4)}`;
}

/** Formats as `Mar 2026`. */
export function shortMonthYear(date: DateText): string {
  return `${monthAbbreviation(date)} ${date.slice(0, 4)}`;
}

/** Formats as `Mar-26`. */
export function hyphenMonth(date: DateText): string {
  return `${monthAbbreviation(date)}-${date.slice(2, 4)}`;
}

/** Formats as `31-Jul-2025`. */
export function hyphenDate(date: DateText): string {
  return `${date.slice(8, 10)}-${monthAbbreviation(date)}-${date.slice(0, 4)}`;
}

/** Formats as `3/31/2026`, month first. */
export function slashedDate(date: DateText): string {
  return `${monthNumberOf(date)}/${dayOf(date)}/${yearOf(date)}`;
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, "0");
}
