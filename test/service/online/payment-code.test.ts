/** QR codes of payments in SEPA: what they say, and that they are read from the page and the paper. */
import { spawnSync } from "node:child_process";
import decode from "qr/decode.js";
import { expect, test } from "vitest";
import { type QrCode, qrCode } from "../../../src/output/qr-code.ts";
import type { Cents } from "../../../src/resources/decimal.ts";
import { paymentCode } from "../../../src/service/send/payment-code.ts";
import { fc, runs as times } from "../../support/properties.ts";
import { invoiced, type World, world } from "../fixture.ts";
import { addressOf, open } from "./opened.ts";

const details = ["Quay GmbH", "IBAN DE89 3704 0044 0532 0130 00 BIC COBADEFF370"];
const transfer = { name: "Quay GmbH", bankDetails: details, reference: "RE-17" };

/** Draws a code as an image, and reads it as a camera would. */
function scanned({ size, runs }: QrCode): string {
  const scale = 4;
  const side = size * scale;
  const data = new Uint8Array(side * side * 4).fill(255);
  for (const { x, y, length } of runs) {
    for (let row = y * scale; row < (y + 1) * scale; row++) {
      for (let column = x * scale; column < (x + length) * scale; column++) {
        data.fill(0, (row * side + column) * 4, (row * side + column) * 4 + 3);
      }
    }
  }
  return decode({ width: side, height: side, data });
}

const hasPictures = spawnSync("pdftoppm", ["-v"]).status === 0;

const pageOf = async (given: World, path: string) => open(given, await addressOf(given, path));

test.each<[string, Partial<Parameters<typeof paymentCode>[0]>, string]>([
  [
    "account, amount and number of the invoice",
    { amount: 123_450 as Cents },
    "BCD\n002\n1\nSCT\nCOBADEFF370\nQuay GmbH\nDE89370400440532013000\nEUR1234.50\n\n\nRE-17",
  ],
  [
    "a creditor reference as one, without a text",
    { reference: "RF18 5390 0754 7034", bankDetails: ["FR14 2004 1010 0505 0001 3M02 606"] },
    "BCD\n002\n1\nSCT\n\nQuay GmbH\nFR1420041010050500013M02606\nEUR0.01\n\nRF18539007547034",
  ],
  [
    "at most 70 characters of a name",
    { name: "Q".repeat(88), reference: undefined },
    `BCD\n002\n1\nSCT\nCOBADEFF370\n${"Q".repeat(70)}\nDE89370400440532013000\nEUR0.01`,
  ],
])("a payment code has %s", (_, more, text) => {
  expect(paymentCode({ ...transfer, amount: 1 as Cents, ...more })).toBe(text);
});

test.each<[string, Partial<Parameters<typeof paymentCode>[0]>]>([
  ["nothing is due", { amount: 0 as Cents }],
  ["more is due than a transfer may be of", { amount: 100_000_000_000 as Cents }],
  ["the check digits of the IBAN are wrong", { bankDetails: ["IBAN DE88370400440532013000"] }],
  ["the account is outside of SEPA", { bankDetails: ["IBAN SA03 8000 0000 6080 1016 7519"] }],
  ["the bank details name no IBAN", { bankDetails: ["38-9000-0123456-00"] }],
])("there is no payment code where %s", (_, more) => {
  expect(paymentCode({ ...transfer, amount: 1 as Cents, ...more })).toBeUndefined();
});

test("a code of any name and reference is read as it was written", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 140, unit: "grapheme" }), (text) => {
      fc.pre(text !== "");
      expect(scanned(qrCode(text))).toBe(text);
    }),
    { numRuns: times(200) },
  );
});

async function inCurrency(given: World, CurrencyCode: string) {
  await given.ok("PUT", "/Currencies", { Code: CurrencyCode });
  const { BrandingThemes } = await given.ok("PUT", "/Extensions/BrandingThemes", {
    Name: "Abroad",
  });
  const path = `/BrandingThemes/${BrandingThemes[0].BrandingThemeID}/Settings`;
  await given.ok("POST", path, { CurrencyCode, BankDetails: details.join("\n") });
  return invoiced(given, { Status: "AUTHORISED", CurrencyCode, CurrencyRate: 0.5 });
}

test("the page of an invoice in euro has the code of its payment while something is due", async () => {
  const given = await world();
  const made = await inCurrency(given, "EUR");
  const { text } = await pageOf(given, `/Invoices/${made.InvoiceID}`);
  const runs = [...text.matchAll(/M(\d+) (\d+)h(\d+)v1h/g)].map((match) => {
    const [x = 0, y = 0, length = 0] = match.slice(1).map(Number);
    return { x, y, length };
  });
  const size = Number(/viewBox="0 0 (\d+)/.exec(text)?.[1]);
  const said = `\nDE89370400440532013000\nEUR${made.AmountDue.toFixed(2)}\n\n\n${made.InvoiceNumber}`;
  expect(scanned({ size, runs })).toContain(said);
  await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status: "VOIDED" });
  expect((await pageOf(given, `/Invoices/${made.InvoiceID}`)).text).not.toContain("QR code");
});

test("an invoice in another currency has no payment code", async () => {
  const given = await world();
  const made = await inCurrency(given, "USD");
  const { text } = await pageOf(given, `/Invoices/${made.InvoiceID}`);
  expect(text).toContain("DE89 3704");
  expect(text).not.toContain("QR code");
});

test.skipIf(!hasPictures)("the code on paper is read from a picture of the page", async () => {
  const given = await world();
  const made = await inCurrency(given, "EUR");
  const headers = { accept: "application/pdf" };
  const path = `/Invoices/${made.InvoiceID}`;
  const { body } = await given.book.transport({ method: "GET", path, query: [], headers });
  const drawn = spawnSync("pdftoppm", ["-r", "150", "-gray"], {
    input: body as Uint8Array,
    maxBuffer: 2 ** 24,
  }).stdout;
  const [head, width, height] =
    /^P5\n(\d+) (\d+)\n255\n/.exec(drawn.toString("latin1", 0, 40)) ?? [];
  const data = drawn.subarray(head?.length);
  const rgba = new Uint8Array(data.length * 4);
  for (const [at, shade] of data.entries()) rgba.fill(shade, at * 4, at * 4 + 3);
  const image = { width: Number(width), height: Number(height), data: rgba };
  const found = decode(image, { effort: Infinity, timeLimit: Infinity });
  expect(found).toContain(`EUR${made.AmountDue.toFixed(2)}\n\n\n${made.InvoiceNumber}`);
});
