/** Documents in other scripts on paper, with fonts of the machine: what is seen, and what is copied. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { salesInvoice } from "../../../src/output/documents/printed-kinds.ts";
import { useFonts } from "../../../src/output/pdf/fonts.ts";
import type { Invoice } from "../../../src/resources/invoice.ts";
import { paperOf } from "../../../src/service/pdf/print-document.ts";
import { composeText } from "../../../src/service/send/print.ts";
import { document, heron, line, rates, theme } from "./papers.ts";
import { readPdf } from "./pdf-text.ts";

const poppler = spawnSync("pdftotext", ["-v"]).error === undefined;
if (!poppler) console.warn("Papers are not read back: there is no pdftotext (poppler-utils) here.");

/** A font of the machine with a character; undefined, with a sentence, where there is none. */
function fontWith(codePoint: number, what: string, debian: string): string | undefined {
  const pattern = `:charset=${codePoint.toString(16)}:color=false:scalable=true`;
  const asked = spawnSync("fc-list", ["--format", "%{file}\n", pattern], { encoding: "utf8" });
  const [file = ""] = (asked.stdout ?? "").trim().split("\n").sort();
  if (file !== "") return file;
  console.warn(`${what} is not printed: there is no font with it (${debian}) here.`);
  return undefined;
}

const han = fontWith(0x9999, "Chinese and Japanese", "fonts-droid-fallback");
const arabic = fontWith(0x645, "Arabic", "fonts-dejavu-core");
const face = fontWith(0x1f600, "Emoji", "fonts-dejavu-core or fonts-symbola");

interface Printed {
  readonly bytes: Buffer;
  readonly missing: string;
  /** As it is copied, without the marks that pdftotext puts around other directions. */
  readonly text: string;
}

async function printed(lines: readonly string[], more: Partial<Invoice> = {}): Promise<Printed> {
  vi.stubEnv("ACCT_FONTS", "");
  onTestFinished(() => void vi.unstubAllEnvs());
  const invoice = document(
    lines.map((each) => line(each, 1, 100)),
    more,
  );
  const made = composeText(salesInvoice, invoice, { organisation: heron, rates, theme });
  const { bytes, missing } = await paperOf(made);
  const read = spawnSync("pdftotext", ["-enc", "UTF-8", "-", "-"], { input: bytes });
  const text = read.stdout.toString().replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "");
  return { bytes, missing, text: text.normalize("NFKC") };
}

interface Word {
  readonly text: string;
  readonly left: number;
  readonly right: number;
  readonly top: number;
}

/** Words of the first page, where they stand. */
function wordsOf(bytes: Buffer): Word[] {
  const read = spawnSync("pdftotext", ["-bbox", "-l", "1", "-enc", "UTF-8", "-", "-"], {
    input: bytes,
  });
  const pattern =
    /<word xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="[\d.]+">(.*?)<\/word>/g;
  return [...read.stdout.toString().matchAll(pattern)].map(([, left, top, right, text = ""]) => ({
    text: text.normalize("NFKC"),
    left: Number(left),
    right: Number(right),
    top: Number(top),
  }));
}

