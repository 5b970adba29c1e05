/** Bank accounts in foreign currencies: what they hold, and what that is worth on a day. */
import { expect, test } from "vitest";
import {
  contact,
  faultsIn,
  type Json,
  movements,
  reportRows,
  type World,
  world,
} from "../fixture.ts";

const rate = (given: World, day: string, Rate: number) =>
  given.ok("PUT", "/Currencies/EUR/Rates", { Date: day, Rate });

/** Books in NZD with a bank account in EUR, which is 0.50 to the NZD in March and 0.40 in April. */
async function withEuroBank(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Accounts", {
    Code: "EUR",
    Name: "Euro Account",
    Type: "BANK",
    BankAccountNumber: "01-EUR",
    CurrencyCode: "EUR",
  });
  await rate(given, "2026-03-01", 0.5);
  await rate(given, "2026-04-01", 0.4);
  return given;
}

/** An invoice of EUR 100.00 at 0.5, NZD 200.00, paid into the account. */
async function received(given: World, fields: object = {}): Promise<Json> {
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact: await contact(given),
    Date: "2026-03-02",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
    ...fields,
  });
  const { Payments } = await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: Invoices[0].InvoiceID },
    Account: { Code: "EUR" },
    Date: "2026-03-10",
    Amount: Invoices[0].Total,
  });
  return Payments[0];
}

async function bankAt(given: World, date: string, more: object = {}): Promise<string | undefined> {
  const sheet = await reportRows(given, "BalanceSheet", { date, ...more });
  expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"] ?? sheet["Net Assets"]);
  const trial = await reportRows(given, "TrialBalance", { date, ...more });
  const [debit, credit, yearDebit, yearCredit] = trial.Total as string[];
  expect([debit, yearDebit]).toEqual([credit, yearCredit]);
  return sheet["Euro Account"]?.[0];
}

const april = { fromDate: "2026-04-01", toDate: "2026-04-30" };

test("a foreign bank account that received a payment is valued at the rate of the day, on either accounting basis", async () => {
  const given = await withEuroBank();
  await received(given);
  expect(await bankAt(given, "2026-03-31")).toBe("200.00");
  expect(await bankAt(given, "2026-04-30")).toBe("250.00");
  expect(await bankAt(given, "2026-04-30", { paymentsOnly: "true" })).toBe("250.00");
  const trial = await reportRows(given, "TrialBalance", { date: "2026-04-30" });
  expect(trial["Bank Revaluations (497)"]).toEqual(["", "50.00", "", "50.00"]);
  const profit = await reportRows(given, "ProfitAndLoss", april);
  expect(profit["Foreign Currency Gains and Losses"]).toEqual(["-50.00"]);
  expect(await faultsIn(given)).toEqual([]);
});

test("a base-currency invoice paid into a foreign account counts with the foreign amount received", async () => {
  const given = await withEuroBank();
  const payment = await received(given, { CurrencyCode: "NZD" });
  expect(payment.BankAmount).toBe(50);
  expect(await bankAt(given, "2026-03-31")).toBe("100.00");
  expect(await bankAt(given, "2026-04-30")).toBe("125.00");
});

test("a reversed payment into a foreign account leaves no unrealised gain", async () => {
  const given = await withEuroBank();
  const { PaymentID } = await received(given);
  await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
  expect(await bankAt(given, "2026-04-30")).toBeUndefined();
  expect(await faultsIn(given)).toEqual([]);
});

test("a foreign account is valued at any day of a month by its balance on that day", async () => {
  const given = await withEuroBank();
  await received(given);
  await rate(given, "2026-03-15", 0.25);
  const at = async (date: string) =>
    (await reportRows(given, "TrialBalance", { date }))["Euro Account (EUR)"]?.[2];
  expect(await at("2026-03-09")).toBeUndefined();
  expect(await at("2026-03-10")).toBe("200.00");
  expect(await at("2026-03-15")).toBe("400.00");
});

