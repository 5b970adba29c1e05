/** Charts of reports: every one that is described, made of the report's own figures. */
import { expect, test } from "vitest";
import { chartOf } from "../../../src/output/chart/report-chart.ts";
import type { Chart } from "../../../src/output/chart.ts";
import { type ReportDescription, type ReportName, reports } from "../../../src/resources/report.ts";
import { opened, simulate } from "../business.ts";
import { type Json, openedWorld, reportRows, sharedWorld, type World } from "../fixture.ts";

const given = sharedWorld(async (made) => {
  const business = await opened(made);
  const year = { from: "2026-03-01", to: "2026-06-25", count: 220, seed: 5 };
  await made.ok("PUT", "/Budgets", {
    Type: "OVERALL",
    BudgetLines: [
      { AccountCode: "200", BudgetBalances: [{ Period: "2026-04", Amount: 900 }] },
      { AccountCode: "429", BudgetBalances: [{ Period: "2026-05", Amount: 120 }] },
    ],
  });
  await simulate(business, { ...year, without: ["trade abroad", "move money abroad"] });
});

async function made(
  world: World,
  name: string,
  query: Record<string, string> = {},
): Promise<{ report: Json; chart: Chart }> {
  const described = { ...query, described: "true" };
  const { Reports } = await world.ok("GET", `/Reports/${name}`, undefined, { query: described });
  const [report] = Reports;
  const chart = chartOf(report, "NZD");
  if (chart === undefined) throw new Error(`There is no chart of ${name}.`);
  return { report, chart };
}

const described = (Object.keys(reports) as ReportName[]).filter(
  (name) => (reports[name] as ReportDescription).chart !== undefined,
);

/** What is asked so that a report shows more than one point. */
const asked: Readonly<Record<string, Record<string, string>>> = {
  ProfitAndLoss: { toDate: "2026-06-30", fromDate: "2026-06-01", periods: "3" },
  BalanceSheet: { date: "2026-06-30", periods: "3", timeframe: "MONTH" },
  CashFlow: { toDate: "2026-06-25", fromDate: "2026-04-01", timeframe: "WEEK" },
  Equity: { toDate: "2026-06-30", fromDate: "2026-06-01", periods: "3" },
  BudgetVariance: { fromDate: "2026-03-01", toDate: "2026-06-30" },
  Sales: { fromDate: "2026-03-01", toDate: "2026-06-30", by: "contact" },
  Purchases: { fromDate: "2026-03-01", toDate: "2026-06-30", by: "contact" },
};

const cents = (text: string | undefined) => Math.round(Number(text || "0") * 100);

test.each(described)(
  "the chart of report %s has each of its described series, with figures",
  async (name) => {
    const { chart } = await made(await given(), name, asked[name]);
    const { series = {} } = (reports[name] as ReportDescription).chart ?? {};
    expect(chart.series.map((each) => each.name)).toEqual(Object.keys(series));
    expect(chart.points.length).toBeGreaterThan(1);
    for (const { amounts } of chart.series) expect(amounts).toHaveLength(chart.points.length);
    const hasBudget = name.startsWith("Budget");
    const isSeen = chart.series.some(({ amounts }) => amounts.some((amount) => amount !== 0));
    expect([name, isSeen]).toEqual([name, name !== "BudgetSummary" || !hasBudget]);
  },
);

test("the chart of monthly columns is in date order, each month with its column's figures", async () => {
  const world = await given();
  const { chart } = await made(world, "ProfitAndLoss", asked.ProfitAndLoss);
  expect(chart).toMatchObject({ axis: "time", measure: 2, isSum: true });
  expect(chart.points.map(({ label }) => label)).toEqual(["Mar 26", "Apr 26", "May 26", "Jun 26"]);
  for (const [at, month] of ["03-31", "04-30", "05-31", "06-30"].entries()) {
    const query = { fromDate: `2026-${month.slice(0, 2)}-01`, toDate: `2026-${month}` };
    const rows = await reportRows(world, "ProfitAndLoss", query);
    const [income, expenses, profit] = chart.series.map(({ amounts }) => amounts[at]);
    expect(profit).toBe(cents(rows["Net Profit"]?.[0]));
    expect((income ?? 0) - (expenses ?? 0)).toBe(profit);
  }
  const query = { fromDate: "2026-03-01", toDate: "2026-06-30" };
  const whole = await reportRows(world, "ProfitAndLoss", query);
  const sum = chart.series[2]?.amounts.reduce((all: number, each) => all + each, 0);
  expect(sum).toBe(cents(whole["Net Profit"]?.[0]));
});

