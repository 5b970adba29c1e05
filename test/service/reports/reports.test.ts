/** Reports over the API: shapes, columns, dates, tracking, the two bases, the turn of the year. */
import { describe, expect, test } from "vitest";
import { contact, type Json, paid, reportRows, sale, type World, world } from "../fixture.ts";
import { asKept, drawn, report } from "./report-text.ts";

const headings = (made: Json): string[] =>
  made.Rows[0].Cells.slice(1).map((cell: Json) => cell.Value);

/** Sales of 100 in January, 200 in February and 300 in March, rent of 50 in each, 20 of cost in March. */
async function traded(): Promise<World> {
  const given = await world();
  const party = await contact(given);
  for (const [month, amount] of [
    ["01", 100],
    ["02", 200],
    ["03", 300],
  ] as const) {
    const common = { Date: `2026-${month}-15`, DueDate: "2026-06-30", Status: "AUTHORISED" };
    await given.ok(
      "PUT",
      "/Invoices",
      sale(party, {
        ...common,
        LineItems: [{ Description: "x", Quantity: 1, UnitAmount: amount, AccountCode: "200" }],
      }),
    );
    const costs = [{ Description: "x", Quantity: 1, UnitAmount: 50, AccountCode: "469" }];
    if (month === "03")
      costs.push({ Description: "x", Quantity: 1, UnitAmount: 20, AccountCode: "310" });
    await given.ok(
      "PUT",
      "/Invoices",
      sale(party, { ...common, Type: "ACCPAY", LineItems: costs }),
    );
  }
  return given;
}

