/** The questions of each answer to what a line is, and the match that they come to. */

import type { BankMatchInput, BankSuggestion } from "../../../resources/bank-match.ts";
import type { BankStatementLine } from "../../../resources/bank-statement.ts";
import type { QuestionStep } from "../../framework/questions.ts";
import { documentsStep, overOf, paidDocuments, restLines, restStep } from "./document-questions.ts";
import {
  accountStep,
  contactStep,
  descriptionStep,
  type MatchTalk,
  money,
  partsStep,
  taxStep,
  trackingStep,
  transferSteps,
} from "./match-questions.ts";
import type { RuleDraft } from "./rule-questions.ts";

/** What a line is, where it is no suggestion. */
export type AskedKind =
  | "documents"
  | "account"
  | "accounts"
  | "Overpayment"
  | "Prepayment"
  | "transfer"
  | "rule";

/** An answer for which something is booked. */
export type Booking =
  | { readonly kind: "match"; readonly suggestion: BankSuggestion }
  | { readonly kind: AskedKind };

/** The questions of an answer, and the match that they come to. */
export interface MatchQuestions {
  readonly steps: readonly QuestionStep[];
  readonly input: () => BankMatchInput;
}

export function questionsOf(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: RuleDraft,
  decision: Booking,
): MatchQuestions {
  const isDeposit = () => decision.kind === "Prepayment";
  const account = accountStep(matchTalk, line, draft, { isDeposit });
  const party = contactStep(matchTalk, line, draft);
  const tax = taxStep(matchTalk, draft);
  const Contact = () => ({ Contact: { Name: draft.contact ?? "" } });
  const coded = () => ({
    AccountCode: draft.accountCode ?? "",
    ...(draft.taxType && { TaxType: draft.taxType }),
  });
  switch (decision.kind) {
    case "match":
      return suggestedQuestions(matchTalk, line, draft, decision.suggestion);
    case "documents":
      return documentQuestions(matchTalk, line, draft);
    case "accounts":
      return {
        steps: [partsStep(matchTalk, line, draft), party],
        input: () => ({ ...Contact(), Lines: draft.lines }),
      };
    case "Overpayment":
      return {
        steps: [party],
        input: () => ({ ...Contact(), Lines: [{ KeptAs: "Overpayment" }] }),
      };
    case "Prepayment":
      return {
        steps: [party, account, tax],
        input: () => ({ ...Contact(), Lines: [{ ...coded(), KeptAs: "Prepayment" }] }),
      };
    case "transfer":
      return {
        steps: transferSteps(matchTalk, line, draft),
        input: () => ({
          TransferAccount: { AccountID: draft.otherAccount?.AccountID ?? "" },
          ...(draft.transferAmount && { TransferAmount: draft.transferAmount }),
        }),
      };
    default:
      return {
        steps: [account, tax, trackingStep(matchTalk, draft), descriptionStep(line, draft), party],
        input: () => ({
          ...Contact(),
          Lines: [
            {
              ...coded(),
              ...(draft.description && { Description: draft.description }),
              ...(draft.tracking && { Tracking: draft.tracking }),
            },
          ],
        }),
      };
  }
}

function documentQuestions(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: RuleDraft,
): MatchQuestions {
  const account = (): QuestionStep =>
    accountStep(matchTalk, line, draft, {
      message: "Which account for what is left?",
      ...(draft.rest === "account" && { difference: overOf(draft, line) }),
      isDeposit: () => draft.rest === "Prepayment",
    });
  const needsAccount = () => draft.rest === "account" || draft.rest === "Prepayment";
  return {
    steps: [
      documentsStep(matchTalk, line, draft),
      restStep(matchTalk, line, draft),
      { when: needsAccount, ask: (ask) => account().ask(ask) },
      { when: () => draft.rest === "Prepayment", ask: taxStep(matchTalk, draft).ask },
    ],
    input: () => {
      const Lines = restLines(matchTalk, line, draft);
      return {
        Documents: paidDocuments(matchTalk, line, draft),
        ...(Lines.length === 0 ? {} : { Lines }),
      };
    },
  };
}

/** Questions that a suggestion leaves open: the account of a difference, a contact, an amount. */
function suggestedQuestions(
  matchTalk: MatchTalk,
  line: BankStatementLine,
  draft: RuleDraft,
  suggestion: BankSuggestion,
): MatchQuestions {
  const { Difference, TransferAccount, Lines = [], Contact } = suggestion;
  const input = inputOf(suggestion);
  if (TransferAccount !== undefined) {
    const otherAccount = matchTalk.names.account(TransferAccount.AccountID);
    if (otherAccount !== undefined) draft.otherAccount = otherAccount;
    const [, amount] = transferSteps(matchTalk, line, draft);
    return {
      steps: amount === undefined ? [] : [amount],
      input: () => ({
        ...input,
        ...(draft.transferAmount && { TransferAmount: draft.transferAmount }),
      }),
    };
  }
  if (Difference !== undefined) {
    const message = `Where does the difference of ${money(Math.abs(Difference), line)} go?`;
    const difference = Math.abs(Difference);
    return {
      steps: [accountStep(matchTalk, line, draft, { message, difference })],
      input: () => ({
        ...input,
        Lines: [...Lines, { AccountCode: draft.accountCode ?? "", Amount: Difference }],
      }),
    };
  }
  const isNobodys = Lines.length > 0 && Contact === undefined && input.Documents === undefined;
  return {
    steps: isNobodys ? [contactStep(matchTalk, line, draft)] : [],
    input: () => (isNobodys ? { ...input, Contact: { Name: draft.contact ?? "" } } : input),
  };
}

/** Returns the request that accepts a suggestion as it is. */
export function inputOf(suggestion: BankSuggestion): BankMatchInput {
  const { Records, Documents, Lines, Contact, TransferAccount, TransferAmount } = suggestion;
  const input = { Records, Documents, Lines, Contact, TransferAccount, TransferAmount };
  return Object.fromEntries(
    Object.entries(input).filter(([, value]) => value !== undefined),
  ) as BankMatchInput;
}
