/** Which changes leave an event, and for whom. */
import { expect, test } from "vitest";
import { type WaitingEvent, waitingEvents } from "../../../src/store/outbox/events.ts";
import { setStatus } from "../../../src/store/outbox/webhooks.ts";
import { organisationOf } from "../../../src/store/records/organisations.ts";
import { guid } from "../../store/samples.ts";
import { acted } from "../../support/audit.ts";
import { contact, type Json, paid, sale, type World, world } from "../fixture.ts";
import { shopId, subscribe } from "./subscribed.ts";

/** An invoice to a contact that is there. */
async function sold(given: World, ContactID: string, fields: object): Promise<Json> {
  return (await given.ok("PUT", "/Invoices", sale({ ContactID }, fields))).Invoices[0];
}

const waiting = (given: World, id = shopId): Promise<WaitingEvent[]> =>
  given.book.store.read(given.book.org, (tx) => waitingEvents(tx, id, 1000));

/** The events since it was last asked, as `INVOICE CREATE id`. */
function follower(given: World) {
  let seen = 0;
  return async () => {
    const events = await waiting(given);
    const fresh = events.slice(seen);
    seen = events.length;
    return fresh.map(({ category, type, resourceId }) => `${category} ${type} ${resourceId}`);
  };
}

test("a created and a changed record each produce a webhook event, drafts too", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const fresh = follower(given);
  const draft = await sold(given, ContactID, { Status: "DRAFT" });
  expect(await fresh()).toEqual([`INVOICE CREATE ${draft.InvoiceID}`]);
  const path = `/Invoices/${draft.InvoiceID}`;
  await given.ok("POST", path, { Reference: "changed" });
  expect(await fresh()).toEqual([`INVOICE UPDATE ${draft.InvoiceID}`]);
  const [event] = (await waiting(given)).slice(-1);
  const { json } = await given.ask("GET", path);
  const [, at] = /Date\((\d+)/.exec(json.Invoices[0].UpdatedDateUTC) ?? [];
  expect(event?.at).toBe(Number(at));
  await given.ok("POST", path, { Status: "DELETED" });
  expect(await fresh()).toEqual([`INVOICE UPDATE ${draft.InvoiceID}`]);
});

test("a bill produces a webhook event of the category invoices", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given, { categories: ["INVOICE"] });
  const bill = await sold(given, ContactID, { Type: "ACCPAY", InvoiceNumber: "B-1" });
  expect(await follower(given)()).toEqual([`INVOICE CREATE ${bill.InvoiceID}`]);
});

test("a payment and its deletion produce webhook events of the invoice", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const invoice = await sold(given, ContactID, { Status: "AUTHORISED" });
  const { InvoiceID } = invoice;
  const fresh = follower(given);
  await fresh();
  const { PaymentID } = await paid(given, invoice, { Amount: 5 });
  expect((await fresh()).sort()).toEqual([
    `INVOICE UPDATE ${InvoiceID}`,
    `PAYMENT CREATE ${PaymentID}`,
  ]);
  await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
  expect((await fresh()).sort()).toEqual([
    `INVOICE UPDATE ${InvoiceID}`,
    `PAYMENT UPDATE ${PaymentID}`,
  ]);
});

test("an allocation produces webhook events of the credit note and the invoice", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const { InvoiceID } = await sold(given, ContactID, { Status: "AUTHORISED" });
  const line = { Description: "back", Quantity: 1, UnitAmount: 2, AccountCode: "200" };
  const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Contact: { ContactID },
    Status: "AUTHORISED",
    LineItems: [line],
  });
  const [{ CreditNoteID, Total }] = CreditNotes;
  const fresh = follower(given);
  await fresh();
  await given.ok("PUT", `/CreditNotes/${CreditNoteID}/Allocations`, {
    Invoice: { InvoiceID },
    Amount: Total,
  });
  expect((await fresh()).sort()).toEqual([
    `CREDITNOTE UPDATE ${CreditNoteID}`,
    `INVOICE UPDATE ${InvoiceID}`,
  ]);
  const told = (await waiting(given)).filter(({ category }) => category === "CREDITNOTE");
  expect(told.map(({ data }) => data)).toEqual([
    { Type: "ACCRECCREDIT", Status: "AUTHORISED" },
    { Type: "ACCRECCREDIT", Status: "PAID" },
  ]);
});

test("archiving a contact produces an update event", async () => {
  const given = await world();
  await subscribe(given);
  const { ContactID } = await contact(given);
  await given.ok("POST", `/Contacts/${ContactID}`, { ContactStatus: "ARCHIVED" });
  expect(await follower(given)()).toEqual([
    `CONTACT CREATE ${ContactID}`,
    `CONTACT UPDATE ${ContactID}`,
  ]);
});

test("a batch produces one webhook event for each of its records, in their order", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given, { categories: ["INVOICE"] });
  const one = {
    Type: "ACCREC",
    Contact: { ContactID },
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" }],
  };
  const { Invoices } = await given.ok("PUT", "/Invoices", { Invoices: [one, one, one] });
  expect(await follower(given)()).toEqual(
    Invoices.map(({ InvoiceID }: Json) => `INVOICE CREATE ${InvoiceID}`),
  );
});

