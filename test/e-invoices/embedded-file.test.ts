/** The XML within a PDF: whatever the bytes, a file or a sentence. */
import PdfDocument from "pdfkit";
import { expect, test } from "vitest";
import { EInvoiceError } from "../../src/e-invoices/model.ts";
import { embeddedXml, isPdf } from "../../src/e-invoices/pdf/embedded-file.ts";
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
    return Buffer.from(embeddedXml(bytes)).toString();
  } catch (error) {
    if (!(error instanceof EInvoiceError)) throw error;
    return error.message;
  }
};

test("the file of the usual name goes before any other XML", async () => {
  const both = await pdf({ "a.xml": "<a/>", "factur-x.xml": "<x/>", "b.txt": "b" });
  expect([isPdf(both), said(both)]).toEqual([true, "<x/>"]);
  expect(said(await pdf({ "(odd) name\\.XML": "<o/>" }))).toBe("<o/>");
  expect(said(await pdf({ "b.txt": "b" }))).toMatch(/holds no XML/);
  expect(said(await pdf({}))).toMatch(/holds no XML/);
});

test("a file that unpacks to more than is read is refused", async () => {
  const bomb = await pdf({ "factur-x.xml": "<x/>".padEnd(65 * 1024 * 1024) });
  expect(bomb.length).toBeLessThan(1024 * 1024);
  expect(said(bomb)).toMatch(/unpacks to more than is read/);
});

test("damage anywhere gives bytes, or a sentence", async () => {
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

test.each<[what: string, body: string]>([
  [
    "a tree that holds itself",
    "1 0 obj\n<</Names<</EmbeddedFiles 2 0 R>>>>\nendobj\n2 0 obj\n<</Kids[2 0 R]>>\nendobj\n",
  ],
  ["an object that is itself", "1 0 obj\n<</Names 2 0 R>>\nendobj\n2 0 obj\n2 0 R\nendobj\n"],
  ["lists without an end", `1 0 obj\n${"[".repeat(10_000)}\nendobj\n`],
])("%s comes to a sentence", (_what, body) => {
  const offsets = [...body.matchAll(/^(\d) 0 obj/gm)].map(({ index }) => index + 9);
  const table = offsets.map((at) => `${String(at).padStart(10, "0")} 00000 n \n`).join("");
  const text = `%PDF-1.7\n${body}xref\n1 ${offsets.length}\n${table}trailer\n<</Root 1 0 R>>\nstartxref\n${body.length + 9}\n%%EOF`;
  expect(said(Buffer.from(text))).toMatch(/\.$/);
});
