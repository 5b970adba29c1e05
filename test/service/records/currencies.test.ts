/** Currencies, the accounts they need, and what each was worth from day to day. */
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { type Country, countries, regionOf } from "../../../src/ledger/regions/index.ts";
import { rateOn, ratesOn } from "../../../src/service/lookups/currencies.ts";
import { contact, faultsIn, type Json, type World, world } from "../fixture.ts";

const add = (given: World, Code = "EUR") => given.ok("PUT", "/Currencies", { Code });
const keep = (given: World, Rates: object[], code = "EUR") =>
  given.ok("PUT", `/Currencies/${code}/Rates`, { Rates });

test("the base currency is listed in a new book", async () => {
  const given = await world();
  expect((await given.ok("GET", "/Currencies")).Currencies).toEqual([
    { Code: "NZD", Description: "New Zealand Dollar" },
  ]);
});

test("a currency is added by its code, and listed with its name", async () => {
  const given = await world();
  expect((await add(given, "usd")).Currencies).toEqual([
    { Code: "USD", Description: "United States Dollar" },
  ]);
  await add(given);
  const { Currencies } = await given.ok("GET", "/Currencies");
  expect(Currencies.map((each: Json) => each.Code)).toEqual(["EUR", "NZD", "USD"]);
  const query = { where: 'Code=="EUR"', order: "Code DESC" };
  const found = await given.ok("GET", "/Currencies", undefined, { query });
  expect(found.Currencies).toEqual([{ Code: "EUR", Description: "Euro" }]);
  const xml = await given.ask("GET", "/Currencies", undefined, { headers: { accept: "text/xml" } });
  expect(xml.text).toContain(
    "<Currencies><Currency><Code>EUR</Code><Description>Euro</Description></Currency>",
  );
});

test.each<[string, object, string]>([
  ["an unknown code", { Code: "ABC" }, "Code"],
  ["no code", { Code: "" }, "Code is required."],
  ["the base currency", { Code: "NZD" }, "The currency NZD exists already; PUT only creates."],
  ["two at once", { Currencies: [{ Code: "EUR" }, { Code: "USD" }] }, "at most 1 Currency, not 2"],
])("adding a currency is refused: %s", async (_what, body, sentence) => {
  const given = await world();
  expect((await given.refused("PUT", "/Currencies", body)).join(" ")).toContain(sentence);
  expect((await given.ok("GET", "/Currencies")).Currencies).toHaveLength(1);
});

const gains = ["BANKCURRENCYGAIN", "UNREALISEDCURRENCYGAIN", "REALISEDCURRENCYGAIN"];

async function gainAccounts(given: World): Promise<Json[]> {
  const { Accounts } = await given.ok("GET", "/Accounts");
  return gains.flatMap((marker) => Accounts.filter((each: Json) => each.SystemAccount === marker));
}

describe("accounts for currency gains", () => {
  test.each<Country>([...countries])(
    "currency gain accounts are created with the first foreign currency of a book in %s",
    async (country) => {
      const given = await world(country);
      expect(await gainAccounts(given)).toEqual([]);
      const region = regionOf(country);
      await add(given, region.baseCurrency === "EUR" ? "USD" : "EUR");
      const expected = region
        .accounts()
        .filter((seed) => seed.multicurrency)
        .map(({ code, name }) => [code, name, "EXPENSE"]);
      const made = await gainAccounts(given);
      expect(expected).toHaveLength(3);
      expect(made.map((each) => [each.Code, each.Name, each.Type]).sort()).toEqual(expected);
    },
  );

  test("currency gain accounts are created once, and keep a changed name", async () => {
    const given = await world();
    await add(given);
    const [first] = await gainAccounts(given);
    await given.ok("POST", `/Accounts/${first.AccountID}`, { Code: "900X", Name: "Revaluation" });
    await add(given, "USD");
    const after = await gainAccounts(given);
    expect(after).toHaveLength(3);
    expect(after[0]).toMatchObject({ Code: "900X", Name: "Revaluation" });
  });

  test("currency gain accounts take other codes and names where the organisation already uses those", async () => {
    const given = await world();
    const own = { Code: "498", Name: "Bank Revaluations", Type: "EXPENSE" };
    await given.ok("PUT", "/Accounts", own);
    await add(given);
    const made = await gainAccounts(given);
    expect(made.map((each) => [each.Code, each.Name])).toEqual([
      ["497", "Bank Revaluations 2"],
      ["499", "Unrealised Currency Gains"],
      ["500", "Realised Currency Gains"],
    ]);
  });
});

