/** Invoices and bills over the API: creating, updating, finding, and what is refused. */
import { describe, expect, test } from "vitest";
import {
  contact,
  faultsIn,
  invoiced,
  type Json,
  paid,
  sale,
  type World,
  world,
} from "../fixture.ts";

const line = (fields: object = {}) => ({
  Description: "Work",
  Quantity: 1,
  UnitAmount: 100,
  AccountCode: "200",
  ...fields,
});

describe("creating an invoice", () => {
  test("an invoice created with few fields gets the default fields", async () => {
    const given = await world();
    const customer = await contact(given);
    const answer = await given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      Contact: { Name: customer.Name },
      LineItems: [line({ Quantity: undefined })],
    });
    expect(answer.Invoices[0]).toMatchObject({
      Status: "DRAFT",
      InvoiceNumber: "INV-0001",
      // The day it is in Auckland, and twenty days on by the organisation's terms.
      DateString: "2026-03-01T00:00:00",
      DueDateString: "2026-03-21T00:00:00",
      LineAmountTypes: "Exclusive",
      CurrencyCode: "NZD",
      CurrencyRate: 1,
      SubTotal: 100,
      TotalTax: 15,
      Total: 115,
      AmountDue: 115,
      Contact: { ContactID: customer.ContactID, Name: customer.Name },
      LineItems: [{ Quantity: 1, TaxType: "OUTPUT2", TaxAmount: 15, LineAmount: 100 }],
    });
  });

  test("a new invoice number is the highest in use plus one", async () => {
    const given = await world();
    await invoiced(given, { InvoiceNumber: "INV-0100" });
    await invoiced(given, { InvoiceNumber: "A-7" });
    expect((await invoiced(given)).InvoiceNumber).toBe("INV-0101");
  });

  test("PUT with an invoice number in use is refused; POST updates that invoice", async () => {
    const given = await world();
    const made = await invoiced(given, { InvoiceNumber: "INV-0009" });
    const body = sale(made.Contact, { InvoiceNumber: "inv-0009", Reference: "again" });
    expect(await given.refused("PUT", "/Invoices", body)).toEqual(["Invoice # must be unique."]);
    const answer = await given.ok("POST", "/Invoices", body);
    expect(answer.Invoices[0]).toMatchObject({ InvoiceID: made.InvoiceID, Reference: "again" });
  });

  test("a bill keeps the supplier's number, even if not unique, and has no reference", async () => {
    const given = await world();
    const bill = { Type: "ACCPAY", InvoiceNumber: "77", LineItems: [line({ AccountCode: "429" })] };
    const first = await invoiced(given, { ...bill, Reference: "dropped" });
    const second = await invoiced(given, bill);
    expect(second.InvoiceNumber).toBe("77");
    expect(second.InvoiceID).not.toBe(first.InvoiceID);
    expect(first.Reference).toBeUndefined();
    expect(first.LineItems[0].TaxType).toBe("INPUT2");
  });

  test("line amounts of an invoice may include tax, exclude it or have none", async () => {
    const given = await world();
    const LineItems = [
      line({ Quantity: 3, UnitAmount: 19.99 }),
      line({ UnitAmount: 7.45 }),
      line({ UnitAmount: 0.33 }),
    ];
    expect(await invoiced(given, { LineItems })).toMatchObject({ TotalTax: 10.17, Total: 77.92 });
    expect(await invoiced(given, { LineItems, LineAmountTypes: "Inclusive" })).toMatchObject({
      SubTotal: 58.92,
      TotalTax: 8.83,
      Total: 67.75,
    });
    expect(await invoiced(given, { LineItems, LineAmountTypes: "NoTax" })).toMatchObject({
      SubTotal: 67.75,
      TotalTax: 0,
      Total: 67.75,
    });
  });

  test("an item gives its price, account and description to an invoice line, which may override them", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", {
      Code: "MUG",
      Name: "Mug",
      Description: "Stoneware mug",
      SalesDetails: { UnitPrice: 28, AccountCode: "260" },
    });
    const made = await invoiced(given, {
      LineItems: [
        { ItemCode: "mug", Quantity: 2 },
        {
          ItemCode: "MUG",
          Quantity: 1,
          UnitAmount: 25,
          Description: "Seconds",
          AccountCode: "200",
        },
      ],
    });
    expect(made.LineItems).toMatchObject([
      {
        ItemCode: "MUG",
        Description: "Stoneware mug",
        UnitAmount: 28,
        AccountCode: "260",
        LineAmount: 56,
      },
      {
        ItemCode: "MUG",
        Description: "Seconds",
        UnitAmount: 25,
        AccountCode: "200",
        LineAmount: 25,
      },
    ]);
  });

  test("unit amounts keep four decimals with unitdp=4, and are shown with two otherwise", async () => {
    const given = await world();
    const customer = await contact(given);
    const body = sale(customer, { LineItems: [line({ Quantity: 1000, UnitAmount: 0.1234 })] });
    const query = { unitdp: "4" };
    const { InvoiceID } = (await given.ok("PUT", "/Invoices", body, { query })).Invoices[0];
    const path = `/Invoices/${InvoiceID}`;
    const [fine] = (await given.ok("GET", path, undefined, { query })).Invoices;
    expect(fine.LineItems[0]).toMatchObject({ UnitAmount: 0.1234, LineAmount: 123.4 });
    expect((await given.ok("GET", path)).Invoices[0].LineItems[0].UnitAmount).toBe(0.12);
    const [coarse] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    expect(coarse.LineItems[0]).toMatchObject({ UnitAmount: 0.12, LineAmount: 120 });
  });

  test.each<[string, object, string]>([
    [
      "no contact",
      { Contact: undefined },
      "A Contact must be specified for this type of transaction",
    ],
    [
      "an unknown contact",
      { Contact: { Name: "Nobody" } },
      "There is no active contact with the name Nobody; create it first.",
    ],
    ["no lines", { LineItems: [] }, "One or more line items must be specified"],
    [
      "an unknown account",
      { LineItems: [line({ AccountCode: "999" })] },
      "Account code '999' is not a valid code for this document.",
    ],
    [
      "a control account",
      { LineItems: [line({ AccountCode: "610" })] },
      "Account code '610' is not a valid code for this document.",
    ],
    [
      "a tax rate that its account does not allow",
      { LineItems: [line({ TaxType: "INPUT2" })] },
      "The TaxType code 'INPUT2' cannot be used with account code '200'.",
    ],
    [
      "an unknown item",
      { LineItems: [line({ ItemCode: "NIL" })] },
      "There is no item with code 'NIL'; create it first.",
    ],
    [
      "a line total that does not add up",
      { LineItems: [line({ LineAmount: 10 })] },
      "The line total 10.00 does not match the expected line total 100.00",
    ],
    [
      "approval without an account",
      { Status: "AUTHORISED", LineItems: [line({ AccountCode: undefined })] },
      "Account code or ID must be specified",
    ],
    [
      "a sent flag on a draft",
      { SentToContact: true },
      "SentToContact can be set only on approved invoices.",
    ],
    [
      "a currency that the books do not have",
      { CurrencyCode: "USD" },
      "Users Organisation is not subscribed to currency USD",
    ],
    [
      "a negative total",
      { Status: "AUTHORISED", LineItems: [line({ UnitAmount: -5 })] },
      "The total of an invoice cannot be negative; use a credit note.",
    ],
    [
      "a discount on a bill",
      { Type: "ACCPAY", LineItems: [line({ AccountCode: "429", DiscountRate: 10 })] },
      "A discount can be given on sales invoices only",
    ],
  ])("an invoice with %s is refused", async (_name, fields, sentence) => {
    const given = await world();
    expect(await given.refused("PUT", "/Invoices", sale(await contact(given), fields))).toContain(
      sentence,
    );
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  });

  test("an invoice to an unknown contact name is refused with the nearest existing name, in JSON and XML", async () => {
    const given = await world();
    await contact(given, { Name: "Moa Coffee Roasters" });
    const Contact = { Name: "moa cofee roasters" };
    const told =
      "There is no active contact with the name moa cofee roasters; create it first. The nearest name is Moa Coffee Roasters.";
    expect(await given.refused("PUT", "/Invoices", sale({}, { Contact }))).toEqual([told]);
    const xml = `<Invoice><Type>ACCREC</Type><Contact><Name>${Contact.Name}</Name></Contact><LineItems><LineItem><Description>x</Description></LineItem></LineItems></Invoice>`;
    const headers = { "content-type": "text/xml" };
    expect(await given.refused("PUT", "/Invoices", xml, { headers })).toEqual([told]);
  });

  test("all faults of an invoice are reported at once", async () => {
    const given = await world();
    const body = { Type: "ACCREC", LineItems: [line({ AccountCode: "999", ItemCode: "NIL" })] };
    expect((await given.refused("PUT", "/Invoices", body)).length).toBeGreaterThanOrEqual(3);
  });
});

