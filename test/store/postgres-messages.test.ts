/** Messages to PostgreSQL, taken apart again as its documentation says they are put together. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { Messages } from "../../src/store/dialects/postgres/messages.ts";

/** What follows each other in a piece: the letter of each message, and its fields. */
function takenApart(bytes: Buffer): unknown[][] {
  let at = 0;
  const passed = (count: number) => {
    at += count;
    return at - count;
  };
  const int16 = () => bytes.readInt16BE(passed(2));
  const int32 = () => bytes.readInt32BE(passed(4));
  const letter = () => String.fromCharCode(bytes[passed(1)] as number);
  const zeroEnded = () => {
    const end = bytes.indexOf(0, at);
    const text = bytes.toString("utf8", at, end);
    at = end + 1;
    return text;
  };
  const listOf = <T>(count: number, each: () => T) => Array.from({ length: count }, each);
  const value = () => {
    const length = int32();
    if (length < 0) return null;
    const from = passed(length);
    return bytes.subarray(from, at);
  };
  const fields: Record<string, () => unknown[]> = {
    P: () => [zeroEnded(), zeroEnded(), listOf(int16(), int32)],
    B: () => {
      const names = [zeroEnded(), zeroEnded()];
      const formats = listOf(int16(), int16);
      const values = listOf(int16(), value).map((each, index) =>
        each === null || formats[index] === 1 ? each : each.toString("utf8"),
      );
      return [...names, values, listOf(int16(), int16)];
    },
    D: () => [letter(), zeroEnded()],
    E: () => [zeroEnded(), int32()],
    C: () => [letter(), zeroEnded()],
    S: () => [],
  };
  const found: unknown[][] = [];
  while (at < bytes.length) {
    const kind = letter();
    const end = at + int32();
    found.push([kind, ...(fields[kind]?.() ?? [])]);
    expect(at).toBe(end);
  }
  return found;
}

const anyText = fc.oneof(
  fc.string({ maxLength: 100 }),
  fc.string({ unit: "grapheme", maxLength: 60 }),
  fc.string({ minLength: 20_000, maxLength: 40_000 }),
);
const anyValue = fc.oneof(
  anyText,
  fc.maxSafeInteger(),
  fc.constantFrom(null, undefined),
  fc.uint8Array({ maxLength: 3000 }),
);

function arrived(value: unknown): unknown {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? Buffer.from(value) : String(value);
}

test("values arrive as they were given: text and numbers as text, bytes as bytes", () => {
  const messages = new Messages();
  fc.assert(
    fc.property(fc.array(fc.array(anyValue, { maxLength: 20 }), { maxLength: 5 }), (statements) => {
      for (const values of statements) {
        messages.bind("acct_1", values);
        messages.execute();
      }
      messages.sync();
      const expected = statements.flatMap((values) => [
        ["B", "", "acct_1", values.map(arrived), []],
        ["E", "", 0],
      ]);
      expect(takenApart(messages.take())).toEqual([...expected, ["S"]]);
    }),
  );
});

test("a statement is prepared, described and closed by its name", () => {
  const messages = new Messages();
  messages.close("acct_7");
  messages.parse("acct_7", "select 'é'");
  messages.describe();
  expect(takenApart(messages.take())).toEqual([
    ["C", "S", "acct_7"],
    ["P", "acct_7", "select 'é'", []],
    ["D", "P", ""],
  ]);
  expect(messages.take()).toHaveLength(0);
});
