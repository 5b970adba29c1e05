/** Pages of records: moments where the organisation is, what is due, what was posted and reversed. */
import { beforeEach, expect, test } from "vitest";
import { contact, type Json, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
let kowhai: Json;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
  kowhai = await contact(given, { Name: "Kowhai Ltd" });
});

async function invoiced(own: object): Promise<Json> {
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact: kowhai,
    Date: "2026-02-01",
    DueDate: "2026-02-20",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...own,
  });
  return Invoices[0];
}

test.each([
  ["NEWZEALANDSTANDARDTIME", "15 Nov 2026, 11:00"],
  ["PACIFICSTANDARDTIME", "14 Nov 2026, 14:00"],
  ["UTC", "14 Nov 2026, 22:00"],
])("a time is shown in the organisation's time zone %s", async (Timezone, shown) => {
  await given.ok("POST", "/Organisation/Settings", { Timezone });
  given.now = Date.UTC(2026, 10, 14, 22);
  const { InvoiceID } = await invoiced({ Status: "DRAFT" });
  const { html } = await pages.see(`/invoices/${InvoiceID}`);
  const history = /<h2 id="history">.*/s.exec(html)?.[0] ?? "";
  expect(textOf(history)).toContain(shown);
  expect(textOf(html)).toContain(`Changed ${shown}`);
});

test("the page of a draft shows no amount due, and of an approved invoice its whole total", async () => {
  const draft = await invoiced({ Status: "DRAFT", InvoiceNumber: "D-1" });
  const { html } = await pages.see(`/invoices/${draft.InvoiceID}`);
  expect(html).not.toContain('<dt class="due">');
  await given.ok("POST", `/Invoices/${draft.InvoiceID}`, { Status: "AUTHORISED" });
  const approved = await pages.see(`/invoices/${draft.InvoiceID}`);
  expect(approved.html).toMatch(/<dt class="due">Due<\/dt><dd class="due">115\.00/);
  await invoiced({ Status: "DRAFT", InvoiceNumber: "D-2" });
  const list = await pages.see("/invoices");
  expect(textOf(list.html)).toMatch(/Total 230\.00 115\.00/);
});

test("the page of a void invoice shows its journal and the reversal, and no amount due", async () => {
  const { InvoiceID } = await invoiced({ Status: "AUTHORISED" });
  const journals = async () => {
    const { html } = await pages.see(`/invoices/${InvoiceID}`);
    const part = /<h2 id="journals">.*?<\/section>/s.exec(html)?.[0] ?? "";
    return new Set([...part.matchAll(/>Journal (\d+)</g)].map(([, number]) => number));
  };
  expect((await journals()).size).toBe(1);
  await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "VOIDED" });
  expect((await journals()).size).toBe(2);
  const { html } = await pages.see(`/invoices/${InvoiceID}`);
  expect(html).not.toContain('<dt class="due">');
});

test("the tax return page without dates shows the period due", async () => {
  const { html } = await pages.see("/reports/gst-return");
  const { Reports } = await given.ok("GET", "/Reports/GSTReturn");
  const days = [...html.matchAll(/type="date"[^>]*value="([^"]*)"/g)].map(([, day]) => day);
  const said = Reports[0].Attributes.filter(({ Name }: Json) => /fromDate|dateTo/.test(Name));
  expect(days).toEqual(said.map(({ Value }: Json) => Value));
  expect(days[0]).not.toBe("2026-03-01");
});

test("a list filtered by contact id shows the contact's name, and can be filtered by name alike", async () => {
  const { Contact } = await invoiced({ Status: "AUTHORISED", InvoiceNumber: "K-1" });
  for (const path of ["/invoices", "/reports/aged-receivables-by-contact"]) {
    const { html } = await pages.see(`${path}?contact=${Contact.ContactID}`);
    expect(html).toMatch(/name="contact"[^>]*value="Kowhai Ltd"/);
    expect(textOf(html)).toContain("K-1");
    expect(textOf((await pages.see(`${path}?contact=Kowhai Ltd`)).html)).toContain("K-1");
  }
});
