/** Bank, budget and executive summary: figures worked out by hand, columns, refusals. */
import { describe, expect, test } from "vitest";
import type { Cents } from "../../../src/resources/decimal.ts";
import { budget } from "../../../src/resources/index.ts";
import { saveEntries } from "../../../src/store/ledger/budgets.ts";
import { save } from "../../../src/store/mapping/records.ts";
import { faultsOfReport } from "../explain/figures.ts";
import { contact, type Json, paid, sale, type World, world } from "../fixture.ts";
import { asKept, drawn, report } from "./report-text.ts";

/**
 * February: a sale of 1,000.00 (1,150.00), paid on the 20th. March: sales of 2,000.00 and 400.00
 * (2,760.00 in all), of which 920.00 is paid on the 15th into Savings; rent of 600.00 (690.00) paid
 * from the Business Account on the 16th; goods of 240.00 (276.00), not paid.
 */
async function traded(): Promise<World> {
  const given = await world();
  const party = await contact(given);
  const add = async (Type: string, day: string, AccountCode: string, UnitAmount: number) =>
    (
      await given.ok(
        "PUT",
        "/Invoices",
        sale(party, {
          Type,
          Date: day,
          DueDate: "2026-05-01",
          Status: "AUTHORISED",
          LineItems: [{ Description: "x", Quantity: 1, UnitAmount, AccountCode }],
        }),
      )
    ).Invoices[0] as Json;
  await paid(given, await add("ACCREC", "2026-02-10", "200", 1000), { Date: "2026-02-20" });
  const sold = await add("ACCREC", "2026-03-05", "200", 2000);
  await paid(given, sold, { Date: "2026-03-15", Amount: 920, Account: { Code: "091" } });
  await add("ACCREC", "2026-03-31", "260", 400);
  await paid(given, await add("ACCPAY", "2026-03-01", "469", 600), { Date: "2026-03-16" });
  await add("ACCPAY", "2026-03-20", "310", 240);
  return given;
}

/** A budget of April and May, and of 50.00 in June; beside it one that reports do not go by. */
async function planned(): Promise<World> {
  const given = await world();
  const { Accounts } = await given.ok("GET", "/Accounts");
  const accountId = (code: string) => Accounts.find((each: Json) => each.Code === code).AccountID;
  const plan = (code: string, month: string, amount: number) => ({
    accountId: accountId(code),
    month,
    amount: amount as Cents,
    notes: undefined,
  });
  const overall = "00000000-0000-7000-8000-0000000000b1";
  const other = "00000000-0000-7000-8000-0000000000b2";
  await given.book.store.write(given.book.org, async (tx) => {
    const common = { UpdatedDateUTC: given.now };
    await save(tx, budget, [
      { ...common, BudgetID: overall, Type: "OVERALL" },
      { ...common, BudgetID: other, Type: "TRACKING" },
    ]);
    await saveEntries(tx, overall, [
      plan("200", "2026-04", 200_000),
      plan("200", "2026-05", 220_000),
      plan("300", "2026-05", 15_000),
      plan("469", "2026-04", 60_000),
      plan("469", "2026-05", 60_000),
      plan("469", "2026-06", 5_000),
    ]);
    await saveEntries(tx, other, [plan("200", "2026-04", 999_999)]);
  });
  return given;
}