describe("profit and loss", () => {
  test("the profit and loss shows the current month in the standard layout by default", async () => {
    const made = await report(await traded(), "ProfitAndLoss");
    expect(made).toMatchObject({
      ReportID: "ProfitAndLoss",
      ReportName: "Profit and Loss",
      ReportType: "ProfitAndLoss",
      ReportTitles: ["Profit & Loss", "Heron Lane Ltd", "1 March 2026 to 31 March 2026"],
      ReportDate: "1 March 2026",
      Fields: [],
    });
    expect(made.UpdatedDateUTC).toMatch(/^\/Date\(\d+\)\/$/);
    expect(drawn(made)).toEqual([
      "H | - | 31 Mar 26",
      'S "Income"',
      "R | Sales | 300.00",
      "T | Total Income | 300.00",
      'S "Less Cost of Sales"',
      "R | Cost of Goods Sold | 20.00",
      "T | Total Cost of Sales | 20.00",
      'S ""',
      "R | Gross Profit | 280.00",
      'S "Less Operating Expenses"',
      "R | Rent | 50.00",
      "T | Total Operating Expenses | 50.00",
      'S ""',
      "R | Net Profit | 230.00",
    ]);
  });

  test("every cell of an account row has the account id as an attribute in XML, value before id", async () => {
    const given = await traded();
    const { text } = await given.ask("GET", "/reports/profitandloss/", undefined, {
      headers: { accept: "text/xml" },
    });
    const [{ AccountID }] = (await given.ok("GET", "/Accounts/200")).Accounts;
    const attributes = `<Attributes><Attribute><Value>${AccountID}</Value><Id>account</Id></Attribute></Attributes>`;
    expect(text).toContain(
      `<Row><RowType>Row</RowType><Cells><Cell><Value>Sales</Value>${attributes}</Cell><Cell><Value>300.00</Value>${attributes}</Cell></Cells></Row>`,
    );
    expect(text).toContain(
      "<ReportTitles><ReportTitle>Profit &amp; Loss</ReportTitle><ReportTitle>Heron Lane Ltd</ReportTitle>",
    );
    expect(text).toMatch(
      /<Reports><Report><ReportID>ProfitAndLoss<\/ReportID>.*<\/Report><\/Reports><\/Response>$/,
    );
  });

  test.each<[string, Record<string, string>, Record<string, string[]>]>([
    ["a range", { fromDate: "2026-01-01", toDate: "2026-02-28" }, { "28 Feb 26": ["300.00"] }],
    [
      "a range within a month",
      { FROMDATE: "2026-03-15", todate: "2026-03-15" },
      { "15 Mar 26": ["300.00"] },
    ],
    [
      "a range without any postings",
      { fromDate: "2026-03-01", toDate: "2026-03-14" },
      { "14 Mar 26": [] },
    ],
    [
      "days of one digit",
      { fromDate: "2026-1-1", toDate: "2026-2-28" },
      { "28 Feb 26": ["300.00"] },
    ],
    ["only the end", { toDate: "2026-02-20" }, { "20 Feb 26": ["200.00"] }],
    ["only the start", { fromDate: "2026-02-01" }, { "28 Feb 26": ["200.00"] }],
    ["two months before", { periods: "2" }, { "31 Mar 26": ["300.00", "200.00", "100.00"] }],
    [
      "quarters",
      { fromDate: "2026-01-01", toDate: "2026-03-31", periods: "1", timeframe: "quarter" },
      { "31 Mar 26": ["600.00", "0.00"] },
    ],
    ["a year before", { periods: "1", timeframe: "YEAR" }, { "31 Mar 26": ["300.00", "0.00"] }],
    ["a leap day", { fromDate: "2024-02-29", toDate: "2024-02-29" }, { "29 Feb 24": [] }],
    ["the standardLayout parameter", { standardLayout: "true" }, { "31 Mar 26": ["300.00"] }],
    [
      "twelve columns up to the year 2999",
      { fromDate: "1900-01-01", toDate: "2999-12-31", periods: "11", timeframe: "YEAR" },
      { "31 Dec 99": Array.from({ length: 12 }, () => "600.00") },
    ],
  ])("the profit and loss columns for %s", async (_name, query, expected) => {
    const given = await traded();
    const [[heading, sales]] = Object.entries(expected) as [[string, string[]]];
    expect(headings(await report(given, "ProfitAndLoss", query))[0]).toBe(heading);
    expect((await reportRows(given, "ProfitAndLoss", query)).Sales ?? []).toEqual(sales);
  });

  test("comparing June, the profit and loss has the column of 1 to 31 May before it", async () => {
    const made = await report(await traded(), "ProfitAndLoss", {
      fromDate: "2026-06-01",
      toDate: "2026-06-30",
      periods: "1",
    });
    expect(headings(made)).toEqual(["30 Jun 26", "31 May 26"]);
  });

  test.each<Record<string, string>>([
    { periods: "0" },
    { periods: "12" },
    { periods: "1.5" },
    { periods: "-1" },
    { timeframe: "WEEK" },
    { fromDate: "31-03-2026" },
    { fromDate: "2026-02-30" },
    { fromDate: "2026-13-01" },
    { toDate: "9".repeat(400) },
    { fromDate: "2026-03-02", toDate: "2026-03-01" },
    { paymentsOnly: "perhaps" },
    { trackingCategoryID: "11111111-1111-1111-1111-111111111111" },
    { trackingOptionID: "nonsense" },
    { trackingOptionID2: "'; drop table posting" },
  ])("the profit and loss request %j is refused", async (query) => {
    const given = await world();
    expect((await given.ask("GET", "/Reports/ProfitAndLoss", undefined, { query })).status).toBe(
      400,
    );
  });
});

describe("reports on the cash basis", () => {
  test("profit and loss on the cash basis recognises paid amounts on the payment date", async () => {
    const given = await world();
    const party = await contact(given);
    const [made] = (
      await given.ok("PUT", "/Invoices", sale(party, { Status: "AUTHORISED", Date: "2026-01-15" }))
    ).Invoices;
    await paid(given, made, { Amount: 38.33, Date: "2026-02-10" });
    const back = await paid(given, made, { Amount: 10, Date: "2026-02-11" });
    await paid(given, made, { Amount: 66.67, Date: "2026-03-10" });
    await given.ok("POST", `/Payments/${back.PaymentID}`, { Status: "DELETED" });
    await paid(given, made, { Amount: 10, Date: "2026-03-11" });
    const query = {
      paymentsOnly: "true",
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
      periods: "2",
    };
    expect((await reportRows(given, "ProfitAndLoss", query)).Sales).toEqual([
      "66.67",
      "33.33",
      "0.00",
    ]);
    const sheet = await reportRows(given, "BalanceSheet", {
      paymentsOnly: "1",
      date: "2026-02-28",
    });
    expect(sheet["Accounts Receivable"]).toBeUndefined();
    expect(sheet["Business Account"]?.[0]).toBe("38.33");
    expect(sheet.GST?.[0]).toBe("5.00");
    expect(sheet["Net Assets"]?.[0]).toBe("33.33");
    const total = (
      await reportRows(given, "TrialBalance", { paymentsOnly: "true", date: "2026-03-31" })
    ).Total;
    expect(total?.[0]).toBe(total?.[1]);
  });
});