test("bank accounts and contacts may be in a currency that was added", async () => {
  const given = await world();
  const bank = {
    Code: "095",
    Name: "Euro Account",
    Type: "BANK",
    BankAccountNumber: "DE00",
    CurrencyCode: "EUR",
  };
  const refusal = ["Users Organisation is not subscribed to currency EUR"];
  expect(await given.refused("PUT", "/Accounts", bank)).toEqual(refusal);
  const french = { Name: "Lyon", DefaultCurrency: "EUR" };
  expect(await given.refused("PUT", "/Contacts", french)).toEqual(refusal);
  await add(given);
  const { Accounts } = await given.ok("PUT", "/Accounts", bank);
  expect(Accounts[0].CurrencyCode).toBe("EUR");
  expect((await contact(given, french)).DefaultCurrency).toBe("EUR");
  expect(
    await given.refused("POST", `/Accounts/${Accounts[0].AccountID}`, { CurrencyCode: "NZD" }),
  ).toEqual(["The CurrencyCode of a bank account cannot be changed."]);
});

describe("exchange rates of the book", () => {
  test("exchange rates are stored by day, listed newest first, and replaced for the same day", async () => {
    const given = await world();
    await add(given);
    const kept = await keep(given, [
      { Date: "2026-03-01", Rate: 0.6153 },
      { Date: "2026-02-27", Rate: "0.61" },
    ]);
    expect(kept.Rates).toHaveLength(2);
    await keep(given, [{ Date: "2026-03-01", Rate: 0.616 }]);
    const { Rates } = await given.ok("GET", "/Currencies/eur/Rates");
    expect(Rates.map((each: Json) => [each.DateString.slice(0, 10), each.Rate])).toEqual([
      ["2026-03-01", 0.616],
      ["2026-02-27", 0.61],
    ]);
    const query = { DateFrom: "2026-02-01", DateTo: "2026-02-28" };
    const february = await given.ok("GET", "/Currencies/EUR/Rates", undefined, { query });
    expect(february.Rates).toHaveLength(1);
  });

  test("exchange rates are read from XML too", async () => {
    const given = await world();
    await add(given);
    const body =
      "<Rates><CurrencyRate><Date>2026-03-01</Date><Rate>0.6153</Rate></CurrencyRate></Rates>";
    const headers = { accept: "text/xml", "content-type": "text/xml" };
    const kept = await given.ask("PUT", "/Currencies/EUR/Rates", body, { headers });
    expect(kept.text).toContain("<Date>2026-03-01T00:00:00</Date><Rate>0.615300</Rate>");
  });

  test.each<[string, string, object, string]>([
    ["of the base currency", "NZD", { Date: "2026-03-01", Rate: 1 }, "its rate is always 1"],
    ["of zero", "EUR", { Date: "2026-03-01", Rate: 0 }, "Rate must be above zero."],
    ["below zero", "EUR", { Date: "2026-03-01", Rate: -2 }, "Rate must be above zero."],
    ["without a day", "EUR", { Rate: 0.6 }, "Date is required."],
    ["without a rate", "EUR", { Date: "2026-03-01" }, "Rate is required."],
    ["on an invalid date", "EUR", { Date: "2026-02-30", Rate: 1 }, "Date"],
  ])("exchange rates %s are refused", async (_what, code, rate, sentence) => {
    const given = await world();
    await add(given);
    const refused = await given.refused("PUT", `/Currencies/${code}/Rates`, { Rates: [rate] });
    expect(refused.join(" ")).toContain(sentence);
  });

  test("exchange rates of a locked day are refused, unless they repeat the stored rate", async () => {
    const given = await world();
    await add(given);
    await keep(given, [{ Date: "2026-01-10", Rate: 0.6 }]);
    const { changeBook } = await import("../../../src/service/books/book.ts");
    await changeBook(given.book, { PeriodLockDate: "2026-01-31" });
    const sentence = (day: string) =>
      `The rate of EUR on ${day} is in the period that is locked until 31-Jan-2026 ` +
      "and cannot be changed.";
    const rates = [
      { Date: "2026-01-10", Rate: 0.3 },
      { Date: "2026-01-31", Rate: 0.6 },
      { Date: "2026-01-05", Rate: 0.6 },
      { Date: "2026-02-01", Rate: 0.7 },
    ];
    expect(await given.refused("PUT", "/Currencies/EUR/Rates", { Rates: rates })).toEqual([
      sentence("2026-01-10"),
      sentence("2026-01-05"),
    ]);
    await keep(given, [{ Date: "2026-01-31", Rate: 0.6 }]);
    await keep(given, [{ Date: "2026-02-01", Rate: 0.7 }]);
    const { store, org } = given.book;
    const on = (date: string) => store.read(org, (tx) => rateOn({}, tx, "EUR", date));
    expect(await on("2026-01-10")).toBe(600_000);
    expect(await on("2026-02-01")).toBe(700_000);
  });

  test("exchange rates of a currency that was not added are answered as not found", async () => {
    const given = await world();
    const rate = { Date: "2026-03-01", Rate: 1 };
    expect((await given.ask("PUT", "/Currencies/EUR/Rates", { Rates: [rate] })).status).toBe(404);
    expect((await given.ask("GET", "/Currencies/EUR/Rates")).status).toBe(404);
    const query = { DateFrom: "yesterday" };
    await add(given);
    expect(await given.refused("GET", "/Currencies/EUR/Rates", undefined, { query })).toEqual([
      "The parameter DateFrom must be a date, YYYY-MM-DD, not 'yesterday'.",
    ]);
  });

  test("the exchange rate of a day is the latest stored rate on or before that day", async () => {
    const given = await world();
    await add(given);
    await add(given, "USD");
    await keep(given, [
      { Date: "2026-03-01", Rate: 0.6153 },
      { Date: "2026-03-05", Rate: 0.6 },
    ]);
    const { store, org } = given.book;
    const on = (date: string, currency = "EUR") =>
      store.read(org, (tx) => rateOn({}, tx, currency, date));
    expect(await on("2026-02-28")).toBeUndefined();
    expect(await on("2026-03-01")).toBe(615_300);
    expect(await on("2026-03-04")).toBe(615_300);
    expect(await on("2026-12-31")).toBe(600_000);
    expect(await on("2026-03-04", "USD")).toBeUndefined();
    expect(await on("2020-01-01", "NZD")).toBe(1_000_000);
    const batch = [
      { currency: "EUR", date: "2026-03-06" },
      { currency: "NZD", date: "2026-03-06" },
      { currency: "USD", date: "2026-03-06" },
      { currency: "EUR", date: "2026-03-02" },
    ];
    expect(await store.read(org, (tx) => ratesOn({}, tx, "NZD", batch))).toEqual([
      600_000,
      1_000_000,
      undefined,
      615_300,
    ]);
  });
});

