/** Bank rules of the user: their conditions, and the postings or contacts they assign to lines. */
import { type Cents, percentOf, type Smallest } from "../money.ts";
import { accountKey } from "./creditor-references.ts";
import type {
  AccountShare,
  BankRule,
  RuleCondition,
  RuleOutcome,
  StatementLine,
} from "./matching-types.ts";

/** Normalises text: line breaks come from the file format, and blanks are arbitrary. */
export const plainText = (text: string): string =>
  text.normalize("NFKC").toUpperCase().replace(/\s+/g, " ").trim();

/** The text by which similar lines are learnt: payee and text without digits. */
export const learntText = ({ payee = "", text }: Pick<StatementLine, "payee" | "text">): string =>
  plainText(`${payee} ${text}`.replace(/\S*\d\S*/g, " "));

/** The rules that apply to a line: the first general rule, and the first for fees. */
export interface LineRules {
  readonly rule: (BankRule & { readonly outcome: DecidingOutcome }) | undefined;
  readonly fee: FeeOutcome | undefined;
}

type FeeOutcome = Extract<RuleOutcome, { kind: "fee" }>;
type DecidingOutcome = Exclude<RuleOutcome, FeeOutcome>;

/** The values of a line that rules test. */
interface RuleSubject {
  readonly line: StatementLine;
  readonly fieldTexts: Readonly<Record<RuleTextField, readonly string[]>>;
  readonly otherAccount: string | undefined;
}

type RuleTextField = Extract<RuleCondition, { test: string }>["field"];
type RuleTest = (subject: RuleSubject) => boolean;

/**
 * Returns a function that finds the first rule of a line, and the first for fees.
 * @param accountId  the bank account of the lines
 */
export function ruleFinder(
  rules: readonly BankRule[],
  accountId: string,
): (line: StatementLine) => LineRules {
  const tests = rules.map((rule) => ({ rule, test: ruleTest(rule, accountId) }));
  return (line) => {
    if (tests.length === 0) return { rule: undefined, fee: undefined };
    const subject = subjectOf(line);
    let lineRules: LineRules = { rule: undefined, fee: undefined };
    for (const { rule, test } of tests) {
      const { outcome } = rule;
      if (outcome.kind === "fee") {
        if (lineRules.fee === undefined && test(subject))
          lineRules = { ...lineRules, fee: outcome };
      } else if (lineRules.rule === undefined && test(subject)) {
        lineRules = { ...lineRules, rule: { ...rule, outcome } };
      }
    }
    return lineRules;
  };
}

/** Whether all conditions of a rule hold; a rule without conditions matches no line. */
export const ruleHolds = (rule: BankRule, line: StatementLine, accountId: string): boolean =>
  ruleTest(rule, accountId)(subjectOf(line));

function ruleTest({ conditions }: BankRule, accountId: string): RuleTest {
  const tests = conditions.map((condition) => conditionTest(condition, accountId));
  return (subject) => tests.length > 0 && tests.every((test) => test(subject));
}

function subjectOf(line: StatementLine): RuleSubject {
  const { payee = "", references = [], otherAccount } = line;
  const payees = [plainText(payee)];
  // A line break may be in the middle of a word.
  const text = [plainText(line.text), plainText(line.text.replace(/[\r\n]+/g, ""))];
  const allTexts = [...payees, ...text, ...references.map(plainText)];
  return {
    line,
    fieldTexts: {
      payee: payees,
      // All fields joined, since banks put the purpose into any of them, and file columns change
      // roles.
      text: [...allTexts, allTexts.join(" ")],
      reference: references.map(plainText),
      payeeOrText: [...payees, ...text],
    },
    otherAccount: otherAccount === undefined ? undefined : accountKey(otherAccount),
  };
}

function conditionTest(condition: RuleCondition, accountId: string): RuleTest {
  switch (condition.field) {
    case "amount":
      return ({ line }) => {
        const amount = Math.abs(line.amount);
        return amount >= (condition.from ?? 0) && amount <= (condition.to ?? amount);
      };
    case "direction":
      return ({ line }) => (condition.value === "in" ? line.amount > 0 : line.amount < 0);
    case "account":
      return () => condition.value === accountId;
    case "otherAccount": {
      const value = accountKey(condition.value);
      return ({ otherAccount }) => otherAccount === value;
    }
    default: {
      const { field, test } = condition;
      const value = plainText(condition.value);
      return ({ fieldTexts: texts }) =>
        texts[field].some((text) => {
          if (test === "equals") return text === value;
          return test === "startsWith" ? text.startsWith(value) : text.includes(value);
        });
    }
  }
}

/**
 * The amounts of a split: percentages of the whole line; the last share is the rest, so that the
 * sum is exact.
 * @returns undefined when fixed amounts and percentages exceed the line
 */
export function splitAmounts(
  amount: Cents,
  split: Extract<RuleOutcome, { kind: "transaction" }>["split"],
  smallest: Smallest = 1,
): AccountShare[] | undefined {
  const sign = amount < 0 ? -1 : 1;
  let amountLeft = Math.abs(amount);
  const shares: AccountShare[] = [];
  for (const [place, { percent, amount: fixed, ...share }] of split.entries()) {
    const isLast = place === split.length - 1;
    const lineAmount = isLast
      ? amountLeft
      : percent !== undefined
        ? percentOf(Math.abs(amount) as Cents, percent, smallest)
        : (fixed ?? amountLeft);
    if (lineAmount > amountLeft || lineAmount <= 0) return undefined;
    amountLeft -= lineAmount;
    shares.push({ ...share, amount: (sign * lineAmount) as Cents });
  }
  return amountLeft === 0 && shares.length > 0 ? shares : undefined;
}

/** The fee that an agent (payment service) deducts from a payment of `due`. */
export function expectedFeeOf(
  amountDue: Cents,
  { percent, fixed }: Extract<RuleOutcome, { kind: "fee" }>,
  smallest: Smallest = 1,
): Cents {
  return (percentOf(amountDue, percent, smallest) + fixed) as Cents;
}
