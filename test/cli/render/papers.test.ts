/** Spreadsheets, pages and PDF of the command line, and the files that they go to. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readXlsx } from "hucre";
import { describe, expect, test } from "vitest";
import { checkAnswer } from "../../../src/cli/render/out.ts";
import { letterheadOf } from "../../../src/output/letterhead.ts";
import { invoice } from "../../../src/resources/index.ts";
import { readPdf } from "../../service/pdf/pdf-text.ts";
import { png } from "../../service/pdf/pictures.ts";
import { newDesk } from "../real.ts";
import { invoices, kiln, printed, profitAndLoss } from "./samples.ts";

const letterhead = async () =>
  letterheadOf(
    { Name: "Blue Kiln Ltd", CountryCode: "NZ", RegistrationNumber: "12-34" },
    { color: "#1d4f91", logo: { mimeType: "image/png", width: 2, height: 1, bytes: png(2, 1) } },
  );

const golden = (name: string) => `../../golden/render-${name}`;

describe("an HTML page", () => {
  test.each([
    ["list.html", (out) => out.records(invoice, invoices)],
    ["record.html", (out) => out.record(invoice, kiln)],
    ["profit-and-loss.html", (out) => out.report(profitAndLoss)],
  ] satisfies [string, Parameters<typeof printed>[1]][])(
    "the HTML page matches the golden file %s",
    async (name, write) => {
      const { stdout, stderr } = await printed({ format: "html", letterhead }, write);
      expect(stderr).toBe("");
      // The style is for the eye, and its digest is looked at with every list and report.
      const shown = stdout
        .replace(/<style>.*<\/style>/s, "")
        .replace(/'sha256-[^']*'|&#39;sha256-[^&]*&#39;/, "");
      await expect(shown).toMatchFileSnapshot(golden(name));
    },
  );

  test("an HTML page of an empty list says that there are no records", async () => {
    const { stdout } = await printed({ format: "html" }, (out) => out.records(invoice, []));
    expect(stdout).toContain("There is nothing here.");
  });

  test("markup in the texts of records is escaped in an HTML page", async () => {
    const Name = `<img src=x onerror="alert(1)"> & 'Sons'`;
    const { stdout } = await printed({ format: "html" }, (out) =>
      out.records(invoice, [{ ...kiln, Contact: { Name } }]),
    );
    expect(stdout).toContain("&#60;img src=x onerror=&#34;alert(1)&#34;&#62; &#38; &#39;Sons&#39;");
    expect(stdout.match(/<img/g)).toBeNull();
  });
});

describe("an output format unsuited to a terminal", () => {
  test.each(["pdf", "xlsx"] as const)(
    "the format %s is refused on a terminal without --output-file",
    (format) => {
      expect(() => checkAnswer(invoice, { format }, () => true)).toThrow(
        "is not for a terminal to show: say where it goes with --output-file FILE",
      );
      expect(() => checkAnswer(invoice, { format }, () => false)).not.toThrow();
    },
  );

  test.each(["html", "pdf", "xlsx"] as const)(
    "the format %s is refused for a command whose answer is no list, record or report",
    (format) => {
      expect(() => checkAnswer(undefined, { format })).toThrow(`There is no ${format} of this`);
    },
  );
});

describe("--output-file", () => {
  const desk = newDesk();
  const acct = async (line: string, env: Readonly<Record<string, string>> = {}) =>
    desk.acct(`${line} --no-input`, { env: { ACCT_FONTS: "none", ...env } });
  const place = (name: string) => join(desk.home, name);
  const read = (name: string) => readFileSync(place(name));

  test("a book with a logo and a colour is created", async () => {
    writeFileSync(place("logo.png"), png(2, 1));
    const lines = [
      "init --name Heron --country US",
      "contact create --name Acme",
      "invoice create --contact Acme --invoice-number INV-1 --date 2026-03-01 --due-date 2026-03-02 --status AUTHORISED --line description=x,unit-amount=1234.5,account=400",
      "invoice create --contact Acme --invoice-number INV-2 --date 2026-03-01 --due-date 2026-03-20 --status AUTHORISED --line description=x,unit-amount=1,account=400",
      `branding set --logo ${place("logo.png")} --color #1d4f91`,
    ];
    for (const line of lines) {
      const { code, stderr } = await acct(line);
      expect(code, stderr).toBe(0);
    }
  });

  test.each([
    ["a.csv", "InvoiceNumber,Contact.Name"],
    ["a.json", '[\n  {"Type":"ACCREC"'],
    ["a.ndjson", '{"Type":"ACCREC"'],
    ["a.xml", "<Response "],
    ["a.html", "<!doctype html>"],
    ["a.HTM", "<!doctype html>"],
    ["a.pdf", "%PDF-"],
    ["a.xlsx", "PK\u0003\u0004"],
    ["a.txt", "InvoiceNumber  Contact.Name"],
    ["a", "InvoiceNumber  Contact.Name"],
  ])("the output file %s is written in the format of its extension", async (name, begins) => {
    const { code, stdout, stderr } = await acct(`invoice list --output-file ${place(name)}`);
    expect([code, stdout, stderr]).toEqual([0, "", ""]);
    expect(read(name).subarray(0, begins.length).toString("latin1")).toBe(begins);
  });

  test("-o takes precedence over the extension of the output file, and the extension over ACCT_OUTPUT", async () => {
    await acct(`invoice list -o csv --output-file ${place("b.json")}`);
    expect(read("b.json").toString()).toMatch(/^InvoiceNumber,/);
    await acct(`invoice list --output-file ${place("c.json")}`, { ACCT_OUTPUT: "csv" });
    expect(read("c.json").toString()).toMatch(/^\[/);
  });

  test("--output-file - writes to standard output", async () => {
    expect((await acct("invoice list -o csv --output-file -")).stdout).toMatch(/^InvoiceNumber,/);
  });

  test("a printed list and report have the letterhead of the organisation, on its paper size", async () => {
    const html = (await acct("invoice list -o html")).stdout;
    expect(html).toContain("main{border-top:.4rem solid #1d4f91}");
    expect(html).toContain('<img src="data:image/png;base64,');
    expect(html).toContain("@page{size:letter;");
    expect(html).toContain('<span class="overdue">3 days overdue</span>');
    await acct(`report pl --period 2026-03 --output-file ${place("pl.pdf")}`);
    const { dictionaries, pages } = readPdf(read("pl.pdf"));
    expect(dictionaries.join("")).toContain("/MediaBox [0 0 612 792]");
    expect(dictionaries.join("")).toContain("/Subtype /Image");
    expect(pages[0]).toEqual(expect.arrayContaining(["Profit & Loss", "1,235.50"]));
  });

  test("a printed record has its fields, its lines and its totals", async () => {
    await acct(`invoice show INV-1 --output-file ${place("one.xlsx")}`);
    const { sheets } = await readXlsx(read("one.xlsx"));
    expect(sheets.map(({ name }) => name)).toEqual(["Invoice", "Line items", "Totals"]);
    expect(sheets[2]?.rows).toEqual(expect.arrayContaining([["Total", 1234.5]]));
    const html = (await acct("invoice show INV-1 -o html")).stdout;
    expect(html).toContain("<h1>Invoice INV-1</h1>");
  });

  test("an existing output file is replaced only when the new one is complete, and kept when the command fails", async () => {
    writeFileSync(place("kept.csv"), "before\n");
    const { code, stderr } = await acct(
      `invoice list --where Nothing==1 --output-file ${place("kept.csv")}`,
    );
    expect(code, stderr).not.toBe(0);
    expect(read("kept.csv").toString()).toBe("before\n");
    expect(readdirSync(desk.home).filter((name) => name.includes("part"))).toEqual([]);
  });

  test("a dry run writes no output file", async () => {
    const { code, stderr } = await acct(`invoice list --dry-run --output-file ${place("dry.csv")}`);
    expect([code, stderr]).toEqual([0, expect.stringContaining("dry.csv would be written.")]);
    expect(existsSync(place("dry.csv"))).toBe(false);
  });

  test.each([
    ["invoice list --output-file nowhere/a.csv", /its folder is not there\.$/],
    ["invoice list --output-file FOLDER", /is a folder, not a file\.$/],
    ["invoice list -o pdf --columns Nothing", /has no column "Nothing"/],
    ["view -o pdf", /^acct: There is no pdf of this/],
  ])("acct %s is refused before it writes an output file", async (line, sentence) => {
    mkdirSync(place("folder"), { recursive: true });
    const { code, stderr } = await acct(
      line.replace("nowhere", place("nowhere")).replace("FOLDER", place("folder")),
    );
    expect(code).toBe(2);
    expect(stderr.trim()).toMatch(sentence);
  });

  test("ACCT_OUTPUT=pdf is refused", async () => {
    const { code, stderr } = await acct("invoice list", { ACCT_OUTPUT: "pdf" });
    expect([code, stderr]).toEqual([2, expect.stringContaining("ask for it with -o")]);
  });
});
