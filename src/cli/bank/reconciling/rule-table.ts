/** Bank rules as people read them: when, then, and how often each decided. */

import { ruleFits } from "../../../ledger/bank-matching/line-records.ts";
import { displayWidth, pad, truncate } from "../../../output/display-width.ts";
import type { bankRule } from "../../../resources/bank-rule.ts";
import { bankStatementLine } from "../../../resources/bank-statement.ts";
import type { Shape } from "../../../resources/field.ts";
import type { Context } from "../../context/context.ts";
import { safeLine } from "../../render/safe.ts";
import { MatchNames } from "./match-parts.ts";

type BankRule = Shape<typeof bankRule>;
const usualWidth = 80;
/** Number of the last reconciled lines that are counted. */
const countedMax = 2000;

/** The rules in their order, each with its conditions, its effect, and the lines that it fits first. */
export async function formatRules(
  ctx: Context,
  rules: readonly BankRule[],
  width = usualWidth,
): Promise<string[]> {
  const client = await ctx.client();
  const names = await MatchNames.of(client);
  const did = new Map<string, number>();
  const query = { where: 'Status=="RECONCILED"', order: "Date DESC", limit: countedMax };
  for await (const line of client.list(bankStatementLine, query)) {
    const first = rules.find(({ Conditions }) => ruleFits(Conditions, line));
    if (first !== undefined) did.set(first.BankRuleID, (did.get(first.BankRuleID) ?? 0) + 1);
  }
  const rows = rules.map((rule) => [
    String(rule.Position),
    safeLine(rule.Name),
    whenWords(rule, names),
    thenWords(rule, names),
    asksForAmount(rule) ? "asks" : String(did.get(rule.BankRuleID) ?? 0),
  ]);
  const allRows = [["", "Rule", "When", "Then", "Did"], ...rows];
  const widest = [0, 1, 2, 3, 4].map((at) =>
    Math.max(...allRows.map((row) => displayWidth(row[at] ?? ""))),
  );
  const [place = 2, name = 16, , , count = 4] = widest;
  const titleWidth = Math.min(name, 24);
  const room = Math.max(20, width - place - titleWidth - count - 8);
  const when = Math.min(widest[2] ?? 0, Math.max(Math.ceil(room / 2), room - (widest[3] ?? 0)));
  const thenWidth = Math.min(widest[3] ?? 0, room - when);
  return allRows.map(([number = "", rule = "", if_ = "", does = "", times = ""]) =>
    [
      pad(number, place, "right"),
      pad(truncate(rule, titleWidth), titleWidth, "left"),
      pad(truncate(if_, when), when, "left"),
      pad(truncate(does, thenWidth), thenWidth, "left"),
      pad(times, count, "right"),
    ].join("  "),
  );
}

/** Whether a rule leaves lines of other amounts to people. */
const asksForAmount = ({ Lines = [] }: BankRule): boolean =>
  Lines.some(({ Amount, IsCertain }) => Amount !== undefined && IsCertain !== true);

/** `text contains rent, out`. */
function whenWords({ Conditions }: BankRule, names: MatchNames): string {
  const words = Conditions.map(({ Field, Test = "contains", Value = "", From, To }) => {
    if (Field === "direction") return Value;
    if (Field === "amount") {
      const [from, to] = [From, To].map((cents) =>
        cents === undefined ? "" : names.money(cents, names.base),
      );
      return from === to ? (from ?? "") : `${from} to ${to}`;
    }
    if (Field === "account") return `at ${Value}`;
    const field = Field === "payeeOrText" ? "payee or text" : Field;
    const test = { contains: "contains", equals: "is", startsWith: "begins with" }[Test];
    return `${field} ${test} ${Value}`;
  });
  return safeLine(words.join(", "));
}

/** `469 Rent, Wharf Street Properties`, `transfer to 091 Savings`, `437 142.50, 900 the rest`. */
function thenWords({ Lines = [], TransferAccount, Contact }: BankRule, names: MatchNames): string {
  if (TransferAccount !== undefined) {
    return `transfer to ${names.titleOf(TransferAccount.AccountID ?? TransferAccount.Code)}`;
  }
  const isOnly = Lines.length === 1;
  const shares = Lines.map(({ AccountCode, Amount, Percent }) => {
    if (isOnly && Amount === undefined) return names.titleOf(AccountCode);
    if (Amount !== undefined) return `${AccountCode} ${names.money(Amount, names.base)}`;
    return `${AccountCode} ${Percent === undefined ? "the rest" : `${Percent / 10_000} %`}`;
  });
  return safeLine([...shares, Contact?.Name].filter(Boolean).join(", "));
}
