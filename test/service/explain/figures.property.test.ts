/** Every figure of every report is the sum of its parts, whatever was done with the books. */
import { expect, test } from "vitest";
import { reports } from "../../../src/resources/report.ts";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import { isOnPostgres, isOverPort, type Json, type World, world } from "../fixture.ts";
import { faultOf, faultsOfReport, questionsOf } from "./figures.ts";

const isElsewhere = isOverPort || isOnPostgres;
const isLong = process.env.TEST_RUNS === "all";
/** Figures of each report in the short mode: from its beginning, its middle and its end. */
const sampled = 6;

test("the parts of every figure add up to it exactly", { timeout: 600_000 }, async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 30, maxLength: 60 }),
      fc.nat(1_000),
      async (steps, offset) => {
        const given = await world();
        const business = await opened(given);
        for (const [at, each] of steps.entries()) {
          await take(business, each, `2026-0${2 + (at % 4)}-28`);
        }
        await given.ok("PUT", "/Currencies/EUR/Rates", { Date: "2026-03-15", Rate: 0.7 });
        await furnished(given);
        const found: string[] = [];
        const questions = await questionsOf(given, { from: "2026-02-10", to: "2026-05-31" });
        for (const [name, query] of questions) {
          const { figures, faults } = await faultsOfReport(given, name, query, (all) => {
            if (isLong && !isElsewhere) return all;
            const stride = Math.max(1, Math.floor(all.length / sampled));
            return all.filter((_, at) => (at + offset) % stride === 0).slice(0, sampled);
          });
          seen.set(name, (seen.get(name) ?? 0) + figures);
          found.push(...faults);
        }
        found.push(...(await faultsOfFiled(given)));
        expect(found).toEqual([]);
        await given.book.close();
      },
    ),
    // A run takes as long as many questions do: what fails is told by its seed, not made smaller.
    { numRuns: isElsewhere ? 2 : runs(10), endOnFailure: true },
  );
  const unseen = Object.keys(reports).filter((name) => (seen.get(name) ?? 0) === 0);
  expect(unseen).toEqual([]);
});

/** Boxes of the return that was published, of which more was posted since. */
async function faultsOfFiled(given: World): Promise<string[]> {
  const [{ ReportID }] = (await given.ok("GET", "/Reports")).Reports;
  const [{ Fields }] = (await given.ok("GET", `/Reports/${ReportID}`)).Reports;
  const amounts = Fields.filter(({ Value }: Json) => /^-?\d+\.\d\d$/.test(Value));
  const found: string[] = [];
  for (const { FieldID: row, Value } of amounts) {
    for (const all of ["true", "false"]) {
      const query = { fromDate: "2026-02-01", toDate: "2026-02-28", row, all };
      const path = "/Extensions/Explain/Reports/GSTReturn";
      const fault = faultOf((await given.ok("GET", path, undefined, { query })).Reports[0], Value);
      if (fault !== undefined) found.push(`box ${row} as filed, all=${all}: ${fault}`);
    }
  }
  return found;
}

/** What random business does not make: a budget, assets, lines of the bank, a published return. */
async function furnished(given: World): Promise<void> {
  const months = ["2026-01", "2026-02", "2026-03", "2026-04"];
  const planned = (AccountCode: string, amount: number) => ({
    AccountCode,
    BudgetBalances: months.map((Period, at) => ({ Period, Amount: amount + at })),
  });
  await given.ok("PUT", "/Budgets", {
    Description: "Plan",
    BudgetLines: [planned("200", 900.5), planned("400", 120.25), planned("310", 33.33)],
  });
  const own = {
    ...{ PurchaseDate: "2026-01-10", Method: "StraightLine", Rate: 40 },
    ...{ AssetAccount: { Code: "710" }, AccumulatedAccount: { Code: "711" } },
    ExpenseAccount: { Code: "416" },
  };
  const assets = ["Laptop", "Press"].map((Name, at) => ({ ...own, Name, Cost: 1999.99 + at }));
  const { Assets } = await given.ok("PUT", "/Extensions/Assets", { Assets: assets });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-02-28" },
  });
  await given.ok("POST", `/Extensions/Assets/${Assets[1].AssetID}/Dispose`, {
    Date: "2026-03-20",
    Proceeds: 2100.01,
    ...{ ProceedsAccount: { Code: "260" }, GainAccount: { Code: "270" } },
    CapitalGainAccount: { Code: "200" },
  });
  await given.ok("PUT", "/Extensions/BankStatements", {
    ...{ BankAccount: { Code: "090" }, FromDate: "2026-03-01", ToDate: "2026-03-31" },
    ...{ OpeningBalance: 10, ClosingBalance: 40.5 },
    StatementLines: [
      { Key: "a", Date: "2026-03-05", Amount: 50.75, Payee: "Cuba" },
      { Key: "b", Date: "2026-03-09", Amount: -20.25 },
    ],
  });
  await given.ok("PUT", "/Reports", {
    ...{ ReportType: "GSTReturn", FromDate: "2026-02-01", ToDate: "2026-02-28" },
    Fields: [{ FieldID: "9", Value: "1.50" }],
  });
  const { Invoices } = await given.ok("GET", "/Invoices", undefined, { query: { page: "1" } });
  const late = { Description: "Late", Quantity: 1, UnitAmount: 33.33, AccountCode: "200" };
  await given.ok("PUT", "/Invoices", {
    ...{ Type: "ACCREC", Date: "2026-02-15", DueDate: "2026-03-20", Status: "AUTHORISED" },
    Contact: { ContactID: Invoices[0].Contact.ContactID },
    LineItems: [late],
  });
}