describe("bank summary", () => {
  test("the bank summary has opening balance, received, spent and closing balance of each account", async () => {
    const made = await report(await traded(), "BankSummary", {
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
    });
    expect(made).toMatchObject({
      ReportID: "BankSummary",
      ReportName: "Bank Summary",
      ReportType: "BankSummary",
      ReportTitles: ["Bank Summary", "Heron Lane Ltd", "From 1 March 2026 to 31 March 2026"],
    });
    expect(drawn(made)).toEqual([
      "H | Bank Accounts | Opening Balance | Cash Received | Cash Spent | Closing Balance",
      'S ""',
      "R | Business Account | 1150.00 | 0.00 | 690.00 | 460.00",
      "R | Savings | 0.00 | 920.00 | 0.00 | 920.00",
      "T | Total | 1150.00 | 920.00 | 690.00 | 1380.00",
    ]);
  });

  test("in the bank summary, the account name and cash cells have the account id, the balances none", async () => {
    const given = await traded();
    const [{ AccountID }] = (await given.ok("GET", "/Accounts/090")).Accounts;
    const made = await report(given, "BankSummary");
    expect(made.Rows[1].Rows[0].Cells.map((cell: Json) => cell.Attributes)).toEqual([
      [{ Value: AccountID, Id: "accountID" }],
      undefined,
      [{ Value: AccountID, Id: "account" }],
      [{ Value: AccountID, Id: "account" }],
      undefined,
    ]);
    expect(made.Rows[1].Rows[2].Cells[0].Attributes).toBeUndefined();
  });

  test("the bank summary of a part of a month has only its days", async () => {
    const made = await report(await traded(), "BankSummary", {
      fromDate: "2026-02-21",
      toDate: "2026-03-15",
    });
    expect(drawn(made).at(-1)).toBe("T | Total | 1150.00 | 920.00 | 0.00 | 2070.00");
  });

  test("the bank summary leaves out a deleted payment", async () => {
    const given = await traded();
    const [{ PaymentID }] = (
      await given.ok("GET", "/Payments", undefined, { query: { where: "Amount==920" } })
    ).Payments;
    await given.ok("POST", `/Payments/${PaymentID}`, { Status: "DELETED" });
    const made = await report(given, "BankSummary", { toDate: "2026-03-31" });
    expect(drawn(made).at(-1)).toBe("T | Total | 1150.00 | 0.00 | 690.00 | 460.00");
  });

  test("the bank summary shows an archived account only while it has a figure", async () => {
    const given = await traded();
    const code = async (name: string) => {
      const { AccountID } = (await given.ok("GET", `/Accounts/${name}`)).Accounts[0];
      await given.ok("POST", `/Accounts/${AccountID}`, { Status: "ARCHIVED" });
    };
    await code("091");
    const names = async (query: Record<string, string>) =>
      drawn(await report(given, "BankSummary", query))
        .slice(2)
        .map((line) => line.split(" | ")[1]);
    expect(await names({ toDate: "2026-03-31" })).toEqual(["Business Account", "Savings", "Total"]);
    expect(await names({ toDate: "2026-02-28" })).toEqual(["Business Account", "Total"]);
  });

  test.each<Record<string, string>>([
    { fromDate: "x" },
    { toDate: "2026-02-30" },
    { fromDate: "2026-03-02", toDate: "2026-03-01" },
  ])("the bank summary range %j is refused", async (query) => {
    await (await world()).refused("GET", "/Reports/BankSummary", undefined, { query });
  });
});

