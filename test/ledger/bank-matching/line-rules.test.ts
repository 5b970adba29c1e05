import { describe, expect, test } from "vitest";
import {
  expectedFeeOf,
  learntText,
  ruleFinder,
  ruleHolds,
  splitAmounts,
} from "../../../src/ledger/bank-matching/line-rules.ts";
import type {
  BankRule,
  RuleCondition,
  StatementLine,
} from "../../../src/ledger/bank-matching/matching-types.ts";
import type { Cents, Percent } from "../../../src/ledger/money.ts";
import { fc, runs } from "../../support/properties.ts";
import { cents, percent } from "../amounts.ts";

const line: StatementLine = {
  id: "l",
  date: "2026-03-05",
  amount: cents("-46.00"),
  currency: "NZD",
  payee: "Z Energy  Petone",
  text: "CARD 1234 FU\nEL",
  references: ["DD-77"],
  otherAccount: "12-3456-0789012-00",
};
const rule = (...conditions: RuleCondition[]): BankRule => ({
  id: "r",
  name: "Fuel",
  conditions,
  outcome: { kind: "transaction", split: [{ accountCode: "449" }] },
});

describe("conditions of a bank rule", () => {
  test.each<[RuleCondition, boolean]>([
    [{ field: "payee", test: "contains", value: "z energy" }, true],
    [{ field: "payee", test: "equals", value: "Z Energy Petone" }, true],
    [{ field: "payee", test: "equals", value: "Z Energy" }, false],
    [{ field: "payee", test: "startsWith", value: "Energy" }, false],
    [{ field: "payeeOrText", test: "startsWith", value: "card" }, true],
    // the format cut the word
    [{ field: "text", test: "contains", value: "fuel" }, true],
    // the text of a line is what the bank tells of it in any column
    [{ field: "text", test: "contains", value: "energy" }, true],
    [{ field: "text", test: "equals", value: "dd-77" }, true],
    [{ field: "text", test: "contains", value: "petone card 1234" }, true],
    [{ field: "text", test: "contains", value: "diesel" }, false],
    [{ field: "reference", test: "equals", value: "dd-77" }, true],
    [{ field: "amount", from: cents("46.00"), to: cents("46.00") }, true],
    [{ field: "amount", from: cents("46.01") }, false],
    [{ field: "amount", to: cents("45.99") }, false],
    [{ field: "direction", value: "out" }, true],
    [{ field: "direction", value: "in" }, false],
    [{ field: "otherAccount", value: "12 3456 0789012 00" }, true],
    [{ field: "account", value: "090" }, true],
    [{ field: "account", value: "091" }, false],
  ])(
    "the bank rule condition %j matches the line of a card payment at Z Energy: %s",
    (condition, expected) => {
      expect(ruleHolds(rule(condition), line, "090")).toBe(expected);
    },
  );

  test("a bank rule matches only where all its conditions hold, and a rule without conditions matches no line", () => {
    const out: RuleCondition = { field: "direction", value: "out" };
    expect(ruleHolds(rule(out, { field: "account", value: "091" }), line, "090")).toBe(false);
    expect(ruleHolds(rule(), line, "090")).toBe(false);
  });

  test("where several bank rules match a line, the first one is applied", () => {
    const first = rule({ field: "direction", value: "out" });
    const second = { ...rule({ field: "payee", test: "contains", value: "energy" }), id: "s" };
    const found = (...rules: BankRule[]) => ruleFinder(rules, "090")(line);
    const outcome = {
      kind: "fee",
      accountCode: "404",
      percent: percent("1"),
      fixed: cents("0.00"),
    } as const;
    const fee = { ...first, outcome };
    expect(found(second, first).rule?.id).toBe("s");
    expect(found(first, second).rule?.id).toBe("r");
    expect(found(first, second).fee).toBeUndefined();
    expect(found(fee, second)).toEqual({ rule: second, fee: outcome });
    expect(found()).toEqual({ rule: undefined, fee: undefined });
  });
});

describe("splitting a bank line by a bank rule", () => {
  test.each([
    ["-46.00", [{}], ["-46.00"]],
    ["-46.00", [{ percent: percent("50") }, {}], ["-23.00", "-23.00"]],
    ["0.05", [{ percent: percent("50") }, {}], ["0.03", "0.02"]],
    [
      "100.00",
      [{ amount: cents("12.50") }, { percent: percent("10") }, {}],
      ["12.50", "10.00", "77.50"],
    ],
    // the last takes what is left, whatever its percentage says
    [
      "0.10",
      [33.33, 33.33, 33.33].map((p) => ({ percent: percent(String(p)) })),
      ["0.03", "0.03", "0.04"],
    ],
  ])(
    "a bank line of %s split by the rule shares %j gives the amounts %j",
    (amount, split, expected) => {
      const shares = splitAmounts(
        cents(amount),
        split.map((share, place) => ({ accountCode: String(place), ...share })),
      );
      expect(shares?.map((share) => share.amount)).toEqual(expected.map(cents));
    },
  );

  test("a bank rule whose fixed shares exceed the amount of the line is refused", () => {
    const split = [{ accountCode: "a", amount: cents("50.00") }, { accountCode: "b" }];
    expect(splitAmounts(cents("46.00"), split)).toBeUndefined();
    expect(splitAmounts(cents("50.00"), split)).toBeUndefined();
    expect(splitAmounts(cents("50.00"), [])).toBeUndefined();
  });

  test("the shares of a bank rule add up to the amount of the line exactly", () => {
    const share = fc.oneof(
      fc.record({ percent: fc.integer({ min: 1, max: 1_000_000 }) }),
      fc.record({ amount: fc.integer({ min: 1, max: 10_000 }) }),
      fc.constant({}),
    );
    fc.assert(
      fc.property(
        fc.integer({ min: -1_000_000, max: 1_000_000 }),
        fc.array(share, { minLength: 1, maxLength: 5 }),
        (amount, split) => {
          const shares = splitAmounts(
            amount as Cents,
            split.map((each) => ({ accountCode: "a", ...(each as { percent?: Percent }) })),
          );
          if (shares === undefined) return;
          expect(shares.reduce((sum, each) => sum + each.amount, 0)).toBe(amount);
          for (const each of shares) expect(Math.sign(each.amount)).toBe(Math.sign(amount));
        },
      ),
      { numRuns: runs(400) },
    );
  });
});

test("the fee of a payment agent is a percentage plus a fixed amount", () => {
  const outcome = {
    kind: "fee",
    accountCode: "404",
    percent: percent("2.9"),
    fixed: cents("0.30"),
  } as const;
  expect(expectedFeeOf(cents("115.00"), outcome)).toBe(cents("3.64"));
});

test("bank lines are grouped by their text without its digits", () => {
  expect(learntText(line)).toBe("Z ENERGY PETONE CARD FU EL");
  expect(learntText({ payee: "Z Energy Petone", text: "card 9876 fu\nel 2026-04-01" })).toBe(
    learntText(line),
  );
});
