import { expect, test } from "vitest";
import { readJson, Unreadable } from "../../src/wire/json.ts";
import { fc } from "../support/properties.ts";

test.each<[string, unknown]>([
  ['{"a":92.00}', { a: 92 }],
  ['{"a":123456789012.345}', { a: 123456789012.345 }],
  ['{"a":1234567890123.456}', { a: "1234567890123.456" }],
  ['{"a":9007199254740993}', { a: "9007199254740993" }],
  ["[0.1234567890123456,1]", ["0.1234567890123456", 1]],
  ['{"a":"1234567890123456789"}', { a: "1234567890123456789" }],
  ['{"a":1e3}', { a: 1000 }],
  ['"\\/Date(1772150400000+0000)\\/"', "/Date(1772150400000+0000)/"],
])("the JSON text %s is read with every digit of its numbers", (text, value) => {
  expect(readJson(text)).toEqual(value);
});

test.each([
  ["", "the JSON ends too early"],
  ['{"a":1', "the JSON ends too early"],
  ['{"a":"x', "the JSON ends too early"],
  ['{"a":1,}', "the JSON is not correct in line 1 column 8"],
  ["{\n'a':1}", "the JSON is not correct in line 2 column 1"],
  ["hello", "it is not JSON"],
  ["[NaN]", "it is not JSON"],
])("the JSON text %j is refused with the reason", (text, reason) => {
  expect(() => readJson(text)).toThrow(Unreadable);
  expect(() => readJson(text)).toThrow(reason);
});

test("brackets inside JSON strings do not count as nesting", () => {
  const text = JSON.stringify({ a: '[{"\\'.repeat(100) });
  expect(readJson(text)).toEqual(JSON.parse(text));
});

test("JSON keys named like JavaScript's built-in properties are read as ordinary keys", () => {
  const value = readJson(
    '{"__proto__":{"polluted":true},"constructor":1,"n":1234567890123456789}',
  ) as object;
  expect(Object.keys(value)).toEqual(["__proto__", "constructor", "n"]);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

test("the JSON reader gives the same result as JSON.parse, except for long numbers", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6, noUnicodeString: false }), (value) => {
      const plain = JSON.stringify(value);
      const read = readJson(plain);
      const numbered = JSON.stringify(read, (_key, each) =>
        typeof each === "string" && /^-?[\d.e+-]+$/i.test(each) && each.length > 15
          ? Number(each)
          : each,
      );
      const expected = JSON.stringify(value, (_key, each) =>
        typeof each === "string" && /^-?[\d.e+-]+$/i.test(each) && each.length > 15
          ? Number(each)
          : each,
      );
      expect(numbered).toBe(expected);
    }),
  );
});
