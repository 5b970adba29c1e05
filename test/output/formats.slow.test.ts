/**
 * Every list and every report of two companies in every format that people look at: they show what
 * CSV has, are valid, and their sums come to the same in programs that calculate.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { parse } from "csv-parse/sync";
import { HtmlValidate } from "html-validate";
import { type Cell, readXlsx } from "hucre";
import { beforeAll, describe, expect, test } from "vitest";
import { unpack } from "../../src/bank-files/archive.ts";
import { unguardCell } from "../../src/output/csv-output.ts";
import { type ZipEntry, zipEntries } from "../../src/platform/zip.ts";
import { axeFaults } from "../browser/axe.ts";
import { hasChromium, launchChromium } from "../browser/chromium.ts";
import { walk, wholeTree } from "../cli/tree.ts";
import { isInstalled } from "../shell/desk.ts";
import { type Company, companyOfTwoCurrencies, sampleCompany } from "./companies.ts";

/** Arguments that commands need, by their lines. */
const argumentsOf: Readonly<Record<string, (company: Company) => string>> = {
  "report statement": ({ contact }) => `'${contact}'`,
  // People are shown blocks, with other columns than CSV; columns that are chosen are a list.
  "report account-transactions": ({ account }) => `${account} --columns Date,Number,Debit,Credit`,
  "report journal": () => "--columns Date,Number,Debit,Credit",
  "report show": () => "none",
  "report bank-reconciliation": () => "090",
  "bank lines": () => "090",
  "attachment list": () => "--on invoice:INV-1",
  "history list": () => "--on contact:'Moa Coffee'",
};

/** Commands of the machine and of a server, which have no book, and those that wait. */
const others =
  /^(api|auth|completion|doctor|profile|schema|serve|view|webhook|app|plan|user|book)\b/;

/** Reports whose rows in CSV are those of people only where the layout is asked for. */
const laidOut = new Set<string>();

async function lines(company: Company): Promise<string[]> {
  const found: string[] = [];
  for (const { path, node } of walk(await wholeTree())) {
    const line = path.join(" ");
    if (node.kind !== "command" || node.alters || others.test(line)) continue;
    // A tax return is kept when it is made, and a report all the same.
    const isReport = path[0] === "report" && (node.answer === "report" || !node.writes);
    const isList = !node.writes && (node.name === "list" || node.name === "lines");
    if (!isReport && !isList) continue;
    const given = argumentsOf[line]?.(company) ?? "";
    const limit = node.flags.some(({ name }) => name === "limit") ? "--limit 150" : "";
    const whole = `${line} ${given} ${limit}`.replace(/ +/g, " ").trim();
    if (node.flags.some(({ name }) => name === "layout")) laidOut.add(whole);
    found.push(whole);
  }
  return found;
}

/** What a command line gave, in each format. */
interface Shown {
  readonly line: string;
  readonly csv: readonly (readonly string[])[];
  readonly html: string;
  readonly xlsx: string;
  readonly pdf: string;
}

/** Lists with and without what is overdue, wide ones, and reports with sections and totals. */
const shapes =
  /^(invoice|payment|tax-rate) list|^report (pl|balance-sheet|aged-receivables|gst|account-transactions)/;

const companies = {
  "the sample company": async () => sampleCompany(),
  "a company with two currencies": companyOfTwoCurrencies,
} as const;

const validator = new HtmlValidate({
  extends: ["html-validate:recommended"],
  rules: {
    // Space between attributes and long titles are a matter of taste.
    "long-title": "off",
    "doctype-style": ["error", { style: "lowercase" }],
    "attribute-boolean-style": "off",
  },
});

