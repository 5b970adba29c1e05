/** Statement lines and the conditions of bank rules, from their records to what is matched. */

import type { bankRule } from "../../resources/bank-rule.ts";
import type { BankStatementLine } from "../../resources/bank-statement.ts";
import type { Input } from "../../resources/field.ts";
import type { Cents } from "../money.ts";
import { ruleHolds } from "./line-rules.ts";
import type { LineFlag, RuleCondition, StatementLine } from "./matching-types.ts";

/** What a statement line says, as a record of the service or of its answer. */
type LineRecord = Pick<
  BankStatementLine,
  | "BankStatementLineID"
  | "Date"
  | "Amount"
  | "Payee"
  | "Description"
  | "References"
  | "OtherAccount"
  | "Charges"
  | "OriginalAmount"
  | "OriginalCurrency"
  | "Parts"
  | "Flags"
>;

export type ConditionRecord = NonNullable<Input<typeof bankRule>["Conditions"]>[number];

const flags: readonly string[] = ["return", "reversal", "cash", "manual"];

/** @param currency  of the bank account */
export function statementLineOf(line: LineRecord, currency: string): StatementLine {
  const { OriginalAmount, OriginalCurrency, Parts } = line;
  return {
    id: line.BankStatementLineID,
    date: line.Date,
    amount: line.Amount,
    currency,
    payee: line.Payee,
    text: line.Description ?? "",
    references: line.References,
    otherAccount: line.OtherAccount,
    charges: line.Charges,
    original:
      OriginalAmount === undefined || OriginalCurrency === undefined
        ? undefined
        : { amount: OriginalAmount, currency: OriginalCurrency },
    batch: Parts?.map(({ Amount, Payee, Description = "" }) => ({
      amount: Amount ?? (0 as Cents),
      payee: Payee,
      text: Description,
    })),
    flags: line.Flags?.filter((flag): flag is LineFlag => flags.includes(flag)),
  };
}

/** @param idOf  the id of a bank account by its code */
export function conditionOf(
  { Field = "payeeOrText", Test = "contains", Value = "", From, To }: ConditionRecord,
  idOf: (code: string) => string | undefined,
): RuleCondition {
  switch (Field) {
    case "amount":
      return { field: Field, from: From, to: To };
    case "direction":
      return { field: Field, value: Value === "in" ? "in" : "out" };
    case "otherAccount":
      return { field: Field, value: Value };
    case "account":
      return { field: Field, value: idOf(Value) ?? Value };
    default:
      return { field: Field, test: Test, value: Value };
  }
}

/** Whether all conditions of a bank rule hold for a statement line. */
export function ruleFits(
  conditions: readonly ConditionRecord[],
  line: LineRecord & Pick<BankStatementLine, "BankAccount">,
): boolean {
  const { AccountID = "", Code, CurrencyCode = "" } = line.BankAccount;
  const rule = {
    id: "",
    name: "",
    conditions: conditions.map((condition) =>
      conditionOf(condition, (code) => (code === Code ? AccountID : code)),
    ),
    outcome: { kind: "transfer", accountId: "" },
  } as const;
  return ruleHolds(rule, statementLineOf(line, CurrencyCode), AccountID);
}
