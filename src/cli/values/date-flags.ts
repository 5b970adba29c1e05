/**
 * Parses dates as users type them.
 *
 * A date is `YYYY-MM-DD` text and never a moment, so no time zone can shift it; the caller gives
 * today's date. The arithmetic is separate from the ledger's, which must not be loaded for a
 * remote service.
 */

import { yearMax, yearMin } from "../../resources/bounds.ts";
import { UsageError } from "../../resources/errors.ts";
import { isDay } from "../../resources/scalar.ts";
import { monthName, monthNamed } from "./months.ts";
import { didYouMean } from "./suggest.ts";

/** A date as numbers for arithmetic; months count from 1. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

/** Order of day and month in a numeric date that ends with the year. */
export type DayOrder = "dmy" | "mdy";

/** Settings for parsing dates. */
export interface DayReading {
  /** Order in the organisation's country; `either` accepts the one that gives a valid date. */
  readonly order?: (() => DayOrder | "either" | undefined) | undefined;
  /** Receives messages on the date that an ambiguous word means. */
  readonly tell?: ((sentence: string) => void) | undefined;
}

const dateForms =
  'YYYY-MM-DD, YYYYMMDD, "1 March 2026", 1/3/2026 in the order of the country, today, yesterday, ' +
  'tomorrow, eom, monday, "next friday", "last friday", or a distance such as -30d, +2w, +1m, -1y';

const weekdays: readonly string[] = [
  "monday",
  "tuesday",
  "wednesday",
  "thursday",
  "friday",
  "saturday",
  "sunday",
];

const offsetByWord: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

/** Words for dates, for completion. */
export const dayNames: readonly string[] = [
  ...offsetByWord.keys(),
  "eom",
  ...weekdays,
  ...weekdays.flatMap((name) => [`next-${name}`, `last-${name}`]),
];

const distancePattern = /^([+-])(\d{1,5})([dwmy])$/;

/** Whether a text includes a year, so that its meaning is independent of the current date. */
export function isDated(text: string): boolean {
  return /\d{4}/.test(text) && !isDistance(text);
}

/** Whether a text is a relative date, `+20d`. */
export function isDistance(text: string): boolean {
  return distancePattern.test(text.trim().toLowerCase());
}

/**
 * Parses a date. Months and years are added by the calendar: a date beyond the end of a month
 * becomes its last day. A weekday is the next one, today included; `next` excludes today, and
 * `last` looks back.
 *
 * @param today  `YYYY-MM-DD`, base of words and relative dates
 * @returns `YYYY-MM-DD`
 * @throws UsageError `BadDate`
 */
export function parseDate(text: string, today: string, options: DayReading = {}): string {
  const dateWord = text.trim().toLowerCase();
  const distance = distancePattern.exec(dateWord);
  if (distance) {
    const count = Number(`${distance[1]}${distance[2]}`);
    return write(shiftDay(read(today), count, distance[3] ?? "d"), text);
  }
  const day = dayOf(text, today, options);
  if (day !== undefined) return day;
  throw new UsageError("BadDate", `"${text}" is no date; give ${dateForms}.${dateHint(dateWord)}`);
}

/**
 * Parses an absolute date or a word; undefined where the text has neither form.
 *
 * @throws UsageError `BadDate` for an invalid or ambiguous date
 */
export function dayOf(text: string, today: string, options: DayReading): string | undefined {
  const dateWord = text.trim().toLowerCase().replace(/\s+/g, " ");
  const now = read(today);
  const dayCount = offsetByWord.get(dateWord);
  if (dayCount !== undefined) return write(addDays(now, dayCount), text);
  const [, which, name = ""] = /^(?:(this|next|last)[ -])?([a-z]+day)$/.exec(dateWord) ?? [];
  const weekdayIndex = weekdays.indexOf(name);
  const day =
    dateWord === "eom"
      ? addDays(addMonths({ ...now, day: 1 }, 1), -1)
      : weekdayIndex < 0
        ? undefined
        : addDays(now, distanceTo(weekdayIndex, now, which));
  if (day !== undefined) return tellDay(text, write(day, text), options);
  const plainDate = /^(\d{4})(-?)(\d{2})\2(\d{2})$/.exec(dateWord);
  if (plainDate) return write(dateFrom(plainDate[1], plainDate[3], plainDate[4]), text);
  return namedDay(dateWord, text) ?? orderedDay(dateWord, text, options);
}