test("emailing an invoice produces a webhook event; a read, a note, a file and a dry run produce none", async () => {
  const given = await world();
  const { ContactID } = await contact(given, { EmailAddress: "pay@cafe.example" });
  await subscribe(given);
  const { InvoiceID } = await sold(given, ContactID, { Status: "AUTHORISED" });
  const path = `/Invoices/${InvoiceID}`;
  const fresh = follower(given);
  await fresh();
  await given.ok("GET", path);
  await given.ok("PUT", `${path}/History`, { HistoryRecords: [{ Details: "note" }] });
  await given.ok("PUT", `${path}/Attachments/slip.txt`, "text", {
    headers: { "content-type": "text/plain" },
  });
  await given.ok("POST", path, { Reference: "x" }, { headers: { "x-dry-run": "true" } });
  expect(await fresh()).toEqual([]);
  await given.ok("POST", `${path}/Email`);
  expect(await fresh()).toEqual([`INVOICE UPDATE ${InvoiceID}`]);
});

test("a refused record produces no webhook event, even if others of its batch are stored", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const good = {
    Type: "ACCREC",
    Contact: { ContactID },
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" }],
  };
  const bad = { ...good, Contact: { ContactID: guid(0xbad) } };
  await given.refused("PUT", "/Invoices", { Invoices: [good, bad] });
  expect(await waiting(given)).toEqual([]);
  const { json } = await given.ask(
    "PUT",
    "/Invoices",
    { Invoices: [good, bad] },
    { query: { SummarizeErrors: "false" } },
  );
  expect(await follower(given)()).toEqual([`INVOICE CREATE ${json.Invoices[0].InvoiceID}`]);
});

test("two changes within one millisecond produce two webhook events", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const { InvoiceID } = await sold(given, ContactID, { Status: "DRAFT" });
  const fresh = follower(given);
  await fresh();
  given.now -= 1;
  await given.ok("POST", `/Invoices/${InvoiceID}`, { Reference: "a" });
  given.now -= 1;
  await given.ok("POST", `/Invoices/${InvoiceID}`, { Reference: "b" });
  expect(await fresh()).toEqual([`INVOICE UPDATE ${InvoiceID}`, `INVOICE UPDATE ${InvoiceID}`]);
});

test("a contact marked as a customer by its first invoice produces no webhook event", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given);
  const { InvoiceID } = await sold(given, ContactID, { Status: "AUTHORISED" });
  expect(await follower(given)()).toEqual([`INVOICE CREATE ${InvoiceID}`]);
});

test("a webhook gets only events of its categories, and a disabled webhook gets none", async () => {
  const given = await world();
  const bills = await subscribe(given, { categories: ["INVOICE"] });
  const people = await subscribe(given, { id: guid(0x9002), categories: ["CONTACT"] });
  const off = await subscribe(given, { id: guid(0x9003), status: "DISABLED" });
  const gone = await subscribe(given, { id: guid(0x9004), expiresAt: given.now });
  const { ContactID } = await contact(given);
  await sold(given, ContactID, { Status: "DRAFT" });
  const categories = async (id: string) => (await waiting(given, id)).map((each) => each.category);
  expect(await categories(bills)).toEqual(["INVOICE"]);
  expect(await categories(people)).toEqual(["CONTACT"]);
  expect(await categories(off)).toEqual([]);
  expect(await categories(gone)).toEqual([]);
});

test("the organisation lists the event categories that have webhook subscribers", async () => {
  const given = await world();
  const { store, org } = given.book;
  const told = () => store.read(org, async (tx) => (await organisationOf(tx)).EventCategories);
  expect(await told()).toBeUndefined();
  const id = await subscribe(given, { categories: ["INVOICE", "CONTACT"] });
  expect(await told()).toBe("CONTACT,INVOICE");
  const { Organisations } = await given.ok("GET", "/Organisation");
  expect(JSON.stringify(Organisations)).not.toContain("CONTACT,INVOICE");
  await store.write(org, (tx) => setStatus(acted(tx), id, "DISABLED"));
  expect(await told()).toBeUndefined();
  await contact(given);
  expect(await waiting(given)).toEqual([]);
});

test("a generated repeating invoice produces a webhook event", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  await subscribe(given, { categories: ["INVOICE"] });
  await given.ok("PUT", "/RepeatingInvoices", {
    Type: "ACCREC",
    Contact: { ContactID },
    Status: "AUTHORISED",
    Reference: "Rent",
    LineItems: [{ Description: "Rent", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    Schedule: {
      Period: 1,
      Unit: "MONTHLY",
      StartDate: "2026-01-01",
      DueDate: 20,
      DueDateType: "DAYSAFTERBILLDATE",
    },
  });
  const fresh = follower(given);
  expect(await fresh()).toEqual([]);
  const { RepeatingInvoiceRuns } = await given.ok("POST", "/RepeatingInvoices/Run", {});
  expect(RepeatingInvoiceRuns.length).toBeGreaterThan(1);
  expect(await fresh()).toEqual(
    RepeatingInvoiceRuns.map(({ InvoiceID }: Json) => `INVOICE CREATE ${InvoiceID}`),
  );
});
