/**
 * Match of a bank statement line with records of the book, requested by a caller or suggested by
 * the service.
 *
 * The amounts of all parts add up to the amount of the line. Existing records are named in
 * `Records`; other parts are created to reconcile the line, and removed when the match is undone.
 */
import { account } from "./account.ts";
import { matchKinds } from "./bank-statement.ts";
import { lineTracking } from "./common.ts";
import { contact } from "./contact.ts";
import {
  boolean,
  choice,
  type Input,
  id,
  many,
  money,
  ref,
  resource,
  type Shape,
  text,
} from "./field.ts";

/** Documents that a statement line may pay, by resource name. */
export const paidKinds = [
  "Invoice",
  "CreditNote",
  "Prepayment",
  "Overpayment",
  "ExpenseClaim",
] as const;

/** Advances that money of a line may be kept as, for later documents of its contact. */
export const keptKinds = ["Overpayment", "Prepayment"] as const;

const parts = {
  Records: many(
    "Record",
    {
      Kind: choice(matchKinds, { help: "found by the id when not given" }),
      RecordID: id({ required: true }),
    },
    { help: "payments, bank transactions and transfers of the book that are the line" },
  ),
  Documents: many(
    "Document",
    {
      Kind: choice(paidKinds, { default: "Invoice" }),
      DocumentID: id(),
      Number: text({ max: 255, help: "instead of the id" }),
      Amount: money({
        currency: "other",
        help: "all that is due when not given, in the currency of the document",
      }),
    },
    { help: "documents that the line pays" },
  ),
  Lines: many(
    "Line",
    {
      AccountCode: text({ max: 10, help: "of all but an overpayment, which has its own" }),
      KeptAs: choice(keptKinds, { help: "kept as an advance of the contact, for later documents" }),
      Amount: money({
        currency: "other",
        help: "of the sign of the line; what is left of it when not given",
      }),
      TaxType: text({ max: 50 }),
      Description: text({ max: 4000 }),
      Tracking: lineTracking,
    },
    { help: "money spent or received: a fee, a purchase, a difference" },
  ),
  Contact: ref("Contact", ["ContactID", "ContactNumber", "Name"], contact.fields, {
    help: "of the lines; the payee when not given, made where it is new",
  }),
  TransferAccount: ref("Account", ["AccountID", "Code"], account.fields, {
    help: "the other bank account, where the line is a transfer between own accounts",
  }),
  TransferAmount: money({
    currency: "other",
    help: "what left or came to the other account, in its currency; at the rate of the day when not given",
  }),
} as const;

const commonParts = { extension: true, collection: [], record: [], batchMax: 1 } as const;

/** Request body of `/Match`. */
export const bankMatch = resource("BankMatch", parts, {
  ...commonParts,
  plural: "BankMatches",
  id: "Contact",
  columns: [],
  noun: "match",
  summary: "what a bank statement line is reconciled with",
});

export type BankMatchInput = Input<typeof bankMatch>;

/** Suggested matches of a statement line, the best first. */
export const bankSuggestion = resource(
  "BankSuggestion",
  () => ({
    BankStatementLineID: id({ always: true }),
    IsCertain: boolean({ always: true, help: "may be done without a person" }),
    Evidence: text({ help: "what speaks for it" }),
    Obstacles: text({ help: "why it may not be done without a person" }),
    BankRuleID: id({ help: "the rule that it is by" }),
    Difference: money({
      help: "what is to go to an account that a person names, as one of the Lines: a fee, charges, a discount",
    }),
    ...parts,
  }),
  {
    ...commonParts,
    plural: "BankSuggestions",
    id: "BankStatementLineID",
    columns: ["BankStatementLineID", "IsCertain", "Evidence", "Obstacles"],
    noun: "suggestion",
    summary: "what bank statement lines may be reconciled with",
  },
);

export type BankSuggestion = Shape<typeof bankSuggestion>;
