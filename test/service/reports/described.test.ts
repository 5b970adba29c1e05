/** Titles and headings as the command and pages ask for them, and days that are asked for exactly. */
import { describe, expect, test } from "vitest";
import { type ReportName, reports } from "../../../src/resources/report.ts";
import { fc, runs } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { type Json, sharedWorld, world } from "../fixture.ts";
import { worldOf } from "./report-text.ts";
import { basis } from "./tax/returns.ts";

const shared = sharedWorld(async (given) => {
  const business = await opened(given);
  await simulate(business, { from: "2026-02-10", to: "2026-05-31", count: 120, seed: 5 });
  await basis(given, "INVOICE");
  await given.ok("PUT", "/Reports", {
    ReportType: "GSTReturn",
    FromDate: "2026-02-01",
    ToDate: "2026-02-28",
  });
});

/** What a report needs to be asked with. */
async function neededBy(name: ReportName): Promise<Record<string, string>> {
  const { parameters } = reports[name];
  const given = await shared();
  const [{ ContactID }] = (await given.ok("GET", "/Contacts")).Contacts;
  return {
    ...("contactID" in parameters ? { contactID: ContactID } : {}),
    ...("accountID" in parameters ? { accountID: "090" } : {}),
  };
}

const described = { described: "true" };

describe("the titles of a report", () => {
  test.each(Object.keys(reports) as ReportName[])(
    "the titles of %s give basis, currency, creation day and lock dates",
    async (name) => {
      const given = await worldOf(name, shared);
      const needed = await neededBy(name);
      const ask = async (query: Record<string, string>): Promise<Json> =>
        (await given.ok("GET", `/Reports/${name}`, undefined, { query })).Reports[0];
      const plain = await ask(needed);
      const full = await ask({ ...needed, ...described });
      const said = name === "CashFlow" ? "Cash basis" : "Accrual basis";
      const { BaseCurrency } = (await given.ok("GET", "/Organisation")).Organisations[0];
      const inBase = `${said}, in ${BaseCurrency}`;
      const currency = name === "Statement" ? expect.stringContaining(said) : inBase;
      expect(full.ReportTitles.slice(-2)).toEqual([
        currency,
        `Prepared ${full.ReportDate}, nothing locked`,
      ]);
      const titles = plain.ReportTitles.filter((title: string) => !/basis$/.test(title));
      expect(full.ReportTitles.slice(0, -2)).toEqual(titles);
      if ("paymentsOnly" in reports[name].parameters) {
        const cash = await ask({ ...needed, ...described, paymentsOnly: "true" });
        expect(cash.ReportTitles.at(-2)).toBe("Cash basis, in NZD");
      }
    },
  );

  test("the titles of a tax return say whether it is published", async () => {
    const given = await shared();
    const ask = async (path: string) =>
      (await given.ok("GET", path, undefined, { query: described })).Reports[0].ReportTitles;
    expect((await ask("/Reports/GSTReturn")).slice(-3)).toEqual([
      "Accrual basis, in NZD",
      expect.stringMatching(/^Prepared .* 2026, nothing locked$/),
      "Draft, not published",
    ]);
    const [{ ReportID }] = (await given.ok("GET", "/Reports")).Reports;
    expect((await ask(`/Reports/${ReportID}`)).at(-1)).toMatch(/^Published \d+ \w+ 2026$/);
  });

  test("the titles of a report give the last locked day", async () => {
    const given = await world();
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" });
    const query = described;
    const [report] = (await given.ok("GET", "/Reports/TrialBalance", undefined, { query })).Reports;
    expect(report.ReportTitles.at(-1)).toMatch(/, locked up to 31 Jan 2026$/);
  });
});

