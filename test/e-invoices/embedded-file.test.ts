/** The XML within a PDF: whatever the bytes, a file or a sentence. */

import { PDFDocument } from "@cantoo/pdf-lib";
import PdfDocument from "pdfkit";
import { describe, expect, test } from "vitest";
import { embeddedXml, isPdf } from "../../src/e-invoices/pdf/embedded-file.ts";
import { runAtOnce } from "../../src/platform/slices.ts";
import { RefusedError } from "../../src/resources/errors.ts";
import { pdfOf, pdfWith } from "../resources/hostile/pdfs.ts";
import { fc, runs } from "../support/properties.ts";

async function pdf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const doc = new PdfDocument({ margin: 0, compress: true });
  const chunks: Buffer[] = [];
  doc.on("data", (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => doc.once("end", resolve));
  const { file } = doc as unknown as { file(bytes: Uint8Array, options: object): void };
  for (const [name, text] of Object.entries(files)) file.call(doc, Buffer.from(text), { name });
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

const said = (bytes: Buffer): string => {
  try {
    return Buffer.from(runAtOnce(embeddedXml(bytes))).toString();
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return error.message;
  }
};

test("an embedded file named factur-x.xml is preferred to other XML files of the PDF", async () => {
  const both = await pdf({ "a.xml": "<a/>", "factur-x.xml": "<x/>", "b.txt": "b" });
  expect([isPdf(both), said(both)]).toEqual([true, "<x/>"]);
  expect(said(await pdf({ "(odd) name\\.XML": "<o/>" }))).toBe("<o/>");
  expect(said(await pdf({ "b.txt": "b" }))).toMatch(/holds no XML/);
  expect(said(await pdf({}))).toMatch(/holds no XML/);
});

test("an embedded file that unpacks beyond the limit is refused", async () => {
  const bomb = await pdf({ "factur-x.xml": "<x/>".padEnd(65 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(said(bomb)).toMatch(/unpacks to more than 64 MiB/);
});

test("a PDF damaged at random gives its embedded file, or is refused with the reason", async () => {
  const whole = await pdf({ "factur-x.xml": "<x/>" });
  fc.assert(
    fc.property(
      fc.array(fc.record({ at: fc.nat(whole.length - 1), to: fc.nat(255) }), {
        minLength: 1,
        maxLength: 20,
      }),
      fc.nat(whole.length),
      (damage, length) => {
        const broken = Buffer.from(whole.subarray(0, length < 20 ? whole.length : length));
        for (const { at, to } of damage) if (at < broken.length) broken[at] = to;
        // Without the name of its filter the file is what was packed: its reader refuses that.
        expect(() => said(broken)).not.toThrow();
      },
    ),
    { numRuns: runs(4000) },
  );
});

const latin = (text: string): Buffer => Buffer.from(text, "latin1");
const edited = (bytes: Buffer, from: string | RegExp, to: string): Buffer =>
  latin(bytes.toString("latin1").replace(from, to));

test.each<[damage: string, done: (whole: Buffer) => Buffer]>([
  ["no damage", (whole) => whole],
  ["a wrong offset of the table", (whole) => edited(whole, /startxref\n\d+/, "startxref\n7")],
  ["an offset beyond the end", (whole) => edited(whole, /startxref\n\d+/, "startxref\n99999999")],
  ["offsets off by one", (whole) => edited(whole, /%PDF-(1.\d)\n/, "%PDF-$1\r\n")],
  ["bytes before the head", (whole) => Buffer.concat([latin("Content-Type: a/b\r\n\r\n"), whole])],
  ["no mark of the end", (whole) => edited(whole, "%%EOF", "")],
  ["no startxref", (whole) => edited(whole, /startxref[\s\S]*$/, "")],
  ["no table", (whole) => edited(whole, /xref\n0[\s\S]*?trailer/, "trailer")],
  ["bytes behind the end", (whole) => Buffer.concat([whole, latin("\r\n--boundary--\r\n")])],
  ["much behind the end", (whole) => Buffer.concat([whole, Buffer.alloc(5000, "\n")])],
  ["lengths that are wrong", (whole) => edited(whole, /\/Length \d+/g, "/Length 3")],
  [
    "a carriage return alone as line end",
    (whole) => edited(whole, /(obj|endobj|endstream|>>|xref|trailer|\d [nf])[ ]?\n/g, "$1\r"),
  ],
])("the e-invoice in a PDF with %s is read", async (_damage, done) => {
  const damaged = done(await pdf({ "factur-x.xml": "<x>\n1</x>", "terms.txt": "t" }));
  expect([isPdf(damaged), said(damaged)]).toEqual([true, "<x>\n1</x>"]);
});

test("of two revisions in a PDF the later one is read, with and without its cross-reference table", () => {
  const first = pdfWith({ "factur-x.xml": "<first/>" });
  const later = pdfWith({ "factur-x.xml": "<later/>" }).subarray("%PDF-1.7\n".length);
  expect(said(Buffer.concat([first, later]))).toBe("<later/>");
  expect(said(edited(Buffer.concat([first, later]), /startxref[^x]*$/, ""))).toBe("<later/>");
});

test("a PDF whose last revision was cut off is refused", () => {
  const first = pdfWith({ "factur-x.xml": "<first/>" });
  const later = pdfWith({ "factur-x.xml": "<later/>" }).subarray("%PDF-1.7\n".length);
  const cut = later.subarray(0, later.indexOf("trailer"));
  expect(said(Buffer.concat([first, cut]))).toBe("The PDF was cut off.");
});

test("objects of a PDF attached to a PDF are not taken for objects of the outer PDF", async () => {
  const inner = pdfWith({ "factur-x.xml": "<inner/>" }).toString("latin1");
  const outer = pdfOf({
    1: "<</Type/Catalog/AF[2 0 R 4 0 R]>>",
    2: "<</F(factur-x.xml)/EF<</F 3 0 R>>>>",
    3: "<</Length 8>>stream\n<outer/>\nendstream",
    4: "<</F(inner.pdf)/EF<</F 5 0 R>>>>",
    5: `<</Length ${inner.length}>>stream\n${inner}\nendstream`,
  });
  expect(said(outer)).toBe("<outer/>");
});

test("a PDF protected by a password is refused with that reason", () => {
  expect(said(pdfOf({ 1: "<</Type/Catalog>>" }, "/Root 1 0 R/Encrypt 9 0 R"))).toMatch(/password/);
});

describe.each([
  ["object streams", true],
  ["a table", false],
])("the XML is read from a PDF of another program with %s", (_form, useObjectStreams) => {
  test.each<[damage: string, done: (whole: Buffer) => Buffer]>([
    ["without damage", (whole) => whole],
    ["with a wrong startxref", (whole) => edited(whole, /startxref\n\d+/, "startxref\n7")],
    ["with 12 bytes before its header", (whole) => Buffer.concat([latin("MIME junk..\n"), whole])],
    ["without an end mark", (whole) => edited(whole, "%%EOF", "")],
    ["with 2 KB after its end", (whole) => Buffer.concat([whole, Buffer.alloc(2048, "\n")])],
    ["with offsets off by one", (whole) => edited(whole, "%PDF-1.7\n", "%PDF-1.7\r\n")],
  ])("the e-invoice in a PDF of another program %s is read", async (_damage, done) => {
    const made = await PDFDocument.create();
    made.addPage([200, 200]);
    await made.attach(Buffer.from("<x>hello</x>"), "factur-x.xml", { mimeType: "text/xml" });
    expect(said(done(Buffer.from(await made.save({ useObjectStreams }))))).toBe("<x>hello</x>");
  });
});
