/** Rules of the user: which lines they are for, and where those go. */
import { type Cents, percentOf } from "../money.ts";
import { accountKey } from "./references.ts";
import type { AccountShare, BankRule, RuleCondition, RuleOutcome, StatementLine } from "./types.ts";

/** Line breaks are where a format cut the text, blanks are as many as a bank likes. */
export const plainText = (text: string): string =>
  text.normalize("NFKC").toUpperCase().replace(/\s+/g, " ").trim();

/** What lines of one kind have in common: payee and text without digits. */
export const learntText = ({ payee = "", text }: Pick<StatementLine, "payee" | "text">): string =>
  plainText(`${payee} ${text}`.replace(/\S*\d\S*/g, " "));

/** Whether every condition holds; a rule without conditions is for no line. */
export function ruleHolds(rule: BankRule, line: StatementLine, accountId: string): boolean {
  return (
    rule.conditions.length > 0 &&
    rule.conditions.every((condition) => holds(condition, line, accountId))
  );
}

/** The first rule whose conditions hold, of those with an outcome of a kind. */
export function firstRule<Kind extends RuleOutcome["kind"]>(
  rules: readonly BankRule[],
  kinds: readonly Kind[],
  line: StatementLine,
  accountId: string,
): (BankRule & { readonly outcome: Extract<RuleOutcome, { kind: Kind }> }) | undefined {
  const found = rules.find(
    (rule) => kinds.some((kind) => kind === rule.outcome.kind) && ruleHolds(rule, line, accountId),
  );
  return found as
    | (BankRule & { readonly outcome: Extract<RuleOutcome, { kind: Kind }> })
    | undefined;
}

function holds(condition: RuleCondition, line: StatementLine, accountId: string): boolean {
  switch (condition.field) {
    case "amount": {
      const amount = Math.abs(line.amount);
      return amount >= (condition.from ?? 0) && amount <= (condition.to ?? amount);
    }
    case "direction":
      return condition.value === "in" ? line.amount > 0 : line.amount < 0;
    case "account":
      return condition.value === accountId;
    case "otherAccount":
      return (
        line.otherAccount !== undefined &&
        accountKey(line.otherAccount) === accountKey(condition.value)
      );
    default: {
      const value = plainText(condition.value);
      return textsOf(condition.field, line)
        .map(plainText)
        .some((text) => {
          if (condition.test === "equals") return text === value;
          return condition.test === "startsWith" ? text.startsWith(value) : text.includes(value);
        });
    }
  }
}

function textsOf(
  field: "payee" | "text" | "reference" | "payeeOrText",
  { payee = "", text, references = [] }: StatementLine,
): readonly string[] {
  if (field === "payee") return [payee];
  if (field === "reference") return references;
  // A break may stand in the middle of a word.
  const texts = [text, text.replace(/[\r\n]+/g, "")];
  return field === "text" ? texts : [payee, ...texts];
}

/**
 * The amounts of a split: percentages are of the whole line, and the last share takes what is left,
 * so that they come to the amount of the line exactly.
 *
 * @returns undefined where fixed amounts and percentages are more than the line
 */
export function splitAmounts(
  amount: Cents,
  split: Extract<RuleOutcome, { kind: "transaction" }>["split"],
): AccountShare[] | undefined {
  const sign = amount < 0 ? -1 : 1;
  let left = Math.abs(amount);
  const shares: AccountShare[] = [];
  for (const [place, { percent, amount: fixed, ...share }] of split.entries()) {
    const isLast = place === split.length - 1;
    const part = isLast
      ? left
      : percent !== undefined
        ? percentOf(Math.abs(amount) as Cents, percent)
        : (fixed ?? left);
    if (part > left || part <= 0) return undefined;
    left -= part;
    shares.push({ ...share, amount: (sign * part) as Cents });
  }
  return left === 0 && shares.length > 0 ? shares : undefined;
}

/** What an agent keeps of a payment of `due`. */
export function expectedFee(
  due: Cents,
  { percent, fixed }: Extract<RuleOutcome, { kind: "fee" }>,
): Cents {
  return (percentOf(due, percent) + fixed) as Cents;
}
