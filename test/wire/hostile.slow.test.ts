/** Whatever bytes arrive, under whatever type: records, or a refusal, and soon. */
import { describe, expect, test } from "vitest";
import { RefusedError } from "../../src/resources/errors.ts";
import { invoice, item } from "../../src/resources/index.ts";
import { validate } from "../../src/resources/validate.ts";
import { decodeBody } from "../../src/wire/decode/decode.ts";
import { decodeError } from "../../src/wire/decode/failure.ts";
import { encodeCollection } from "../../src/wire/encode/encode.ts";
import { encodeError } from "../../src/wire/errors.ts";
import { encodeInputs } from "../../src/wire/plain.ts";
import { readXml } from "../../src/wire/xml.ts";
import { fc, runs } from "../support/properties.ts";
import { recordOf } from "./arbitrary.ts";

const codes = ["PostDataInvalidException", "NoDataProcessedException", "TooMuch"];
const envelope = { id: "7f3c5f1e-6c0d-4a35-9c7b-6d4c3b0f9a21", provider: "x", at: 0 };
const exact = { view: "single", unitDecimals: 4 } as const;

/** Decodes and, where that goes well, goes on as the service would. */
function survives(body: Uint8Array, contentType: string | undefined): void {
  try {
    const records = decodeBody(invoice, body, contentType, { unitDecimals: 2 });
    expect(records.length).toBeGreaterThan(0);
    for (const record of records) validate(invoice.fields, record, { creating: true });
    // What was let in can be written in both formats.
    const some = records.slice(0, 100);
    readXml(encodeCollection("xml", invoice, some, envelope, exact));
    JSON.parse(encodeCollection("json", invoice, some, envelope, exact));
  } catch (error) {
    expect(error).toBeInstanceOf(RefusedError);
    const refusal = error as RefusedError;
    expect(codes).toContain(refusal.code);
    expect(refusal.message.length).toBeLessThan(1_000);
    for (const format of ["xml", "json"] as const) {
      const answer = encodeError(format, refusal, { instance: envelope.id, resource: invoice });
      expect(answer.status).toBe(400);
      if (format === "xml") readXml(answer.body);
      else JSON.parse(answer.body);
    }
  }
}

const contentType = fc.option(
  fc.oneof(
    fc.constantFrom(
      "application/json",
      "text/xml",
      "application/x-www-form-urlencoded",
      "text/plain",
      "multipart/form-data",
    ),
    fc.string(),
  ),
  { nil: undefined },
);

const document = fc.oneof(
  fc
    .array(recordOf(invoice.fields, { readOnly: false }), { minLength: 1, maxLength: 2 })
    .chain((records) =>
      fc.constantFrom(
        encodeInputs(invoice, records),
        encodeCollection("xml", invoice, records, envelope, exact),
      ),
    ),
  fc.json(),
  fc
    .object({
      key: fc.constantFrom(
        "Invoices",
        "Invoice",
        "LineItems",
        "Type",
        "Contact",
        "Date",
        "__proto__",
        "UnitAmount",
      ),
      maxDepth: 4,
    })
    .map((value) => JSON.stringify(value)),
);

test("an error answer of any bytes is decoded without an internal error", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), contentType, survives), {
    numRuns: runs(3_000),
  });
});

test("a truncated or altered request body is decoded, or refused", () => {
  const damage = fc.tuple(
    fc.nat(2_000),
    fc.nat(20),
    fc.oneof(
      fc.string({ maxLength: 5 }),
      fc.constantFrom("<", ">", "&", '"', "\u0000", "]]>", "{", "9".repeat(400), ""),
    ),
  );
  fc.assert(
    fc.property(document, fc.option(damage), fc.boolean(), contentType, (text, harm, cut, type) => {
      const [at, length, piece] = harm ?? [0, 0, ""];
      const damaged = cut ? text.slice(0, at) : text.slice(0, at) + piece + text.slice(at + length);
      survives(new TextEncoder().encode(damaged), type);
    }),
    { numRuns: runs(3_000) },
  );
});

