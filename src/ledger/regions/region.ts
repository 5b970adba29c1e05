/**
 * Types of a region: the initial chart of accounts, tax rates and defaults of a new book.
 *
 * A region is data. It seeds an organisation once, when the book is made; from then on the
 * organisation owns its accounts and rates and may rename them, so code must not look accounts up
 * by a code found here. System accounts are found by their marker.
 */

import type { EInvoiceFormat } from "../../resources/e-invoice.ts";

export type AccountClass = "ASSET" | "LIABILITY" | "EQUITY" | "REVENUE" | "EXPENSE";

/** The class of each account type, which determines its section in reports. */
const classes = {
  BANK: "ASSET",
  CURRENT: "ASSET",
  FIXED: "ASSET",
  INVENTORY: "ASSET",
  NONCURRENT: "ASSET",
  PREPAYMENT: "ASSET",
  CURRLIAB: "LIABILITY",
  LIABILITY: "LIABILITY",
  TERMLIAB: "LIABILITY",
  PAYG: "LIABILITY",
  EQUITY: "EQUITY",
  REVENUE: "REVENUE",
  SALES: "REVENUE",
  OTHERINCOME: "REVENUE",
  EXPENSE: "EXPENSE",
  DIRECTCOSTS: "EXPENSE",
  OVERHEADS: "EXPENSE",
  DEPRECIATN: "EXPENSE",
  // Payroll types of older schemas. No chart here uses them; imported books may.
  PAYGLIABILITY: "LIABILITY",
  SUPERANNUATIONLIABILITY: "LIABILITY",
  WAGESPAYABLELIABILITY: "LIABILITY",
  SUPERANNUATIONEXPENSE: "EXPENSE",
  WAGESEXPENSE: "EXPENSE",
} as const satisfies Record<string, AccountClass>;

export type AccountType = keyof typeof classes;

export function classOf(type: AccountType): AccountClass {
  return classes[type];
}

/** Markers of system accounts, by which the ledger finds the accounts it posts to. */
export type SystemAccount =
  | "DEBTORS"
  | "CREDITORS"
  | "GST"
  | "GSTONIMPORTS"
  | "ROUNDING"
  | "HISTORICAL"
  | "RETAINEDEARNINGS"
  | "TRACKINGTRANSFERS"
  | "UNPAIDEXPCLM"
  | "WAGEPAYABLES"
  | "BANKCURRENCYGAIN"
  | "UNREALISEDCURRENCYGAIN"
  | "REALISEDCURRENCYGAIN"
  | "CISASSET"
  | "CISASSETS"
  | "CISLABOUR"
  | "CISLABOUREXPENSE"
  | "CISLABOURINCOME"
  | "CISLIABILITY"
  | "CISMATERIALS";

export interface AccountSeed {
  readonly code: string;
  readonly name: string;
  readonly type: AccountType;
  /** Default tax rate of the account: a TaxType of the region that is allowed for its class. */
  readonly tax: string;
  readonly system?: SystemAccount;
  /** What a name in another language means, in English. */
  readonly description?: string | undefined;
  /** Whether the account is created only when the organisation adds a second currency. */
  readonly multicurrency?: true;
}

export interface ComponentSeed {
  readonly name: string;
  /** Rate in 10⁻⁴ percent: 15% is 150000. */
  readonly rate: number;
  /** Whether it is charged on the net amount plus the simple components. At most one per rate. */
  readonly compound?: true;
  /** Whether the tax is not reclaimed from the state: it then stays on the line's own account. */
  readonly nonRecoverable?: true;
}

type Flag = "T" | "F";

/**
 * Whether the rate is allowed for Assets, Equity, Expenses, Liabilities, Revenue: `T` or `F`, in
 * order.
 */
export type RateFlags = `${Flag}${Flag}${Flag}${Flag}${Flag}`;

export interface TaxRateSeed {
  readonly taxType: string;
  readonly name: string;
  readonly components: readonly ComponentSeed[];
  readonly flags: RateFlags;
  /** ReportTaxType of the rate; absent when the region does not report its rates. */
  readonly reportTaxType?: string;
  /** Numbers of the accounts that audit files have its tax on: collected or owed, and deducted. */
  readonly taxAccounts?: { readonly collected?: string; readonly deducted?: string };
  /** Whether it is of sales to businesses elsewhere in the EU, whose VAT number they need. */
  readonly toUnion?: true;
  /** What the law wants an invoice with the rate to say, in the language of the country. */
  readonly invoiceText?: string;
  readonly status?: "DELETED";
  /** For a rate that the law has ended: document lines dated up to its last day may use it. */
  readonly ended?: {
    /** `YYYY-MM-DD` */
    readonly lastDay: string;
    /** The month from which the rate no longer applied, in words. */
    readonly before: string;
    /** The TaxType that replaced it. */
    readonly successor: string;
  };
  /**
   * Whether the rate is only listed and not allowed on lines: its use happens outside the books.
   */
  readonly unusable?: true;
  /** Displayed rate in 10⁻⁴ percent, if it differs from the charged rate. */
  readonly displayRate?: number;
  /** Effective rate in 10⁻⁴ percent, if it differs from the sum of the components. */
  readonly effectiveRate?: number;
}

