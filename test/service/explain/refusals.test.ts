/** Refusals have a rule each: the registry, and any that business meets. */
import { expect, test } from "vitest";
import { plainRules, refusalRules, ruleNamed } from "../../../src/resources/refusal-rules.ts";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import { isOnPostgres, isOverPort, type Json, world } from "../fixture.ts";

test("a refusal without a rule gets the general rule of its exit code", () => {
  expect(ruleNamed(undefined, "refused").id).toBe("Refused");
  expect(ruleNamed(undefined, "notFound").id).toBe("NotFound");
  expect(ruleNamed(undefined, "permission").id).toBe("Permission");
});

test("every refusal rule has whole sentences, a source and a remedy", () => {
  for (const { text, source, remedy } of [
    ...Object.values(refusalRules),
    ...Object.values(plainRules),
  ]) {
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Za-z].*\.$/);
    expect(source.length).toBeGreaterThan(5);
  }
});

test("the service explains a refusal rule by its name", async () => {
  const given = await world();
  const { Reports } = await given.ok("GET", "/Extensions/Explain/Refusals", undefined, {
    query: { rule: "AmountOutstanding" },
  });
  const fields = Object.fromEntries(
    Reports[0].Fields.map(({ FieldID, Value }: Json) => [FieldID, Value]),
  );
  expect(fields).toMatchObject({
    RuleID: "AmountOutstanding",
    Rule: refusalRules.AmountOutstanding.text,
  });
  const wrong: Readonly<Record<string, string>>[] = [{}, { rule: "discount" }];
  for (const query of wrong) {
    const answer = await given.ask("GET", "/Extensions/Explain/Refusals", undefined, { query });
    expect(answer.status).toBe(400);
  }
});

test("every refusal of the business functions names its rule", { timeout: 600_000 }, async () => {
  const without = new Set<string>();
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 70 }), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        const answer = await take(business, each, `2026-0${2 + (at % 4)}-28`);
        if (answer === undefined || answer.status < 400) continue;
        const faults: Json[] = (answer.json.Elements ?? []).flatMap(
          (element: Json) => element.ValidationErrors,
        );
        for (const { Message, Rule } of faults) {
          kinds.add(Rule);
          if (!Object.hasOwn(refusalRules, Rule)) without.add(Message);
        }
      }
      await given.book.close();
    }),
    { numRuns: isOverPort || isOnPostgres ? 2 : runs(40), endOnFailure: true },
  );
  expect([...without]).toEqual([]);
  expect(kinds.size).toBeGreaterThan(2);
});