describe("currencies without exactly two decimal places", () => {
  const three = (code: string) =>
    `${code} has three decimal places, which this service cannot keep exactly; book what it comes to in another currency.`;

  test.each([
    ["KWD", three("KWD")],
    ["TND", three("TND")],
    [
      "CLF",
      "CLF has four decimal places, which this service cannot keep exactly; book what it comes to in another currency.",
    ],
  ])(
    "adding a currency that does not have two decimal places is refused: %s",
    async (Code, sentence) => {
      const given = await world();
      expect(await given.refused("PUT", "/Currencies", { Code })).toEqual([sentence]);
      const { Currencies } = await given.ok("GET", "/Currencies");
      expect(Currencies.map((each: Json) => each.Code)).not.toContain(Code);
    },
  );

  describe("a currency without decimal places", () => {
    const yen = (contact: Json, fields: object = {}) => ({
      Type: "ACCREC",
      Contact: contact,
      Date: "2026-03-01",
      DueDate: "2026-03-20",
      CurrencyCode: "JPY",
      CurrencyRate: 90,
      Status: "AUTHORISED",
      LineItems: [{ Description: "Bowl", Quantity: 3, UnitAmount: 33, AccountCode: "200" }],
      ...fields,
    });

    async function abroad(given: World): Promise<Json> {
      await add(given, "JPY");
      return contact(given);
    }

    test("amounts and taxes in a currency without decimal places are whole, and rounded once", async () => {
      const given = await world();
      const customer = await abroad(given);
      const query = { unitdp: "4" };
      const LineItems = [
        { Description: "Clay", Quantity: 33.165, UnitAmount: 3, AccountCode: "200" },
      ];
      const [made] = (await given.ok("PUT", "/Invoices", yen(customer, { LineItems }), { query }))
        .Invoices;
      // 99.495 is 99, though to the cent it would be 99.50; and 15 % of it 14.85.
      expect(made).toMatchObject({ SubTotal: 99, TotalTax: 15, Total: 114, AmountDue: 114 });
      const [inside] = (
        await given.ok("PUT", "/Invoices", yen(customer, { LineAmountTypes: "Inclusive" }), {
          query,
        })
      ).Invoices;
      expect(inside).toMatchObject({ SubTotal: 86, TotalTax: 13, Total: 99 });
    });

    test("prices, lines, payments and credits with decimals are refused in a currency without decimal places", async () => {
      const given = await world();
      const customer = await abroad(given);
      const line = { Description: "Bowl", AccountCode: "200" };
      const refusedLine = (fields: object) =>
        given.refused("PUT", "/Invoices", yen(customer, { LineItems: [{ ...line, ...fields }] }));
      expect(await refusedLine({ Quantity: 3, UnitAmount: 33.165 })).toEqual([
        "The UnitAmount 33.1700 has decimal places, which JPY has not; give a whole amount, or say a part of a unit by Quantity and LineAmount.",
      ]);
      expect(await refusedLine({ Quantity: 1, UnitAmount: 10, LineAmount: 10.5 })).toEqual([
        "LineItem 1: LineAmount 10.50 has decimal places, which JPY has not; give a whole amount.",
      ]);
      expect(await refusedLine({ Quantity: 1, UnitAmount: 10, TaxAmount: 1.5 })).toEqual([
        "LineItem 1: TaxAmount 1.50 has decimal places, which JPY has not; give a whole amount.",
      ]);
      const [made] = (await given.ok("PUT", "/Invoices", yen(customer))).Invoices;
      const payment = {
        Invoice: { InvoiceID: made.InvoiceID },
        Account: { Code: "090" },
        Date: "2026-03-10",
        CurrencyRate: 90,
      };
      expect(await given.refused("PUT", "/Payments", { ...payment, Amount: 10.5 })).toEqual([
        "The Amount 10.50 has decimal places, which JPY has not; give a whole amount.",
      ]);
      const credit = yen(customer, { Type: "ACCRECCREDIT" });
      const [{ CreditNoteID }] = (await given.ok("PUT", "/CreditNotes", credit)).CreditNotes;
      const path = `/CreditNotes/${CreditNoteID}/Allocations`;
      const part = { Invoice: { InvoiceID: made.InvoiceID }, AppliedAmount: 1.25 };
      expect(await given.refused("PUT", path, part)).toEqual([
        "The AppliedAmount 1.25 has decimal places, which JPY has not; give a whole amount.",
      ]);
      await given.ok("PUT", "/Payments", { ...payment, Amount: 114 });
      expect(await faultsIn(given)).toEqual([]);
    });

    test("a bank account in a currency without decimal places receives and pays whole amounts", async () => {
      const given = await world();
      await abroad(given);
      await given.ok("PUT", "/Currencies/JPY/Rates", { Date: "2026-03-01", Rate: 90.3 });
      await given.ok("PUT", "/Accounts", {
        Code: "092",
        Name: "Tokyo",
        Type: "BANK",
        BankAccountNumber: "1",
        CurrencyCode: "JPY",
      });
      const transfer = (from: string, to: string, Amount: number) => ({
        FromBankAccount: { Code: from },
        ToBankAccount: { Code: to },
        Date: "2026-03-02",
        Amount,
      });
      await given.ok("PUT", "/BankTransfers", transfer("090", "092", 10.01));
      const held = await given.book.store.read(given.book.org, (tx) =>
        sql<{ amount: number }>`select sum(foreign_amount) as amount from balance
          where org = ${tx.org} and basis = 0`.execute(tx.db),
      );
      // 903.903 yen.
      expect(held.rows[0]?.amount).toBe(90_400);
      expect(await given.refused("PUT", "/BankTransfers", transfer("092", "090", 10.01))).toEqual([
        "The Amount 10.01 has decimal places, which JPY has not; give a whole amount.",
      ]);
      expect(await faultsIn(given)).toEqual([]);
    });
  });
});

test("an amount with fractions of a cent is refused, except where they come from binary floating point", async () => {
  const given = await world();
  const [made] = (
    await given.ok("PUT", "/Invoices", {
      Type: "ACCREC",
      Contact: await contact(given),
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    })
  ).Invoices;
  const payment = (Amount: unknown) => ({
    Invoice: { InvoiceID: made.InvoiceID },
    Account: { Code: "090" },
    Amount,
  });
  expect(await given.refused("PUT", "/Payments", payment(1.005))).toEqual([
    expect.stringContaining("Amount has more than two decimal places: '1.005'"),
  ]);
  const { Payments } = await given.ok("PUT", "/Payments", payment(0.1 + 0.2));
  expect(Payments[0].Amount).toBe(0.3);
  expect((await given.ok("PUT", "/Payments", payment("1.500"))).Payments[0].Amount).toBe(1.5);
});
