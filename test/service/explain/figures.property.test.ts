/** Every figure of every report is the sum of its parts, whatever was done with the books. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { reports } from "../../../src/resources/report.ts";
import { runs } from "../../support/runs.ts";
import { opened, step, take } from "../business.ts";
import { isOnPostgres, isOverPort, world } from "../fixture.ts";
import { faultsOfReport, questionsOf } from "./figures.ts";

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
        expect(found).toEqual([]);
        await given.book.close();
      },
    ),
    // A run takes as long as many questions do: what fails is told by its seed, not made smaller.
    { numRuns: isElsewhere ? 2 : runs(16), endOnFailure: true },
  );
  const unseen = Object.keys(reports).filter((name) => (seen.get(name) ?? 0) === 0);
  // Books of random business have no assets; these have a test of their own.
  expect(unseen.filter((name) => name !== "FixedAssets")).toEqual([]);
});
