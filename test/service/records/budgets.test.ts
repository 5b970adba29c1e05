/** Budgets: which months are shown, what may be planned, and what reports read of it. */
import { describe, expect, test } from "vitest";
import { budgetBalances } from "../../../src/store/ledger/budgets.ts";
import { type Json, type World, world } from "../fixture.ts";

const line = (AccountCode: string, amounts: Record<string, number>) => ({
  AccountCode,
  BudgetBalances: Object.entries(amounts).map(([Period, Amount]) => ({ Period, Amount })),
});

const year = Object.fromEntries(
  Array.from({ length: 12 }, (_, index) => [
    `2026-${String(index + 1).padStart(2, "0")}`,
    100 + index,
  ]),
);

async function planned(given: World, fields: object = {}): Promise<Json> {
  const body = { Description: "Plan 2026", BudgetLines: [line("200", year)], ...fields };
  return (await given.ok("PUT", "/Budgets", body)).Budgets[0];
}

const show = async (given: World, { BudgetID }: Json, query: Record<string, string> = {}) =>
  (await given.ok("GET", `/Budgets/${BudgetID}`, undefined, { query })).Budgets[0];
const periods = (budget: Json): string[] =>
  budget.BudgetLines.flatMap((each: Json) => each.BudgetBalances.map((b: Json) => b.Period));

test("the overall budget can be created, is listed without lines, and is read with its lines", async () => {
  const given = await world();
  const made = await planned(given);
  expect(made).toMatchObject({ Type: "OVERALL", Description: "Plan 2026", Tracking: [] });
  expect(periods(made)).toHaveLength(12);
  const { Budgets } = await given.ok("GET", "/Budgets");
  expect(Budgets).toHaveLength(1);
  expect(Budgets[0]).not.toHaveProperty("BudgetLines");
  // Today is the first of March 2026 there.
  const shown = await show(given, made);
  expect(periods(shown)).toEqual(["2026-02", "2026-03", "2026-04"]);
  expect(shown.BudgetLines[0]).toMatchObject({ AccountID: expect.any(String), AccountCode: "200" });
  expect(shown.BudgetLines[0].BudgetBalances[0]).toEqual({ Period: "2026-02", Amount: 101 });
});

test("a budget line in XML is an element with one element for each month", async () => {
  const given = await world();
  const { BudgetID } = await planned(given);
  const { text } = await given.ask("GET", `/Budgets/${BudgetID}`, undefined, {
    query: { DateFrom: "2026-01-01", DateTo: "2026-01-31" },
    headers: { accept: "text/xml" },
  });
  expect(text).toContain(
    "<AccountCode>200</AccountCode><BudgetBalances><BudgetBalance><Period>2026-01</Period><Amount>100.00</Amount></BudgetBalance></BudgetBalances></BudgetLine></BudgetLines>",
  );
});

test("a budget read as XML and sent back creates the same budget", async () => {
  const given = await world();
  const body =
    "<Budgets><Budget><Description>X</Description><BudgetLines><BudgetLine><AccountCode>400</AccountCode>" +
    "<BudgetBalances><BudgetBalance><Period>2026-03</Period><Amount>12.50</Amount><Notes>ads</Notes>" +
    "</BudgetBalance></BudgetBalances></BudgetLine></BudgetLines></Budget></Budgets>";
  const { status } = await given.ask("PUT", "/Budgets", body, {
    headers: { "content-type": "text/xml" },
  });
  expect(status).toBe(200);
  const { Budgets } = await given.ok("GET", "/Budgets");
  expect((await show(given, Budgets[0])).BudgetLines[0].BudgetBalances).toEqual([
    { Period: "2026-03", Amount: 12.5, Notes: "ads" },
  ]);
});

describe("months shown of a budget", () => {
  test.each<[Record<string, string>, string, string, number]>([
    [{ DateFrom: "2026-01-15", DateTo: "2026-05-01" }, "2026-01", "2026-05", 5],
    [{ DateFrom: "2026-06" }, "2026-06", "2026-08", 3],
    [{ DateTo: "2026-06-30" }, "2026-04", "2026-06", 3],
    [{ DateFrom: "2025-06-30", DateTo: "2027-05-31" }, "2026-01", "2026-12", 12],
  ])("a budget read with %j shows the months from %s to %s", async (query, first, last, count) => {
    const given = await world();
    const found = periods(await show(given, await planned(given), query));
    expect([found[0], found.at(-1), found.length]).toEqual([first, last, count]);
  });

  test.each<[Record<string, string>, string]>([
    [
      { DateFrom: "soon" },
      "The parameter DateFrom must be a date, YYYY-MM-DD, or a month, not 'soon'.",
    ],
    [
      { DateFrom: "2026-02-30" },
      "The parameter DateFrom must be a date, YYYY-MM-DD, or a month, not '2026-02-30'.",
    ],
    [
      { DateFrom: "2026-05-01", DateTo: "2026-04-30" },
      "The parameter DateTo may not lie before DateFrom.",
    ],
    [
      { DateFrom: "2025-06-01", DateTo: "2027-06-01" },
      "From DateFrom to DateTo there may be at most 24 months.",
    ],
  ])("reading a budget with the parameters %j is refused", async (query, sentence) => {
    const given = await world();
    const { BudgetID } = await planned(given);
    for (const path of ["/Budgets", `/Budgets/${BudgetID}`]) {
      expect(await given.refused("GET", path, undefined, { query })).toEqual([sentence]);
    }
  });
});