test("bank transactions on a foreign account, and voiding them, count in the currency of the account", async () => {
  const given = await withEuroBank();
  await received(given);
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    Type: "SPEND",
    Contact: await contact(given),
    BankAccount: { Code: "EUR" },
    Date: "2026-03-20",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Fee", Quantity: 1, UnitAmount: 20, AccountCode: "404" }],
  });
  expect(await bankAt(given, "2026-03-31")).toBe("160.00");
  expect(await bankAt(given, "2026-04-30")).toBe("200.00");
  const id = BankTransactions[0].BankTransactionID;
  await given.ok("POST", `/BankTransactions/${id}`, { Status: "DELETED" });
  expect(await bankAt(given, "2026-04-30")).toBe("250.00");
  expect(await faultsIn(given)).toEqual([]);
});

test("realised gains remain after a foreign account is emptied into a base-currency account", async () => {
  const given = await withEuroBank();
  await received(given);
  const { BankTransfers } = await given.ok("PUT", "/BankTransfers", {
    FromBankAccount: { Code: "EUR" },
    ToBankAccount: { Code: "090" },
    Amount: 100,
    Date: "2026-04-10",
  });
  expect(BankTransfers[0].CurrencyRate).toBe(0.4);
  // NZD 250.00 left what was posted as 200.00: the account is empty, the 50.00 are a gain.
  expect(await movements(given, "2026-04-30")).toMatchObject({
    "Business Account (090)": 250,
    "Bank Revaluations (497)": -50,
  });
  expect(await bankAt(given, "2026-04-30")).toBeUndefined();
  await rate(given, "2026-05-01", 0.1);
  const may = await reportRows(given, "TrialBalance", { date: "2026-05-31" });
  expect(may["Bank Revaluations (497)"]?.[3]).toBe("50.00");
  expect(await faultsIn(given)).toEqual([]);
});

test("a transfer into a foreign account is posted at its cost in base currency", async () => {
  const given = await withEuroBank();
  await given.ok("PUT", "/BankTransfers", {
    FromBankAccount: { Code: "090" },
    ToBankAccount: { Code: "EUR" },
    Amount: 200,
    Date: "2026-03-10",
  });
  expect(await bankAt(given, "2026-03-31")).toBe("200.00");
  expect(await bankAt(given, "2026-04-30")).toBe("250.00");
});

test("a conversion balance of a foreign account needs its foreign amount, or is converted at the rate of the day", async () => {
  const given = await withEuroBank();
  const setup = (balance: object) => ({
    ConversionDate: { Month: 3, Year: 2026 },
    ConversionBalances: [{ AccountCode: "EUR", Balance: 180, ...balance }],
  });
  expect(await given.refused("POST", "/Setup", setup({}))).toEqual([
    "Euro Account is in EUR: say in BalanceDetails what its Balance is in that.",
  ]);
  await given.ok("POST", "/Setup", setup({ BalanceDetails: [{ Balance: 100 }] }));
  // EUR 100.00 at 0.5 and at 0.4.
  expect(await bankAt(given, "2026-03-31")).toBe("200.00");
  expect(await bankAt(given, "2026-04-30")).toBe("250.00");
  await rate(given, "2026-02-01", 0.6);
  await given.ok("POST", "/Setup", setup({}));
  // 180.00 at 0.6 is EUR 108.00.
  expect(await bankAt(given, "2026-02-28")).toBe("180.00");
  expect(await bankAt(given, "2026-03-31")).toBe("216.00");
  expect(await faultsIn(given)).toEqual([]);
});

