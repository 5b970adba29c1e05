/** What to do about a refusal whose sentence does not say it. */
import { foreignRule } from "../../client/foreign-refusals.ts";
import { RefusedError } from "../../resources/errors.ts";
import { nameOfRule, type RuleName, refusalRules } from "../../resources/refusal-rules.ts";
import { lockDate } from "../../wire/decode/lock-words.ts";

/** Remedies of sentences whose rule has none of its own. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [
    /^Account code or ID must be specified$/,
    "Say account=CODE in --line, or give its item an account: acct item update CODE --sales-account CODE.",
  ],
  [/^One or more line items must be specified$/, "Give --line, once for each."],
];

/** Rules whose remedy says no more than the sentence. */
const generalRules: readonly RuleName[] = ["NotFound", "Parameter", "Required"];

/**
 * Returns the remedy of the first fault of a refusal, where the sentence names no command and the
 * remedy does, or where the sentence is one of the public API.
 */
export function remedyOf(error: unknown): string | undefined {
  if (!(error instanceof RefusedError) || error.code === lockDate) return undefined;
  const [fault] = error.details;
  const message = fault?.message ?? error.message;
  const own = remedies.find(([sentence]) => sentence.test(message));
  if (own !== undefined) return own[1];
  const foreign = foreignRule(message);
  const rule = nameOfRule(fault?.rule) ?? error.rule ?? foreign;
  if (rule === undefined || generalRules.includes(rule)) return undefined;
  const { remedy } = refusalRules[rule];
  const isNamed = /\bacct /.test(message) || !/\bacct /.test(remedy);
  return foreign === undefined && isNamed ? undefined : remedy;
}
