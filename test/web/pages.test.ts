/** The pages of the books over a run of business: each is there, says what the API says, and leads on. */
import { beforeAll, describe, expect, test } from "vitest";
import { presetsOf } from "../../src/resources/report.ts";
import { recordLists } from "../../src/web/books/catalogue.ts";
import { isOf, reportPages } from "../../src/web/books/reports/report-catalogue.ts";
import { type Business, opened, step, take } from "../service/business.ts";
import { type Json, sharedWorld, type World } from "../service/fixture.ts";
import { fc, isEveryCase } from "../support/properties.ts";
import {
  type Browsing,
  browsing,
  factsIn,
  figureOf,
  formToken,
  linksIn,
  textOf,
  withoutTrail,
} from "./browsing.ts";

/** A book in which much has happened, the same each time. */
const worked = sharedWorld(async (given) => {
  const business: Business = await opened(given);
  const steps = fc.sample(step, { numRuns: 120, seed: 7 });
  for (const [at, each] of steps.entries()) {
    await take(business, each, `2026-0${1 + (at % 3)}-${String(1 + (at % 28)).padStart(2, "0")}`);
  }
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-02-15", Rate: 0.7 });
});

let given: World;
let pages: Browsing;

beforeAll(async () => {
  given = await worked();
  pages = browsing(given);
});

/** Pages of a kind that a walk looks at: the lists alone have hundreds of others. */
const ofKindMax = isEveryCase ? 24 : 1;

test("following all links from the overview leads only to existing pages", async () => {
  const seen = new Set<string>();
  const waiting = ["/"];
  const kinds = new Map<string, number>();
  for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
    const own = withoutTrail(address);
    if (seen.has(own) || own.startsWith("/assets/")) continue;
    const kind = own.split("?", 1)[0]?.replace(/\/[0-9a-f-]{36}|\/\d+/g, "/…") ?? "";
    const count = kinds.get(kind) ?? 0;
    if (count >= ofKindMax) continue;
    kinds.set(kind, count + 1);
    seen.add(own);
    const { status, html } = await pages.see(address);
    expect(status, `${address} was answered ${textOf(html).slice(0, 300)}`).toBeLessThan(400);
    expect(html, address).not.toMatch(/undefined|\[object|NaN/);
    waiting.push(...linksIn(html));
  }
  expect(pages.bugs).toEqual([]);
  for (const kind of ["/journals/…", "/invoices/…", "/bills/…", "/payments/…", "/contacts/…"]) {
    expect([...kinds.keys()], kind).toContain(kind);
  }
  expect(seen.size).toBeGreaterThan(isEveryCase ? 150 : 75);
});

test("every journal page links to its source record", async () => {
  const query = {
    paymentsOnly: "false",
    order: "journal",
    fromDate: "2025-01-01",
    toDate: "2027-12-31",
  };
  const path = "/Extensions/AccountTransactions";
  const { AccountTransactions } = await given.ok("GET", path, undefined, { query });
  const bySource = Map.groupBy(AccountTransactions as Json[], (row) => row.Source);
  for (const [source, rows] of bySource) {
    const [first] = rows;
    const { html } = await pages.see(`/journals/${first.JournalNumber}`);
    const made = /<dt>Made by<\/dt><dd>(.*?)<\/dd>/s.exec(html)?.[1] ?? "";
    const [address] = linksIn(made);
    expect(address, `${source} leads nowhere`).toBeDefined();
    const shown = await pages.see(address ?? "");
    expect(shown.status, `${source} leads to ${address}`).toBe(200);
    expect(linksIn(shown.html), source).toContainEqual(
      expect.stringMatching(new RegExp(`^/journals/${first.JournalNumber}\\b`)),
    );
  }
  expect([...bySource.keys()].length).toBeGreaterThan(8);
});

test("the page of the last journal leads to the one before it alone", async () => {
  const { Journals } = await given.ok("GET", "/Journals", undefined, { query: { offset: "5" } });
  const last = (Journals as Json[]).at(-1)?.JournalNumber;
  const { html } = await pages.see(`/journals/${last}`);
  expect([html.includes(`Journal ${last - 1}</a>`), html.includes('rel="next"')]).toEqual([
    true,
    false,
  ]);
  expect((await pages.see(`/journals/${last - 1}`)).html).toContain(`Journal ${last}</a>`);
});

