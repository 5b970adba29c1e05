/** What every page has: an icon, keys that can be switched off, and ways on from an error. */
import { beforeEach, expect, test } from "vitest";
import { contact, type World, world } from "../service/fixture.ts";
import { type Browsing, browsing, formToken, linksIn, textOf } from "./browsing.ts";

let given: World;
let pages: Browsing;
beforeEach(async () => {
  given = await world();
  pages = browsing(given);
});

test("the icon of a page is the initial of the company", async () => {
  const { html } = await pages.see("/");
  const [, icon = ""] = /<link rel="icon" href="data:image\/svg\+xml,([^"]*)">/.exec(html) ?? [];
  expect(decodeURIComponent(icon)).toContain(">H</text>");
});

test("a page that is not there leads to a search for what was typed, and to the list of its kind", async () => {
  const { status, html } = await pages.see("/invoices/INV-9999");
  expect(status).toBe(404);
  expect(linksIn(html.slice(html.indexOf("<main")))).toEqual([
    "/",
    "/search?q=INV-9999",
    "/invoices",
    "/",
  ]);
});

test("keys are switched off in one browser, and on again", async () => {
  expect((await pages.see("/keys")).html).not.toContain('data-keys="off"');
  const { status, headers } = await pages.send("/keys", { token: formToken });
  expect([status, headers["set-cookie"]]).toEqual([
    303,
    expect.stringMatching(/^acct_keys=off; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict$/),
  ]);
  const off = await pages.see("/keys", new Map([["acct_keys", "off"]]));
  expect(off.html).toContain('<html lang="en" data-keys="off">');
  expect(textOf(off.html)).toContain("Switch them on");
});

test("groups of a search say how many they hold, and a unique number opens its record unless all is asked for", async () => {
  for (let at = 0; at < 10; at++) await contact(given, { Name: `Kowhai ${at}` });
  expect(textOf((await pages.see("/search?q=Kowhai")).html)).toContain("All 10 contacts");
  await given.ok("PUT", "/Items", { Code: "MUG", Name: "Mug" });
  expect((await pages.see("/search?q=MUG")).status).toBe(303);
  expect((await pages.see("/search?q=MUG&all=1")).status).toBe(200);
});

test("a document says on top what is owed, by whom and until when", async () => {
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Date: "2026-02-01", DueDate: "2026-03-20", Status: "AUTHORISED" },
    Contact: await contact(given, { Name: "Kowhai Ltd" }),
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  });
  const seen = async () => textOf((await pages.see(`/invoices/${Invoices[0].InvoiceID}`)).html);
  expect(await seen()).toContain("NZD 115.00 owed by Kowhai Ltd , due 20 Mar 2026");
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: Invoices[0].InvoiceID },
    ...{ Account: { Code: "090" }, Amount: 115, Date: "2026-02-10" },
  });
  expect(await seen()).not.toContain("owed by");
});
