/** Linked transactions: expenses on bills that customers are to pay back. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, invoiced, type Json, sale, type World, world } from "../fixture.ts";

async function bill(given: World, fields: object = {}): Promise<Json> {
  return invoiced(given, {
    Type: "ACCPAY",
    InvoiceNumber: "B-1",
    LineItems: [
      { Description: "Freight", Quantity: 1, UnitAmount: 100, AccountCode: "425" },
      { Description: "Paper", Quantity: 1, UnitAmount: 20, AccountCode: "425" },
    ],
    ...fields,
  });
}

const lineOf = (document: Json, index = 0): string => document.LineItems[index].LineItemID;

const sourceOf = (document: Json, index = 0) => ({
  SourceTransactionID: document.InvoiceID,
  SourceLineItemID: lineOf(document, index),
});

async function linked(given: World, fields: object): Promise<Json> {
  return (await given.ok("PUT", "/LinkedTransactions", fields)).LinkedTransactions[0];
}

async function read(given: World, { LinkedTransactionID }: Json): Promise<Json> {
  const path = `/LinkedTransactions/${LinkedTransactionID}`;
  return (await given.ok("GET", path)).LinkedTransactions[0];
}

async function listed(given: World, query: Record<string, string> = {}): Promise<Json[]> {
  return (await given.ok("GET", "/LinkedTransactions", undefined, { query })).LinkedTransactions;
}

test("a linked transaction shows the bill that it comes from", async () => {
  const given = await world();
  const source = await bill(given);
  const made = await linked(given, sourceOf(source));
  expect(made).toMatchObject({
    ...sourceOf(source),
    Status: "DRAFT",
    Type: "BILLABLEEXPENSE",
    SourceTransactionTypeCode: "ACCPAY",
  });
  expect(made.ContactID).toBeUndefined();
  expect(await read(given, made)).toEqual(made);
  expect(await faultsIn(given)).toEqual([]);
});

test("the status of a linked transaction follows the status of its bill and its invoice", async () => {
  const given = await world();
  const source = await bill(given);
  const made = await linked(given, sourceOf(source));
  const path = `/LinkedTransactions/${made.LinkedTransactionID}`;
  const statusNow = async () => (await read(given, made)).Status;
  await given.ok("POST", `/Invoices/${source.InvoiceID}`, { Status: "AUTHORISED" });
  expect(await statusNow()).toBe("APPROVED");
  const target = await invoiced(given);
  const { LinkedTransactions } = await given.ok("POST", path, {
    TargetTransactionID: target.InvoiceID,
    TargetLineItemID: lineOf(target),
  });
  expect(LinkedTransactions[0]).toMatchObject({
    Status: "ONDRAFT",
    ContactID: target.Contact.ContactID,
    TargetLineItemID: lineOf(target),
  });
  await given.ok("POST", `/Invoices/${target.InvoiceID}`, { Status: "AUTHORISED" });
  expect(await statusNow()).toBe("BILLED");
  const billed = "A linked transaction that is BILLED cannot be";
  expect(await given.refused("POST", path, { ContactID: target.Contact.ContactID })).toEqual([
    `${billed} changed; void its invoice first.`,
  ]);
  expect(await given.refused("DELETE", path)).toEqual([
    `${billed} deleted; void its invoice first.`,
  ]);
  await given.ok("POST", `/Invoices/${target.InvoiceID}`, { Status: "VOIDED" });
  expect(await statusNow()).toBe("APPROVED");
  await given.ok("POST", `/Invoices/${source.InvoiceID}`, { Status: "VOIDED" });
  expect(await statusNow()).toBe("VOIDED");
});

test("a spend money transaction can be a billable expense, until it is deleted", async () => {
  const given = await world();
  const { ContactID } = await contact(given);
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    Type: "SPEND",
    Contact: { ContactID },
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineItems: [{ Description: "Taxi", Quantity: 1, UnitAmount: 30, AccountCode: "400" }],
  });
  const [{ BankTransactionID, LineItems }] = BankTransactions;
  const made = await linked(given, {
    SourceTransactionID: BankTransactionID,
    SourceLineItemID: LineItems[0].LineItemID,
  });
  expect(made).toMatchObject({ SourceTransactionTypeCode: "SPEND", Status: "APPROVED" });
  await given.ok("POST", `/BankTransactions/${BankTransactionID}`, { Status: "DELETED" });
  expect((await read(given, made)).Status).toBe("VOIDED");
});

test("removing a line from its bill voids the linked transaction of that line", async () => {
  const given = await world();
  const source = await bill(given);
  const made = await linked(given, sourceOf(source));
  await given.ok("POST", `/Invoices/${source.InvoiceID}`, {
    LineItems: [{ LineItemID: lineOf(source, 1) }],
  });
  expect((await read(given, made)).Status).toBe("VOIDED");
});

describe("refused linked transactions", () => {
  async function refusedWith(fields: (given: World, source: Json) => Promise<object>) {
    const given = await world();
    const source = await bill(given);
    const body = { ...sourceOf(source), ...(await fields(given, source)) };
    const sentences = await given.refused("PUT", "/LinkedTransactions", body);
    expect(await listed(given)).toEqual([]);
    return sentences;
  }
  const nobody = "11111111-1111-4111-8111-111111111111";

  test("a linked transaction without a source is refused", async () => {
    const given = await world();
    expect(await given.refused("PUT", "/LinkedTransactions", { Type: "BILLABLEEXPENSE" })).toEqual([
      "SourceTransactionID is required.",
      "SourceLineItemID is required.",
    ]);
  });

  test("a linked transaction with a line of a bill other than its source is refused", async () => {
    const other = async (given: World) => ({
      SourceLineItemID: lineOf(await bill(given, { InvoiceNumber: "B-2" })),
    });
    expect(await refusedWith(other)).toEqual([
      "The SourceLineItemID and SourceTransactionID do not match",
    ]);
  });

  test("a linked transaction with an unknown source is refused", async () => {
    expect(await refusedWith(async () => ({ SourceTransactionID: nobody }))).toEqual([
      `There is no bill and no spent money with the id ${nobody}.`,
    ]);
  });

  test("a linked transaction with a sales invoice as its source is refused", async () => {
    const given = await world();
    const { InvoiceID, LineItems } = await invoiced(given);
    const body = { SourceTransactionID: InvoiceID, SourceLineItemID: LineItems[0].LineItemID };
    expect(await given.refused("PUT", "/LinkedTransactions", body)).toEqual([
      `There is no bill and no spent money with the id ${InvoiceID}.`,
    ]);
  });

  test("a linked transaction with a contact other than the invoice's is refused", async () => {
    const other = async (given: World) => ({
      ContactID: (await contact(given)).ContactID,
      TargetTransactionID: (await invoiced(given)).InvoiceID,
    });
    expect(await refusedWith(other)).toEqual([
      "The ContactID and the TargetTransaction ContactID do not match",
    ]);
  });

  test("a linked transaction with a line of an invoice other than its own is refused", async () => {
    const other = async (given: World, source: Json) => ({
      TargetTransactionID: (await invoiced(given)).InvoiceID,
      TargetLineItemID: lineOf(source),
    });
    expect(await refusedWith(other)).toEqual([
      "The TargetLineItemID and TargetTransactionID do not match",
    ]);
  });

  test("a linked transaction with an invoice line but no invoice, or with an unknown contact, is refused", async () => {
    expect(await refusedWith(async () => ({ TargetLineItemID: nobody }))).toEqual([
      "A TargetLineItemID needs its TargetTransactionID.",
    ]);
    expect(await refusedWith(async () => ({ ContactID: nobody }))).toEqual([
      `There is no contact ${nobody}.`,
    ]);
    expect(await refusedWith(async () => ({ TargetTransactionID: nobody }))).toEqual([
      `There is no sales invoice with the id ${nobody}.`,
    ]);
  });

  test("a linked transaction with a void bill is refused", async () => {
    const given = await world();
    const source = await bill(given, { Status: "AUTHORISED" });
    await given.ok("POST", `/Invoices/${source.InvoiceID}`, { Status: "VOIDED" });
    expect(await given.refused("PUT", "/LinkedTransactions", sourceOf(source))).toEqual([
      "The source transaction is VOIDED, so it cannot be linked.",
    ]);
  });

  test("a second linked transaction for the same bill line is refused", async () => {
    const given = await world();
    const source = await bill(given);
    const { LinkedTransactionID } = await linked(given, sourceOf(source));
    expect(await given.refused("PUT", "/LinkedTransactions", sourceOf(source))).toEqual([
      `The line is linked already, by the linked transaction ${LinkedTransactionID}.`,
    ]);
    await linked(given, sourceOf(source, 1));
  });

  test("two linked transactions for the same bill line in one request are refused", async () => {
    const given = await world();
    const source = await bill(given);
    const body = { LinkedTransactions: [sourceOf(source), sourceOf(source, 1)] };
    expect(await given.refused("PUT", "/LinkedTransactions", body)).toEqual([
      "A request takes at most 1 LinkedTransaction, not 2.",
    ]);
  });
});

test("linked transactions can be filtered by their parameters, and paged", async () => {
  const given = await world();
  const source = await bill(given, { Status: "AUTHORISED" });
  const draft = await bill(given, { InvoiceNumber: "B-2" });
  const buyer = await contact(given);
  const { ContactID } = buyer;
  const target = (await given.ok("PUT", "/Invoices", sale(buyer))).Invoices[0];
  const approved = await linked(given, { ...sourceOf(source), ContactID });
  const { InvoiceID: TargetTransactionID } = target;
  const onDraft = await linked(given, { ...sourceOf(source, 1), TargetTransactionID });
  const other = await linked(given, sourceOf(draft));
  const idsOf = async (query: Record<string, string>) =>
    (await listed(given, query)).map((each) => each.LinkedTransactionID);
  const [a, b, c] = [approved, onDraft, other].map((each) => each.LinkedTransactionID);
  expect(await idsOf({})).toEqual([a, b, c]);
  expect(await idsOf({ LinkedTransactionID: b })).toEqual([b]);
  expect(await idsOf({ SourceTransactionID: source.InvoiceID })).toEqual([a, b]);
  expect(await idsOf({ ContactID })).toEqual([a, b]);
  expect(await idsOf({ ContactID, Status: "APPROVED" })).toEqual([a]);
  expect(await idsOf({ contactID: ContactID.toUpperCase(), status: "ondraft" })).toEqual([b]);
  expect(await idsOf({ ContactID, Status: "BILLED" })).toEqual([]);
  expect(await idsOf({ Status: "DRAFT" })).toEqual([c]);
  expect(await idsOf({ TargetTransactionID })).toEqual([b]);
  expect(await idsOf({ page: "2", pageSize: "2" })).toEqual([c]);
  expect(
    await given.refused("GET", "/LinkedTransactions", undefined, { query: { Status: "PAID" } }),
  ).toEqual([
    "The parameter Status must be one of DRAFT, APPROVED, ONDRAFT, BILLED, VOIDED, not 'PAID'.",
  ]);
});

test("deleting a linked transaction allows its bill line to be linked again", async () => {
  const given = await world();
  const source = await bill(given);
  const { LinkedTransactionID } = await linked(given, sourceOf(source));
  const path = `/LinkedTransactions/${LinkedTransactionID}`;
  const gone = await given.ask("DELETE", path);
  expect([gone.status, gone.text]).toEqual([204, ""]);
  expect((await given.ask("GET", path)).status).toBe(404);
  expect((await given.ask("DELETE", path)).status).toBe(404);
  await linked(given, sourceOf(source));
});