describe("a batch of invoices", () => {
  test("a batch of invoices is stored as a whole, or not at all if one is invalid", async () => {
    const given = await world();
    const customer = await contact(given);
    const Invoices = [sale(customer), sale(customer, { LineItems: [] })];
    await given.refused("PUT", "/Invoices", { Invoices });
    expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  });

  test("a batch of invoices with SummarizeErrors=false stores the valid ones and answers each in order", async () => {
    const given = await world();
    const customer = await contact(given);
    const Invoices = [sale(customer), sale(customer, { LineItems: [] }), sale(customer)];
    const { Invoices: made } = await given.ok(
      "PUT",
      "/Invoices",
      { Invoices },
      {
        query: { SummarizeErrors: "false" },
      },
    );
    expect(made.map((each: Json) => [each.StatusAttributeString, each.HasErrors])).toEqual([
      ["OK", false],
      ["ERROR", true],
      ["OK", false],
    ]);
    expect(made[1].InvoiceID).toBe("00000000-0000-0000-0000-000000000000");
    expect(made[1].ValidationErrors).toEqual([
      { Message: "One or more line items must be specified", Rule: "Required" },
    ]);
    expect(made[2].InvoiceNumber).toBe("INV-0002");
  });

  test("in a batch, the second of two equal invoice numbers is refused", async () => {
    const given = await world();
    const customer = await contact(given);
    const one = sale(customer, { InvoiceNumber: "X-1" });
    expect(await given.refused("PUT", "/Invoices", { Invoices: [one, one] })).toEqual([
      "Invoice # must be unique.",
    ]);
  });
});

