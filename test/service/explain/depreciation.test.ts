/** Depreciation taken apart: each month is worked out anew, and comes to what was posted. */
import { expect, test } from "vitest";
import { fc, runs } from "../../support/properties.ts";
import { isOnPostgres, isOverPort, type Json, type World, world } from "../fixture.ts";
import { faultOf } from "./figures.ts";

const accounts = {
  ...{ AssetAccount: { Code: "710" }, AccumulatedAccount: { Code: "711" } },
  ExpenseAccount: { Code: "416" },
};
const path = "/Extensions/Explain/Reports/FixedAssets";

async function explained(
  given: World,
  number: string,
  column: string,
  all = "true",
): Promise<Json> {
  const query = { row: number, column, date: "2026-03-31", all };
  return (await given.ok("GET", path, undefined, { query })).Reports[0];
}

/** Parts with the texts of their cells by heading. */
function partsOf({ Rows }: Json): Record<string, string>[] {
  const [header, ...sections] = Rows;
  const headings = header.Cells.map(({ Value }: Json) => Value);
  return sections
    .flatMap(({ Rows: own = [] }: Json) => own)
    .filter(({ RowType }: Json) => RowType === "Row")
    .map(({ Cells }: Json) =>
      Object.fromEntries(Cells.map(({ Value = "" }: Json, at: number) => [headings[at], Value])),
    );
}

/** A sum, product or quotient as it is written. */
function worth(text: string): number {
  const plain = text
    .replaceAll(/months|days|years/g, "")
    .replaceAll("%", "/ 100")
    .trim();
  const bracket = /\(([^()]*)\)/.exec(plain);
  if (bracket !== null) return worth(plain.replace(bracket[0], String(worth(bracket[1] ?? ""))));
  const sum = (terms: string) =>
    terms.split(" + ").reduce((total, term) => total + product(term), 0);
  return sum(plain);
}

function product(term: string): number {
  const [first = "0", ...rest] = term.trim().split(/ (?=[x/] )/);
  return rest.reduce((value, step) => {
    const number = Number(step.slice(2));
    return step.startsWith("x") ? value * number : value / number;
  }, Number(first));
}

/** What is wrong with a working, which must come to an amount. */
function workingFault({ Working = "", Amount = "" }: Record<string, string>): string | undefined {
  const match =
    /^(.+) = (-?[\d.]+)…?(?:, rounded|, at most ([\d.]+))?(?:; less ([\d.]+) before)?$/.exec(
      Working,
    );
  if (match === null) return `not worked out: ${Working}`;
  const [, left = "", exact = "", most, before = "0"] = match;
  if (Math.abs(worth(left) - Number(exact)) > 0.00001) return `${left} is not ${exact}`;
  const reached = most ?? exact;
  const difference = Number(reached) - Number(before) - Number(Amount);
  return Math.abs(difference) <= 0.0050001 ? undefined : `${Working} is not ${Amount}`;
}

const asset = fc.record({
  cents: fc.integer({ min: 1, max: 9_000_000 }),
  residual: fc.integer({ min: 0, max: 60 }),
  limit: fc.constantFrom(undefined, 40, 100),
  bought: fc.integer({ min: 0, max: 900 }),
  opening: fc.constantFrom(0, 0, 0, 13),
  terms: fc.constantFrom(
    ...[{ Rate: 40 }, { Rate: 33.3333 }, { Life: 3 }, { Life: 2.5 }, { Life: 0.5 }].map((each) => ({
      Method: "StraightLine",
      ...each,
    })),
    ...["100", "150", "200"].flatMap((factor) => [
      { Method: `DiminishingValue${factor}`, Life: 4 },
      { Method: `DiminishingValue${factor}`, Rate: 67 },
    ]),
  ),
  Averaging: fc.constantFrom("FullMonth", "ActualDays"),
});

const isElsewhere = isOverPort || isOnPostgres;

