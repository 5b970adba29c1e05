/** The overview: each figure is that of the report or the list that it stands for. */
import { expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import {
  contact,
  isOnPostgres,
  isOverPort,
  type Json,
  paid,
  reportRows,
  sale,
  type World,
  world,
} from "../fixture.ts";

const path = "/Extensions/Overview";
const overview = async (given: World): Promise<Json> => (await given.ok("GET", path)).Overviews[0];

const cents = (amount: string | number | undefined) => Math.round(Number(amount ?? 0) * 100);
const days = (from: string, count: number) =>
  new Date(Date.parse(from) + count * 86_400_000).toISOString().slice(0, 10);
const dayOf = (moment: string) =>
  new Date(Number(/\d+/.exec(moment)?.[0])).toISOString().slice(0, 10);

/** All the records of a list. */
async function listed(given: World, plural: string, where: string): Promise<Json[]> {
  const query = { where, page: "1", pageSize: "1000" };
  return (await given.ok("GET", `/${plural}`, undefined, { query }))[plural.replace(/^.*\//, "")];
}

async function checkCash(given: World, { BankAccounts, Cash }: Json): Promise<void> {
  for (const at of BankAccounts[0].History.keys()) {
    const date = dayOf(BankAccounts[0].History[at].Date);
    const query = { fromDate: `${date.slice(0, 8)}01`, toDate: date };
    const rows = await reportRows(given, "BankSummary", query);
    const closing = (await headings(given, "BankSummary", query)).indexOf("Closing Balance") - 1;
    for (const { Name, History } of BankAccounts) {
      expect([Name, date, cents(History[at].Balance)]).toEqual([
        Name,
        date,
        cents(rows[Name]?.[closing]),
      ]);
    }
    if (at < BankAccounts[0].History.length - 1) continue;
    expect(cents(Cash)).toBe(cents(rows.Total?.[closing]));
    const held = (await headings(given, "BankSummary", query)).indexOf("Balance in Currency") - 1;
    for (const { Name, Balance, BalanceInCurrency, History } of BankAccounts) {
      expect(Balance).toBe(History.at(-1).Balance);
      if (BalanceInCurrency !== undefined) {
        expect(cents(BalanceInCurrency)).toBe(cents(rows[Name]?.[held]));
      }
    }
  }
}

async function headings(given: World, name: string, query: Record<string, string>) {
  const [report] = (await given.ok("GET", `/Reports/${name}`, undefined, { query })).Reports;
  return report.Rows[0].Cells.map(({ Value }: Json) => Value);
}

async function checkOwed(given: World, name: string, owed: Json, date: string): Promise<void> {
  const total = (await reportRows(given, name, { date })).Total ?? [];
  expect(owed.Buckets.map(({ Amount }: Json) => cents(Amount))).toEqual(
    total.slice(0, -2).map(cents),
  );
  expect(owed.Buckets.map(({ Name }: Json) => Name)).toEqual(
    (await headings(given, name, { date })).slice(1, -2),
  );
  expect([cents(owed.Credits), cents(owed.Total)]).toEqual(total.slice(-2).map(cents));
  expect(cents(owed.Overdue)).toBe(
    total.slice(1, -2).reduce((all, amount) => all + cents(amount), 0),
  );
}

async function checkMonths(given: World, { Months }: Json): Promise<void> {
  expect(Months).toHaveLength(12);
  for (const { FromDate, ToDate, Income, Expenses, Profit } of Months) {
    const query = { fromDate: dayOf(FromDate), toDate: dayOf(ToDate) };
    const rows = await reportRows(given, "ProfitAndLoss", query);
    const figure = (...names: string[]) =>
      names.reduce((all, name) => all + cents(rows[name]?.[0]), 0);
    expect([query.fromDate, cents(Profit)]).toEqual([query.fromDate, figure("Net Profit")]);
    expect(cents(Income)).toBe(figure("Total Income", "Total Other Income"));
    expect(cents(Expenses)).toBe(
      figure("Total Cost of Sales", "Total Less Cost of Sales", "Total Operating Expenses"),
    );
  }
}

async function checkWaiting(given: World, { Waiting }: Json): Promise<void> {
  const counts: Record<string, [count: number, first: string]> = {};
  for (const plural of ["Invoices", "CreditNotes", "PurchaseOrders", "Quotes", "ManualJournals"]) {
    for (const status of ["DRAFT", "SUBMITTED"]) {
      if (status === "SUBMITTED" && plural === "ManualJournals") continue;
      for (const { Type, Date: day } of await listed(given, plural, `Status=="${status}"`)) {
        const type = Type ?? { ManualJournals: "MANJOURNAL" }[plural] ?? plural;
        const key = `${type} ${status}`;
        const [count, first] = counts[key] ?? [0, "9999"];
        counts[key] = [count + 1, [first, dayOf(day)].sort()[0] ?? ""];
      }
    }
  }
  const found = (Waiting ?? []).map(({ Type, Status, Count, FromDate }: Json) => [
    `${Type} ${Status}`,
    [Count, dayOf(FromDate)],
  ]);
  expect(Object.fromEntries(found)).toEqual(counts);
}

async function checkTax(given: World, { Tax }: Json): Promise<void> {
  const query = { fromDate: dayOf(Tax.FromDate), toDate: dayOf(Tax.ToDate) };
  const rows = await reportRows(given, "TaxSummary", query);
  const tax = (name: string) => cents(rows[name]?.[1]);
  expect(cents(Tax.Amount)).toBe(tax("Total collected") - tax("Total paid"));
}

/** Every figure of the overview against the report or the list it stands for. */
async function check(given: World): Promise<Json> {
  const found = await overview(given);
  const date = dayOf(found.Date);
  await checkCash(given, found);
  await checkOwed(given, "AgedReceivables", found.Receivables, date);
  await checkOwed(given, "AgedPayables", found.Payables, date);
  await checkMonths(given, found);
  await checkWaiting(given, found);
  await checkTax(given, found);
  return found;
}

const [books, lengths] =
  isOverPort || isOnPostgres
    ? [runs(8), { minLength: 20, maxLength: 40 }]
    : [runs(16), { minLength: 10, maxLength: 40 }];

test("after any operations, each figure of the overview equals the figure of its report or list", {
  timeout: 600_000,
}, async () => {
  const seen = { owed: 0, overdue: 0, waiting: 0, cash: 0 };
  const run = fc.record({
    steps: fc.array(step, lengths),
    due: fc.array(fc.integer({ min: -100, max: 20 }), { minLength: 1, maxLength: 6 }),
    // Before some of what is dated, or after all of it.
    today: fc.constantFrom("2026-03-10", "2026-04-30", "2026-05-20", "2026-09-15"),
  });
  await fc.assert(
    fc.asyncProperty(run, async ({ steps, due, today }) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        await take(business, each, `2026-0${2 + (at % 4)}-28`);
      }
      // Whatever else there is, something is overdue, waits, and was paid.
      const first = { Date: "2026-02-10", DueDate: "2026-02-12" };
      const late = sale(business.parties[0], { ...first, Status: "AUTHORISED" });
      const [invoice] = (await given.ok("PUT", "/Invoices", late)).Invoices;
      await given.ok("PUT", "/Invoices", sale(business.parties[0], first));
      await paid(given, invoice, { Date: "2026-02-20", Amount: 40 });
      for (const [at, id] of business.invoices.entries()) {
        const DueDate = days(today, due[at % due.length] ?? 0);
        await given.ask("POST", `/Invoices/${id}`, { DueDate });
      }
      await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-15", Rate: 0.7 });
      given.now = Date.parse(today);
      const found = await check(given);
      for (const { Total, Overdue } of [found.Receivables, found.Payables]) {
        seen.owed += Number(Total !== 0);
        seen.overdue += Number(Overdue !== 0);
      }
      seen.waiting += found.Waiting?.length ?? 0;
      seen.cash += Number(found.Cash !== 0);
      await given.book.close();
    }),
    { numRuns: books },
  );
  for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
});

test("the overview of a new book shows no amounts due, its bank accounts and twelve months", async () => {
  const found = await check(await world());
  expect(found).toMatchObject({ Name: "Heron Lane Ltd", BaseCurrency: "NZD", Cash: 0 });
  expect(found.Receivables).toMatchObject({
    Total: 0,
    Overdue: 0,
    DueThisWeek: 0,
    OverdueCount: 0,
  });
  expect(found.Waiting ?? []).toEqual([]);
});

test("the overview counts a document as due this week from today to the sixth day after, and as overdue before today", async () => {
  const given = await world();
  const party = await contact(given);
  const of = (DueDate: string, own: object = {}) =>
    given.ok(
      "PUT",
      "/Invoices",
      sale(party, { Date: "2026-02-01", Status: "AUTHORISED", DueDate, ...own }),
    );
  // It is the first of March.
  for (const due of ["2026-02-28", "2026-03-01", "2026-03-07", "2026-03-08", "2025-11-01"]) {
    await of(due);
  }
  const bill = { Type: "ACCPAY", InvoiceNumber: "B-1" };
  await of("2026-03-02", bill);
  await of("2026-03-02", { Status: "DRAFT" });
  const half = (await of("2026-03-03")).Invoices[0];
  await paid(given, half, { Date: "2026-02-20", Amount: 15 });
  const { Receivables, Payables } = await check(given);
  expect(Receivables).toMatchObject({
    DueThisWeek: 330,
    DueThisWeekCount: 3,
    Overdue: 230,
    OverdueCount: 2,
  });
  expect(Receivables.Buckets.map(({ Count }: Json) => Count)).toEqual([4, 1, 0, 0, 1]);
  expect(Payables).toMatchObject({ DueThisWeek: 115, DueThisWeekCount: 1, Overdue: 0 });
});

test("in the overview, an invoice with a payment dated after today is still open", async () => {
  const given = await world();
  const own = { Status: "AUTHORISED", DueDate: "2026-03-05" };
  const [invoice] = (await given.ok("PUT", "/Invoices", sale(await contact(given), own))).Invoices;
  await paid(given, invoice, { Date: "2026-03-20" });
  const { Receivables, Cash } = await check(given);
  expect(Receivables).toMatchObject({ Total: 115, DueThisWeek: 115, DueThisWeekCount: 1 });
  expect(Cash).toBe(0);
  given.now = Date.UTC(2026, 2, 21);
  expect((await check(given)).Receivables).toMatchObject({ Total: 0, DueThisWeekCount: 0 });
});

test("the overview counts unreconciled statement lines for each bank account", async () => {
  const given = await world();
  await given.ok("PUT", "/Extensions/BankStatements", {
    BankAccount: { Code: "090" },
    Source: "march.ofx",
    StatementLines: ["2026-03-05", "2026-02-20", "2026-03-01"].map((day) => ({
      Key: day,
      Date: day,
      Amount: -7,
      Payee: "Clay",
    })),
  });
  const [line] = (await given.ok("GET", "/Extensions/BankStatementLines")).BankStatementLines;
  await given.ok("POST", `/Extensions/BankStatementLines/${line.BankStatementLineID}/Ignore`, {});
  const { BankAccounts } = await check(given);
  const left = await listed(given, "Extensions/BankStatementLines", 'Status=="UNRECONCILED"');
  const account = BankAccounts.find(({ Code }: Json) => Code === "090");
  expect(account.UnreconciledLines).toBe(left.length);
  expect(dayOf(account.UnreconciledFrom)).toBe(left.map(({ Date: day }) => dayOf(day)).sort()[0]);
});

test("the overview's next tax return is the one after the last published, and is absent if the country has none", async () => {
  const given = await world();
  const dates = async () => {
    const { Tax } = await overview(given);
    return Tax && [Tax.ReportType, dayOf(Tax.FromDate), dayOf(Tax.ToDate)];
  };
  // Periods count from the first day of the financial year.
  expect(await dates()).toEqual(["GSTReturn", "2026-02-01", "2026-03-31"]);
  await given.ok("PUT", "/Reports", {
    ReportType: "GSTReturn",
    FromDate: "2025-10-01",
    ToDate: "2025-10-31",
  });
  expect(await dates()).toEqual(["GSTReturn", "2025-11-01", "2025-12-31"]);
  expect((await overview(await world("US"))).Tax).toBeUndefined();
});

test("in the overview, tax since a return that ended within this month is due after that return", async () => {
  const given = await world();
  const party = await contact(given);
  for (const day of ["2026-02-15", "2026-02-16", "2026-03-04"]) {
    await given.ok("PUT", "/Invoices", sale(party, { Date: day, Status: "AUTHORISED" }));
  }
  const ReportType = "GSTReturn";
  const days = { FromDate: "2026-01-01", ToDate: "2026-02-15" };
  await given.ok("PUT", "/Reports", { ReportType, ...days });
  // Of payments or of invoices, as the organisation accounts for tax.
  const [own] = (await given.ok("GET", "/Organisation")).Organisations;
  const isCash = own.SalesTaxBasis === "PAYMENTS";
  const { Tax } = await check(given);
  expect([dayOf(Tax.FromDate), Tax.Amount]).toEqual(["2026-02-16", isCash ? 0 : 30]);
});

test("the overview in XML has the same figures as in JSON", async () => {
  const given = await world();
  const { text } = await given.ask("GET", path, undefined, { headers: { accept: "text/xml" } });
  expect(text).toContain("<Overviews><Overview>");
  expect(text).toMatch(/<Receivables><Buckets><Bucket><Name>Current<\/Name>/);
});
