/** Reports in the layout of an accountant's papers: what stands at the foot, and its headings. */
import { describe, expect, test } from "vitest";
import { type ReportName, reports } from "../../../src/resources/report.ts";
import { opened, simulate } from "../business.ts";
import { type Json, sharedWorld, type World, world } from "../fixture.ts";
import { worldOf } from "./report-text.ts";
import { basis } from "./tax/returns.ts";

const shared = sharedWorld(async (given) => {
  const business = await opened(given);
  await simulate(business, { from: "2026-02-10", to: "2026-05-31", count: 80, seed: 11 });
});

const layout = { layout: "accountant" };

const ask = async (given: World, path: string, query: Record<string, string>): Promise<Json> =>
  (await given.ok("GET", `/Reports/${path}`, undefined, { query })).Reports[0];

describe("the foot of a report", () => {
  test.each(Object.keys(reports) as ReportName[])(
    "%s says when and by whom it was prepared, and how far the books are locked",
    async (name) => {
      const given = await worldOf(name, shared);
      const { parameters } = reports[name];
      const [{ ContactID = "" } = {}] = (await given.ok("GET", "/Contacts")).Contacts;
      const needed: Record<string, string> = {
        ...("contactID" in parameters ? { contactID: ContactID } : {}),
        ...("accountID" in parameters ? { accountID: "090" } : {}),
      };
      const plain = await ask(given, name, needed);
      const laid = await ask(given, name, { ...needed, ...layout });
      expect(plain.ReportNotes).toBeUndefined();
      expect(laid.ReportNotes).toEqual([
        expect.stringMatching(/^Prepared on \d+ \w+ 2026, \d\d:\d\d, by Tess Tester$/),
        "Not locked",
        expect.stringMatching(/^.* of 1 \w+ 2026 to 31 \w+ 2026 not published$/),
      ]);
      expect(laid.ReportTitles.join()).not.toContain("Prepared");
      const said = name === "CashFlow" ? "Cash basis, in" : "Accrual basis, in";
      expect(laid.ReportTitles.at(-1)).toContain(said);
    },
  );

  test("the time is that of the organisation, and the last locked day is said", async () => {
    const given = await world();
    await given.ok("POST", "/Organisation/Settings", { PeriodLockDate: "2026-01-31" });
    given.now = Date.UTC(2026, 2, 31, 20, 5);
    const { ReportNotes } = await ask(given, "TrialBalance", layout);
    expect(ReportNotes.slice(0, 2)).toEqual([
      "Prepared on 1 April 2026, 09:05, by Tess Tester",
      "Locked up to 31 January 2026",
    ]);
  });

  test("the profit and loss has the year before where there were books then", async () => {
    const given = await world();
    const party = (await given.ok("PUT", "/Contacts", { Name: "Moa" })).Contacts[0];
    const headings = async (day: string) => {
      await given.ok("PUT", "/Invoices", {
        ...{ Type: "ACCREC", Contact: { ContactID: party.ContactID }, Date: day, DueDate: day },
        Status: "AUTHORISED",
        LineItems: [{ Description: "Cups", UnitAmount: 10, AccountCode: "200" }],
      });
      const june = { fromDate: "2026-06-01", toDate: "2026-06-30", ...layout };
      return (await ask(given, "ProfitAndLoss", june)).Rows[0].Cells.length;
    };
    expect(await headings("2026-06-10")).toBe(3);
    expect(await headings("2025-06-10")).toBe(4);
  });

  test("a tax period without a published return is said of reports that end in it", async () => {
    const given = await world();
    await basis(given, "INVOICE");
    await given.ok("POST", "/Organisation/Settings", { SalesTaxPeriod: "TWOMONTHS" });
    const notes = async (query: Record<string, string>) =>
      (await ask(given, "ProfitAndLoss", { ...query, ...layout })).ReportNotes.slice(2);
    const february = { fromDate: "2026-02-01", toDate: "2026-02-28" };
    expect(await notes(february)).toEqual([
      "GST Return of 1 February 2026 to 31 March 2026 not published",
    ]);
    await given.ok("PUT", "/Reports", {
      ReportType: "GSTReturn",
      FromDate: "2026-02-01",
      ToDate: "2026-03-31",
    });
    expect(await notes(february)).toEqual([]);
    expect(await notes({ fromDate: "2026-04-01", toDate: "2026-04-30" })).toEqual([
      "GST Return of 1 April 2026 to 31 May 2026 not published",
    ]);
    const draft = await ask(given, "GSTReturn", { ...february, ...layout });
    expect(draft.ReportNotes.slice(1)).toEqual(["Not locked"]);
    expect(draft.ReportTitles.at(-1)).toMatch(
      /^Draft, not published; not a period of this organisation/,
    );
  });
});

test.each([
  [{ fromDate: "2026-04-01", toDate: "2027-03-31" }, "Year to 31 Mar 27"],
  [{ fromDate: "2026-03-01", toDate: "2027-02-28" }, "12 months to 28 Feb 27"],
  [{ fromDate: "2026-07-01", toDate: "2026-09-30" }, "Jul–Sep 26"],
  [{ fromDate: "2026-11-01", toDate: "2026-11-30" }, "Nov 26"],
  [{ fromDate: "2026-11-03", toDate: "2026-11-30" }, "3–30 Nov 26"],
])("a column of %j is headed %s", async (days, heading) => {
  const { Rows } = await ask(await shared(), "CashFlow", { ...days, ...layout });
  expect(Rows[0].Cells[1].Value).toBe(heading);
});