describe.each(Object.keys(companies) as (keyof typeof companies)[])(
  "the output formats of %s",
  { timeout: 600_000 },
  (name) => {
    const shown: Shown[] = [];
    const refused: string[] = [];

    beforeAll(async () => {
      const company = await companies[name]();
      const { desk, at } = company;
      const env = { XDG_CACHE_HOME: desk.home, ACCT_FONTS: "none" };
      for (const line of await lines(company)) {
        const run = (more: string) =>
          desk.acct(`${line} ${at} ${more} --no-input`.replace(/ +/g, " "), { env });
        const { code, stdout, stderr } = await run(
          laidOut.has(line) ? "-o csv --layout accountant" : "-o csv",
        );
        if (code !== 0) {
          refused.push(`${line}: ${stderr.trim()}`);
          continue;
        }
        const file = join(desk.home, `${line.replaceAll(/[^\w]+/g, "-")}`);
        for (const format of ["html", "xlsx", "pdf"]) {
          const made = await run(`--output-file ${file}.${format}`);
          expect(made.code, `${line} as ${format}: ${made.stderr}`).toBe(0);
          expect(made.stdout.replace(`${file}.pdf\n`, "")).toBe("");
        }
        shown.push({
          line,
          csv: parse(stdout, { relax_column_count: true }) as string[][],
          html: readFileSync(`${file}.html`, "utf8"),
          xlsx: `${file}.xlsx`,
          pdf: `${file}.pdf`,
        });
      }
    });

    test("the lists and reports tested in every format match the golden file", async () => {
      const told = [...shown.map(({ line }) => line), ...refused].sort().join("\n");
      await expect(`${told}\n`).toMatchFileSnapshot(
        `../golden/formats-${name.includes("two") ? "two-currencies" : "sample"}.txt`,
      );
    });

    test("the HTML page of each list and report has the same values as its CSV", () => {
      for (const { line, csv, html } of shown) {
        // CSV has percentages without their sign.
        const isList = csv[0]?.[0] !== "Section";
        const page = pageRows(html, isList).map((row) => row.map((text) => text.replace(/%$/, "")));
        const rows = csvRows(csv, isList, headingsOf(html)).map((row) => row.map(isoDay));
        expect(page, line).toEqual(rows);
      }
    });

    test("HTML pages are valid, load nothing and name their style in their content security policy", async () => {
      for (const { line, html } of shown) {
        const { results } = await validator.validateString(html);
        const faults = results.flatMap(({ messages }) =>
          messages.map(({ ruleId, message, line: at }) => `${ruleId}: ${message} (${at})`),
        );
        expect(faults, line).toEqual([]);
        expect(html, line).not.toMatch(/<script|<link|(?:src|href)="(?!data:)|url\(|@import/);
        const style = /<style>(.*)<\/style>/s.exec(html)?.[1] ?? "";
        const digest = createHash("sha256").update(style).digest("base64");
        expect(html.replaceAll("&#39;", "'"), line).toContain(`style-src 'sha256-${digest}'`);
      }
    });

    test("the spreadsheet of each list and report has the figures of its page as numbers, and dates as dates", async () => {
      for (const { line, html, xlsx } of shown) {
        const { sheets } = await readXlsx(readFileSync(xlsx));
        const rows = sheets.flatMap((sheet) => sheet.rows);
        const begin = rows.findIndex((row) => row.some((cell) => cell !== null));
        expect(begin, line).toBeGreaterThanOrEqual(0);
        const page = tableOf(html);
        const sheet = rows.filter((row) => row.some((cell) => cell !== null && cell !== ""));
        const notes = /<p class="soft notes">(.*)<\/p>/.exec(html)?.[1]?.split("<br>") ?? [];
        const end = sheet.length - notes.length;
        const below = sheet.slice(end - page.length, end);
        for (const [at, cells] of page.entries()) {
          for (const [column, cell] of cells.entries()) {
            const own = isoDay(comparable(below[at]?.[column] ?? "", cell.plain.endsWith("%")));
            expect(own, `${line}, row ${at}, column ${column}`).toBe(cell.plain);
          }
        }
      }
    });

    test("totals of spreadsheets are formulas, which evaluate to the stored values", async () => {
      let count = 0;
      for (const { line, xlsx } of shown) {
        const { sheets } = await readXlsx(readFileSync(xlsx), { readFormulas: true } as object);
        for (const sheet of sheets) {
          for (const [place, cell] of sheet.cells ?? []) {
            if (cell.formula === undefined) continue;
            count += 1;
            const [row = 0] = place.split(",").map(Number);
            expect(
              calculated(cell.formula, sheet.rows, sheet.cells, row),
              `${line}: ${cell.formula}`,
            ).toBeCloseTo(Number(cell.value), 2);
          }
        }
      }
      expect(count).toBeGreaterThan(20);
    });

    test.skipIf(!isInstalled("soffice", "what LibreOffice calculates"))(
      "LibreOffice opens the spreadsheets and calculates the same sums",
      async () => {
        const bare = join(basename(name).replaceAll(" ", "-"));
        const folder = join(shown[0]?.xlsx ?? "", "..", `bare-${bare}`);
        mkdirSync(folder);
        for (const { xlsx } of shown) {
          await withoutValues(xlsx, join(folder, basename(xlsx)));
        }
        const files = shown.map(({ xlsx }) => join(folder, basename(xlsx)));
        const profile = `-env:UserInstallation=file://${folder}/profile`;
        const options = { stdio: "pipe", timeout: 600_000 } as const;
        execFileSync(
          "soffice",
          [profile, "--headless", "--convert-to", "csv", "--outdir", folder, ...files],
          options,
        );
        for (const { line, xlsx } of shown) {
          const { sheets } = await readXlsx(readFileSync(xlsx));
          const [sheet] = sheets;
          const written = readFileSync(
            join(folder, basename(xlsx, ".xlsx").concat(".csv")),
            "utf8",
          );
          const rows = parse(written, {
            relax_column_count: true,
            skip_empty_lines: false,
          }) as string[][];
          for (const [place, cell] of sheet?.cells ?? []) {
            if (cell.formula === undefined) continue;
            const [row = 0, column = 0] = place.split(",").map(Number);
            const value = Number((rows[row]?.[column] ?? "").replaceAll(",", ""));
            expect(value, `${line}: ${cell.formula}`).toBeCloseTo(Number(cell.value), 2);
          }
        }
      },
    );

    test.skipIf(!isInstalled("pdftotext", "what stands in PDFs of lists and reports"))(
      "the PDF of each list and report has every figure of its HTML page",
      () => {
        for (const { line, html, pdf } of shown) {
          // As PDF it is a letter, with columns of its own.
          if (line.startsWith("report statement")) continue;
          const text = execFileSync("pdftotext", ["-layout", pdf, "-"], { encoding: "utf8" });
          const printed = Map.groupBy(text.match(/[^\s]+/g) ?? [], (word) => word);
          const figures = Map.groupBy(
            tableOf(html).flatMap((cells) =>
              cells.flatMap(({ text: own, isFigure }) => (isFigure && own !== "" ? [own] : [])),
            ),
            (figure) => figure,
          );
          for (const [figure, all] of figures) {
            const count = figure.includes(" ")
              ? text.split(figure).length - 1
              : (printed.get(figure)?.length ?? 0);
            expect(count, `${line}: ${figure}`).toBeGreaterThanOrEqual(all.length);
          }
        }
      },
    );

    test.skipIf(!hasChromium("pages of lists and reports"))(
      "the accessibility checker axe finds no fault in the HTML pages, light, dark and narrow",
      async () => {
        const browser = await launchChromium();
        try {
          for (const [colorScheme, width] of [
            ["light", 1200],
            ["dark", 375],
          ] as const) {
            const page = await browser.newPage({
              colorScheme,
              bypassCSP: true,
              viewport: { width, height: 800 },
            });
            for (const { line, html } of shown) {
              // Colours and widths are those of few shapes.
              if (colorScheme === "dark" && !shapes.test(line)) continue;
              await page.setContent(html);
              expect(await axeFaults(page), `${line}, ${colorScheme}`).toEqual([]);
              const wide = await page.evaluate("document.documentElement.scrollWidth");
              expect(wide, line).toBeLessThanOrEqual(width);
            }
            await page.close();
          }
        } finally {
          await browser.close();
        }
      },
    );
  },
);

// --- what pages, CSV and sheets hold, so that they can be compared --------------------------------

interface PageCell {
  readonly text: string;
  /** As it stands in CSV. */
  readonly plain: string;
  readonly isFigure: boolean;
}

const rowPattern = /<tr(?: class="([\w ]*)")?>(.*?)<\/tr>/gs;
const cellPattern = /<t[hd]([^>]*)>(.*?)<\/t[hd]>/gs;

function cellsOf(row: string): PageCell[] {
  return [...row.matchAll(cellPattern)].map(([, attributes = "", inner = ""]) => {
    const text = inner
      .replace(/<span class="overdue">.*?<\/span>/, "")
      .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
    const isFigure = /class="[^"]*figure/.test(attributes);
    return { text, plain: isFigure ? numberOf(text) : isoDay(text), isFigure };
  });
}

