import { describe, expect, test } from "vitest";
import { type DayOrder, dayNames, parseDate } from "../../../src/cli/values/date-flags.ts";
import { compileDateFormat } from "../../../src/cli/values/date-format.ts";
import {
  type Period,
  parsePeriod,
  periodsOffered,
  periodWords,
} from "../../../src/cli/values/period-words.ts";
import { UsageError } from "../../../src/resources/errors.ts";
import { fc } from "../../support/properties.ts";

const today = "2026-03-31";

describe("a date flag", () => {
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
  ])('the date flag "%s" is read as %s', (text, expected) => {
    expect(parseDate(text, today)).toBe(expected);
  });

  test("a year added to 29 February gives 28 February, and four years give 29 February", () => {
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
    [
      "1/3/2026",
      /is 1 March 2026 in some places and 3 January 2026 in others; give 2026-03-01 or 2026-01-03\./,
    ],
    ["13/3/2026", /has an order that the country does not settle; give 2026-03-13\./],
    ["31/4/2026", /no day of the calendar/],
    ["1/3/26", /year of two digits; give all four/],
    ["1 March 26", /year of two digits/],
    ["26-03-01", /year of two digits/],
    ["20260230", /no day of the calendar/],
    ["30 February 2026", /no day of the calendar/],
    ["1 March", /is no date/],
    ["1 Marchember 2026", /is no date/],
    ["funday", /is no date/],
    ["next month", /is no date/],
    ["constructor", /is no date/],
    ["", /is no date/],
    ["+1 d", /is no date/],
    ["2026-02-27T10:00", /is no date/],
  ])('the date flag "%s" is refused', (text, message) => {
    expect(() => parseDate(text, today)).toThrow(UsageError);
    expect(() => parseDate(text, today)).toThrow(message);
  });
});

