/** The dates of schedules: month ends, weeks, ends; and the words that stand for a date. */
import { describe, expect, test } from "vitest";
import { addDays, addMonths, type DateText, dayOf } from "../../src/ledger/dates/calendar.ts";
import { fillPlaceholders } from "../../src/ledger/dates/placeholders.ts";
import {
  countBetween,
  firstDateAfter,
  firstDateFrom,
  type Schedule,
} from "../../src/ledger/dates/schedule.ts";
import { dueDate } from "../../src/ledger/documents/terms.ts";
import { fc, runs } from "../support/properties.ts";

/** The first dates of a schedule, at most `count`. */
function datesOf(schedule: Schedule, count: number): DateText[] {
  const dates: DateText[] = [];
  let date = firstDateFrom(schedule, schedule.StartDate);
  while (date !== undefined && dates.length < count) {
    dates.push(date);
    date = firstDateAfter(schedule, date);
  }
  return dates;
}

const monthly = (StartDate: DateText, Period = 1, EndDate?: DateText): Schedule => ({
  Period,
  Unit: "MONTHLY",
  StartDate,
  EndDate,
});
const weekly = (StartDate: DateText, Period = 1): Schedule => ({
  Period,
  Unit: "WEEKLY",
  StartDate,
});

describe("dates of a repeating schedule", () => {
  test.each<[string, Schedule, DateText[]]>([
    ["each month", monthly("2026-03-15"), ["2026-03-15", "2026-04-15", "2026-05-15", "2026-06-15"]],
    [
      "the 31st is the last day of shorter months, and the 31st again",
      monthly("2026-01-31"),
      ["2026-01-31", "2026-02-28", "2026-03-31", "2026-04-30", "2026-05-31"],
    ],
    [
      "the 30th misses only February",
      monthly("2024-01-30"),
      ["2024-01-30", "2024-02-29", "2024-03-30", "2024-04-30"],
    ],
    [
      "each quarter from the end of November",
      monthly("2026-11-30", 3),
      ["2026-11-30", "2027-02-28", "2027-05-30", "2027-08-30"],
    ],
    [
      "each year from a leap day",
      monthly("2024-02-29", 12),
      ["2024-02-29", "2025-02-28", "2026-02-28", "2027-02-28", "2028-02-29"],
    ],
    ["each week", weekly("2026-12-24"), ["2026-12-24", "2026-12-31", "2027-01-07"]],
    ["each fortnight", weekly("2026-02-20", 2), ["2026-02-20", "2026-03-06", "2026-03-20"]],
  ])('a repeating schedule has the expected dates, case "%s"', (_, schedule, dates) =>
    expect(datesOf(schedule, dates.length)).toEqual(dates),
  );

  test("the last date of a schedule may be its end date, and no date is after it", () => {
    expect(datesOf(monthly("2026-01-31", 1, "2026-03-31"), 9)).toEqual([
      "2026-01-31",
      "2026-02-28",
      "2026-03-31",
    ]);
    expect(datesOf(monthly("2026-01-31", 1, "2026-03-30"), 9)).toHaveLength(2);
    expect(datesOf(monthly("2026-02-01", 1, "2026-01-31"), 9)).toEqual([]);
  });

  test("counting the dates of a schedule stops at the given maximum", () => {
    expect(countBetween(weekly("2026-01-01"), "2026-01-01", "2026-01-29", 99)).toBe(5);
    expect(countBetween(weekly("2026-01-01"), "2026-01-02", "2026-01-29", 99)).toBe(4);
    expect(countBetween(weekly("1900-01-01"), "1900-01-01", "2026-01-29", 7)).toBe(7);
  });

  const schedules = fc.record({
    Period: fc.integer({ min: 1, max: 99 }),
    Unit: fc.constantFrom("WEEKLY" as const, "MONTHLY" as const),
    StartDate: fc.integer({ min: 0, max: 40_000 }).map((days) => addDays("1990-01-01", days)),
  });

  test("each date of a schedule follows the previous by one period, on the same day number or the month's last day", () => {
    fc.assert(
      fc.property(schedules, (schedule) => {
        const { StartDate, Unit, Period } = schedule;
        for (const [number, date] of datesOf(schedule, 30).entries()) {
          const steps = number * Period;
          const wanted =
            Unit === "WEEKLY" ? addDays(StartDate, 7 * steps) : addMonths(StartDate, steps);
          expect(date).toBe(wanted);
          if (Unit === "MONTHLY" && dayOf(date) !== dayOf(StartDate)) {
            expect(dayOf(addDays(date, 1))).toBe(1);
          }
        }
      }),
    );
  });

  test("the first date of a schedule from a given day is the earliest that is not before that day", () => {
    fc.assert(
      fc.property(schedules, fc.integer({ min: -800, max: 4000 }), (schedule, days) => {
        const day = addDays(schedule.StartDate, days);
        const all = datesOf(schedule, 620);
        expect(firstDateFrom(schedule, day)).toBe(all.find((date) => date >= day));
      }),
      { numRuns: runs(50) },
    );
  });
});

test.each([
  ["DAYSAFTERBILLDATE", 20, "2026-01-31", "2026-02-20"],
  ["DAYSAFTERINVOICEDATE", 0, "2026-01-31", "2026-01-31"],
  ["DAYSAFTERBILLMONTH", 10, "2026-01-15", "2026-02-10"],
  ["DAYSAFTERINVOICEMONTH", 30, "2026-01-31", "2026-03-02"],
  ["OFCURRENTMONTH", 31, "2026-02-10", "2026-02-28"],
  ["OFFOLLOWINGMONTH", 20, "2026-01-31", "2026-02-20"],
  ["OFFOLLOWINGMONTH", 31, "2026-01-31", "2026-02-28"],
])("the terms %s %i: an invoice of %s is due on %s", (Type, Day, date, due) =>
  expect(dueDate(date, { Day, Type })).toBe(due),
);

describe("placeholders in texts of repeating documents", () => {
  test.each([
    ["Rent of [Month] [Year]", "Rent of March 2026"],
    ["[Month Year]", "March 2026"],
    ["[Month+1], [Month - 3], [month+10]", "April, December, January"],
    ["[Month Year-3]", "December 2025"],
    ["[Year+1], [YEAR-26]", "2027, 2000"],
    ["Week [Week], then [Week+1]", "Week 14, then 15"],
    ["[Week Commencing] to [Week Ending]", "30 March 2026 to 5 April 2026"],
    ["[Week Commencing+1]", "6 April 2026"],
    ["[Day], [], [Month+1000], [Month+x], Month]", "[Day], [], [Month+1000], [Month+x], Month]"],
    ["[constructor] [__proto__]", "[constructor] [__proto__]"],
  ])('the placeholder text "%s" is filled in for its date as "%s"', (text, words) =>
    expect(fillPlaceholders(text, "2026-03-31")).toBe(words),
  );

  test.each([
    ["2026-01-01", "1"],
    ["2026-12-31", "53"],
    ["2027-01-03", "53"],
    ["2027-01-04", "1"],
    ["2024-12-30", "1"],
    ["1969-12-29", "1"],
  ])("the placeholder [Week] on %s is filled in as ISO week %s", (date, week) =>
    expect(fillPlaceholders("[Week]", date)).toBe(week),
  );

  test("the placeholder [Month+1] on 31 January is filled in as February, not March", () => {
    expect(fillPlaceholders("[Month+1]", "2026-01-31")).toBe("February");
  });
});