/** A figure that is zero, or that has no value, such as a change against nothing. */
const none = "\u2013";

function numberOf(text: string): string {
  if (text === none) return "0";
  const plain = text.replaceAll(",", "").replace("\u2212", "-");
  if (plain.endsWith("%")) return `${Number(plain.slice(0, -1))}%`;
  return plain === "" || Number.isNaN(Number(plain)) ? plain : String(Number(plain));
}

/** The rows below the headings. */
function tableOf(html: string): PageCell[][] {
  const body = html.slice(html.indexOf("</thead>"));
  return [...body.matchAll(rowPattern)]
    .map(([, , row = ""]) => cellsOf(row))
    .filter((cells) => !(cells.length === 1 && cells[0]?.text === "There is nothing here."));
}

function headingsOf(html: string): string[] {
  const [, , row = ""] = /<thead>(<tr>)(.*?)<\/thead>/s.exec(html) ?? [];
  return cellsOf(row).map(({ text }) => text);
}

/** The lines of a list, or all rows of a report that hold cells, as CSV has them. */
function pageRows(html: string, isList: boolean): string[][] {
  const currency = isList ? headingsOf(html).indexOf("Currency code") : -1;
  const body = html.slice(html.indexOf("</thead>"));
  return [...body.matchAll(rowPattern)]
    .filter(([, kind = ""]) => kind !== "section" && !(isList && kind.includes("total")))
    .map(([, , row = ""]) => cellsOf(row))
    .filter((cells) => cells[0]?.text !== "There is nothing here.")
    .map((cells) => cells.map(({ plain }) => plain).filter((_, at) => at !== currency));
}

