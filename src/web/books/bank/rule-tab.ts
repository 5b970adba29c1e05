/**
 * Tab that makes a rule from a bank statement line: when it holds, what it does, and how many of the
 * waiting lines it fits.
 */
import { ruleHolds } from "../../../ledger/bank-matching/line-rules.ts";
import type { RuleCondition } from "../../../ledger/bank-matching/matching-types.ts";
import { html, type Markup } from "../../../output/markup.ts";
import type { BankMatchInput } from "../../../resources/bank-match.ts";
import type { BankRuleInput } from "../../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import { refusal } from "../../../resources/errors.ts";
import { counted } from "../../../resources/scalar.ts";
import { contactFields, contactIn } from "./contact-choice.ts";
import {
  accountOptions,
  choiceInput,
  type LineAt,
  type LineContext,
  optionOf,
  said,
  tabForm,
  textInput,
} from "./line-context.ts";
import { taxChoices, taxRatesOf } from "./new-tab.ts";
import { linesWaiting } from "./waiting-lines.ts";

const labels = {
  payeeOrText: "Payee or text contains",
  payee: "Payee contains",
  text: "Text contains",
} as const;

/** Least letters of a text that a rule looks for. */
const textMin = 3;

/** What a rule of the tab looks for. */
function conditionOf({ line, values }: LineAt) {
  const namedPlace = said(values, "where");
  const place = (Object.keys(labels) as (keyof typeof labels)[]).find((key) => key === namedPlace);
  const text = values.has("text") ? said(values, "text") : (line.Payee ?? line.Description ?? "");
  return { place: place ?? "payeeOrText", text, isIn: line.Amount > 0 };
}

export async function ruleTab(context: LineContext, at: LineAt): Promise<Markup> {
  const { ctx } = context;
  const { values, line } = at;
  const { place, text } = conditionOf(at);
  const account = said(values, "account");
  const tax = said(values, "tax");
  return tabForm(context, at, "rule", {
    fields: html`<div class="row">${choiceInput(
      { name: "where", label: "When", value: place },
      undefined,
      html`${Object.entries(labels).map((entry) => optionOf(entry, place))}`,
    )}${textInput({ name: "text", label: "The text", value: text, isNeeded: true })}</div>
<p class="soft">and money ${line.Amount > 0 ? "comes in" : "goes out"}, then</p>
<div class="row">${choiceInput(
      { name: "account", label: "Account", value: account, isNeeded: true },
      "Choose an account",
      accountOptions(context, at, account),
    )}${choiceInput({ name: "tax", label: "Tax", value: tax }, "Tax of the account", taxChoices(await taxRatesOf(ctx), tax))}</div>
${await contactFields(ctx, values, line.Amount > 0 ? "From" : "To", line.Payee ?? "")}
${textInput({ name: "name", label: "Name of the rule", value: values.has("name") ? said(values, "name") : text, isNeeded: true })}
<p class="foot" role="status">${await fittingLinesText(context, at)}</p>`,
    sum: "Count the lines it fits",
    sends: "Reconcile and make the rule",
  });
}

async function fittingLinesText({ ctx, bank }: LineContext, at: LineAt): Promise<string> {
  const waitingLines = await linesWaiting(ctx, bank);
  const fitting = waitingLines.filter((bankStatementLine) => matches(at, bankStatementLine)).length;
  const exceptThis = matches(at, at.line) ? "" : "; not this one";
  return `fits ${fitting} of the ${counted(waitingLines.length, "line")} that wait${exceptThis}`;
}

function matches(at: LineAt, line: BankStatementLine): boolean {
  const { place, text, isIn } = conditionOf(at);
  const conditions: RuleCondition[] = [
    { field: place, test: "contains", value: text },
    { field: "direction", value: isIn ? "in" : "out" },
  ];
  const outcome = { kind: "transaction", contactId: undefined, split: [] } as const;
  const rule = { id: "", name: "", conditions, outcome };
  const lineFacts = {
    id: line.BankStatementLineID,
    date: line.Date,
    amount: line.Amount,
    currency: line.CurrencyCode ?? "",
    payee: line.Payee,
    text: line.Description ?? "",
    references: line.References,
  };
  return text !== "" && ruleHolds(rule, lineFacts, "");
}

/**
 * The rule that the tab says, and the match of its own line.
 *
 * @throws RefusedError for a text that is too short, or one that its own line has not
 */
export async function ruleFrom(
  { ctx }: LineContext,
  at: LineAt,
): Promise<{ readonly rule: BankRuleInput; readonly input: BankMatchInput }> {
  const { place, text, isIn } = conditionOf(at);
  if (text.length < textMin) throw refusal("Form", `A rule looks for at least ${textMin} letters.`);
  if (!matches(at, at.line)) throw refusal("Form", "The rule does not fit this line.");
  const Contact = await contactIn(ctx, at.values);
  const tax = said(at.values, "tax");
  const Lines = [
    { AccountCode: said(at.values, "account"), ...(tax === "" ? {} : { TaxType: tax }) },
  ];
  const contactPart = Contact === undefined ? {} : { Contact };
  const Conditions = [
    { Field: place, Test: "contains", Value: text },
    { Field: "direction", Test: "equals", Value: isIn ? "in" : "out" },
  ];
  return {
    rule: { Name: said(at.values, "name"), Conditions, Lines, ...contactPart } as BankRuleInput,
    input: { Lines, ...contactPart },
  };
}
