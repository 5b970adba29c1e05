/** The page of audit files: its forms, the bytes of the command, and refusals in the words of the form. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { auditFormatNames, auditFormats } from "../../src/resources/audit-file.ts";
import { answerPage } from "../../src/web/books/answer-page.ts";
import { collect } from "../../src/wire/body.ts";
import { acct, folder } from "../cli/export/audit.ts";
import { describeCompany } from "../cli/export/audit-checks.ts";
import { invoiced, paid, sharedWorld, type World } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, linksIn, textOf, withoutTrail } from "./browsing.ts";

const days = { fromDate: "2026-03-01", toDate: "2026-03-31" };
const map = "Code;Number\r\n090;512000\r\n200;706000\r\n610;411000\r\n820;445710\r\n";

const company = sharedWorld(async (given) => {
  await describeCompany(given);
  await paid(given, await invoiced(given, { Status: "AUTHORISED", InvoiceNumber: "INV 1" }));
});

let given: World;
let pages: Browsing;

beforeAll(async () => {
  given = await company();
  pages = browsing(given);
});

test("the list of audit files links to a form for each format, with a field for each of its parameters", async () => {
  const { html } = await pages.see("/audit-files");
  const links = linksIn(html).map(withoutTrail);
  for (const format of auditFormatNames) {
    expect(links).toContain(`/audit-files/${format}`);
    const page = await pages.see(`/audit-files/${format}`);
    const names = [...page.html.matchAll(/<(?:input|select|textarea) id="field-(\w+)"/g)];
    const boxes = [...page.html.matchAll(/type="checkbox" id="field-(\w+)"/g)];
    expect([...names, ...boxes].map(([, name]) => name).sort()).toEqual(
      ["fromDate", "toDate", ...Object.keys(auditFormats[format].parameters)].sort(),
    );
  }
  expect((await pages.see("/audit-files/xbrl")).status).toBe(404);
});

test.each<[string, words: string[], form: Record<string, string>]>([
  [
    "saft",
    ["--country", "LU", "--contact-person", "Ana Lopes"],
    { country: "LU", contactPerson: "Ana Lopes" },
  ],
  [
    "fec",
    ["--siren", "732829320", "--account-map", "MAP"],
    { siren: "732829320", accountMap: map, encoding: "utf-8" },
  ],
  ["gobd", [], {}],
])(
  "the audit file %s with %j from the page has the same bytes and file name as from the command line",
  async (format, words, form) => {
    const [own, made] = [join(folder, "web.csv"), join(folder, `web-${format}`)];
    writeFileSync(own, map);
    const asked = words.map((word) => (word === "MAP" ? own : word));
    const period = ["--from", days.fromDate, "--to", days.toDate];
    await acct(given, "export", format, ...period, ...asked, "--output-file", made);
    const request = {
      method: "POST" as const,
      path: `/audit-files/${format}`,
      query: new URLSearchParams(),
      form: new URLSearchParams({ token: formToken, ...days, ...form }),
    };
    const { status, headers, body } = await answerPage(pages.site, request, (bug) =>
      pages.bugs.push(bug),
    );
    if (typeof body === "string" || body instanceof Uint8Array) throw new Error(String(body));
    const bytes = Buffer.from(await collect(body, 1_000_000));
    expect([status, bytes.equals(readFileSync(made))]).toEqual([200, true]);
    const dryRun = await acct(given, "export", format, ...period, ...asked, "--dry-run");
    const [name] = dryRun.stderr.split(" would be written");
    expect(headers["content-disposition"]).toBe(`attachment; filename="${name}"`);
    expect(pages.bugs).toEqual([]);
  },
);

test("a refused audit file shows the reason above the form, and the typed values stay", async () => {
  const form = { token: formToken, ...days, consultant: "29098", taxKey: "OUTPUT2=3" };
  const { status, html } = await pages.send("/audit-files/datev", form);
  expect(status).toBe(400);
  expect(textOf(html)).toContain(
    "DATEV needs what the book does not know: “Account map”, the numbers of the accounts in DATEV's chart, " +
      "or “Chart” 03 or 04 where the book has them for codes; “Client”, the number that the adviser has given",
  );
  expect(textOf(html)).not.toMatch(/--[a-z]|accountMap/);
  expect(html).toContain('value="29098"');
});

test("a user without permission to export sees neither the link to audit files nor their page", async () => {
  const isFile = (path: string) => path.startsWith("/Extensions/AuditFiles");
  const reader = browsing(given, { allows: (_, path) => !isFile(path) });
  const { html } = await reader.see("/reports");
  expect(linksIn(html)).not.toContain("/audit-files");
});