function csvRows(csv: Shown["csv"], isList: boolean, headings: readonly string[]): string[][] {
  // What a tax return says besides its amounts stands above the table.
  const isReturn = csv[0]?.[2] === "Box";
  const rows = csv.slice(1).filter((row) => !isReturn || /^-?\d+\.\d\d$/.test(row[4] ?? ""));
  const hasCurrency = csv[0]?.includes("CurrencyCode") === true;
  const currency = hasCurrency ? csv[0]?.indexOf("CurrencyCode") : -1;
  const width = headings.length - (isList && headings.includes("Currency code") ? 1 : 0);
  return rows.map((row) => {
    const own = (isList ? row : row.slice(2)).filter((_, at) => at !== currency);
    return Array.from({ length: width }, (_, at) => csvText(own[at] ?? ""));
  });
}

/** The text of a CSV cell as a page shows it. */
function csvText(cell: string): string {
  const text = unguardCell(cell);
  if (text === none) return "0";
  if (/^-?\d+\.\d+$/.test(text)) return String(Number(text));
  if (/^-?\d+(\.\d+)?%$/.test(text)) return String(Number(text.slice(0, -1)));
  if (text === "true" || text === "false") return text === "true" ? "yes" : "no";
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:/.test(text) ? localMoment(text) : text;
}

