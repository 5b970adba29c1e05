/** What is written is read back as it was, for every resource in every format. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { describe, expect, test } from "vitest";
import {
  boolean,
  choice,
  date,
  id,
  integer,
  many,
  money,
  one,
  percent,
  quantity,
  type Resource,
  rate,
  ref,
  resource,
  text,
  texts,
  timestamp,
  unitAmount,
} from "../../src/resources/field.ts";
import { historyRecord, resources, trackingOption } from "../../src/resources/index.ts";
import { validate } from "../../src/resources/validate.ts";
import { decodeBody } from "../../src/wire/decode/decode.ts";
import { decodeAnswer } from "../../src/wire/decode/decode-answer.ts";
import { type EncodeOptions, encodeCollection } from "../../src/wire/encode/encode.ts";
import { encodeInputs, writePlain } from "../../src/wire/plain.ts";
import { fc, runs } from "../support/properties.ts";
import { recordOf, withoutEmptyLists } from "./arbitrary.ts";

/** Every kind there is, nested in every way there is. */
const inner = {
  Note: text(),
  Words: texts("Word"),
  At: timestamp(),
  Deep: many("Part", { Price: unitAmount(), Day: date() }),
};
const thing = resource(
  "Thing",
  {
    ThingID: id(),
    Note: text(),
    Exact: text({ verbatim: true }),
    Number: text({ blank: true }),
    Kind: choice(["ONE", "Two"]),
    Flag: boolean(),
    Count: integer(),
    Day: date(),
    At: timestamp({ twin: "AtText" }),
    Amount: money(),
    Price: unitAmount(),
    Size: quantity(),
    Share: percent(),
    Course: rate(),
    Other: ref("Other", ["Code", "OtherID"], { OtherID: id(), Code: text(), Total: money() }),
    Inner: one(inner),
    Parts: many("Part", inner),
    Words: texts("Word"),
  },
  {
    plural: "Things",
    id: "ThingID",
    collection: [],
    record: [],
    batchMax: 1,
    columns: [],
    noun: "thing",
    summary: "",
  },
) as Resource;

/** What is answered empty where it is not set, and so is sent back as not set. */
const blanksOf = ({ fields }: Resource) =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.kind === "text" && field.blank === true && field.readOnly !== true
        ? [[name, undefined]]
        : [],
    ),
  );

const all = [thing, ...resources, historyRecord, trackingOption].map(
  (each) => [each.name, each] as const,
);

const envelope = { id: "7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21", provider: "x", at: 0 };
const exact: EncodeOptions = { view: "single", unitDecimals: 4, handles: true };
const bytes = (body: string) => new TextEncoder().encode(body);

describe.each(all)("generated records of %s", (_name, each) => {
  const written = fc.array(recordOf(each.fields, { readOnly: false }), {
    minLength: 1,
    maxLength: 3,
  });
  const shown = fc.array(recordOf(each.fields, { readOnly: true }), { minLength: 1, maxLength: 3 });

  test("a generated request in XML is decoded as it was encoded", () => {
    fc.assert(
      fc.property(written, (records) => {
        const body = encodeCollection("xml", each, records, envelope, exact);
        expect(decodeBody(each, bytes(body), "text/xml", { unitDecimals: 4 })).toStrictEqual(
          records,
        );
      }),
      { numRuns: runs(100) },
    );
  });

  test("a generated request in JSON is decoded as it was encoded", () => {
    fc.assert(
      fc.property(written, (records) => {
        const body = encodeInputs(each, records);
        expect(
          decodeBody(each, bytes(body), "application/json", { unitDecimals: 4 }),
        ).toStrictEqual(records);
      }),
      { numRuns: runs(100) },
    );
  });

  test("an answer sent back as JSON is decoded as a request", () => {
    fc.assert(
      fc.property(written, (records) => {
        const body = encodeCollection("json", each, records, envelope, exact);
        const read = decodeBody(each, bytes(body), "application/json", { unitDecimals: 4 });
        const sent = records.map((record) => ({ ...blanksOf(each), ...record }));
        expect(withoutEmptyLists(read)).toStrictEqual(withoutEmptyLists(sent));
      }),
      { numRuns: runs(100) },
    );
  });

  test("an answer is decoded as it was encoded, with read-only fields", () => {
    fc.assert(
      fc.property(shown, (records) => {
        const body = encodeCollection("json", each, records, envelope, exact);
        const flags = { HasErrors: false, HasValidationErrors: false };
        const read = decodeAnswer(each, body).records;
        expect(withoutEmptyLists(withFlags(read, flags))).toEqual(
          withoutEmptyLists(withFlags(records, flags)),
        );
      }),
      { numRuns: runs(100) },
    );
  });

  test("plain JSON has the same values as the wire format", () => {
    fc.assert(
      fc.property(shown, (records) => {
        const body = `{"${each.plural}":[${records.map((record) => writePlain(each.fields, record)).join(",")}]}`;
        const read = decodeAnswer(each, body).records;
        expect(withoutEmptyLists(read)).toEqual(withoutEmptyLists(records));
      }),
      { numRuns: runs(100) },
    );
  });

  test("another XML parser finds the same texts in an encoded answer", () => {
    const parser = new XMLParser({ parseTagValue: false, trimValues: false, htmlEntities: true });
    fc.assert(
      fc.property(shown, (records) => {
        const body = encodeCollection("xml", each, records, envelope, exact);
        expect(XMLValidator.validate(body)).toBe(true);
        expect(parser.parse(body)).toHaveProperty(["Response", "Status"], "OK");
      }),
      { numRuns: runs(20) },
    );
  });

  test("each fault put into a generated record is reported in a sentence that names its field", () => {
    fc.assert(
      fc.property(written, (records) => {
        for (const record of records) {
          for (const fault of validate(each.fields, record, { creating: true })) {
            expect(fault.message).toMatch(/^[A-Z].*[.?]$/s);
            expect(fault.field).toMatch(/^[A-Z][\w.[\]]*$/);
          }
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

/** Sets the flags that answers add wherever they may stand. */
function withFlags(value: unknown, flags: Record<string, boolean>): unknown {
  if (Array.isArray(value)) return value.map((each) => withFlags(each, flags));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    [...Object.entries(value), ...Object.entries(flags)].map(([name, held]) => [
      name,
      withFlags(held, flags),
    ]),
  );
}
