/** Which backups of a series a rule keeps. */
import { describe, expect, test } from "vitest";
import { keptBy, readKeepRule, writeKeepRule } from "../../src/platform/keep-rule.ts";
import { fc, runs } from "../support/properties.ts";

const at = (text: string) => Date.parse(`${text}:00Z`);
const kept = (rule: string, times: readonly string[]) => {
  const found = keptBy(readKeepRule(rule), times.map(at));
  return times.filter((each) => found.has(at(each)));
};

describe("the keep rule of backups", () => {
  test.each(["7d,4w,12m", "24h", "1y,2d", " 3d , 1w "])(
    "the keep rule %s for backups is read and written unchanged",
    (text) => {
      expect(writeKeepRule(readKeepRule(text))).toBe(text.replaceAll(" ", ""));
    },
  );

  test.each(["", "7", "d", "0d", "7x", "7d,", "7d,3d", "-1d", "1.5d", "10000d", "7d 4w"])(
    "the keep rule %j for backups is refused as invalid",
    (text) => {
      expect(() => readKeepRule(text)).toThrow(/--keep takes numbers of hours, days/);
    },
  );
});

describe("backups kept by a rule", () => {
  test("a keep rule by days keeps the newest backup of each of the last days that have any", () => {
    const times = ["2026-03-01T09:00", "2026-03-03T09:00", "2026-03-03T23:59", "2026-03-04T00:00"];
    expect(kept("2d", times)).toEqual(["2026-03-03T23:59", "2026-03-04T00:00"]);
    expect(kept("9d", times)).toEqual([times[0], times[2], times[3]]);
  });

  test("a keep rule by weeks keeps the newest backup of weeks that begin on Monday", () => {
    // The first of March 2026 is a Sunday.
    const times = ["2026-02-28T12:00", "2026-03-01T12:00", "2026-03-02T12:00", "2026-03-08T12:00"];
    expect(kept("3w", times)).toEqual(["2026-03-01T12:00", "2026-03-08T12:00"]);
  });

  test("a keep rule by months and years keeps the newest backup of each", () => {
    const times = ["2024-12-31T12:00", "2025-12-01T12:00", "2025-12-31T12:00", "2026-01-01T12:00"];
    expect(kept("2m", times)).toEqual(["2025-12-31T12:00", "2026-01-01T12:00"]);
    expect(kept("3y", times)).toEqual([times[0], times[2], times[3]]);
  });

  test("a keep rule applied to no backups keeps none", () => {
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

describe("properties of any keep rule and backups", () => {
  const always = (check: (rule: ReturnType<typeof readKeepRule>, made: number[]) => void) =>
    fc.assert(fc.property(rule, moments, check), { numRuns: runs(400) });

  test("a keep rule keeps only existing backups, and always the newest one", () =>
    always((rule, made) => {
      const found = keptBy(rule, made);
      expect(found).toContain(Math.max(...made));
      for (const each of found) expect(made).toContain(each);
    }));

  test("a keep rule keeps the same backups whatever their order, and applied again removes none", () =>
    always((rule, made) => {
      const found = keptBy(rule, made);
      expect(keptBy(rule, made.toReversed())).toEqual(found);
      expect(keptBy(rule, [...found])).toEqual(found);
    }));

  test("a keep rule keeps at most the sum of its counts and one backup more", () =>
    always((rule, made) => {
      const counts = rule.reduce((sum, { count }) => sum + count, 0);
      expect(keptBy(rule, made).size).toBeLessThanOrEqual(counts + 1);
    }));

  test("a keep rule with a larger count keeps all backups that one with a smaller count keeps", () =>
    always((rule, made) => {
      const larger = rule.map((each) => ({ ...each, count: each.count + 1 }));
      for (const each of keptBy(rule, made)) expect(keptBy(larger, made)).toContain(each);
    }));

  test("a keep rule applied after each backup keeps the same backups as one applied at the end", () =>
    always((rule, made) => {
      let left: number[] = [];
      for (const each of made) left = [...keptBy(rule, [...left, each])];
      expect(new Set(left)).toEqual(keptBy(rule, made));
    }));
});
