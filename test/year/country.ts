/** The three countries in which the same company is kept: their codes, rates and tax returns. */

export interface Country {
  readonly code: "NZ" | "AU" | "GB";
  readonly company: string;
  readonly base: string;
  /** Of the foreign bank account. */
  readonly dollars: "USD";
  /** Of a supplier who is paid from the account in base currency. */
  readonly other: string;
  /** Units for one of the base currency when the year begins. */
  readonly rates: Readonly<Record<string, number>>;
  /** The last day of the books before these. */
  readonly conversion: string;
  readonly tax: {
    readonly percent: number;
    readonly sales: string;
    readonly purchases: string;
    readonly capital: string;
    readonly exports: string;
    readonly imports: string;
    readonly none: string;
    /** Of what is bought abroad, where the buyer owes the tax and reclaims it. */
    readonly reverse?: string;
  };
  /** Where goods that are not kept in stock are bought on. */
  readonly materials: string;
  /** `acct report` of the return, the months that it covers, and the row with what is owed. */
  readonly taxReturn: {
    readonly command: "gst" | "bas" | "vat";
    readonly months: number;
    /** Flags of `acct organisation update`. */
    readonly setting: string;
    readonly office: string;
    /** Amounts are whole: cents are cut off the tax on sales and that on purchases. */
    readonly whole?: boolean;
  };
}

export const countries = {
  NZ: {
    code: "NZ",
    company: "Clay & Kiln",
    base: "NZD",
    dollars: "USD",
    other: "AUD",
    rates: { USD: 0.6, AUD: 0.92 },
    conversion: "2025-03-31",
    tax: {
      percent: 15,
      sales: "OUTPUT2",
      purchases: "INPUT2",
      capital: "INPUT2",
      exports: "ZERORATED",
      imports: "GSTONIMPORTS",
      none: "NONE",
    },
    materials: "300",
    taxReturn: {
      command: "gst",
      months: 2,
      setting: "--sales-tax-basis INVOICE --sales-tax-period TWOMONTHS --tax-number 49-091-850",
      office: "INLAND REVENUE",
    },
  },
  AU: {
    code: "AU",
    company: "Clay & Kiln Pty Ltd",
    base: "AUD",
    dollars: "USD",
    other: "NZD",
    rates: { USD: 0.65, NZD: 1.09 },
    conversion: "2025-06-30",
    tax: {
      percent: 10,
      sales: "OUTPUT",
      purchases: "INPUT",
      capital: "CAPEXINPUT",
      exports: "EXEMPTEXPORT",
      imports: "GSTONIMPORTS",
      none: "BASEXCLUDED",
    },
    materials: "300",
    taxReturn: {
      command: "bas",
      months: 3,
      setting: "--sales-tax-basis ACCRUALS --sales-tax-period QUARTERLY1",
      office: "ATO",
      whole: true,
    },
  },
  GB: {
    code: "GB",
    company: "Clay & Kiln Ltd",
    base: "GBP",
    dollars: "USD",
    other: "EUR",
    rates: { USD: 1.25, EUR: 1.17 },
    conversion: "2025-03-31",
    tax: {
      percent: 20,
      sales: "OUTPUT2",
      purchases: "INPUT2",
      capital: "CAPEXINPUT2",
      exports: "ZERORATEDOUTPUT",
      imports: "GSTONIMPORTS",
      none: "NONE",
      reverse: "REVERSECHARGES",
    },
    materials: "325",
    taxReturn: {
      command: "vat",
      months: 3,
      setting: "--sales-tax-basis ACCRUAL --sales-tax-period QUARTERLY",
      office: "HMRC VAT",
    },
  },
} as const satisfies Record<string, Country>;
