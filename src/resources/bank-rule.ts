/**
 * Bank rules: the first rule whose conditions all match a statement line decides how it is
 * reconciled.
 */
import { account } from "./account.ts";
import { lineTracking } from "./common.ts";
import { contact } from "./contact.ts";
import {
  boolean,
  choice,
  type Input,
  id,
  integer,
  many,
  money,
  percent,
  ref,
  resource,
  text,
  timestamp,
  usualAccess,
} from "./field.ts";

export const bankRule = resource(
  "BankRule",
  () => ({
    BankRuleID: id({ always: true }),
    Name: text({ max: 255, required: true, key: true, filter: true }),
    Position: integer({
      min: 1,
      always: true,
      help: "its place among the rules; the last when not given",
    }),
    Status: choice(["ACTIVE", "DELETED"], { default: "ACTIVE", always: true, filter: true }),
    Conditions: many(
      "Condition",
      {
        Field: choice(
          [
            "payeeOrText",
            "payee",
            "text",
            "reference",
            "otherAccount",
            "amount",
            "direction",
            "account",
          ],
          { required: true },
        ),
        Test: choice(["contains", "equals", "startsWith"], { default: "contains" }),
        Value: text({ max: 255, help: "of a direction `in` or `out`, of an account its code" }),
        From: money({ currency: "other", help: "least amount, without sign" }),
        To: money({ currency: "other", help: "largest amount, without sign" }),
      },
      { min: 1, max: 20, always: true, help: "all of them must hold" },
    ),
    Contact: ref("Contact", ["ContactID", "ContactNumber", "Name"], contact.fields, {
      help: "the payee of the line when not given",
    }),
    Lines: many(
      "Line",
      {
        AccountCode: text({ max: 10, required: true }),
        TaxType: text({ max: 50 }),
        Description: text({ max: 4000 }),
        Percent: percent({ help: "of the line" }),
        Amount: money({ currency: "other", help: "a fixed amount, without sign" }),
        IsCertain: boolean({
          help: "that a fixed amount needs no person, however large the line; asked about when not given",
        }),
        Tracking: lineTracking,
      },
      { max: 50, help: "where the money goes; a line without percent and amount takes the rest" },
    ),
    TransferAccount: ref("Account", ["AccountID", "Code"], account.fields, {
      help: "the other bank account, of a transfer",
    }),
    UpdatedDateUTC: timestamp({ readOnly: true, always: true }),
  }),
  {
    plural: "BankRules",
    extension: true,
    id: "BankRuleID",
    keys: ["Name"],
    ...usualAccess,
    modifiedSince: false,
    batchMax: 100,
    paged: "asked",
    columns: ["Position", "Name", "Status", "Contact.Name", "TransferAccount.Code"],
    listOrder: "Position ASC",
    noun: "bank rule",
    example: "Rent",
    summary: "rules that say what bank statement lines are",
  },
);

export type BankRuleInput = Input<typeof bankRule>;
