/** Requests of bank matching in tests, with only that told which matters. */
import { evidenceText } from "../../../src/ledger/bank-matching/evidence.ts";
import { matchLines } from "../../../src/ledger/bank-matching/match.ts";
import type {
  BookTransaction,
  LineSuggestions,
  MatchRequest,
  OpenDocument,
  StatementLine,
  Suggestion,
} from "../../../src/ledger/bank-matching/matching-types.ts";
import { cents } from "../amounts.ts";

type Text<T, Amount extends string> = Omit<Partial<T>, Amount> & { readonly [A in Amount]: string };

export const contacts = [
  { id: "kowhai", name: "Kowhai Design Ltd", accounts: ["DE89 3704 0044 0532 0130 00"] },
  { id: "north", name: "Harbour Supplies North Ltd" },
  { id: "south", name: "Harbour Supplies South Ltd" },
  { id: "muller", name: "Müller & Söhne GmbH" },
  { id: "old", name: "Antiquarian Bookshop", isArchived: true },
];

let serial = 0;
const id = (prefix: string): string => {
  serial += 1;
  return `${prefix}${serial}`;
};

export type LineText = Text<StatementLine, "amount">;

export function line({ amount, ...given }: LineText): StatementLine {
  return {
    id: id("line"),
    date: "2026-03-20",
    amount: cents(amount),
    currency: "NZD",
    text: "",
    ...given,
  };
}

/** An invoice of Kowhai unless said otherwise; its id is its number. */
export function open({ due, ...given }: Text<OpenDocument, "due">): OpenDocument {
  return {
    id: given.number ?? id("document"),
    type: "ACCREC",
    contactId: "kowhai",
    date: "2026-03-01",
    dueDate: "2026-03-20",
    due: cents(due),
    currency: "NZD",
    ...given,
  };
}

export function booked({ amount, ...given }: Text<BookTransaction, "amount">): BookTransaction {
  return { id: id("transaction"), date: "2026-03-19", amount: cents(amount), ...given };
}

export function request(given: Partial<MatchRequest>): MatchRequest {
  return {
    account: { id: "090", numbers: ["12-3456-0789012-00"], currency: "NZD" },
    lines: [],
    documents: [],
    transactions: [],
    contacts,
    rules: [],
    ownAccounts: [],
    learnt: [],
    days: 30,
    ...given,
  };
}

export const matched = (given: Partial<MatchRequest>): LineSuggestions[] =>
  matchLines(request(given));

export const isAutomatic = ({ obstacles }: Suggestion): boolean => obstacles.length === 0;

/** `INV-1 100.00 + INV-2 50.00, charges -1.00`, `reconcile T`, `449 -46.00`, `transfer 091 L`. */
export function actionText({ action }: Suggestion): string {
  switch (action.kind) {
    case "reconcile":
      return `reconcile ${action.transactionId}`;
    case "pay": {
      const { documents, difference } = action;
      const paid = documents.map(({ documentId, amount }) => `${documentId} ${amount / 100}`);
      const rest =
        difference === undefined ? "" : `, ${difference.kind} ${difference.amount / 100}`;
      return `${paid.join(" + ")}${rest}`;
    }
    case "spendOrReceive":
      return action.shares
        .map(({ accountCode, amount }) => `${accountCode} ${amount / 100}`)
        .join(" + ");
    case "transfer":
      return ["transfer", action.accountId, action.lineId].filter(Boolean).join(" ");
  }
}

/** What the first suggestion of each line does and why; `auto` where no person is needed. */
export function best(found: readonly LineSuggestions[]): string[] {
  return found.map(({ suggestions: [first] }) => {
    if (first === undefined) return "none";
    const decision = isAutomatic(first) ? "auto" : first.obstacles.join(", ");
    return `${actionText(first)} | ${evidenceText(first.evidence, undefined)} | ${decision}`;
  });
}

/** What is decided without a person, by line; undefined where nothing is. */
export function decided(found: readonly LineSuggestions[]): (string | undefined)[] {
  return found.map(({ suggestions: [first] }) =>
    first !== undefined && isAutomatic(first) ? actionText(first) : undefined,
  );
}
