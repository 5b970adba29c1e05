/** Payment orders, and the interface of a payment file format. */
import type { Cents } from "../resources/decimal.ts";
import type { RuleName } from "../resources/refusal-rules.ts";

export interface AccountHolder {
  readonly name: string;
  /** Account number, in the form of the file format once it is validated. */
  readonly account: string;
  readonly address?: { readonly town: string; readonly country: string } | undefined;
}

/** Text for the bank statements of payer or payee, where a format has a field for it. */
export interface Advice {
  readonly reference?: string | undefined;
  readonly code?: string | undefined;
  readonly particulars?: string | undefined;
}

export interface OrderedPayment extends AccountHolder {
  /** Unique id, up to 32 letters and digits. */
  readonly id: string;
  readonly amount: Cents;
  readonly advice: Advice;
  /** Text for the payee; the number of the bill unless given. */
  readonly text: string;
  /** Structured creditor reference with check digits, as printed on the bill. */
  readonly creditorReference?: BillReference | undefined;
}

export interface BillReference {
  readonly kind: "RF" | "QRR";
  readonly reference: string;
}

export interface PaymentOrder {
  /** Unique id of the file, up to 35 letters, digits and hyphens. */
  readonly id: string;
  /** Time of creation of the file, `2026-11-28T09:30:00Z`. */
  readonly createdAt: string;
  /** Date of creation in the time zone of the organisation. */
  readonly today: string;
  /** Date of payment. */
  readonly day: string;
  readonly currency: string;
  /** Country of the organisation, ISO 3166. */
  readonly country: string;
  readonly payer: AccountHolder;
  readonly payments: readonly OrderedPayment[];
  readonly total: Cents;
  /** Text for the bank statement of the payer. */
  readonly advice: Advice;
  /** Number that the bank has assigned to the payer, for formats that require it. */
  readonly bank?: string | undefined;
  readonly userNumber?: string | undefined;
}

export type FaultSink = (rule: RuleName, message: string) => void;

export interface PaymentFormat {
  readonly extension: string;
  readonly contentType: string;
  /** The only currency that the format supports; undefined for any. */
  readonly currency?: string;
  /** Maximum length of the names of payer and payees; undefined for any. */
  readonly nameMax?: number;
  /** Whether the format allows letters of every script. */
  readonly anyLetters?: true;
  /** Maximum of an amount and of the sum, in cents. */
  readonly amountMax: (order: PaymentOrder) => number;
  /** Description of the account number format, for error messages. */
  readonly accountForm: (order: PaymentOrder) => string;
  /**
   * Converts an account number to the format of the file; undefined where its form or check digits
   * are wrong.
   */
  readonly account: (text: string, order: PaymentOrder) => string | undefined;
  /** Checks further requirements of the format. */
  readonly check?: (order: PaymentOrder, fault: FaultSink) => void;
  readonly write: (order: PaymentOrder) => string;
}
