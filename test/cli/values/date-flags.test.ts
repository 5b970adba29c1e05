import { describe, expect, test } from "vitest";
import { parseDate, parsePeriod, periodWords } from "../../../src/cli/values/date-flags.ts";
import { compileDateFormat } from "../../../src/cli/values/date-format.ts";
import { UsageError } from "../../../src/resources/errors.ts";
import { fc } from "../../support/properties.ts";

const today = "2026-03-31";

describe("a date", () => {
  test.each([
    ["2026-02-27", "2026-02-27"],
    [" 2024-02-29 ", "2024-02-29"],
    ["today", "2026-03-31"],
    ["Yesterday", "2026-03-30"],
    ["tomorrow", "2026-04-01"],
    ["-30d", "2026-03-01"],
    ["+0d", "2026-03-31"],
    ["+2w", "2026-04-14"],
    ["-1m", "2026-02-28"], // there is no 31 February
    ["+1M", "2026-04-30"],
    ["-13m", "2025-02-28"],
    ["-1y", "2025-03-31"],
    ["+10y", "2036-03-31"],
  ])("%s is %s", (text, expected) => {
    expect(parseDate(text, today)).toBe(expected);
  });

  test("a year from 29 February ends in February", () => {
    expect(parseDate("+1y", "2024-02-29")).toBe("2025-02-28");
    expect(parseDate("+4y", "2024-02-29")).toBe("2028-02-29");
  });

  test.each([
    ["2026-02-30", /no day of the calendar/],
    ["2026-13-01", /no day of the calendar/],
    ["0026-03-01", /no day of the calendar from 1900/],
    ["-200y", /no day of the calendar/],
    ["+99999y", /no day of the calendar/],
    ["+99999m", /no day of the calendar/],
    ["2026/3/1", /Did you mean 2026-03-01\?/],
    ["2026-3-1", /Did you mean 2026-03-01\?/],
    ["2026/2/30", /give YYYY-MM-DD.*1y\.$/],
    ["30d", /Did you mean -30d or \+30d\?/],
    ["yesterdy", /Did you mean yesterday\?/],
    ["01/02/2026", /"01\/02\/2026" is no date; give YYYY-MM-DD/],
    ["constructor", /is no date/],
    ["", /is no date/],
    ["+1 d", /is no date/],
    ["2026-02-27T10:00", /is no date/],
  ])("%s is refused", (text, message) => {
    expect(() => parseDate(text, today)).toThrow(UsageError);
    expect(() => parseDate(text, today)).toThrow(message);
  });
});

describe("a period", () => {
  const context = { today: "2026-05-15", yearEnd: { day: 31, month: 3 } };

  test.each([
    ["2026", "2026-01-01", "2026-12-31"],
    ["2026-Q1", "2026-01-01", "2026-03-31"],
    ["2026q4", "2026-10-01", "2026-12-31"],
    ["2024-02", "2024-02-01", "2024-02-29"],
    ["2026-12", "2026-12-01", "2026-12-31"],
    ["2026-03-05", "2026-03-05", "2026-03-05"],
    ["yesterday", "2026-05-14", "2026-05-14"],
    ["this-month", "2026-05-01", "2026-05-31"],
    ["last-month", "2026-04-01", "2026-04-30"],
    ["this-quarter", "2026-04-01", "2026-06-30"],
    ["last-quarter", "2026-01-01", "2026-03-31"],
    ["this-year", "2026-01-01", "2026-12-31"],
    ["Last-Year", "2025-01-01", "2025-12-31"],
    ["this-fy", "2026-04-01", "2027-03-31"],
    ["last-fy", "2025-04-01", "2026-03-31"],
    ["2026-01-01..2026-03-31", "2026-01-01", "2026-03-31"],
    ["-30d..today", "2026-04-15", "2026-05-15"],
  ])("%s", (text, from, to) => {
    expect(parsePeriod(text, context)).toEqual({ from, to });
  });

  test.each([
    ["2026-01-31", { day: 31, month: 3 }, "2025-04-01", "2026-03-31"],
    ["2026-03-31", { day: 31, month: 3 }, "2025-04-01", "2026-03-31"],
    ["2026-04-01", { day: 31, month: 3 }, "2026-04-01", "2027-03-31"],
    ["2026-05-15", { day: 31, month: 12 }, "2026-01-01", "2026-12-31"],
    ["2026-04-05", { day: 5, month: 4 }, "2025-04-06", "2026-04-05"],
    ["2024-02-29", { day: 31, month: 2 }, "2023-03-01", "2024-02-29"],
    ["2025-02-28", { day: 29, month: 2 }, "2024-03-01", "2025-02-28"],
    ["2026-06-30", { day: 31, month: 6 }, "2025-07-01", "2026-06-30"],
  ])("on %s the financial year that ends on %o", (day, yearEnd, from, to) => {
    expect(parsePeriod("this-fy", { today: day, yearEnd })).toEqual({ from, to });
  });

  test("the last month and quarter of a January lie in the year before", () => {
    const january = { ...context, today: "2026-01-31" };
    expect(parsePeriod("last-month", january)).toEqual({ from: "2025-12-01", to: "2025-12-31" });
    expect(parsePeriod("last-quarter", january)).toEqual({ from: "2025-10-01", to: "2025-12-31" });
  });

  test.each([
    ["2026-Q5", /"2026-Q5" is no period; give a year \(2026\)/],
    ["2026-13", /is no period/],
    ["26", /is no period/],
    ["1066", /outside the years 1900 to 2999/],
    ["last-quater", /Did you mean last-quarter\?/],
    ["2026-03-31..2026-01-01", /ends before it begins/],
    ["2026-01-01..", /leaves one end open/],
    ["..2026-01-01", /leaves one end open/],
    ["2026-01-01..2026-02-30", /no day of the calendar/],
    ["2026-02-30", /no day of the calendar/],
    ["__proto__", /is no period/],
    ["", /is no period/],
  ])("%s is refused", (text, message) => {
    expect(() => parsePeriod(text, context)).toThrow(UsageError);
    expect(() => parsePeriod(text, context)).toThrow(message);
  });

  test("periods of one kind follow each other without gap or overlap", () => {
    const days = fc.date({
      min: new Date("1950-01-01"),
      max: new Date("2900-01-01"),
      noInvalidDate: true,
    });
    const ends = fc.record({
      day: fc.integer({ min: 1, max: 31 }),
      month: fc.integer({ min: 1, max: 12 }),
    });
    fc.assert(
      fc.property(days, ends, (date, yearEnd) => {
        const day = date.toISOString().slice(0, 10);
        for (const word of periodWords.filter((each) => each.startsWith("this-"))) {
          const now = parsePeriod(word, { today: day, yearEnd });
          const before = parsePeriod(word.replace("this", "last"), { today: day, yearEnd });
          expect(now.from <= day && day <= now.to).toBe(true);
          expect(parseDate("+1d", before.to)).toBe(now.from);
          const after = parsePeriod(word, { today: parseDate("+1d", now.to), yearEnd });
          expect(after.from).toBe(parseDate("+1d", now.to));
        }
      }),
    );
  });
});

