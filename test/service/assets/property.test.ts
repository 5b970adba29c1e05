/** Whatever is done with assets, the register agrees with its accounts, and all of it can be taken back. */
import { expect, test } from "vitest";
import { depreciationMethods } from "../../../src/resources/asset.ts";
import { fc } from "../../support/properties.ts";
import { faultsIn, type Json, openedWorld, reportRows, type World } from "../fixture.ts";

const path = "/Extensions/Assets";
const monthEnds = ["2026-01-31", "2026-02-28", "2026-03-31"] as const;

type Deed =
  | { readonly kind: "run" | "rollback"; readonly to: string }
  | { readonly kind: "dispose"; readonly at: number; readonly body: object };

const cents = (min: number, max: number) => fc.integer({ min, max }).map((each) => each / 100);

const anyAsset = fc
  .record({
    Cost: cents(1, 500_000),
    kept: fc.integer({ min: 0, max: 100 }),
    Method: fc.constantFrom(...depreciationMethods),
    Averaging: fc.constantFrom("FullMonth", "ActualDays"),
    Rate: fc.integer({ min: 1, max: 100 }),
    Life: fc.integer({ min: 1, max: 20 }),
    isByRate: fc.boolean(),
    day: fc.integer({ min: 10, max: 31 }),
    account: fc.constantFrom("710", "720"),
  })
  .map(({ Cost, kept, isByRate, day, account, Rate, Life, Method, Averaging }) => ({
    Name: "Thing",
    Cost,
    ResidualValue: Math.floor(Cost * kept) / 100,
    Method,
    Averaging,
    ...(Method === "NoDepreciation" ? {} : isByRate ? { Rate } : { Life }),
    PurchaseDate: `2025-12-${day}`,
    AssetAccount: { Code: account },
  }));

const anyDeed: fc.Arbitrary<Deed> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom(...monthEnds).map((to) => ({ kind: "run", to }) as const),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...monthEnds).map((to) => ({ kind: "rollback", to }) as const),
  },
  {
    weight: 2,
    arbitrary: fc
      .record({
        at: fc.nat(3),
        day: fc.integer({ min: 1, max: 28 }),
        month: fc.integer({ min: 1, max: 3 }),
        Proceeds: cents(0, 700_000),
        Depreciation: fc.constantFrom("TODATE", "NONE"),
      })
      .map(({ at, day, month, Proceeds, Depreciation }) => ({
        kind: "dispose" as const,
        at,
        body: {
          Date: `2026-0${month}-${String(day).padStart(2, "0")}`,
          Proceeds,
          Depreciation,
          ProceedsAccount: { Code: "260" },
        },
      })),
  },
);

async function balances(given: World) {
  const rows = await reportRows(given, "TrialBalance", { date: "2026-03-31" });
  return Object.entries(rows)
    .map(([name, cells]) => [name, Number(cells.at(-2) || 0) - Number(cells.at(-1) || 0)] as const)
    .filter(([, amount]) => amount !== 0);
}

async function done(given: World, deed: Deed): Promise<number> {
  if (deed.kind === "dispose") {
    const { Assets } = await given.ok("GET", path);
    const { AssetID } = Assets[deed.at % Assets.length];
    return (await given.ask("POST", `${path}/${AssetID}/Dispose`, deed.body)).status;
  }
  const verb = deed.kind === "run" ? "Depreciate" : "Rollback";
  const query = { to: deed.to };
  return (await given.ask("POST", `${path}/${verb}`, undefined, { query })).status;
}

test("any depreciation runs, disposals and undos keep the asset register and the ledger in agreement", async () => {
  const numRuns = process.env.TEST_RUNS === "all" ? 60 : 8;
  let disposed = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyAsset, { minLength: 1, maxLength: 4 }),
      fc.array(anyDeed, { minLength: 1, maxLength: 8 }),
      async (inputs, deeds) => {
        const given = await openedWorld("NZ", {});
        try {
          await given.ok("PUT", path, { Assets: inputs });
          const cost = inputs.map(({ Cost, AssetAccount }) => ({
            AccountCode: AssetAccount.Code,
            LineAmount: Cost,
          }));
          const total = inputs.reduce((sum, { Cost }) => sum + Math.round(Cost * 100), 0);
          await given.ok("PUT", "/ManualJournals", {
            Narration: "Bought",
            Date: "2025-12-31",
            Status: "POSTED",
            JournalLines: [...cost, { AccountCode: "970", LineAmount: -total / 100 }],
          });
          const before = await balances(given);
          for (const deed of deeds) {
            const status = await done(given, deed);
            expect([200, 400]).toContain(status);
            if (status === 200 && deed.kind === "dispose") disposed += 1;
            for (const date of monthEnds) {
              const { Difference = [] } = await reportRows(given, "FixedAssets", { date });
              expect(Difference.filter((each) => each !== "")).toEqual(["0.00", "0.00", "0.00"]);
            }
          }
          for (const each of (await given.ok("GET", path)).Assets as Json[]) {
            const isGone = each.Status === "DISPOSED";
            expect(each.BookValue).toBeGreaterThanOrEqual(isGone ? 0 : each.ResidualValue);
          }
          expect(await faultsIn(given)).toEqual([]);
          await given.ok("POST", `${path}/Rollback`, undefined, { query: { to: "2025-11-30" } });
          expect(await balances(given)).toEqual(before);
          expect(await faultsIn(given)).toEqual([]);
        } finally {
          await given.book.close();
        }
      },
    ),
    { numRuns },
  );
  expect(disposed).toBeGreaterThan(0);
});
