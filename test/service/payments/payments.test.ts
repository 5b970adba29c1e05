/** Payments: made against approved documents, reversed, never changed. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";

const approved = (given: World, fields: object = {}) =>
  invoiced(given, { Status: "AUTHORISED", ...fields });

const payment = (invoice: Json, fields: object = {}) => ({
  Invoice: { InvoiceID: invoice.InvoiceID },
  Account: { Code: "090" },
  Date: "2026-03-10",
  Amount: 15,
  ...fields,
});

describe("creating a payment", () => {
  test("a payment of a sales invoice returns all its fields", async () => {
    const given = await world();
    const invoice = await approved(given);
    const made = await paid(given, invoice, {
      Amount: 40,
      Reference: "Till 1",
      IsReconciled: true,
    });
    expect(made).toMatchObject({
      Status: "AUTHORISED",
      PaymentType: "ACCRECPAYMENT",
      Amount: 40,
      BankAmount: 40,
      CurrencyRate: 1,
      Reference: "Till 1",
      IsReconciled: true,
      HasAccount: true,
      HasValidationErrors: false,
      DateString: "2026-03-10T00:00:00",
      Account: { Code: "090" },
      Invoice: { InvoiceID: invoice.InvoiceID, AmountDue: 75, AmountPaid: 40 },
    });
    const [read] = (await given.ok("GET", `/Payments/${made.PaymentID}`)).Payments;
    expect(read).toMatchObject({
      Amount: 40,
      Invoice: { InvoiceNumber: invoice.InvoiceNumber },
      Account: { Code: "090" },
    });
    expect(
      (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices[0].Payments,
    ).toMatchObject([
      { PaymentID: made.PaymentID, Amount: 40, Reference: "Till 1", HasAccount: false },
    ]);
  });

  test("a payment of a bill is paid from the bank account", async () => {
    const given = await world();
    const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "429" }];
    const bill = await approved(given, { Type: "ACCPAY", InvoiceNumber: "S-1", LineItems });
    const made = await paid(given, bill, { Invoice: { InvoiceNumber: "s-1" } });
    expect(made.PaymentType).toBe("ACCPAYPAYMENT");
    expect(
      (await reportRows(given, "BalanceSheet", { date: "2026-03-31" }))["Business Account"]?.[0],
    ).toBe("-11.50");
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each<[string, (invoice: Json) => object]>([
    [
      "by number and code inside their objects",
      (invoice) => payment(invoice, { Invoice: { InvoiceNumber: invoice.InvoiceNumber } }),
    ],
    [
      "by number and code as fields of the payment",
      (invoice) =>
        payment(invoice, {
          Invoice: undefined,
          Account: undefined,
          InvoiceNumber: invoice.InvoiceNumber,
          Code: "090",
        }),
    ],
    ["in a list of payments", (invoice) => ({ Payments: [payment(invoice)] })],
    [
      "with empty lists in the reference",
      (invoice) =>
        payment(invoice, {
          Invoice: { InvoiceID: invoice.InvoiceID, LineItems: [], Payments: [] },
        }),
    ],
  ])("a payment is accepted with its invoice and account given %s", async (_name, body) => {
    const given = await world();
    const invoice = await approved(given);
    const [made] = (await given.ok("PUT", "/Payments", body(invoice))).Payments;
    expect(made.Invoice.InvoiceID).toBe(invoice.InvoiceID);
  });

  test("a payment without a date is dated today", async () => {
    const given = await world();
    const made = await paid(given, await approved(given), { Date: undefined });
    expect(made.DateString).toBe("2026-03-01T00:00:00");
  });

  test("a single payment may be created by POST", async () => {
    const given = await world();
    const invoice = await approved(given);
    expect((await given.ok("POST", "/Payments", payment(invoice))).Payments).toHaveLength(1);
    const Payments = [payment(invoice), payment(invoice)];
    expect(await given.refused("POST", "/Payments", { Payments })).toEqual([
      "A request takes at most 1 Payment, not 2.",
    ]);
  });

  test("several payments of one invoice in one request are added up against its amount due", async () => {
    const given = await world();
    const invoice = await approved(given);
    const Payments = [
      payment(invoice, { Amount: 100 }),
      payment(invoice, { Amount: 15, Date: "2026-03-12" }),
    ];
    const answer = await given.ok("PUT", "/Payments", { Payments });
    expect(answer.Payments).toHaveLength(2);
    expect((await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices[0]).toMatchObject({
      Status: "PAID",
      FullyPaidOnDateString: "2026-03-12T00:00:00",
    });
    const more = await approved(given);
    const tooMany = [payment(more, { Amount: 100 }), payment(more, { Amount: 16 })];
    expect(await given.refused("PUT", "/Payments", { Payments: tooMany })).toEqual([
      "Payment amount exceeds the amount outstanding on this document",
    ]);
    const query = { summarizeErrors: "false" };
    const { Payments: said } = await given.ok("PUT", "/Payments", { Payments: tooMany }, { query });
    expect(said.map((each: Json) => each.StatusAttributeString)).toEqual(["OK", "ERROR"]);
    expect(said.map((each: Json) => each.HasValidationErrors)).toEqual([false, true]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a payment may go to an account that is not a bank but has payments enabled", async () => {
    const given = await world();
    const invoice = await approved(given);
    const made = await paid(given, invoice, { Account: { Code: "970" } });
    expect(made.Account.Code).toBe("970");
    expect(
      (await reportRows(given, "TrialBalance", { date: "2026-03-31" }))[
        "Owner A Funds Introduced (970)"
      ]?.[0],
    ).toBe("115.00");
    await given.ok("POST", "/Accounts/429", { EnablePaymentsToAccount: true });
    await paid(given, await approved(given), { Account: { Code: "429" } });
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each<[string, object, string]>([
    [
      "more than is due",
      { Amount: 115.01 },
      "Payment amount exceeds the amount outstanding on this document",
    ],
    ["an amount of zero", { Amount: 0 }, "The Amount of a payment must be above zero."],
    ["a negative amount", { Amount: -5 }, "The Amount of a payment must be above zero."],
    ["no amount", { Amount: undefined }, "Amount is required."],
    [
      "no account",
      { Account: undefined },
      "The Account of a payment must be named by AccountID or Code.",
    ],
    ["an unknown account", { Account: { Code: "999" } }, "There is no active account '999'."],
    [
      "an account that takes no payments",
      { Account: { Code: "200" } },
      "Account type is invalid for making a payment to/from",
    ],
    [
      "the control account",
      { Account: { Code: "610" } },
      "Account type is invalid for making a payment to/from",
    ],
    [
      "no document",
      { Invoice: undefined },
      "A payment names exactly one Invoice, CreditNote, Prepayment, Overpayment or ExpenseClaim.",
    ],
    [
      "two documents",
      { Prepayment: { PrepaymentID: "11111111-1111-1111-1111-111111111111" } },
      "A payment names exactly one Invoice, CreditNote, Prepayment, Overpayment or ExpenseClaim.",
    ],
    ["an unknown number", { Invoice: { InvoiceNumber: "NIL" } }, "There is no invoice NIL."],
    [
      "an unknown document",
      { Invoice: undefined, CreditNote: { CreditNoteNumber: "CN-1" } },
      "There is no credit note CN-1.",
    ],
    ["a rate", { CurrencyRate: 1.5 }, "CurrencyRate is for documents in a foreign currency only."],
    ["a status of its own", { Status: "DELETED" }, "A new payment has the Status AUTHORISED."],
    [
      "a reference too long",
      { Reference: "x".repeat(256) },
      "Reference may have at most 255 characters, not 256.",
    ],
  ])("a payment is refused with %s", async (_name, fields, sentence) => {
    const given = await world();
    const invoice = await approved(given);
    await given.ok("POST", "/Accounts/610", { EnablePaymentsToAccount: true });
    expect(await given.refused("PUT", "/Payments", payment(invoice, fields))).toContain(sentence);
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each(["DRAFT", "SUBMITTED", "DELETED", "VOIDED"])(
    "a payment of a document that is %s is refused",
    async (Status) => {
      const given = await world();
      const first = Status === "VOIDED" ? "AUTHORISED" : Status === "DELETED" ? "DRAFT" : Status;
      const invoice = await invoiced(given, { Status: first });
      await given.ok("POST", `/Invoices/${invoice.InvoiceID}`, { Status });
      expect(await given.refused("PUT", "/Payments", payment(invoice))).toEqual([
        "Payments can only be made against Authorised documents",
      ]);
    },
  );

  test("a bill whose number another bill has can be paid only by its id", async () => {
    const given = await world();
    const LineItems = [{ Description: "x", Quantity: 1, UnitAmount: 10, AccountCode: "429" }];
    for (let i = 0; i < 2; i += 1)
      await approved(given, { Type: "ACCPAY", InvoiceNumber: "7", LineItems });
    expect(
      (
        await given.refused("PUT", "/Payments", payment({}, { Invoice: { InvoiceNumber: "7" } }))
      )[0],
    ).toMatch(/^2 bills bear the number 7/);
  });

  test("a payment of an unknown invoice id is refused as a fault of the payment", async () => {
    const given = await world();
    const InvoiceID = "11111111-1111-1111-1111-111111111111";
    expect(await given.refused("PUT", "/Payments", payment({ InvoiceID }))).toEqual([
      `There is no invoice ${InvoiceID}.`,
    ]);
  });
});

describe("deleting a payment", () => {
  test.each<
    [string, (id: string) => [path: string, body: unknown, headers?: Record<string, string>]]
  >([
    ["bare", (id) => [`/Payments/${id}`, { Status: "DELETED" }]],
    ["wrapped in a list", (id) => [`/Payments/${id}`, { Payments: [{ Status: "DELETED" }] }]],
    ["wrapped in an object", (id) => [`/payments/${id}/`, { Payment: { Status: "DELETED" } }]],
    [
      "with its own id",
      (id) => [`/Payments/${id}`, { PaymentID: id.toUpperCase(), Status: "DELETED" }],
    ],
    [
      "in XML",
      (id) => [
        `/Payments/${id}`,
        "<Payment><Status>DELETED</Status></Payment>",
        { "content-type": "text/xml" },
      ],
    ],
    [
      "in a list of XML",
      (id) => [
        `/Payments/${id}`,
        "<Payments><Payment><Status>DELETED</Status></Payment></Payments>",
        { "content-type": "application/xml" },
      ],
    ],
    ["with an empty body", (id) => [`/Payments/${id}`, undefined]],
    ["through the collection", (id) => ["/Payments", { PaymentID: id, Status: "DELETED" }]],
  ])(
    "deleting a payment, with the request %s, restores the invoice and the ledger as before the payment",
    async (_name, request) => {
      const given = await world();
      const invoice = await approved(given);
      const before = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices[0];
      const made = await paid(given, invoice);
      const [path, body, headers = {}] = request(made.PaymentID);
      const [deleted] = (await given.ok("POST", path, body, { headers })).Payments;
      expect(deleted).toMatchObject({ PaymentID: made.PaymentID, Status: "DELETED", Amount: 115 });
      const [after] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
      const { UpdatedDateUTC: _a, UpdatedDateUTCString: _b, ...rest } = before;
      expect(after).toMatchObject(rest);
      expect(
        await given.refused("POST", `/Payments/${made.PaymentID}`, { Status: "DELETED" }),
      ).toEqual(["The payment is reversed already."]);
      expect(await faultsIn(given)).toEqual([]);
    },
  );

  test("a change of any other field of a payment is refused", async () => {
    const given = await world();
    const made = await paid(given, await approved(given));
    const path = `/Payments/${made.PaymentID}`;
    for (const change of [{ Status: "AUTHORISED" }, { Amount: 5 }, { Reference: "x" }]) {
      expect(await given.refused("POST", path, change)).toEqual([
        "A payment cannot be changed; its Status can be set to DELETED.",
      ]);
    }
    expect(
      (
        await given.refused("POST", "/Payments", {
          ...payment(made.Invoice),
          PaymentID: made.PaymentID,
        })
      )[0],
    ).toMatch(/exists already|cannot be changed/);
    const other = { PaymentID: "11111111-1111-1111-1111-111111111111", Status: "DELETED" };
    expect((await given.refused("POST", path, other))[0]).toMatch(/is not that of the address/);
    expect(
      (
        await given.ask("POST", "/Payments/11111111-1111-1111-1111-111111111111", {
          Status: "DELETED",
        })
      ).status,
    ).toBe(404);
    expect((await given.ask("DELETE", path)).status).toBe(501);
  });
});

describe("lists of payments", () => {
  test("lists of payments can be filtered and ordered by the documented fields", async () => {
    const given = await world();
    const invoices = [await approved(given), await approved(given)];
    const made = [
      await paid(given, invoices[0], { Amount: 10, Date: "2026-03-05", Reference: "a" }),
      await paid(given, invoices[0], { Amount: 20, Date: "2026-03-01", Reference: "b" }),
      await paid(given, invoices[1], { Amount: 30, Date: "2026-03-09" }),
    ];
    await given.ok("POST", `/Payments/${made[1].PaymentID}`, { Status: "DELETED" });
    const list = async (query: Record<string, string>) =>
      (await given.ok("GET", "/Payments", undefined, { query })).Payments.map(
        (each: Json) => each.Amount,
      );
    expect(await list({})).toEqual([10, 30, 20]);
    expect(await list({ where: 'PaymentType=="ACCRECPAYMENT"', order: "PaymentId" })).toEqual([
      10, 20, 30,
    ]);
    expect(await list({ where: 'Status=="AUTHORISED"', order: "Date DESC" })).toEqual([30, 10]);
    expect(
      await list({ where: "Date > DateTime(2026, 03, 01, 00, 00, 00)", order: "UpdatedDateUTC" }),
    ).toEqual([10, 30]);
    expect(
      await list({
        where: `Invoice.InvoiceID = guid("${invoices[0].InvoiceID}")`,
        order: "Amount",
      }),
    ).toEqual([10, 20]);
    expect(await list({ where: 'Reference=="B" AND Status=="DELETED"' })).toEqual([20]);
    expect(
      await list({
        where: `PaymentID=guid("${made[0].PaymentID}") OR PaymentID=guid("${made[2].PaymentID}")`,
      }),
    ).toEqual([10, 30]);
    expect(await list({ where: "IsReconciled" })).toEqual([]);
    expect(
      await list({ where: `Account.Code=="090" AND Invoice.InvoiceNumber.EndsWith("2")` }),
    ).toEqual([30]);
    const page = await given.ok("GET", "/Payments", undefined, {
      query: { page: "2", pageSize: "2" },
    });
    expect(page.pagination).toEqual({ page: 2, pageSize: 2, pageCount: 2, itemCount: 3 });
    expect(page.Payments).toHaveLength(1);
    const past = await given.ok("GET", "/Payments", undefined, { query: { page: "9" } });
    expect([past.Payments, past.pagination.page]).toEqual([[], 9]);
  });
});

test("a payment on or before the lock date is refused, and so is its deletion", async () => {
  const given = await world();
  const { changeBook } = await import("../../../src/service/books/book.ts");
  const invoice = await approved(given);
  const made = await paid(given, invoice, { Amount: 5 });
  await changeBook(given.book, { EndOfYearLockDate: "2026-03-31" });
  const sentence =
    "The document date cannot be before the end of year lock date, currently set at 31-Mar-2026";
  expect(await given.refused("PUT", "/Payments", payment(invoice))).toEqual([sentence]);
  expect(await given.refused("POST", `/Payments/${made.PaymentID}`, { Status: "DELETED" })).toEqual(
    [sentence],
  );
  await given.ok("PUT", "/Payments", payment(invoice, { Date: "2026-04-01" }));
});

test("a payment is listed in its own history and in its invoice's", async () => {
  const given = await world();
  const invoice = await approved(given);
  const made = await paid(given, invoice);
  await given.ok("POST", `/Payments/${made.PaymentID}`, { Status: "DELETED" });
  const changes = async (path: string) =>
    (await given.ok("GET", `${path}/History`)).HistoryRecords.map((each: Json) => each.Changes);
  expect(await changes(`/Payments/${made.PaymentID}`)).toEqual(["Deleted", "Created"]);
  expect(await changes(`/Invoices/${invoice.InvoiceID}`)).toEqual([
    "Payment deleted",
    "Paid",
    "Approved",
    "Created",
  ]);
});

test("paying an invoice with every kind of line posts it in full in the cash-basis ledger", async () => {
  const given = await world();
  const LineItems = [
    { Description: "a", Quantity: 3, UnitAmount: 19.99, AccountCode: "200" },
    { Description: "only words" },
    { Description: "back", Quantity: -1, UnitAmount: 7.45, AccountCode: "260", TaxType: "NONE" },
    { Description: "c", Quantity: 1, UnitAmount: 0.33, AccountCode: "200", DiscountRate: 33.33 },
  ];
  const [invoice] = (
    await given.ok(
      "PUT",
      "/Invoices",
      sale(await contact(given), { Status: "AUTHORISED", LineItems }),
    )
  ).Invoices;
  for (const Amount of [0.01, 20, 13.37]) await paid(given, invoice, { Amount });
  const [{ AmountDue }] = (await given.ok("GET", `/Invoices/${invoice.InvoiceID}`)).Invoices;
  await paid(given, invoice, { Amount: AmountDue });
  expect(await faultsIn(given)).toEqual([]);
  const query = { fromDate: "2026-03-01", toDate: "2026-03-31" };
  expect(await reportRows(given, "ProfitAndLoss", { ...query, paymentsOnly: "true" })).toEqual(
    await reportRows(given, "ProfitAndLoss", query),
  );
});