describe("bodies built to be slow to parse", () => {
  const many = 1_000_000;
  test.each<[string, string]>([
    ["deep JSON", `${"[".repeat(many)}`],
    ["deep JSON objects", `${'{"LineItems":'.repeat(many / 10)}`],
    ["deep XML", "<a>".repeat(many)],
    ["spaces in a tag", `<a${" ".repeat(many)}`],
    ["a long name", `<${"a".repeat(many)}`],
    ["a long attribute name", `<a ${"b".repeat(many)}`],
    ["attributes without end", `<a ${"b='' ".repeat(many / 10)}`],
    ["comments without end", "<!--".repeat(many / 10)],
    ["ampersands", `<Invoice><Reference>${"&amp;".repeat(many / 5)}</Reference></Invoice>`],
    ["ampersands alone", `<Invoice><Reference>${"&".repeat(many)}</Reference></Invoice>`],
    ["a number of a million digits", `{"LineItems":[{"UnitAmount":${"1".repeat(many)}}]}`],
    [
      "a number of a million digits as text",
      `{"LineItems":[{"UnitAmount":"${"1".repeat(many)}"}]}`,
    ],
    ["commas between digits", `{"LineItems":[{"UnitAmount":"${"1,111".repeat(many / 10)}"}]}`],
    ["a choice of a million letters", `{"CurrencyCode":"${"A".repeat(many)}"}`],
    ["a date of a million digits", `{"DueDate":"/Date(${"1".repeat(many)})/"}`],
    ["an id of a million digits", `{"InvoiceID":"${"a".repeat(many)}"}`],
    ["spaces alone", " ".repeat(many)],
    ["lines alone, and then a fault", `${"\n".repeat(many)}<a`],
    ["a form of many fields", `a=1&`.repeat(many / 10)],
    ["percent signs", `xml=${"%".repeat(many)}`],
    [
      "many faults",
      `[${Array.from({ length: 9_000 }, () => '{"DueDate":"x","Date":"y","LineItems":[{"Quantity":"z"}]}').join(",")}]`,
    ],
    ["many empty lines", `{"LineItems":[${"{},".repeat(60_000)}{}]}`],
    [
      "many choices that are near",
      `[${Array.from({ length: 3_000 }, () => '{"CurrencyCode":"NZX","Status":"AUTHORIZED"}').join(",")}]`,
    ],
    [
      "entities in entities",
      '<!DOCTYPE a [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]><a>&b;</a>',
    ],
  ])("a large request body is decoded or refused in bounded time: %s", (_name, body) => {
    for (const type of [
      undefined,
      "application/json",
      "text/xml",
      "application/x-www-form-urlencoded",
    ]) {
      survives(new TextEncoder().encode(body), type);
    }
  });

  test.each([
    ["messages without end", `<ApiException>${"<Message>".repeat(100_000)}`],
    [
      "the same message",
      `<ApiException><Elements>${"<DataContractBase><Message>a</Message></DataContractBase>".repeat(50_000)}`,
    ],
    ["titles without end", `<html>${"<title".repeat(500_000)}`],
    ["deep JSON", `${'{"Elements":['.repeat(100_000)}`],
    ["pairs", "oauth_problem=a&".repeat(200_000)],
    ["spaces", `{"Message":"${" ".repeat(1_000_000)}"}`],
  ])("an error body of %s is read in bounded time", async (_name, body) => {
    expect(await decodeError(400, {}, body)).toBeInstanceOf(RefusedError);
  });
});

test("no request body changes the object prototype or other records", () => {
  const body = new TextEncoder().encode(
    '[{"__proto__":{"Code":"X"},"constructor":{"prototype":{"Code":"X"}},"Name":"a"},{"Name":"b"}]',
  );
  const records = decodeBody(item, body, "application/json", { unitDecimals: 2 });
  expect(records).toStrictEqual([{ Name: "a" }, { Name: "b" }]);
  expect(({} as Record<string, unknown>).Code).toBeUndefined();
});
