import { describe, expect, test } from "vitest";
import {
  boolean,
  choice,
  date,
  type FieldOf,
  id,
  integer,
  money,
  percent,
  quantity,
  rate,
  type ScalarKind,
  text,
  timestamp,
  unitAmount,
} from "../../src/resources/field.ts";
import {
  countCharacters,
  illegalAt,
  isDay,
  nearest,
  readId,
  readMoment,
  shown,
} from "../../src/resources/scalar.ts";
import { parseField } from "../../src/resources/validate.ts";

const status = choice(["DRAFT", "SUBMITTED", "AUTHORISED"]);

describe("a field value from text", () => {
  test.each<[FieldOf<ScalarKind>, string, unknown]>([
    [id(), "1F7F5B0E-0F8F-4F0B-8E52-7E7C0A0C5B11", "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11"],
    [id(), "{1f7f5b0e0f8f4f0b8e527e7c0a0c5b11}", "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11"],
    [text(), "  Blue Kiln  ", "Blue Kiln"],
    [text({ verbatim: true }), "  Blue\r\n Kiln ", "  Blue\r\n Kiln "],
    [text({ max: 2 }), "😀😀", "😀😀"],
    [text({ max: 3 }), "   ", undefined],
    [status, "authorised", "AUTHORISED"],
    [status, " DRAFT ", "DRAFT"],
    [boolean(), "True", true],
    [boolean(), "0", false],
    [integer(), "31", 31],
    [integer(), "-0", 0],
    [integer({ min: 1 }), "5.0", 5],
    [date(), "2024-02-29", "2024-02-29"],
    [timestamp(), "2026-02-27T02:40:11.27Z", 1772160011270],
    [money(), "1234.50", 123450],
    [money(), "-.01", -1],
    [money(), "0.30000000000000004", 30],
    [unitAmount(), "0.1235", 1235],
    [quantity(), "1e3", 10000000],
    [percent(), "15", 150000],
    [rate(), "1.000001", 1000001],
    [money(), "", undefined],
    [date(), "", undefined],
    [boolean(), " ", undefined],
    [id(), "", undefined],
  ])("a field of kind %o accepts the text %j", (field, written, value) => {
    expect(parseField(field, written)).toEqual({ value });
  });

  test.each<[FieldOf<ScalarKind>, string, string]>([
    [id(), "INV-1", "must be a GUID, not 'INV-1'"],
    [text({ max: 3 }), "Kiln", "may have at most 3 characters, not 4"],
    [
      text({ key: true }),
      "INV\n1",
      "must be one line without tabs or control characters, not 'INV\ufffd1'",
    ],
    [
      text({ key: true }),
      "INV\u20281",
      "must be one line without tabs or control characters, not 'INV\u20281'",
    ],
    [text({ min: 2 }), "K", "must have at least 2 characters, not 1"],
    [text(), "a\u0000b", "holds the character U+0000, which cannot be kept: 'a�b'"],
    [text(), "a\uffff", "holds the character U+FFFF, which cannot be kept: 'a\uffff'"],
    [text(), "a\ud800", "holds half a character: 'a\ufffd'"],
    [
      status,
      "AUTHORIZED",
      "must be one of DRAFT, SUBMITTED, AUTHORISED, not 'AUTHORIZED'; did you mean AUTHORISED?",
    ],
    [status, "void", "must be one of DRAFT, SUBMITTED, AUTHORISED, not 'void'"],
    [boolean(), "yes", "must be true or false, not 'yes'"],
    [integer(), "1.5", "must be a whole number, not '1.5'"],
    [integer(), "99999999999999999", "must be a whole number, not '99999999999999999'"],
    [integer({ min: 0, max: 31 }), "32", "must be a whole number from 0 to 31, not 32"],
    [integer({ max: 31 }), "32", "may be at most 31, not 32"],
    [integer({ min: 1 }), "0", "must be at least 1, not 0"],
    [date(), "2026-02-30", "must be a day of the calendar from 1900 to 2999, not '2026-02-30'"],
    [date(), "3026-02-03", "must be a day of the calendar from 1900 to 2999, not '3026-02-03'"],
    [date(), "27/02/2026", "must be a day such as 2026-03-31, not '27/02/2026'"],
    [
      date(),
      "2026-02-27T00:00:00",
      "must be a day of the calendar from 1900 to 2999, not '2026-02-27T00:00:00'",
    ],
    [timestamp(), "noon", "must be a moment such as 2026-03-31T09:00:00Z, not 'noon'"],
    [
      money(),
      "1,234.50",
      "must be a number such as 1234.50 without thousands separators, not '1,234.50'",
    ],
    [money(), "12 apples", "must be a number such as 1234.50, not '12 apples'"],
    [money(), "0x10", "must be a number such as 1234.50, not '0x10'"],
    [money(), "1e99", "is too large to be kept exactly: '1e99'"],
    [money({ max: 10000 }), "100.01", "may be at most 100.00, not 100.01"],
    [money({ max: 10000 }), "-100.01", "may be no less than -100.00, not -100.01"],
    [quantity({ digits: 5 }), "1234.56", "may have at most 5 digits, not 6"],
  ])("a field of kind %o refuses the text %j", (field, written, fault) => {
    expect(parseField(field, written)).toEqual({ fault });
  });

  test("random text is accepted by a field of any kind only as a valid value of that kind", () => {
    const fields = [
      id(),
      text(),
      status,
      boolean(),
      integer(),
      date(),
      timestamp(),
      money(),
      unitAmount(),
      quantity(),
      percent(),
      rate(),
    ];
    for (const field of fields) {
      for (const written of [
        "\u0000",
        "NaN",
        "Infinity",
        "__proto__",
        "null",
        "1".repeat(10_000),
        "-",
        "+",
        ".",
      ]) {
        const parsed = parseField(field as FieldOf<ScalarKind>, written);
        expect("value" in parsed || "fault" in parsed).toBe(true);
      }
    }
  });
});

