/** What pages show first: the overview, the chart as a tree, the ledger filtered, neighbours of a record. */
import { beforeEach, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, linksIn, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
let kowhai: Json;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
  kowhai = await contact(given, { Name: "Kowhai Ltd" });
});

async function invoiced(own: object = {}): Promise<Json> {
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Contact: kowhai, Date: "2026-02-01", DueDate: "2026-02-20" },
    Status: "AUTHORISED",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...own,
  });
  return Invoices[0];
}

const linesOf = (amount: number) => ({
  LineItems: [
    { Description: `For ${amount}`, Quantity: 1, UnitAmount: amount, AccountCode: "200" },
  ],
});

test("the overview of an empty book names the first steps, and draws no axes", async () => {
  const { html } = await pages.see("/");
  expect(textOf(html)).toContain("Nothing is recorded in this book yet.");
  expect(html).not.toContain("<svg");
  expect(linksIn(html)).toContain("/bank?via=/");
});

test("the overview names the currency, who owes most and how late, and what is to be approved", async () => {
  given.now = Date.UTC(2026, 2, 12);
  await invoiced();
  const moa = await contact(given, { Name: "Moa Ltd" });
  await invoiced({ Contact: moa, ...linesOf(900), DueDate: "2026-04-01" });
  await invoiced({ Status: "DRAFT", ...linesOf(70) });
  const shown = textOf((await pages.see("/")).html);
  expect(shown).toContain("Owed to us NZD 1,150.00");
  expect(shown).toMatch(/Who owes most .*Moa Ltd 1,035\.00 Kowhai Ltd 20 days late 115\.00/);
  expect(shown).toMatch(/To approve .*Invoices, drafts since 1 Feb 2026 1 80\.50/);
  expect(shown).toMatch(/Mar 26 .*Feb 26 1,000\.00 0\.00 1,000\.00 Mar 25/);
});

test("each bucket of the ageing on the overview leads to the documents of that age", async () => {
  given.now = Date.UTC(2026, 2, 12);
  const recent = await invoiced();
  const old = await invoiced({ Date: "2025-12-01", DueDate: "2025-12-20", ...linesOf(40) });
  for (const [due, wanted, other] of [
    ["1-30", recent, old],
    ["61-90", old, recent],
  ]) {
    expect(linksIn((await pages.see("/")).html)).toContain(`/invoices?due=${due}&via=/`);
    const list = textOf((await pages.see(`/invoices?due=${due}`)).html);
    expect(list).toContain(wanted.InvoiceNumber);
    expect(list).not.toContain(other.InvoiceNumber);
  }
});

test("accounts are a tree by class and type, with balances and movements as in the general ledger", async () => {
  await invoiced();
  const { html } = await pages.see("/accounts");
  const shown = textOf(html);
  expect(shown).toMatch(/610 Accounts Receivable 115\.00 debit 115\.00 debit/);
  expect(shown).toMatch(/Revenue .*200 Sales 100\.00 credit 100\.00 credit/);
  expect(shown.indexOf("610 Accounts")).toBeLessThan(shown.indexOf("200 Sales"));
});

test("the ledger of an account is filtered by text and amount, turned over, and downloaded as filtered", async () => {
  const first = await invoiced({ Reference: "spring" });
  const second = await invoiced({ Date: "2026-02-02", Reference: "autumn", ...linesOf(40) });
  const of = async (query: string) =>
    (await pages.see(`/accounts/610?from=2026-01-01&${query}`)).html;
  for (const query of ["q=autumn", "amount=46.00"]) {
    const shown = textOf(await of(query));
    expect(shown).toContain("1 row.");
    expect(shown).toContain(second.InvoiceNumber);
    expect(shown).not.toContain(first.InvoiceNumber);
  }
  const newest = textOf(await of("order=newest"));
  expect(newest.indexOf(second.InvoiceNumber)).toBeLessThan(newest.indexOf(first.InvoiceNumber));
  expect(await of("q=autumn")).toContain("/accounts/610?from=2026-01-01");
  expect(textOf(await of("amount=much"))).toContain("“much” is no amount such as 120.50.");
});