describe("a list page", () => {
  test.each(recordLists.map(({ path }) => path))(
    "the list page %s has the same records as the API",
    async (path) => {
      const list = recordLists.find((each) => each.path === path);
      // Without an order, accounts are a tree.
      const { status, html } = await pages.see(
        path === "/accounts" ? `${path}?order=Code+ASC` : path,
      );
      expect(status).toBe(200);
      const { resource, types } = list as (typeof recordLists)[number];
      const own = resource.extension === true ? "/Extensions" : "";
      const query: Record<string, string> = {};
      if (resource.paged !== undefined) Object.assign(query, { page: "1", pageSize: "1000" });
      if (types !== undefined) query.where = types.map((type) => `Type=="${type}"`).join(" OR ");
      const answer = await given.ok("GET", `${own}/${resource.plural}`, undefined, { query });
      const live = (answer[resource.plural] as Json[]).filter(
        ({ Status }) => Status !== "DELETED" && Status !== "VOIDED",
      );
      const shown = Math.min(50, live.length);
      if (shown === 0) expect(textOf(html)).toContain(`No ${list?.title.toLowerCase()} yet.`);
      else expect(textOf(html)).toContain(`1 to ${shown}`);
    },
  );

  test("a list page can be filtered, searched, ordered and paged by its address", async () => {
    const all = await pages.see("/invoices?status=AUTHORISED&order=Date ASC");
    const days = [...all.html.matchAll(/<time datetime="([\d-]+)">/g)].map(([, day]) => day);
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      query: { where: 'Type=="ACCREC" AND Status=="AUTHORISED"', order: "Date ASC", page: "1" },
    });
    expect(days[0]).toBe(Invoices[0].DateString.slice(0, 10));
    const [first] = Invoices;
    const searched = await pages.see(`/invoices?q=${first.InvoiceNumber}`);
    expect(textOf(searched.html)).toContain("1 to 1 of 1");
    const named = await pages.see(`/invoices?contact=${encodeURIComponent(first.Contact.Name)}`);
    expect(textOf(named.html)).toContain(first.Contact.Name);
    const none = await pages.see("/invoices?contact=nobody at all");
    expect(textOf(none.html)).toMatch(/None of \d+ fits\. Clear the filters/);
    expect((await pages.see("/invoices?page=2")).status).toBe(200);
  });

  test("a list page with an invalid filter shows the error, and the list without the filter", async () => {
    const { status, html } = await pages.see("/invoices?from=yesterday&status=LOST&least=many");
    expect(status).toBe(200);
    expect(html.match(/role="alert"/g)).toHaveLength(3);
    expect(textOf(html)).toContain("From is a day such as 2026-03-31, not “yesterday”.");
  });
});

describe("a report page", () => {
  /** What a report needs besides. */
  async function askedOf(name: string, parameters: Json): Promise<Record<string, string>> {
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      query: { where: 'Status=="AUTHORISED"', page: "1" },
    });
    const of = (type: string) =>
      Invoices.find(({ Type }: Json) => Type === type)?.Contact.ContactID;
    return {
      ...(parameters.contactID?.required === true
        ? { contactID: of(name === "AgedPayablesByContact" ? "ACCPAY" : "ACCREC") }
        : {}),
      ...(parameters.accountID === undefined ? {} : { accountID: "090" }),
      ...(parameters.fromDate === undefined || parameters.date !== undefined
        ? {}
        : { fromDate: "2026-01-01", toDate: "2026-03-31" }),
      ...(parameters.date === undefined ? {} : { date: "2026-03-31" }),
    };
  }

  const ours: Readonly<Record<string, string>> = {
    fromDate: "from",
    toDate: "to",
    contactID: "contact",
    accountID: "account",
  };

  const textsOf = (rows: Json[]): string[] =>
    rows.flatMap((row) => [
      ...(row.RowType === "Header" ? [] : (row.Cells ?? []).map((cell: Json) => cell.Value ?? "")),
      ...textsOf(row.Rows ?? []),
    ]);

  test.each(reportPages.filter((page) => isOf("NZ", page)).map((each) => [each.name, each]))(
    "the report page %s has every figure of the API, in the same order",
    async (name, page) => {
      const asked = await askedOf(
        name as string,
        (page as (typeof reportPages)[number]).parameters,
      );
      const presets = presetsOf(page as (typeof reportPages)[number]);
      const query = { ...asked, ...presets, layout: "accountant" };
      const answer = await given.ok("GET", `/Reports/${name}`, undefined, { query });
      const search = new URLSearchParams(
        Object.entries(asked).map(([key, value]) => [ours[key] ?? key, value] as [string, string]),
      );
      const { slug } = page as (typeof reportPages)[number];
      const { status, html } = await pages.see(`/reports/${slug}?${search}`);
      expect(status).toBe(200);
      const isFigure = (text: string) => /^-?\d+(\.\d+)?%?$/.test(text);
      const cells = [...html.matchAll(/<t[dh][^>]*>(.*?)<\/t[dh]>/gs)].map(([, cell = ""]) =>
        figureOf(textOf(cell)),
      );
      const shown = cells.filter(isFigure);
      const report = answer.Reports[0];
      const fields = (report.Fields ?? []).map((field: Json) => field.Value);
      const wanted = [...fields, ...textsOf(report.Rows ?? [])].map(figureOf).filter(isFigure);
      expect(shown.filter((text) => /\.|%/.test(text))).toEqual(
        wanted.filter((text) => /\.|%/.test(text)),
      );
    },
  );

  test("a report page that needs a contact asks for one, and accepts its name", async () => {
    const { html } = await pages.see("/reports/aged-receivables-by-contact");
    expect(textOf(html)).toContain("Name a contact, and the report is here.");
    const { Contacts } = await given.ok("GET", "/Contacts");
    const name = encodeURIComponent(Contacts[0].Name);
    const named = await pages.see(`/reports/aged-receivables-by-contact?contact=${name}`);
    expect(textOf(named.html)).toContain("Aged Receivables");
    expect(named.html).toContain("<table");
  });

  test("a report page of another country is answered as not found", async () => {
    expect((await pages.see("/reports/vat-return")).status).toBe(404);
  });
});