test("a budget update replaces the amounts of the months sent, and keeps the others", async () => {
  const given = await world();
  const made = await planned(given);
  await given.ok("POST", "/Budgets", {
    BudgetLines: [line("200", { "2026-03": 1 }), line("404", { "2026-03": 2 })],
  });
  await given.ok("POST", `/Budgets/${made.BudgetID}`, { Description: "Plan B" });
  const shown = await show(given, made);
  expect(shown.Description).toBe("Plan B");
  expect(
    shown.BudgetLines.map((each: Json) => [
      each.AccountCode,
      ...each.BudgetBalances.map((b: Json) => b.Amount),
    ]),
  ).toEqual([
    ["200", 101, 1, 103],
    ["404", 2],
  ]);
});

test("reports include only the overall budget, not tracking budgets", async () => {
  const given = await world();
  const { Options, Name } = await tracked(given);
  await planned(given);
  await planned(given, {
    Type: "TRACKING",
    Description: "North",
    Tracking: [{ Name, Option: Options[0].Name }],
  });
  const { store, org } = given.book;
  const found = await store.read(org, (tx) =>
    budgetBalances(tx, { from: "2026-02", to: "2026-03" }),
  );
  expect(found.map(({ month, amount }) => [month, amount])).toEqual([
    ["2026-02", 10_100],
    ["2026-03", 10_200],
  ]);
});

async function tracked(given: World): Promise<Json> {
  const { TrackingCategories } = await given.ok("PUT", "/TrackingCategories", { Name: "Region" });
  const path = `/TrackingCategories/${TrackingCategories[0].TrackingCategoryID}/Options`;
  const { Options } = await given.ok("PUT", path, { Name: "North" });
  return { ...TrackingCategories[0], Options };
}

test("a tracking budget shows its tracking options, and the parameter IDs filters the list", async () => {
  const given = await world();
  await tracked(given);
  await planned(given);
  const made = await planned(given, {
    Type: "TRACKING",
    Description: "North",
    Tracking: [{ Name: "region", Option: "NORTH" }],
  });
  expect(made.Tracking).toEqual([
    {
      TrackingCategoryID: expect.any(String),
      TrackingOptionID: expect.any(String),
      Name: "Region",
      Option: "North",
    },
  ]);
  const query = { IDs: made.BudgetID };
  const { Budgets } = await given.ok("GET", "/Budgets", undefined, { query });
  expect(Budgets.map((each: Json) => each.Description)).toEqual(["North"]);
});

describe("budgets that are refused", () => {
  test.each<[string, object, string]>([
    [
      "an invalid month",
      { BudgetLines: [line("200", { "2026-13": 1 })] },
      "Period must be a month",
    ],
    ["an unknown account", { BudgetLines: [line("999", {})] }, "no active account with code '999'"],
    ["a bank account", { BudgetLines: [line("090", {})] }, "Business Account cannot be budgeted."],
    ["receivables", { BudgetLines: [line("610", {})] }, "Accounts Receivable cannot be budgeted."],
    [
      "a line without an account",
      { BudgetLines: [{ BudgetBalances: [] }] },
      "AccountCode or AccountID is required.",
    ],
    [
      "a month twice",
      { BudgetLines: [line("200", { "2026-01": 1 }), line("200", { "2026-01": 2 })] },
      "BudgetLine 2: 200 has 2026-01 twice.",
    ],
    [
      "tracking on the overall budget",
      { Tracking: [{ Name: "Region", Option: "North" }] },
      "Only a budget of type TRACKING",
    ],
    ["a tracking budget without tracking", { Type: "TRACKING" }, "needs Tracking"],
    [
      "an unknown tracking option",
      { Type: "TRACKING", Tracking: [{ Name: "Region", Option: "South" }] },
      "the tracking category Region has no option 'South'",
    ],
  ])("a budget is refused with %s", async (_what, fields, sentence) => {
    const given = await world();
    await tracked(given);
    const refused = await given.refused("PUT", "/Budgets", { Description: "X", ...fields });
    expect(refused.join(" ")).toContain(sentence);
    expect((await given.ok("GET", "/Budgets")).Budgets).toEqual([]);
  });

  test("a second overall budget, and a change of the budget type, are refused", async () => {
    const given = await world();
    const made = await planned(given);
    expect(await given.refused("PUT", "/Budgets", { Description: "Other" })).toEqual([
      "There is an overall budget already; change it with POST.",
    ]);
    expect(
      await given.refused("POST", `/Budgets/${made.BudgetID}`, { Type: "TRACKING" }),
    ).toContain("The Type of a budget cannot be changed.");
  });

  test("an account used in a budget cannot be deleted", async () => {
    const given = await world();
    const made = await given.ok("PUT", "/Accounts", { Code: "777", Name: "Fun", Type: "EXPENSE" });
    await planned(given, { BudgetLines: [line("777", { "2026-01": 5 })] });
    expect(await given.refused("DELETE", `/Accounts/${made.Accounts[0].AccountID}`)).toEqual([
      "Fun stands in a budget and cannot be deleted; archive it instead.",
    ]);
  });
});
