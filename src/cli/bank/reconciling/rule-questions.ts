/** Questions for a bank rule that is made of an answer: what must hold, and what it does. */

import { ruleFits } from "../../../ledger/bank-matching/line-records.ts";
import type { BankRuleInput } from "../../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { Cents } from "../../../resources/decimal.ts";
import { UsageError } from "../../../resources/errors.ts";
import { counted } from "../../../resources/scalar.ts";
import { goBack, type QuestionStep } from "../../framework/questions.ts";
import { safeLine } from "../../render/safe.ts";
import {
  accountStep,
  contactStep,
  type MatchDraft,
  type MatchTalk,
  money,
  taxStep,
} from "./match-questions.ts";

/** What was answered about a rule so far. */
export interface RuleDraft extends MatchDraft {
  text?: string;
  field?: "payee" | "text";
  isOfAmount?: boolean;
  isOfDirection?: boolean;
  ruleName?: string;
}

type Conditions = NonNullable<BankRuleInput["Conditions"]>;

/** Questions for what must hold; preset is what the line says. */
function conditionSteps(line: BankStatementLine, draft: RuleDraft): QuestionStep[] {
  const preset = line.Payee ?? line.Description ?? "";
  const direction = line.Amount > 0 ? "in" : "out";
  return [
    {
      when: () => line.Payee !== undefined,
      ask: async (ask) => {
        draft.field = await ask.choose<"payee" | "text">({
          message: "Of which lines?",
          initial: draft.field,
          choices: [
            { name: "Those whose payee has a text", value: "payee" },
            { name: "Those whose payee, text or references have a text", value: "text" },
          ],
        });
      },
    },
    {
      ask: async (ask) => {
        draft.text = await ask.text({
          message: draft.field === "payee" ? "Text of the payee" : "Text that they have",
          initial: draft.text ?? preset,
          editable: true,
          read: (text) => readText(text, line, draft),
        });
      },
    },
    {
      ask: async (ask) => {
        draft.isOfAmount = await ask.choose({
          message: "Of which amounts?",
          initial: draft.isOfAmount,
          choices: [
            { name: "Any", value: false },
            { name: `${money(Math.abs(line.Amount), line)} alone`, value: true },
          ],
        });
      },
    },
    {
      ask: async (ask) => {
        draft.isOfDirection = await ask.choose({
          message: "In which direction?",
          initial: draft.isOfDirection,
          choices: [
            { name: `Money ${direction} alone`, value: true },
            { name: "Both", value: false },
          ],
        });
      },
    },
  ];
}

/** Questions for a rule that fits the line, with how many of the waiting lines it fits. */
export function ruleSteps(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: RuleDraft,
  waiting: readonly BankStatementLine[],
): QuestionStep[] {
  return [
    ...conditionSteps(line, draft),
    accountStep(matchTalk, line, draft),
    taxStep(matchTalk, draft),
    contactStep(matchTalk, line, draft),
    {
      ask: async (ask) => {
        const needed = (text: string) => {
          if (text.trim() !== "") return text.trim();
          throw new UsageError("MissingValue", "An answer is needed.");
        };
        const initial = draft.ruleName ?? draft.text ?? "";
        draft.ruleName = await ask.text({ message: "Name of the rule", initial, read: needed });
      },
    },
    {
      ask: async (ask) => {
        const conditions = conditionsOf(draft, line);
        const fits = waiting.filter((each) => ruleFits(conditions, each)).length;
        matchTalk.ctx.out.say(`   ${ruleSentence(matchTalk, draft, line)}`);
        matchTalk.ctx.out.say(
          `   fits ${fits} of the ${counted(waiting.length, "line")} that ${waiting.length === 1 ? "waits" : "wait"}`,
        );
        const isRight = await ask.choose({
          message: "Is that the rule?",
          choices: [
            { name: "Yes", value: true },
            { name: "No, change it", value: false },
          ],
        });
        if (!isRight) goBack();
      },
    },
  ];
}

/**
 * Parses the text of a rule.
 *
 * @throws UsageError for one that is too short, or that the line does not have
 */
function readText(typedText: string, line: BankStatementLine, draft: RuleDraft): string {
  const text = typedText.trim();
  if (text.replace(/[^\p{L}\p{N}]/gu, "").length < 3) {
    throw new UsageError("BadValue", "A text of less than three letters would fit too many lines.");
  }
  if (ruleFits([textCondition({ ...draft, text })], line)) return text;
  throw new UsageError("BadValue", `"${text}" does not fit this line itself.`);
}

const textCondition = ({ field = "text", text = "" }: RuleDraft): Conditions[number] => ({
  Field: field,
  Test: "contains",
  Value: text,
});

function conditionsOf(draft: RuleDraft, line: BankStatementLine): Conditions {
  const size = Math.abs(line.Amount) as Cents;
  return [
    textCondition(draft),
    ...(draft.isOfAmount ? [{ Field: "amount", From: size, To: size } as const] : []),
    ...(draft.isOfDirection
      ? [{ Field: "direction", Test: "equals", Value: line.Amount > 0 ? "in" : "out" } as const]
      : []),
  ];
}

/** `when text contains rent, out then 469 Rent, Wharf Street Properties`. */
function ruleSentence({ names }: MatchTalk, draft: RuleDraft, line: BankStatementLine): string {
  const when = [
    `${draft.field ?? "text"} contains ${draft.text ?? ""}`,
    ...(draft.isOfAmount ? [money(Math.abs(line.Amount), line)] : []),
    ...(draft.isOfDirection ? [line.Amount > 0 ? "in" : "out"] : []),
  ];
  const then = [names.titleOf(draft.accountCode), draft.contact].filter(Boolean);
  return safeLine(`when ${when.join(", ")} then ${then.join(", ")}`);
}

/** The rule that was answered. */
export function ruleOf(draft: RuleDraft, line: BankStatementLine): BankRuleInput {
  const { ruleName = "", contact = "", accountCode = "", taxType } = draft;
  return {
    Name: ruleName,
    Conditions: conditionsOf(draft, line),
    Contact: { Name: contact },
    Lines: [{ AccountCode: accountCode, ...(taxType && { TaxType: taxType }) }],
  };
}
