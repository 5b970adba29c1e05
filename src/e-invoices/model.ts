/**
 * An invoice or credit note as EN 16931 sees it: the one form that every syntax is written from and
 * read into.
 *
 * Fields bear the numbers of the standard's business terms (BT) and groups (BG). Amounts are whole
 * cents; what the standard leaves without a bound of decimals (prices, quantities, rates) is an exact
 * `Decimal`. Amounts of a credit note are positive.
 *
 * @source EN 16931-1:2017
 */
import type { DateText } from "../ledger/dates/calendar.ts";
import type { Cents } from "../ledger/money.ts";
import { RefusedError } from "../resources/errors.ts";
import type { TaxCategory } from "../resources/tax-rate.ts";
import type { Decimal } from "./decimal.ts";

export type { TaxCategory } from "../resources/tax-rate.ts";

export interface Identifier {
  readonly id: string;
  /** ISO 6523, or the list of electronic addresses (EAS). */
  readonly scheme?: string | undefined;
}

export interface Address {
  /** BT-35, 36, 162: at most three. */
  readonly lines: readonly string[];
  readonly city?: string | undefined;
  readonly postCode?: string | undefined;
  readonly region?: string | undefined;
  /** ISO 3166. */
  readonly country?: string | undefined;
}

export interface PartyContact {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

export interface Party {
  /** BT-27, 44: the registered name. */
  readonly name: string;
  /** BT-28, 45: the name it trades under, where that is another. */
  readonly tradingName?: string | undefined;
  /** BT-29, 46. */
  readonly ids: readonly Identifier[];
  /** BT-30, 47. */
  readonly registration?: Identifier | undefined;
  /** BT-31, 48: with the prefix of its country, but for GST. */
  readonly taxId?: string | undefined;
  /** BT-32: a number of the tax office without such a prefix. */
  readonly localTaxId?: string | undefined;
  /** BT-34, 49. */
  readonly electronicAddress?: Identifier | undefined;
  readonly address: Address;
  readonly contact?: PartyContact | undefined;
}

/** BG-20, 21 and 27, 28: something taken off, or added where it `isCharge`. */
export interface Allowance {
  readonly isCharge: boolean;
  readonly amount: Cents;
  /** Percent of `base`; both or neither. */
  readonly percent?: Decimal | undefined;
  readonly base?: Cents | undefined;
  readonly reason?: string | undefined;
  readonly reasonCode?: string | undefined;
}

export interface TaxKey {
  readonly category: TaxCategory;
  /** In percent; undefined where nothing is subject to tax. */
  readonly rate?: Decimal | undefined;
}

/** An allowance or charge of the whole document. */
export interface DocumentAllowance extends Allowance, TaxKey {}

export interface Line extends TaxKey {
  /** BT-126. */
  readonly id: string;
  /** BT-127. */
  readonly note?: string | undefined;
  /** BT-153, 154, 155. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly itemCode?: string | undefined;
  readonly quantity: Decimal;
  /** UN/ECE Recommendation 20. */
  readonly unit: string;
  /** BT-146: of `priceQuantity` units, without tax. */
  readonly price: Decimal;
  /** BT-149; one where not given. */
  readonly priceQuantity?: Decimal | undefined;
  readonly allowances: readonly Allowance[];
  /** BT-131. */
  readonly net: Cents;
}

/** BG-23. */
export interface TaxSubtotal extends TaxKey {
  readonly base: Cents;
  readonly amount: Cents;
  readonly reason?: string | undefined;
  /** VATEX. */
  readonly reasonCode?: string | undefined;
}

/** BG-22. */
export interface Totals {
  /** BT-106, 107, 108, 109. */
  readonly lines: Cents;
  readonly allowances: Cents;
  readonly charges: Cents;
  readonly net: Cents;
  /** BT-110, 112. */
  readonly tax: Cents;
  readonly gross: Cents;
  /** BT-113: paid, or settled by credits. */
  readonly paid: Cents;
  /** BT-114. */
  readonly rounding: Cents;
  /** BT-115. */
  readonly due: Cents;
}

/** BG-16. */
export interface Payment {
  /** BT-81, UNCL 4461. */
  readonly means: string;
  /** BT-83: what the payer writes with the payment. */
  readonly reference?: string | undefined;
  readonly accounts: readonly PaymentAccount[];
}

/** BG-17. */
export interface PaymentAccount {
  /** BT-84. */
  readonly id: string;
  readonly name?: string | undefined;
  readonly bic?: string | undefined;
}

/** BG-13, 15. */
export interface Delivery {
  readonly date?: DateText | undefined;
  readonly address?: Address | undefined;
}

export interface EInvoice {
  /** BT-23, 24. */
  readonly process?: string | undefined;
  readonly specification: string;
  /** What taxes are called in identifiers: of PINT A-NZ it is GST. */
  readonly taxScheme: "VAT" | "GST";
  readonly isCreditNote: boolean;
  /** BT-3, UNTDID 1001. */
  readonly typeCode: string;
  readonly number: string;
  readonly date: DateText;
  readonly dueDate?: DateText | undefined;
  readonly currency: string;
  /** BT-6, 111: the tax in the currency of the seller's books. */
  readonly accountingTax?: { readonly currency: string; readonly amount: Cents } | undefined;
  readonly notes: readonly string[];
  /** BT-10, 13. */
  readonly buyerReference?: string | undefined;
  readonly orderReference?: string | undefined;
  /** BG-3. */
  readonly preceding: readonly { readonly number: string; readonly date?: DateText | undefined }[];
  readonly seller: Party;
  readonly buyer: Party;
  /** BT-59, where the payee is another than the seller. */
  readonly payee?: string | undefined;
  readonly delivery?: Delivery | undefined;
  readonly payment?: Payment | undefined;
  /** BT-20. */
  readonly terms?: string | undefined;
  readonly allowances: readonly DocumentAllowance[];
  readonly taxes: readonly TaxSubtotal[];
  readonly totals: Totals;
  readonly lines: readonly Line[];
}

export type EInvoiceFault =
  | "BadFile"
  | "Truncated"
  | "Entities"
  | "TooMuch"
  | "NotEInvoice"
  | "TotalsOnly"
  | "BadAmount"
  | "BadDate"
  | "Totals";

/** An e-invoice that is refused, in one sentence. */
export class EInvoiceError extends RefusedError {
  declare readonly code: EInvoiceFault;

  constructor(code: EInvoiceFault, sentence: string, options?: ErrorOptions) {
    super(code, sentence, [], options);
  }
}

/** The refusal of an e-invoice whose profile has the totals alone. */
export function withoutLines(): EInvoiceError {
  return new EInvoiceError(
    "TotalsOnly",
    "The e-invoice has no lines, but totals alone (Factur-X MINIMUM or BASIC WL): --totals-only makes one line for each tax rate of them, all on --account CODE.",
  );
}