describe("reports by tracking option", () => {
  async function tracked() {
    const given = await world();
    const ids: Record<string, string> = {};
    for (const [Name, options] of [
      ["Region", ["South", "North"]],
      ["Team", ["Red"]],
    ] as const) {
      ids[Name] = (
        await given.ok("PUT", "/TrackingCategories", { Name })
      ).TrackingCategories[0].TrackingCategoryID;
      for (const option of options) {
        ids[option] = (
          await given.ok("PUT", `/TrackingCategories/${Name}/Options`, { Name: option })
        ).Options[0].TrackingOptionID;
      }
    }
    const line = (UnitAmount: number, ...Tracking: object[]) => ({
      Description: "x",
      Quantity: 1,
      UnitAmount,
      AccountCode: "200",
      Tracking,
    });
    const [north, south, red] = [
      { Name: "Region", Option: "North" },
      { Name: "Region", Option: "South" },
      { Name: "Team", Option: "Red" },
    ];
    const LineItems = [
      line(1, north),
      line(2, south, red),
      line(4, red),
      line(8, red, north),
      line(16),
    ];
    await given.ok(
      "PUT",
      "/Invoices",
      sale(await contact(given), { Status: "AUTHORISED", LineItems }),
    );
    return { given, ids };
  }

  test.each<
    [
      string,
      (ids: Record<string, string>) => Record<string, string | undefined>,
      string[],
      string[],
    ]
  >([
    [
      "a category",
      ({ Region }) => ({ trackingCategoryID: Region }),
      ["North", "South", "Unassigned", "Total"],
      ["9.00", "2.00", "20.00", "31.00"],
    ],
    [
      "an option",
      ({ Region, North }) => ({ trackingcategoryid: Region, trackingoptionid: North }),
      ["North"],
      ["9.00"],
    ],
    ["an option alone", ({ South }) => ({ trackingOptionID: South }), ["South"], ["2.00"]],
    [
      "two categories",
      ({ Region, Team }) => ({ trackingCategoryID: Region, trackingCategoryID2: Team }),
      [
        "North, Red",
        "North, Unassigned",
        "South, Red",
        "Unassigned, Red",
        "Unassigned, Unassigned",
        "Total",
      ],
      ["8.00", "1.00", "2.00", "4.00", "16.00", "31.00"],
    ],
    [
      "an option of each",
      ({ Region, North, Team, Red }) => ({
        trackingCategoryID: Region,
        trackingOptionID: North,
        trackingCategoryID2: Team,
        trackingOptionID2: Red,
      }),
      ["North, Red"],
      ["8.00"],
    ],
    [
      "an option and a category",
      ({ North, Team }) => ({ trackingOptionID: North, trackingCategoryID2: Team }),
      ["North, Red", "North, Unassigned", "Total"],
      ["8.00", "1.00", "9.00"],
    ],
    [
      "a category, where periods are ignored",
      ({ Region }) => ({ trackingCategoryID: Region, periods: "3" }),
      ["North", "South", "Unassigned", "Total"],
      ["9.00", "2.00", "20.00", "31.00"],
    ],
  ])(
    "the profit and loss columns by tracking for %s",
    async (_name, queryOf, expectedHeadings, sales) => {
      const { given, ids } = await tracked();
      const query = queryOf(ids) as Record<string, string>;
      const made = await report(given, "ProfitAndLoss", query);
      expect(headings(made)).toEqual(expectedHeadings);
      expect((await reportRows(given, "ProfitAndLoss", query)).Sales).toEqual(sales);
      expect(made.ReportTitles).toHaveLength(4);
    },
  );

  test("an archived tracking option has a column only if it has figures", async () => {
    const { given, ids } = await tracked();
    const archived = { Status: "ARCHIVED", Name: "North" };
    const path = `/TrackingCategories/${ids.Region}/Options/${ids.North}`;
    await given.ok("POST", path, archived);
    const query = { trackingCategoryID: ids.Region as string };
    expect(headings(await report(given, "ProfitAndLoss", query))).toEqual([
      "North",
      "South",
      "Unassigned",
      "Total",
    ]);
    const before = { ...query, fromDate: "2026-01-01", toDate: "2026-01-31" };
    expect(headings(await report(given, "ProfitAndLoss", before))).toEqual(["South", "Total"]);
  });

  test.each<[string, (ids: Record<string, string>) => Record<string, string | undefined>]>([
    [
      "an option of another category",
      ({ Region, Red }) => ({ trackingCategoryID: Region, trackingOptionID: Red }),
    ],
    [
      "one category twice",
      ({ Region }) => ({ trackingCategoryID: Region, trackingCategoryID2: Region }),
    ],
    ["periods out of bounds", ({ Region }) => ({ trackingCategoryID: Region, periods: "99" })],
  ])("a profit and loss by tracking with %s is refused", async (_name, queryOf) => {
    const { given, ids } = await tracked();
    const query = queryOf(ids) as Record<string, string>;
    expect(await given.refused("GET", "/Reports/ProfitAndLoss", undefined, { query })).toHaveLength(
      1,
    );
  });

  test("the balance sheet can be filtered by one tracking option, or by two together", async () => {
    const { given, ids } = await tracked();
    const earnings = async (query: Record<string, string>) =>
      (await reportRows(given, "BalanceSheet", { date: "2026-03-31", ...query }))[
        "Current Year Earnings"
      ]?.[0];
    expect(await earnings({ trackingOptionID1: ids.North ?? "" })).toBe("9.00");
    expect(await earnings({ trackingOptionID2: ids.Red ?? "" })).toBe("14.00");
    expect(
      await earnings({ trackingOptionID1: ids.North ?? "", trackingOptionID2: ids.Red ?? "" }),
    ).toBe("8.00");
  });
});

