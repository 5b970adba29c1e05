/** Downloads of lists and reports: what the filters show, beyond the page too, as PDF, Excel and CSV. */
import { beforeEach, expect, test } from "vitest";
import { answerPage } from "../../src/web/books/answer-page.ts";
import { collect } from "../../src/wire/body.ts";
import { type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, unescaped } from "./browsing.ts";

let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

async function invoices(count: number, own: object = {}): Promise<Json[]> {
  const { Contacts } = await given.ok("POST", "/Contacts", { Name: "=Kowhai & Sons" });
  const line = { Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" };
  const { Invoices } = await given.ok(
    "PUT",
    "/Invoices",
    Array.from({ length: count }, () => ({
      ...{ Type: "ACCREC", Contact: Contacts[0], Date: "2026-02-01", DueDate: "2026-02-20" },
      ...{ Status: "AUTHORISED", LineItems: [line], ...own },
    })),
  );
  return Invoices;
}

async function download(address: string) {
  const [path = "", search = ""] = address.split("?", 2);
  const request = { method: "GET", path, query: new URLSearchParams(search) } as const;
  const { status, headers, body } = await answerPage(pages.site, request, (bug) =>
    pages.bugs.push(bug),
  );
  const bytes = typeof body === "string" ? Buffer.from(body) : await collect(body, 10_000_000);
  return { status, headers, text: Buffer.from(bytes).toString("latin1") };
}

/** Address of the download in a format, as the page links to it. */
async function linkOn(address: string, format: string): Promise<string> {
  const { html } = await pages.see(address);
  const links = [...html.matchAll(/<a href="([^"]*)" type="[^"]*" download>/g)];
  const found = links
    .map(([, href = ""]) => unescaped(href))
    .find((href) => href.includes(`as=${format}`));
  if (found === undefined) throw new Error(`${address} has no download as ${format}`);
  return found;
}

test("a list is downloaded as CSV with all that its filters show, beyond the page too", async () => {
  await invoices(60);
  await invoices(3, { Status: "DRAFT" });
  const { status, headers, text } = await download(
    await linkOn("/invoices?status=AUTHORISED", "csv"),
  );
  expect([status, headers["content-type"]]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(headers["content-disposition"]).toBe(
    'attachment; filename="Heron Lane Ltd Invoices 2026-03-01.csv"',
  );
  const rows = text.trim().split("\n");
  expect(rows).toHaveLength(61);
  expect(rows[0]).toMatch(/^InvoiceNumber,Contact\.Name,Date,/);
  // A spreadsheet takes the name as text, not as a formula.
  expect(rows[1]).toContain(",'=Kowhai & Sons,2026-02-01,");
  expect(text).not.toContain("DRAFT");
});

test.each([
  ["pdf", "application/pdf", "%PDF-"],
  ["xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK"],
])("lists and reports are downloaded as %s", async (format, type, beginning) => {
  await invoices(1);
  for (const page of ["/invoices", "/reports/profit-and-loss?from=2026-02-01&to=2026-02-28"]) {
    const { status, headers, text } = await download(await linkOn(page, format));
    expect([page, status, headers["content-type"]]).toEqual([page, 200, type]);
    expect(text.slice(0, beginning.length)).toBe(beginning);
  }
});

test("a report is downloaded for the days that stand in its form, and named after them", async () => {
  await invoices(2);
  const page = "/reports/profit-and-loss?from=2026-02-01&to=2026-02-28";
  const { headers, text } = await download(await linkOn(page, "csv"));
  expect(headers["content-disposition"]).toContain(
    'filename="Heron Lane Ltd Profit and Loss 2026-02-01 to 2026-02-28.csv"',
  );
  expect(text).toMatch(/,Row,Sales,200\.00/);
});

test("the boxes of a tax return are rows of its download", async () => {
  await invoices(1);
  const { text } = await download(await linkOn("/reports/gst-return", "csv"));
  expect(text).toMatch(/,Row,[^\n]*Total sales[^\n]*,115\.00/i);
});

test("a download is in the audit log", async () => {
  await invoices(1);
  await download("/invoices?as=csv");
  const { AuditEntries } = await given.ok("GET", "/Extensions/AuditEntries");
  expect(JSON.stringify(AuditEntries)).toContain("Invoices as csv");
});

test("an empty list has nothing to download", async () => {
  const { html } = await pages.see("/quotes");
  expect(html).not.toContain("as=csv");
});
