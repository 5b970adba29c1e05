/** As much as an answer tells one by one: parts of figures, and documents behind the boxes of a return. */
import { expect, test } from "vitest";
import type { SumPart } from "../../../src/service/explain/origin.ts";
import { monthParts } from "../../../src/service/explain/posting-parts.ts";
import { detailMax, taxedDocuments } from "../../../src/service/reports/tax/tax-sums.ts";
import { contact, invoiced, world } from "../fixture.ts";

const part = (date: string): SumPart => ({ label: date, date, amount: 100 });
const parts = ["2026-01-05", "2026-01-09", "2026-02-03"].map(part);

test("parts of a figure are listed one by one up to the answer's limit, and by month beyond it", () => {
  const detail = { all: true, room: { parts: 4 } };
  expect(monthParts(parts, detail)).toEqual(parts);
  expect(monthParts(parts, detail)).toEqual([
    { label: "January 2026, 2 documents", amount: 200 },
    { label: "February 2026, 1 document", amount: 100 },
  ]);
  expect(monthParts(parts.slice(0, 1), detail)).toEqual(parts.slice(0, 1));
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
