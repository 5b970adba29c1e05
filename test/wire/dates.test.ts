import { expect, test } from "vitest";
import {
  dayOf,
  isoMoment,
  isoSeconds,
  isoTicks,
  jsonDate,
  msOfDay,
  readDay,
  readModifiedSince,
  readTimestamp,
} from "../../src/wire/dates.ts";

test.each([
  ["2026-02-27", "2026-02-27"],
  ["2026-02-27T00:00:00", "2026-02-27"],
  ["2026-02-27T00:00:00Z", "2026-02-27"],
  ["2026-02-27T23:59:59.9999999-11:00", "2026-02-27"],
  ["2026-02-27T00:00:00+13:00", "2026-02-27"],
  ["2026-02-27 00:00", "2026-02-27"],
  ["/Date(1772150400000+0000)/", "2026-02-27"],
  ["/Date(1772150400000)/", "2026-02-27"],
  ["\\/Date(1772150400000)\\/", "2026-02-27"],
  // Midnight in Auckland is the day before in UTC.
  ["/Date(1772103600000+1300)/", "2026-02-27"],
  ["/Date(1772164800000-0400)/", "2026-02-27"],
  ["/Date(-2208988800000)/", "1900-01-01"],
  ["2026-02-29", undefined],
  ["2026-02-30T00:00:00", undefined],
  ["2026-02-27T", undefined],
  ["2026-02-27Tnoon", undefined],
  ["2026-02-27T25:00:00", undefined],
  ["2026-02-27T10:61:00", undefined],
  ["2026-02-27T10:00:00+99:99", undefined],
  ["/Date(1772150400000+9999)/", undefined],
  ["1899-12-31", undefined],
  ["/Date(99999999999999)/", undefined],
  ["/Date(999999999999999)/", undefined],
  ["/Date(1772150400000+13)/", undefined],
  ["/Date()/", undefined],
  ["27 Feb 2026", undefined],
  ["", undefined],
])("the wire date %j is read as a day, or as none: %s", (text, day) => {
  expect(readDay(text)).toBe(day);
});

test.each([
  ["2026-02-27T02:40:11Z", 1772160011000],
  ["2026-02-27T02:40:11.27", 1772160011270],
  ["/Date(1772160011270+0000)/", 1772160011270],
  ["/Date(1772160011270+1300)/", 1772160011270],
  ["/Date(1772160011270)/", 1772160011270],
  ["/Date(999999999999999)/", 999999999999999],
  ["/Date(9999999999999999)/", undefined],
  ["yesterday", undefined],
])("the wire time %j is read as milliseconds, or as none: %s", (text, at) => {
  expect(readTimestamp(text)).toBe(at);
});

test.each([
  ["2026-03-02T21:14:07", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["2026-03-02T21:14:07.999Z", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["2026-03-03T10:14:07+13:00", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ['"2026-03-02T21:14:07"', Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["2026-03-02", Date.UTC(2026, 2, 2)],
  ["Mon, 02 Mar 2026 21:14:07 GMT", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ['"Mon, 02 Mar 2026 21:14:07 GMT"', Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["Mon, 2 Mar 2026 21:14:07 +0000", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["Tue, 03 Mar 2026 10:14:07 +1300", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["Monday, 02-Mar-2026 21:14:07 GMT", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["Mon, 30 Feb 2026 21:14:07 GMT", undefined],
  ["Mon, 02 Foo 2026 21:14:07 GMT", undefined],
  ["1772486047", undefined],
  ["", undefined],
])("the header If-Modified-Since %j is read as a time, or ignored", (text, at) => {
  expect(readModifiedSince(text)).toBe(at);
});

test("times are written with the decimals of a second that their format has", () => {
  const at = 1772160011270;
  expect(isoMoment(at)).toBe("2026-02-27T02:40:11.27Z");
  expect(isoMoment(1772160010000)).toBe("2026-02-27T02:40:10Z");
  expect(isoSeconds(at)).toBe("2026-02-27T02:40:11Z");
  expect(isoTicks(at)).toBe("2026-02-27T02:40:11.2700000Z");
  expect(jsonDate(at)).toBe("/Date(1772160011270+0000)/");
});

test("a day converted to its midnight and back is the same day", () => {
  for (const day of ["1900-01-01", "1999-12-31", "2024-02-29", "2026-02-27", "2999-12-31"]) {
    expect(dayOf(msOfDay(day))).toBe(day);
    expect(readDay(jsonDate(msOfDay(day)))).toBe(day);
  }
  expect(dayOf(Number.NaN)).toBeUndefined();
});

test("times without decimals are written as by JavaScript's toISOString, without its milliseconds", () => {
  const moments = [0, -1, 999, -86_400_000, 1772160011270, 253402300799999, -62135596800000];
  for (let at = -5e12; at < 2e14; at += 123_456_789_123) moments.push(at);
  for (const at of moments) {
    expect(isoSeconds(at)).toBe(`${new Date(at).toISOString().slice(0, 19)}Z`);
  }
});