test("the headings of report columns give their days", async () => {
  const given = await shared();
  const headingsOf = async (name: string, query: Record<string, string>) => {
    const asked = { query: { ...query, ...described } };
    const [{ Rows }] = (await given.ok("GET", `/Reports/${name}`, undefined, asked)).Reports;
    return Rows[0].Cells.slice(1).map(({ Value }: Json) => Value);
  };
  const quarter = {
    fromDate: "2026-04-01",
    toDate: "2026-06-30",
    periods: "1",
    timeframe: "QUARTER",
  };
  for (const name of ["ProfitAndLoss", "CashFlow", "Equity"]) {
    expect(await headingsOf(name, quarter)).toEqual(["Apr–Jun 26", "Jan–Mar 26"]);
  }
  const year = { fromDate: "2026-04-06", toDate: "2027-04-05", periods: "1", timeframe: "YEAR" };
  expect(await headingsOf("ProfitAndLoss", year)).toEqual([
    "6 Apr 26–5 Apr 27",
    "6 Apr 25–5 Apr 26",
  ]);
  const budget = { date: "2026-04-01", periods: "2", timeframe: "12" };
  expect(await headingsOf("BudgetSummary", budget)).toEqual(["Apr 26–Mar 27", "Apr 27–Mar 28"]);
});

const cents = (text = "") => Math.round(Number(text || "0") * 100);

/** Amounts of accounts in a column, by AccountID. */
function byAccount({ Rows }: Json, amountOf: (texts: string[]) => number): Map<string, number> {
  const rows = Rows.flatMap(({ Rows: own = [] }: Json) => own);
  return new Map(
    rows.flatMap(({ Cells }: Json) => {
      const id = Cells[0].Attributes?.find(({ Id }: Json) => Id === "account")?.Value;
      const amount = amountOf(Cells.map(({ Value }: Json) => Value));
      return id === undefined || amount === 0 ? [] : [[id, amount]];
    }),
  );
}

test("on any day, the balance sheet equals the trial balance of that day", async () => {
  const given = await shared();
  const accounts: Json[] = (await given.ok("GET", "/Accounts")).Accounts;
  const classOf = new Map(accounts.map((each) => [each.AccountID, each.Class]));
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 140 }), async (after) => {
      const date = new Date(Date.UTC(2026, 1, 1 + after)).toISOString().slice(0, 10);
      const ask = async (name: string, more: object = {}) =>
        (await given.ok("GET", `/Reports/${name}`, undefined, { query: { date, ...more } }))
          .Reports[0];
      const sheet = byAccount(
        await ask("BalanceSheet", { exactDate: "true", periods: "0" }),
        (texts) => cents(texts[1]),
      );
      const trial = byAccount(
        await ask("TrialBalance"),
        (texts) => cents(texts[3]) - cents(texts[4]),
      );
      const isProfit = ([id]: [string, number]) => ["REVENUE", "EXPENSE"].includes(classOf.get(id));
      const profit = [...trial].filter(isProfit).reduce((sum, [, amount]) => sum - amount, 0);
      const balances = [...trial].filter((each) => !isProfit(each));
      const signed = balances.map(([id, amount]) => [
        id,
        classOf.get(id) === "ASSET" ? amount : -amount,
      ]);
      const current = "abababab-abab-abab-abab-abababababab";
      expect(sheet.get(current) ?? 0).toBe(profit);
      sheet.delete(current);
      expect([...sheet].sort()).toEqual(signed.sort());
    }),
    { numRuns: runs(12) },
  );
});

test("a balance sheet without a date is as at the end of the month", async () => {
  const given = await shared();
  const ask = async (query: Record<string, string>) =>
    given.ask("GET", "/Reports/BalanceSheet", undefined, {
      query: { date: "2026-03-05", ...query },
    });
  const headings = async (query: Record<string, string>) =>
    (await ask(query)).json.Reports[0].Rows[0].Cells.slice(1).map(({ Value }: Json) => Value);
  expect(await headings({})).toEqual(["31 Mar 2026", "31 Mar 2025"]);
  expect(await headings({ exactDate: "true" })).toEqual(["5 Mar 2026", "5 Mar 2025"]);
  expect(await headings({ exactDate: "true", periods: "2" })).toEqual([
    "5 Mar 2026",
    "5 Feb 2026",
    "5 Jan 2026",
  ]);
  expect(await headings({ exactDate: "true", periods: "0" })).toEqual(["5 Mar 2026"]);
  expect((await ask({ periods: "0" })).status).toBe(400);
});
