/** What was undone is done again and undone once more, and what was made anew stands for what it was made of. */
import { expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";
import { log, undone } from "./undoing.ts";

const approved = async (given: World): Promise<Json> =>
  (await given.ok("PUT", "/Invoices", sale(await contact(given), { Status: "AUTHORISED" })))
    .Invoices[0];

const standing = async (given: World): Promise<Json[]> =>
  (await given.ok("GET", "/Invoices", undefined, { query: { Statuses: "AUTHORISED,PAID" } }))
    .Invoices;

const trialBalance = (given: World) => reportRows(given, "TrialBalance", { date: "2026-12-31" });

/** Sends requests as parts of one operation. */
async function together(given: World, requests: readonly (readonly [string, string, object])[]) {
  const headers = { "x-operation-id": given.book.dependencies.newId() };
  for (const [method, path, body] of requests) await given.ok(method, path, body, { headers });
  return (await log(given))[0].Number as number;
}

test("an operation that was undone and redone can be undone by its own number", async () => {
  const given = await world();
  const before = await trialBalance(given);
  await approved(given);
  const [made] = await log(given);
  await undone(given, made.Number);
  await undone(given, (await log(given))[0].Number);
  expect(await standing(given)).toHaveLength(1);
  await undone(given, made.Number);
  expect(await standing(given)).toEqual([]);
  expect(
    Object.values(await trialBalance(given))
      .flat()
      .filter((each) => each !== "" && Number(each) !== 0),
  ).toEqual(
    Object.values(before)
      .flat()
      .filter((each) => each !== "" && Number(each) !== 0),
  );
  await undone(given, (await log(given))[0].Number);
  expect(await standing(given)).toMatchObject([{ Total: 115 }]);
  expect(await faultsIn(given)).toEqual([]);
});

test("a voided and recreated document can be undone by the operation that created the original", async () => {
  const given = await world();
  const { InvoiceID } = await approved(given);
  const [made] = await log(given);
  await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "VOIDED" });
  await undone(given);
  const [anew] = await standing(given);
  expect(anew.InvoiceID).not.toBe(InvoiceID);
  await undone(given, made.Number);
  expect(await standing(given)).toEqual([]);
});

test("a draft approved, undone, redone and undone is deleted by undoing its creation", async () => {
  const given = await world();
  const { InvoiceID } = (await given.ok("PUT", "/Invoices", sale(await contact(given))))
    .Invoices[0];
  const [made] = await log(given);
  await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "AUTHORISED" });
  for (let round = 0; round < 3; round += 1) await undone(given, (await log(given))[0].Number);
  const left = async () => {
    const query = { Statuses: "DRAFT,AUTHORISED" };
    return (await given.ok("GET", "/Invoices", undefined, { query })).Invoices;
  };
  expect(await left()).toMatchObject([{ Status: "DRAFT" }]);
  await undone(given, made.Number);
  expect(await left()).toEqual([]);
});

test("undo that recreates an invoice also recreates its payment", async () => {
  const given = await world();
  const invoice = await approved(given);
  const payment = await paid(given, invoice, { Amount: 50 });
  const both = await together(given, [
    ["POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" }],
    ["POST", `/Invoices/${invoice.InvoiceID}`, { Status: "VOIDED" }],
  ]);
  await undone(given, both);
  expect(await standing(given)).toMatchObject([{ AmountPaid: 50, AmountDue: 65 }]);
});

test("undo restores archived accounts and lock dates after the records that depend on them", async () => {
  const given = await world();
  const party = await contact(given);
  const own = { Status: "AUTHORISED", Date: "2026-03-05" };
  const all = await together(given, [
    ["PUT", "/Invoices", sale(party, own)],
    ["POST", `/Contacts/${party.ContactID}`, { ContactStatus: "ARCHIVED" }],
    ["POST", "/Organisation/Settings", { PeriodLockDate: "2026-03-31" }],
  ]);
  await undone(given, all);
  expect(await standing(given)).toEqual([]);
  await undone(given, (await log(given))[0].Number);
  expect(await standing(given)).toMatchObject([{ Total: 115, DateString: "2026-03-05T00:00:00" }]);
  const { Contacts } = await given.ok("GET", `/Contacts/${party.ContactID}`);
  expect(Contacts[0].ContactStatus).toBe("ARCHIVED");
  const { Organisations } = await given.ok("GET", "/Organisation");
  expect(JSON.stringify(Organisations[0].PeriodLockDate)).toContain(String(Date.UTC(2026, 2, 31)));
});
