/** Records that are asked for again, and have changed in between. */
import { expect, test } from "vitest";
import { openBookIn } from "../../../src/service/books/book.ts";
import { contact, invoiced, type Json, paid, sale, type World, world } from "../fixture.ts";

const pathOf = ({ InvoiceID }: Json) => `/Invoices/${InvoiceID}`;

/** As often as it takes until the answer comes from what was kept. */
async function asked({ ok }: World, path: string): Promise<Json> {
  const answers: Json[] = [];
  for (let time = 0; time < 3; time += 1) answers.push((await ok("GET", path)).Invoices[0]);
  expect(answers[1]).toEqual(answers[0]);
  expect(answers[2]).toEqual(answers[0]);
  return answers[0];
}

test("a repeated read of an invoice has a new response id and time", async () => {
  const books = await world();
  const path = pathOf(await invoiced(books));
  await asked(books, path);
  const one = await books.ok("GET", path);
  books.now += 60_000;
  const other = await books.ok("GET", path);
  expect(other.Id).not.toBe(one.Id);
  expect(other.DateTimeUTC).not.toBe(one.DateTimeUTC);
  expect(other.Invoices).toEqual(one.Invoices);
});

test("a repeated read of an invoice shows new payments and the contact's new name", async () => {
  const books = await world();
  const invoice = await invoiced(books, { Status: "AUTHORISED" });
  const path = pathOf(invoice);
  expect(await asked(books, path)).toMatchObject({ AmountPaid: 0, Payments: [] });
  await paid(books, invoice, { Amount: 15 });
  expect(await asked(books, path)).toMatchObject({ AmountPaid: 15, Payments: [{ Amount: 15 }] });
  const { ContactID } = invoice.Contact;
  await books.ok("POST", "/Contacts", { ContactID, Name: "Island Bay Flowers" });
  expect(await asked(books, path)).toMatchObject({ Contact: { Name: "Island Bay Flowers" } });
});

test("each format and query of a read is cached separately", async () => {
  const books = await world();
  const path = pathOf(await invoiced(books));
  await asked(books, path);
  const text = async (accept: string, query = {}) =>
    (await books.ask("GET", path, undefined, { query, headers: { accept } })).text;
  const fine = { unitdp: "4" };
  for (let time = 0; time < 3; time += 1) {
    expect(await text("application/json")).toMatch(/"UnitAmount":\d+\.\d\d,/);
    expect(await text("application/json", fine)).toMatch(/"UnitAmount":\d+\.\d{4},/);
    expect(await text("application/xml")).toMatch(/<UnitAmount>\d+\.\d\d</);
    expect(await text("application/xml", fine)).toMatch(/<UnitAmount>\d+\.\d{4}</);
  }
});

test("a document number that moved to another record finds that record, not the cached one", async () => {
  const books = await world();
  const draft = { Status: "DRAFT", InvoiceNumber: "A-1" };
  const first = await invoiced(books, draft);
  expect((await asked(books, "/Invoices/A-1")).InvoiceID).toBe(first.InvoiceID);
  await books.ok("POST", pathOf(first), { InvoiceNumber: "A-2" });
  const second = await invoiced(books, draft);
  expect((await asked(books, "/Invoices/A-1")).InvoiceID).toBe(second.InvoiceID);
});

test("a cached answer is not returned to another organisation in the same database", async () => {
  const books = await world();
  const path = pathOf(await invoiced(books));
  await asked(books, path);
  const { store, org, tenant } = books.book;
  const stranger = openBookIn(store, { org: org + 1_000_000, OrganisationID: tenant, Name: "" });
  const { status } = await stranger.transport({ method: "GET", path, query: [], headers: {} });
  expect(status).toBe(404);
});

test("a repeated read of a contact shows the overdue amount as at today", async () => {
  const books = await world();
  const owing = await contact(books);
  await books.ok("PUT", "/Invoices", sale(owing, { Status: "AUTHORISED" }));
  const overdue = async () => {
    const { Contacts } = await books.ok("GET", `/Contacts/${owing.ContactID}`);
    return Contacts[0].Balances.AccountsReceivable.Overdue;
  };
  for (let time = 0; time < 3; time += 1) expect(await overdue()).toBe(0);
  books.now += 30 * 24 * 3600 * 1000;
  expect(await overdue()).toBeGreaterThan(0);
});
