/**
 * Whatever is done last and undone leaves every report as it was before it, over random business; what
 * was undone and is done again leaves it as it was after; and history only grows.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../support/runs.ts";
import { opened, step, take } from "../business.ts";
import { faultsIn, isOnPostgres, isOverPort, type Json, type World, world } from "../fixture.ts";

const day = "2026-06-30";
const year = { fromDate: "2026-01-01", toDate: day };

const reports: readonly (readonly [name: string, query: Readonly<Record<string, string>>])[] = [
  ["TrialBalance", { date: day }],
  ["TrialBalance", { date: day, paymentsOnly: "true" }],
  ["ProfitAndLoss", year],
  ["BalanceSheet", { date: day }],
  ["BankSummary", year],
  ["AgedReceivables", { date: day }],
  ["AgedPayables", { date: day }],
  ["TaxSummary", year],
];

/** A report without rows that come to nothing, which accounts have that were posted to and reversed. */
function withoutZeros(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutZeros).filter((each) => !isEmpty(each));
  if (typeof value !== "object" || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !/^(ReportID|UpdatedDateUTC)$/.test(name));
  return Object.fromEntries(kept.map(([name, each]) => [name, withoutZeros(each)]));
}

function isEmpty(row: Json): boolean {
  if (row?.RowType === "Section") return row.Rows?.length === 0;
  const figures = row?.Cells?.slice(1).map((cell: Json) => String(cell?.Value ?? ""));
  return figures?.every((each: string) => /^(0(\.00)?)?$/.test(each)) === true;
}

async function reported(given: World): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [name, query] of reports) {
    const answer = await given.ok("GET", `/Reports/${name}`, undefined, { query });
    found[`${name} ${JSON.stringify(query)}`] = JSON.stringify(withoutZeros(answer.Reports));
  }
  return found;
}

const log = async (given: World): Promise<Json[]> =>
  (
    await given.ok("GET", "/Extensions/Operations", undefined, {
      query: { page: "1", pageSize: "1" },
    })
  ).Operations;

/** Undoes an operation. @returns why it is refused; undefined where it was done */
async function undo(given: World, id: string): Promise<string | undefined> {
  const planned = await given.ask("POST", `/Extensions/Operations/${id}/Undo`, {});
  if (planned.status !== 200) {
    expect([400], planned.text).toContain(planned.status);
    return planned.text;
  }
  await given.ok("POST", "/Extensions/Plans/Apply", planned.json.Plans[0]);
  return undefined;
}

const [books, lengths] =
  isOverPort || isOnPostgres
    ? [runs(12), { minLength: 10, maxLength: 30 }]
    : [runs(60), { minLength: 5, maxLength: 40 }];

/** What becomes of a step: it stays, is undone, or undone and done again. */
const fates = fc.constantFrom("stays", "stays", "undone", "again");

test("what is undone leaves every report as it was before", { timeout: 600_000 }, async () => {
  const counts = { undone: 0, refused: 0, again: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(step, fates), lengths), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, [each, fate]] of steps.entries()) {
        const before = fate === "stays" ? {} : await reported(given);
        const [earlier] = await log(given);
        const answer = await take(business, each, `2026-0${2 + (at % 4)}-28`);
        if (answer?.status !== 200 || fate === "stays") continue;
        const [last] = await log(given);
        if (last.OperationID === earlier.OperationID) continue;
        const after = await reported(given);
        const refusal = await undo(given, last.OperationID);
        if (refusal !== undefined) {
          counts.refused += 1;
          expect(await reported(given), refusal).toEqual(after);
          continue;
        }
        counts.undone += 1;
        expect(await reported(given), last.Summary).toEqual(before);
        if (fate !== "again") continue;
        const [taken] = await log(given);
        expect(taken.Undoes).toBe(last.OperationID);
        if ((await undo(given, taken.OperationID)) !== undefined) continue;
        counts.again += 1;
        expect(await reported(given), `again: ${last.Summary}`).toEqual(after);
      }
      expect(await faultsIn(given)).toEqual([]);
      await given.book.close();
    }),
    { numRuns: books },
  );
  // A run in which everything is refused would show nothing.
  expect(counts.undone).toBeGreaterThan(counts.refused);
  expect(counts.again).toBeGreaterThan(0);
});
