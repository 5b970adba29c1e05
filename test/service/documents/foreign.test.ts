/** Documents in a foreign currency: rates, postings, payments and what they gain or lose. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, type Json, movements, type World, world } from "../fixture.ts";

async function inEuro(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  return given;
}

/** An invoice of EUR 615.30 without tax, at 0.6153 unless told otherwise. */
async function invoiced(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    CurrencyRate: 0.6153,
    LineItems: [
      {
        Description: "Work",
        Quantity: 1,
        UnitAmount: 615.3,
        AccountCode: "200",
        TaxType: "ZERORATED",
      },
    ],
    ...fields,
  });
  return answer.Invoices[0];
}

async function paid(given: World, invoice: Json, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: invoice.InvoiceID },
    Account: { Code: "090" },
    Date: "2026-03-10",
    Amount: invoice.AmountDue,
    CurrencyRate: 0.6,
    ...fields,
  });
  return answer.Payments[0];
}

const receivable = "Accounts Receivable (610)";
const bank = "Business Account (090)";
const gains = "Realised Currency Gains (499)";

describe("an exchange rate of 18 digits", () => {
  const rate = "999999999999.999999";

  test("an exchange rate of 18 digits is stored exactly, returned in every format, and used in filters and division", async () => {
    const given = await inEuro();
    const LineItems = [
      {
        Description: "Work",
        UnitAmount: 9_999_999_999.99,
        AccountCode: "200",
        TaxType: "ZERORATED",
      },
    ];
    const { InvoiceID, Contact } = await invoiced(given, { CurrencyRate: rate, LineItems });
    const asText = async (path: string, accept: string) => {
      const { status, text } = await given.ask("GET", path, undefined, { headers: { accept } });
      expect(status).toBe(200);
      return text;
    };
    const path = `/Invoices/${InvoiceID}`;
    expect(await asText(path, "application/json")).toMatch(new RegExp(`"CurrencyRate": ?${rate}`));
    expect(await asText(path, "text/xml")).toContain(`<CurrencyRate>${rate}</CurrencyRate>`);
    const found = async (where: string) =>
      (await given.ok("GET", "/Invoices", undefined, { query: { where } })).Invoices.length;
    expect(await found(`CurrencyRate==${rate}`)).toBe(1);
    expect(await found("CurrencyRate==999999999999.999998")).toBe(0);
    expect(await found("CurrencyRate>999999999999.999998")).toBe(1);
    expect(await found("CurrencyRate<1")).toBe(0);
    expect(await movements(given)).toMatchObject({ [receivable]: 0.01, "Sales (200)": -0.01 });
    const query = { contactID: Contact.ContactID };
    await given.ok("GET", "/Reports/AgedReceivablesByContact", undefined, { query });
    await given.ok("GET", "/Reports/ExecutiveSummary");
    await given.ok("POST", path, { Reference: "again" });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an exchange rate of 18 digits is stored for a currency and a day", async () => {
    const given = await inEuro();
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-01", Rate: rate });
    const rates = await given.ask("GET", "/Currencies/EUR/Rates");
    expect(rates.text).toContain(rate);
    const made = await invoiced(given, { CurrencyRate: undefined });
    expect((await given.ask("GET", `/Invoices/${made.InvoiceID}`)).text).toContain(rate);
    const { status } = await given.ask("PUT", "/Currencies/EUR/Rates", {
      Date: "2026-03-02",
      Rate: "1000000000000",
    });
    expect(status).toBe(400);
  });
});

