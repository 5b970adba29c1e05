/** Every figure of every report is the sum of its parts, whatever was done with the books. */
import { expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import { isOnPostgres, isOverPort, type Json, type World, world } from "../fixture.ts";
import { faultOf, faultsOfReport, furnished, questionsOf, usualReports } from "./figures.ts";

const isElsewhere = isOverPort || isOnPostgres;
const isLong = process.env.TEST_RUNS === "all";
/** Figures of each report in the short mode: from its beginning, its middle and its end. */
const sampled = 6;

test("the explained parts of every report figure add up to it exactly", {
  timeout: 600_000,
}, async () => {
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
  const unseen = usualReports.filter((name) => (seen.get(name) ?? 0) === 0);
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