test("a foreign overpayment has an unrealised gain until it is applied, and then a realised gain", async () => {
  const given = await withEuroBank();
  const Contact = await contact(given);
  const { BankTransactions } = await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE-OVERPAYMENT",
    Contact,
    BankAccount: { Code: "EUR" },
    Date: "2026-03-02",
    LineItems: [{ Description: "Too much", LineAmount: 100 }],
  });
  // What is owed back rises from 200.00 to 250.00, and so does what the bank holds.
  const trial = await reportRows(given, "TrialBalance", { date: "2026-04-30" });
  expect(trial["Unrealised Currency Gains (498)"]?.[2]).toBe("50.00");
  expect(trial["Accounts Receivable (610)"]?.[3]).toBe("250.00");
  expect(await bankAt(given, "2026-04-30")).toBe("250.00");
  const { Invoices } = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact,
    Date: "2026-04-05",
    DueDate: "2026-04-20",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "200" }],
  });
  const { OverpaymentID } = BankTransactions[0];
  await given.ok("PUT", `/Overpayments/${OverpaymentID}/Allocations`, {
    AppliedAmount: 100,
    Invoice: { InvoiceID: Invoices[0].InvoiceID },
  });
  const applied = await reportRows(given, "TrialBalance", { date: "2026-04-30" });
  expect(applied["Realised Currency Gains (499)"]?.[2]).toBe("50.00");
  // Nothing is left in the year, though the month turns what March had.
  expect(applied["Unrealised Currency Gains (498)"]).toBeUndefined();
  expect(applied["Accounts Receivable (610)"]?.slice(2)).toEqual(["0.00", ""]);
  expect(await faultsIn(given)).toEqual([]);
});

test("the bank summary has a column for currency gains, and closes at the balance sheet's figure", async () => {
  const given = await withEuroBank();
  await received(given);
  const { Reports } = await given.ok("GET", "/Reports/BankSummary", undefined, { query: april });
  const [header, section] = Reports[0].Rows;
  const values = (row: Json) => row.Cells.map((cell: Json) => cell.Value);
  expect(values(header)).toEqual([
    "Bank Accounts",
    "Opening Balance",
    "Cash Received",
    "Cash Spent",
    "FX Gain",
    "Closing Balance",
    "Currency",
    "Balance in Currency",
  ]);
  const none = ["", ""];
  expect(section.Rows.map(values)).toEqual([
    ["Business Account", "0.00", "0.00", "0.00", "0.00", "0.00", ...none],
    ["Euro Account", "200.00", "0.00", "0.00", "50.00", "250.00", "EUR", "100.00"],
    ["Savings", "0.00", "0.00", "0.00", "0.00", "0.00", ...none],
    ["Total", "200.00", "0.00", "0.00", "50.00", "250.00", ...none],
  ]);
  const summary = await reportRows(given, "ExecutiveSummary", { date: "2026-04-30" });
  expect(summary["Closing bank balance"]?.[0]).toBe("250.00");
});

test("the bank summary's balance in the account's own currency is as at the last day of the range", async () => {
  const given = await withEuroBank();
  await received(given);
  await given.ok("PUT", "/BankTransactions", {
    Type: "SPEND",
    Contact: await contact(given),
    BankAccount: { Code: "EUR" },
    Date: "2026-03-20",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Fee", Quantity: 1, UnitAmount: 20, AccountCode: "404" }],
  });
  const at = async (toDate: string) => {
    const query = { fromDate: "2026-03-01", toDate };
    return (await reportRows(given, "BankSummary", query))["Euro Account"]?.slice(-3);
  };
  expect(await at("2026-03-09")).toEqual(["0.00", "EUR", "0.00"]);
  expect(await at("2026-03-19")).toEqual(["200.00", "EUR", "100.00"]);
  expect(await at("2026-03-31")).toEqual(["160.00", "EUR", "80.00"]);
  expect(await at("2026-04-30")).toEqual(["200.00", "EUR", "80.00"]);
});

test("the bank summary without a foreign account has no column for currency gains", async () => {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  const { Reports } = await given.ok("GET", "/Reports/BankSummary");
  expect(Reports[0].Rows[0].Cells).toHaveLength(5);
});