describe("an invoice in a foreign currency", () => {
  test("a foreign invoice is posted in the base currency, at its own rate", async () => {
    const given = await inEuro();
    expect(await invoiced(given)).toMatchObject({
      CurrencyCode: "EUR",
      CurrencyRate: 0.6153,
      Total: 615.3,
      AmountDue: 615.3,
    });
    expect(await movements(given)).toMatchObject({ [receivable]: 1000, "Sales (200)": -1000 });
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a foreign invoice without a rate takes the rate of its day, and keeps it when that rate changes", async () => {
    const given = await inEuro();
    const rate = (Rate: number, day: string) =>
      given.ok("PUT", "/Currencies/EUR/Rates", { Date: day, Rate });
    await rate(0.5, "2026-02-20");
    await rate(0.4, "2026-03-15");
    const invoice = await invoiced(given, { CurrencyRate: undefined });
    expect(invoice.CurrencyRate).toBe(0.5);
    await rate(0.45, "2026-03-01");
    const [edited] = (
      await given.ok("POST", `/Invoices/${invoice.InvoiceID}`, { Reference: "PO 7" })
    ).Invoices;
    expect(edited.CurrencyRate).toBe(0.5);
  });

  test("a foreign invoice is refused without a known exchange rate or when its currency was not added", async () => {
    const given = await inEuro();
    const body = {
      Type: "ACCREC",
      Contact: await contact(given),
      Date: "2026-03-01",
      CurrencyCode: "EUR",
      LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" }],
    };
    expect(await given.refused("PUT", "/Invoices", body)).toEqual([
      "There is no exchange rate of EUR on 2026-03-01 or before: give a CurrencyRate, or keep one (acct currency rate EUR RATE --date 2026-03-01).",
    ]);
    expect(await given.refused("PUT", "/Invoices", { ...body, CurrencyCode: "USD" })).toEqual([
      "Users Organisation is not subscribed to currency USD",
    ]);
    expect(await given.refused("PUT", "/Invoices", { ...body, CurrencyRate: 0 })).toEqual([
      "CurrencyRate must be above zero.",
    ]);
  });

  test("an invoice without a currency takes the currency of its contact", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given, {
      Contact: await contact(given, { DefaultCurrency: "EUR" }),
      CurrencyCode: undefined,
    });
    expect(invoice.CurrencyCode).toBe("EUR");
  });

  test("each line of a foreign invoice is rounded separately, and the remaining cent goes to the rounding account", async () => {
    const given = await inEuro();
    await invoiced(given, {
      CurrencyRate: 3,
      LineItems: [1, 1, 1].map((UnitAmount) => ({
        Description: "x",
        Quantity: 1,
        UnitAmount,
        AccountCode: "200",
        TaxType: "ZERORATED",
      })),
    });
    expect(await movements(given)).toMatchObject({
      [receivable]: 1,
      "Sales (200)": -0.99,
      "Rounding (860)": -0.01,
    });
  });
});

