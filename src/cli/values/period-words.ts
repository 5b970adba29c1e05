/** Parses periods as users type them. */

import { yearMax, yearMin } from "../../resources/bounds.ts";
import { UsageError } from "../../resources/errors.ts";
import { isDay } from "../../resources/scalar.ts";
import {
  addDays,
  addMonths,
  type Day,
  type DayReading,
  dayOf,
  daysIn,
  longDay,
  parseDate,
  read,
  weekdayOf,
  writeDay,
} from "./date-flags.ts";
import { monthName } from "./months.ts";
import { didYouMean } from "./suggest.ts";

/** A period of dates, both ends included. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

/** Last day of the financial year; a day beyond the month's length means its last day. */
export interface YearEnd {
  readonly day: number;
  readonly month: number;
}

export interface PeriodContext extends DayReading {
  /** Today's date, `YYYY-MM-DD`. */
  readonly today: string;
  readonly yearEnd: YearEnd;
}

const writtenForms = "2026, 2026-H1, 2026-Q1, 2026-03, 2026-W10, FY2026, FY2025-26";

/**
 * Parses a period. `last-3-months` are full months before the current one; weeks are those of ISO
 * 8601; `FY2026` is the financial year that ends in 2026.
 *
 * @throws UsageError `BadPeriod`, or `BadDate` for an end of `FROM..TO`
 */
export function parsePeriod(text: string, context: PeriodContext): Period {
  const bounds = text.split("..").map((end) => end.trim());
  if (bounds.length === 2) {
    const [from = "", to = ""] = bounds;
    if (from === "" || to === "") {
      throw new UsageError("BadPeriod", `"${text}" leaves one end open; give both as FROM..TO.`);
    }
    const day = (dayWord: string) => parseDate(dayWord, context.today, context);
    return orderedPeriod(day(from), day(to), text);
  }
  const word = text.trim().toLowerCase().replace(/\s+/g, "-");
  const { today, yearEnd, tell } = context;
  const period =
    namedPeriod(word, read(today), yearEnd) ?? parse(word) ?? yearNamed(word, text, yearEnd);
  if (period === undefined) {
    const day = dayOf(text, today, context);
    if (day !== undefined) return { from: day, to: day };
    const hint = didYouMean(word, periodWords);
    throw new UsageError("BadPeriod", `"${text}" is no period; give ${periodForms}.${hint}`);
  }
  if (!isDay(period.from) || !isDay(period.to)) {
    const message = `"${text}" lies outside the years ${yearMin} to ${yearMax}.`;
    throw new UsageError("BadPeriod", message);
  }
  if (/^fy|ytd|week|w\d|^last-\d/.test(word)) {
    tell?.(`${text.trim()} is ${longDay(period.from)} to ${longDay(period.to)}.`);
  }
  return period;
}

/** Whether a period depends on the financial year end of the organisation. */
export function isOfFinancialYear(text: string): boolean {
  return /fy/i.test(text);
}

type PeriodOf = (now: Day, yearEnd: YearEnd) => Period;

const namedPeriods: ReadonlyMap<string, PeriodOf> = new Map<string, PeriodOf>([
  ["this-week", (now) => weeksFrom(now, 0, 1)],
  ["last-week", (now) => weeksFrom(now, -1, 1)],
  ["this-month", (now) => monthsFrom(now, 1)],
  ["last-month", (now) => monthsFrom(addMonths(now, -1), 1)],
  ["last-3-months", (now) => monthsFrom(addMonths(now, -3), 3)],
  ["last-12-months", (now) => monthsFrom(addMonths(now, -12), 12)],
  ["this-quarter", (now) => monthsFrom(quarterStart(now), 3)],
  ["last-quarter", (now) => monthsFrom(addMonths(quarterStart(now), -3), 3)],
  ["this-year", (now) => monthsFrom({ year: now.year, month: 1 }, 12)],
  ["last-year", (now) => monthsFrom({ year: now.year - 1, month: 1 }, 12)],
  ["ytd", (now) => ({ ...monthsFrom({ year: now.year, month: 1 }, 1), to: writeDay(now) })],
  ["this-fy", (now, yearEnd) => endingIn(yearIn(now, yearEnd), yearEnd)],
  ["last-fy", (now, yearEnd) => endingIn(yearIn(now, yearEnd) - 1, yearEnd)],
  ["fytd", (now, yearEnd) => ({ ...endingIn(yearIn(now, yearEnd), yearEnd), to: writeDay(now) })],
]);

/** Words for periods, for completion and help. */
export const periodWords: readonly string[] = [...namedPeriods.keys()];

/** All forms of a period, for help. */
export const periodForms = `${writtenForms}, ${periodWords.join(", ")}, a day, or FROM..TO`;

