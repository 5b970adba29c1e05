/**
 * The two base charts of accounts of most regions, and functions to adapt them to a region.
 *
 * The trading frame serves Australia, New Zealand, the United Kingdom, Singapore and South Africa;
 * the American frame serves the United States, Canada and everyone else. A region states only the
 * rows in which it differs.
 *
 * Two system accounts have no customary code. Tax on imports takes the free code after the tax
 * account (821 after 820, 221 after 220) in every region. Wages payable is 804 throughout the
 * trading frame, as in Australia; 814 beside it is the one payroll software posts to.
 */
import type {
  AccountSeed,
  AccountType,
  ComponentSeed,
  RateFlags,
  SystemAccount,
  TaxRateSeed,
} from "./region.ts";

/**
 * A chart row: code, name, type, tax, marker of a system account. The tax is `s`, `p` or `n` for
 * the region's standard sales, standard purchase or no-tax rate, or else a TaxType.
 */
export type AccountRow = readonly [
  code: string,
  name: string,
  type: AccountType,
  tax: string,
  system?: SystemAccount,
];

export const tradingFrame: readonly AccountRow[] = [
  ["200", "Sales", "REVENUE", "s"],
  ["260", "Other Revenue", "REVENUE", "s"],
  ["270", "Interest Income", "REVENUE", "n"],
  ["300", "Purchases", "DIRECTCOSTS", "p"],
  ["310", "Cost of Goods Sold", "DIRECTCOSTS", "p"],
  ["400", "Advertising", "EXPENSE", "p"],
  ["404", "Bank Fees", "EXPENSE", "n"],
  ["408", "Cleaning", "EXPENSE", "p"],
  ["412", "Consulting & Accounting", "EXPENSE", "p"],
  ["416", "Depreciation", "EXPENSE", "n"],
  ["420", "Entertainment", "EXPENSE", "p"],
  ["425", "Freight & Courier", "EXPENSE", "p"],
  ["429", "General Expenses", "EXPENSE", "p"],
  ["433", "Insurance", "EXPENSE", "p"],
  ["437", "Interest Expense", "EXPENSE", "n"],
  ["441", "Legal expenses", "EXPENSE", "p"],
  ["445", "Light, Power, Heating", "EXPENSE", "p"],
  ["449", "Motor Vehicle Expenses", "EXPENSE", "p"],
  ["453", "Office Expenses", "EXPENSE", "p"],
  ["461", "Printing & Stationery", "EXPENSE", "p"],
  ["469", "Rent", "EXPENSE", "p"],
  ["473", "Repairs and Maintenance", "EXPENSE", "p"],
  ["477", "Salaries", "EXPENSE", "n"],
  ["485", "Subscriptions", "EXPENSE", "p"],
  ["489", "Telephone & Internet", "EXPENSE", "p"],
  ["493", "Travel - National", "EXPENSE", "p"],
  ["494", "Travel - International", "EXPENSE", "n"],
  ["497", "Bank Revaluations", "EXPENSE", "n", "BANKCURRENCYGAIN"],
  ["498", "Unrealised Currency Gains", "EXPENSE", "n", "UNREALISEDCURRENCYGAIN"],
  ["499", "Realised Currency Gains", "EXPENSE", "n", "REALISEDCURRENCYGAIN"],
  ["505", "Income Tax Expense", "EXPENSE", "n"],
  ["610", "Accounts Receivable", "CURRENT", "n", "DEBTORS"],
  ["620", "Prepayments", "CURRENT", "n"],
  ["630", "Inventory", "INVENTORY", "n"],
  ["710", "Office Equipment", "FIXED", "p"],
  ["711", "Less Accumulated Depreciation on Office Equipment", "FIXED", "n"],
  ["720", "Computer Equipment", "FIXED", "p"],
  ["721", "Less Accumulated Depreciation on Computer Equipment", "FIXED", "n"],
  ["800", "Accounts Payable", "CURRLIAB", "n", "CREDITORS"],
  ["801", "Unpaid Expense Claims", "CURRLIAB", "n", "UNPAIDEXPCLM"],
  ["804", "Wages Payable", "CURRLIAB", "n", "WAGEPAYABLES"],
  ["805", "Accrued Liabilities", "CURRLIAB", "n"],
  ["820", "GST", "CURRLIAB", "n", "GST"],
  ["821", "GST on Imports", "CURRLIAB", "GSTONIMPORTS", "GSTONIMPORTS"],
  ["830", "Income Tax Payable", "CURRLIAB", "n"],
  ["835", "Revenue Received in Advance", "CURRLIAB", "s"],
  ["840", "Historical Adjustment", "CURRLIAB", "n", "HISTORICAL"],
  ["850", "Suspense", "CURRLIAB", "n"],
  ["860", "Rounding", "CURRLIAB", "n", "ROUNDING"],
  ["877", "Tracking Transfers", "CURRLIAB", "n", "TRACKINGTRANSFERS"],
  ["900", "Loan", "TERMLIAB", "n"],
  ["960", "Retained Earnings", "EQUITY", "n", "RETAINEDEARNINGS"],
  ["970", "Owner A Funds Introduced", "EQUITY", "n"],
  ["980", "Owner A Drawings", "EQUITY", "n"],
];

