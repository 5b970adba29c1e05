/**
 * Types of bank matching: statement lines, the book's data, and suggestions.
 *
 * A statement line comes from the bank, a transaction from the book. All data is plain and
 * read-only, so that a suggestion can be stored, sent and displayed. Amounts of lines and
 * transactions are signed, positive for money in.
 */
import type { DateText } from "../dates/calendar.ts";
import type { DocumentType } from "../documents/document-kinds.ts";
import type { Cents, Percent } from "../money.ts";
import type { Evidence, Obstacle } from "./evidence.ts";

export interface StatementLine {
  readonly id: string;
  /** The booking day. */
  readonly date: DateText;
  readonly amount: Cents;
  readonly currency: string;
  /** Name of the other party, from the bank. */
  readonly payee?: string | undefined;
  /** Remittance text; line breaks are where the file format cut it. */
  readonly text: string;
  /** References, such as creditor reference and end-to-end id, without placeholders for none. */
  readonly references?: readonly string[] | undefined;
  /** IBAN or account number of the other party. */
  readonly otherAccount?: string | undefined;
  /** Bank charges included in `amount`, according to the file; not negative. */
  readonly charges?: Cents | undefined;
  /** Amount paid in another currency, with the sign of `amount`. */
  readonly original?: { readonly amount: Cents; readonly currency: string } | undefined;
  /** Payments of a batch that the bank booked as one amount. */
  readonly batch?: readonly BatchPart[] | undefined;
  /** Flags of the line; `manual`: a person has undone an earlier match. */
  readonly flags?: readonly LineFlag[] | undefined;
}

export type LineFlag = "return" | "reversal" | "cash" | "manual";

/** One payment of a batch. */
export interface BatchPart {
  readonly amount: Cents;
  readonly payee?: string | undefined;
  readonly text: string;
  readonly references?: readonly string[] | undefined;
}

export interface MatchContact {
  readonly id: string;
  readonly name: string;
  /** Known IBANs and account numbers of the contact. */
  readonly accounts?: readonly string[] | undefined;
  readonly isArchived?: boolean | undefined;
}

/** Types of documents that a payment can settle. */
export type OpenDocumentType = Exclude<DocumentType, "CASHREC" | "CASHPAID">;

/** An approved document with an amount due. */
export interface OpenDocument {
  readonly id: string;
  readonly type: OpenDocumentType;
  readonly number?: string | undefined;
  readonly reference?: string | undefined;
  readonly contactId: string;
  readonly date: DateText;
  readonly dueDate?: DateText | undefined;
  /** Amount due in `currency`, positive. */
  readonly due: Cents;
  readonly currency: string;
}

/** An unreconciled payment, batch payment, transfer or bank transaction on this account. */
export interface BookTransaction {
  readonly id: string;
  readonly date: DateText;
  readonly amount: Cents;
  readonly reference?: string | undefined;
  readonly contactId?: string | undefined;
  /** Numbers of the documents that the transaction pays. */
  readonly numbers?: readonly string[] | undefined;
  /** The other account of a transfer. */
  readonly transferAccountId?: string | undefined;
}

/** Another bank account of the organisation. */
export interface OwnAccount {
  readonly id: string;
  readonly name: string;
  /** IBAN and account numbers. */
  readonly numbers: readonly string[];
  readonly currency: string;
  /** Unreconciled statement lines of the account. */
  readonly lines: readonly StatementLine[];
}

/** A bank rule; the first whose conditions all hold applies. Words match in any letter case. */
export interface BankRule {
  readonly id: string;
  readonly name: string;
  readonly conditions: readonly RuleCondition[];
  readonly outcome: RuleOutcome;
  /**
   * Amounts of lines that it booked, where it has fixed amounts: a line unlike all of them is not
   * decided automatically.
   */
  readonly booked?: readonly Cents[] | undefined;
}

export type RuleCondition =
  | {
      readonly field: "payee" | "text" | "reference" | "payeeOrText";
      readonly test: "contains" | "equals" | "startsWith";
      readonly value: string;
    }
  /** Range of the amount without sign, both ends included. */
  | { readonly field: "amount"; readonly from?: Cents | undefined; readonly to?: Cents | undefined }
  | { readonly field: "direction"; readonly value: "in" | "out" }
  /** IBAN or number of the other party. */
  | { readonly field: "otherAccount"; readonly value: string }
  /** The bank account of the line. */
  | { readonly field: "account"; readonly value: string };

