import { describe, expect, test, vi } from "vitest";
import {
  dayIn,
  ianaName,
  localMinute,
  offsetsOf,
  timezones,
} from "../../src/ledger/dates/timezones.ts";
import { regions } from "../../src/ledger/regions/index.ts";

const at = (iso: string): number => Date.parse(iso);

/** Offset from UTC that the platform's time zone database gives, in minutes. */
function offsetBy(format: Intl.DateTimeFormat, ms: number): number {
  const parts = Object.fromEntries(
    format.formatToParts(ms).map(({ type, value }) => [type, value]),
  );
  const { year, month, day, hour, minute, second } = parts;
  return (Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`) - ms) / 60_000;
}

test.each([
  ["NEWZEALANDSTANDARDTIME", "2026-03-31T11:30:00Z", "2026-04-01"],
  ["NEWZEALANDSTANDARDTIME", "2026-03-31T10:30:00Z", "2026-03-31"],
  ["NEWZEALANDSTANDARDTIME", "2026-06-30T11:30:00Z", "2026-06-30"],
  ["AUSEASTERNSTANDARDTIME", "2026-06-30T14:00:00Z", "2026-07-01"],
  ["GMTSTANDARDTIME", "2026-06-30T23:30:00Z", "2026-07-01"],
  ["GMTSTANDARDTIME", "2026-01-31T23:30:00Z", "2026-01-31"],
  ["EASTERNSTANDARDTIME", "2026-01-01T04:30:00Z", "2025-12-31"],
  ["EASTERNSTANDARDTIME", "2026-07-01T04:30:00Z", "2026-07-01"],
  ["UTC", "2026-07-01T00:00:00Z", "2026-07-01"],
  ["UTC", "1999-12-31T23:59:59Z", "1999-12-31"],
  ["UTC+13", "2026-07-01T11:00:00Z", "2026-07-02"],
  ["UTC11", "2026-07-01T10:59:59Z", "2026-06-30"],
  ["CENTRALSTANDARDTIME(MEXICO)", "2026-07-01T05:59:00Z", "2026-06-30"],
  ["RUSSIATIMEZONE10", "2026-07-01T13:00:00Z", "2026-07-02"],
  // Moscow had four hours then
  ["RUSSIANSTANDARDTIME", "2012-07-01T20:30:00Z", "2012-07-02"],
])("the date in time zone %s at %s is %s", (timezone, clock, expected) => {
  expect(dayIn(at(clock), timezone)).toBe(expected);
});

test.each(["", "MOONSTANDARDTIME", "toString", "constructor"])(
  "the time zone '%s' is refused",
  (timezone) => {
    expect(() => dayIn(0, timezone)).toThrow(expect.objectContaining({ code: "Timezone" }));
  },
);

test("the default time zone of every region is in the time zone table", () => {
  for (const { timezone } of regions) expect(timezones).toContain(timezone);
});

test.each([
  ["NEWZEALANDSTANDARDTIME", "2026-04-04T14:00:00Z", "2026-04-05 02:00", "2026-04-05 02:59"],
  ["NEWZEALANDSTANDARDTIME", "2026-09-26T14:00:00Z", "2026-09-27 03:00", "2026-09-27 01:59"],
  ["AUSEASTERNSTANDARDTIME", "2026-04-04T16:00:00Z", "2026-04-05 02:00", "2026-04-05 02:59"],
  ["AUSEASTERNSTANDARDTIME", "2026-10-03T16:00:00Z", "2026-10-04 03:00", "2026-10-04 01:59"],
  ["WEUROPESTANDARDTIME", "2026-03-29T01:00:00Z", "2026-03-29 03:00", "2026-03-29 01:59"],
  ["WEUROPESTANDARDTIME", "2026-10-25T01:00:00Z", "2026-10-25 02:00", "2026-10-25 02:59"],
  ["PACIFICSTANDARDTIME", "2026-03-08T10:00:00Z", "2026-03-08 03:00", "2026-03-08 01:59"],
  ["PACIFICSTANDARDTIME", "2026-11-01T09:00:00Z", "2026-11-01 01:00", "2026-11-01 01:59"],
])("clocks in time zone %s are changed at %s", (timezone, moment, after, before) => {
  expect(localMinute(at(moment), timezone)).toBe(after);
  expect(localMinute(at(moment) - 60_000, timezone)).toBe(before);
});

test("the slow Intl time zone data is used only for zones with a summer time of their own", () => {
  const { DateTimeFormat } = Intl;
  const asked = vi.fn(function asked() {
    throw new Error("asked");
  });
  Intl.DateTimeFormat = asked as unknown as typeof DateTimeFormat;
  try {
    for (const { timezone } of regions) localMinute(at("2026-03-31T22:30:00Z"), timezone);
    expect(dayIn(at("2026-03-31T22:30:00Z"), "ROMANCESTANDARDTIME")).toBe("2026-04-01");
    expect(asked).not.toHaveBeenCalled();
    expect(() => dayIn(at("2026-03-31T22:30:00Z"), "EGYPTSTANDARDTIME")).toThrow("asked");
  } finally {
    Intl.DateTimeFormat = DateTimeFormat;
  }
  expect(dayIn(at("2026-03-31T22:30:00Z"), "EGYPTSTANDARDTIME")).toBe("2026-04-01");
});

describe("the time zone table agrees with the time zone database", () => {
  test.each(timezones)(
    "offset and local time of time zone %s agree with the time zone database",
    (timezone) => {
      const format = new Intl.DateTimeFormat("en-GB", {
        timeZone: ianaName(timezone) as string,
        hourCycle: "h23",
        year: "numeric",
        month: "2-digit",
        day: "2-digit",
        hour: "2-digit",
        minute: "2-digit",
        second: "2-digit",
      });
      const [least, greatest] = offsetsOf(timezone) as readonly [number, number];
      for (let hour = 0; hour < 5 * 365 * 24; hour += 293) {
        const moment = at("2025-01-01T00:30:00Z") + hour * 3_600_000;
        const offset = offsetBy(format, moment);
        const local = new Date(moment + offset * 60_000).toISOString().slice(0, 16);
        expect(localMinute(moment, timezone)).toBe(local.replace("T", " "));
        expect(offset).toBeGreaterThanOrEqual(least);
        expect(offset).toBeLessThanOrEqual(greatest);
      }
    },
  );
});
