/** Years of random business in several countries, in every audit format, against the ledger. */
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Country } from "../../../src/ledger/regions/index.ts";
import { openBook } from "../../../src/service/books/book.ts";
import { createDemoBook } from "../../../src/service/books/demo.ts";
import { opened, simulate } from "../../service/business.ts";
import { asking, faultsIn, world } from "../../service/fixture.ts";
import { folder } from "./audit.ts";
import { checkYear, describeCompany } from "./audit-checks.ts";

const years: Readonly<Partial<Record<Country, readonly [from: string, to: string][]>>> = {
  NZ: [
    ["2025-04-01", "2026-03-31"],
    ["2026-04-01", "2027-03-31"],
  ],
  AU: [
    ["2025-07-01", "2026-06-30"],
    ["2026-07-01", "2027-06-30"],
  ],
  GB: [
    ["2025-04-01", "2026-03-31"],
    ["2026-04-01", "2027-03-31"],
  ],
  CA: [
    ["2025-01-01", "2025-12-31"],
    ["2026-01-01", "2026-12-31"],
  ],
  GLOBAL: [
    ["2025-01-01", "2025-12-31"],
    ["2026-01-01", "2026-12-31"],
  ],
};

test.each(
  (Object.keys(years) as Country[]).flatMap((country) =>
    [1, 2, 3].map((seed) => ({ country, seed })),
  ),
)(
  "audit files of random business in $country (seed $seed) match the ledger to the cent",
  { timeout: 600_000 },
  async (run) => {
    const given = await world(run.country);
    const business = await opened(given);
    await describeCompany(given);
    given.now = Date.parse("2025-09-01");
    const span = { from: "2025-09-01", to: "2026-12-20", count: 400 };
    await simulate(business, { ...span, seed: 7919 * run.seed });
    expect(await faultsIn(given)).toEqual([]);
    for (const [from, to] of years[run.country] ?? []) {
      expect(await checkYear(given, { from, to })).toBeGreaterThan(50);
    }
  },
);

test("audit files of the sample company match its ledger to the cent", {
  timeout: 600_000,
}, async () => {
  const path = join(folder, "sample.acct");
  await createDemoBook(path);
  const sampleNow = Date.parse("2026-11-20");
  const book = await openBook(path, { clock: () => sampleNow });
  onTestFinished(() => book.close());
  const given = asking({ book, mail: [], bugs: [], now: sampleNow });
  await describeCompany(given);
  expect(await checkYear(given, { from: "2026-04-01", to: "2027-03-31" })).toBeGreaterThan(100);
});