describe("a date format", () => {
  test.each([
    ["YYYY-MM-DD", "2026-02-27", "2026-02-27"],
    ["YYYY-MM-DD HH:mm:ss", "2010-12-01 08:26:00", "2010-12-01"],
    ["YYYY-MM-DDTHH:mm:ss.SSSZ", "2026-02-27T23:59:59.123+13:00", "2026-02-27"],
    ["DD/MM/YYYY", "03/04/2026", "2026-04-03"],
    ["MM/DD/YYYY", "03/04/2026", "2026-03-04"],
    ["D/M/YYYY", "3/4/2026", "2026-04-03"],
    ["D/M/YYYY", "13/12/2026", "2026-12-13"],
    ["M/D/YY", "12/1/10", "2010-12-01"],
    ["M/D/YY", "1/2/68", "2068-01-02"],
    ["M/D/YY", "1/2/69", "1969-01-02"],
    ["M/D/YYYY H:mm", "12/1/2010 8:26", "2010-12-01"],
    ["D MMM YYYY", "7 Feb 2026", "2026-02-07"],
    ["D MMMM YYYY", "7 september 2026", "2026-09-07"],
    ["MMM D, YYYY", "Sept 7, 2026", "2026-09-07"],
    ["ddd D MMM YYYY h:mm A", "Sat  7 Feb 2026 3:05 pm", "2026-02-07"],
    ["YYYYMMDD", "20260227", "2026-02-27"],
    ["DD.MM.YYYY", " 27.02.2026 ", "2026-02-27"],
    ["[on] D-M-YYYY", "on 27-2-2026", "2026-02-27"],
  ])("%s reads %s", (format, text, expected) => {
    expect(compileDateFormat(format)(text)).toBe(expected);
  });

  test.each([
    ["YYYY-MM-DD", "2026-02-30"],
    ["YYYY-MM-DD", "2026-2-3"],
    ["YYYY-MM-DD", "2026-02-27 08:00"],
    ["DD/MM/YYYY", "02/13/2026"],
    ["DD/MM/YYYY", "1/2/2026"],
    ["D MMM YYYY", "7 Foo 2026"],
    ["D MMM YYYY", "7 Fe 2026"],
    ["DD.MM.YYYY", "27/02/2026"],
    ["YYYY-MM-DD HH:mm:ss", "2026-02-27 25:00:00"],
    ["YYYY-MM-DD HH:mm:ss", "2026-02-27 10:60:00"],
    ["YYYY-MM-DD", ""],
    ["YYYY-MM-DD", `2026-02-27${" ".repeat(100)}`],
  ])("%s does not read %s", (format, text) => {
    expect(compileDateFormat(format)(text)).toBeUndefined();
  });

  test.each([
    ["dd/mm/yyyy", /"dd" means nothing in it. Write it like DD\/MM\/YYYY/],
    ["YYYY-MM", /it has no day/],
    ["MM-DD", /it has no year/],
    ["YYYY-DD", /it has no month/],
    ["YYYY-MM-DD MMM", /more than one month/],
    ["YYYYY-MM-DD", /"YYYYY" means nothing/],
    ["YYYY-MM-DD at HH", /"at" means nothing|"a" means nothing|"t" means nothing/],
    ["constructor", /means nothing/],
    ["", /it has no year/],
  ])("%s is refused", (format, message) => {
    expect(() => compileDateFormat(format)).toThrow(UsageError);
    expect(() => compileDateFormat(format)).toThrow(message);
  });
});
