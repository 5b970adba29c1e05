/** `pdf`: a record as a file. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Answers, records } from "../../client/service.ts";
import { acct } from "../line.ts";

const id = "1f7f5b0e-0f8f-4f0b-8e52-7e7c0a0c5b11";
/** Bytes that no text encoding leaves as they are. */
const bytes = Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.from([0xff, 0xfe, 0, 0x80, 0xc3])]);

function service(fields: object = {}, body: Uint8Array | string = bytes): Answers {
  const invoice = { Type: "ACCREC", InvoiceID: id, InvoiceNumber: "INV-0042", ...fields };
  return {
    "GET /Invoices": records("Invoices", [invoice]),
    [`GET /Invoices/${id}`]: ({ headers }) =>
      headers.accept === "application/pdf" ? { body } : records("Invoices", [invoice]),
  };
}

beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), "acct-pdf-"));
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => {
    process.chdir(before);
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  });
});

const run = (line: string, answers = service()) => acct(line.split(" "), answers);

test("the PDF of an invoice is saved under its number, and the file name printed", async () => {
  const { code, stdout, stderr } = await run("invoice pdf INV-0042");
  expect([code, stdout, stderr]).toEqual([0, "INV-0042.pdf\n", ""]);
  expect(readFileSync("INV-0042.pdf").equals(bytes)).toBe(true);
  expect(readdirSync(".")).toEqual(["INV-0042.pdf"]);
});

test.each([
  [{ InvoiceNumber: "../../2026/07" }, "2026-07.pdf"],
  [{ InvoiceNumber: "a\u001b[2Jb" }, "a-[2Jb.pdf"],
  [{ InvoiceNumber: undefined }, `${id}.pdf`],
])(
  "the PDF of an invoice whose number cannot be a file name, %j, is saved as %s",
  async (fields, name) => {
    const { code, stdout } = await run(`invoice pdf ${id}`, service(fields));
    expect([code, stdout]).toEqual([0, `${name}\n`]);
    expect(readdirSync(".")).toEqual([name]);
  },
);

test("the PDF of a bill is saved under its number", async () => {
  const answers = service({ Type: "ACCPAY", InvoiceNumber: "B-1017" });
  const { code, stdout } = await run("bill pdf B-1017 -o json", answers);
  expect([code, JSON.parse(stdout)]).toEqual([0, { FileName: "B-1017.pdf" }]);
});

test("--output-file of a PDF may be a file, a folder, or standard output", async () => {
  mkdirSync("out");
  expect((await run("invoice pdf INV-0042 --output-file out")).stdout).toBe("out/INV-0042.pdf\n");
  expect((await run("invoice pdf INV-0042 --output-file x.pdf")).stdout).toBe("x.pdf\n");
  expect((await run("invoice pdf INV-0042 --output-file -")).stdout).toMatch(/^%PDF-1\.7\n/);
  expect(readdirSync(".")).toEqual(["out", "x.pdf"]);
});

test.each([
  ["", 2, "mine"],
  [" --no-input", 2, "mine"],
  [" --force", 0, "%PDF-"],
  [" --yes", 0, "%PDF-"],
])(
  'saving a PDF over an existing file with the flags "%s" ends with exit code %i',
  async (flags, code, begins) => {
    writeFileSync("INV-0042.pdf", "mine");
    const ran = await run(`invoice pdf INV-0042${flags}`);
    expect(ran.code).toBe(code);
    expect(readFileSync("INV-0042.pdf", "latin1").startsWith(begins)).toBe(true);
    expect(readdirSync(".")).toEqual(["INV-0042.pdf"]);
    if (code !== 0) expect(ran.stderr).toContain("INV-0042.pdf is there already");
  },
);

test("a dry run of invoice pdf writes no file", async () => {
  const { code, stderr } = await run("invoice pdf INV-0042 --dry-run");
  expect([code, stderr]).toEqual([
    0,
    "INV-0042.pdf would be written.\nDry run: nothing was changed.\n",
  ]);
  expect(readdirSync(".")).toEqual([]);
});

test.each([
  ["no/such/x.pdf", ""],
  ["out/", ""],
  ["out/", " --dry-run"],
])("saving a PDF in a missing folder is refused: %s%s", async (path, flag) => {
  const { code, stderr } = await run(`invoice pdf INV-0042 --output-file ${path}${flag}`);
  expect([code, stderr]).toEqual([2, `acct: Cannot write ${path}: there is no such folder.\n`]);
  expect(readdirSync(".")).toEqual([]);
});

test("an answer of the service that is no PDF is not saved", async () => {
  const { code, stderr } = await run("invoice pdf INV-0042", service({}, "<html>"));
  expect([code, stderr]).toEqual([
    6,
    "acct: The service sent something else than the invoice as PDF.\n",
  ]);
  expect(readdirSync(".")).toEqual([]);
});
