/** Refusals have a rule each: those that this registry is for, and any that business meets. */
import { expect, test } from "vitest";
import { plainRules, refusalRules, ruleOf } from "../../../src/resources/refusal-rules.ts";
import { fc, runs } from "../../support/properties.ts";
import { opened, step, take } from "../business.ts";
import { isOnPostgres, isOverPort, type Json, world } from "../fixture.ts";

test.each([
  [
    "The document date cannot be before the period lock date, currently set at 31-Mar-2026",
    "LockDate",
  ],
  ["The TaxType code 'INPUT2' cannot be used with account code '200'.", "TaxOnAccount"],
  ["Payment amount exceeds the amount outstanding on this document", "AmountOutstanding"],
  ["The amount exceeds the remaining credit.", "AmountOutstanding"],
  ["Payments can only be made against Authorised documents", "AuthorisedOnly"],
  ["The line total 10.00 does not match the expected line total 12.00", "LineAmount"],
  ["A discount can be given on sales invoices only", "Discount"],
  ["This document cannot be edited as it has a payment or credit note allocated to it.", "Applied"],
  [
    "It is reconciled with the bank statement line of 2026-03-01; take that back first (unmatch).",
    "Reconciled",
  ],
  ["Invoice not of valid status for modification", "Status"],
  ["Credit Note # must be unique.", "Unique"],
  ["The total debits (10.00) must equal total credits (12.00)", "Balanced"],
  ["The total of an invoice cannot be negative; use a credit note.", "NegativeTotal"],
  ["There is not enough of LAMP: 3 needed, 1 on hand.", "Stock"],
  ["Users Organisation is not subscribed to currency EUR", "Currency"],
  ["Cuba is of another contact than the credit note.", "OneContact"],
  ["Account type is invalid for making a payment to/from", "SystemAccount"],
  ["Sales has transactions and cannot be deleted; archive it instead.", "HasTransactions"],
  ["There is no invoice INV-9999.", "NoSuch"],
  ["DueDate is required to submit or approve an invoice.", "Required"],
  ["The parameter date must be a date, YYYY-MM-DD, not 'x'.", "Parameter"],
  [
    "The books have moved since the plan was made: INV-0001. Nothing was done; make the plan anew.",
    "Plan",
  ],
])("%s is by the rule %s", (message, id) => {
  expect(ruleOf(message).id).toBe(id);
});

test("a refusal of no kind in the registry has the rule of how it ended", () => {
  expect(ruleOf("Zzz", "refused").id).toBe("Refused");
  expect(ruleOf("There is no invoice X.", "permission").id).toBe("Permission");
});

test("every rule is whole sentences, with a source and what to do", () => {
  for (const { text, source, remedy } of [
    ...Object.values(refusalRules),
    ...Object.values(plainRules),
  ]) {
    expect(text).toMatch(/^[A-Z].*\.$/);
    expect(remedy).toMatch(/^[A-Za-z].*\.$/);
    expect(source.length).toBeGreaterThan(5);
  }
});

test("the service answers with the rule of a sentence", async () => {
  const given = await world();
  const message = "Payment amount exceeds the amount outstanding on this document";
  const { Reports } = await given.ok("GET", "/Extensions/Explain/Refusals", undefined, {
    query: { message },
  });
  const fields = Object.fromEntries(
    Reports[0].Fields.map(({ FieldID, Value }: Json) => [FieldID, Value]),
  );
  expect(fields).toMatchObject({ Message: message, RuleID: "AmountOutstanding" });
  expect((await given.ask("GET", "/Extensions/Explain/Refusals")).status).toBe(400);
});

test("what business is refused for has a rule of its own", { timeout: 120_000 }, async () => {
  const without = new Set<string>();
  const kinds = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 40, maxLength: 70 }), async (steps) => {
      const given = await world();
      const business = await opened(given);
      for (const [at, each] of steps.entries()) {
        const answer = await take(business, each, `2026-0${2 + (at % 4)}-28`);
        if (answer === undefined || answer.status < 400) continue;
        const sentences: string[] = (answer.json.Elements ?? []).flatMap((element: Json) =>
          element.ValidationErrors.map(({ Message }: Json) => Message),
        );
        for (const message of sentences.length > 0 ? sentences : [answer.json.Message]) {
          const { id } = ruleOf(message ?? answer.json.Detail ?? "");
          kinds.add(id);
          if (id === "Refused") without.add(message);
        }
      }
      await given.book.close();
    }),
    { numRuns: isOverPort || isOnPostgres ? 2 : runs(40), endOnFailure: true },
  );
  expect([...without]).toEqual([]);
  expect(kinds.size).toBeGreaterThan(2);
});