describe("a payment of a foreign invoice into an account in the base currency", () => {
  test("a payment at another exchange rate than the invoice's realises the gain between the two rates", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given);
    expect(await paid(given, invoice)).toMatchObject({ Amount: 615.3, BankAmount: 1025.5 });
    const moved = await movements(given);
    expect(moved).toMatchObject({ [bank]: 1025.5, [gains]: -25.5 });
    expect(moved).not.toHaveProperty(receivable);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a half payment of a foreign invoice realises half the gain, and the last clears the receivable", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given);
    await paid(given, invoice, { Amount: 307.65 });
    expect(await movements(given)).toMatchObject({
      [bank]: 512.75,
      [receivable]: 500,
      [gains]: -12.75,
    });
    await paid(given, invoice, { Amount: 307.65, CurrencyRate: 0.7 });
    expect(await movements(given)).not.toHaveProperty(receivable);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a payment of a foreign bill at a worse exchange rate realises a loss", async () => {
    const given = await inEuro();
    const bill = await invoiced(given, {
      Type: "ACCPAY",
      LineItems: [
        {
          Description: "Clay",
          Quantity: 1,
          UnitAmount: 615.3,
          AccountCode: "300",
          TaxType: "NONE",
        },
      ],
    });
    await paid(given, bill);
    expect(await movements(given)).toMatchObject({ [bank]: -1025.5, [gains]: 25.5 });
  });

  test("a payment without an exchange rate takes the rate of its day, or the document's where none is known", async () => {
    const given = await inEuro();
    const first = await invoiced(given);
    expect((await paid(given, first, { CurrencyRate: undefined })).CurrencyRate).toBe(0.6153);
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-09", Rate: 0.59 });
    const second = await invoiced(given);
    expect((await paid(given, second, { CurrencyRate: undefined })).CurrencyRate).toBe(0.59);
  });

  test("a reversed payment of a foreign invoice leaves no realised gain", async () => {
    const given = await inEuro();
    const payment = await paid(given, await invoiced(given));
    await given.ok("POST", `/Payments/${payment.PaymentID}`, { Status: "DELETED" });
    const moved = await movements(given);
    expect(moved).toMatchObject({ [receivable]: 1000 });
    expect(moved).not.toHaveProperty(gains);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("a bank account in a foreign currency", () => {
  const account = async (given: World, CurrencyCode: string) => {
    await given.ok("PUT", "/Accounts", {
      Code: `B${CurrencyCode}`,
      Name: `${CurrencyCode} account`,
      Type: "BANK",
      BankAccountNumber: `01-${CurrencyCode}`,
      CurrencyCode,
    });
    return { Account: { Code: `B${CurrencyCode}` } };
  };

  test("a foreign bank account receives a payment in its own currency without conversion", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given);
    const made = await paid(given, invoice, await account(given, "EUR"));
    expect(made.BankAmount).toBe(615.3);
    expect(await movements(given)).toMatchObject({
      "EUR account (BEUR)": 1025.5,
      [gains]: -25.5,
    });
  });

  test("a foreign bank account receives the payment of a base-currency invoice at the given exchange rate", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given, { CurrencyCode: "NZD", CurrencyRate: undefined });
    const made = await paid(given, invoice, await account(given, "EUR"));
    expect(made.BankAmount).toBe(369.18);
    expect(await movements(given)).toMatchObject({ "EUR account (BEUR)": 615.3 });
  });

  test("a payment of an invoice into a bank account of a third currency is refused", async () => {
    const given = await inEuro();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    const invoice = await invoiced(given);
    expect(
      await given.refused("PUT", "/Payments", {
        Invoice: { InvoiceID: invoice.InvoiceID },
        ...(await account(given, "USD")),
        Amount: 1,
      }),
    ).toEqual([
      "A document in EUR cannot be paid from an account in USD: one of the two must be in NZD.",
    ]);
  });
});

describe("a credit note in a foreign currency", () => {
  test("a foreign credit note applied to an invoice at another exchange rate realises the difference", async () => {
    const given = await inEuro();
    const invoice = await invoiced(given);
    const [credit] = (
      await given.ok("PUT", "/CreditNotes", {
        Type: "ACCRECCREDIT",
        Contact: { ContactID: invoice.Contact.ContactID },
        Date: "2026-03-05",
        Status: "AUTHORISED",
        CurrencyCode: "EUR",
        CurrencyRate: 0.6,
        LineItems: [
          {
            Description: "Back",
            Quantity: 1,
            UnitAmount: 615.3,
            AccountCode: "200",
            TaxType: "ZERORATED",
          },
        ],
      })
    ).CreditNotes;
    const path = `/CreditNotes/${credit.CreditNoteID}/Allocations`;
    const Invoice = { InvoiceID: invoice.InvoiceID };
    const { Allocations } = await given.ok("PUT", path, { AppliedAmount: 615.3, Invoice });
    const moved = await movements(given);
    expect(moved).toMatchObject({ "Sales (200)": 25.5, [gains]: -25.5 });
    expect(moved).not.toHaveProperty(receivable);
    expect(await faultsIn(given)).toEqual([]);
    await given.ok("DELETE", `${path}/${Allocations[0].AllocationID}`);
    expect(await movements(given)).toMatchObject({ [receivable]: -25.5 });
    expect(await faultsIn(given)).toEqual([]);
  });
});
