/** Input made to cost its reader as much as it can: refused by a bound, and never by a clock. */
import { expect, test } from "vitest";
import { readEInvoice } from "../../../src/e-invoices/index.ts";
import { atOnce, inSlices } from "../../../src/platform/slices.ts";
import { readJson } from "../../../src/wire/json.ts";
import { readXml } from "../../../src/wire/xml.ts";
import { hostilePdfs, pdfOf } from "./pdfs.ts";

const tooMuch = (message: RegExp) =>
  expect.objectContaining({ code: "TooMuch", message: expect.stringMatching(message) });

const refusalOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

test.each(Object.entries(hostilePdfs))("PDF: %s", (_name, make) => {
  const bytes = make();
  expect(refusalOf(() => atOnce(readEInvoice(bytes)))).toEqual(
    tooMuch(/^A PDF that .* is not read\.$/),
  );
});

test.each<[name: string, file: () => Buffer]>([
  ["PDF", () => pdfOf({ 1: `<<>> ${"obj ".repeat(600_000)}` })],
  ["XML", () => Buffer.from(`<a>${"<b/>".repeat(600_000)}</a>`)],
])("a server answers others while it reads a large %s", async (_name, file) => {
  let [slices, turns, isRead] = [0, 0, false];
  const counted = function* () {
    const read = readEInvoice(file());
    for (let each = read.next(); !each.done; each = read.next()) {
      slices += 1;
      yield;
    }
  };
  const turn = () => {
    turns += 1;
    if (!isRead) setImmediate(turn);
  };
  setImmediate(turn);
  await inSlices(counted()).catch(() => undefined);
  isRead = true;
  expect(slices).toBeGreaterThanOrEqual(10);
  expect(turns).toBeGreaterThanOrEqual(slices);
});

test.each<[name: string, text: () => string, message: RegExp]>([
  ["elements nest", () => "<a>".repeat(33), /nests deeper than 32 levels/],
  ["a million elements", () => `<a>${"<b/>".repeat(1_000_001)}</a>`, /1,000,000 elements/],
  ["a million attributes", () => `<a ${"b='' ".repeat(1_000_001)}/>`, /1,000,000 elements/],
  ["more text than is read", () => `<a>${" ".repeat(33_554_432)}</a>`, /larger than 32 MiB/],
])("XML: %s", (_name, text, message) => {
  expect(refusalOf(() => readXml(text()))).toEqual(tooMuch(message));
});

test.each<[name: string, text: () => string, message: RegExp]>([
  ["lists nest", () => "[".repeat(33), /nests deeper than 32 levels/],
  ["a million values", () => `[${"0,".repeat(1_000_001)}0]`, /1,000,000 values/],
])("JSON: %s", (_name, text, message) => {
  expect(refusalOf(() => readJson(text()))).toEqual(tooMuch(message));
});
