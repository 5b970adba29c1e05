/**
 * Days and periods as a person types them.
 *
 * A day is `YYYY-MM-DD` text and never a moment, so no time zone can shift it; what "today" is, the
 * caller says. The arithmetic here is the command line's own and small: it must not load the ledger
 * when the service is elsewhere.
 */
import { UsageError } from "../../resources/errors.ts";
import { isDay, yearMax, yearMin } from "../../resources/scalar.ts";
import { didYouMean } from "./suggest.ts";

/** Both ends belong to it. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** The last day of the financial year; a day beyond the month's length means its last day. */
export interface YearEnd {
  readonly day: number;
  readonly month: number;
}

export interface PeriodContext {
  /** `YYYY-MM-DD`. */
  readonly today: string;
  readonly yearEnd: YearEnd;
}

/** Month counts from 1; kept as numbers so that months can be added. */
interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const dateForms =
  "YYYY-MM-DD, today, yesterday, tomorrow, or a distance such as -30d, +2w, +1m, -1y";
const periodForms =
  "a year (2026), a quarter (2026-Q1), a month (2026-03), a day, this-month, last-month, " +
  "this-quarter, last-quarter, this-year, last-year, this-fy, last-fy, or FROM..TO";

const dayWords: ReadonlyMap<string, number> = new Map([
  ["yesterday", -1],
  ["today", 0],
  ["tomorrow", 1],
]);

const distancePattern = /^([+-])(\d{1,5})([dwmy])$/;

/** Whether a day is typed by its distance from another, `+20d`. */
export function isDistance(text: string): boolean {
  return distancePattern.test(text.trim().toLowerCase());
}

/**
 * Reads a day.
 *
 * Months and years are added by the calendar: a day that the month does not have becomes its last.
 *
 * @param today  `YYYY-MM-DD`, the day that words and distances count from
 * @returns `YYYY-MM-DD`
 * @throws UsageError `BadDate`
 */
export function parseDate(text: string, today: string): string {
  const word = text.trim().toLowerCase();
  const days = dayWords.get(word);
  if (days !== undefined) return write(addDays(read(today), days), text);
  const distance = distancePattern.exec(word);
  if (distance) {
    const count = Number(`${distance[1]}${distance[2]}`);
    return write(moved(read(today), count, distance[3] ?? "d"), text);
  }
  if (isDay(word)) return word;
  if (/^\d{4}-\d{2}-\d{2}$/.test(word)) throw outside(text);
  throw new UsageError("BadDate", `"${text}" is no date; give ${dateForms}.${hint(word)}`);
}

/**
 * Reads a period.
 *
 * @throws UsageError `BadPeriod`, or `BadDate` for an end of `FROM..TO`
 */
export function parsePeriod(text: string, { today, yearEnd }: PeriodContext): Period {
  const word = text.trim().toLowerCase();
  const ends = word.split("..");
  if (ends.length === 2) {
    const [from = "", to = ""] = ends;
    if (from === "" || to === "") {
      throw new UsageError("BadPeriod", `"${text}" leaves one end open; give both as FROM..TO.`);
    }
    return ordered(parseDate(from, today), parseDate(to, today), text);
  }
  const now = read(today);
  const named = namedPeriods.get(word);
  if (named) return named(now, yearEnd);
  const written = /^(\d{4})(?:-?q([1-4])|-(0[1-9]|1[0-2]))?$/.exec(word);
  if (written) {
    const [, digits, quarter, month] = written;
    const year = Number(digits);
    if (year < yearMin || year > yearMax) {
      throw new UsageError(
        "BadPeriod",
        `"${text}" lies outside the years ${yearMin} to ${yearMax}.`,
      );
    }
    if (quarter !== undefined) return months({ year, month: Number(quarter) * 3 - 2 }, 3);
    return month === undefined
      ? months({ year, month: 1 }, 12)
      : months({ year, month: Number(month) }, 1);
  }
  if (/^\d{4}-\d{2}-\d{2}$/.test(word) || dayWords.has(word)) {
    const day = parseDate(word, today);
    return { from: day, to: day };
  }
  const meant = didYouMean(word, periodWords);
  throw new UsageError("BadPeriod", `"${text}" is no period; give ${periodForms}.${meant}`);
}

