/** As much as an answer tells one by one: parts of figures, and documents behind the boxes of a return. */
import type { KyselyPlugin, Transaction } from "kysely";
import { expect, test } from "vitest";
import type { SumPart } from "../../../src/service/explain/origin.ts";
import { monthParts, postingParts } from "../../../src/service/explain/posting-parts.ts";
import { loadChart } from "../../../src/service/lookups/chart-of-accounts.ts";
import { detailMax, taxedDocuments } from "../../../src/service/reports/tax/tax-sums.ts";
import { accountPostings } from "../../../src/store/queries/explained.ts";
import { contact, invoiced, sale, world } from "../fixture.ts";

/** Counts the rows that queries answer with. */
const countingRows = (rows: { read: number }): KyselyPlugin => ({
  transformQuery: ({ node }) => node,
  transformResult: async ({ result }) => {
    rows.read += result.rows.length;
    return result;
  },
});

const part = (date: string): SumPart => ({ label: date, date, amount: 100 });
const parts = ["2026-01-05", "2026-01-09", "2026-02-03"].map(part);

test("parts of a figure are listed one by one up to the answer's limit, and by month beyond it", () => {
  const detail = { all: true, room: { parts: 4 } };
  expect(monthParts(parts, detail)).toEqual(parts);
  expect(monthParts(parts, detail)).toEqual([
    { label: "January 2026, 2 documents", amount: 200 },
    { label: "February 2026, 1 document", amount: 100 },
  ]);
  expect(monthParts(parts.slice(0, 2), detail)).toEqual([
    { label: "5 Jan 2026, 1 document", amount: 100 },
    { label: "9 Jan 2026, 1 document", amount: 100 },
  ]);
  expect(monthParts(parts.slice(0, 1), detail)).toEqual(parts.slice(0, 1));
});

test("explaining a figure of many postings reads a row a day, and of a single day the first postings alone", async () => {
  const given = await world();
  const party = await contact(given);
  const numbers = Array.from({ length: 90 }, (_, at) => at);
  const Invoices = numbers.map((at) => ({
    ...sale(party),
    Status: "AUTHORISED",
    Date: at < 70 ? "2026-03-05" : "2026-03-06",
  }));
  await given.ok("PUT", "/Invoices", { Invoices });
  const told = (from: string, to: string, all: boolean) =>
    given.book.store.read(given.book.org, async (tx) => {
      const chart = await loadChart(tx);
      const rows = { read: 0 };
      const counting = {
        ...tx,
        db: (tx.db as Transaction<never>).withPlugin(countingRows(rows)) as never,
      };
      const account = chart.accounts.find(({ Code }) => Code === "200")?.AccountID ?? "";
      const set = accountPostings({ basis: "accrual", account, from, to, measure: "net" });
      const reading = { tx: counting, chart, organisation: { OrganisationID: "" } as never };
      const found = await postingParts(reading, set, { all });
      const sum = found.reduce((total, { amount }) => total + amount, 0);
      return { labels: found.map(({ label }) => label), sum, rows: rows.read };
    });
  expect(await told("2026-03-01", "2026-03-31", false)).toEqual({
    labels: ["5 Mar 2026, 70 postings", "6 Mar 2026, 20 postings"],
    sum: -900_000,
    rows: 2,
  });
  const day = await told("2026-03-05", "2026-03-05", false);
  expect([day.labels.at(-1), day.labels.length]).toEqual(["10 more postings of that day", 61]);
  expect([day.sum, day.rows]).toEqual([-700_000, 61]);
  expect((await told("2026-03-01", "2026-03-31", true)).labels).toHaveLength(90);
});

test("each part of an explained figure lists each of its records once", async () => {
  const given = await world();
  await contact(given);
  await invoiced(given, { Status: "AUTHORISED" });
  const query = { row: "200", fromDate: "2026-03-01", toDate: "2026-03-31", all: "true" };
  const path = "/Extensions/Explain/Reports/ProfitAndLoss";
  const [{ Rows }] = (await given.ok("GET", path, undefined, { query })).Reports;
  const [first, ...others] = Rows[1].Rows[0].Cells;
  expect(first.Attributes.map(({ Id }: { Id: string }) => Id)).toContain("account");
  expect(others.filter((cell: object) => "Attributes" in cell)).toEqual([]);
});

test("explaining a return with more documents than an answer holds is refused, with fewer days as the remedy", () => {
  const rows = Array.from({ length: detailMax + 1 }, () => ({}) as never);
  expect(() => taxedDocuments({} as never, rows, false, detailMax)).toThrow(
    /more than the 12,000 rows that an answer takes\. Ask for fewer days/,
  );
});