describe("balance sheet", () => {
  test("the balance sheet shows the standard layout, with the year before as second column", async () => {
    const made = await report(await traded(), "BalanceSheet", { date: "2026-03-02" });
    expect(made.ReportTitles).toEqual(["Balance Sheet", "Heron Lane Ltd", "As at 31 March 2026"]);
    expect(drawn(made)).toEqual([
      "H | - | 31 Mar 2026 | 31 Mar 2025",
      'S "Assets"',
      'S "Current Assets"',
      "R | Accounts Receivable | 690.00 | 0.00",
      "T | Total Current Assets | 690.00 | 0.00",
      'S ""',
      "T | Total Assets | 690.00 | 0.00",
      'S "Liabilities"',
      'S "Current Liabilities"',
      "R | Accounts Payable | 195.50 | 0.00",
      "R | GST | 64.50 | 0.00",
      "T | Total Current Liabilities | 260.00 | 0.00",
      'S ""',
      "T | Total Liabilities | 260.00 | 0.00",
      'S ""',
      "R | Net Assets | 430.00 | 0.00",
      'S "Equity"',
      "R | Current Year Earnings | 430.00 | 0.00",
      "T | Total Equity | 430.00 | 0.00",
    ]);
  });

  test.each<[Record<string, string>, string[]]>([
    [{ date: "2026-02-01" }, ["28 Feb 2026", "28 Feb 2025"]],
    [{ date: "2024-02-10" }, ["29 Feb 2024", "28 Feb 2023"]],
    [{ date: "2026-03-31", periods: "2" }, ["31 Mar 2026", "28 Feb 2026", "31 Jan 2026"]],
    [{ date: "2026-03-31", periods: "1", timeframe: "QUARTER" }, ["31 Mar 2026", "31 Dec 2025"]],
    [{ date: "2026-03-31", timeframe: "MONTH" }, ["31 Mar 2026", "28 Feb 2026"]],
    [{}, ["31 Mar 2026", "31 Mar 2025"]],
  ])("the balance sheet with the parameters %j has the columns %j", async (query, expected) => {
    expect(headings(await report(await world(), "BalanceSheet", query))).toEqual(expected);
  });

  test("in a new financial year, earlier profit is in Retained Earnings without a journal", async () => {
    const given = await traded();
    const april = await report(given, "BalanceSheet", { date: "2026-04-30", periods: "1" });
    const equity = drawn(april).slice(-4);
    expect(equity).toEqual([
      'S "Equity"',
      "R | Current Year Earnings | 0.00 | 430.00",
      "R | Retained Earnings | 430.00 | 0.00",
      "T | Total Equity | 430.00 | 430.00",
    ]);
    const row = april.Rows.at(-1).Rows.find(
      (each: Json) => each.Cells[0].Value === "Retained Earnings",
    );
    expect(row.Cells[1].Attributes.slice(1)).toEqual([
      { Value: "", Id: "fromDate" },
      { Value: "3/31/2026", Id: "toDate" },
    ]);
    const current = april.Rows.at(-1).Rows.find(
      (each: Json) => each.Cells[0].Value === "Current Year Earnings",
    );
    expect(current.Cells[2].Attributes).toEqual([
      { Value: "abababab-abab-abab-abab-abababababab", Id: "account" },
      { Value: "4/1/2025", Id: "fromDate" },
      { Value: "3/31/2026", Id: "toDate" },
    ]);
    const trial = await reportRows(given, "TrialBalance", { date: "2026-04-01" });
    expect(trial["Retained Earnings (960)"]).toEqual(["", "0.00", "", "430.00"]);
    expect(trial["Sales (200)"]).toBeUndefined();
  });
});

