/** Unrealised gains over the life of a document: when it is open, at which rate, and where it shows. */
import { describe, expect, test } from "vitest";
import { contact, faultsIn, type Json, reportRows, type World, world } from "../fixture.ts";

async function inEuro(): Promise<World> {
  const given = await world();
  await given.ok("PUT", "/Currencies", { Code: "EUR" });
  return given;
}

const rate = (given: World, day: string, Rate: number) =>
  given.ok("PUT", "/Currencies/EUR/Rates", { Date: day, Rate });

const line = { Description: "Work", Quantity: 1, UnitAmount: 615.3, TaxType: "ZERORATED" };

/** EUR 615.30 at 0.6153 on the first of March, NZD 1000.00 in the books. */
async function sold(given: World, fields: object = {}): Promise<Json> {
  const answer = await given.ok("PUT", "/Invoices", {
    Type: "ACCREC",
    Contact: await contact(given),
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    CurrencyRate: 0.6153,
    LineItems: [{ ...line, AccountCode: "200" }],
    ...fields,
  });
  return answer.Invoices[0];
}

const pay = (given: World, { InvoiceID }: Json, fields: object) =>
  given.ok("PUT", "/Payments", { Invoice: { InvoiceID }, Account: { Code: "090" }, ...fields });

const receivable = "Accounts Receivable";
const gains = "Foreign Currency Gains and Losses";

interface Shown {
  readonly profit: string | undefined;
  readonly gains: string | undefined;
  readonly receivable: string | undefined;
  readonly payable: string | undefined;
}

/** The profit of a month and the sheet at its end, once both and the trial balance add up. */
async function month(given: World, from: string, to: string, more = {}): Promise<Shown> {
  const profit = await reportRows(given, "ProfitAndLoss", { fromDate: from, toDate: to, ...more });
  const sheet = await reportRows(given, "BalanceSheet", { date: to, ...more });
  const trial = await reportRows(given, "TrialBalance", { date: to, ...more });
  expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"] ?? sheet["Net Assets"]);
  const [debit, credit, yearDebit, yearCredit] = trial.Total as string[];
  expect([debit, yearDebit]).toEqual([credit, yearCredit]);
  return {
    profit: profit["Net Profit"]?.[0],
    gains: profit[gains]?.[0],
    receivable: sheet[receivable]?.[0],
    payable: sheet["Accounts Payable"]?.[0],
  };
}

const march = ["2026-03-01", "2026-03-31"] as const;
const april = ["2026-04-01", "2026-04-30"] as const;

