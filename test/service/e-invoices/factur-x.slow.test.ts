/** Factur-X by the programs of others: the XML found, the PDF whole, its fonts within. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PDFDocument } from "@cantoo/pdf-lib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { isInstalled } from "../../shell/desk.ts";
import { germanKinds, issued } from "./kinds.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-test-factur-x-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const papers = new Map<string, { readonly pdf: Buffer; readonly xml: Buffer }>();
beforeAll(async () => {
  const { given, kinds, close } = await germanKinds();
  for (const kind of kinds) {
    papers.set(kind.name, {
      pdf: await issued(given, kind, "facturx"),
      xml: await issued(given, kind, "cii"),
    });
  }
  await close();
});

const saved = (pdf: Buffer): string => {
  const path = join(folder, "paper.pdf");
  writeFileSync(path, pdf);
  return path;
};

test("the library pdf-lib finds the XML and the metadata in a Factur-X PDF", async () => {
  for (const { pdf, xml } of papers.values()) {
    const document = await PDFDocument.load(pdf);
    const [file, ...others] = document.getAttachments();
    expect(others).toEqual([]);
    expect(file).toMatchObject({
      name: "factur-x.xml",
      mimeType: "text/xml",
      afRelationship: "Alternative",
    });
    expect(Buffer.from(file?.data ?? []).toString()).toBe(xml.toString());
  }
});

describe.skipIf(!isInstalled("qpdf", "Factur-X by qpdf"))("qpdf", () => {
  test("the tool qpdf finds no fault in a Factur-X PDF", () => {
    for (const { pdf } of papers.values()) {
      const said = execFileSync("qpdf", ["--check", saved(pdf)], { encoding: "utf8" });
      expect(said).toContain("No syntax or stream encoding errors found");
    }
  });
});

describe.skipIf(!isInstalled("pdfdetach", "Factur-X by poppler"))("poppler", () => {
  test("the tool poppler extracts the XML of a Factur-X PDF, and reports every font as embedded", () => {
    for (const { pdf, xml } of papers.values()) {
      const path = saved(pdf);
      const out = join(folder, "out.xml");
      execFileSync("pdfdetach", ["-save", "1", "-o", out, path]);
      expect(readFileSync(out, "utf8")).toBe(xml.toString());
      const fonts = execFileSync("pdffonts", [path], { encoding: "utf8" })
        .trim()
        .split("\n")
        .slice(2);
      expect(fonts.length).toBeGreaterThan(0);
      for (const font of fonts) expect(font).toMatch(/ yes yes yes +\d+ +\d+$/);
      const metadata = execFileSync("pdfinfo", ["-meta", path], { encoding: "utf8" });
      for (const part of [
        "<pdfaid:part>3</pdfaid:part>",
        "<pdfaid:conformance>B",
        "<fx:DocumentFileName>factur-x.xml<",
        "<pdfaSchema:prefix>fx<",
      ]) {
        expect(metadata).toContain(part);
      }
    }
  });
});
