import { describe, expect, test } from "vitest";
import { sumItemsMax, sumPartsMax, sumSearch } from "../../../src/ledger/bank-matching/sums.ts";
import type { Cents } from "../../../src/ledger/money.ts";
import { fc, runs } from "../../support/properties.ts";

const of = (...items: number[]) => sumSearch(items as Cents[]);

describe("selections of documents with a given sum", () => {
  test.each([
    ["one item", [100, 200, 400], 200, { kind: "one", places: [1] }],
    ["two items", [100, 200, 400], 500, { kind: "one", places: [0, 2] }],
    ["all items", [100, 200, 400], 700, { kind: "one", places: [0, 1, 2] }],
    ["an invoice less a credit note", [1000, -150, 333], 850, { kind: "one", places: [0, 1] }],
    ["nothing fits", [100, 200, 400], 650, { kind: "none" }],
    ["nothing to choose from", [], 100, { kind: "none" }],
    ["no selection is no solution", [100, 200], 0, { kind: "none" }],
  ])(
    'case "%s": among the amounts %j, the search for the sum %s finds %j',
    (_, items, target, expected) => {
      expect(of(...items)(target as Cents)).toEqual(expected);
    },
  );

  test("a second selection of documents with the same sum is reported as ambiguous", () => {
    expect(of(100, 200, 300)(300 as Cents).kind).toBe("several");
    expect(of(100, 100)(100 as Cents).kind).toBe("several");
    // an invoice and its credit note can be added to any selection
    expect(of(700, 50, -50)(700 as Cents).kind).toBe("several");
  });

  test("a selection of more than eight documents is not found", () => {
    const ones = Array.from({ length: 10 }, (_, place) => 1 << place);
    expect(of(...ones)((2 ** 8 - 1) as Cents).kind).toBe("one");
    expect(of(...ones)((2 ** 9 - 1) as Cents).kind).toBe("none");
  });

  test("no selection is searched among more than 24 documents", () => {
    const items = Array.from({ length: sumItemsMax + 1 }, (_, place) => place + 1);
    expect(of(...items)(1 as Cents)).toEqual({ kind: "unknown" });
  });

  test("the search for a sum stops with an unknown result when there are too many selections of equal amounts", () => {
    const items = Array.from({ length: sumItemsMax }, () => 100);
    expect(of(...items)(2400 as Cents)).toEqual({ kind: "none" });
    expect(of(...items)(1200 as Cents)).toEqual({ kind: "unknown" });
    expect(of(...items)(300 as Cents).kind).toBe("several");
  });
});

test("the search for a sum finds the same selections as trying all of them", () => {
  const item = fc.integer({ min: -40, max: 60 }).filter((value) => value !== 0);
  fc.assert(
    fc.property(
      fc.array(item, { maxLength: 10 }),
      fc.integer({ min: 1, max: 200 }),
      (items, sum) => {
        let count = 0;
        for (let mask = 1; mask < 1 << items.length; mask += 1) {
          const places = items.flatMap((_, place) => (mask & (1 << place) ? [place] : []));
          const total = places.reduce((all, place) => all + (items[place] ?? 0), 0);
          if (total === sum && places.length <= sumPartsMax) count += 1;
        }
        const found = of(...items)(sum as Cents);
        expect(found.kind).toBe(count === 0 ? "none" : count === 1 ? "one" : "several");
        if (found.kind === "one" || found.kind === "several") {
          expect(new Set(found.places).size).toBe(found.places.length);
          expect(found.places.reduce((all, place) => all + (items[place] ?? 0), 0)).toBe(sum);
        }
      },
    ),
    { numRuns: runs(800) },
  );
});
