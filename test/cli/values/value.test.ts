import { describe, expect, test } from "vitest";
import { didYouMean, findNearest } from "../../../src/cli/values/suggest.ts";
import { parseValue } from "../../../src/cli/values/value.ts";
import { UsageError } from "../../../src/resources/errors.ts";
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
} from "../../../src/resources/field.ts";

const options = { name: "--flag", today: () => "2026-03-31" };
const status = choice(["DRAFT", "AUTHORISED"]);

describe("a value of a flag", () => {
  test.each<[FieldOf<ScalarKind>, string, unknown]>([
    [id(), "{1F7F5B0E-0f8f-4f0b-8e52-7e7c0a0c5b11}", "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11"],
    [text(), "  Acme ", "Acme"],
    [text({ verbatim: true }), " Acme", " Acme"],
    [status, "draft", "DRAFT"],
    [boolean(), "Yes", true],
    [boolean(), "false", false],
    [boolean(), "off", false],
    [integer({ min: 0, max: 31 }), "31", 31],
    [date(), "-30d", "2026-03-01"],
    [date(), "2026-02-27", "2026-02-27"],
    [timestamp(), "2026-02-27T02:40:11Z", Date.UTC(2026, 1, 27, 2, 40, 11)],
    [timestamp(), "yesterday", Date.UTC(2026, 2, 30)],
    [money(), "1,234.50", 123_450],
    [money(), "(5)", -500],
    [money(), "0.100", 10],
    [unitAmount(), "1.125", 11_250],
    [quantity(), "1.500", 15_000],
    [unitAmount(), "0.1234", 1234],
    [quantity(), "2.5", 25_000],
    [percent(), "12.5 %", 125_000],
    [rate(), "1.234567", 1_234_567],
  ])('a flag of kind %o accepts "%s"', (field, typed, expected) => {
    expect(parseValue(field, typed, options)).toBe(expected);
  });

  test.each<[FieldOf<ScalarKind>, string, string | RegExp]>([
    [id(), "INV-7", "--flag must be a GUID, not 'INV-7'."],
    [text({ max: 3 }), "abcd", "--flag may have at most 3 characters, not 4."],
    [text(), " ", "--flag must have a value."],
    [text(), "a\u001bb", /--flag holds the character U\+001B/],
    [status, "DRAFTED", /must be one of DRAFT, AUTHORISED, not 'DRAFTED'; did you mean DRAFT\?$/],
    [boolean(), "maybe", "--flag must be true or false, not 'maybe'."],
    [integer({ min: 0, max: 31 }), "32", "--flag must be a whole number from 0 to 31, not 32."],
    [integer(), "1.5", "--flag must be a whole number, not '1.5'."],
    [date(), "2026-02-30", /^--flag: "2026-02-30" is no day of the calendar\.$/],
    [timestamp(), "2026-02-27T25:00Z", /--flag must be a moment/],
    [money(), "1.005", "--flag may have at most 2 decimals, not as many as '1.005'."],
    [money({ max: 1000 }), "10.01", "--flag may be at most 10.00, not 10.01."],
    [money(), "12 apples", "--flag must be a number such as 1234.50, not '12 apples'."],
    [money(), "1,234", /not '1,234', which is 1234 in some places and less in others\.$/],
    [money(), "1.100", /not '1\.100', which is 1100 in some places and less in others\.$/],
    [
      unitAmount(),
      "-12.000",
      /not '-12\.000', which is -12000 in some places and less in others\.$/,
    ],
    [money(), "£5", "--flag must be a number such as 1234.50, not '£5'."],
    [unitAmount(), "5-", "--flag must be a number such as 1234.50, not '5-'."],
    [money(), "99999999999999999", /^--flag is too large to be kept exactly/],
    [quantity({ digits: 4 }), "123.45", "--flag may have at most 4 digits, not 5."],
  ])('a flag of kind %o refuses "%s"', (field, typed, message) => {
    expect(() => parseValue(field, typed, options)).toThrow(UsageError);
    expect(() => parseValue(field, typed, options)).toThrow(message);
  });

  test("a value in an import file may have a decimal comma, and no words for dates", () => {
    const cell = { name: "Row 3, Total", decimal: "," } as const;
    expect(parseValue(money(), "1.234,50", cell)).toBe(123_450);
    expect(() => parseValue(money(), "1,234.50", cell)).toThrow("Row 3, Total must be a number");
    expect(() => parseValue(date(), "today", cell)).toThrow("Row 3, Total must be a day such as");
  });
});

describe("the nearest known word", () => {
  const nouns = ["invoice", "bill", "item", "payment", "bank-transaction", "bank-transfer"];

  test.each([
    ["invoce", "invoice"],
    ["INVOICES", "invoice"],
    ["itme", "item"],
    ["pay", "payment"],
    ["bank-", undefined], // two begin so
    ["bank-trans", "bank-transfer"],
    ["bank-transfr", "bank-transfer"],
    ["i", undefined],
    ["", undefined],
    ["zebra", undefined],
    ["x".repeat(500), undefined],
  ])('the nearest known word to "%s" is %s', (word, expected) => {
    expect(findNearest(word, nouns)).toBe(expected);
  });

  test("the nearest known word is suggested at the end of an error message, and none if no word is near", () => {
    expect(didYouMean("bil", nouns)).toBe(" Did you mean bill?");
    expect(didYouMean("zebra", nouns)).toBe("");
  });
});