describe("trial balance", () => {
  test("the trial balance shows the month and the year to date", async () => {
    const made = await report(await traded(), "TrialBalance", { date: "2026-03-31" });
    expect(made.ReportTitles).toEqual(["Trial Balance", "Heron Lane Ltd", "As at 31 March 2026"]);
    expect(drawn(made)).toEqual([
      "H | Account | Debit | Credit | YTD Debit | YTD Credit",
      'S "Revenue"',
      "R | Sales (200) | - | 300.00 | - | 600.00",
      'S "Expenses"',
      "R | Cost of Goods Sold (310) | 20.00 | - | 20.00 | -",
      "R | Rent (469) | 50.00 | - | 150.00 | -",
      'S "Assets"',
      "R | Accounts Receivable (610) | 345.00 | - | 690.00 | -",
      'S "Liabilities"',
      "R | Accounts Payable (800) | - | 80.50 | - | 195.50",
      "R | GST (820) | - | 34.50 | - | 64.50",
      'S ""',
      "T | Total | 415.00 | 415.00 | 860.00 | 860.00",
    ]);
    const cells = made.Rows[1].Rows[0].Cells;
    expect(cells.map((cell: Json) => cell.Attributes[0].Id)).toEqual(
      Array.from({ length: 5 }, () => "account"),
    );
    expect(cells[1].Value).toBe("");
  });

  test("the trial balance of a day within a month shows the month up to that day", async () => {
    const given = await traded();
    expect(
      (await reportRows(given, "TrialBalance", { date: "2026-03-14" }))["Sales (200)"],
    ).toEqual(["", "0.00", "", "300.00"]);
    expect(
      (await given.ask("GET", "/Reports/TrialBalance", undefined, { query: { date: "x" } })).status,
    ).toBe(400);
  });
});

test("profit and loss, balance sheet and trial balance agree", async () => {
  const given = await traded();
  const profit = await reportRows(given, "ProfitAndLoss", {
    fromDate: "2025-04-01",
    toDate: "2026-03-31",
  });
  const sheet = await reportRows(given, "BalanceSheet", { date: "2026-03-31" });
  expect(profit["Net Profit"]?.[0]).toBe(sheet["Current Year Earnings"]?.[0]);
  expect(sheet["Net Assets"]).toEqual(sheet["Total Equity"]);
});

test("the list of published reports is empty until one is published", async () => {
  const given = await world();
  expect((await given.ok("GET", "/Reports")).Reports).toEqual([]);
  for (const name of ["11111111-1111-1111-1111-111111111111", "CashSummary", "x"]) {
    expect((await given.ask("GET", `/Reports/${name}`)).status).toBe(404);
  }
});

test.each([
  ["ProfitAndLoss", { fromDate: "2026-03-01", toDate: "2026-03-31", periods: "1" }],
  ["BalanceSheet", { date: "2026-03-31" }],
  ["TrialBalance", { date: "2026-03-31" }],
])("the report %s matches its golden file, in JSON and XML", async (name, query) => {
  await asKept(await traded(), `/Reports/${name}`, query, name);
});