/** The first page as a picture. */
function pictureOf(bytes: Buffer): Buffer {
  const folder = mkdtempSync(join(tmpdir(), "acct-picture-"));
  try {
    writeFileSync(join(folder, "page.pdf"), bytes);
    const asked = ["-r", "72", "-singlefile", "-gray", "page.pdf", "page"];
    const { stderr, status } = spawnSync("pdftoppm", asked, { cwd: folder, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    return readFileSync(join(folder, "page.pgm"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test.runIf(poppler && han !== undefined)(
  "Chinese and Japanese text without spaces is broken within its column of the PDF, and copied as typed",
  async () => {
    const japanese =
      "香港の茶碗、手描き。直火対応「白」磁器のお皿と湯呑みのセットをご注文いただきありがとうございます。";
    const chinese =
      "北京市朝阳区建国门外大街甲6号华熙国际中心技术服务费，包含现场安装、调试以及远程支持。";
    const { bytes, missing, text } = await printed([japanese, chinese]);
    expect(missing).toBe("");
    expect(readPdf(bytes).boxes).toBe(0);
    const joined = text.replace(/\s/g, "");
    for (const typed of [japanese, chinese]) {
      expect(joined).toContain(typed.normalize("NFKC").replace(/\s/g, ""));
    }
    const words = wordsOf(bytes);
    const [quantity] = words.filter((each) => each.text === "Quantity");
    const cells = words.filter((each) => /[\u3040-\u9fff]/.test(each.text));
    expect(cells.length).toBeGreaterThan(3);
    for (const { right } of cells) expect(right).toBeLessThan(quantity?.left ?? 0);
    for (const each of cells) expect(each.text).not.toMatch(/^[、。，」]/);
  },
);

test.runIf(poppler && arabic !== undefined)(
  "Arabic text is printed from right to left with its figures, and copied from the PDF as typed",
  async () => {
    const typed = "مرحبا بكم في المتجر رقم الطلب 12345 والمبلغ 1,500.00 ريال لا غير";
    const { bytes, missing, text } = await printed([typed, "LAMP-3 مصباح طاولة"]);
    expect(missing).toBe("");
    expect(readPdf(bytes).boxes).toBe(0);
    // On a page that goes from the left pdftotext has the parts of a mixed line as they are seen,
    // each of them as it is typed.
    for (const part of typed.split(/ ([\d,.]+) /)) expect(text).toContain(part);
    expect(text).toContain("LAMP-3 مصباح طاولة");
    const words = wordsOf(bytes);
    // Words are told as they are drawn, from the left.
    const drawn = (word: string) => (/[\d,A-Z]/.test(word) ? word : [...word].reverse().join(""));
    const at = (word: string) => words.find((each) => each.text === drawn(word)) as Word;
    // The first word is at the right edge of its column, what follows is left of it.
    const order = ["مرحبا", "بكم", "12345", "والمبلغ"].map((word) => at(word).left);
    expect(order).toEqual(order.toSorted((a, b) => b - a));
    expect(at("مرحبا").right).toBeGreaterThan(at("Quantity").left - 40);
    // A line that begins with Latin letters begins at the left.
    expect(at("LAMP-3").left).toBeLessThan(at("مصباح").left);
    expect(at("LAMP-3").left).toBeCloseTo(at("Description").left, 0);
  },
);

test.runIf(poppler && arabic !== undefined)("Arabic letters are joined in the PDF", async () => {
  const joined = await printed(["ببب"]);
  const apart = await printed(["ب ب ب"]);
  const widthOf = ({ bytes }: Printed) => {
    const found = wordsOf(bytes).filter(({ text }) => text.includes("ب"));
    return found.reduce((sum, { left, right }) => sum + right - left, 0);
  };
  // Letters in the middle of a word are narrower than those that stand alone.
  expect(widthOf(joined)).toBeLessThan(widthOf(apart) * 0.8);
});

test.runIf(poppler && face !== undefined)(
  "an emoji is printed in outlines, and copied from the PDF as typed",
  async () => {
    const { bytes, missing, text } = await printed(["Thanks \u{1f600}!"]);
    expect(missing).toBe("");
    expect(readPdf(bytes).boxes).toBe(0);
    expect(text).toContain("Thanks \u{1f600}!");
    const sign = await printed(["Thanks \ufffd!"]);
    expect(pictureOf(bytes).equals(pictureOf(sign.bytes))).toBe(false);
  },
);

test.runIf(poppler)(
  "an emoji that no font has is reported as missing and printed as a placeholder, and copied as typed",
  async () => {
    vi.stubEnv("ACCT_FONTS", "none");
    onTestFinished(() => void vi.unstubAllEnvs());
    const invoice = document([line("Thanks \u{1f469}\u200d\u{1f3ed}!", 1, 100)]);
    const made = composeText(salesInvoice, invoice, { organisation: heron, rates, theme });
    const { bytes, missing } = await paperOf(made);
    expect(missing).toBe("\u{1f469}\u{1f3ed}");
    expect(readPdf(bytes).boxes).toBe(0);
    const read = spawnSync("pdftotext", ["-enc", "UTF-8", "-", "-"], { input: bytes });
    expect(read.stdout.toString()).toContain("Thanks \u{1f469}\u200d\u{1f3ed}!");
  },
);

test.runIf(poppler && han !== undefined)(
  "a font named by the user is used before the fonts of the computer",
  async () => {
    useFonts([han as string]);
    onTestFinished(() => useFonts([]));
    vi.stubEnv("ACCT_FONTS", "none");
    onTestFinished(() => void vi.unstubAllEnvs());
    const invoice = document([line("香港", 1, 100)]);
    const made = composeText(salesInvoice, invoice, { organisation: heron, rates, theme });
    const { bytes, missing } = await paperOf(made);
    expect(missing).toBe("");
    expect(readPdf(bytes).pages.flat().join("")).toContain("香港");
  },
);
