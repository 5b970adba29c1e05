/** History and notes: on every document, payment, item and contact; kept for good. */
import { expect, test } from "vitest";
import { historyOf } from "../../../src/store/records/history.ts";
import { contact, invoiced, type Json, paid, type World, world } from "../fixture.ts";

const nowhere = "11111111-1111-1111-1111-111111111111";

async function addresses(given: World): Promise<string[]> {
  const invoice = await invoiced(given, { Status: "AUTHORISED" });
  const bill = await invoiced(given, { Type: "ACCPAY", LineItems: [{ Description: "x" }] });
  const payment = await paid(given, invoice);
  const [item] = (await given.ok("PUT", "/Items", { Code: "A" })).Items;
  const party = await contact(given, { ContactNumber: "C" });
  return [
    `/Invoices/${invoice.InvoiceID}`,
    `/Invoices/${invoice.InvoiceNumber}`,
    `/Invoices/${bill.InvoiceID}`,
    `/Payments/${payment.PaymentID}`,
    `/Items/${item.ItemID}`,
    "/items/a",
    `/Contacts/${party.ContactID}`,
    "/Contacts/c",
  ];
}

test("an added note is returned, and is the first entry in the history of its record", async () => {
  const given = await world();
  for (const address of await addresses(given)) {
    const { HistoryRecords: noted } = await given.ok("PUT", `${address}/History`, {
      HistoryRecords: [{ Details: `Note on ${address}` }],
    });
    expect(noted).toHaveLength(1);
    expect(noted[0]).toMatchObject({
      Details: `Note on ${address}`,
      DateUTCString: expect.stringMatching(/^2026-02-28T23:00:0\dZ$/),
    });
    expect(noted[0].Changes).toBeUndefined();
    expect(noted[0].User).toBeUndefined();
    const { HistoryRecords } = await given.ok("GET", `${address}/history/`);
    expect(HistoryRecords[0]).toMatchObject({
      Changes: "Note",
      Details: `Note on ${address}`,
      User: "Tess Tester",
    });
    expect(HistoryRecords.at(-1).Changes).toBe("Created");
  }
});

test.each<[string, unknown, Record<string, string>]>([
  ["a list in JSON", { HistoryRecords: [{ Details: "Rang" }] }, {}],
  ["bare JSON", { Details: "Rang" }, {}],
  [
    "a list in XML",
    "<HistoryRecords><HistoryRecord><Details>Rang</Details></HistoryRecord></HistoryRecords>",
    { "content-type": "text/xml" },
  ],
  [
    "bare XML",
    "<HistoryRecord><Details>Rang</Details></HistoryRecord>",
    { "content-type": "text/xml" },
  ],
  [
    "with what the service sets",
    { Details: "Rang", User: "me", Changes: "Voided", DateUTC: "2020-01-01T00:00:00Z" },
    {},
  ],
])("a note sent as %s is added to the history", async (_name, body, headers) => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  await given.ok("PUT", `/Invoices/${InvoiceID}/History`, body, { headers });
  const [noted] = (await given.ok("GET", `/Invoices/${InvoiceID}/History`)).HistoryRecords;
  expect(noted).toMatchObject({ Changes: "Note", Details: "Rang", User: "Tess Tester" });
});

test("several notes can be added at once, in XML and in JSON", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  const path = `/Invoices/${InvoiceID}/History`;
  await given.ok("PUT", path, {
    HistoryRecords: [{ Details: "one" }, { Details: "x".repeat(2500) }],
  });
  expect((await given.ok("GET", path)).HistoryRecords).toHaveLength(3);
  const { text } = await given.ask("GET", path, undefined, { headers: { accept: "text/xml" } });
  expect(text).toContain("<HistoryRecord><Changes>Note</Changes>");
});

test.each<[string, unknown]>([
  ["nothing in it", { Details: "" }],
  ["more than 2500 characters", { Details: "x".repeat(2501) }],
  ["no details", { HistoryRecords: [{ User: "x" }] }],
  ["a list of others", { Invoices: [] }],
])("a note is refused with %s", async (_name, body) => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  expect((await given.ask("PUT", `/Invoices/${InvoiceID}/History`, body)).status).toBe(400);
});

