/**
 * The data of bank matching: statement lines, what the book knows, and the suggestions.
 *
 * A statement line is what the bank says, a transaction is what the book says. All data is plain and
 * read-only, so that a suggestion can be kept, sent and shown. Amounts of lines and transactions are
 * signed, positive where money came in.
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
  /** Name of the other party as the bank gives it. */
  readonly payee?: string | undefined;
  /** Remittance text; a line break stands where the format of the file cut it. */
  readonly text: string;
  /** Creditor reference, end-to-end id and the like, without the format's "no reference". */
  readonly references?: readonly string[] | undefined;
  /** IBAN or account number of the other party. */
  readonly otherAccount?: string | undefined;
  /** Taken off by a bank and included in `amount`, as the file says; not negative. */
  readonly charges?: Cents | undefined;
  /** What was paid in another currency, sign as `amount`. */
  readonly original?: { readonly amount: Cents; readonly currency: string } | undefined;
  /** Payments of a batch that the bank booked as one amount. */
  readonly batch?: readonly BatchPart[] | undefined;
  /** `manual`: a person took an earlier match of the line back. */
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
  /** IBANs and account numbers that the contact is known by. */
  readonly accounts?: readonly string[] | undefined;
  readonly isArchived?: boolean | undefined;
}

/** Documents that a payment can settle. */
export type OpenDocumentType = Exclude<DocumentType, "CASHREC" | "CASHPAID">;

/** An approved document with something due. */
export interface OpenDocument {
  readonly id: string;
  readonly type: OpenDocumentType;
  readonly number?: string | undefined;
  readonly reference?: string | undefined;
  readonly contactId: string;
  readonly date: DateText;
  readonly dueDate?: DateText | undefined;
  /** In `currency`, above zero. */
  readonly due: Cents;
  readonly currency: string;
}

/** A payment, batch payment, transfer or bank transaction on this account that is not reconciled. */
export interface BookTransaction {
  readonly id: string;
  readonly date: DateText;
  readonly amount: Cents;
  readonly reference?: string | undefined;
  readonly contactId?: string | undefined;
  /** Numbers of the documents that it pays. */
  readonly numbers?: readonly string[] | undefined;
  /** The other account, of a transfer. */
  readonly transferAccountId?: string | undefined;
}

/** Another bank account of the organisation. */
export interface OwnAccount {
  readonly id: string;
  readonly name: string;
  /** IBAN and account numbers. */
  readonly numbers: readonly string[];
  readonly currency: string;
  /** Its statement lines that are not reconciled. */
  readonly lines: readonly StatementLine[];
}

/** The first rule of which all conditions hold decides; the words are found in any case. */
export interface BankRule {
  readonly id: string;
  readonly name: string;
  readonly conditions: readonly RuleCondition[];
  readonly outcome: RuleOutcome;
}

export type RuleCondition =
  | {
      readonly field: "payee" | "text" | "reference" | "payeeOrText";
      readonly test: "contains" | "equals" | "startsWith";
      readonly value: string;
    }
  /** Without sign, both ends included. */
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
      /** At least one; the shares come to the amount of the line. */
      readonly split: readonly RuleShare[];
    }
  | { readonly kind: "transfer"; readonly accountId: string }
  /** What an agent keeps of each payment: a percentage of what is due and a fixed amount. */
  | {
      readonly kind: "fee";
      readonly accountCode: string;
      readonly percent: Percent;
      readonly fixed: Cents;
    };

/** Where a share of a line goes; the last share takes what is left. */
export interface RuleShare {
  readonly accountCode: string;
  readonly taxType?: string | undefined;
  readonly tracking?: readonly { readonly name: string; readonly option: string }[] | undefined;
  /** Percent of the line, or a fixed amount without sign; the rest without either. */
  readonly percent?: Percent | undefined;
  readonly amount?: Cents | undefined;
}

/** A fact of lines that a person accepted, with how many they were. */
export type LearntFact =
  | {
      readonly kind: "contact";
      readonly otherAccount: string;
      readonly contactId: string;
      readonly count: number;
    }
  /** `text` is the `learntText` of the lines. */
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
  /** Every contact of the documents, transactions and rules; others make names rarer or likelier. */
  readonly contacts: readonly MatchContact[];
  readonly rules: readonly BankRule[];
  readonly ownAccounts: readonly OwnAccount[];
  readonly learnt: readonly LearntFact[];
  /** A name speaks for a document from its date until so many days after it is due. */
  readonly days: number;
  /** The last locked day: nothing up to it is decided without a person. */
  readonly lockDate?: DateText | undefined;
}

/** What accepting a suggestion does. */
export type MatchAction =
  /** The line is the transaction that the book has. */
  | { readonly kind: "reconcile"; readonly transactionId: string }
  /** The line pays documents; the amounts and the difference come to the amount of the line. */
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
  /** `lineId` is the line of the other account, where it was imported. */
  | {
      readonly kind: "transfer";
      readonly accountId: string;
      readonly lineId?: string | undefined;
      readonly ruleId?: string | undefined;
    };

export interface DocumentShare {
  readonly documentId: string;
  /** In the currency of the document, positive where its payment brings money in. */
  readonly amount: Cents;
}

export interface AccountShare extends Omit<RuleShare, "percent" | "amount"> {
  /** Sign as the line. */
  readonly amount: Cents;
}

/**
 * What a line is more or less than its documents, in the currency of the line and with its sign.
 *
 * `charges`: the file says so. `fee`: by a rule, or small enough to be one. `exchange`: the document
 * is in another currency, and all that came in or went out is for it; the amount is 0. `overpayment`:
 * more than is due. A part payment has no difference.
 */
export interface Difference {
  readonly kind: "charges" | "fee" | "exchange" | "overpayment";
  readonly amount: Cents;
  readonly accountCode?: string | undefined;
}

export interface Suggestion {
  readonly action: MatchAction;
  readonly evidence: readonly Evidence[];
  /** Why it may not be done without a person; empty where it may. */
  readonly obstacles: readonly Obstacle[];
}

export interface LineSuggestions {
  readonly lineId: string;
  /** The best first, at most `suggestionsMax`; one without obstacles is the first and the only. */
  readonly suggestions: readonly Suggestion[];
}