export const americanFrame: readonly AccountRow[] = [
  ["120", "Accounts Receivable", "CURRENT", "n", "DEBTORS"],
  ["130", "Prepayments", "CURRENT", "n"],
  ["140", "Inventory", "INVENTORY", "n"],
  ["150", "Office Equipment", "FIXED", "p"],
  ["151", "Less Accumulated Depreciation on Office Equipment", "FIXED", "n"],
  ["160", "Computer Equipment", "FIXED", "p"],
  ["161", "Less Accumulated Depreciation on Computer Equipment", "FIXED", "n"],
  ["200", "Accounts Payable", "CURRLIAB", "n", "CREDITORS"],
  ["205", "Accruals", "CURRLIAB", "n"],
  ["210", "Unpaid Expense Claims", "CURRLIAB", "n", "UNPAIDEXPCLM"],
  ["215", "Wages Payable", "CURRLIAB", "n", "WAGEPAYABLES"],
  ["216", "Wages Payable - Payroll", "CURRLIAB", "n"],
  ["220", "Sales Tax", "CURRLIAB", "n", "GST"],
  ["221", "Sales Tax on Imports", "CURRLIAB", "GSTONIMPORTS", "GSTONIMPORTS"],
  ["230", "Employee Tax Payable", "CURRLIAB", "n"],
  ["235", "Employee Benefits Payable", "CURRLIAB", "n"],
  ["236", "Employee Deductions payable", "CURRLIAB", "n"],
  ["240", "Income Tax Payable", "CURRLIAB", "n"],
  ["245", "Revenue Received in Advance", "CURRLIAB", "n"],
  ["250", "Suspense", "CURRLIAB", "n"],
  ["255", "Historical Adjustment", "CURRLIAB", "n", "HISTORICAL"],
  ["260", "Rounding", "CURRLIAB", "n", "ROUNDING"],
  ["265", "Tracking Transfers", "CURRLIAB", "n", "TRACKINGTRANSFERS"],
  ["290", "Loan", "TERMLIAB", "n"],
  ["300", "Owners Contribution", "EQUITY", "n"],
  ["310", "Owners Draw", "EQUITY", "n"],
  ["320", "Retained Earnings", "EQUITY", "n", "RETAINEDEARNINGS"],
  ["330", "Common Stock", "EQUITY", "n"],
  ["400", "Sales", "REVENUE", "s"],
  ["460", "Interest Income", "REVENUE", "n"],
  ["470", "Other Revenue", "REVENUE", "s"],
  ["500", "Cost of Goods Sold", "DIRECTCOSTS", "p"],
  ["600", "Advertising", "EXPENSE", "p"],
  ["604", "Bank Service Charges", "EXPENSE", "n"],
  ["608", "Janitorial Expenses", "EXPENSE", "p"],
  ["612", "Consulting & Accounting", "EXPENSE", "p"],
  ["620", "Entertainment", "EXPENSE", "p"],
  ["624", "Postage & Delivery", "EXPENSE", "p"],
  ["628", "General Expenses", "EXPENSE", "p"],
  ["632", "Insurance", "EXPENSE", "p"],
  ["636", "Interest Expense", "EXPENSE", "n"],
  ["640", "Legal Expenses", "EXPENSE", "p"],
  ["644", "Utilities", "EXPENSE", "p"],
  ["648", "Automobile Expenses", "EXPENSE", "p"],
  ["652", "Office Expenses", "EXPENSE", "p"],
  ["656", "Printing & Stationery", "EXPENSE", "p"],
  ["660", "Rent", "EXPENSE", "p"],
  ["664", "Repairs and Maintenance", "EXPENSE", "p"],
  ["668", "Wages & Salaries", "EXPENSE", "n"],
  ["672", "Payroll Tax Expense", "EXPENSE", "n"],
  ["676", "Dues & Subscriptions", "EXPENSE", "p"],
  ["680", "Telephone & Internet", "EXPENSE", "p"],
  ["684", "Travel", "EXPENSE", "p"],
  ["690", "Bad Debts", "EXPENSE", "n"],
  ["700", "Depreciation", "EXPENSE", "n"],
  ["710", "Income Tax Expense", "EXPENSE", "n"],
  ["800", "Employee Benefits Expense", "EXPENSE", "n"],
  ["810", "Bank Revaluations", "EXPENSE", "n", "BANKCURRENCYGAIN"],
  ["815", "Unrealized Currency Gains", "EXPENSE", "n", "UNREALISEDCURRENCYGAIN"],
  ["820", "Realized Currency Gains", "EXPENSE", "n", "REALISEDCURRENCYGAIN"],
];