/** A moment as pages show it: in the time zone of both companies. */
function localMoment(text: string): string {
  const local = new Date(text.endsWith("Z") ? text : `${text}Z`);
  return local.toLocaleString("sv-SE", {
    timeZone: "Pacific/Auckland",
    dateStyle: "short",
    timeStyle: "short",
  });
}

function comparable(value: unknown, isPercent: boolean): string {
  if (value === none) return "0";
  if (isPercent) return `${Number((Number(value) * 100).toFixed(4))}%`;
  if (value instanceof Date) {
    const text = value.toISOString();
    return text.endsWith("T00:00:00.000Z")
      ? text.slice(0, 10)
      : text.slice(0, 16).replace("T", " ");
  }
  return value === null || value === undefined ? "" : String(value);
}

// --- formulas --------------------------------------------------------------------------------------

type Rows = readonly (readonly unknown[])[];

/** What `SUBTOTAL(9,A1:A9)` and `SUMIFS(A1:A9,B1:B9,"x")` come to. */
function calculated(
  formula: string,
  rows: Rows,
  cells: ReadonlyMap<string, Cell> | undefined,
  row: number,
): number {
  const subtotal = /^SUBTOTAL\(9,([A-Z]+)\$?(\d+):\1\$?(\d+)\)$/.exec(formula);
  if (subtotal !== null) {
    const [, column = "", from, to] = subtotal;
    expect(Number(to)).toBeLessThanOrEqual(row);
    return sumOf(Number(from), Number(to), (at) =>
      // Other subtotals are left out.
      cells?.get(`${at - 1},${numberOfLetters(column)}`)?.formula === undefined
        ? Number(rows[at - 1]?.[numberOfLetters(column)] ?? 0)
        : 0,
    );
  }
  const [, column = "", from, to, tests = ""] =
    /^SUMIFS\(([A-Z]+)\$(\d+):\1\$(\d+)((?:,[A-Z]+\$\d+:[A-Z]+\$\d+,"[^"]*")+)\)$/.exec(formula) ??
    [];
  expect(column, formula).not.toBe("");
  const criteria = [...tests.matchAll(/,([A-Z]+)\$\d+:[A-Z]+\$\d+,"([^"]*)"/g)];
  return sumOf(Number(from), Number(to), (at) => {
    const fits = criteria.every(([, letters = "", wanted = ""]) => {
      const own = String(rows[at - 1]?.[numberOfLetters(letters)] ?? "");
      return wanted.startsWith("<>") ? own !== wanted.slice(2) : own === wanted;
    });
    return fits ? Number(rows[at - 1]?.[numberOfLetters(column)] ?? 0) : 0;
  });
}

function sumOf(from: number, to: number, read: (row: number) => number): number {
  let sum = 0;
  for (let row = from; row <= to; row += 1) sum += read(row) || 0;
  return sum;
}

const numberOfLetters = (letters: string) =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;

/** The same workbook without the values of its formulas, which whoever opens it has to calculate. */
async function withoutValues(path: string, to: string): Promise<void> {
  const entries: ZipEntry[] = unpack(readFileSync(path)).map(({ name = "", open }) => ({
    name,
    content: [
      Buffer.concat([...open()])
        .toString("utf8")
        .replaceAll(/<\/f><v>[^<]*<\/v>/g, "</f>"),
    ],
  }));
  // The one file that the reader of bank files passes over, for its name.
  const type = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
  const link = `<Relationship Id="rId1" Type="${type}" Target="xl/workbook.xml"/>`;
  const links = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${link}</Relationships>`;
  entries.push({ name: "_rels/.rels", content: [links] });
  const pieces: Uint8Array[] = [];
  for await (const piece of zipEntries(entries, 0)) pieces.push(piece);
  writeFileSync(to, Buffer.concat(pieces));
}

/** A day of a page as programs write it; other texts as they are. */
const isoDay = (text: string): string =>
  /^\d{1,2} [A-Z][a-z]{2} \d{4}$/.test(text)
    ? new Date(`${text} UTC`).toISOString().slice(0, 10)
    : text;