describe("the unrealised gain of an open invoice", () => {
  test("an open foreign invoice has its gain in each month, and reverses it when it is paid", async () => {
    const given = await inEuro();
    const invoice = await sold(given);
    await rate(given, "2026-03-31", 0.6);
    await rate(given, "2026-04-10", 0.59);
    expect(await month(given, ...march)).toMatchObject({ gains: "-25.50", receivable: "1025.50" });
    expect(await month(given, ...april)).toMatchObject({ gains: "-17.38", receivable: "1042.88" });
    await pay(given, invoice, { Date: "2026-04-15", Amount: 615.3, CurrencyRate: 0.59 });
    // In all 42.88 was gained, 25.50 of it before.
    expect(await month(given, ...april)).toMatchObject({ gains: "-17.38", receivable: undefined });
    expect(await month(given, ...march)).toMatchObject({ gains: "-25.50", receivable: "1025.50" });
  });

  test("an open foreign invoice is valued at the latest rate by that day, or at its own rate if none is known", async () => {
    const given = await inEuro();
    await sold(given);
    await rate(given, "2026-04-10", 0.5);
    expect(await month(given, ...march)).toMatchObject({ gains: undefined, receivable: "1000.00" });
    expect(await month(given, ...april)).toMatchObject({ receivable: "1230.60" });
    expect(await month(given, "2026-06-01", "2026-06-30")).toMatchObject({
      gains: undefined,
      receivable: "1230.60",
    });
  });

  test("an invoice that is now paid counts as open on days before its latest-dated payment", async () => {
    const given = await inEuro();
    const invoice = await sold(given);
    await rate(given, "2026-03-31", 0.6);
    await pay(given, invoice, { Date: "2026-05-10", Amount: 307.65, CurrencyRate: 0.6153 });
    await pay(given, invoice, { Date: "2026-04-10", Amount: 307.65, CurrencyRate: 0.6153 });
    expect(await month(given, ...march)).toMatchObject({ receivable: "1025.50" });
    expect(await month(given, ...april)).toMatchObject({ receivable: "512.75" });
    expect(await month(given, "2026-05-01", "2026-05-31")).toMatchObject({ receivable: undefined });
  });

  test("an open invoice with an exchange rate of exactly one is revalued like any other", async () => {
    const given = await inEuro();
    await sold(given, { CurrencyRate: 1 });
    await rate(given, "2026-03-31", 0.5);
    expect(await month(given, ...march)).toMatchObject({ gains: "-615.30", receivable: "1230.60" });
  });

  test("an invoice that is a draft, void or in the base currency has no unrealised gain", async () => {
    const given = await inEuro();
    await sold(given, { Status: "DRAFT" });
    const { InvoiceID } = await sold(given);
    await given.ok("POST", `/Invoices/${InvoiceID}`, { Status: "VOIDED" });
    await sold(given, { CurrencyCode: "NZD", CurrencyRate: undefined });
    await rate(given, "2026-03-31", 0.5);
    expect(await month(given, ...march)).toMatchObject({ gains: undefined, receivable: "615.30" });
  });

  test("in a report by tracking option, an unrealised gain is in the unassigned column", async () => {
    const given = await inEuro();
    const { TrackingCategories } = await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
    await given.ok("PUT", "/TrackingCategories/Region/Options", { Name: "North" });
    const Tracking = [{ Name: "Region", Option: "North" }];
    await sold(given, { LineItems: [{ ...line, AccountCode: "200", Tracking }] });
    await rate(given, "2026-03-31", 0.6);
    const rows = await reportRows(given, "ProfitAndLoss", {
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
      trackingCategoryID: TrackingCategories[0].TrackingCategoryID,
    });
    expect(rows[gains]).toEqual(["0.00", "-25.50", "-25.50"]);
    expect(rows["Net Profit"]).toEqual(["1000.00", "25.50", "1025.50"]);
  });
});

test("an applied credit note reverses its invoice's unrealised gain from that day on", async () => {
  const given = await inEuro();
  const { Contact, InvoiceID } = await sold(given);
  const { CreditNotes } = await given.ok("PUT", "/CreditNotes", {
    Type: "ACCRECCREDIT",
    Contact: { ContactID: Contact.ContactID },
    Date: "2026-04-05",
    Status: "AUTHORISED",
    CurrencyCode: "EUR",
    CurrencyRate: 0.6,
    LineItems: [{ ...line, UnitAmount: 300, AccountCode: "200" }],
  });
  await rate(given, "2026-03-31", 0.5);
  const may = ["2026-05-01", "2026-05-31"] as const;
  // 615.30 less 300.00 at 0.5, before it is applied and after.
  expect(await month(given, ...april)).toMatchObject({ receivable: "630.60" });
  await given.ok("PUT", `/CreditNotes/${CreditNotes[0].CreditNoteID}/Allocations`, {
    AppliedAmount: 300,
    Invoice: { InvoiceID },
    Date: "2026-05-02",
  });
  expect(await month(given, ...march)).toMatchObject({ receivable: "1230.60" });
  expect(await month(given, ...april)).toMatchObject({ receivable: "630.60" });
  expect(await month(given, ...may)).toMatchObject({ receivable: "630.60" });
  expect(await faultsIn(given)).toEqual([]);
});

test("the executive summary includes unrealised gains", async () => {
  const given = await inEuro();
  await sold(given);
  await rate(given, "2026-03-31", 0.6);
  const rows = await reportRows(given, "ExecutiveSummary", { date: "2026-03-31" });
  expect(rows.Debtors?.[0]).toBe("1025.50");
  expect(rows["Profit (loss)"]?.[0]).toBe("1025.50");
  expect(rows["Net assets"]?.[0]).toBe("1025.50");
});

test("the unrealised gain of a past financial year is in retained earnings", async () => {
  const given = await inEuro();
  await sold(given);
  await rate(given, "2026-03-31", 0.6);
  await rate(given, "2026-04-30", 0.59);
  const sheet = await reportRows(given, "BalanceSheet", { date: "2026-04-30" });
  expect(sheet["Retained Earnings"]?.[0]).toBe("1025.50");
  expect(sheet["Current Year Earnings"]?.[0]).toBe("17.38");
});