test.each([
  ["2024-02-29", true],
  ["2023-02-29", false],
  ["2000-02-29", true],
  ["2100-02-29", false],
  ["1899-12-31", false],
  ["1900-01-01", true],
  ["2999-12-31", true],
  ["3000-01-01", false],
  ["2026-13-01", false],
  ["2026-00-10", false],
  ["2026-04-31", false],
  ["2026-4-30", false],
])("the text %s is a valid day of the calendar: %s", (day, known) => {
  expect(isDay(day)).toBe(known);
});

test.each([
  ["2026-03-02", Date.UTC(2026, 2, 2)],
  ["2026-03-02T21:14:07", Date.UTC(2026, 2, 2, 21, 14, 7)],
  ["2026-03-02 21:14", Date.UTC(2026, 2, 2, 21, 14)],
  ["2026-03-02T21:14:07.1130000Z", Date.UTC(2026, 2, 2, 21, 14, 7, 113)],
  ["2026-03-02T21:14:07+13:00", Date.UTC(2026, 2, 2, 8, 14, 7)],
  ["2026-03-02T21:14:07-0330", Date.UTC(2026, 2, 3, 0, 44, 7)],
  ["0026-03-02", new Date("0026-03-02T00:00:00Z").getTime()],
  ["2026-03-02T24:00:00Z", undefined],
  ["2026-02-29T00:00:00Z", undefined],
  ["2026-03-02T21:14:07+15:00", undefined],
  ["2 March 2026", undefined],
  ["", undefined],
])("the text %j is read as a time, or refused", (written, at) => {
  expect(readMoment(written)).toBe(at);
});

test("a GUID is read with braces, spaces and capitals, and refused with a missing digit", () => {
  expect(readId(" {1F7F5B0E-0F8F-4F0B-8E52-7E7C0A0C5B11} ")).toBe(
    "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11",
  );
  expect(readId("1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b1")).toBeUndefined();
});

test("the nearest field name is found for a typing mistake", () => {
  const known = ["DRAFT", "SUBMITTED", "AUTHORISED"];
  expect(nearest("AUTHROISED", known)).toBe("AUTHORISED");
  expect(nearest("submited", known)).toBe("SUBMITTED");
  expect(nearest("PAID", known)).toBeUndefined();
  expect(nearest("x".repeat(1_000_000), known)).toBeUndefined();
});

test("characters are counted as graphemes, and illegal ones are found", () => {
  expect(countCharacters("naïve 😀")).toBe(7);
  expect(illegalAt("tab\tand\nlines\r")).toBe(-1);
  expect(illegalAt("ab\u0008")).toBe(2);
  expect(shown(`${"é".repeat(70)}\u001b[31m`)).toBe(`'${"é".repeat(60)}…'`);
});
