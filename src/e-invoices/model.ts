/**
 * An invoice or credit note in the model of EN 16931, which both syntaxes are written from and read
 * into.
 *
 * Comments give the business terms (BT) and groups (BG) of the standard. Amounts are in cents;
 * values with unlimited decimals in the standard (prices, quantities, rates) are exact `Decimal`s.
 * Amounts of a credit note are positive.
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
  /** Identifier scheme of ISO 6523, or of the list of electronic addresses (EAS). */
  readonly scheme?: string | undefined;
}

export interface Address {
  /** Address lines, at most three (BT-35, 36, 162). */
  readonly lines: readonly string[];
  readonly city?: string | undefined;
  readonly postCode?: string | undefined;
  readonly region?: string | undefined;
  /** Country code of ISO 3166. */
  readonly country?: string | undefined;
}

export interface PartyContact {
  readonly name?: string | undefined;
  readonly phone?: string | undefined;
  readonly email?: string | undefined;
}

export interface Party {
  /** Registered name of the party (BT-27, 44). */
  readonly name: string;
  /** Trading name of the party, where it differs (BT-28, 45). */
  readonly tradingName?: string | undefined;
  /** Identifiers of the party (BT-29, 46). */
  readonly ids: readonly Identifier[];
  /** Legal registration number of the party (BT-30, 47). */
  readonly registration?: Identifier | undefined;
  /** VAT identifier (BT-31, 48), with country prefix; for GST without one. */
  readonly taxId?: string | undefined;
  /** Number from the local tax office, without country prefix (BT-32). */
  readonly localTaxId?: string | undefined;
  /** Electronic address of the party (BT-34, 49). */
  readonly electronicAddress?: Identifier | undefined;
  readonly address: Address;
  readonly contact?: PartyContact | undefined;
}

/** Allowance, or charge where it `isCharge` (BG-20, 21, 27, 28). */
export interface Allowance {
  readonly isCharge: boolean;
  readonly amount: Cents;
  /** Percentage of `base`; either both or neither are given. */
  readonly percent?: Decimal | undefined;
  readonly base?: Cents | undefined;
  readonly reason?: string | undefined;
  readonly reasonCode?: string | undefined;
}

export interface TaxKey {
  readonly category: TaxCategory;
  /** Tax rate in percent; undefined where nothing is subject to tax. */
  readonly rate?: Decimal | undefined;
}

/** Allowance or charge on the whole document. */
export interface DocumentAllowance extends Allowance, TaxKey {}

export interface Line extends TaxKey {
  /** Line identifier (BT-126). */
  readonly id: string;
  /** Note on the line (BT-127). */
  readonly note?: string | undefined;
  /** Name of the item (BT-153); then its description (154) and the seller's identifier (155). */
  readonly name: string;
  readonly description?: string | undefined;
  readonly itemCode?: string | undefined;
  readonly quantity: Decimal;
  /** Unit code of UN/ECE Recommendation 20. */
  readonly unit: string;
  /** Price of `priceQuantity` units, without tax (BT-146). */
  readonly price: Decimal;
  /** Number of units that the price is for (BT-149); one where not given. */
  readonly priceQuantity?: Decimal | undefined;
  readonly allowances: readonly Allowance[];
  /** Net amount of the line in cents (BT-131). */
  readonly net: Cents;
}

/** Tax breakdown of one category and rate (BG-23). */
export interface TaxSubtotal extends TaxKey {
  readonly base: Cents;
  readonly amount: Cents;
  readonly reason?: string | undefined;
  /** VATEX code of the reason for exemption. */
  readonly reasonCode?: string | undefined;
}

/** Document totals in cents (BG-22). */
export interface Totals {
  /**
   * Sum of line net amounts (BT-106); then sums of allowances (107) and charges (108), and total
   * without tax (109).
   */
  readonly lines: Cents;
  readonly allowances: Cents;
  readonly charges: Cents;
  readonly net: Cents;
  /** Total tax (BT-110); then total with tax (112). */
  readonly tax: Cents;
  readonly gross: Cents;
  /** Amount paid already, or settled by credits (BT-113). */
  readonly paid: Cents;
  /** Rounding amount (BT-114). */
  readonly rounding: Cents;
  /** Amount due (BT-115). */
  readonly due: Cents;
}

/** Payment instructions (BG-16). */
export interface Payment {
  /** Payment means code of UNCL 4461 (BT-81). */
  readonly means: string;
  /** Remittance information that the payer must give (BT-83). */
  readonly reference?: string | undefined;
  readonly accounts: readonly PaymentAccount[];
}

/** Account for credit transfers (BG-17). */
export interface PaymentAccount {
  /** IBAN or other account number (BT-84). */
  readonly id: string;
  readonly name?: string | undefined;
  readonly bic?: string | undefined;
}

/** Delivery date and address (BG-13, 15). */
export interface Delivery {
  readonly date?: DateText | undefined;
  readonly address?: Address | undefined;
}

export interface EInvoice {
  /** Business process (BT-23); then specification identifier (BT-24). */
  readonly process?: string | undefined;
  readonly specification: string;
  /** Tax scheme in identifiers: GST in PINT A-NZ, otherwise VAT. */
  readonly taxScheme: "VAT" | "GST";
  readonly isCreditNote: boolean;
  /** Document type code of UNTDID 1001 (BT-3). */
  readonly typeCode: string;
  readonly number: string;
  readonly date: DateText;
  readonly dueDate?: DateText | undefined;
  /** When the tax is owed (BT-8): at the day of the invoice, or of its payment. */
  readonly taxPoint?: "issue" | "payment" | undefined;
  readonly currency: string;
  /** Tax total in the seller's accounting currency (BT-6, 111). */
  readonly accountingTax?: { readonly currency: string; readonly amount: Cents } | undefined;
  /** Notes (BT-22), each after its subject code if it has one (BT-21): `#PMT#Indemnité …`. */
  readonly notes: readonly string[];
  /** Buyer reference (BT-10); then purchase order reference (BT-13). */
  readonly buyerReference?: string | undefined;
  readonly orderReference?: string | undefined;
  /** Preceding invoices that the document refers to (BG-3). */
  readonly preceding: readonly { readonly number: string; readonly date?: DateText | undefined }[];
  readonly seller: Party;
  readonly buyer: Party;
  /** Name of the payee, where it is not the seller (BT-59). */
  readonly payee?: string | undefined;
  readonly delivery?: Delivery | undefined;
  readonly payment?: Payment | undefined;
  /** Payment terms (BT-20). */
  readonly terms?: string | undefined;
  readonly allowances: readonly DocumentAllowance[];
  readonly taxes: readonly TaxSubtotal[];
  readonly totals: Totals;
  readonly lines: readonly Line[];
}

/** Codes of UNTDID 1001 for credit notes that EN 16931 allows. */
export const creditNoteCodes: ReadonlySet<string> = new Set(
  "81 83 261 262 296 308 381 396 420 458 532".split(" "),
);

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

/** Error of a refused e-invoice, in one sentence. */
export class EInvoiceError extends RefusedError {
  declare readonly code: EInvoiceFault;

  constructor(code: EInvoiceFault, sentence: string, options?: ErrorOptions) {
    super(code, sentence, [], options);
  }
}

/** Error for an e-invoice whose profile has totals but no lines. */
export function withoutLines(): EInvoiceError {
  return new EInvoiceError(
    "TotalsOnly",
    "The e-invoice has no lines, but totals alone (Factur-X MINIMUM or BASIC WL): --totals-only makes one line for each tax rate of them, all on --account CODE.",
  );
}
