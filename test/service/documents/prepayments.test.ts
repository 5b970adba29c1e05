/** Prepayments: bank transactions that leave a credit, which is refunded or applied to invoices. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  reportRows,
  type World,
  world,
} from "../fixture.ts";

/** A deposit of 115.00, of which 15.00 is tax, coded to revenue received in advance. */
async function deposited(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE-PREPAYMENT",
    Contact: await contact(given),
    BankAccount: { Code: "090" },
    Date: "2026-03-01",
    LineItems: [{ Description: "Deposit", UnitAmount: 115, AccountCode: "835" }],
    ...fields,
  });
  return answer.BankTransactions[0];
}

async function refunded(given: World, made: Json, Amount: number, fields: object = {}) {
  const answer = await given.ok("PUT", "/Payments", {
    Prepayment: { PrepaymentID: made.PrepaymentID },
    Account: { Code: "090" },
    Date: "2026-03-12",
    Amount,
    ...fields,
  });
  return answer.Payments[0];
}

const read = async (given: World, made: Json): Promise<Json> =>
  (await given.ok("GET", `/Prepayments/${made.PrepaymentID}`)).Prepayments[0];

describe("a prepayment received", () => {
  test("a prepayment and its bank transaction are one record with one id", async () => {
    const given = await world();
    const made = await deposited(given, { InvoiceNumber: "INV-0007" });
    expect(made.PrepaymentID).toBe(made.BankTransactionID);
    expect(made.OverpaymentID).toBeUndefined();
    const shown = await read(given, made);
    expect(shown).toMatchObject({
      PrepaymentID: made.BankTransactionID,
      Type: "RECEIVE-PREPAYMENT",
      Status: "AUTHORISED",
      DateString: "2026-03-01T00:00:00",
      LineAmountTypes: "Inclusive",
      SubTotal: 100,
      TotalTax: 15,
      Total: 115,
      RemainingCredit: 115,
      CurrencyCode: "NZD",
      CurrencyRate: 1,
      HasAttachments: false,
      Reference: "INV-0007",
      InvoiceNumber: "INV-0007",
      LineItems: [{ Description: "Deposit", TaxAmount: 15, AccountCode: "835" }],
    });
    const [other] = (await given.ok("GET", `/BankTransactions/${made.BankTransactionID}`))
      .BankTransactions;
    expect(other).toMatchObject({
      BankTransactionID: made.BankTransactionID,
      PrepaymentID: made.BankTransactionID,
      Status: "AUTHORISED",
      InvoiceNumber: "INV-0007",
      BankAccount: { Code: "090" },
    });
  });

  test("a prepayment is posted to the account of its line and to tax at once, on both accounting bases", async () => {
    const given = await world();
    await deposited(given);
    const posted = {
      "Business Account (090)": 115,
      "Revenue Received in Advance (835)": -100,
      "GST (820)": -15,
      Total: 0,
    };
    expect(await movements(given)).toEqual(posted);
    const [journal] = (
      await given.ok("GET", "/Journals", undefined, { query: { paymentsOnly: "true" } })
    ).Journals;
    expect(journal).toMatchObject({ SourceType: "ARPREPAYMENT" });
    expect(journal.JournalLines.map((each: Json) => each.NetAmount)).toEqual([115, -100, -15]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a Reference sent with a prepayment is ignored with a warning; its invoice number is its reference", async () => {
    const given = await world();
    const made = await deposited(given, { Reference: "Deposit 7" });
    expect(made.Warnings[0].Message).toBe(
      "A prepayment has no Reference of its own: it shows its InvoiceNumber as that.",
    );
    expect((await read(given, made)).Reference).toBeUndefined();
  });

  test("a prepayment keeps a tax amount that was sent with it", async () => {
    const given = await world();
    const made = await deposited(given, {
      LineItems: [
        {
          Description: "Deposit",
          Quantity: 1,
          UnitAmount: 115,
          AccountCode: "835",
          TaxAmount: 14.9,
        },
      ],
    });
    expect(await read(given, made)).toMatchObject({ TotalTax: 14.9, SubTotal: 100.1, Total: 115 });
    expect(await movements(given)).toMatchObject({ "GST (820)": -14.9 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a prepayment with an item on its line is refused", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", { Code: "HOUR", SalesDetails: { UnitPrice: 50 } });
    expect(
      await given.refused("PUT", "/BankTransactions", {
        Type: "RECEIVE-PREPAYMENT",
        Contact: await contact(given),
        BankAccount: { Code: "090" },
        LineItems: [{ ItemCode: "HOUR", Description: "Hour", UnitAmount: 50, AccountCode: "200" }],
      }),
    ).toEqual(["Items can be on bank transactions of the types RECEIVE and SPEND only."]);
  });

  test("a change of an existing prepayment is refused", async () => {
    const given = await world();
    const made = await deposited(given);
    const sentence = ["The prepayment cannot be changed; its Status can be set to VOIDED."];
    const path = `/BankTransactions/${made.BankTransactionID}`;
    expect(await given.refused("POST", path, { IsReconciled: true })).toEqual(sentence);
    const credit = `/Prepayments/${made.PrepaymentID}`;
    expect(await given.refused("POST", credit, { Reference: "INV-9" })).toEqual(sentence);
    expect(await given.refused("POST", credit, { Status: "PAID" })).toEqual(sentence);
    await refunded(given, made, 115);
    expect(await given.refused("POST", credit, { Status: "PAID" })).toEqual(sentence);
  });
});

describe("voiding a prepayment", () => {
  test.each([
    ["the bank transaction is deleted", "BankTransactions", { Status: "DELETED" }],
    ["the bank transaction is voided", "BankTransactions", { Status: "VOIDED" }],
    ["the prepayment is voided", "Prepayments", { Status: "VOIDED" }],
  ])(
    "a prepayment's journals of both accounting bases are reversed when %s",
    async (_what, list, change) => {
      const given = await world();
      const made = await deposited(given);
      const answer = await given.ok("POST", `/${list}/${made.BankTransactionID}`, change);
      expect(answer[list][0].Status).toBe("VOIDED");
      expect(await read(given, made)).toMatchObject({ Status: "VOIDED", Total: 115 });
      const [money] = (await given.ok("GET", `/BankTransactions/${made.BankTransactionID}`))
        .BankTransactions;
      expect(money.Status).toBe("VOIDED");
      for (const paymentsOnly of ["false", "true"]) {
        const query = { paymentsOnly };
        const { Journals } = await given.ok("GET", "/Journals", undefined, { query });
        expect(Journals).toHaveLength(2);
      }
      expect(await movements(given)).toEqual({ Total: 0 });
      const { HistoryRecords } = await given.ok("GET", `/Prepayments/${made.PrepaymentID}/History`);
      expect(HistoryRecords.map((each: Json) => each.Changes)).toContain("Voided");
      for (const path of ["BankTransactions", "Prepayments"]) {
        expect(
          await given.refused("POST", `/${path}/${made.PrepaymentID}`, { Status: "VOIDED" }),
        ).toEqual(["This prepayment is void and cannot be changed."]);
      }
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("voiding a prepayment with allocations or refunds is refused, and the message names them", async () => {
    const given = await world();
    const made = await deposited(given);
    const [owed] = (
      await given.ok("PUT", "/Invoices", {
        Type: "ACCREC",
        Contact: made.Contact,
        Date: "2026-03-02",
        DueDate: "2026-03-20",
        Status: "AUTHORISED",
        LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
      })
    ).Invoices;
    const path = `/Prepayments/${made.PrepaymentID}`;
    const [{ AllocationID }] = (
      await given.ok("PUT", `${path}/Allocations`, {
        Invoice: { InvoiceID: owed.InvoiceID },
        AppliedAmount: 40,
      })
    ).Allocations;
    const refund = await refunded(given, made, 75);
    const sentences = [
      `40.00 of this prepayment is allocated to ${owed.InvoiceNumber}: delete the allocation first.`,
      "75.00 of this prepayment was refunded on 2026-03-12: delete the payment first.",
    ];
    const money = `/BankTransactions/${made.BankTransactionID}`;
    expect(await given.refused("POST", path, { Status: "VOIDED" })).toEqual(sentences);
    expect(await given.refused("POST", money, { Status: "DELETED" })).toEqual(sentences);
    await given.ok("POST", `/Payments/${refund.PaymentID}`, { Status: "DELETED" });
    expect(await given.refused("POST", path, { Status: "VOIDED" })).toEqual([sentences[0]]);
    await given.ok("DELETE", `${path}/Allocations/${AllocationID}`);
    await given.ok("POST", path, { Status: "VOIDED" });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("voiding a prepayment on or before a lock date is refused", async () => {
    const given = await world();
    const made = await deposited(given);
    const { changeBook } = await import("../../../src/service/books/book.ts");
    await changeBook(given.book, { PeriodLockDate: "2026-03-31" });
    expect(
      await given.refused("POST", `/Prepayments/${made.PrepaymentID}`, { Status: "VOIDED" }),
    ).toEqual([
      "The document date cannot be before the period lock date, currently set at 31-Mar-2026",
    ]);
  });
});

describe("a refund of a prepayment", () => {
  test("a refund of a prepayment reverses its line account and tax in proportion, the last one the remainder", async () => {
    const given = await world();
    const made = await deposited(given, {
      LineItems: [
        { Description: "Deposit", UnitAmount: 10.01, AccountCode: "835" },
        { Description: "Plan", UnitAmount: 5.02, AccountCode: "260" },
      ],
    });
    expect(made).toMatchObject({ Total: 15.03, TotalTax: 1.96 });
    const first = await refunded(given, made, 5.01);
    expect(first).toMatchObject({
      PaymentType: "ARPREPAYMENTPAYMENT",
      Prepayment: { PrepaymentID: made.PrepaymentID },
      Status: "AUTHORISED",
    });
    expect(await read(given, made)).toMatchObject({
      Status: "AUTHORISED",
      RemainingCredit: 10.02,
      Payments: [{ PaymentID: first.PaymentID, Amount: 5.01 }],
    });
    expect(await movements(given)).toEqual({
      "Business Account (090)": 10.02,
      "Revenue Received in Advance (835)": -5.8,
      "Other Revenue (260)": -2.91,
      "GST (820)": -1.31,
      Total: 0,
    });
    expect(await faultsIn(given)).toEqual([]);
    await refunded(given, made, 5.01);
    await refunded(given, made, 5.01);
    expect(await movements(given)).toEqual({ Total: 0 });
    expect(await read(given, made)).toMatchObject({
      Status: "PAID",
      RemainingCredit: 0,
      FullyPaidOnDate: `/Date(${Date.UTC(2026, 2, 12)}+0000)/`,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a refund of a prepayment is posted the same on both accounting bases", async () => {
    const given = await world();
    await refunded(given, await deposited(given), 46);
    const [accrual, cash] = await Promise.all(
      ["false", "true"].map((paymentsOnly) =>
        reportRows(given, "TrialBalance", { date: "2026-03-31", paymentsOnly }),
      ),
    );
    expect(cash).toEqual(accrual);
    expect(await movements(given)).toMatchObject({
      "Business Account (090)": 69,
      "Revenue Received in Advance (835)": -60,
      "GST (820)": -9,
    });
  });

  test("a refund is listed in the history of its prepayment and of the bank transaction", async () => {
    const given = await world();
    const made = await deposited(given);
    await refunded(given, made, 15);
    await given.ok("PUT", `/Prepayments/${made.PrepaymentID}/History`, {
      HistoryRecords: [{ Details: "They changed their mind" }],
    });
    for (const path of ["Prepayments", "BankTransactions"]) {
      const { HistoryRecords } = await given.ok("GET", `/${path}/${made.PrepaymentID}/History`);
      expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual([
        "Note",
        "Part paid",
        "Created",
      ]);
      expect(HistoryRecords[1].Details).toBe(
        "Payment of 15.00 was made on 2026-03-12 from Business Account.",
      );
    }
  });

  test("a refund of a prepayment may be paid from another bank account, and can be reversed", async () => {
    const given = await world();
    const made = await deposited(given);
    const refund = await refunded(given, made, 115, { Account: { Code: "091" } });
    expect(await movements(given)).toEqual({
      "Business Account (090)": 115,
      "Savings (091)": -115,
      Total: 0,
    });
    expect((await read(given, made)).Status).toBe("PAID");
    const [shown] = (await given.ok("GET", `/BankTransactions/${made.BankTransactionID}`))
      .BankTransactions;
    expect(shown.Status).toBe("AUTHORISED");
    await given.ok("POST", `/Payments/${refund.PaymentID}`, { Status: "DELETED" });
    expect(await read(given, made)).toMatchObject({ Status: "AUTHORISED", RemainingCredit: 115 });
    expect((await read(given, made)).FullyPaidOnDate).toBeUndefined();
    expect(await movements(given)).toEqual({
      "Business Account (090)": 115,
      "Revenue Received in Advance (835)": -100,
      "GST (820)": -15,
      Total: 0,
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a refund above the remaining credit of the prepayment is refused", async () => {
    const given = await world();
    const made = await deposited(given);
    await refunded(given, made, 100);
    const answer = await given.refused("PUT", "/Payments", {
      Prepayment: { PrepaymentID: made.PrepaymentID },
      Account: { Code: "090" },
      Amount: 15.01,
    });
    expect(answer).toEqual(["Payment amount exceeds the amount outstanding on this document"]);
  });

  test("a refund of a prepayment to a supplier receives money", async () => {
    const given = await world();
    const made = await deposited(given, {
      Type: "SPEND-PREPAYMENT",
      LineItems: [
        { Description: "Deposit", UnitAmount: 230, AccountCode: "620", TaxType: "INPUT2" },
      ],
    });
    expect(await movements(given)).toEqual({
      "Business Account (090)": -230,
      "Prepayments (620)": 200,
      "GST (820)": 30,
      Total: 0,
    });
    const refund = await refunded(given, made, 115);
    expect(refund.PaymentType).toBe("APPREPAYMENTPAYMENT");
    expect(await movements(given)).toEqual({
      "Business Account (090)": -115,
      "Prepayments (620)": 100,
      "GST (820)": 15,
      Total: 0,
    });
    const journals = (await given.ok("GET", "/Journals")).Journals;
    expect(journals.map((each: Json) => each.SourceType)).toEqual(["APPREPAYMENT", "APPREPAYMENT"]);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("a prepayment in another currency", () => {
  /** A bank account in euros, of which 0.50 are worth one dollar of the books. */
  async function euros(given: World): Promise<void> {
    await given.ok("PUT", "/Currencies", { Code: "EUR" });
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-01-01", Rate: 0.5 });
    await given.ok("PUT", "/Accounts", {
      Code: "095",
      Name: "Euros",
      Type: "BANK",
      BankAccountNumber: "01-0001-0001-01",
      CurrencyCode: "EUR",
    });
  }

  test("a prepayment is in the currency of its bank account, at the exchange rate of its day", async () => {
    const given = await world();
    await euros(given);
    const made = await deposited(given, { BankAccount: { Code: "095" } });
    expect(made).toMatchObject({ CurrencyCode: "EUR", CurrencyRate: 0.5, Total: 115 });
    expect(await movements(given)).toEqual({
      "Euros (095)": 230,
      "Revenue Received in Advance (835)": -200,
      "GST (820)": -30,
      Total: 0,
    });
    const own = await deposited(given, { BankAccount: { Code: "095" }, CurrencyRate: 1.15 });
    expect(own.CurrencyRate).toBe(1.15);
    const [, journal] = (await given.ok("GET", "/Journals")).Journals;
    expect(journal.JournalLines[0]).toMatchObject({ AccountCode: "095", NetAmount: 100 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a refund that costs more in base currency than the prepayment brought realises a loss", async () => {
    const given = await world();
    await euros(given);
    const made = await deposited(given, { BankAccount: { Code: "095" } });
    await refunded(given, made, 57.5, { Account: { Code: "095" }, CurrencyRate: 0.4 });
    expect(await movements(given)).toEqual({
      // In the ledger 86.25, which reports show at the rate of their day.
      "Euros (095)": 115,
      "Bank Revaluations (497)": -28.75,
      "Revenue Received in Advance (835)": -100,
      "GST (820)": -15,
      "Realised Currency Gains (499)": 28.75,
      Total: 0,
    });
    await refunded(given, made, 57.5, { Account: { Code: "095" }, CurrencyRate: 1 });
    expect(await movements(given)).toEqual({
      "Bank Revaluations (497)": 28.75,
      "Realised Currency Gains (499)": -28.75,
      Total: 0,
    });
    expect(await read(given, made)).toMatchObject({ Status: "PAID", RemainingCredit: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("an allocation of a prepayment", () => {
  /** A sales invoice of 500.00 and 75.00 tax. */
  async function billed(given: World, made: Json): Promise<Json> {
    const answer = await given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      Status: "AUTHORISED",
      Contact: { ContactID: made.Contact.ContactID },
      Date: "2026-03-05",
      DueDate: "2026-03-20",
      LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 500, AccountCode: "200" }],
    });
    return answer.Invoices[0];
  }

  test("allocating a prepayment to an invoice reverses the prepayment's line account and tax", async () => {
    const given = await world();
    const made = await deposited(given);
    const { InvoiceID } = await billed(given, made);
    await given.ok("PUT", `/Prepayments/${made.PrepaymentID}/Allocations`, {
      Allocations: [{ Invoice: { InvoiceID }, AppliedAmount: 115 }],
    });
    expect(await movements(given)).toEqual({
      "Business Account (090)": 115,
      "Accounts Receivable (610)": 460,
      "Sales (200)": -500,
      "GST (820)": -75,
      Total: 0,
    });
    const [invoice] = (await given.ok("GET", `/Invoices/${InvoiceID}`)).Invoices;
    expect(invoice).toMatchObject({
      AmountDue: 460,
      AmountCredited: 115,
      Prepayments: [{ PrepaymentID: made.PrepaymentID, AppliedAmount: 115, Total: 115 }],
    });
    expect(await read(given, made)).toMatchObject({
      Status: "PAID",
      RemainingCredit: 0,
      Allocations: [{ AppliedAmount: 115, Invoice: { InvoiceID } }],
    });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an allocation and a refund together use up the whole prepayment, to the cent", async () => {
    const given = await world();
    const made = await deposited(given, {
      LineItems: [
        { Description: "Deposit", UnitAmount: 10.01, AccountCode: "835" },
        { Description: "Plan", UnitAmount: 5.02, AccountCode: "260" },
      ],
    });
    const { InvoiceID } = await billed(given, made);
    await refunded(given, made, 5.01);
    await given.ok("PUT", `/Prepayments/${made.PrepaymentID}/Allocations`, {
      Allocations: [{ Invoice: { InvoiceID }, AppliedAmount: 5.01 }],
    });
    await refunded(given, made, 5.01);
    expect(await movements(given)).toEqual({
      "Business Account (090)": 5.01,
      "Accounts Receivable (610)": 569.99,
      "Sales (200)": -500,
      "GST (820)": -75,
      Total: 0,
    });
    expect(await faultsIn(given)).toEqual([]);
  });
});

test("a file attached to a prepayment is stored with its bank transaction", async () => {
  const given = await world();
  const { PrepaymentID } = await deposited(given);
  await given.ok("PUT", `/BankTransactions/${PrepaymentID}/Attachments/slip.txt`, "paid", {
    headers: { "content-type": "text/plain" },
  });
  expect((await read(given, { PrepaymentID })).HasAttachments).toBe(true);
  const { Attachments } = await given.ok("GET", `/BankTransactions/${PrepaymentID}/Attachments`);
  expect(Attachments).toMatchObject([{ FileName: "slip.txt" }]);
  expect((await read(given, { PrepaymentID })).Attachments).toEqual(Attachments);
});

describe("reading and writing prepayments", () => {
  test("the list of prepayments has no other bank transactions", async () => {
    const given = await world();
    const first = await deposited(given, { InvoiceNumber: "INV-0007", Date: "2026-03-04" });
    const second = await deposited(given, { Type: "SPEND-PREPAYMENT" });
    await deposited(given, { Type: "RECEIVE" });
    await deposited(given, { Type: "RECEIVE-OVERPAYMENT" });
    const list = async (query: Record<string, string> = {}, headers = {}) =>
      (await given.ok("GET", "/Prepayments", undefined, { query, headers })).Prepayments;
    const ids = async (query: Record<string, string>) =>
      (await list(query)).map((each: Json) => each.PrepaymentID);
    expect(await ids({})).toEqual([first.PrepaymentID, second.PrepaymentID]);
    expect((await list())[0].LineItems).toEqual([]);
    expect((await list({ page: "1" }))[0].LineItems).toHaveLength(1);
    expect(await ids({ order: "Date" })).toEqual([second.PrepaymentID, first.PrepaymentID]);
    expect(await ids({ InvoiceNumbers: "inv-0007,INV-9" })).toEqual([first.PrepaymentID]);
    expect(await ids({ where: 'Type=="SPEND-PREPAYMENT" AND RemainingCredit>0' })).toEqual([
      second.PrepaymentID,
    ]);
    await refunded(given, first, 115);
    expect(await ids({ where: 'Status=="PAID"' })).toEqual([first.PrepaymentID]);
    const headers = { "if-modified-since": new Date(given.now + 1000).toISOString().slice(0, 19) };
    expect(await list({}, headers)).toEqual([]);
  });

  test("a prepayment can be created only as a bank transaction", async () => {
    const given = await world();
    for (const method of ["PUT", "POST"]) {
      expect((await given.ask(method, "/Prepayments", {})).status).toBe(501);
    }
  });

  test("a prepayment is found only by its own id", async () => {
    const given = await world();
    const plain = await deposited(given, { Type: "RECEIVE" });
    const over = await deposited(given, { Type: "RECEIVE-OVERPAYMENT" });
    for (const { BankTransactionID } of [plain, over]) {
      expect((await given.ask("GET", `/Prepayments/${BankTransactionID}`)).status).toBe(404);
      expect(
        await given.refused("PUT", "/Payments", {
          Prepayment: { PrepaymentID: BankTransactionID },
          Account: { Code: "090" },
          Amount: 1,
        }),
      ).toEqual([`There is no prepayment ${BankTransactionID}.`]);
    }
  });

  test("prepayments are read and written as XML", async () => {
    const given = await world();
    const { PrepaymentID } = await deposited(given);
    const { text } = await given.ask("GET", `/Prepayments/${PrepaymentID}`, undefined, {
      headers: { accept: "text/xml" },
    });
    expect(text).toMatch(/<Prepayments>\s*<Prepayment>/);
    expect(text).toContain("<RemainingCredit>115.00</RemainingCredit>");
    expect(text).toContain("<Type>RECEIVE-PREPAYMENT</Type>");
  });
});