/** `YYYY-MM-DD`. */
export function writeDay({ year, month, day }: Day): string {
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`;
}

type PeriodOf = (now: Day, yearEnd: YearEnd) => Period;

const namedPeriods: ReadonlyMap<string, PeriodOf> = new Map<string, PeriodOf>([
  ["this-month", (now) => months(now, 1)],
  ["last-month", (now) => months(addMonths(now, -1), 1)],
  ["this-quarter", (now) => months(quarterStart(now), 3)],
  ["last-quarter", (now) => months(addMonths(quarterStart(now), -3), 3)],
  ["this-year", (now) => months({ year: now.year, month: 1 }, 12)],
  ["last-year", (now) => months({ year: now.year - 1, month: 1 }, 12)],
  ["this-fy", (now, yearEnd) => financialYear(now, yearEnd, 0)],
  ["last-fy", (now, yearEnd) => financialYear(now, yearEnd, -1)],
]);

/** The words for periods, for completion and help. */
export const periodWords: readonly string[] = [...namedPeriods.keys()];

/** The financial year that holds `now`, moved by `years`. */
function financialYear(now: Day, yearEnd: YearEnd, years: number): Period {
  const endIn = (year: number): Day => ({
    year,
    month: yearEnd.month,
    day: Math.min(Math.max(yearEnd.day, 1), daysIn(year, yearEnd.month)),
  });
  const ends = writeDay(now) <= writeDay(endIn(now.year)) ? now.year : now.year + 1;
  const year = ends + years;
  return { from: writeDay(addDays(endIn(year - 1), 1)), to: writeDay(endIn(year)) };
}

function months(first: { year: number; month: number }, count: number): Period {
  const start = { year: first.year, month: first.month, day: 1 };
  return { from: writeDay(start), to: writeDay(addDays(addMonths(start, count), -1)) };
}

function quarterStart(now: Day): Day {
  return { year: now.year, month: now.month - ((now.month - 1) % 3), day: 1 };
}

function ordered(from: string, to: string, text: string): Period {
  if (from <= to) return { from, to };
  throw new UsageError("BadPeriod", `"${text}" ends before it begins: ${from} is after ${to}.`);
}

function moved(from: Day, count: number, unit: string): Day {
  if (unit === "d") return addDays(from, count);
  if (unit === "w") return addDays(from, count * 7);
  return addMonths(from, unit === "m" ? count : count * 12);
}

function addMonths(from: Day, count: number): Day {
  const at = from.year * 12 + (from.month - 1) + count;
  const year = Math.floor(at / 12);
  const month = at - year * 12 + 1;
  return { year, month, day: Math.min(from.day, daysIn(year, month)) };
}

function addDays(from: Day, count: number): Day {
  const moment = new Date(Date.UTC(from.year, from.month - 1, from.day + count));
  return {
    year: moment.getUTCFullYear(),
    month: moment.getUTCMonth() + 1,
    day: moment.getUTCDate(),
  };
}

function daysIn(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function read(day: string): Day {
  const [year = 0, month = 0, date = 0] = day.split("-").map(Number);
  return { year, month, day: date };
}

function write(day: Day, text: string): string {
  const written = writeDay(day);
  if (isDay(written)) return written;
  throw outside(text);
}

function outside(text: string): UsageError {
  const message = `"${text}" is no day of the calendar from ${yearMin} to ${yearMax}.`;
  return new UsageError("BadDate", message);
}

function pad(value: number, digits: number): string {
  return String(value).padStart(digits, "0");
}

/** What is usually meant by a date written in another way. */
function hint(word: string): string {
  if (/^\d{1,5}[dwmy]$/.test(word)) return ` Did you mean -${word} or +${word}?`;
  const loose = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})$/.exec(word);
  if (loose) {
    const [, year, month = "", date = ""] = loose;
    const day = `${year}-${month.padStart(2, "0")}-${date.padStart(2, "0")}`;
    return isDay(day) ? ` Did you mean ${day}?` : "";
  }
  return didYouMean(word, dayWords.keys());
}