describe("executive summary", () => {
  test("the executive summary compares a month with the month before", async () => {
    const made = await report(await traded(), "ExecutiveSummary", { date: "2026-03-09" });
    expect(made).toMatchObject({
      ReportID: "ExecutiveSummary",
      ReportName: "Executive Summary",
      ReportType: "ExecutiveSummary",
      ReportTitles: ["Executive Summary", "Heron Lane Ltd", "For the month of March 2026"],
    });
    expect(drawn(made)).toEqual([
      "H | - | Mar 2026 | Feb 2026 | Variance",
      'S "Cash"',
      "R | Cash received | 920.00 | 1150.00 | -20.0%",
      "R | Cash spent | 690.00 | 0.00 | -",
      "R | Cash surplus (deficit) | 230.00 | 1150.00 | -80.0%",
      "R | Closing bank balance | 1380.00 | 1150.00 | 20.0%",
      'S "Profitability"',
      "R | Income | 2400.00 | 1000.00 | 140.0%",
      "R | Direct costs | 240.00 | 0.00 | -",
      "R | Gross profit (loss) | 2160.00 | 1000.00 | 116.0%",
      "R | Other Income | 0.00 | 0.00 | -",
      "R | Expenses | 600.00 | 0.00 | -",
      "R | Profit (loss) | 1560.00 | 1000.00 | 56.0%",
      'S "Balance Sheet"',
      // 2,300.00 less 920.00, and 460.00
      "R | Debtors | 1840.00 | 0.00 | -",
      "R | Creditors | 276.00 | 0.00 | -",
      "R | Net assets | 2560.00 | 1000.00 | 156.0%",
      'S "Income"',
      "R | Number of invoices issued | 2 | 1 | 100.0%",
      "R | Average value of invoices | 1200.00 | 1000.00 | 20.0%",
      'S "Performance"',
      "R | Gross profit margin | 90.0% | 100.0% | -10.0%",
      "R | Net profit margin | 65.0% | 100.0% | -35.0%",
      // 1,560.00 x 12 of 2,560.00; 1,000.00 x 12 of 1,000.00
      "R | Return on investment (p.a.) | 731.3% | 1200.0% | -39.1%",
      'S "Position"',
      // 1,840.00 of 2,400.00 in 31 days; 276.00 of 840.00 in 31 days
      "R | Average debtors days | 23.77 | 0.00 | -",
      "R | Average creditors days | 10.19 | - | -",
      "R | Short term cash forecast | 1564.00 | 0.00 | -",
      // 3,220.00 of 660.00: 276.00 owed to suppliers, GST of 150.00 + 360.00 - 90.00 - 36.00
      "R | Current assets to liabilities | 4.88 | 7.67 | -36.4%",
      "R | Term assets to liabilities | - | - | -",
    ]);
    for (const section of made.Rows.slice(1)) {
      for (const row of section.Rows) {
        expect(row.Cells).toHaveLength(4);
        for (const cell of row.Cells) expect(cell.Attributes).toBeUndefined();
      }
    }
  });

  test("rows of the described executive summary have ids beside their labels", async () => {
    const query = { date: "2026-03-09", described: "true" };
    const made = await report(await traded(), "ExecutiveSummary", query);
    const rows: Json[] = made.Rows.slice(1).flatMap(({ Rows }: Json) => Rows);
    const ids = rows.map(({ Cells: [first] }) => first.Attributes[0]);
    expect(ids[0]).toEqual({ Value: "cash-received", Id: "figure" });
    expect(new Set(ids.map(({ Value }) => Value)).size).toBe(rows.length);
  });

  test("the executive summary counts a transfer between own accounts, or its reversal, as neither received nor spent", async () => {
    const given = await traded();
    const transfer = { FromBankAccount: { Code: "090" }, ToBankAccount: { Code: "091" } };
    const cash = async () =>
      drawn(await report(given, "ExecutiveSummary", { date: "2026-03-09" })).slice(2, 6);
    const before = await cash();
    expect(before[0]).toContain("| 920.00 |");
    for (const moved of [
      { Date: "2026-03-10", Amount: 300 },
      { Date: "2026-03-31", Amount: 45.5 },
    ]) {
      await given.ok("PUT", "/BankTransfers", { ...transfer, ...moved });
    }
    expect(await cash()).toEqual(before);
    const query = { date: "2026-03-09" };
    const told = await faultsOfReport(given, "ExecutiveSummary", query, (all) => all.slice(0, 12));
    expect(told).toMatchObject({ faults: [] });
    const [{ BankTransferID }] = (await given.ok("GET", "/BankTransfers")).BankTransfers;
    await given.ok("POST", `/BankTransfers/${BankTransferID}`, { Status: "DELETED" });
    expect(await cash()).toEqual(before);
  });

  test("the executive summary of an empty book has no ratios and no comparison", async () => {
    const lines = drawn(await report(await world(), "ExecutiveSummary"));
    expect(lines).toContain("R | Gross profit margin | - | - | -");
    expect(lines).toContain("R | Return on investment (p.a.) | - | - | -");
    expect(lines).toContain("R | Average value of invoices | 0.00 | 0.00 | -");
  });

  test("a summary report with an unreadable date is refused", async () => {
    const given = await world();
    await given.refused("GET", "/Reports/ExecutiveSummary", undefined, {
      query: { date: "March" },
    });
  });
});