test("each month's depreciation of random assets equals its explained computation", {
  timeout: 600_000,
}, async () => {
  let months = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(asset, { minLength: 3, maxLength: 12 }), async (drawn) => {
      const given = await world();
      const assets = drawn.map((each, at) => {
        const { cents, residual, limit, bought, opening, terms, Averaging } = each;
        const day = new Date(Date.UTC(2026, 2, 1) - bought * 86_400_000).toISOString().slice(0, 10);
        const Cost = cents / 100;
        const share = (percent: number) => Math.floor((cents * percent) / 100) / 100;
        return {
          ...{ Name: `Asset ${at}`, Cost, PurchaseDate: day, Averaging, ...terms, ...accounts },
          ...(limit === undefined ? {} : { CostLimit: Math.max(0.01, share(limit)) }),
          ResidualValue: share(Math.min(residual, limit ?? 100) / 2),
          ...(opening === 0 || day > "2025-03-31"
            ? {}
            : { OpeningAccumulated: share(opening / 2), OpeningDate: "2025-03-31" }),
        };
      });
      const made = (await given.ok("PUT", "/Extensions/Assets", { Assets: assets })).Assets;
      await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
        query: { to: "2026-03-31" },
      });
      for (const { AssetNumber } of made) {
        for (const column of ["Year", "Opening accumulated"]) {
          const told = await explained(given, AssetNumber, column);
          const figure = told.Fields.find(({ FieldID }: Json) => FieldID === "Figure").Value;
          expect(faultOf(told, figure)).toBeUndefined();
          for (const part of partsOf(told)) {
            if (part.Part?.startsWith("Accumulated before")) continue;
            expect(workingFault(part)).toBeUndefined();
            months += 1;
          }
        }
      }
      await given.book.close();
    }),
    { numRuns: isElsewhere ? runs(16) : runs(48) },
  );
  expect(months).toBeGreaterThan(10);
});

test("a disposed asset is explained as depreciated up to the month before the disposal", async () => {
  const given = await world();
  const own = { PurchaseDate: "2026-01-10", Method: "StraightLine", Rate: 40, Cost: 1999.99 };
  const { Assets } = await given.ok("PUT", "/Extensions/Assets", {
    Assets: ["Laptop", "Press"].map((Name) => ({ ...own, ...accounts, Name })),
  });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-01-31" },
  });
  await given.ok("POST", `/Extensions/Assets/${Assets[1].AssetID}/Dispose`, {
    ...{ Date: "2026-03-20", Proceeds: 900, ProceedsAccount: { Code: "260" } },
    ...{ GainAccount: { Code: "270" }, LossAccount: { Code: "429" } },
  });
  const laptop = partsOf(await explained(given, "FA-0001", "Year"));
  expect(laptop.map(({ Working }) => Working)).toEqual([
    "1999.99 x 40 % x 1 / 12 months = 66.666333…, rounded",
  ]);
  const press = partsOf(await explained(given, "FA-0002", "Year"));
  expect(press.map(({ Date: day, Working }) => [day, Working])).toEqual([
    ["2026-01-31", "1999.99 x 40 % x 1 / 12 months = 66.666333…, rounded"],
    ["2026-03-20", "1999.99 x 40 % x 2 / 12 months = 133.332666…, rounded; less 66.67 before"],
  ]);
});

test("depreciation posted before a change of the year end is explained as it was posted", async () => {
  const given = await world();
  const own = { PurchaseDate: "2024-05-10", Method: "DiminishingValue150", Life: 4, Cost: 9000 };
  await given.ok("PUT", "/Extensions/Assets", { ...own, ...accounts, Name: "Press" });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-01-31" },
  });
  await given.ok("POST", "/Organisation/Settings", {
    ...{ FinancialYearEndDay: 30, FinancialYearEndMonth: 6 },
  });
  const [part] = partsOf(await explained(given, "FA-0001", "Year")).toReversed();
  expect(part?.Working).toBe("posted so; the terms of the asset make another amount");
});

test("the book value of an asset is explained by the columns of the asset report", async () => {
  const given = await world();
  const own = { PurchaseDate: "2024-05-10", Method: "StraightLine", Life: 4, Cost: 9600 };
  await given.ok("PUT", "/Extensions/Assets", { ...own, ...accounts, Name: "Press" });
  await given.ok("POST", "/Extensions/Assets/Depreciate", undefined, {
    query: { to: "2026-03-31" },
  });
  const told = partsOf(await explained(given, "FA-0001", "Book value", "false"));
  expect(told.map(({ Part, Amount }) => [Part, Amount])).toEqual([
    ["Cost", "9600.00"],
    ["Opening accumulated", "-2200.00"],
    ["Year", "-2400.00"],
  ]);
});