/** Returns completions: the words, and the years around a date with their quarters and months. */
export function periodsOffered(today: string): string[] {
  const { year, month } = read(today);
  const parts = ["", "-H1", "-H2", "-Q1", "-Q2", "-Q3", "-Q4", `-${twoDigits(month)}`];
  const weekNames = [year - 1, year, year + 1].flatMap((number) =>
    Array.from({ length: 53 }, (_, index) => `${number}-W${twoDigits(index + 1)}`),
  );
  const week = weekNames.filter((name) => {
    const { from, to } = parse(name.toLowerCase()) ?? { from: "", to: "" };
    return from <= today && today <= to;
  });
  const financialYears = [year - 1, year, year + 1].flatMap((endYear) => [
    `FY${endYear}`,
    `FY${endYear - 1}-${twoDigits(endYear % 100)}`,
  ]);
  return [...periodWords, ...parts.map((part) => `${year}${part}`), ...week, ...financialYears];
}

const twoDigits = (number: number) => String(number).padStart(2, "0");

function namedPeriod(word: string, now: Day, yearEnd: YearEnd): Period | undefined {
  const period = namedPeriods.get(word)?.(now, yearEnd);
  if (period !== undefined) return period;
  const [, digits, unit] = /^last-([1-9]\d{0,2})-(week|month|quarter|year)s?$/.exec(word) ?? [];
  const count = Number(digits);
  if (unit === undefined) return undefined;
  if (unit === "week") return weeksFrom(now, -count, count);
  if (unit === "month") return monthsFrom(addMonths(now, -count), count);
  if (unit === "quarter") return monthsFrom(addMonths(quarterStart(now), -count * 3), count * 3);
  return monthsFrom({ year: now.year - count, month: 1 }, count * 12);
}

/** Parses a year or a part of one. */
function parse(word: string): Period | undefined {
  const parts = /^(\d{4})(?:-?([hq])([1-4])|-?w(\d{2})|-(0[1-9]|1[0-2]))?$/.exec(word);
  if (parts === null) return undefined;
  const [, digits, part, at = "", week, month] = parts;
  const year = Number(digits);
  if (part === "h") {
    return Number(at) > 2 ? undefined : monthsFrom({ year, month: Number(at) * 6 - 5 }, 6);
  }
  if (part === "q") return monthsFrom({ year, month: Number(at) * 3 - 2 }, 3);
  if (month !== undefined) return monthsFrom({ year, month: Number(month) }, 1);
  if (week === undefined) return monthsFrom({ year, month: 1 }, 12);
  // By ISO 8601 the fourth of January is in the first week, and a week's Thursday is in its year.
  const firstWeek = weeksFrom({ year, month: 1, day: 4 }, Number(week) - 1, 1);
  return addDays(read(firstWeek.from), 3).year === year ? firstWeek : undefined;
}

/**
 * Parses `FY2026` or `FY2025-26`.
 *
 * @throws UsageError `BadPeriod`
 */
function yearNamed(word: string, text: string, yearEnd: YearEnd): Period | undefined {
  const years = /^fy-?(\d{2}|\d{4})(?:[-/](\d{2}|\d{4}))?$/.exec(word);
  if (years === null) return undefined;
  const [, first = "", second] = years;
  if (first.length === 2) {
    const message = `"${text}" has a year of two digits; give FY2026, or FY2025-26.`;
    throw new UsageError("BadPeriod", message);
  }
  const year = Number(first);
  if (second === undefined) return endingIn(year, yearEnd);
  const next = String(year + 1);
  const period = endingIn(year + 1, yearEnd);
  const isInTwo = read(period.from).year === year;
  if (isInTwo && next.endsWith(second)) return period;
  const reason = isInTwo
    ? `is no financial year; after FY${year} stands ${next.slice(2)}`
    : `is none here: a financial year that ends on ${yearEnd.day} ${monthName(yearEnd.month)} lies in one year; give FY${year} or FY${next}`;
  throw new UsageError("BadPeriod", `"${text}" ${reason}.`);
}

/** Returns the year in which the financial year of a date ends. */
function yearIn(now: Day, yearEnd: YearEnd): number {
  return writeDay(now) <= endingIn(now.year, yearEnd).to ? now.year : now.year + 1;
}

/** Returns the financial year that ends in a year. */
function endingIn(year: number, { day, month }: YearEnd): Period {
  const lastDayOf = (lastYear: number): Day => ({
    year: lastYear,
    month,
    day: Math.min(Math.max(day, 1), daysIn(lastYear, month)),
  });
  return { from: writeDay(addDays(lastDayOf(year - 1), 1)), to: writeDay(lastDayOf(year)) };
}

/** Returns weeks from Monday to Sunday, beginning `after` weeks after the week of a date. */
function weeksFrom(day: Day, weeksAfter: number, count: number): Period {
  const start = addDays(day, weeksAfter * 7 - weekdayOf(day));
  return { from: writeDay(start), to: writeDay(addDays(start, count * 7 - 1)) };
}

function monthsFrom(firstMonth: { year: number; month: number }, count: number): Period {
  const start = { year: firstMonth.year, month: firstMonth.month, day: 1 };
  return { from: writeDay(start), to: writeDay(addDays(addMonths(start, count), -1)) };
}

function quarterStart(now: Day): Day {
  return { year: now.year, month: now.month - ((now.month - 1) % 3), day: 1 };
}

function orderedPeriod(from: string, to: string, text: string): Period {
  if (from <= to) return { from, to };
  throw new UsageError("BadPeriod", `"${text}" ends before it begins: ${from} is after ${to}.`);
}