test("a record leads to the one before and after it in the list that led to it, with its filters", async () => {
  const [oldest, middle, newest] = [
    await invoiced({ Date: "2026-02-01" }),
    await invoiced({ Date: "2026-02-02" }),
    await invoiced({ Date: "2026-02-03" }),
  ];
  await invoiced({ Date: "2026-02-02", Status: "DRAFT" });
  const trail = `via=${encodeURIComponent("/invoices?status=AUTHORISED")}`;
  const { html } = await pages.see(`/invoices/${middle.InvoiceID}?${trail}`);
  const to = (rel: string) =>
    new RegExp(`rel="${rel}"[^>]*href="/invoices/([^?"]*)`).exec(html)?.[1];
  expect([to("prev"), to("next")]).toEqual([newest.InvoiceID, oldest.InvoiceID]);
});

test("an approved invoice has its online link, which is asked about and then revoked for another", async () => {
  const { InvoiceID } = await invoiced();
  const path = `/invoices/${InvoiceID}`;
  const link = async () => /data-copy="([^"]*)"/.exec((await pages.see(path)).html)?.[1];
  const before = await link();
  expect(before).toMatch(/^https:/);
  const asked = await pages.send(path, { do: "revoke", token: formToken });
  expect(textOf(asked.html)).toContain("The address online leads nowhere any more");
  expect(await link()).toBe(before);
  await pages.send(path, { do: "revoke", sure: "yes", token: formToken });
  expect(await link()).not.toBe(before);
});

test("lines of a document name their account and tax rate", async () => {
  const { InvoiceID } = await invoiced();
  const shown = textOf((await pages.see(`/invoices/${InvoiceID}`)).html);
  expect(shown).toMatch(/Lines .*Work 1 100\.00 200 Sales 15% GST on Income 100\.00/);
});

test("contacts are shown by kind: customers, suppliers, archived", async () => {
  await invoiced();
  const supplier = await contact(given, { Name: "Clay Ltd" });
  await invoiced({ Type: "ACCPAY", InvoiceNumber: "B-1", Contact: supplier });
  const names = async (query: string) => {
    const { html } = await pages.see(`/contacts?${query}`);
    return ["Kowhai Ltd", "Clay Ltd"].filter((name) => textOf(html).includes(name));
  };
  expect(await names("kind=customers")).toEqual(["Kowhai Ltd"]);
  expect(await names("kind=suppliers")).toEqual(["Clay Ltd"]);
});

test("the ageing of a contact is named after it, and shows paid documents from a day alone", async () => {
  const paid = await invoiced();
  const open = await invoiced({ ...linesOf(40) });
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: paid.InvoiceID },
    Account: { Code: "090" },
    Date: "2026-02-10",
    Amount: 115,
  });
  const of = async (query = "") =>
    textOf(
      (await pages.see(`/reports/aged-receivables-by-contact?contact=${kowhai.ContactID}${query}`))
        .html,
    );
  expect(await of()).toContain("Aged Receivables: Kowhai Ltd");
  expect(await of()).toMatch(new RegExp(`Current 1–30 .* Total .*${open.InvoiceNumber} `));
  expect(await of()).not.toContain(paid.InvoiceNumber);
  expect(await of("&from=2026-01-01")).toContain(paid.InvoiceNumber);
});

test("a report of one contact or bank account shows the only one there is", async () => {
  await invoiced();
  expect(textOf((await pages.see("/reports/statement")).html)).toContain("115.00");
});

test("a report of more than 200 rows is shown in pages that end with its total, and whole on request", async () => {
  const Contacts = Array.from({ length: 203 }, (_, at) => ({ Name: `Customer ${1000 + at}` }));
  await given.ok("PUT", "/Contacts", { Contacts });
  await given.ok("PUT", "/Invoices", {
    Invoices: Contacts.map(({ Name }) => ({
      ...{ Type: "ACCREC", Contact: { Name }, Date: "2026-02-01", DueDate: "2026-02-20" },
      ...{ Status: "AUTHORISED", ...linesOf(10) },
    })),
  });
  const of = async (query = "") =>
    textOf((await pages.see(`/reports/aged-receivables${query}`)).html);
  const customers = (shown: string) => [...shown.matchAll(/Customer 1\d\d\d/g)].length;
  expect([customers(await of()), customers(await of("?page=2"))]).toEqual([200, 3]);
  for (const shown of [await of(), await of("?page=2")]) expect(shown).toContain("2,334.50");
  expect(customers(await of("?rows=all"))).toBe(203);
});