const flagOrder: readonly AccountClass[] = ["ASSET", "EQUITY", "EXPENSE", "LIABILITY", "REVENUE"];

/** Whether a rate with these flags is allowed on an account of this class. */
export function isRateAllowed(flags: RateFlags, accountClass: AccountClass): boolean {
  return flags[flagOrder.indexOf(accountClass)] === "T";
}

/** A bank account of the demonstration company. Other books start without bank accounts. */
export interface BankAccountSeed {
  readonly code: string;
  readonly name: string;
  readonly tax: string;
  /** Account number in the region's notation, with no existing bank. */
  readonly bankAccountNumber: string;
}

export interface Region {
  /** Name of the country, as offered for selection. */
  readonly name: string;
  /** Value of Organisation.Version. Canada, Singapore and South Africa report GLOBAL. */
  readonly version: "AU" | "NZ" | "UK" | "US" | "GLOBAL";
  /** ISO 3166 country code, unique among the regions. */
  readonly countryCode: string;
  readonly baseCurrency: string;
  /** End of the financial year; a day beyond the month's length means its last day. */
  readonly yearEnd: { readonly day: number; readonly month: number };
  /** Retention period of business records, from the end of their financial year. */
  readonly retention: {
    readonly years: number;
    /** The legal source of the period. */
    readonly source: string;
  };
  readonly timezone: string;
  /** Codes of current liability accounts that hold the owners' money. */
  readonly ownersAccounts?: readonly string[];
  /**
   * Codes of the accounts of deposits, the usual one first, each with its tax; the last one is for
   * tax that is of no other.
   */
  readonly deposits: { readonly received: readonly string[]; readonly paid: readonly string[] };
  /** Whether depreciation is customarily posted to the account of the asset itself. */
  readonly depreciatesDirectly?: true;
  /** Names of the tax accounts of its rates, by number. */
  readonly taxAccounts?: Readonly<Record<string, string>>;
  /** Tax types of lines that consist of tax only, and so are posted to the tax accounts alone. */
  readonly importTaxes?: readonly string[];
  readonly salesTaxBasis: "INVOICE" | "ACCRUAL" | "ACCRUALS" | "CASH";
  readonly salesTaxPeriod: string;
  /** Local name of the tax. */
  readonly taxName: "GST" | "VAT" | "Sales Tax" | "Tax";
  /** Country-specific rules for printed documents. */
  readonly paper: {
    /** Language of documents, English where not given. */
    readonly language?: "de" | "fr";
    /** Local name of the tax registration number. */
    readonly taxNumber: string;
    /** Whether the invoice of a business registered for tax must have a title that says so. */
    readonly taxInvoice?: true;
    /** What an invoice without a delivery date says of the day of supply. */
    readonly supplyText?: string;
    /** What an invoice says where tax is owed at its date, though the law has it at payment. */
    readonly accrualText?: string;
    /**
     * What an invoice must state of early and late payment where the theme has no terms, by subject
     * code: discount, penalties, and the cost of recovery.
     */
    readonly latePayment?: Readonly<Record<"AAB" | "PMD" | "PMT", string>>;
    /** Whether paper is in letter format instead of A4. */
    readonly letter?: true;
  };
  /** The usual format of its e-invoices. */
  readonly eInvoice?: EInvoiceFormat;
  /** The default TaxTypes of sales, purchases and untaxed accounts. */
  readonly standardSales: string;
  readonly standardPurchases: string;
  readonly noTax: string;
  /** The TaxType of sales of a business that is not registered, where its invoices must say why. */
  readonly unregisteredSales?: string;
  /** The chart of accounts, ordered by code. */
  readonly accounts: () => readonly AccountSeed[];
  readonly taxRates: () => readonly TaxRateSeed[];
  /**
   * Address of the sample company: town, postcode and country, tax and register number where these
   * have a fixed format.
   */
  readonly demoPlace: readonly [string, string, string, string?, string?];
  readonly demoBankAccounts: readonly BankAccountSeed[];
}

/** The standard rate that accounts of a type usually have, as in the region's chart. */
const usualRates: Partial<Record<AccountType, "standardSales" | "standardPurchases">> = {
  REVENUE: "standardSales",
  SALES: "standardSales",
  OTHERINCOME: "standardSales",
  EXPENSE: "standardPurchases",
  DIRECTCOSTS: "standardPurchases",
  OVERHEADS: "standardPurchases",
  FIXED: "standardPurchases",
};

/** The default TaxType of a new account; no tax for types without a usual rate. */
export function usualTaxType(region: Region, type: AccountType): string {
  return region[usualRates[type] ?? "noTax"];
}