describe("a period flag", () => {
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
  ])('the period flag "%s" is read as %s to %s', (text, from, to) => {
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
  ])("on %s, with the year end %o, the period this-fy is %s to %s", (day, yearEnd, from, to) => {
    expect(parsePeriod("this-fy", { today: day, yearEnd })).toEqual({ from, to });
  });

  test("in January the periods last-month and last-quarter are in the year before", () => {
    const january = { ...context, today: "2026-01-31" };
    expect(parsePeriod("last-month", january)).toEqual({ from: "2025-12-01", to: "2025-12-31" });
    expect(parsePeriod("last-quarter", january)).toEqual({ from: "2025-10-01", to: "2025-12-31" });
  });

  test.each([
    ["2026-Q5", /"2026-Q5" is no period; give 2026, 2026-H1/],
    ["2026-13", /is no period/],
    ["26", /is no period/],
    ["2026-H3", /is no period/],
    ["2026-W54", /is no period/],
    ["2025-W53", /is no period/], // that year has 52
    ["2026-W00", /is no period/],
    ["FY26", /year of two digits; give FY2026/],
    ["FY2025-27", /is no financial year; after FY2025 stands 26/],
    ["FY1900", /outside the years/],
    ["last-0-months", /is no period/],
    ["last-3-days", /is no period/],
    ["-30d", /is no period/],
    ["1066", /outside the years 1900 to 2999/],
    ["last-quater", /Did you mean last-quarter\?/],
    ["2026-03-31..2026-01-01", /ends before it begins/],
    ["2026-01-01..", /leaves one end open/],
    ["..2026-01-01", /leaves one end open/],
    ["2026-01-01..2026-02-30", /no day of the calendar/],
    ["2026-02-30", /no day of the calendar/],
    ["__proto__", /is no period/],
    ["", /is no period/],
  ])('the period flag "%s" is refused', (text, message) => {
    expect(() => parsePeriod(text, context)).toThrow(UsageError);
    expect(() => parsePeriod(text, context)).toThrow(message);
  });

  test("a financial year that is the calendar year has the name FY2026, and FY2025-26 is refused", () => {
    const calendar = { ...context, yearEnd: { day: 31, month: 12 } };
    expect(parsePeriod("FY2026", calendar)).toEqual({ from: "2026-01-01", to: "2026-12-31" });
    expect(() => parsePeriod("FY2025-26", calendar)).toThrow(/give FY2025 or FY2026/);
  });

  test("the days of an ambiguous period such as FY2026 are printed, and those of a plain one are not", () => {
    const told: string[] = [];
    const tell = (sentence: string) => told.push(sentence);
    for (const text of ["FY2026", "last 3 months", "2026-W10", "2026-03", "today", "monday"]) {
      parsePeriod(text, { ...context, tell });
    }
    expect(told).toEqual([
      "FY2026 is 1 April 2025 to 31 March 2026.",
      "last 3 months is 1 February 2026 to 30 April 2026.",
      "2026-W10 is 2 March 2026 to 8 March 2026.",
      "monday is Monday 18 May 2026.",
    ]);
  });

  test("periods of the same kind follow each other without gap or overlap", () => {
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

/** Days as moments of UTC, counted one by one: nothing of the arithmetic that is tested. */
const dayMs = 86_400_000;
const textOf = (moment: number) => new Date(moment).toISOString().slice(0, 10);
const momentOf = (text: string) => Date.parse(`${text}T00:00:00Z`);

/** The longest run of days around one day for which a test holds, and the day itself. */
function runAround(day: string, holds: (each: string) => boolean): Period {
  let [from, to] = [momentOf(day), momentOf(day)];
  while (holds(textOf(from - dayMs))) from -= dayMs;
  while (holds(textOf(to + dayMs))) to += dayMs;
  return { from: textOf(from), to: textOf(to) };
}

/** Year and week of ISO 8601: those of the Thursday, found by counting Thursdays of its year. */
function isoWeekOf(day: string): string {
  const monday = momentOf(day) - ((new Date(momentOf(day)).getUTCDay() + 6) % 7) * dayMs;
  const thursday = textOf(monday + 3 * dayMs);
  let count = 0;
  for (let at = momentOf(`${thursday.slice(0, 4)}-01-01`); textOf(at) <= thursday; at += dayMs) {
    if (new Date(at).getUTCDay() === 4) count += 1;
  }
  return `${thursday.slice(0, 4)}-W${String(count).padStart(2, "0")}`;
}

/** The year in which the financial year of a day ends, by walking to its last day. */
function financialYearOf(day: string, yearEnd: { day: number; month: number }): number {
  for (let at = momentOf(day); ; at += dayMs) {
    const [text, next] = [textOf(at), textOf(at + dayMs)];
    if (Number(text.slice(5, 7)) !== yearEnd.month) continue;
    const isLastOfMonth = next.slice(0, 7) !== text.slice(0, 7);
    const date = Number(text.slice(8));
    if (date === yearEnd.day || (isLastOfMonth && date < yearEnd.day))
      return Number(text.slice(0, 4));
  }
}

describe("date and period words over the years", () => {
  const anyDay = fc
    .integer({ min: momentOf("1990-01-01") / dayMs, max: momentOf("2110-12-31") / dayMs })
    .map((number) => textOf(number * dayMs));
  const turns = fc
    .tuple(
      fc.integer({ min: 1990, max: 2110 }),
      fc.constantFrom("01-01", "12-31", "02-28", "03-01", "03-31"),
    )
    .map(([year, rest]) => `${year}-${rest}`);
  const days = fc.oneof(anyDay, turns, fc.constantFrom("2000-02-29", "2024-02-29", "2096-02-29"));
  const yearEnds = fc.oneof(
    fc.constantFrom(
      { day: 31, month: 3 },
      { day: 28, month: 2 },
      { day: 29, month: 2 },
      { day: 5, month: 4 },
    ),
    fc.constantFrom({ day: 31, month: 12 }, { day: 30, month: 6 }, { day: 31, month: 2 }),
  );
  const plus = (day: string, count: number) => textOf(momentOf(day) + count * dayMs);
  const monthIndex = (day: string) => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;

  test("a weekday in a date flag is the nearest one in the given direction", () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 0, max: 6 }), (today, at) => {
        const names = [
          "sunday",
          "monday",
          "tuesday",
          "wednesday",
          "thursday",
          "friday",
          "saturday",
        ];
        const name = names[at] ?? "";
        const walk = (from: number, step: number) => {
          let moment = momentOf(today) + from * dayMs;
          while (new Date(moment).getUTCDay() !== at) moment += step * dayMs;
          return textOf(moment);
        };
        expect(parseDate(name, today)).toBe(walk(0, 1));
        expect(parseDate(`next ${name}`, today)).toBe(walk(1, 1));
        expect(parseDate(`Last-${name}`, today)).toBe(walk(-1, -1));
      }),
    );
  });

  test("the date flag eom is the last day of the current month", () => {
    fc.assert(
      fc.property(days, (today) => {
        const { to } = runAround(today, (each) => each.slice(0, 7) === today.slice(0, 7));
        expect(parseDate("eom", today)).toBe(to);
      }),
    );
  });

  test("a date is read alike in every written form, and a date in numbers in the country's order", () => {
    const english = (day: string, month: "long" | "short") =>
      new Intl.DateTimeFormat("en-GB", {
        day: "numeric",
        month,
        year: "numeric",
        timeZone: "UTC",
      }).format(momentOf(day));
    fc.assert(
      fc.property(days, fc.constantFrom<DayOrder>("dmy", "mdy"), (day, order) => {
        const [year = "", month = "", date = ""] = day.split("-");
        const american = new Intl.DateTimeFormat("en-US", { dateStyle: "long", timeZone: "UTC" });
        const forms = [english(day, "long"), english(day, "short"), american.format(momentOf(day))];
        for (const form of [...forms, day.replaceAll("-", "")]) {
          expect(parseDate(form, "2026-03-31")).toBe(day);
        }
        const [d, m] = [Number(date), Number(month)];
        const reading = { order: () => order };
        const [mine, other] =
          order === "dmy" ? [`${d}/${m}`, `${m}/${d}`] : [`${m}/${d}`, `${d}/${m}`];
        expect(parseDate(`${mine}/${year}`, "2026-03-31", reading)).toBe(day);
        const swapped = () => parseDate(`${other}/${year}`, "2026-03-31", reading);
        if (d > 12) expect(swapped).toThrow(new RegExp(`give ${day}`));
        else expect(swapped()).toBe(`${year}-${date}-${month}`);
      }),
    );
  });

  test("week numbers in period flags are those of ISO 8601", () => {
    fc.assert(
      fc.property(days, (today) => {
        const context = { today, yearEnd: { day: 31, month: 12 } };
        const week = runAround(today, (each) => isoWeekOf(each) === isoWeekOf(today));
        expect(parsePeriod(isoWeekOf(today), context)).toEqual(week);
        expect(parsePeriod("this-week", context)).toEqual(week);
        const before = runAround(
          plus(week.from, -1),
          (each) => isoWeekOf(each) === isoWeekOf(plus(week.from, -1)),
        );
        expect(parsePeriod("last-week", context)).toEqual(before);
      }),
      { numRuns: 50 },
    );
  });

  test("financial years end on the organisation's year end, and are named after the year in which they end", () => {
    fc.assert(
      fc.property(days, yearEnds, (today, yearEnd) => {
        const context = { today, yearEnd };
        const ends = financialYearOf(today, yearEnd);
        const year = runAround(today, (each) => financialYearOf(each, yearEnd) === ends);
        expect(parsePeriod(`FY${ends}`, context)).toEqual(year);
        expect(parsePeriod("this-fy", context)).toEqual(year);
        expect(parsePeriod("fytd", context)).toEqual({ from: year.from, to: today });
        const short = `FY${ends - 1}-${String(ends % 100).padStart(2, "0")}`;
        if (year.from.startsWith(String(ends))) {
          expect(() => parsePeriod(short, context)).toThrow(UsageError);
        } else expect(parsePeriod(short, context)).toEqual(year);
      }),
      { numRuns: 40 },
    );
  });

  test("the periods for months, half-years and the year to date follow the calendar", () => {
    fc.assert(
      fc.property(days, fc.integer({ min: 1, max: 24 }), (today, count) => {
        const context = { today, yearEnd: { day: 31, month: 3 } };
        const year = today.slice(0, 4);
        const at = monthIndex(today);
        const end = runAround(today, (each) => monthIndex(each) === at).from;
        const whole = runAround(
          plus(end, -1),
          (each) => monthIndex(each) < at && monthIndex(each) >= at - count,
        );
        expect(parsePeriod(`last ${count} months`, context)).toEqual(whole);
        expect(parsePeriod("ytd", context)).toEqual({ from: `${year}-01-01`, to: today });
        const half = Number(today.slice(5, 7)) <= 6 ? 1 : 2;
        const isSameHalf = (each: string) =>
          each.startsWith(year) && (Number(each.slice(5, 7)) <= 6 ? 1 : 2) === half;
        expect(parsePeriod(`${year}-H${half}`, context)).toEqual(runAround(today, isSameHalf));
      }),
      { numRuns: 50 },
    );
  });

  test("every date word that completion offers is accepted", () => {
    fc.assert(
      fc.property(days, (today) => {
        const context = { today, yearEnd: { day: 31, month: 3 } };
        for (const word of periodsOffered(today)) parsePeriod(word, context);
        for (const word of dayNames) parseDate(word, today);
        const current = periodsOffered(today).filter((word) => /-W/.test(word));
        expect(current).toEqual([isoWeekOf(today)]);
      }),
      { numRuns: 30 },
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
  ])('the date format %s reads "%s" as %s', (format, text, expected) => {
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
  ])('the date format %s does not accept "%s"', (format, text) => {
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
  ])("the date format %s is refused", (format, message) => {
    expect(() => compileDateFormat(format)).toThrow(UsageError);
    expect(() => compileDateFormat(format)).toThrow(message);
  });
});
