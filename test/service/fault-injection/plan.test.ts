import { describe, expect, test } from "vitest";
import {
  describePlan,
  faultsFor,
  kinds,
  readPlan,
} from "../../../src/service/fault-injection/plan.ts";

describe("plans of injected faults", () => {
  test.each([
    [
      "42",
      "Chaos 42: delay=0.0182, 500-before=0.0182, 500-after=0.0182, cut=0.0182, drop=0.0182, " +
        "503=0.0182, 503-limit=0.0182, 429=0.0182, 429-limit=0.0182, revoked=0.0182, expired=0.0182",
    ],
    ["42:cut", "Chaos 42: cut=0.2"],
    ["a.b-c_9: cut=.5 , delay", "Chaos a.b-c_9: delay=0.2, cut=0.5"],
    ["7:drop,delay=0.25,cut", "Chaos 7: delay=0.25, cut=0.1, drop=0.1"],
    ["7:cut=1", "Chaos 7: cut=1"],
    ["7:cut=0", "Chaos 7: cut=0"],
  ])("the fault injection plan %s is parsed and described", (text, described) =>
    expect(describePlan(readPlan(text))).toBe(described),
  );

  test.each([
    ["", 'begins with a seed of letters and digits, not "".'],
    [":cut", 'begins with a seed of letters and digits, not "".'],
    ["4 2", 'begins with a seed of letters and digits, not "4 2".'],
    ["42:", `knows ${kinds.join(", ")}, not "".`],
    ["42:cat", `knows ${kinds.join(", ")}, not "cat".`],
    ["42:cut,cut=1", "names cut twice."],
    ["42:cut=2", 'takes cut with a rate from 0 to 1, not "2".'],
    ["42:cut=1e-1", 'takes cut with a rate from 0 to 1, not "1e-1".'],
    ["42:cut=-0.1", 'takes cut with a rate from 0 to 1, not "-0.1".'],
    ["42:cut=", 'takes cut with a rate from 0 to 1, not "".'],
    ["42:cut=0.6,drop=0.6", "has rates of more than 1 together: 1.2."],
    ["42:cut=0.9,drop", "has rates of more than 1 together: 1.1."],
  ])("the fault injection plan %s is refused", (text, said) => {
    expect(() => readPlan(text)).toThrow(`--chaos ${said}`);
  });
});

const asked = (next: ReturnType<typeof faultsFor>, route: string, count: number) =>
  Array.from({ length: count }, () => next("GET", route)?.kind ?? "-").join(" ");

describe("injected faults", () => {
  test("injected faults are the same for the same seed in every version", () => {
    const next = faultsFor(readPlan("42:delay=0.3,cut=0.3"));
    expect(asked(next, "/Invoices/{InvoiceID}", 12)).toMatchInlineSnapshot(
      `"- delay - delay delay - cut delay cut - - cut"`,
    );
  });

  test("an injected fault does not depend on requests to other routes in between", () => {
    const alone = faultsFor(readPlan("1"));
    const among = faultsFor(readPlan("1"));
    const expected = asked(alone, "/Items", 200);
    const found = Array.from({ length: 200 }, () => {
      among("GET", "/Contacts");
      among("PUT", "/Items");
      return among("GET", "/Items")?.kind ?? "-";
    });
    expect(found.join(" ")).toBe(expected);
    expect(asked(faultsFor(readPlan("2")), "/Items", 200)).not.toBe(expected);
  });

  test("injected faults occur as often as their rate says", () => {
    const next = faultsFor(readPlan("seed:cut=0.1,500-after=0.3"));
    const counts: Record<string, number> = {};
    let force = 0;
    for (let count = 0; count < 20_000; count += 1) {
      const strike = next("GET", "/Items");
      counts[strike?.kind ?? "none"] = (counts[strike?.kind ?? "none"] ?? 0) + 1;
      force += strike?.force ?? 0;
    }
    expect(counts.cut).toBeGreaterThan(1_850);
    expect(counts.cut).toBeLessThan(2_150);
    expect(counts["500-after"]).toBeGreaterThan(5_800);
    expect(counts["500-after"]).toBeLessThan(6_200);
    expect(force / 8_000).toBeGreaterThan(0.47);
    expect(force / 8_000).toBeLessThan(0.53);
  });

  test("with a fault rate of 1 every request gets the fault, and with 0 none", () => {
    expect(asked(faultsFor(readPlan("x:cut=1")), "/Items", 3)).toBe("cut cut cut");
    expect(asked(faultsFor(readPlan("x:cut=0")), "/Items", 3)).toBe("- - -");
  });
});