describe("the breadcrumb trail of a page", () => {
  test("the breadcrumb trail keeps the filters of each step, and is shortened when the user goes back", async () => {
    const report = "/reports/profit-and-loss?from=2026-01-01&to=2026-03-31&basis=accrual";
    const { html } = await pages.see(report);
    const account = linksIn(html).find((href) => href.startsWith("/accounts/200?")) ?? "";
    expect(new URLSearchParams(account.split("?")[1]).get("via")).toBe(report);
    const ledger = await pages.see(account);
    const journal = linksIn(ledger.html).find((href) => href.startsWith("/journals/")) ?? "";
    const shown = await pages.see(journal);
    const crumbs = /<nav class="crumbs".*?<\/nav>/s.exec(shown.html)?.[0] ?? "";
    expect(textOf(crumbs)).toBe("Overview Profit and Loss Account 200");
    expect(linksIn(crumbs)).toEqual(["/", report, account]);
    const back = await pages.see(account);
    expect(textOf(/<nav class="crumbs".*?<\/nav>/s.exec(back.html)?.[0] ?? "")).toBe(
      "Overview Profit and Loss",
    );
  });

  test("the breadcrumb trail accepts only pages of the same books", async () => {
    const steps = [
      "https://elsewhere.example/",
      "//elsewhere.example/invoices",
      "/\\elsewhere.example",
      "javascript:alert(1)",
      "/nothing/here",
      "/invoices#<script>",
    ];
    const query = new URLSearchParams(steps.map((step) => ["via", step] as [string, string]));
    const { html } = await pages.see(`/contacts?${query}`);
    const crumbs = /<nav class="crumbs".*?<\/nav>/s.exec(html)?.[0] ?? "";
    expect(linksIn(crumbs)).toEqual(["/"]);
    expect(html).not.toContain("elsewhere");
  });
});

test("the page of an invalid address or a missing record is answered as not found", async () => {
  const missing = "00000000-0000-4000-8000-000000000000";
  for (const address of [
    "/nothing",
    "/invoices/",
    `/invoices/${missing}`,
    `/invoices/${missing}/pdf`,
    `/documents/${missing}`,
    "/accounts/none",
    "/journals/0",
    "/journals/999999999",
    "/reports/none",
    "/bank/200/reconcile",
    "/%E0%A4%A",
  ]) {
    expect((await pages.see(address)).status, address).toBe(404);
  }
  expect(pages.bugs).toEqual([]);
});

