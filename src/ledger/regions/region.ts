/**
 * What a region gives a new book: its chart of accounts, its tax rates and its habits.
 *
 * A region is data. It seeds an organisation once, when the book is made; from then on the
 * organisation owns its accounts and rates and may rename them, so nothing may look an account
 * up by a code found here. System accounts are found by their marker.
 */

export type AccountClass = "ASSET" | "LIABILITY" | "EQUITY" | "REVENUE" | "EXPENSE";

/** The class of each account type, which decides where it stands in the reports. */
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
  // The rest are payroll types of older schemas. No chart here uses them; books brought over may.
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

/** The markers by which the ledger finds the accounts it posts to on its own account. */
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
  /** The account's default rate: a TaxType of the same region that its class may carry. */
  readonly tax: string;
  readonly system?: SystemAccount;
  /** Made only once the organisation keeps more than one currency. */
  readonly multicurrency?: true;
}

export interface ComponentSeed {
  readonly name: string;
  /** In 10⁻⁴ percent: 15% is 150000. */
  readonly rate: number;
  /** Charged on the net amount and the simple components together. At most one per rate. */
  readonly compound?: true;
  /** Not reclaimed from the state: its share of the tax stays on the line's own account. */
  readonly nonRecoverable?: true;
}

type Flag = "T" | "F";

/** May the rate apply to Assets, Equity, Expenses, Liabilities, Revenue: `T` or `F`, in order. */
export type RateFlags = `${Flag}${Flag}${Flag}${Flag}${Flag}`;

export interface TaxRateSeed {
  readonly taxType: string;
  readonly name: string;
  readonly components: readonly ComponentSeed[];
  readonly flags: RateFlags;
  /** Absent where the region does not report its rates. */
  readonly reportTaxType?: string;
  readonly status?: "DELETED";
  /** Of a rate that the law has ended: lines of documents up to its last day may name it. */
  readonly ended?: {
    /** `YYYY-MM-DD` */
    readonly lastDay: string;
    /** The month that began without it, in words. */
    readonly before: string;
    /** The TaxType that took its place. */
    readonly successor: string;
  };
  /** Listed, but no line may name it: what it stands for happens outside the books. */
  readonly unusable?: true;
  /** In 10⁻⁴ percent, given where the rate shown differs from the one charged. */
  readonly displayRate?: number;
  /** In 10⁻⁴ percent, given where the rate charged is not what the components make. */
  readonly effectiveRate?: number;
}

const flagOrder: readonly AccountClass[] = ["ASSET", "EQUITY", "EXPENSE", "LIABILITY", "REVENUE"];

/** Whether a rate with these flags may stand on an account of this class. */
export function allows(flags: RateFlags, accountClass: AccountClass): boolean {
  return flags[flagOrder.indexOf(accountClass)] === "T";
}

/** A bank account of the demonstration company. A book of one's own starts without any. */
export interface BankAccountSeed {
  readonly code: string;
  readonly name: string;
  readonly tax: string;
  /** In the region's notation, and of no bank that exists. */
  readonly bankAccountNumber: string;
}

export interface Region {
  /** Name of the country, as a person chooses it. */
  readonly name: string;
  /** Organisation.Version. Canada, Singapore and South Africa report GLOBAL. */
  readonly version: "AU" | "NZ" | "UK" | "US" | "GLOBAL";
  /** ISO 3166, and a different one for each region. */
  readonly countryCode: string;
  readonly baseCurrency: string;
  /** A day beyond the month's length means its last day. */
  readonly yearEnd: { readonly day: number; readonly month: number };
  /** How long records of business must be kept after the end of their financial year. */
  readonly retention: {
    readonly years: number;
    /** The rule that says so. */
    readonly source: string;
  };
  readonly timezone: string;
  /** Codes of current liabilities that are money of the owners. */
  readonly ownersAccounts?: readonly string[];
  /** Tax types of lines that are tax in whole, and so stand on the tax accounts alone. */
  readonly importTaxes?: readonly string[];
  readonly salesTaxBasis: "INVOICE" | "ACCRUAL" | "ACCRUALS";
  readonly salesTaxPeriod: string;
  /** What people there call the tax. */
  readonly taxName: "GST" | "VAT" | "Sales Tax" | "Tax";
  /** What differs from country to country on paper. */
  readonly paper: {
    /** What people there call the number under which tax is paid. */
    readonly taxNumber: string;
    /** An invoice of a business that is registered for tax has to say so by its title. */
    readonly taxInvoice?: true;
    /** Letter format instead of A4. */
    readonly letter?: true;
  };
  /** The TaxTypes that sales, purchases and untaxed accounts start with. */
  readonly standardSales: string;
  readonly standardPurchases: string;
  readonly noTax: string;
  /** Ordered by code. */
  readonly accounts: readonly AccountSeed[];
  readonly taxRates: readonly TaxRateSeed[];
  /** Of the sample company: town, postcode and country, tax and register number where these have a form. */
  readonly demoPlace: readonly [string, string, string, string?, string?];
  readonly demoBankAccounts: readonly BankAccountSeed[];
}

/** Which of the region's standard rates an account of a type usually carries, as its chart shows. */
const usualRates: Partial<Record<AccountType, "standardSales" | "standardPurchases">> = {
  REVENUE: "standardSales",
  SALES: "standardSales",
  OTHERINCOME: "standardSales",
  EXPENSE: "standardPurchases",
  DIRECTCOSTS: "standardPurchases",
  OVERHEADS: "standardPurchases",
  FIXED: "standardPurchases",
};

/** The TaxType of a new account for which none is given; no tax for types that say nothing of it. */
export function usualTaxType(region: Region, type: AccountType): string {
  return region[usualRates[type] ?? "noTax"];
}
