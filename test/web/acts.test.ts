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

const lines = [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }];

test.each([
  ["CreditNotes", "credit-notes", { Type: "ACCRECCREDIT", Status: "AUTHORISED" }],
  ["PurchaseOrders", "purchase-orders", { Status: "AUTHORISED" }],
  ["Quotes", "quotes", { Status: "SENT" }],
])(
  "%s are emailed from their pages to the address that was filled in",
  async (plural, path, own) => {
    const given = await world();
    const { Contacts } = await given.ok("POST", "/Contacts", { Name: "Kowhai Ltd" });
    const body = { Contact: Contacts[0], Date: "2026-02-01", LineItems: lines, ...own };
    const [made] = (await given.ok("PUT", `/${plural}`, body))[plural];
    const page = `/${path}/${made[`${plural.slice(0, -1)}ID`]}`;
    const pages = browsing(given);
    expect(actsIn((await pages.see(page)).html)).toContain("Email");
    const filled = {
      "email-to": "ann@kowhai.example",
      "email-subject": "Hello",
      "email-text": "Hi",
    };
    await pages.send(page, { do: "email", ...filled, sure: "yes", token: formToken });
    expect(given.mail).toMatchObject([{ to: ["ann@kowhai.example"], subject: "Hello" }]);
  },
);

test.each([
  ["ACCPAY", true],
  ["ACCREC", false],
])(
  "a payment of an %s document offers a remittance advice on its page: %s",
  async (Type, offered) => {
    const given = await world();
    const { InvoiceID } = await invoiced(given, { Type, InvoiceNumber: "X-1" });
    const { Payments } = await given.ok("PUT", "/Payments", {
      ...{ Invoice: { InvoiceID }, Account: { Code: "090" }, Date: "2026-02-20", Amount: 100 },
    });
    const page = `/payments/${Payments[0].PaymentID}`;
    const pages = browsing(given);
    const { html } = await pages.see(page);
    expect(actsIn(html).includes("Email remittance advice")).toBe(offered);
    expect(html.includes("Remittance advice as PDF")).toBe(offered);
    const filled = { "remittance-to": "pay@kowhai.example" };
    await pages.send(page, { do: "remittance", ...filled, sure: "yes", token: formToken });
    expect(given.mail.map(({ to }) => to)).toEqual(offered ? [["pay@kowhai.example"]] : []);
  },
);

test("each supplier of a batch payment is sent a letter from its page, none where one has no address", async () => {
  const given = await world();
  const billOf = async (Name: string, EmailAddress?: string) => {
    const { Contacts } = await given.ok("POST", "/Contacts", { Name, EmailAddress });
    const { ContactID } = Contacts[0];
    const own = { Type: "ACCPAY", InvoiceNumber: `${Name} 1`, Contact: { ContactID } };
    const { InvoiceID, AmountDue } = await invoiced(given, { ...own, Status: "AUTHORISED" });
    return { ContactID, pays: { Invoice: { InvoiceID }, Amount: AmountDue } };
  };
  const bills = [await billOf("Moa", "pay@moa.example"), await billOf("Tui")];
  const { BatchPayments } = await given.ok("PUT", "/BatchPayments", {
    ...{ Account: { Code: "090" }, Date: "2026-03-10", Payments: bills.map(({ pays }) => pays) },
  });
  const page = `/batch-payments/${BatchPayments[0].BatchPaymentID}`;
  const pages = browsing(given);
  expect(actsIn((await pages.see(page)).html)).toContain("Email remittance advices");
  const asked = { do: "remittances", token: formToken };
  const refused = await pages.send(page, asked);
  expect(refused.html).toContain("Tui has no email address; nothing was sent.");
  const tui = `/Contacts/${bills[1]?.ContactID}`;
  await given.ok("POST", tui, { EmailAddress: "pay@tui.example" });
  expect((await pages.send(page, asked)).html).toContain("Send 2 letters, to");
  expect(given.mail).toEqual([]);
  await pages.send(page, { ...asked, sure: "yes" });
  expect(given.mail.map(({ to }) => to)).toEqual([["pay@moa.example"], ["pay@tui.example"]]);
});
