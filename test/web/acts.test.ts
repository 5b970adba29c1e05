/** Acts on pages of records: who is offered them, and whose requests are refused. */
import { expect, test } from "vitest";
import type { Role } from "../../src/service/auth/people.ts";
import { desk, employ } from "../service/auth/served.ts";
import { type Json, type World, world } from "../service/fixture.ts";
import { browsing, formToken, textOf } from "./browsing.ts";
import { atPages } from "./office.ts";

async function invoiced(given: World, own: object = {}): Promise<Json> {
  const { Contacts } = await given.ok("POST", "/Contacts", { Name: "Kowhai Ltd" });
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Date: "2026-02-01", DueDate: "2026-02-20", Status: "AUTHORISED" },
    Contact: Contacts[0],
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...own,
  });
  return Invoices[0];
}

const actsIn = (html: string) =>
  [...html.matchAll(/<(?:summary class="act other"|button class="act")>([^<]+)</g)].map(
    ([, text = ""]) => text,
  );

const all = ["Record payment", "Email", "Remind", "Attach files", "Add a note"];

test.each([
  ["adviser", all, 200],
  ["standard", all, 200],
  ["invoice-only", all.slice(1), 403],
  ["read-only", [], 403],
] satisfies [Role, string[], number][])(
  "the role %s is offered its acts alone, and its requests are refused without permission",
  async (role, offered, status) => {
    const at = await desk({ hasPages: true });
    await employ(at, "ana@heron.example", role);
    const { InvoiceID } = await invoiced(at.given);
    const ana = await atPages(at);
    const path = `/books/${at.given.book.tenant}/invoices/${InvoiceID}`;
    const { html } = await ana.see(path);
    const buttons = new Set(actsIn(html.slice(html.indexOf("<main"))));
    expect([...buttons].filter((each) => each !== "Search")).toEqual(offered);
    const sent = await ana.send(path, { do: "pay", "pay-account": "090", sure: "yes" });
    expect(sent.status).toBe(status);
    const { Invoices } = await at.given.ok("GET", `/Invoices/${InvoiceID}`);
    expect(Invoices[0].AmountDue).toBe(status === 200 ? 0 : 115);
  },
);

test("a form of an act without the token of its reader changes nothing", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given, { Status: "DRAFT" });
  const pages = browsing(given);
  const path = `/invoices/${InvoiceID}`;
  const { status } = await pages.send(path, { do: "approve", token: "guessed" });
  expect(status).toBe(400);
  expect((await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices[0].Status).toBe("DRAFT");
});

test("with a book that is read only no act is offered, and each is refused with 403", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given, { Status: "DRAFT" });
  const pages = browsing(given, { allows: (method) => method === "GET" });
  const path = `/invoices/${InvoiceID}`;
  expect(actsIn((await pages.see(path)).html)).toEqual([]);
  for (const act of ["approve", "pay", "attach", "note", "email", "undo"]) {
    const sent = await pages.send(path, { do: act, token: formToken });
    expect([act, sent.status]).toEqual([act, 403]);
  }
});

test("an operation is taken back only from the page of a record that it wrote", async () => {
  const given = await world();
  const pages = browsing(given);
  const one = await invoiced(given, { Status: "DRAFT" });
  const other = await invoiced(given, { Status: "DRAFT" });
  const act = { do: "approve", token: formToken };
  const { headers } = await pages.send(`/invoices/${one.InvoiceID}`, act);
  const operation = /operation=([0-9a-f-]+)/.exec(String(headers.location))?.[1] ?? "";
  const undo = { do: "undo", operation, token: formToken };
  const elsewhere = await pages.send(`/invoices/${other.InvoiceID}`, undo);
  expect([elsewhere.status, textOf(elsewhere.html)]).toEqual([
    400,
    expect.stringContaining("There is no such operation here."),
  ]);
  expect((await pages.send(`/invoices/${one.InvoiceID}`, undo)).status).toBe(303);
});