describe("a document page", () => {
  const made = {
    Invoice: ["Invoices", { Type: "ACCREC", InvoiceNumber: "Q7-INV" }],
    CreditNote: ["CreditNotes", { Type: "ACCRECCREDIT", CreditNoteNumber: "Q7-CN" }],
    Quote: ["Quotes", { QuoteNumber: "Q7-QU", Date: "2026-03-01" }],
    PurchaseOrder: ["PurchaseOrders", { PurchaseOrderNumber: "Q7-PO", Date: "2026-03-01" }],
    BankTransaction: ["BankTransactions", { Type: "SPEND", BankAccount: { Code: "090" } }],
  } as const;
  const kinds = Object.keys(made) as (keyof typeof made)[];
  const paths = { Invoice: "/invoices", CreditNote: "/credit-notes", Quote: "/quotes" };
  const lists = {
    ...paths,
    PurchaseOrder: "/purchase-orders",
    BankTransaction: "/bank-transactions",
  };
  const own = sharedWorld();
  let ids: Record<string, string>;
  let pages: Browsing;
  beforeAll(async () => {
    ids = {};
    const given = await own();
    pages = browsing(given);
    const { Contacts } = await given.ok("PUT", "/Contacts", { Name: "Zanzibar Zinc" });
    for (const [kind, [plural, fields]] of Object.entries(made)) {
      const answer = await given.ok("PUT", `/${plural}`, {
        Contact: { ContactID: Contacts[0].ContactID },
        Reference: `Ref-Q7-${kind}`,
        LineItems: [{ Description: "A", Quantity: 1, UnitAmount: 7123.47, AccountCode: "200" }],
        LineAmountTypes: kind === "Quote" ? "NOTAX" : "NoTax",
        ...fields,
      });
      ids[kind] = answer[plural][0][`${kind}ID`];
    }
  });

  test.each(kinds)(
    "a document of the kind %s is found by number, reference, contact and amount",
    async (kind) => {
      const to = `${lists[kind]}/${ids[kind]}`;
      for (const term of ["f-q7-", `Ref-Q7-${kind}`, "zanzibar", "7,123.47", "7123.47"]) {
        for (const address of ["/search", lists[kind]]) {
          const { html } = await pages.see(`${address}?q=${encodeURIComponent(term)}`);
          expect(linksIn(html).map(withoutTrail), `${address} ${term}`).toContain(to);
        }
      }
    },
  );

  test.each(["Q7-INV", "q7-cn", "Q7-QU", "Q7-PO"])(
    "a document is opened by its number %s, and found by a part of it",
    async (number) => {
      const kind = kinds.find((each) =>
        Object.values(made[each][1]).includes(number.toUpperCase()),
      );
      const { status, headers } = await pages.see(`/search?q=${number}`);
      const to = `${lists[kind ?? "Invoice"]}/${ids[kind ?? ""]}`;
      expect([status, headers.location]).toEqual([303, to]);
      const { html } = await pages.see(`/search?q=${number.slice(1)}`);
      expect(linksIn(html).map(withoutTrail)).toContain(to);
    },
  );
});

test("a payment is found by its handle, and its page has the handle as address and name", async () => {
  const found = await pages.see("/search?q=p-3");
  expect([found.status, found.headers.location]).toEqual([
    303,
    expect.stringMatching(/^\/payments\/[0-9a-f-]{36}/),
  ]);
  for (const address of ["/payments/P-3", "/payments/p-3"]) {
    const { status, html } = await pages.see(address);
    expect([status, textOf(html)]).toEqual([200, expect.stringContaining("Payment P-3")]);
  }
  expect((await pages.see("/documents/P-3")).headers.location).toMatch(/^\/payments\/P-3/);
  expect((await pages.see("/journals/J-3")).status).toBe(200);
  expect((await pages.see("/payments/P-99999")).status).toBe(404);
});

test.each(["/invoices", "/accounts", "/contacts"])(
  "a page number of %s beyond the last page shows the last page",
  async (path) => {
    const { html } = await pages.see(`${path}?page=99`);
    expect(textOf(html)).toMatch(/(\d+) to (\d+) of \2 /);
    expect(html).not.toContain("Next page");
  },
);

test("a form without its token, or sent to a page without a form, changes nothing", async () => {
  const without = await pages.send("/bank/090/reconcile", { do: "ignore", line: "x" });
  expect([without.status, textOf(without.html)]).toEqual([
    400,
    expect.stringContaining("This form is no longer good."),
  ]);
  expect((await pages.send("/invoices", { token: formToken })).status).toBe(404);
});

test("the ledger page of an account shows its balances, also across a year end", async () => {
  const { html } = await pages.see("/accounts/200?from=2025-01-01&to=2026-12-31");
  const facts = factsIn(html);
  const net = figureOf(facts["Net movement"]?.split(" ")[0] ?? "");
  const { Reports } = await given.ok("GET", "/Reports/ProfitAndLoss", undefined, {
    query: { fromDate: "2025-01-01", toDate: "2026-12-31" },
  });
  const [row] = JSON.stringify(Reports[0].Rows).match(/"Sales".*?\]\},\{"Value":"([-\d.]+)"/) ?? [];
  expect(row).toContain(`"${net}"`);
});
