/** Batches of payments: made with all their members or not at all, and deleted whole. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { contact, faultsIn, invoiced, type Json, type World, world } from "../fixture.ts";

const approved = (given: World, fields: object = {}) =>
  invoiced(given, { Status: "AUTHORISED", ...fields });

let bills = 0;
function bill(given: World): Promise<Json> {
  bills += 1;
  return approved(given, {
    Type: "ACCPAY",
    InvoiceNumber: `S-${bills}`,
    LineItems: [{ Description: "Clay", Quantity: 1, UnitAmount: 10, AccountCode: "429" }],
  });
}

const member = ({ InvoiceID, AmountDue }: Json, fields: object = {}) => ({
  Invoice: { InvoiceID },
  Amount: AmountDue,
  ...fields,
});

const batch = (Payments: readonly object[], fields: object = {}) => ({
  Account: { Code: "090" },
  Date: "2026-03-10",
  Payments,
  ...fields,
});

async function made(given: World, Payments: readonly object[], fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/BatchPayments", batch(Payments, fields));
  return answer.BatchPayments[0];
}

async function read(given: World, path: string): Promise<Json> {
  const answer = await given.ok("GET", path);
  return (Object.values(answer).find(Array.isArray) as Json[])[0];
}

describe("creating a batch payment", () => {
  test("a batch payment pays every invoice, each with its own payment", async () => {
    const given = await world();
    const [first, second] = [await approved(given), await approved(given)];
    const record = await made(given, [
      member(first),
      member(second, { Invoice: { InvoiceNumber: second.InvoiceNumber }, Amount: 15 }),
    ]);
    expect(record).toMatchObject({
      Type: "RECBATCH",
      Status: "AUTHORISED",
      TotalAmount: 130,
      IsReconciled: false,
      DateString: "2026-03-10T00:00:00",
      Account: { Code: "090" },
      Payments: [
        { Amount: 115, Invoice: { InvoiceID: first.InvoiceID } },
        { Amount: 15, Invoice: { InvoiceID: second.InvoiceID } },
      ],
    });
    const { BatchPaymentID } = record;
    expect(await read(given, `/Payments/${record.Payments[0].PaymentID}`)).toMatchObject({
      BatchPaymentID,
      PaymentType: "ACCRECPAYMENT",
      Amount: 115,
      BatchPayment: {
        BatchPaymentID,
        Type: "RECBATCH",
        Status: "AUTHORISED",
        TotalAmount: 130,
        IsReconciled: false,
        Account: { Code: "090" },
        DateString: "2026-03-10T00:00:00",
      },
    });
    expect((await read(given, `/Invoices/${first.InvoiceID}`)).Status).toBe("PAID");
    expect((await read(given, `/Invoices/${second.InvoiceID}`)).AmountDue).toBe(100);
    expect(await read(given, `/BatchPayments/${BatchPaymentID}`)).toEqual(record);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a batch payment from XML pays bills", async () => {
    const given = await world();
    const due = await bill(given);
    const body = `<BatchPayments><BatchPayment><Account><Code>090</Code></Account>
      <Date>2026-03-10</Date><Payments><Payment><Invoice><InvoiceID>${due.InvoiceID}</InvoiceID>
      </Invoice><Amount>11.50</Amount></Payment></Payments></BatchPayment></BatchPayments>`;
    const headers = { "content-type": "application/xml" };
    const { BatchPayments } = await given.ok("PUT", "/BatchPayments", body, { headers });
    expect(BatchPayments[0]).toMatchObject({ Type: "PAYBATCH", TotalAmount: 11.5 });
    expect((await given.ok("GET", "/Journals")).Journals.at(-1).SourceType).toBe("ACCPAYPAYMENT");
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a batch payment without a date is dated today", async () => {
    const given = await world();
    const record = await made(given, [member(await approved(given))], { Date: undefined });
    expect(record.DateString).toBe("2026-03-01T00:00:00");
  });

  test("a batch payment keeps the bank statement fields used in its country", async () => {
    const given = await world();
    const told = { Particulars: "Kiln", Code: "K1", Reference: "INV 1" };
    const record = await made(given, [member(await bill(given), told)], {
      Reference: "A reference that is long",
      Particulars: "March",
      Code: "M",
    });
    expect(await read(given, `/BatchPayments/${record.BatchPaymentID}`)).toMatchObject({
      Reference: "A reference ",
      Particulars: "March",
      Code: "M",
      Payments: [told],
    });
    expect(await read(given, `/Payments/${record.Payments[0].PaymentID}`)).toMatchObject({
      Particulars: "Kiln",
      Reference: "INV 1",
      Account: { Code: "090" },
    });
    const british = await world("GB");
    const { Accounts } = await british.ok("GET", "/Accounts", undefined, {
      query: { where: 'Type=="BANK"' },
    });
    const abroad = await made(british, [member(await approved(british))], {
      Account: { AccountID: Accounts[0].AccountID },
      Details: "March rent",
      Narrative: "Rent",
    });
    expect(abroad).toMatchObject({ Details: "March rent", Narrative: "Rent" });
  });
});

describe("batch payments that are refused", () => {
  test.each<[string, object, string]>([
    ["without payments", { Payments: [] }, "One or more Payments must be specified."],
    [
      "without an account",
      { Account: undefined },
      "The Account of a payment must be named by AccountID or Code.",
    ],
    [
      "on an account that takes no payments",
      { Account: { Code: "200" } },
      "Account type is invalid for making a payment to/from",
    ],
    [
      "with details in New Zealand",
      { Details: "x" },
      "Details of a batch payment are not for New Zealand; it has Particulars and Code.",
    ],
    [
      "with a narrative outside the United Kingdom",
      { Narrative: "x" },
      "Narrative of a batch payment is for the United Kingdom only.",
    ],
    [
      "with particulars that are too long",
      { Particulars: "thirteen char" },
      "Particulars may have at most 12 characters, not 13.",
    ],
  ])("a batch payment is refused: %s", async (_name, fields, message) => {
    const given = await world();
    const body = batch([member(await approved(given))], fields);
    expect(await given.refused("PUT", "/BatchPayments", body)).toEqual([message]);
  });

  const refusedWith = async (given: World, Payments: readonly object[], messages: string[]) => {
    const before = (await given.ok("GET", "/Journals")).Journals.length;
    expect(await given.refused("PUT", "/BatchPayments", batch(Payments))).toEqual(messages);
    expect((await given.ok("GET", "/Payments")).Payments).toEqual([]);
    expect((await given.ok("GET", "/Journals")).Journals).toHaveLength(before);
    expect(await faultsIn(given)).toEqual([]);
  };

  test("a batch payment of both invoices and bills is refused", async () => {
    const given = await world();
    await refusedWith(
      given,
      [member(await approved(given)), member(await bill(given))],
      ["A batch payment is of sales invoices or of bills, not of both."],
    );
  });

  test("a batch payment is refused as a whole if one of its payments is refused", async () => {
    const given = await world();
    const draft = await invoiced(given);
    const good = await approved(given);
    await refusedWith(
      given,
      [member(good), member(good, { Amount: 0 }), member(draft), { Amount: 1 }],
      [
        "The Amount of a payment must be above zero. (payment 2)",
        "Payments can only be made against Authorised documents. (payment 3)",
        "A payment names exactly one Invoice, CreditNote, Prepayment, Overpayment or ExpenseClaim. (payment 4)",
      ],
    );
    expect((await read(given, `/Invoices/${good.InvoiceID}`)).AmountDue).toBe(115);
  });

  test("a batch payment is refused when its payments together exceed the amount due", async () => {
    const given = await world();
    const due = await approved(given);
    const other = await approved(given);
    await refusedWith(
      given,
      [member(other), member(due, { Amount: 100 }), member(due)],
      ["Payment amount exceeds the amount outstanding on this document"],
    );
    // Nothing of it has stayed with those that are made in the same request.
    const BatchPayments = [batch([member(due), member(due)]), batch([member(due), member(other)])];
    const query = { SummarizeErrors: "false" };
    const answer = await given.ok("PUT", "/BatchPayments", { BatchPayments }, { query });
    expect(answer.BatchPayments.map((each: Json) => each.StatusAttributeString)).toEqual([
      "ERROR",
      "OK",
    ]);
    expect((await given.ok("GET", "/Payments")).Payments).toHaveLength(2);
    expect((await given.ok("GET", "/BatchPayments")).BatchPayments).toHaveLength(1);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a batch payment of a credit note is refused", async () => {
    const given = await world();
    const note = {
      Type: "ACCRECCREDIT",
      Status: "AUTHORISED",
      Contact: { ContactID: (await contact(given)).ContactID },
      LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" }],
    };
    const { CreditNotes } = await given.ok("PUT", "/CreditNotes", note);
    const { CreditNoteID } = CreditNotes[0];
    await refusedWith(
      given,
      [{ Invoice: { InvoiceID: CreditNoteID }, Amount: 1 }],
      [`There is no invoice ${CreditNoteID}.`],
    );
  });
});

describe("deleting a batch payment", () => {
  test.each<[string, (record: Json) => [path: string, body: object]]>([
    [
      "at its address",
      ({ BatchPaymentID }) => [`/BatchPayments/${BatchPaymentID}`, { Status: "DELETED" }],
    ],
    [
      "by its id in the body",
      ({ BatchPaymentID }) => ["/BatchPayments", { BatchPaymentID, Status: "DELETED" }],
    ],
  ])("deleting a batch payment %s reverses each of its payments", async (_name, asked) => {
    const given = await world();
    const [first, second] = [await approved(given), await approved(given)];
    const record = await made(given, [member(first), member(second)]);
    const answer = await given.ok("POST", ...asked(record));
    expect(answer.BatchPayments[0]).toMatchObject({ Status: "DELETED", TotalAmount: 230 });
    for (const { PaymentID } of record.Payments) {
      expect(await read(given, `/Payments/${PaymentID}`)).toMatchObject({
        Status: "DELETED",
        BatchPayment: { Status: "DELETED" },
      });
    }
    for (const { InvoiceID } of [first, second]) {
      expect(await read(given, `/Invoices/${InvoiceID}`)).toMatchObject({
        Status: "AUTHORISED",
        AmountDue: 115,
      });
    }
    expect(await given.refused("POST", ...asked(record))).toEqual([
      "The batch payment is deleted already.",
    ]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("deleting a batch payment reverses two payments of the same invoice", async () => {
    const given = await world();
    const due = await approved(given);
    const record = await made(given, [member(due, { Amount: 15 }), member(due, { Amount: 100 })]);
    expect((await read(given, `/Invoices/${due.InvoiceID}`)).Status).toBe("PAID");
    const path = `/BatchPayments/${record.BatchPaymentID}`;
    await given.ok("POST", path, { Status: "DELETED" });
    expect((await read(given, `/Invoices/${due.InvoiceID}`)).AmountDue).toBe(115);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("deleting a batch payment together with another change is refused", async () => {
    const given = await world();
    const record = await made(given, [member(await approved(given))]);
    const path = `/BatchPayments/${record.BatchPaymentID}`;
    expect(await given.refused("POST", path, { Reference: "x" })).toEqual([
      "A batch payment cannot be changed; its Status can be set to DELETED.",
    ]);
    expect(await given.refused("POST", "/BatchPayments", batch([]))).toEqual([
      "POST deletes the batch payment that BatchPaymentID names; PUT makes one.",
    ]);
    const [{ PaymentID }] = record.Payments;
    expect(await given.refused("POST", `/Payments/${PaymentID}`, { Status: "DELETED" })).toEqual([
      "A payment of a batch cannot be deleted by itself; delete the batch.",
    ]);
  });

  test("deleting a batch payment on or before a lock date is refused", async () => {
    const given = await world();
    const { changeBook } = await import("../../../src/service/books/book.ts");
    const due = await approved(given, { Date: "2026-04-01" });
    const record = await made(given, [member(await approved(given))]);
    await changeBook(given.book, { PeriodLockDate: "2026-03-31" });
    const message =
      "The document date cannot be before the period lock date, currently set at 31-Mar-2026";
    const path = `/BatchPayments/${record.BatchPaymentID}`;
    expect(await given.refused("POST", path, { Status: "DELETED" })).toEqual([message]);
    expect(await given.refused("PUT", "/BatchPayments", batch([member(due)]))).toEqual([message]);
  });
});

describe("reading batch payments", () => {
  test("batch payments can be filtered, ordered and read with If-Modified-Since, and have a history", async () => {
    const given = await world();
    const first = await made(given, [member(await approved(given))]);
    given.now += 5000;
    const since = new Date(given.now).toISOString();
    const second = await made(given, [member(await bill(given))], { Date: "2026-03-02" });
    const ids = async (query: Record<string, string>, headers = {}) =>
      (await given.ok("GET", "/BatchPayments", undefined, { query, headers })).BatchPayments.map(
        (each: Json) => each.BatchPaymentID,
      );
    expect(await ids({})).toEqual([first.BatchPaymentID, second.BatchPaymentID]);
    expect(await ids({ order: "Date" })).toEqual([second.BatchPaymentID, first.BatchPaymentID]);
    expect(await ids({ where: 'Type=="PAYBATCH"' })).toEqual([second.BatchPaymentID]);
    expect(await ids({}, { "if-modified-since": since })).toEqual([second.BatchPaymentID]);
    const path = `/BatchPayments/${first.BatchPaymentID}`;
    await given.ok("POST", path, { Status: "DELETED" });
    const { HistoryRecords } = await given.ok("GET", `${path}/History`);
    expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual(["Deleted", "Created"]);
    const [{ PaymentID, Invoice }] = first.Payments;
    const changes = async (at: string) =>
      (await given.ok("GET", `${at}/History`)).HistoryRecords.map((each: Json) => each.Changes);
    expect(await changes(`/Payments/${PaymentID}`)).toEqual(["Deleted", "Created"]);
    expect((await changes(`/Invoices/${Invoice.InvoiceID}`)).slice(0, 2)).toEqual([
      "Payment deleted",
      "Paid",
    ]);
  });
});

describe("verification of batch payments changed by SQL", () => {
  test.each<[string, string, RegExp]>([
    [
      "in which a total is changed",
      "update batch_payment set total_amount = 1",
      /Batch payment \S+: the total 0\.01 is not that of its payments, 115\.00/,
    ],
    [
      "in which a batch is deleted by its status alone",
      "update batch_payment set status = 'DELETED'",
      /Payment \S+ does not agree with its batch/,
    ],
    [
      "in which a batch is gone",
      "delete from batch_payment",
      /Payment \S+ does not agree with its batch/,
    ],
  ])("verification finds a book %s", async (_name, statement, fault) => {
    const given = await world();
    await made(given, [member(await approved(given))]);
    const { store, org } = given.book;
    const own = `${statement} ${statement.includes(" where ") ? "and" : "where"} org = ${org}`;
    given.isTampered = true;
    await store.write(org, async ({ db }) => void (await sql.raw(own).execute(db)));
    expect((await faultsIn(given)).join("\n")).toMatch(fault);
  });
});
