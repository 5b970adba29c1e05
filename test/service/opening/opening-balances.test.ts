/** Opening balances: a book that begins in the middle of a company's life. */
import { describe, expect, test } from "vitest";
import { changeBook } from "../../../src/service/books/book.ts";
import { faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

const path = "/Extensions/OpeningBalances";
const date = "2025-12-31";

/** Balances that are not zero, debits above it and credits below, by account. */
async function trialBalance(given: World, options: Readonly<Record<string, string>> = {}) {
  const rows = await reportRows(given, "TrialBalance", { date, ...options });
  const balances = Object.entries(rows).map(
    ([name, cells]) => [name, Number(cells.at(-2) || 0) - Number(cells.at(-1) || 0)] as const,
  );
  return Object.fromEntries(balances.filter(([, amount]) => amount !== 0));
}

const invoice = (own: object = {}) => ({
  Type: "ACCREC",
  Number: "OLD-7",
  ContactName: "Kowhai Ltd",
  Date: "2025-11-15",
  DueDate: "2025-12-20",
  AmountDue: 57.5,
  Lines: [
    { Amount: 92, AccountCode: "200", TaxType: "OUTPUT2" },
    { Amount: 23, AccountCode: "260", TaxType: "OUTPUT2" },
  ],
  ...own,
});

const opening = (own: object = {}) => ({
  Date: date,
  Accounts: [
    { AccountCode: "090", Debit: 1500.5 },
    { AccountCode: "610", Debit: 57.5 },
    { AccountCode: "200", Credit: 4000 },
    { AccountCode: "400", Debit: 3000 },
    { AccountCode: "820", Credit: 300 },
    { AccountCode: "960", Credit: 258 },
  ],
  Documents: [invoice()],
  ...own,
});

const set = async (given: World, body: object) =>
  (await given.ok("POST", path, body)).OpeningBalances[0] as Json;

describe("the trial balance of the opening day", () => {
  test("the trial balance of the opening day equals the given file, with the open documents included", async () => {
    const given = await world();
    expect(await set(given, opening())).toMatchObject({ HistoricalAdjustment: 0 });
    expect(await trialBalance(given)).toMatchObject({
      "Business Account (090)": 1500.5,
      "Accounts Receivable (610)": 57.5,
      "Sales (200)": -4000,
      "Advertising (400)": 3000,
      "GST (820)": -300,
      "Retained Earnings (960)": -258,
    });
    const [first] = (await given.ok("GET", "/Invoices/OLD-7")).Invoices;
    expect(first).toMatchObject({ AmountDue: 57.5, TotalTax: 7.5, Status: "AUTHORISED" });
    expect(first.LineItems.map((each: Json) => each.LineAmount)).toEqual([46, 11.5]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("the opening trial balance on the cash basis excludes open documents, and agrees once they are paid", async () => {
    const given = await world();
    await set(given, opening());
    const before = await trialBalance(given, { paymentsOnly: "true" });
    expect(before["Accounts Receivable (610)"]).toBeUndefined();
    expect(before["Sales (200)"]).toBe(-3960);
    const Invoice = { InvoiceNumber: "OLD-7" };
    const Account = { Code: "090" };
    await given.ok("PUT", "/Payments", { Invoice, Account, Date: "2026-01-20", Amount: 57.5 });
    const later = { date: "2026-01-31" };
    const cash = await trialBalance(given, { ...later, paymentsOnly: "true" });
    expect(cash).toEqual(await trialBalance(given, later));
    const accrual = await reportRows(given, "ProfitAndLoss", {
      fromDate: "2026-01-01",
      toDate: "2026-01-31",
    });
    expect(accrual.Sales).toBeUndefined();
    expect(await faultsIn(given)).toEqual([]);
  });

  test("an opening trial balance that does not balance is balanced by Historical Adjustment", async () => {
    const given = await world();
    const Accounts = [{ AccountCode: "090", Debit: 100 }];
    expect(await set(given, { Date: date, Accounts })).toMatchObject({
      HistoricalAdjustment: -100,
    });
    expect((await trialBalance(given))["Historical Adjustment (840)"]).toBe(-100);
  });

  test("an opening trial balance with documents of an earlier year keeps the given Retained Earnings", async () => {
    const given = await world();
    // The year of these books ends on the 31st of March.
    await set(given, opening({ Documents: [invoice({ Date: "2025-02-10" })] }));
    const balances = await trialBalance(given);
    expect(balances["Sales (200)"]).toBe(-4000);
    expect(balances["Retained Earnings (960)"]).toBe(-258);
  });
});

describe("opening balances set again", () => {
  test("setting opening balances again changes only what differs", async () => {
    const given = await world();
    const other = invoice({ Number: "OLD-8", AmountDue: 115 });
    const gone = invoice({ Number: "OLD-9", AmountDue: 115 });
    const accounts = (receivable: number) =>
      opening().Accounts.map((each) =>
        each.AccountCode === "610" ? { AccountCode: "610", Debit: receivable } : each,
      );
    const first = await set(
      given,
      opening({ Accounts: accounts(287.5), Documents: [invoice(), other, gone] }),
    );
    const changedAt = async (number: string) =>
      (await given.ok("GET", `/Invoices/${number}`)).Invoices[0].UpdatedDateUTC;
    const before = await changedAt("OLD-7");
    given.now += 1000;
    const changed = { ...other, AmountDue: 100 };
    const again = await set(
      given,
      opening({ Accounts: accounts(157.5), Documents: [invoice(), changed] }),
    );
    const ids = (each: Json) => each.Documents.map((one: Json) => one.DocumentID);
    expect(ids(again)).toEqual(ids(first).slice(0, 2));
    const states = await Promise.all(
      ["OLD-7", "OLD-8", "OLD-9"].map(async (number) => {
        const [found] = (await given.ok("GET", `/Invoices/${number}`)).Invoices;
        return [found.Status, found.AmountDue, found.UpdatedDateUTC !== before];
      }),
    );
    expect(states).toEqual([
      ["AUTHORISED", 57.5, false],
      ["AUTHORISED", 100, true],
      ["VOIDED", 0, true],
    ]);
    expect((await trialBalance(given))["Accounts Receivable (610)"]).toBe(157.5);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("opening balances may be set for another day, and the change can be undone", async () => {
    const given = await world();
    await set(given, opening());
    const { OpeningBalanceID } = await set(given, { Date: "2026-01-31" });
    expect((await trialBalance(given))["Business Account (090)"]).toBeUndefined();
    const later = await trialBalance(given, { date: "2026-01-31" });
    expect(later["Sales (200)"]).toBe(-4000);
    await given.ok("DELETE", `${path}/${OpeningBalanceID}`);
    expect(await trialBalance(given, { date: "2026-01-31" })).toEqual({});
    expect((await given.ok("GET", path)).OpeningBalances).toEqual([]);
    expect(await faultsIn(given)).toEqual([]);
  });

  test("a paid opening document stays paid when opening balances are set again", async () => {
    const given = await world();
    await set(given, opening());
    const Invoice = { InvoiceNumber: "OLD-7" };
    const paid = { Invoice, Account: { Code: "090" }, Date: "2026-01-20", Amount: 57.5 };
    await given.ok("PUT", "/Payments", paid);
    await set(given, opening());
    const reasons = await given.refused("POST", path, opening({ Documents: [] }));
    expect(reasons[0]).toMatch(/^OLD-7 of Kowhai Ltd: /);
    expect(await faultsIn(given)).toEqual([]);
  });
});

describe("opening balances that are refused", () => {
  const refusals: [string, object, string][] = [
    [
      "receivables that differ from the open documents",
      { Documents: [] },
      "Accounts Receivable (610) is 57.50 in the balances, but its open documents come to 0.00: 57.50 apart.",
    ],
    [
      "a document dated after the opening day",
      { Documents: [invoice({ Date: "2026-01-02" })] },
      "OLD-7 of Kowhai Ltd is of 2026-01-02, after the opening.",
    ],
    [
      "a document twice",
      { Documents: [invoice(), invoice({ ContactName: "kowhai ltd" })] },
      "OLD-7 of kowhai ltd is named twice.",
    ],
    [
      "an amount due above the document's total",
      { Documents: [invoice({ AmountDue: 115.01 })] },
      "What is outstanding must be above zero and at most 115.00, not 115.01.",
    ],
    [
      "an unknown account",
      { Accounts: [{ AccountCode: "999", Debit: 1 }] },
      "There is no active account with code '999'.",
    ],
    [
      "an account twice",
      { Accounts: [{ AccountCode: "090" }, { AccountCode: "090" }] },
      "The account 090 is named twice.",
    ],
    [
      "a balance in a currency the account does not have",
      { Accounts: [{ AccountCode: "090", Debit: 1, CurrencyBalance: 1 }], Documents: [] },
      "Business Account is in NZD and has no CurrencyBalance.",
    ],
    ["a set without accounts", { Accounts: [] }, "Accounts needs at least 1 entry."],
    [
      "none of an item on hand",
      { Stock: [{ ItemCode: "NONE", Quantity: 0, Cost: 1 }] },
      "Item 1: Quantity must be above zero, not 0.0000.",
    ],
    [
      "stock of an unknown item",
      { Stock: [{ ItemCode: "NONE", Quantity: 1, Cost: 1 }] },
      "Opening stock: There is no item with code 'NONE'; create it first. (line 1)",
    ],
  ];
  test.each(refusals)(
    "opening balances are refused and nothing is stored: %s",
    async (_name, own, sentence) => {
      const given = await world();
      expect(await given.refused("POST", path, opening(own))).toContain(sentence);
      expect((await given.ok("GET", "/Invoices")).Invoices).toEqual([]);
      expect(await trialBalance(given)).toEqual({});
    },
  );

  test("opening balances are refused with other documents on or before the opening day, or before a lock date", async () => {
    const given = await world();
    await set(given, opening());
    const sentence =
      "The document date cannot be on or before the day of the opening balances, currently set at 31-Dec-2025";
    const late = { ...invoice(), Type: "ACCREC", Contact: { Name: "Kowhai Ltd" } };
    const body = {
      ...late,
      Status: "AUTHORISED",
      LineItems: [{ Description: "x", UnitAmount: 1, AccountCode: "200" }],
    };
    expect(await given.refused("PUT", "/Invoices", body)).toContain(sentence);
    const Invoice = { InvoiceNumber: "OLD-7" };
    const paid = { Invoice, Account: { Code: "090" }, Date: date, Amount: 1 };
    expect(await given.refused("PUT", "/Payments", paid)).toContain(sentence);
    expect(await given.refused("POST", "/Invoices/OLD-7", { Status: "VOIDED" })).toContain(
      sentence,
    );
    await changeBook(given.book, { PeriodLockDate: "2025-12-31" });
    expect((await given.refused("POST", path, opening()))[0]).toMatch(/period lock date/);
  });
});

describe("opening balances in foreign currencies", () => {
  const foreign = (receivable: number, gain: number) => ({
    Date: date,
    Accounts: [
      { AccountCode: "610", Debit: receivable },
      { AccountCode: "092", Debit: 200, CurrencyBalance: 110 },
      ...(gain === 0 ? [] : [{ AccountCode: "498", Credit: gain }]),
      { AccountCode: "970", Credit: receivable + 200 - gain },
    ],
    Documents: [
      {
        Type: "ACCREC",
        Number: "US-1",
        ContactName: "Alder Inc",
        Date: "2025-12-01",
        CurrencyCode: "USD",
        CurrencyRate: 0.5,
        Lines: [{ Amount: 100, AccountCode: "200", TaxType: "ZERORATED" }],
      },
    ],
  });
  async function foreignWorld() {
    const given = await world();
    await given.ok("PUT", "/Currencies", { Code: "USD" });
    await given.ok("PUT", "/Accounts", {
      Code: "092",
      Name: "Dollars",
      Type: "BANK",
      CurrencyCode: "USD",
      BankAccountNumber: "12-3",
    });
    await given.ok("PUT", "/Currencies/USD/Rates", { Date: date, Rate: 0.55 });
    return given;
  }

  test("foreign opening balances may be at the rate of the day, and reports compute their unrealised gain", async () => {
    const given = await foreignWorld();
    await set(given, foreign(181.82, -18.18));
    const balances = await trialBalance(given);
    expect(balances).toMatchObject({
      "Accounts Receivable (610)": 181.82,
      "Dollars (092)": 200,
      "Unrealised Currency Gains (498)": 18.18,
    });
    expect(balances["Historical Adjustment (840)"]).toBeUndefined();
    expect(await faultsIn(given)).toEqual([]);
  });

  test("foreign opening balances may be at the exchange rates of the open documents", async () => {
    const given = await foreignWorld();
    await set(given, foreign(200, 0));
    expect(await trialBalance(given)).toMatchObject({
      "Accounts Receivable (610)": 181.82,
      "Unrealised Currency Gains (498)": 18.18,
    });
  });

  test("opening balances without the foreign amount of a foreign bank account are refused", async () => {
    const given = await foreignWorld();
    const Accounts = [{ AccountCode: "092", Debit: 200 }];
    expect(await given.refused("POST", path, { Date: date, Accounts })).toEqual([
      "Dollars is in USD: say in CurrencyBalance what it holds in that.",
    ]);
  });
});

test("opening stock is valued at its total cost, even if that does not divide evenly by the quantity", async () => {
  const given = await world();
  for (const [Code, at] of [
    ["PEN", 1],
    ["INK", 2],
    ["PAD", 3],
  ] as const) {
    await given.ok("PUT", "/Items", {
      Code,
      Name: `Item ${at}`,
      InventoryAssetAccountCode: "630",
      PurchaseDetails: { COGSAccountCode: "310" },
    });
  }
  const Stock = [
    { ItemCode: "PEN", Quantity: 7, Cost: 10 },
    { ItemCode: "INK", Quantity: 3000, Cost: 999.99 },
    { ItemCode: "PAD", Quantity: 0.5, Cost: 3.33 },
  ];
  const Accounts = [
    { AccountCode: "630", Debit: 1013.32 },
    { AccountCode: "970", Credit: 1013.32 },
  ];
  await set(given, { Date: date, Accounts, Stock });
  const { Items } = await given.ok("GET", "/Items");
  const held = Items.map((each: Json) => [each.Code, each.QuantityOnHand, each.TotalCostPool]);
  expect(held.sort()).toEqual([
    ["INK", 3000, 999.99],
    ["PAD", 0.5, 3.33],
    ["PEN", 7, 10],
  ]);
  const balances = await trialBalance(given);
  expect(balances).toEqual({
    "Inventory (630)": 1013.32,
    "Owner A Funds Introduced (970)": -1013.32,
  });
  const reasons = await given.refused("POST", path, { Stock: Stock.slice(1) });
  expect(reasons).toEqual([
    "Inventory (630) is 1013.32 in the balances, but its items on hand come to 1003.32: 10.00 apart.",
  ]);
  expect(await faultsIn(given)).toEqual([]);
});
