/**
 * Evidence that a line and a record match, obstacles to an automatic decision, and the wording of
 * both.
 */

import { amountText } from "../../resources/common.ts";
import { counted } from "../../resources/scalar.ts";
import type { Cents } from "../money.ts";

export type Evidence =
  | { readonly code: "amount" }
  /** The amount is equal after adding the charges in the file, or the fee of a rule. */
  | { readonly code: "amountWithFee"; readonly fee: Cents }
  /** The amount equals the amount paid in the other currency. */
  | { readonly code: "originalAmount"; readonly amount: Cents; readonly currency: string }
  | { readonly code: "otherCurrency"; readonly currency: string }
  | { readonly code: "sum"; readonly documents: number }
  /** The line is less than the amount due by `by`, or more when negative. */
  | { readonly code: "difference"; readonly by: Cents }
  | { readonly code: "reference"; readonly reference: string }
  | { readonly code: "number"; readonly number: string }
  /** Only a part of the number matches, or its digits without the letters. */
  | { readonly code: "weakNumber"; readonly number: string }
  | { readonly code: "nearNumber"; readonly number: string; readonly writing: string }
  | { readonly code: "otherAccount"; readonly contact: string }
  | { readonly code: "learntContact"; readonly contact: string; readonly count: number }
  /** `percent` of the distinctive words of the name match, 1 to 100. */
  | { readonly code: "name"; readonly contact: string; readonly percent: number }
  /** Days between record and line, positive when the line is later. */
  | {
      readonly code: "days";
      readonly from: "document" | "transaction" | "line";
      readonly days: number;
    }
  | { readonly code: "rule"; readonly rule: string }
  | { readonly code: "learntAccount"; readonly accountCode: string; readonly count: number }
  | { readonly code: "ownAccount"; readonly account: string };

const days = (count: number): string => counted(count, "day");

/** @param currency  of the bank account */
type Sentence<E> = (evidence: E, currency: string | undefined) => string;

const sentences: {
  readonly [Code in Evidence["code"]]: Sentence<Extract<Evidence, { code: Code }>>;
} = {
  amount: () => "the amount is equal",
  amountWithFee: ({ fee }, currency) =>
    `the amount is equal with the fee of ${amountText(fee, currency)}`,
  originalAmount: ({ amount, currency }) =>
    `the amount is equal in ${currency}, ${amountText(amount, currency)}`,
  otherCurrency: ({ currency }) => `the document is in ${currency}`,
  sum: ({ documents }) => `the sum of ${documents} documents`,
  difference: ({ by }, currency) =>
    by > 0
      ? `${amountText(by, currency)} less than is due`
      : `${amountText(-by, currency)} more than is due`,
  reference: ({ reference }) => `reference ${reference}`,
  number: ({ number }) => `${number} in the text`,
  weakNumber: ({ number }) => `digits of ${number} in the text`,
  nearNumber: ({ number, writing }) => `${writing} in the text, nearly ${number}`,
  otherAccount: ({ contact }) => `bank account of ${contact}`,
  learntContact: ({ contact, count }) => `bank account of ${counted(count, "line")} of ${contact}`,
  name: ({ contact, percent }) =>
    percent === 100 ? `name of ${contact}` : `${percent} % of the name of ${contact}`,
  days: ({ from, days: count }) =>
    count === 0
      ? `on the day of the ${from}`
      : `${days(Math.abs(count))} ${count > 0 ? "after" : "before"} the ${from}`,
  rule: ({ rule }) => `rule ${rule}`,
  learntAccount: ({ accountCode, count }) =>
    `${counted(count, "such line")} went to ${accountCode}`,
  ownAccount: ({ account }) => `own account ${account}`,
};

/**
 * The evidence in words: `the amount is equal; INV-0042 in the text; 3 days after the document`.
 *
 * @param currency  of the bank account
 */
export function evidenceText(evidence: readonly Evidence[], currency: string | undefined): string {
  const sentence = <Code extends Evidence["code"]>(each: Extract<Evidence, { code: Code }>) =>
    (sentences[each.code as Code] as Sentence<Evidence>)(each, currency);
  return evidence.map((evidence) => sentence(evidence)).join("; ");
}

/** Obstacles to an automatic decision, in words. */
export const obstacleText = {
  amount: "the amount is not exact",
  currency: "the currency is another",
  evidence: "nothing but the amount and weak signs speak for it",
  twin: "another record fits as well",
  sum: "another sum of documents has the same amount",
  claim: "another line has a claim on it",
  number: "the text names another number",
  contact: "the line names another contact",
  laterDate: "the document is later than the line",
  days: "the line is too many days away",
  transaction: "the book may already have it",
  rule: "a rule says otherwise",
  fixedAmount: "the rule has a fixed amount, and booked none like this line's",
  document: "an open document speaks for another decision",
  transfer: "a transfer between own accounts is possible",
  return: "a return or a reversal",
  cash: "cash",
  batch: "a batch that is not split",
  zero: "an amount of zero",
  lock: "the day is locked",
  archived: "the contact is archived",
  manual: "a person took an earlier match back",
} as const;

export type Obstacle = keyof typeof obstacleText;
