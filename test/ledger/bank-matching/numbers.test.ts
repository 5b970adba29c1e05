import { describe, expect, test } from "vitest";
import {
  documentNumber,
  findSimilarNumber,
  isInCompact,
  normalText,
  numberRuns,
  readingsOf,
  strengthOf,
  tokensOf,
} from "../../../src/ledger/bank-matching/numbers.ts";

/** The best strength with which a text tells a number. */
function strength(text: string, number: string): string | undefined {
  const known = documentNumber(number);
  if (known === undefined) throw new Error(`No number: ${number}`);
  const found = numberRuns(text)
    .flatMap(tokensOf)
    .map((token) => strengthOf(token, known));
  return (["strong", "long", "weak"] as const).find((each) => found.includes(each));
}

const digitsOf = (text: string): string[] =>
  numberRuns(text)
    .flatMap(tokensOf)
    .map(({ written }) => written);

describe("strength of a document number in a text", () => {
  test.each([
    ["inv 42", "INV-0042", "strong"],
    ["RechnungINV0042vom 3. Mai", "INV-0042", "strong"],
    ["Invoice INV-0042", "INV-0042", "strong"],
    ["INV #0042, thanks", "INV-0042", "strong"],
    ["ＩＮＶ－００４２", "INV-0042", "strong"],
    ["INV-2026-0042", "INV-2026-0042", "strong"],
    ["INV 2026 0042", "INV-2026-0042", "strong"],
    ["INV 41, 42", "INV-0041", "strong"],
    ["INV 41, 42", "INV-0042", "strong"],
    ["INV 41 & 42+43", "INV-0043", "strong"],
    ["INV 41 42", "INV-0042", "strong"],
    ["payment 100234", "100234", "long"],
    ["payment 10 02 34", "100234", "long"],
    ["your 100234", "INV-100234", "long"],
    ["invoice 0042", "INV-0042", "weak"],
    ["no 1234", "1234", "weak"],
    ["0042", "INV-2026-0042", "weak"],
    ["invoice 42", "INV-0042", undefined],
    ["INV-0043", "INV-0042", undefined],
    ["INV-00421", "INV-0042", undefined],
    // two letters may end any word, one letter stands before any number
    ["CARE 4711", "RE-4711", "weak"],
    ["RE 4711", "RE-4711", "strong"],
    ["of 42", "F42", undefined],
    ["F 42", "F42", undefined],
    ["F 4711", "F4711", "strong"],
  ])(
    'the bank text "%s" contains the document number %s with the strength %s',
    (text, number, expected) => {
      expect(strength(text, number)).toBe(expected);
    },
  );
});

describe("digits in bank texts that are not document numbers", () => {
  test.each([
    ["paid on 05.11.2026", []],
    ["paid 2026-11-05", []],
    ["paid 11/05/26", []],
    ["EUR 1.234,56", []],
    ["total 1,234.50 due", []],
    ["to DE89 3704 0044 0532 0130 00 ref 4711", ["4711"]],
    ["GB82WEST12345698765432", []],
    ["card 4111 1111 1111 1111", []],
    ["card XXXX XXXX XXXX 1234", []],
    ["card ****1234 shop 77", ["77"]],
    // no check digits, hence no account and no card
    ["DE88 3704 0044 0532 0130 00", expect.arrayContaining(["3704"])],
  ])(
    'digits in the bank text "%s" are document numbers unless they are a date, amount, IBAN or card number',
    (text, expected) => {
      expect(digitsOf(text)).toEqual(expected);
    },
  );

  test("a document number is kept although its digits look like a date", () => {
    expect(strength("INV-2026-11-05", "INV-2026-11-05")).toBe("strong");
  });
});

test("a bank text with a line break is searched both with a blank at the break and without", () => {
  expect(readingsOf("INV-00\n42 and RE\r\n7")).toEqual(["INV-00 42 and RE 7", "INV-0042 and RE7"]);
  expect(readingsOf("INV-0042")).toEqual(["INV-0042"]);
  for (const reading of readingsOf("INV-00\n42"))
    expect(strength(reading, "INV-0042")).toBe("strong");
});

test("a document number with several parts is found only where the text contains all of them", () => {
  const number = documentNumber("2026/INV/0042-A");
  if (number === undefined) throw new Error("no number");
  expect(number.isPlain).toBe(false);
  expect(isInCompact("PAID2026INV0042ATODAY", number)).toBe(true);
  expect(isInCompact("PAID12026INV0042A", number)).toBe(false);
  expect(isInCompact("PAID2026INV0042B", number)).toBe(false);
});

describe("document numbers with a typing error", () => {
  test.each([
    ["INV-OO42", "INV-0042", "INVOO42"],
    ["INV-0O4Z", "INV-0042", undefined],
    ["INV-0043", "INV-0042", "INV0043"],
    ["INV-0024", "INV-0042", "INV0024"],
    ["INV-0402", "INV-0042", "INV0402"],
    ["INV-4200", "INV-0042", undefined],
    ["INV-0042", "INV-0042", undefined],
    ["ABC-0043", "INV-0042", undefined],
    ["1O0234", "100234", "1O0234"],
  ])(
    'searching "%s" for the document number %s, allowing one typing error, finds %s',
    (text, number, expected) => {
      const known = documentNumber(number);
      if (known === undefined) throw new Error("no number");
      const words = normalText(text)
        .split(" ")
        .map((word) => word.replace(/[^\p{L}\d]+/gu, ""));
      expect(findSimilarNumber(words, known)).toBe(expected);
    },
  );
});

test("a very long bank text is searched in bounded time", () => {
  expect(numberRuns("INV 1 2 3 4 5 6 7 8 9 ".repeat(10_000)).length).toBeLessThanOrEqual(60);
  expect(numberRuns(`${"- ".repeat(100_000)}7`).length).toBeLessThanOrEqual(1);
});
