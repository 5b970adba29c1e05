/** Input made to cost its reader as much as it can: refused by a bound, and never by a clock. */
import { expect, test } from "vitest";
import { filesIn, readBankFile } from "../../../src/bank-files/index.ts";
import { readEInvoice } from "../../../src/e-invoices/index.ts";
import { runAtOnce, runInSlices } from "../../../src/platform/slices.ts";
import { readJson } from "../../../src/wire/json.ts";
import { readXml } from "../../../src/wire/xml.ts";
import { hostilePdfs, pdfOf } from "./pdfs.ts";
import { hostileZips } from "./zips.ts";

const tooMuch = (message: RegExp) =>
  expect.objectContaining({ code: "TooMuch", message: expect.stringMatching(message) });

const camt = (inside: string): string =>
  `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>${inside}`;

const refusalOf = (read: () => unknown): unknown => {
  try {
    return read();
  } catch (error) {
    return error;
  }
};

test.each(Object.entries(hostilePdfs))(
  "a PDF is refused as too large or too deep to read: %s",
  (_name, make) => {
    const bytes = make();
    expect(refusalOf(() => runAtOnce(readEInvoice(bytes)))).toEqual(
      tooMuch(/^A PDF that .* is not read\.$/),
    );
  },
);

const bank = (bytes: Uint8Array): number => {
  let parts = 0;
  for (const { open } of filesIn(() => [bytes])) {
    for (const _ of readBankFile(open)) parts += 1;
  }
  return parts;
};

test.each(Object.entries(hostileZips))(
  "a ZIP archive is refused as too large to unpack: %s",
  (_name, make) => {
    const bytes = make();
    expect(refusalOf(() => bank(bytes))).toEqual(
      tooMuch(/^A (?:ZIP that .* is not read|file of the ZIP .*)\.$|unpacks to more/),
    );
  },
);

const rows = "\n2026-03-01,1.00,Coffee".repeat(3);
test.each<[name: string, text: () => string, message: RegExp]>([
  [
    "CSV of 100,000 columns",
    () => `Date,Amount,Text${",x".repeat(100_000)}${rows}`,
    /2000 columns/,
  ],
  [
    "CSV of 100,000 quoted columns",
    () => `"Date",Amount${',"x"'.repeat(100_000)}${rows}`,
    /2000 columns/,
  ],
  [
    "CSV of 100,000 columns by semicolons",
    () => `Date;Amount${";x".repeat(100_000)}`,
    /2000 columns/,
  ],
  [
    "OFX that nests",
    () => `OFXHEADER:100\n\n<OFX>${"<A>".repeat(100)}${"</A>".repeat(100)}</OFX>`,
    /nest deeper/,
  ],
  [
    "OFX without an end",
    () => `OFXHEADER:100\n\n<OFX><NAME>${"x".repeat(1_100_000)}`,
    /longer than 1048576/,
  ],
  ["CAMT that nests", () => camt(`<Ntry>${"<A>".repeat(100)}</Ntry>`), /nest deeper/],
  ["CAMT with an endless head", () => camt("<Id>x</Id>".repeat(200_000)), /longer than/],
  [
    "MT940 with an endless field",
    () => `:20:A\n:25:B/1\n:28C:1\n:60F:C260301EUR1,00\n:86:${"x\n".repeat(60_000)}`,
    /longer/,
  ],
  ["QIF of endless records", () => `!Type:Bank\n${"Nx\n".repeat(20_000)}^`, /10000 lines/],
])("a bank file is refused as too large to read: %s", (_name, text, message) => {
  const refusal = refusalOf(() => bank(Buffer.from(text())));
  expect(refusal).toEqual(tooMuch(message));
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
  await runInSlices(counted()).catch(() => undefined);
  isRead = true;
  expect(slices).toBeGreaterThanOrEqual(10);
  expect(turns).toBeGreaterThanOrEqual(slices);
});

test.each<[name: string, text: () => string, message: RegExp]>([
  ["elements nest", () => "<a>".repeat(33), /nests deeper than 32 levels/],
  ["a million elements", () => `<a>${"<b/>".repeat(1_000_001)}</a>`, /1,000,000 elements/],
  ["a million attributes", () => `<a ${"b='' ".repeat(1_000_001)}/>`, /1,000,000 elements/],
  ["more text than is read", () => `<a>${" ".repeat(33_554_432)}</a>`, /larger than 32 MiB/],
])("an XML document is refused as too large or too deep: %s", (_name, text, message) => {
  expect(refusalOf(() => readXml(text()))).toEqual(tooMuch(message));
});

test.each<[name: string, text: () => string, message: RegExp]>([
  ["lists nest", () => "[".repeat(33), /nests deeper than 32 levels/],
  ["a million values", () => `[${"0,".repeat(1_000_001)}0]`, /1,000,000 values/],
])("a JSON document is refused as too large or too deep: %s", (_name, text, message) => {
  expect(refusalOf(() => readJson(text()))).toEqual(tooMuch(message));
});
