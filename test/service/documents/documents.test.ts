/** Editing documents: what keeps its identity, what is computed anew, what stands as it was. */
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

const line = (fields: object = {}) => ({
  Description: "Work",
  Quantity: 1,
  UnitAmount: 100,
  AccountCode: "200",
  ...fields,
});

async function edited(given: World, made: Json, fields: object, options = {}): Promise<Json> {
  return (await given.ok("POST", `/Invoices/${made.InvoiceID}`, fields, options)).Invoices[0];
}

describe("lines of a document", () => {
  test("lines sent with their id are updated, lines without an id are created, and lines left out are deleted", async () => {
    const given = await world();
    const made = await invoiced(given, {
      LineItems: [line(), line({ Description: "Two" }), line({ Description: "Three" })],
    });
    const [first, second] = made.LineItems;
    const after = await edited(given, made, {
      LineItems: [
        { LineItemID: second.LineItemID, Quantity: 3 },
        line({ Description: "New" }),
        { LineItemID: first.LineItemID },
      ],
    });
    expect(
      after.LineItems.map((each: Json) => [
        each.LineItemID === second.LineItemID,
        each.Description,
        each.LineAmount,
      ]),
    ).toEqual([
      [true, "Two", 300],
      [false, "New", 100],
      [false, "Work", 100],
    ]);
    expect(after.LineItems[2].LineItemID).toBe(first.LineItemID);
    expect(after).toMatchObject({ SubTotal: 500, TotalTax: 75, Total: 575 });
    expect((await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices[0].LineItems).toEqual(
      after.LineItems,
    );
  });

  test("document lines with an id of another document, or the same id twice, are refused", async () => {
    const given = await world();
    const made = await invoiced(given);
    const [{ LineItemID }] = made.LineItems;
    const strange = { LineItemID: "11111111-1111-1111-1111-111111111111" };
    expect(
      (await given.refused("POST", `/Invoices/${made.InvoiceID}`, { LineItems: [strange] }))[0],
    ).toMatch(/has no line 1111/);
    expect(
      (
        await given.refused("POST", `/Invoices/${made.InvoiceID}`, {
          LineItems: [{ LineItemID }, { LineItemID }],
        })
      )[0],
    ).toMatch(/is given twice/);
  });

  test.each<[string, object, object]>([
    ["an override of tax", { TaxAmount: 1.23 }, { TaxAmount: 1.23, LineAmount: 100 }],
    [
      "a line amount and a quantity",
      { Quantity: 3, UnitAmount: undefined, LineAmount: 10 },
      { UnitAmount: 3.33, LineAmount: 10 },
    ],
    [
      "a line amount and a price",
      { Quantity: undefined, UnitAmount: 4, LineAmount: 10 },
      { Quantity: 2.5, LineAmount: 10 },
    ],
    ["a discount in percent", { DiscountRate: 12.5 }, { LineAmount: 87.5, TaxAmount: 13.13 }],
    ["a discount in money", { DiscountAmount: 30 }, { LineAmount: 70, TaxAmount: 10.5 }],
    ["a rate of no tax", { TaxType: "none" }, { TaxType: "NONE", TaxAmount: 0 }],
    ["the largest amount", { UnitAmount: 9_999_999_999.99 }, { LineAmount: 9_999_999_999.99 }],
  ])("an invoice line accepts %s", async (_name, fields, expected) => {
    const given = await world();
    expect((await invoiced(given, { LineItems: [line(fields)] })).LineItems[0]).toMatchObject(
      expected,
    );
  });

  test.each<[string, object, RegExp]>([
    ["a larger amount", { UnitAmount: 10_000_000_000 }, /larger than 9999999999.99/],
    [
      "a quantity of 14 digits",
      { Quantity: "1234567890.1234" },
      /Quantity may have at most 13 digits, not 14/,
    ],
    [
      "a description too long",
      { Description: "x".repeat(4001) },
      /Description may have at most 4000 characters/,
    ],
    ["a discount above 100 %", { DiscountRate: 101 }, /DiscountRate must be between 0 and 100/],
    [
      "neither description nor amount",
      { Description: undefined, Quantity: 0, UnitAmount: 0, AccountCode: "" },
      /needs a Description/,
    ],
  ])("an invoice line with %s is refused", async (_name, fields, sentence) => {
    const given = await world();
    const body = sale(await contact(given), { LineItems: [line(fields)] });
    expect((await given.refused("PUT", "/Invoices", body)).join()).toMatch(sentence);
  });

  test("a changed invoice line is recomputed, and amounts sent with it are kept", async () => {
    const given = await world();
    const made = await invoiced(given, { LineItems: [line({ TaxAmount: 1 })] });
    const [{ LineItemID }] = made.LineItems;
    expect((await edited(given, made, { Reference: "r" })).TotalTax).toBe(1);
    expect(
      (await edited(given, made, { LineItems: [{ LineItemID, Description: "Same" }] })).TotalTax,
    ).toBe(1);
    expect((await edited(given, made, { LineItems: [{ LineItemID, Quantity: 2 }] })).TotalTax).toBe(
      30,
    );
    expect(
      (await edited(given, made, { LineItems: [{ LineItemID, TaxAmount: 7 }] })).TotalTax,
    ).toBe(7);
    expect(
      (await edited(given, made, { LineItems: [{ LineItemID, TaxAmount: null }] })).TotalTax,
    ).toBe(30);
    expect(
      (
        await edited(given, made, {
          LineItems: [{ LineItemID, AccountCode: "260", TaxType: "ZERORATED" }],
        })
      ).TotalTax,
    ).toBe(0);
    const inclusive = await edited(given, made, {
      LineAmountTypes: "Inclusive",
      LineItems: [{ LineItemID, TaxType: "OUTPUT2" }],
    });
    expect(inclusive).toMatchObject({ SubTotal: 173.91, TotalTax: 26.09, Total: 200 });
    expect(await edited(given, made, { LineAmountTypes: "Exclusive" })).toMatchObject({
      SubTotal: 200,
      TotalTax: 30,
    });
    expect(await edited(given, made, { LineAmountTypes: "NoTax" })).toMatchObject({
      SubTotal: 200,
      TotalTax: 0,
      LineItems: [{ TaxType: "NONE" }],
    });
  });

  test("an answer of the service sent back unchanged changes no field", async () => {
    const given = await world();
    const LineItems = [
      line({ Quantity: 3, UnitAmount: 19.99, DiscountRate: 7 }),
      { Description: "words" },
      line({ UnitAmount: -5, TaxAmount: -0.1 }),
    ];
    const made = await invoiced(given, { Status: "AUTHORISED", LineItems });
    const [read] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
    const after = await edited(given, made, read);
    const { UpdatedDateUTC: _a, UpdatedDateUTCString: _b, ...rest } = read;
    expect(after).toMatchObject({ ...rest, Contact: { ContactID: read.Contact.ContactID } });
  });

  test("unit prices keep four decimals after an update that sends them with two", async () => {
    const given = await world();
    const query = { unitdp: "4" };
    const body = sale(await contact(given), {
      LineItems: [line({ Quantity: 1000, UnitAmount: 0.1234 })],
    });
    const [made] = (await given.ok("PUT", "/Invoices", body, { query })).Invoices;
    expect(await edited(given, made, { Status: "AUTHORISED" })).toMatchObject({
      SubTotal: 123.4,
      LineItems: [{ UnitAmount: 0.12 }],
    });
    const [read] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
    expect((await edited(given, made, read)).SubTotal).toBe(123.4);
    const [fine] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`, undefined, { query }))
      .Invoices;
    expect(fine.LineItems[0].UnitAmount).toBe(0.1234);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("document lines stay valid after their account is archived", async () => {
    const given = await world();
    await given.ok("PUT", "/Accounts", {
      Code: "201",
      Name: "Old sales",
      Type: "REVENUE",
      TaxType: "OUTPUT2",
    });
    const approved = await invoiced(given, {
      Status: "AUTHORISED",
      LineItems: [line({ AccountCode: "201" })],
    });
    const draft = await invoiced(given, { LineItems: [line({ AccountCode: "201" })] });
    await given.ok("POST", "/Accounts/201", { Status: "ARCHIVED" });
    const [{ LineItemID }] = approved.LineItems;
    expect(
      (
        await edited(given, approved, {
          Reference: "r",
          LineItems: [{ LineItemID, Description: "Other" }],
        })
      ).LineItems[0],
    ).toMatchObject({ AccountCode: "201", Description: "Other" });
    await edited(given, approved, { LineItems: [{ LineItemID, Quantity: 2 }] });
    await edited(given, draft, { Reference: "r" });
    expect(
      (await given.refused("POST", `/Invoices/${draft.InvoiceID}`, { Status: "AUTHORISED" }))[0],
    ).toMatch(/^Account code '201' has been removed/);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("lines with a deleted item do not refer to a new item of the same code", async () => {
    const given = await world();
    await given.ok("PUT", "/Items", {
      Code: "MUG",
      PurchaseDetails: { UnitPrice: 4, AccountCode: "429" },
    });
    const LineItems = [
      { ItemCode: "MUG", Description: "x", Quantity: 5 },
      line({ AccountCode: "429" }),
    ];
    const made = await invoiced(given, { Type: "ACCPAY", Status: "AUTHORISED", LineItems });
    await given.ok("DELETE", "/Items/MUG");
    await given.ok("PUT", "/Items", {
      Code: "MUG",
      InventoryAssetAccountCode: "630",
      PurchaseDetails: { COGSAccountCode: "310" },
    });
    const [mug, other] = made.LineItems;
    await edited(given, made, {
      LineItems: [{ LineItemID: mug.LineItemID }, { LineItemID: other.LineItemID, Quantity: 2 }],
    });
    expect((await given.ok("GET", "/Items/MUG")).Items[0].QuantityOnHand).toBe(0);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("documents with payments", () => {
  test("documents with payments keep the amount due when their contact is changed", async () => {
    const given = await world();
    const made = await invoiced(given, { Status: "AUTHORISED" });
    await paid(given, made, { Amount: 15 });
    const other = await contact(given);
    expect(await edited(given, made, { Contact: { ContactID: other.ContactID } })).toMatchObject({
      AmountDue: 100,
      AmountPaid: 15,
    });
    const [read] = (await given.ok("GET", `/Contacts/${other.ContactID}`)).Contacts;
    expect(read.Balances.AccountsReceivable.Outstanding).toBe(100);
    expect(await faultsIn(given)).toEqual([]);
    await paid(given, made, { Amount: 100 });
    expect(await faultsIn(given)).toEqual([]);
  });

  const frozen =
    "This document cannot be edited as it has a payment or credit note allocated to it.";
  test.each<[object, string | undefined]>([
    [
      {
        Reference: "x",
        DueDate: "2026-05-01",
        InvoiceNumber: "X-1",
        Url: "https://x.example",
        SentToContact: true,
        ExpectedPaymentDate: "2026-04-01",
      },
      undefined,
    ],
    [{ Date: "2026-03-02" }, frozen],
    [{ LineAmountTypes: "NoTax" }, frozen],
    [{ LineItems: [line({ UnitAmount: 90 })] }, frozen],
    [{ Type: "ACCPAY" }, "The Type of an invoice cannot be changed."],
  ])(
    "an edit of an invoice with payments is accepted or refused by its fields: %j",
    async (fields, sentence) => {
      const given = await world();
      for (const Amount of [15, 115]) {
        const made = await invoiced(given, { Status: "AUTHORISED" });
        await paid(given, made, { Amount });
        const body =
          "InvoiceNumber" in fields ? { ...fields, InvoiceNumber: `X-${Amount}` } : fields;
        if (sentence === undefined) await edited(given, made, body);
        else
          expect(await given.refused("POST", `/Invoices/${made.InvoiceID}`, body)).toContain(
            sentence,
          );
      }
      expect(await faultsIn(given)).toEqual([]);
    },
  );
});

describe("defaults and dates", () => {
  test.each<[object, string | undefined]>([
    [{ Type: "ACCREC", Date: "2026-01-31" }, "2026-02-20"],
    [{ Type: "ACCPAY", Date: "2026-01-31" }, "2026-02-20"],
    [{ Type: "ACCPAY", Date: "2026-12-05" }, "2027-01-20"],
    [{ Type: "ACCREC", Date: "2026-01-31", DueDate: "2026-01-31" }, "2026-01-31"],
  ])("an invoice with the dates %j falls due on %s", async (fields, due) => {
    const given = await world();
    const made = await invoiced(given, {
      DueDate: undefined,
      LineItems: [{ Description: "x" }],
      ...fields,
    });
    expect(made.DueDateString).toBe(`${due}T00:00:00`);
  });

  test("an invoice without a date gets today's date in the organisation's time zone, not in UTC", async () => {
    const given = await world("US");
    given.now = Date.UTC(2026, 2, 1, 3);
    const made = await invoiced(given, { Date: undefined, LineItems: [{ Description: "x" }] });
    expect(made.DateString).toBe("2026-02-28T00:00:00");
  });

  test("fields of the other invoice type, and a Reference on a bill, are dropped with a warning", async () => {
    const given = await world();
    const dates = { ExpectedPaymentDate: "2026-04-01", PlannedPaymentDate: "2026-04-02" };
    const invoice = await invoiced(given, dates);
    expect([invoice.ExpectedPaymentDateString, invoice.PlannedPaymentDateString]).toEqual([
      "2026-04-01T00:00:00",
      undefined,
    ]);
    const body = sale(await contact(given), {
      ...dates,
      Type: "ACCPAY",
      Reference: "r",
      LineItems: [{ Description: "x" }],
    });
    const [bill] = (await given.ok("PUT", "/Invoices", body)).Invoices;
    expect([bill.ExpectedPaymentDateString, bill.PlannedPaymentDateString]).toEqual([
      undefined,
      "2026-04-02T00:00:00",
    ]);
    expect(bill).toMatchObject({
      StatusAttributeString: "WARNING",
      Warnings: [
        { Message: expect.stringContaining("Reference is kept on sales invoices only") },
        { Message: "ExpectedPaymentDate is not kept: a bill has none." },
      ],
    });
  });

  test.each<[string, object]>([
    ["a number of 256 characters", { InvoiceNumber: "x".repeat(256) }],
    ["a reference of 256 characters", { Reference: "x".repeat(256) }],
    ["an exchange rate of zero", { CurrencyRate: 0 }],
    ["a negative exchange rate", { CurrencyRate: -1 }],
  ])("an invoice with %s is refused", async (_name, fields) => {
    const given = await world();
    expect((await given.ask("PUT", "/Invoices", sale(await contact(given), fields))).status).toBe(
      400,
    );
  });

  test("a document number may have 255 characters, and may be used again after a void", async () => {
    const given = await world();
    const InvoiceNumber = "x".repeat(255);
    const made = await invoiced(given, { InvoiceNumber, Status: "AUTHORISED" });
    await edited(given, made, { Status: "VOIDED" });
    const again = await invoiced(given, { InvoiceNumber });
    expect((await given.ok("GET", `/Invoices/${InvoiceNumber}`)).Invoices[0].InvoiceID).toBe(
      again.InvoiceID,
    );
  });

  test("an approved invoice with a total of zero is PAID at once", async () => {
    const given = await world();
    const made = await invoiced(given, {
      Status: "AUTHORISED",
      LineItems: [line({ UnitAmount: 0 })],
    });
    expect(made).toMatchObject({
      Status: "PAID",
      AmountDue: 0,
      FullyPaidOnDateString: "2026-03-01T00:00:00",
    });
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("an emailed invoice", () => {
  async function sendable(given: World, fields: object = {}): Promise<Json> {
    const party = await contact(given, {
      EmailAddress: "main@x.example",
      ContactPersons: [
        { EmailAddress: "in@x.example", IncludeInEmails: true },
        { EmailAddress: "out@x.example", IncludeInEmails: false },
        { EmailAddress: "main@x.example", IncludeInEmails: true },
      ],
    });
    return invoiced(given, {
      Status: "AUTHORISED",
      Contact: { ContactID: party.ContactID },
      ...fields,
    });
  }

  test("an invoice email goes to the contact and its persons included in emails, from the connected user", async () => {
    const given = await world();
    const made = await sendable(given);
    const answer = await given.ask("POST", `/Invoices/${made.InvoiceNumber}/email`);
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(given.mail[0]).toMatchObject({
      from: { name: "Tess Tester", address: "tess@heron.example" },
      to: ["main@x.example", "in@x.example"],
      subject: "Invoice INV-0001 from Heron Lane Ltd",
    });
    const [read] = (await given.ok("GET", `/Invoices/${made.InvoiceID}`)).Invoices;
    expect(read.SentToContact).toBe(true);
  });

  test("a submitted invoice is emailed but not marked as sent; a paid invoice is emailed and marked", async () => {
    const given = await world();
    const submitted = await sendable(given, { Status: "SUBMITTED" });
    const settled = await invoiced(given, {
      Status: "AUTHORISED",
      Contact: { ContactID: submitted.Contact.ContactID },
    });
    await paid(given, settled);
    for (const [each, sent] of [
      [submitted, false],
      [settled, true],
    ] as const) {
      await given.ok("POST", `/Invoices/${each.InvoiceID}/Email`, {});
      expect((await given.ok("GET", `/Invoices/${each.InvoiceID}`)).Invoices[0].SentToContact).toBe(
        sent,
      );
    }
    expect(given.mail).toHaveLength(2);
  });

  test.each(["DRAFT", "DELETED", "VOIDED"])(
    "an invoice that is %s is not emailed",
    async (Status) => {
      const given = await world();
      const made = await sendable(given, { Status: Status === "VOIDED" ? "AUTHORISED" : "DRAFT" });
      await edited(given, made, { Status });
      expect(await given.refused("POST", `/Invoices/${made.InvoiceID}/Email`)).toEqual([
        `An invoice with status ${Status} cannot be emailed; submit or approve it first.`,
      ]);
      expect(given.mail).toEqual([]);
    },
  );

  test("a bill, and an invoice to a contact without an email address, are not emailed", async () => {
    const given = await world();
    const bill = await sendable(given, {
      Type: "ACCPAY",
      LineItems: [line({ AccountCode: "429" })],
    });
    expect(await given.refused("POST", `/Invoices/${bill.InvoiceID}/Email`)).toEqual([
      "A bill cannot be emailed; only sales invoices can.",
    ]);
    const silent = await invoiced(given, { Status: "AUTHORISED" });
    expect((await given.refused("POST", `/Invoices/${silent.InvoiceID}/Email`))[0]).toMatch(
      /has no EmailAddress/,
    );
  });

  test("a demo organisation can send twenty emails a day", async () => {
    const given = await world();
    const made = await sendable(given);
    const path = `/Invoices/${made.InvoiceID}/Email`;
    for (let i = 0; i < 20; i += 1) await given.ok("POST", path);
    expect(await given.refused("POST", path)).toEqual([
      "An organisation sends at most 20 emails a day; go on tomorrow.",
    ]);
    given.now += 24 * 3_600_000;
    await given.ok("POST", path);
    expect(given.mail).toHaveLength(21);
  });

  test("only approved sales invoices have an online address", async () => {
    const given = await world();
    const bill = await invoiced(given, {
      Type: "ACCPAY",
      Status: "SUBMITTED",
      LineItems: [line({ AccountCode: "429" })],
    });
    expect(await given.refused("GET", `/Invoices/${bill.InvoiceID}/OnlineInvoice`)).toEqual([
      "Only sales invoices have an online address.",
    ]);
    const made = await invoiced(given, { Status: "SUBMITTED" });
    const { text } = await given.ask(
      "GET",
      `/Invoices/${made.InvoiceID}/OnlineInvoice`,
      undefined,
      { headers: { accept: "text/xml" } },
    );
    expect(text).toMatch(
      /<OnlineInvoices><OnlineInvoice><OnlineInvoiceUrl>http[^<]+<\/OnlineInvoiceUrl><\/OnlineInvoice><\/OnlineInvoices>/,
    );
  });
});

test("a document with an unknown branding theme is refused", async () => {
  const given = await world();
  const [theme] = (await given.ok("GET", "/BrandingThemes")).BrandingThemes;
  const { BrandingThemeID } = await invoiced(given, { BrandingThemeID: theme.BrandingThemeID });
  expect(BrandingThemeID).toBe(theme.BrandingThemeID);
  const unknown = "11111111-1111-1111-1111-111111111111";
  expect(
    await given.refused(
      "PUT",
      "/Invoices",
      sale(await contact(given), { BrandingThemeID: unknown }),
    ),
  ).toEqual([`BrandingThemeID: there is no branding theme ${unknown}.`]);
});

describe("amounts whose sums exceed the largest exact integer", () => {
  const line = { Description: "Gold", Quantity: 1, UnitAmount: 9_999_999_999.99, TaxType: "NONE" };
  const lines = (AccountCode: string) =>
    Array.from({ length: 1000 }, () => ({ ...line, AccountCode }));
  const sentence =
    "The amounts are too large: all that is posted may come to 90071992547409.91, " +
    "so that every sum in a report is exact.";

  test("an invoice that makes a sum exceed the largest exact integer is refused, and every report still works", async () => {
    const given = await world();
    const customer = await contact(given);
    const bill = (n: number) => ({
      Type: "ACCPAY",
      InvoiceNumber: `G-${n}`,
      Contact: { ContactID: customer.ContactID },
      Date: `2026-0${n}-01`,
      DueDate: "2026-12-20",
      Status: "AUTHORISED",
      LineItems: lines("300"),
    });
    for (let n = 1; n <= 4; n += 1) await given.ok("PUT", "/Invoices", bill(n));
    expect(await given.refused("PUT", "/Invoices", bill(5))).toEqual([sentence]);
    const { Journals } = await given.ok("GET", "/Journals");
    expect(Journals).toHaveLength(4);
    const date = { date: "2026-12-31" };
    const trial = await reportRows(given, "TrialBalance", date);
    expect(trial["Accounts Payable (800)"]?.[3]).toBe("39999999999960.00");
    await reportRows(given, "ProfitAndLoss", { fromDate: "2026-01-01", toDate: "2026-12-31" });
    await reportRows(given, "BalanceSheet", date);
    const [shown] = (await given.ok("GET", `/Contacts/${customer.ContactID}`)).Contacts;
    expect(shown.Balances.AccountsPayable.Outstanding).toBe(39_999_999_999_960);
    expect(given.bugs).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
    // What is voided makes room again.
    const [first] = (await given.ok("GET", "/Invoices")).Invoices;
    await given.ok("POST", `/Invoices/${first.InvoiceID}`, { Status: "VOIDED" });
    await given.ok("PUT", "/Invoices", bill(5));
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a transfer that makes a sum exceed the largest exact integer is refused, until another transfer is deleted", async () => {
    const given = await world();
    const transfer = (Amount: number) => ({
      FromBankAccount: { Code: "090" },
      ToBankAccount: { Code: "091" },
      Date: "2026-03-31",
      Amount,
    });
    const most = 22_000_000_000_000;
    const [first] = (await given.ok("PUT", "/BankTransfers", transfer(most))).BankTransfers;
    await given.ok("PUT", "/BankTransfers", transfer(most));
    expect(await given.refused("PUT", "/BankTransfers", transfer(most))).toEqual([sentence]);
    await given.ok("POST", `/BankTransfers/${first.BankTransferID}`, { Status: "DELETED" });
    await given.ok("PUT", "/BankTransfers", transfer(most));
    expect(await faultsIn(given)).toEqual([]);
  });

  test("foreign amounts whose sum exceeds the largest exact integer are still summed in the executive summary", async () => {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    const customer = await contact(given);
    for (let n = 0; n < 10; n += 1) {
      await given.ok("PUT", "/Invoices", {
        Type: "ACCREC",
        Contact: { ContactID: customer.ContactID },
        Date: "2026-03-01",
        DueDate: "2026-03-20",
        CurrencyCode: "USD",
        CurrencyRate: 1_000_000,
        Status: "AUTHORISED",
        LineItems: lines("200"),
      });
    }
    const rows = await reportRows(given, "ExecutiveSummary", { date: "2026-03-31" });
    expect(rows["Average value of invoices"]?.[0]).toBe("10000000.00");
    expect(given.bugs).toEqual([]);
  });
});
