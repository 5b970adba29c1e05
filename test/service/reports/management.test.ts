/** Equity, and the budget beside what became of it. */
import { describe, expect, test } from "vitest";
import { firstOf } from "../../support/properties.ts";
import { opened, simulate } from "../business.ts";
import { contact, type Json, reportRows, type World, world } from "../fixture.ts";
import { drawn, report } from "./report-text.ts";
import { document } from "./tax/returns.ts";

/** A business that sells for 1,000.00 in February and 300.00 in March, and rents for 450.00. */
async function traded(): Promise<World> {
  const given = await world();
  const party = await contact(given);
  const sold = (day: string, amount: number) =>
    document(given, party, { Date: day }, [["200", amount, "NONE"]]);
  await sold("2026-02-05", 1000);
  await sold("2026-03-05", 300);
  await document(given, party, { Type: "ACCPAY" }, [["469", 450, "NONE"]]);
  await given.ok("PUT", "/BankTransactions", {
    Type: "RECEIVE",
    Contact: { ContactID: party.ContactID },
    BankAccount: { Code: "090" },
    Date: "2026-03-07",
    LineAmountTypes: "NoTax",
    LineItems: [{ Description: "Own money", AccountCode: "970", UnitAmount: 5000 }],
  });
  return given;
}

describe("changes in equity", () => {
  test("changes in equity show the profit and the owners' contributions", async () => {
    const given = await traded();
    const query = { fromDate: "2026-03-01", toDate: "2026-03-31", periods: "1" };
    expect(drawn(await report(given, "Equity", query))).toEqual([
      "H | - | 31 Mar 26 | 28 Feb 26",
      'S ""',
      "R | Opening Equity | 1000.00 | 0.00",
      "R | Net Profit | -150.00 | 1000.00",
      "R | Owner A Funds Introduced | 5000.00 | 0.00",
      "T | Closing Equity | 5850.00 | 1000.00",
      'S ""',
      "R | Net Assets | 5850.00 | 1000.00",
      "T | Difference | 0.00 | 0.00",
    ]);
  });

  test.each(
    firstOf([
      [1, "false"],
      [2, "true"],
    ] as const),
  )(
    "changes in equity end at the net assets, whatever a business records (seed %i, cash basis %s)",
    async (seed, cash) => {
      const given = await world();
      await simulate(await opened(given), {
        from: "2026-02-15",
        to: "2026-06-20",
        count: 120,
        seed,
      });
      await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-05-20", Rate: 0.8 });
      for (const [fromDate, toDate] of [
        ["2026-03-12", "2026-05-31"],
        ["2026-04-01", "2026-06-30"],
      ] as const) {
        const query = { fromDate, toDate, paymentsOnly: cash };
        const rows = await reportRows(given, "Equity", query);
        expect(rows.Difference).toEqual(["0.00"]);
        const sheet = await reportRows(given, "BalanceSheet", { date: toDate, paymentsOnly: cash });
        expect(rows["Closing Equity"]?.[0]).toBe(sheet["Net Assets"]?.[0]);
        const profit = await reportRows(given, "ProfitAndLoss", query);
        expect(rows["Net Profit"]).toEqual(profit["Net Profit"]);
      }
    },
  );
});

describe("budget variance", () => {
  const planned = (given: World, lines: readonly Json[]) =>
    given.ok("PUT", "/Budgets", {
      Type: "OVERALL",
      Description: "Plan",
      BudgetLines: lines.map(([account, ...balances]: Json) => ({
        AccountCode: account,
        BudgetBalances: balances.map(([Period, Amount]: Json) => ({ Period, Amount })),
      })),
    });

  test("budget variance is the actual amount less the budget, in whole months", async () => {
    const given = await traded();
    await planned(given, [
      ["200", ["2026-02", 900], ["2026-03", 400]],
      ["469", ["2026-03", 450]],
      ["400", ["2026-03", 80]],
    ]);
    const query = { fromDate: "2026-03-10", toDate: "2026-03-12" };
    const made = await report(given, "BudgetVariance", query);
    expect(made.ReportTitles.at(-1)).toBe("March 2026");
    expect(drawn(made)).toEqual([
      "H | Account | Actual | Budget | Variance | % | Favourable",
      'S "Income"',
      "R | Sales | 300.00 | 400.00 | -100.00 | -25.0% | No",
      "T | Total Income | 300.00 | 400.00 | -100.00 | -25.0% | No",
      'S ""',
      "R | Gross Profit | 300.00 | 400.00 | -100.00 | -25.0% | No",
      'S "Less Operating Expenses"',
      "R | Advertising | 0.00 | 80.00 | -80.00 | -100.0% | Yes",
      "R | Rent | 450.00 | 450.00 | 0.00 | 0.0% | Yes",
      "T | Total Operating Expenses | 450.00 | 530.00 | -80.00 | -15.1% | Yes",
      'S ""',
      "R | Net Profit | -150.00 | -130.00 | -20.00 | -15.4% | No",
    ]);
    const both = await reportRows(given, "BudgetVariance", {
      fromDate: "2026-02-01",
      toDate: "2026-03-31",
    });
    expect(both.Sales).toEqual(["1300.00", "1300.00", "0.00", "0.0%", "Yes"]);
  });

  test("in the budget variance, an account without a budget has no percentage", async () => {
    const rows = await reportRows(await traded(), "BudgetVariance", {
      fromDate: "2026-03-01",
      toDate: "2026-03-31",
    });
    expect(rows.Sales).toEqual(["300.00", "0.00", "300.00", "", "Yes"]);
  });
});
