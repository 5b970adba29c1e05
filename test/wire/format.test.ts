import { expect, test } from "vitest";
import { bodyFormat, chooseFormat, contentTypeOf } from "../../src/wire/format.ts";

test.each([
  [undefined, "xml"],
  ["", "xml"],
  ["*/*", "xml"],
  ["text/xml", "xml"],
  ["application/xml", "xml"],
  ["application/json", "json"],
  ["Application/JSON; charset=utf-8", "json"],
  ["application/problem+json", "json"],
  ["application/json, text/plain, */*", "json"],
  ["*/*, application/json", "json"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "xml"],
  ["application/xml;q=0.5, application/json;q=0.9", "json"],
  ["application/json;q=0.5, text/xml", "xml"],
  ["application/json, text/xml", "json"],
  ["text/xml, application/json", "xml"],
  ["application/pdf", "pdf"],
  ["application/json;q=0.2, application/pdf", "pdf"],
  ["application/json;q=0, */*", "xml"],
  ["text/xml;q=0, */*", "json"],
  ["application/json;q=banana", "xml"],
  ["image/png", "xml"],
  [",;,q=1,,", "xml"],
  [`application/json${",".repeat(100_000)}`, "xml"],
])("the header Accept %j is answered with %s", (accept, format) => {
  expect(chooseFormat(accept)).toBe(format);
});

test("the content type of an answer is that of the requested format", () => {
  expect(contentTypeOf("json")).toBe("application/json; charset=utf-8");
  expect(contentTypeOf("pdf")).toBe("application/pdf");
  expect(contentTypeOf("xml")).toBe("text/xml; charset=utf-8");
  expect(contentTypeOf("xml", "application/xml")).toBe("application/xml; charset=utf-8");
  expect(contentTypeOf("xml", "application/xml, */*")).toBe("text/xml; charset=utf-8");
});

test.each([
  ["application/json; charset=utf-8", "<a/>", "json"],
  ["TEXT/XML", "{}", "xml"],
  ["application/xml", "", "xml"],
  ["application/x-www-form-urlencoded", "xml=%3Ca%2F%3E", "form"],
  ["application/x-www-form-urlencoded", " <a/>", "xml"],
  ["application/x-www-form-urlencoded", "{}", "json"],
  [undefined, "\n<a/>", "xml"],
  [undefined, " [", "json"],
  [undefined, "xml=%3Ca%2F%3E", "form"],
  ["application/octet-stream", "{}", "json"],
  ["text/plain", "hello", undefined],
  [undefined, "", undefined],
])("a request body of type %j with the text %j is taken for %s", (type, text, format) => {
  expect(bodyFormat(type, text)).toBe(format);
});

test.each([
  ["application/pdf", "xml"],
  ["application/pdf, application/json;q=0.2", "json"],
])("the header Accept %s, where no PDF is offered, is answered with %s", (accept, format) => {
  expect(chooseFormat(accept, { pdf: false })).toBe(format);
});
