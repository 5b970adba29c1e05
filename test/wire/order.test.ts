/** What the order language accepts, and what it refuses in which words. */
import { describe, expect, test } from "vitest";
import { RefusedError } from "../../src/resources/errors.ts";
import { orderCharactersMax, orderTermsMax, parseOrder } from "../../src/wire/query/order.ts";
import type { FilterField } from "../../src/wire/query/tree.ts";
import { fc, runs } from "../support/properties.ts";

const fields: readonly FilterField[] = [
  { path: "Date", kind: "date" },
  { path: "Total", kind: "decimal", scale: 2 },
  { path: "Contact.Name", kind: "text" },
];

function parse(text: string) {
  const named = (path: readonly string[]) => path.join(".").toLowerCase();
  return parseOrder(text, "Invoice", (path) =>
    fields.find((field) => named([field.path]) === named(path)),
  );
}

function shown(text: string): string {
  return parse(text)
    .map(({ field, direction }) => `${field.path} ${direction}`)
    .join(", ");
}

describe("accepted order clauses", () => {
  test.each([
    ["", ""],
    ["  ", ""],
    ["Date", "Date asc"],
    ["date ASC", "Date asc"],
    ["Date DESC", "Date desc"],
    ["Contact.Name desc", "Contact.Name desc"],
    ["DATE Desc,total,  contact . name asc ", "Date desc, Total asc, Contact.Name asc"],
    ["Date DESC, Total, date", "Date desc, Total asc"],
  ])("the order clause %j is accepted", (text, expected) => expect(shown(text)).toBe(expected));
});

describe("refused order clauses", () => {
  test.each([
    ["Foo", "No property or field 'Foo' exists in type 'Invoice'"],
    ["Date, Contact.Foo DESC", "No property or field 'Contact.Foo' exists in type 'Invoice'"],
    ["Date,", "At position 6 of order, a field was expected but nothing more was found."],
    [",Date", "At position 1 of order, a field was expected but ',' was found."],
    [
      "Date down",
      "At position 6 of order, ASC, DESC, ',' or the end was expected but 'down' was found.",
    ],
    [
      "Date ASC DESC",
      "At position 10 of order, ASC, DESC, ',' or the end was expected but 'DESC' was found.",
    ],
    [
      "Date; DROP",
      "At position 5 of order, ASC, DESC, ',' or the end was expected but ';' was found.",
    ],
    [
      "Contact.",
      "At position 9 of order, a name after '.' was expected but nothing more was found.",
    ],
    ['"Date"', 'At position 1 of order, a field was expected but "Date" was found.'],
    [
      Array(orderTermsMax + 1)
        .fill("Date")
        .join(),
      "At position 81 of order, more than 16 fields are named.",
    ],
    [
      "x".repeat(orderCharactersMax + 1),
      "The text of order is 2049 characters long, and at most 2048 are accepted.",
    ],
  ])("the order clause %j is refused", (text, message) => {
    const refused = expect(() => parse(text));
    refused.toThrow(new RefusedError("QueryParseException", message));
    refused.toThrow(expect.objectContaining({ code: "QueryParseException" }));
  });
});

test("every refused order clause gets one sentence as its reason", () => {
  const scraps = fc.constantFrom(
    "Date",
    "Contact",
    "Name",
    ".",
    ",",
    " ",
    "ASC",
    "desc",
    '"',
    "1",
    "é",
  );
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(scraps).map((words) => words.join("")),
  );
  fc.assert(
    fc.property(text, (source) => {
      try {
        parse(source);
      } catch (error) {
        expect(error).toBeInstanceOf(RefusedError);
        expect((error as RefusedError).code).toBe("QueryParseException");
      }
    }),
    { numRuns: runs(1000) },
  );
});
