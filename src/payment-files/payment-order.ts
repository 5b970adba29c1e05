/** What a bank is told to pay, and what each format of files says of itself. */
import type { Cents } from "../resources/decimal.ts";
import type { RuleName } from "../resources/refusal-rules.ts";

export interface AccountHolder {
  readonly name: string;
  /** In the form of the format, once it is read. */
  readonly account: string;
  readonly address?: { readonly town: string; readonly country: string } | undefined;
}

/** What stands on the statement of either side, where a format has a place for it. */
export interface Advice {
  readonly reference?: string | undefined;
  readonly code?: string | undefined;
  readonly particulars?: string | undefined;
}

export interface OrderedPayment extends AccountHolder {
  /** Unique, up to 32 letters and digits. */
  readonly id: string;
  readonly amount: Cents;
  readonly advice: Advice;
  /** Text for the payee; the number of the bill where nothing else is said. */
  readonly text: string;
  /** With check digits, as a bill prints it. */
  readonly creditorReference?: BillReference | undefined;
}

export interface BillReference {
  readonly kind: "RF" | "QRR";
  readonly reference: string;
}

export interface PaymentOrder {
  /** Unique for each file, up to 35 letters, digits and hyphens. */
  readonly id: string;
  /** Moment at which the file is made, `2026-11-28T09:30:00Z`. */
  readonly made: string;
  /** On which it is made, where the organisation is. */
  readonly today: string;
  /** Day of payment. */
  readonly day: string;
  readonly currency: string;
  /** ISO 3166, of the organisation. */
  readonly country: string;
  readonly payer: AccountHolder;
  readonly payments: readonly OrderedPayment[];
  readonly total: Cents;
  /** On the statement of the payer. */
  readonly advice: Advice;
  /** What the bank has assigned to the payer, for formats that ask. */
  readonly bank?: string | undefined;
  readonly userNumber?: string | undefined;
}

export type FaultSink = (rule: RuleName, message: string) => void;

export interface PaymentFormat {
  readonly extension: string;
  readonly contentType: string;
  /** The only currency that it is for. */
  readonly currency?: string;
  /** Longest names of payees and of the payer; any where it has no such bound. */
  readonly nameMax?: number;
  /** Whether it has letters of every script. */
  readonly anyLetters?: true;
  /** Largest amount and sum, in cents. */
  readonly amountMax: (order: PaymentOrder) => number;
  /** What an account number is, for a sentence. */
  readonly accountForm: (order: PaymentOrder) => string;
  /** The account number as the file has it; undefined where its form or its check digits are wrong. */
  readonly account: (text: string, order: PaymentOrder) => string | undefined;
  /** What else it demands. */
  readonly check?: (order: PaymentOrder, fault: FaultSink) => void;
  readonly write: (order: PaymentOrder) => string;
}
