import { describe, expect, test } from "vitest";
import {
  choice,
  id,
  integer,
  many,
  money,
  one,
  ref,
  text,
  texts,
} from "../../src/resources/field.ts";
import { contact, invoice, payment, taxRate } from "../../src/resources/index.ts";
import { validate } from "../../src/resources/validate.ts";

const creating = { creating: true };
const updating = { creating: false };
const messages = (faults: readonly { message: string }[]) => faults.map((fault) => fault.message);

describe("required fields", () => {
  test("creating a record reports each missing required field, except references and lists", () => {
    expect(messages(validate(invoice.fields, {}, creating))).toEqual(["Type is required."]);
    expect(messages(validate(payment.fields, {}, creating))).toEqual(["Amount is required."]);
  });

  test("an update of a record may leave out a required field, and may not clear it", () => {
    expect(validate(contact.fields, {}, updating)).toEqual([]);
    expect(validate(contact.fields, { Name: undefined }, updating)).toEqual([
      { rule: "Required", message: "Name may not be empty.", field: "Name" },
    ]);
  });

  test("elements of a list need their required fields in an update too", () => {
    const value = { TaxComponents: [{ Name: "GST", Rate: 150000 }, { Name: "PST" }] };
    expect(validate(taxRate.fields, value, updating)).toEqual([
      {
        rule: "Required",
        message: "TaxComponent 2: Rate is required.",
        field: "TaxComponents[1].Rate",
      },
    ]);
  });

  test("in an update, a list element with an id may leave out required fields", () => {
    const fields = { Options: many("Option", { OptionID: id(), Name: text({ required: true }) }) };
    const value = { Options: [{ OptionID: "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11" }, {}] };
    expect(messages(validate(fields, value, updating))).toEqual(["Option 2: Name is required."]);
  });
});

describe("limits of field values", () => {
  const fields = {
    Note: text({ max: 3 }),
    Kind: choice(["ONE", "TWO"]),
    Day: integer({ min: 0, max: 31 }),
    Amount: money({ max: 100 }),
    Details: one({ Inner: one({ Code: text({ max: 2 }) }) }),
    Lines: many(
      "Line",
      { Note: text({ max: 3 }), Tags: many("Tag", { Name: text({ max: 1 }) }, { max: 1 }) },
      { min: 1, max: 2 },
    ),
    Words: texts("Word"),
    Contact: ref("Contact", ["Name"], { Name: text({ max: 1 }) }, { required: true }),
    Total: money({ readOnly: true, max: 1 }),
  } as const;

  test("all faults of a record are reported at once, each with the path of its field", () => {
    const value = {
      Note: "long",
      Kind: "THREE",
      Day: 45,
      Amount: 101,
      Words: ["a"],
      Contact: { Name: "long" },
      Total: 5,
      Details: { Inner: { Code: "long" } },
      Lines: [{ Note: "ok" }, { Note: "long", Tags: [{ Name: "long" }] }],
    };
    expect(validate(fields, value, creating)).toEqual([
      { rule: "Form", message: "Note may have at most 3 characters, not 4.", field: "Note" },
      { rule: "Form", message: "Kind must be one of ONE, TWO, not 'THREE'.", field: "Kind" },
      { rule: "Form", message: "Day must be a whole number from 0 to 31, not 45.", field: "Day" },
      { rule: "Form", message: "Amount may be at most 1.00, not 1.01.", field: "Amount" },
      {
        rule: "Form",
        message: "Details.Inner.Code may have at most 2 characters, not 4.",
        field: "Details.Inner.Code",
      },
      {
        rule: "Form",
        message: "Line 2: Note may have at most 3 characters, not 4.",
        field: "Lines[1].Note",
      },
      {
        rule: "Form",
        message: "Line 2: Tag 1: Name may have at most 1 character, not 4.",
        field: "Lines[1].Tags[0].Name",
      },
    ]);
  });

  test("a list field longer than its limit is refused, and its elements are not checked", () => {
    const tooMany = { Lines: [{ Note: "long" }, {}, {}] };
    expect(messages(validate(fields, tooMany, creating))).toEqual([
      "Lines takes at most 2 entries, not 3.",
    ]);
    expect(messages(validate(fields, { Lines: [] }, creating))).toEqual([
      "Lines needs at least 1 entry.",
    ]);
    expect(messages(validate(fields, { Lines: [{ Tags: [{}, {}] }] }, creating))).toEqual([
      "Line 1: Tags takes at most 1 entry, not 2.",
    ]);
  });

  test("a long list of allowed values is shortened in the error message", () => {
    expect(messages(validate(invoice.fields, { CurrencyCode: "NZX" }, updating))).toEqual([
      "CurrencyCode may not be 'NZX'; did you mean NZD?",
    ]);
  });
});