describe("budget summary", () => {
  const headings = (made: Json): string[] => made.Rows[0].Cells.map((cell: Json) => cell.Value);

  test("the budget summary of a book without a budget has only the three result rows, all zero", async () => {
    const made = await report(await world(), "BudgetSummary", { date: "2026-04-15", periods: "2" });
    expect(made).toMatchObject({
      ReportID: "BudgetSummary",
      ReportName: "Budget Summary",
      ReportType: "BudgetSummary",
      ReportTitles: [
        "Overall Budget",
        "Budget Summary",
        "Heron Lane Ltd",
        "April 2026 to May 2026",
      ],
    });
    expect(drawn(made)).toEqual([
      "H | Account | Apr-26 | May-26",
      'S ""',
      "T | Gross Profit | 0.00 | 0.00",
      'S ""',
      "T | Total Expenses | 0.00 | 0.00",
      'S ""',
      "T | Net Profit | 0.00 | 0.00",
    ]);
  });

  test("the budget summary shows the overall budget in the order of a profit and loss, by month or by period", async () => {
    const given = await planned();
    const query = { date: "2026-04-01", periods: "2" };
    expect(drawn(await report(given, "BudgetSummary", query))).toEqual([
      "H | Account | Apr-26 | May-26",
      'S "Income"',
      "R | Sales | 2000.00 | 2200.00",
      "T | Total Income | 2000.00 | 2200.00",
      'S "Less Cost of Sales"',
      "R | Purchases | 0.00 | 150.00",
      "T | Total Cost of Sales | 0.00 | 150.00",
      'S ""',
      "T | Gross Profit | 2000.00 | 2050.00",
      'S "Less Operating Expenses"',
      "R | Rent | 600.00 | 600.00",
      "T | Total Operating Expenses | 600.00 | 600.00",
      'S ""',
      "T | Total Expenses | 600.00 | 600.00",
      'S ""',
      "T | Net Profit | 1400.00 | 1450.00",
    ]);
    const quarter = drawn(
      await report(given, "BudgetSummary", { ...query, periods: "1", timeframe: "3" }),
    );
    // April and May, and 50.00 of rent in June.
    expect(quarter.at(-1)).toBe("T | Net Profit | 2800.00");
    expect(drawn(await report(given, "BudgetSummary", { ...query, date: "2027-01-01" }))).toEqual([
      "H | Account | Jan-27 | Feb-27",
      'S ""',
      "T | Gross Profit | 0.00 | 0.00",
      'S ""',
      "T | Total Expenses | 0.00 | 0.00",
      'S ""',
      "T | Net Profit | 0.00 | 0.00",
    ]);
    await asKept(given, "/Reports/BudgetSummary", query, "BudgetSummary");
  });

  test("the budget summary covers twelve months from the current one by default", async () => {
    const made = await report(await world(), "BudgetSummary");
    expect(headings(made)).toHaveLength(13);
    expect(headings(made).slice(0, 3)).toEqual(["Account", "Mar-26", "Apr-26"]);
    expect(made.ReportTitles[3]).toBe("March 2026 to February 2027");
  });

  test("in the budget summary, a column of several months is named after its last month", async () => {
    const given = await world();
    const quarters = await report(given, "BudgetSummary", { periods: "2", timeframe: "3" });
    expect(headings(quarters)).toEqual(["Account", "May-26", "Aug-26"]);
    const years = await report(given, "BudgetSummary", { periods: "1", timeframe: "12" });
    expect(headings(years)).toEqual(["Account", "Feb-27"]);
  });

  test.each<Record<string, string>>([
    { periods: "0" },
    { periods: "13" },
    { timeframe: "2" },
    { timeframe: "MONTH" },
    { date: "2026-00-01" },
  ])("the budget summary request %j is refused", async (query) => {
    await (await world()).refused("GET", "/Reports/BudgetSummary", undefined, { query });
  });
});

test.each([
  ["BankSummary", { fromDate: "2026-03-01", toDate: "2026-03-31" }],
  ["ExecutiveSummary", { date: "2026-03-31" }],
])("the report %s matches its golden file, in JSON and XML", async (name, query) => {
  await asKept(await traded(), `/Reports/${name}`, query, name);
});

test("the bank summary closes at the bank balances of the balance sheet", async () => {
  const given = await traded();
  for (const toDate of ["2026-01-31", "2026-02-28", "2026-03-31"]) {
    const closing = drawn(await report(given, "BankSummary", { toDate })).at(-1);
    const sheet = drawn(await report(given, "BalanceSheet", { date: toDate }));
    const bank = sheet.find((line) => line.startsWith("T | Total Bank"));
    expect(closing?.split(" | ").at(-1)).toBe(bank?.split(" | ")[2] ?? "0.00");
  }
});