test("the cash chart's weeks are counted back from the last day, and add up to the period's movement", async () => {
  const world = await given();
  const { chart } = await made(world, "CashFlow", asked.CashFlow);
  expect(chart.points).toHaveLength(13);
  expect(chart.points.slice(-2).map(({ label }) => label)).toEqual([
    "12–18 Jun 26",
    "19–25 Jun 26",
  ]);
  const query = { fromDate: "2026-04-01", toDate: "2026-06-25" };
  const whole = await reportRows(world, "CashFlow", query);
  const sum = chart.series[0]?.amounts.reduce((all: number, each) => all + each, 0);
  expect(sum).toBe(cents(whole["Net Cash Movement"]?.[0]));
  for (const [own, message] of [
    [{ periods: "2" }, /leave periods out/],
    [{ fromDate: "2026-01-01" }, /at most 14 of them; 2026-01-01 to 2026-06-25 are 26/],
  ] as const) {
    const options = { query: { ...asked.CashFlow, ...own } };
    const refused = await world.refused("GET", "/Reports/CashFlow", undefined, options);
    expect(refused).toEqual([expect.stringMatching(message)]);
  }
});

test("the ageing chart has the report's ageing columns without the total", async () => {
  const world = await given();
  const { chart } = await made(world, "AgedReceivables", { date: "2026-06-25", buckets: "10,20" });
  expect(chart.axis).toBe("names");
  expect(chart.points.map(({ label }) => label)).toEqual([
    "Current",
    "1–10",
    "11–20",
    "21+",
    "Credits",
  ]);
  const rows = await reportRows(world, "AgedReceivables", { date: "2026-06-25", buckets: "10,20" });
  expect(chart.series[0]?.amounts).toEqual(rows.Total?.slice(0, -1).map(cents));
});

test("the chart by tracking category has its options by name, without the total", async () => {
  const world = await given();
  const [category] = (await world.ok("GET", "/TrackingCategories")).TrackingCategories;
  const query = {
    fromDate: "2026-03-01",
    toDate: "2026-06-30",
    trackingCategoryID: category.TrackingCategoryID,
  };
  const { chart } = await made(world, "ProfitAndLoss", query);
  expect(chart.axis).toBe("names");
  expect(chart.points.map(({ label }) => label)).toEqual(["North", "South", "Unassigned"]);
});

test.each([
  [12, "Customer 00", 1000],
  [13, "2 others", 2100],
])("the chart of sales to %i customers has %s as its smallest bar", async (count, label, last) => {
  const world = await openedWorld("NZ", {});
  const Contacts = Array.from({ length: count }, (_, at) => ({
    Name: `Customer ${String(at).padStart(2, "0")}`,
  }));
  const Invoices = Contacts.map((Contact, at) => ({
    Type: "ACCREC",
    Contact,
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    Status: "AUTHORISED",
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 10 + at, AccountCode: "200" }],
  }));
  await world.ok("PUT", "/Contacts", { Contacts });
  await world.ok("PUT", "/Invoices", { Invoices });
  const { chart } = await made(world, "Sales", { by: "contact" });
  const amounts = chart.series[0]?.amounts ?? [];
  expect(chart.points).toHaveLength(12);
  expect([chart.points.at(-1)?.label, amounts.at(-1)]).toEqual([label, last]);
  expect(amounts[0]).toBe((10 + count - 1) * 100);
  const sum = amounts.reduce((all: number, each) => all + each, 0);
  const { Total } = await reportRows(world, "Sales", { by: "contact" });
  expect(sum).toBe(cents(Total?.[0]));
  await world.book.close();
});

test("a report without a described chart has no chart in its answer", async () => {
  const [report] = (await (await given()).ok("GET", "/Reports/TrialBalance")).Reports;
  expect(chartOf(report)).toBeUndefined();
});