export type RuleOutcome =
  | {
      readonly kind: "transaction";
      readonly contactId?: string | undefined;
      /** The shares of the line, at least one, which add up to its amount. */
      readonly split: readonly RuleShare[];
    }
  | { readonly kind: "transfer"; readonly accountId: string }
  /**
   * Fee that an agent deducts from each payment: a percentage of the amount due plus a fixed
   * amount.
   */
  | {
      readonly kind: "fee";
      readonly accountCode: string;
      readonly percent: Percent;
      readonly fixed: Cents;
    };

/** A share of a line; the last share is the rest. */
export interface RuleShare {
  readonly accountCode: string;
  readonly taxType?: string | undefined;
  readonly tracking?: readonly { readonly name: string; readonly option: string }[] | undefined;
  /** Percentage of the line, or a fixed amount without sign; the rest when neither is given. */
  readonly percent?: Percent | undefined;
  readonly amount?: Cents | undefined;
}

/** A fact learnt from accepted lines, with the number of lines. */
export type LearntFact =
  | {
      readonly kind: "contact";
      readonly otherAccount: string;
      readonly contactId: string;
      readonly count: number;
    }
  /** A text and its account; `text` is the `learntText` of the lines. */
  | {
      readonly kind: "account";
      readonly text: string;
      readonly accountCode: string;
      readonly count: number;
    };

export interface MatchRequest {
  /** The bank account of the lines. */
  readonly account: {
    readonly id: string;
    readonly numbers: readonly string[];
    readonly currency: string;
  };
  readonly lines: readonly StatementLine[];
  readonly documents: readonly OpenDocument[];
  readonly transactions: readonly BookTransaction[];
  /**
   * The contacts of all documents, transactions and rules; further contacts affect how distinctive
   * names are.
   */
  readonly contacts: readonly MatchContact[];
  readonly rules: readonly BankRule[];
  readonly ownAccounts: readonly OwnAccount[];
  readonly learnt: readonly LearntFact[];
  /** Days after its due date up to which a name is evidence for a document, from its date on. */
  readonly days: number;
  /** The last locked day: lines up to it are never decided automatically. */
  readonly lockDate?: DateText | undefined;
}

/** The effect of accepting a suggestion. */
export type MatchAction =
  /** Reconciles the line with a transaction of the book. */
  | { readonly kind: "reconcile"; readonly transactionId: string }
  /** Pays documents; their amounts and the difference add up to the line. */
  | {
      readonly kind: "pay";
      readonly documents: readonly DocumentShare[];
      readonly difference?: Difference | undefined;
    }
  | {
      readonly kind: "spendOrReceive";
      readonly ruleId?: string | undefined;
      readonly contactId?: string | undefined;
      readonly shares: readonly AccountShare[];
    }
  /** Books a transfer; `lineId` is the line of the other account, if imported. */
  | {
      readonly kind: "transfer";
      readonly accountId: string;
      readonly lineId?: string | undefined;
      readonly ruleId?: string | undefined;
    };

export interface DocumentShare {
  readonly documentId: string;
  /** Amount in the currency of the document, positive when its payment brings money in. */
  readonly amount: Cents;
}

export interface AccountShare extends Omit<RuleShare, "percent" | "amount"> {
  /** Amount with the sign of the line. */
  readonly amount: Cents;
}

/**
 * The difference between a line and its documents, in the currency of the line and with its sign.
 *
 * `charges`: stated in the file. `fee`: by a rule, or small enough to be one. `exchange`: the
 * document is in another currency, and the whole line pays it; the amount is 0. `overpayment`: more
 * than is due. A part payment has no difference.
 */
export interface Difference {
  readonly kind: "charges" | "fee" | "exchange" | "overpayment";
  readonly amount: Cents;
  readonly accountCode?: string | undefined;
}

export interface Suggestion {
  readonly action: MatchAction;
  readonly evidence: readonly Evidence[];
  /** Obstacles to accepting it automatically; empty when there are none. */
  readonly obstacles: readonly Obstacle[];
}

export interface LineSuggestions {
  readonly lineId: string;
  /**
   * Suggestions, the best first, at most `suggestionsMax`; one without obstacles is the first and
   * the only one.
   */
  readonly suggestions: readonly Suggestion[];
}