test.each(["Invoices", "Payments", "Items", "Contacts"])(
  "the history of a missing record of %s is answered as not found",
  async (path) => {
    const given = await world();
    const sentence = "The document with the supplied id was not found for this endpoint.";
    for (const method of ["GET", "PUT"]) {
      const body = method === "PUT" ? { Details: "x" } : undefined;
      expect(await given.refused(method, `/${path}/${nowhere}/History`, body)).toEqual([sentence]);
    }
  },
);

test("changing or deleting history is refused", async () => {
  const given = await world();
  const { InvoiceID } = await invoiced(given);
  for (const method of ["DELETE", "PATCH"]) {
    expect(
      (await given.ask(method, `/Invoices/${InvoiceID}/History`, { Details: "x" })).status,
    ).toBe(501);
  }
});

test("every change of an invoice is listed in its history", async () => {
  const given = await world();
  const party = await contact(given, { EmailAddress: "a@x.example" });
  const made = await invoiced(given, { Contact: { ContactID: party.ContactID } });
  const path = `/Invoices/${made.InvoiceID}`;
  for (const body of [
    { Reference: "x" },
    { Status: "SUBMITTED" },
    { Status: "DRAFT" },
    { Status: "AUTHORISED" },
  ])
    await given.ok("POST", path, body);
  await given.ok("POST", `${path}/Email`, {});
  await given.ok("POST", path, { Status: "VOIDED" });
  const { HistoryRecords } = await given.ok("GET", `${path}/History`);
  expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual([
    "Voided",
    "Invoice sent",
    "Approved",
    "Updated",
    "Submitted",
    "Edited",
    "Created",
  ]);
});

test("changes of records without a history endpoint are stored in the history as well", async () => {
  const given = await world();
  const verbs = async (resource: string, id: string) =>
    (await given.book.store.read(given.book.org, (tx) => historyOf(tx, resource, id)))
      .map((each) => each.Changes)
      .reverse();

  const made = await given.ok("PUT", "/Accounts", { Code: "777", Name: "Fun", Type: "EXPENSE" });
  const { AccountID } = made.Accounts[0];
  await given.ok("POST", `/Accounts/${AccountID}`, { Name: "Joy" });
  await given.ok("POST", `/Accounts/${AccountID}`, { Status: "ARCHIVED" });
  await given.ok("DELETE", `/Accounts/${AccountID}`);
  expect(await verbs("Account", AccountID)).toEqual(["Created", "Edited", "Archived", "Deleted"]);

  const TaxComponents = [{ Name: "Levy", Rate: 1 }];
  const levy = { Name: "Levy", ReportTaxType: "INPUT", TaxComponents };
  const { TaxType } = (await given.ok("PUT", "/TaxRates", levy)).TaxRates[0];
  await given.ok("POST", "/TaxRates", { TaxType, Status: "DELETED" });
  expect(await verbs("TaxRate", TaxType)).toEqual(["Created", "Deleted"]);

  const region = await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  const { TrackingCategoryID } = region.TrackingCategories[0];
  const path = `/TrackingCategories/${TrackingCategoryID}`;
  const { Options } = await given.ok("PUT", `${path}/Options`, { Name: "North" });
  await given.ok("DELETE", `${path}/Options/${Options[0].TrackingOptionID}`);
  await given.ok("DELETE", path);
  expect(await verbs("TrackingCategory", TrackingCategoryID)).toEqual([
    "Created",
    "Created",
    "Deleted",
    "Deleted",
  ]);

  const group = await given.ok("PUT", "/ContactGroups", { Name: "Shops" });
  const { ContactGroupID } = group.ContactGroups[0];
  const { ContactID } = await contact(given);
  await given.ok("PUT", `/ContactGroups/${ContactGroupID}/Contacts`, { ContactID });
  await given.ok("DELETE", `/ContactGroups/${ContactGroupID}/Contacts/${ContactID}`);
  expect(await verbs("ContactGroup", ContactGroupID)).toEqual(["Created", "Edited", "Edited"]);

  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-01", Rate: 1 });
  expect(await verbs("Currency", "EUR")).toEqual(["Created", "Rates"]);
});