describe("updating an invoice", () => {
  test("an update of an invoice keeps the fields that are not sent, and identifies lines by their ids", async () => {
    const given = await world();
    const made = await invoiced(given, {
      Reference: "R",
      LineItems: [line({ Description: "One" }), line({ Description: "Two" })],
    });
    const [one, two] = made.LineItems;
    const answer = await given.ok("POST", `/Invoices/${made.InvoiceNumber}`, {
      LineItems: [{ LineItemID: two.LineItemID, Quantity: 3 }, line({ Description: "New" })],
    });
    const [changed] = answer.Invoices;
    expect(changed.Reference).toBe("R");
    expect(changed.LineItems).toMatchObject([
      {
        LineItemID: two.LineItemID,
        Description: "Two",
        Quantity: 3,
        LineAmount: 300,
        TaxAmount: 45,
      },
      { Description: "New" },
    ]);
    expect(changed.LineItems[1].LineItemID).not.toBe(one.LineItemID);
    expect(changed.Total).toBe(460);
  });

  test("an update of an approved invoice reverses and reposts its journal only when amounts change", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    const path = `/Invoices/${made.InvoiceID}`;
    await given.ok("POST", path, { Reference: "only words" });
    await given.ok("POST", path, { LineItems: [line({ UnitAmount: 200 })] });
    expect((await given.ok("GET", path)).Invoices[0]).toMatchObject({ Total: 230, AmountDue: 230 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test.each(["VOIDED", "DELETED"])("an invoice updated to %s has no amount due", async (Status) => {
    const given = await world();
    const made = await invoiced(given, { Status: Status === "VOIDED" ? "AUTHORISED" : "DRAFT" });
    const [gone] = (await given.ok("POST", `/Invoices/${made.InvoiceID}`, { Status })).Invoices;
    expect(gone).toMatchObject({ Status, Total: made.Total, AmountDue: 0 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an update of an invoice with a payment refuses changed amounts and accepts changed texts", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    await paid(given, made, { Amount: 15 });
    const path = `/Invoices/${made.InvoiceID}`;
    expect(await given.refused("POST", path, { LineItems: [line({ UnitAmount: 1 })] })).toContain(
      "This document cannot be edited as it has a payment or credit note allocated to it.",
    );
    await given.ok("POST", path, { Reference: "late", DueDate: "2026-04-30", SentToContact: true });
    expect((await given.ok("GET", path)).Invoices[0]).toMatchObject({
      Reference: "late",
      DueDateString: "2026-04-30T00:00:00",
      SentToContact: true,
    });
  });

  test("an update of an unknown invoice is answered with 404, and a body id other than the path's is refused", async () => {
    const given = await world();
    const made = await invoiced(given);
    const other = "11111111-1111-4111-8111-111111111111";
    expect((await given.ask("POST", `/Invoices/${other}`, { Reference: "x" })).status).toBe(404);
    expect(await given.refused("POST", "/Invoices", { InvoiceID: other })).toEqual([
      `There is no invoice ${other}.`,
    ]);
    await given.refused("POST", `/Invoices/${made.InvoiceID}`, { InvoiceID: other });
  });
});

describe("finding invoices", () => {
  test("an invoice is found by its id in any notation, and by its number in any letter case", async () => {
    const given = await world();
    const made = await invoiced(given);
    const spellings = [
      made.InvoiceID,
      made.InvoiceID.toUpperCase(),
      made.InvoiceID.replaceAll("-", ""),
      "inv-0001",
    ];
    for (const key of spellings) {
      expect((await given.ok("GET", `/Invoices/${key}`)).Invoices[0].InvoiceID).toBe(
        made.InvoiceID,
      );
    }
    expect((await given.ask("GET", "/invoices/INV-0404")).status).toBe(404);
  });

  test("invoices are found by where, order and page, and by lists of ids, numbers and statuses", async () => {
    const given = await world();
    for (const UnitAmount of [30, 10, 20]) {
      await invoiced(given, {
        LineItems: [line({ UnitAmount })],
        Status: UnitAmount === 10 ? "DRAFT" : "AUTHORISED",
      });
    }
    const find = async (query: Record<string, string>) =>
      (await given.ok("GET", "/Invoices", undefined, { query })).Invoices.map(
        (each: Json) => each.InvoiceNumber,
      );
    expect(await find({ where: "Total>=23" })).toEqual(["INV-0001", "INV-0003"]);
    expect(await find({ where: 'Status=="DRAFT"||Total==34.5' })).toEqual(["INV-0001", "INV-0002"]);
    expect(await find({ order: "Total DESC" })).toEqual(["INV-0001", "INV-0003", "INV-0002"]);
    expect(await find({ page: "2", pageSize: "2", order: "Total" })).toEqual(["INV-0001"]);
    expect(await find({ InvoiceNumbers: "INV-0003,NONE" })).toEqual(["INV-0003"]);
    expect(await find({ Statuses: "AUTHORISED,PAID" })).toEqual(["INV-0001", "INV-0003"]);
    expect(await find({ createdByMyApp: "true" })).toHaveLength(3);
  });

  test("a page of invoices has the record count and their lines; a list without a page has neither", async () => {
    const given = await world();
    await invoiced(given);
    const paged = await given.ok("GET", "/Invoices", undefined, { query: { page: "1" } });
    expect(paged.pagination).toEqual({ page: 1, pageSize: 100, pageCount: 1, itemCount: 1 });
    expect(paged.Invoices[0].LineItems).toHaveLength(1);
    const all = await given.ok("GET", "/Invoices");
    expect(all.pagination).toBeUndefined();
    expect(all.Invoices[0].LineItems).toEqual([]);
  });

  test("invoices changed since a time are found by If-Modified-Since", async () => {
    const given = await world();
    await invoiced(given);
    given.now += 60_000;
    const since = new Date(given.now).toISOString().slice(0, 19);
    const later = await invoiced(given);
    const { Invoices } = await given.ok("GET", "/Invoices", undefined, {
      headers: { "if-modified-since": since },
    });
    expect(Invoices.map((each: Json) => each.InvoiceID)).toEqual([later.InvoiceID]);
  });
});

describe("emailing an invoice", () => {
  test("an invoice email goes to the contact and included persons, marks the invoice as sent and is in its history", async () => {
    const given = await world();
    const customer = await contact(given, {
      EmailAddress: "pay@quay.example",
      ContactPersons: [
        { FirstName: "A", EmailAddress: "a@quay.example", IncludeInEmails: true },
        { FirstName: "B", EmailAddress: "b@quay.example" },
      ],
    });
    const body = sale(customer, { Status: "AUTHORISED" });
    const [made] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    const path = `/Invoices/${made.InvoiceID}`;
    expect((await given.ask("POST", `${path}/Email`, {})).status).toBe(204);
    expect(given.mail).toMatchObject([
      { to: ["pay@quay.example", "a@quay.example"], from: { address: "tess@heron.example" } },
    ]);
    expect((await given.ok("GET", path)).Invoices[0].SentToContact).toBe(true);
    const [latest] = (await given.ok("GET", `${path}/History`)).HistoryRecords;
    expect(latest).toMatchObject({ Changes: "Invoice sent", User: "Tess Tester" });
  });

  test("emailing a draft, a bill, or an invoice to a contact without an address is refused", async () => {
    const given = await world();
    const draft = await invoiced(given);
    const bill = await invoiced(given, {
      Type: "ACCPAY",
      Status: "AUTHORISED",
      InvoiceNumber: "B",
      LineItems: [line({ AccountCode: "429" })],
    });
    const unreachable = await invoiced(given, { Status: "AUTHORISED" });
    for (const each of [draft, bill, unreachable]) {
      await given.refused("POST", `/Invoices/${each.InvoiceID}/Email`, {});
    }
    expect(given.mail).toEqual([]);
  });
});

test("the online address of an invoice does not change, and drafts and bills have none", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const path = `/Invoices/${made.InvoiceID}/OnlineInvoice`;
  const first = (await given.ok("GET", path)).OnlineInvoices[0].OnlineInvoiceUrl;
  expect(first).toMatch(/^http/);
  expect((await given.ok("GET", path)).OnlineInvoices[0].OnlineInvoiceUrl).toBe(first);
  const draft = await invoiced(given);
  await given.refused("GET", `/Invoices/${draft.InvoiceID}/OnlineInvoice`);
});

test("the history of an invoice lists every change, and its notes cannot be removed", async () => {
  const given = await world();
  const made = await invoiced(given, { Status: "AUTHORISED" });
  const path = `/Invoices/${made.InvoiceNumber}/History`;
  await given.ok("PUT", path, { HistoryRecords: [{ Details: "Rang client" }] });
  const { HistoryRecords } = await given.ok("GET", path);
  expect(HistoryRecords.map((each: Json) => each.Changes)).toEqual(["Note", "Approved", "Created"]);
  expect(HistoryRecords[0]).toMatchObject({ Details: "Rang client", User: "Tess Tester" });
  await given.refused("PUT", path, { Details: "x".repeat(2501) });
});

test("a repeated idempotency key returns the first answer, and with another request it is refused", async () => {
  const given = await world();
  const body = sale(await contact(given));
  const headers = { "idempotency-key": "once" };
  const first = await given.ask("PUT", "/Invoices", body, { headers });
  const second = await given.ask("PUT", "/Invoices", body, { headers });
  expect(second.text).toBe(first.text);
  expect((await given.ok("GET", "/Invoices")).Invoices).toHaveLength(1);
  expect(
    (await given.ask("PUT", "/Invoices", { ...body, Reference: "x" }, { headers })).status,
  ).toBe(400);
});

test("a dry run of a request returns its result and stores nothing", async () => {
  const given = await world();
  const body = sale(await contact(given), { Status: "AUTHORISED" });
  const answer = await given.ok("PUT", "/Invoices", body, { headers: { "x-dry-run": "true" } });
  expect(answer.Invoices[0]).toMatchObject({ InvoiceNumber: "INV-0001", Total: 115 });
  expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
  expect((await invoiced(given)).InvoiceNumber).toBe("INV-0001");
});

describe("an invoice on or before a lock date", () => {
  const sentence =
    "The document date cannot be before the period lock date, currently set at 31-Jan-2026";

  async function locked(given: World): Promise<void> {
    const { changeBook } = await import("../../../src/service/books/book.ts");
    await changeBook(given.book, { PeriodLockDate: "2026-01-31" });
  }

  test("an invoice on or before the lock date is not posted, reposted or reversed, but notes can be added", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED", Date: "2026-01-31" });
    const payment = await paid(given, made, { Date: "2026-01-31" });
    const open = await invoiced(given, { Status: "AUTHORISED", Date: "2026-01-31" });
    await locked(given);
    const body = sale(await contact(given), { Date: "2026-01-31", Status: "AUTHORISED" });
    expect(await given.refused("PUT", "/Invoices", body)).toContain(sentence);
    for (const change of [
      { Date: "2026-02-01" },
      { LineItems: [{ ...open.LineItems[0], UnitAmount: 99, LineAmount: 99, TaxAmount: 14.85 }] },
      { LineItems: [{ ...open.LineItems[0], AccountCode: "260" }] },
      { Contact: await contact(given) },
      { Status: "VOIDED" },
    ]) {
      expect(await given.refused("POST", `/Invoices/${open.InvoiceID}`, change)).toContain(
        sentence,
      );
    }
    expect(
      await given.refused("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" }),
    ).toContain(sentence);
    await given.ok("PUT", `/Invoices/${made.InvoiceID}/History`, { Details: "still here" });
    await invoiced(given, { Date: "2026-02-01", Status: "AUTHORISED" });
  });

  test("an invoice on or before the lock date accepts changes that post nothing", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED", Date: "2026-01-31" });
    const bill = await invoiced(given, {
      Type: "ACCPAY",
      InvoiceNumber: "B-1",
      Status: "AUTHORISED",
      Date: "2026-01-31",
    });
    await locked(given);
    const count = async () => (await given.ok("GET", "/Journals")).Journals.length;
    const before = await count();
    const change = {
      Reference: "PO 17",
      DueDate: "2026-04-20",
      ExpectedPaymentDate: "2026-04-21",
      Url: "https://heron.example/i/1",
      SentToContact: true,
    };
    const path = `/Invoices/${made.InvoiceID}`;
    expect((await given.ok("POST", path, change)).Invoices[0]).toMatchObject({
      Reference: "PO 17",
      DueDateString: "2026-04-20T00:00:00",
      Url: "https://heron.example/i/1",
      SentToContact: true,
    });
    await given.ok("POST", `/Invoices/${bill.InvoiceID}`, { PlannedPaymentDate: "2026-04-22" });
    const words = [{ ...made.LineItems[0], Description: "Work in January" }];
    await given.ok("POST", path, { LineItems: words });
    expect(await count()).toBe(before);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a draft on or before the lock date can be created, changed and deleted, but not approved", async () => {
    const given = await world();
    await locked(given);
    const draft = await invoiced(given, { Date: "2026-01-31" });
    const path = `/Invoices/${draft.InvoiceID}`;
    expect(await given.refused("POST", path, { Status: "AUTHORISED" })).toContain(sentence);
    await given.ok("POST", path, { Reference: "still a draft" });
    expect((await given.ok("POST", path, { Status: "DELETED" })).Invoices[0].Status).toBe(
      "DELETED",
    );
    const moved = await invoiced(given, { Date: "2026-01-31" });
    const later = { Date: "2026-02-01", Status: "AUTHORISED" };
    await given.ok("POST", `/Invoices/${moved.InvoiceID}`, later);
    expect(await faultsIn(given)).toEqual([]);
  });
});
