import { describe, expect, test } from "vitest";
import {
  addDays,
  addMonths,
  dateOfNumber,
  dayNumber,
  daysBetween,
  endOfMonth,
  financialYear,
  hyphenDate,
  isDate,
  longDate,
  mediumDate,
  monthOf,
  shortDate,
  slashedDate,
  spanName,
  spanNamed,
  startOfMonth,
} from "../../src/ledger/dates/calendar.ts";
import { fc } from "../support/properties.ts";

test.each([
  ["2026-03-31", 1, "2026-04-01"],
  ["2026-01-01", -1, "2025-12-31"],
  ["2024-02-28", 1, "2024-02-29"],
  ["2023-02-28", 1, "2023-03-01"],
  ["2000-02-29", 366, "2001-03-01"],
  ["1900-02-28", 1, "1900-03-01"],
  ["1969-12-31", 1, "1970-01-01"],
  ["0001-01-01", 0, "0001-01-01"],
  ["9999-12-30", 1, "9999-12-31"],
])("the date %s plus %s days is %s", (date, days, expected) => {
  expect(addDays(date, days)).toBe(expected);
});

test.each([
  ["2026-11-01", "2026-11-30", "Nov 26"],
  ["2026-04-01", "2026-06-30", "Apr–Jun 26"],
  ["2026-04-01", "2027-03-31", "Apr 26–Mar 27"],
  ["2026-11-01", "2026-11-15", "1–15 Nov 26"],
  ["2026-04-06", "2026-05-05", "6 Apr–5 May 26"],
  ["2026-04-06", "2027-04-05", "6 Apr 26–5 Apr 27"],
  ["2026-11-05", "2026-11-05", "5 Nov 26"],
])("the period from %s to %s is called %s", (from, to, name) => {
  expect(spanName({ from, to })).toBe(name);
});

test("the name of a period is parsed to its dates, and any other text is rejected", () => {
  const day = fc.integer({ min: dayNumber("2000-01-01"), max: dayNumber("2099-12-31") });
  fc.assert(
    fc.property(day, day, fc.boolean(), (a, b, isWhole) => {
      const [first, last] = [Math.min(a, b), Math.max(a, b)].map(dateOfNumber) as [string, string];
      const range = isWhole
        ? { from: startOfMonth(first), to: endOfMonth(last) }
        : { from: first, to: last };
      expect(spanNamed(spanName(range))).toEqual(range);
    }),
  );
  for (const text of ["Total", "31 Mar 2026", "Apr-26", "Mar 2026", "Wellington", "31 Feb 26"]) {
    expect(spanNamed(text)).toBeUndefined();
  }
});

test("adding days to a date agrees with JavaScript's Date object", () => {
  fc.assert(
    fc.property(fc.integer({ min: -600_000, max: 2_900_000 }), (number) => {
      const expected = new Date(number * 86_400_000).toISOString().slice(0, 10);
      expect(dateOfNumber(number)).toBe(expected);
      expect(dayNumber(expected)).toBe(number);
      expect(isDate(expected)).toBe(true);
    }),
  );
});

test.each([
  ["2026-01-31", 1, "2026-02-28"],
  ["2024-01-31", 1, "2024-02-29"],
  ["2026-03-31", -1, "2026-02-28"],
  ["2026-06-30", -1, "2026-05-30"],
  ["2026-01-15", -1, "2025-12-15"],
  ["2026-12-15", 1, "2027-01-15"],
  ["2024-02-29", -12, "2023-02-28"],
  ["2026-05-31", 27, "2028-08-31"],
])("the date %s plus %s months is %s", (date, months, expected) => {
  expect(addMonths(date, months)).toBe(expected);
});

test("the first and last day of a month are computed", () => {
  expect(startOfMonth("2026-02-17")).toBe("2026-02-01");
  expect(endOfMonth("2026-02-17")).toBe("2026-02-28");
  expect(endOfMonth("2024-02-01")).toBe("2024-02-29");
  expect(endOfMonth("2026-04-30")).toBe("2026-04-30");
  expect(monthOf("2026-02-17")).toBe("2026-02");
});

test("days between two dates are counted", () => {
  expect(daysBetween("2026-03-20", "2026-03-31")).toBe(11);
  expect(daysBetween("2026-03-31", "2026-03-20")).toBe(-11);
});

describe("financial years", () => {
  test.each([
    ["New Zealand", "2026-03-31", 31, 3, "2025-04-01", "2026-03-31"],
    ["New Zealand, first day", "2026-04-01", 31, 3, "2026-04-01", "2027-03-31"],
    ["Australia", "2026-01-15", 30, 6, "2025-07-01", "2026-06-30"],
    ["calendar year", "2026-12-31", 31, 12, "2026-01-01", "2026-12-31"],
    ["calendar year, first day", "2026-01-01", 31, 12, "2026-01-01", "2026-12-31"],
    ["29 February, plain year", "2026-01-10", 29, 2, "2025-03-01", "2026-02-28"],
    ["29 February, leap year", "2024-02-29", 29, 2, "2023-03-01", "2024-02-29"],
    ["28 February, leap year", "2028-02-29", 28, 2, "2027-03-01", "2028-02-29"],
    ["after a leap day", "2024-03-01", 29, 2, "2024-03-01", "2025-02-28"],
    ["31 April", "2026-05-01", 31, 4, "2026-05-01", "2027-04-30"],
    ["within a month", "2026-04-05", 5, 4, "2025-04-06", "2026-04-05"],
    ["within a month, first day", "2026-04-06", 5, 4, "2026-04-06", "2027-04-05"],
    ["day 0 is the last", "2026-03-31", 0, 3, "2025-04-01", "2026-03-31"],
  ])(
    'case "%s": the financial year of %s with the year end on day %s of month %s is from %s to %s',
    (_name, date, day, month, from, to) => {
      expect(financialYear(date, day, month)).toEqual({ from, to });
    },
  );

  test("consecutive financial years have no gap, and each contains its dates", () => {
    const dates = fc.integer({ min: -100_000, max: 100_000 }).map(dateOfNumber);
    const days = fc.integer({ min: 1, max: 31 });
    const months = fc.integer({ min: 1, max: 12 });
    fc.assert(
      fc.property(dates, days, months, (date, day, month) => {
        const { from, to } = financialYear(date, day, month);
        expect(from <= date && date <= to).toBe(true);
        expect(financialYear(addDays(to, 1), day, month).from).toBe(addDays(to, 1));
        expect(financialYear(from, day, month)).toEqual({ from, to });
      }),
    );
  });
});

test("a date is written in long, medium, short, hyphen and slash format", () => {
  expect(longDate("2026-03-31")).toBe("31 March 2026");
  expect(longDate("2026-03-01")).toBe("1 March 2026");
  expect(mediumDate("2026-03-31")).toBe("31 Mar 2026");
  expect(shortDate("2026-03-31")).toBe("31 Mar 26");
  expect(hyphenDate("2025-07-31")).toBe("31-Jul-2025");
  expect(slashedDate("2025-04-01")).toBe("4/1/2025");
});

test.each([
  "2026-02-29",
  "2026-13-01",
  "2026-00-10",
  "2026-1-1",
  "2026-04-31",
  "0000-01-01",
  "",
  "x",
])("the text '%s' is rejected as a date", (text) => expect(isDate(text)).toBe(false));