/** Accounts of deposits in the trading frame, and in the American frame. */
export const tradingDeposits = { received: ["835"], paid: ["620"] };
export const americanDeposits = { received: ["245"], paid: ["130"] };

/** The TaxTypes for `s`, `p` and `n`. */
export interface Standard {
  readonly s: string;
  readonly p: string;
  readonly n: string;
}

const currencyGainAccounts: ReadonlySet<SystemAccount> = new Set<SystemAccount>([
  "BANKCURRENCYGAIN",
  "UNREALISEDCURRENCYGAIN",
  "REALISEDCURRENCYGAIN",
]);

/**
 * The chart of a region, ordered by code: the frame's rows, replaced by the region's rows of the
 * same code, plus the region's further rows.
 *
 * @param leftOut  codes of the frame that the region leaves out
 */
export function chart(
  frame: readonly AccountRow[],
  standard: Standard,
  ownRows: readonly AccountRow[] = [],
  leftOut: readonly string[] = [],
): readonly AccountSeed[] {
  const rowByCode = new Map(frame.map((row) => [row[0], row]));
  for (const code of leftOut) rowByCode.delete(code);
  for (const row of ownRows) rowByCode.set(row[0], row);
  return [...rowByCode.values()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, name, type, tax, system]) => ({
      code,
      name,
      type,
      tax: tax === "s" || tax === "p" || tax === "n" ? standard[tax] : tax,
      ...(system && { system }),
      ...(system && currencyGainAccounts.has(system) && { multicurrency: true as const }),
    }));
}

/** A chart row in another language, with the name in English after its own. */
export type BilingualRow = readonly [
  code: string,
  name: string,
  english: string,
  ...others: AccountRow extends readonly [string, string, ...infer R] ? R : never,
];

/** The chart of a region whose language is not English: English names are the descriptions. */
export function bilingualChart(
  rows: readonly BilingualRow[],
  standard: Standard,
): readonly AccountSeed[] {
  const english = new Map(rows.map(([code, , meaning]) => [code, meaning]));
  const plain = rows.map(([code, name, , ...others]): AccountRow => [code, name, ...others]);
  return chart(plain, standard).map((seed) => ({ ...seed, description: english.get(seed.code) }));
}

/** Optional properties of a rate beyond those in its row. */
export type RateExtras = Omit<TaxRateSeed, "taxType" | "name" | "components" | "flags">;

/** A rate row: TaxType, name, rate or components, flags, and optional properties. */
export type RateRow = readonly [
  taxType: string,
  name: string,
  rate: number | readonly ComponentSeed[],
  flags: RateFlags,
  extras?: RateExtras,
];

/**
 * Properties of a rate that the law has ended.
 *
 * @param lastDay    `YYYY-MM-DD`
 * @param lastMonth     the month or day from which the rate no longer applied, in words
 * @param successor  the TaxType of today's rate
 */
export function ended(lastDay: string, lastMonth: string, successor: string): RateExtras {
  return { status: "DELETED", ended: { lastDay, before: lastMonth, successor } };
}

/**
 * Builds rates from their rows.
 *
 * @param component  the name of the component when a row gives only a rate (10⁻⁴ percent)
 */
export function ratesOf(component: string, rows: readonly RateRow[]): readonly TaxRateSeed[] {
  return rows.map(([taxType, name, rate, flags, extras]) => ({
    taxType,
    name,
    components: typeof rate === "number" ? [{ name: component, rate }] : rate,
    flags,
    ...extras,
  }));
}

/**
 * Properties of a reverse charge: the rate is displayed, the document bears no tax, and the return
 * reports the tax on both sides. Its component keeps the rate, for the return; where that is
 * `nonRecoverable`, the tax is owed alone, and stands on the account of the line.
 */
export function reverse(rate: number): RateExtras {
  return { displayRate: rate, effectiveRate: 0 };
}

/** Creates a value at first use, so that importing a region costs nothing. */
export function lazyValue<T>(compute: () => T): () => T {
  let computed: { readonly value: T } | undefined;
  return () => {
    computed ??= { value: compute() };
    return computed.value;
  };
}
