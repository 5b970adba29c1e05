/** Unrealised gains: open foreign documents at the rate of the day of a report. */
import { expect, test } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { contact, type Json, reportRows, type World, world } from "../fixture.ts";

/**
 * An invoice of EUR 615.30 at 0.6153, 1,000.00 in the books. Half of it is paid on 10 March at
 * 0.6000: 12.75 are realised. The rate is 0.6000 from then on, 0.5900 from the 31st, at which the
 * other half is worth 521.44: 21.44 are not realised yet.
 */
async function half(country: Country = "NZ", type = "ACCREC"): Promise<World> {
  const given = await world(country);
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  for (const [day, Rate] of [
    ["2026-03-10", 0.6],
    ["2026-03-31", 0.59],
  ]) {
    await given.ok("PUT", "/Currencies/EUR/Rates", { Date: day, Rate });
  }
  const [invoice] = (
    await given.ok("PUT", "/Invoices", {
      Type: type,
      Contact: await contact(given),
      InvoiceNumber: "E-1",
      Date: "2026-03-01",
      DueDate: "2026-03-20",
      Status: "AUTHORISED",
      CurrencyCode: "EUR",
      CurrencyRate: 0.6153,
      LineAmountTypes: "NoTax",
      LineItems: [
        {
          Description: "Work",
          Quantity: 1,
          UnitAmount: 615.3,
          AccountCode: type === "ACCREC" ? "200" : "404",
        },
      ],
    })
  ).Invoices;
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: invoice.InvoiceID },
    Account: { Code: "090" },
    Date: "2026-03-10",
    Amount: 307.65,
    CurrencyRate: 0.6,
  });
  return given;
}

const march = { fromDate: "2026-03-01", toDate: "2026-03-31" };

test("a receivable whose currency rises has an unrealised gain, on one line with realised gains", async () => {
  const given = await half();
  const profit = await reportRows(given, "ProfitAndLoss", march);
  expect(profit["Foreign Currency Gains and Losses"]).toEqual(["-34.19"]);
  expect(profit["Net Profit"]).toEqual(["1034.19"]);
  const sheet = await reportRows(given, "BalanceSheet", { date: "2026-03-31" });
  expect(sheet["Accounts Receivable"]?.[0]).toBe("521.44");
  expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"]);
});

test("the budget variance has the same rows as the profit and loss", async () => {
  const given = await half();
  const profit = await reportRows(given, "ProfitAndLoss", march);
  const variance = await reportRows(given, "BudgetVariance", march);
  expect(Object.keys(variance)).toEqual(Object.keys(profit));
  expect(variance["Foreign Currency Gains and Losses"]?.[0]).toBe("-34.19");
  expect(variance["Net Profit"]?.[0]).toBe("1034.19");
});

test("the trial balance with currency gains shows each gain account, and balances", async () => {
  const trial = await reportRows(await half(), "TrialBalance", { date: "2026-03-31" });
  expect(trial["Unrealised Currency Gains (498)"]).toEqual(["", "21.44", "", "21.44"]);
  expect(trial["Realised Currency Gains (499)"]).toEqual(["", "12.75", "", "12.75"]);
  expect(trial["Accounts Receivable (610)"]).toEqual(["521.44", "", "521.44", ""]);
  expect(trial.Total?.[0]).toBe(trial.Total?.[1]);
  expect(trial.Total?.[2]).toBe(trial.Total?.[3]);
});

test("a profit and loss shows the change of unrealised gains since the day before its first day", async () => {
  const given = await half();
  const gains = async (fromDate: string, toDate: string) =>
    (await reportRows(given, "ProfitAndLoss", { fromDate, toDate }))[
      "Foreign Currency Gains and Losses"
    ]?.[0];
  // At 0.6000 the open half is worth 512.75.
  expect(await gains("2026-03-01", "2026-03-30")).toBe("-25.50");
  expect(await gains("2026-03-31", "2026-03-31")).toBe("-8.69");
  expect(await gains("2026-04-01", "2026-04-30")).toBeUndefined();
});

test("a payable whose currency rises has an unrealised loss", async () => {
  const given = await half("NZ", "ACCPAY");
  const trial = await reportRows(given, "TrialBalance", { date: "2026-03-31" });
  expect(trial["Unrealised Currency Gains (498)"]).toEqual(["21.44", "", "21.44", ""]);
  expect(trial["Accounts Payable (800)"]?.[3]).toBe("521.44");
  const sheet = await reportRows(given, "BalanceSheet", { date: "2026-03-31" });
  expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"]);
});

test("a foreign document settled later counts as open on the day of the report", async () => {
  const given = await half();
  const [invoice]: Json[] = (await given.ok("GET", "/Invoices/E-1")).Invoices;
  await given.ok("PUT", "/Payments", {
    Invoice: { InvoiceID: invoice.InvoiceID },
    Account: { Code: "090" },
    Date: "2026-04-05",
    Amount: 307.65,
    CurrencyRate: 0.58,
  });
  const receivable = async (date: string) =>
    (await reportRows(given, "TrialBalance", { date }))["Accounts Receivable (610)"]?.[2];
  expect(await receivable("2026-03-31")).toBe("521.44");
  expect(await receivable("2026-04-05")).toBe("0.00");
});

test("a report on the cash basis has no unrealised gains", async () => {
  const given = await half();
  const query = { ...march, paymentsOnly: "true" };
  const profit = await reportRows(given, "ProfitAndLoss", query);
  expect(profit["Foreign Currency Gains and Losses"]).toEqual(["-12.75"]);
});

test("the US profit and loss has a line for each currency gain account", async () => {
  const given = await world("US");
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-01", Rate: 0.8 });
  await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    CurrencyRate: 1.25,
    LineItems: [{ Description: "Work", Quantity: 1, UnitAmount: 100, AccountCode: "400" }],
  });
  // 125.00 less 80.00
  const profit = await reportRows(given, "ProfitAndLoss", march);
  expect(profit["Unrealized Currency Gains"]).toEqual(["-45.00"]);
});
