/** Which backups of a series a rule keeps. */
import { describe, expect, test } from "vitest";
import { keptBy, readKeepRule, writeKeepRule } from "../../src/platform/keep-rule.ts";
import { fc, runs } from "../support/properties.ts";

const at = (text: string) => Date.parse(`${text}:00Z`);
const kept = (rule: string, times: readonly string[]) => {
  const found = keptBy(readKeepRule(rule), times.map(at));
  return times.filter((each) => found.has(at(each)));
};

describe("a rule", () => {
  test.each(["7d,4w,12m", "24h", "1y,2d", " 3d , 1w "])("is read: %s", (text) => {
    expect(writeKeepRule(readKeepRule(text))).toBe(text.replaceAll(" ", ""));
  });

  test.each(["", "7", "d", "0d", "7x", "7d,", "7d,3d", "-1d", "1.5d", "10000d", "7d 4w"])(
    "that is none is refused: %j",
    (text) => {
      expect(() => readKeepRule(text)).toThrow(/--keep takes numbers of hours, days/);
    },
  );
});

describe("kept is", () => {
  test("the newest of each of the last days that have any", () => {
    const times = ["2026-03-01T09:00", "2026-03-03T09:00", "2026-03-03T23:59", "2026-03-04T00:00"];
    expect(kept("2d", times)).toEqual(["2026-03-03T23:59", "2026-03-04T00:00"]);
    expect(kept("9d", times)).toEqual([times[0], times[2], times[3]]);
  });

  test("the newest of weeks that begin on Monday", () => {
    // The first of March 2026 is a Sunday.
    const times = ["2026-02-28T12:00", "2026-03-01T12:00", "2026-03-02T12:00", "2026-03-08T12:00"];
    expect(kept("3w", times)).toEqual(["2026-03-01T12:00", "2026-03-08T12:00"]);
  });

  test("the newest of months and years", () => {
    const times = ["2024-12-31T12:00", "2025-12-01T12:00", "2025-12-31T12:00", "2026-01-01T12:00"];
    expect(kept("2m", times)).toEqual(["2025-12-31T12:00", "2026-01-01T12:00"]);
    expect(kept("3y", times)).toEqual([times[0], times[2], times[3]]);
  });

  test("nothing of nothing", () => {
    expect(keptBy(readKeepRule("7d"), []).size).toBe(0);
  });
});

const units = ["h", "d", "w", "m", "y"] as const;
const rule = fc.uniqueArray(
  fc.record({ unit: fc.constantFrom(...units), count: fc.integer({ min: 1, max: 5 }) }),
  {
    minLength: 1,
    selector: ({ unit }) => unit,
  },
);
/** Some hours apart, over years. */
const moments = fc
  .array(fc.integer({ min: 1, max: 900 }), { minLength: 1, maxLength: 60 })
  .map((gaps) => {
    let now = Date.UTC(2025, 10, 20, 3);
    return gaps.map((hours) => {
      now += hours * 3_600_000;
      return now;
    });
  });

describe("whatever the rule and the backups", () => {
  const always = (check: (rule: ReturnType<typeof readKeepRule>, made: number[]) => void) =>
    fc.assert(fc.property(rule, moments, check), { numRuns: runs(400) });

  test("the newest is kept, and nothing that is not there", () =>
    always((rule, made) => {
      const found = keptBy(rule, made);
      expect(found).toContain(Math.max(...made));
      for (const each of found) expect(made).toContain(each);
    }));

  test("the order in which they are listed has no influence, and doing it again removes none", () =>
    always((rule, made) => {
      const found = keptBy(rule, made);
      expect(keptBy(rule, made.toReversed())).toEqual(found);
      expect(keptBy(rule, [...found])).toEqual(found);
    }));

  test("no more are kept than the rule has counts, and one", () =>
    always((rule, made) => {
      const counts = rule.reduce((sum, { count }) => sum + count, 0);
      expect(keptBy(rule, made).size).toBeLessThanOrEqual(counts + 1);
    }));

  test("a larger count keeps all that a smaller one does", () =>
    always((rule, made) => {
      const larger = rule.map((each) => ({ ...each, count: each.count + 1 }));
      for (const each of keptBy(rule, made)) expect(keptBy(larger, made)).toContain(each);
    }));

  test("thinned out after each backup, the same are left as when that is done once in the end", () =>
    always((rule, made) => {
      let left: number[] = [];
      for (const each of made) left = [...keptBy(rule, [...left, each])];
      expect(new Set(left)).toEqual(keptBy(rule, made));
    }));
});
