/** Names and texts that would like to be markup, to run, or to turn what stands beside them round. */
import { beforeAll, expect, test } from "vitest";
import { recordLists } from "../../src/web/books/catalogue.ts";
import { type Json, sale, sharedWorld, type World } from "../service/fixture.ts";
import { type Browsing, browsing, linksIn, textOf, unescaped } from "./browsing.ts";

const script = `<script>alert("x")</script>`;
const quotes = `"><img src=x onerror=alert(1)>'`;
const turned = "\u202eevil\u2066";

const hostile = sharedWorld(async (given) => {
  const put = (path: string, body: object) => given.ok("PUT", path, body);
  const names = [script, quotes, "javascript:alert(1)", "a/b?c#d%e&f", "x".repeat(255)];
  for (const Name of names) {
    const { Contacts } = await put("/Contacts", { Name, EmailAddress: "x@y.example" });
    const Description = `${Name}\n${script}\t${turned}`;
    const lines = [{ Description, Quantity: 1, UnitAmount: 10, AccountCode: "200" }];
    const own = { Status: "AUTHORISED", Reference: Name.slice(0, 255), LineItems: lines };
    await put("/Invoices", sale(Contacts[0], { ...own, InvoiceNumber: Name.slice(0, 200) }));
  }
  await put("/Accounts", { Code: "<i>'\"", Name: script, Type: "EXPENSE" });
  await put("/Items", { Code: `"<b>`, Name: quotes });
  await put("/TrackingCategories", { Name: "<u>" });
  await put("/ManualJournals", {
    Narration: script,
    Date: "2026-03-01",
    Status: "POSTED",
    JournalLines: [
      { LineAmount: 5, AccountCode: "<i>'\"", Description: quotes },
      { LineAmount: -5, AccountCode: "970" },
    ],
  });
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    StatementLines: [
      { Key: "1", Date: "2026-03-01", Amount: 11.5, Payee: script, Description: quotes },
    ],
  });
});

let given: World;
let pages: Browsing;

beforeAll(async () => {
  given = await hostile();
  pages = browsing(given);
});

/** An icon of one letter and nothing else, as the icon that is none. */
function iconless(address: string): string {
  const [, svg = ""] = /^data:image\/svg\+xml,(.*)$/.exec(address) ?? [];
  const isLetter = /^<svg[^<>]*><rect[^<>]*\/><text[^<>]*>([^<>&]|&[#\w]+;)<\/text><\/svg>$/u;
  return isLetter.test(decodeURIComponent(svg)) ? "data:," : address;
}

/** What no page may hold, wherever it came from. */
function expectHarmless(html: string, address: string): void {
  const scripts = html.match(/<script[^>]*>/g) ?? [];
  expect(scripts, address).toEqual([
    expect.stringMatching(/^<script src="\/assets\/[0-9a-f]+\/pages\.js" defer>$/),
  ]);
  expect(html, address).not.toMatch(/<img|<i>|<b>|<u>|onerror=(?!alert\(1\)&)/);
  expect(html, address).not.toMatch(/ style="| on[a-z]+="/);
  for (const href of linksIn(html))
    expect(href.startsWith("//"), `${address}: ${href}`).toBe(false);
  const leads = [...html.matchAll(/ (?:href|action|src)="([^"]*)"/g)].map(([, to = ""]) =>
    unescaped(to),
  );
  // The page of a document for its customer is at the public address of the service.
  const online = /^https:\/\/books\.heron\.example\/view\/[\w-]+\?preview$/;
  for (const to of leads.filter((each) => !online.test(each))) {
    expect(iconless(to), address).toMatch(/^(\/|#content$|data:,$)/);
  }
}

test("names of records are escaped on every page that shows them", async () => {
  const addresses = [
    "/",
    "/bank",
    "/bank/090/reconcile",
    "/journals",
    "/reports/profit-and-loss?from=2026-03-01&to=2026-03-31",
  ];
  addresses.push(...recordLists.map(({ path }) => path));
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query: { page: "1" } });
  for (const { InvoiceID, Contact } of Invoices as Json[]) {
    addresses.push(`/invoices/${InvoiceID}`, `/contacts/${Contact.ContactID}`);
  }
  addresses.push(`/accounts/${encodeURIComponent("<i>'\"")}?from=2026-01-01&to=2026-12-31`);
  for (const address of addresses) {
    const { status, html } = await pages.see(address);
    expect(status, address).toBe(200);
    expectHarmless(html, address);
  }
  expect(pages.bugs).toEqual([]);
});

test("text from the address of a page is escaped too", async () => {
  const evil = encodeURIComponent(`${script}${quotes}`);
  for (const address of [
    `/search?q=${evil}`,
    `/invoices?q=${evil}&status=${evil}&from=${evil}&contact=${evil}&order=${evil}&page=${evil}`,
    `/reports/profit-and-loss?from=${evil}&timeframe=${evil}&tracking=${evil}`,
    `/reports/aged-receivables-by-contact?contact=${evil}`,
    `/accounts/200?from=${evil}&after=${evil}&tracking=${evil}`,
    `/journals?after=${evil}`,
    `/journals/${evil}`,
    `/reports/${evil}`,
    `/contacts?via=${encodeURIComponent(`/invoices?q=${quotes}`)}`,
    `/bank/090/reconcile?done=${evil}`,
  ]) {
    const { html } = await pages.see(address);
    expectHarmless(html, address);
  }
  expect(pages.bugs).toEqual([]);
});

test("a text with bidirectional control characters is shown with them escaped", async () => {
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query: { page: "1" } });
  const { html } = await pages.see(`/invoices/${Invoices[0].InvoiceID}`);
  expect(html).toContain("\\u202eevil\\u2066");
  expect(html).not.toContain(turned);
});

test("searching for a name with markup finds it, and links to its page", async () => {
  const { html } = await pages.see(`/search?q=${encodeURIComponent("<script>")}`);
  const address = linksIn(html).find((href) => href.startsWith("/contacts/"));
  const shown = await pages.see(address ?? "");
  expect(textOf(shown.html)).toContain(script);
});