/** Parses `1 March 2026`, `1st Mar 2026`, `March 1, 2026`. */
function namedDay(word: string, text: string): string | undefined {
  const dayFirst = /^(\d{1,2})(?:st|nd|rd|th)?[ -]([a-z]{3,9})\.?,?[ -](\d{2}|\d{4})$/.exec(word);
  const monthFirst = /^([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{2}|\d{4})$/.exec(word);
  const [day, name, year] = dayFirst
    ? dayFirst.slice(1)
    : [monthFirst?.[2], monthFirst?.[1], monthFirst?.[3]];
  const month = monthNamed(name ?? "");
  if (month === 0 || year === undefined) return undefined;
  if (year.length === 2) throw shortYear(text);
  return write(dateFrom(year, String(month), day), text);
}

/** Parses `1/3/2026`, by the order of the organisation's country. */
function orderedDay(word: string, text: string, options: DayReading): string | undefined {
  const numbers = /^(\d{1,2})([/.-])(\d{1,2})\2(\d{2}|\d{4})$/.exec(word);
  if (numbers === null) return undefined;
  const [, first, , second, year = ""] = numbers;
  if (year.length === 2) throw shortYear(text);
  const dayIn = (order: DayOrder) =>
    writeDay(order === "dmy" ? dateFrom(year, second, first) : dateFrom(year, first, second));
  const possible = [dayIn("dmy"), dayIn("mdy")].filter(isDay);
  const [one, other] = possible;
  if (one === undefined) throw outOfRangeError(text);
  if (one === other) return one;
  const order = options.order?.();
  if (order === "either") return one;
  if (order !== undefined && possible.includes(dayIn(order))) {
    return tellDay(text, dayIn(order), options);
  }
  const reason =
    order !== undefined
      ? `is no day where the ${order === "dmy" ? "day" : "month"} stands first, as in the country of the organisation`
      : other === undefined
        ? "has an order that the country does not settle"
        : `is ${longDay(one)} in some places and ${longDay(other)} in others`;
  throw new UsageError("BadDate", `"${text}" ${reason}; give ${possible.join(" or ")}.`);
}

/** Whether a text may contain a date whose order depends on the country. */
export function hasOrder(text: string): boolean {
  return /\d[/.-]\d{1,2}[/.-]\d{4}/.test(text);
}

/** Returns the distance in days to a weekday, where Monday is 0. */
function distanceTo(weekdayIndex: number, now: Day, nextOrLast: string | undefined): number {
  const daysAhead = (weekdayIndex - weekdayOf(now) + 7) % 7;
  if (nextOrLast === "next") return daysAhead || 7;
  return nextOrLast === "last" ? daysAhead - 7 : daysAhead;
}

/** Returns the weekday of a date, where Monday is 0. */
export function weekdayOf({ year, month, day }: Day): number {
  return (new Date(Date.UTC(year, month - 1, day)).getUTCDay() + 6) % 7;
}

function tellDay(text: string, day: string, { tell }: DayReading): string {
  const name = weekdays[weekdayOf(read(day))] ?? "";
  const weekday = name.charAt(0).toUpperCase() + name.slice(1);
  tell?.(`${text.trim()} is ${weekday} ${longDay(day)}.`);
  return day;
}

/** Formats a date, `1 March 2026`. */
export function longDay(text: string): string {
  const { year, month, day } = read(text);
  return `${day} ${monthName(month)} ${year}`;
}

function dateFrom(year = "", month = "", day = ""): Day {
  return { year: Number(year), month: Number(month), day: Number(day) };
}

function shortYear(text: string): UsageError {
  const message = `"${text}" has a year of two digits; give all four of them.`;
  return new UsageError("BadDate", message);
}

/** Returns the day of a moment in the time zone of the machine. */
export function machineDayOf(clockMs: number): string {
  const at = new Date(clockMs);
  return writeDay({ year: at.getFullYear(), month: at.getMonth() + 1, day: at.getDate() });
}

/** Formats a date, `YYYY-MM-DD`. */
export function writeDay({ year, month, day }: Day): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

function shiftDay(from: Day, count: number, unit: string): Day {
  if (unit === "d") return addDays(from, count);
  if (unit === "w") return addDays(from, count * 7);
  return addMonths(from, unit === "m" ? count : count * 12);
}

export function addMonths(from: Day, count: number): Day {
  const at = from.year * 12 + (from.month - 1) + count;
  const year = Math.floor(at / 12);
  const month = at - year * 12 + 1;
  return { year, month, day: Math.min(from.day, daysIn(year, month)) };
}

export function addDays(from: Day, count: number): Day {
  const moment = new Date(Date.UTC(from.year, from.month - 1, from.day + count));
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
  };
}

export function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

export function read(day: string): Day {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return { year, month, day: date };
}

function write(day: Day, text: string): string {
  const writtenDay = writeDay(day);
  if (isDay(writtenDay)) return writtenDay;
  throw outOfRangeError(text);
}

function outOfRangeError(text: string): UsageError {
  const year = Number(/\d{4}/.exec(text)?.[0]);
  const isYear = !isDistance(text) && year >= yearMin && year <= yearMax;
  const years = isYear ? "" : ` from ${yearMin} to ${yearMax}`;
  const message = `"${text}" is no day of the calendar${years}.`;
  return new UsageError("BadDate", message);
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** Returns a suggestion for a date in another notation. */
function dateHint(word: string): string {
  if (/^\d{1,5}[dwmy]$/.test(word)) return ` Did you mean -${word} or +${word}?`;
  const loose = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(word);
  if (loose) {
    const [, year, month = "", date = ""] = loose;
    const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
    return isDay(day) ? ` Did you mean ${day}?` : "";
  }
  return didYouMean(word, dayNames);
}
