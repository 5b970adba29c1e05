/** The countries in which the same company is kept: their accounts, rates and tax returns. */

/** Accounts by what they are for, in the chart of New Zealand. */
const trading = {
  ...{ current: "090", savings: "091", dollars: "092", sales: "200", otherIncome: "260" },
  ...{ assetSales: "260", interestEarned: "270", materials: "300", stockSold: "310" },
  ...{ advertising: "400", bankFees: "404", cleaning: "408", consulting: "412" },
  ...{ depreciation: "416", entertainment: "420", freight: "425", general: "429" },
  ...{ insurance: "433", interest: "437", power: "445", vehicles: "449", office: "453" },
  ...{ printing: "461", rent: "469", repairs: "473", wages: "477", subscriptions: "485" },
  ...{ telephone: "489", travel: "493", receivables: "610", prepaid: "620", stock: "630" },
  ...{ equipment: "710", equipmentWorn: "711", computers: "720", computersWorn: "721" },
  ...{ payables: "800", accruals: "805", tax: "820", importTax: "821", wageTax: "825" },
  ...{ loan: "900", retained: "960" },
};

export type AccountRole = keyof typeof trading;
export type Accounts = Readonly<Record<AccountRole, string>>;

/** SKR04: assets are written off on the account of their cost. */
const german: Accounts = {
  ...{ current: "1800", savings: "1810", dollars: "1820", sales: "4400", otherIncome: "4830" },
  ...{ assetSales: "4845", interestEarned: "7100", materials: "5400", stockSold: "5880" },
  ...{ advertising: "6600", bankFees: "6855", cleaning: "6300", consulting: "6825" },
  ...{ depreciation: "6220", entertainment: "6640", freight: "6300", general: "6300" },
  ...{ insurance: "6400", interest: "7310", power: "6325", vehicles: "6530", office: "6815" },
  ...{ printing: "6815", rent: "6310", repairs: "6470", wages: "6020", subscriptions: "6837" },
  ...{ telephone: "6805", travel: "6650", receivables: "1200", prepaid: "1900", stock: "1140" },
  ...{ equipment: "0650", equipmentWorn: "0650", computers: "0690", computersWorn: "0690" },
  ...{ payables: "3300", accruals: "3070", tax: "3800", importTax: "1433", wageTax: "3730" },
  ...{ loan: "3150", retained: "2970" },
};

const french: Accounts = {
  ...{ current: "512100", savings: "512200", dollars: "512300", sales: "707000" },
  ...{ otherIncome: "708500", assetSales: "757000", interestEarned: "768000" },
  ...{ materials: "607000", stockSold: "603700", advertising: "623000", bankFees: "627000" },
  ...{ cleaning: "615000", consulting: "622600", depreciation: "681100" },
  ...{ entertainment: "625700", freight: "624200", general: "658000", insurance: "616000" },
  ...{ interest: "661100", power: "606100", vehicles: "606140", office: "606400" },
  ...{ printing: "606400", rent: "613200", repairs: "615000", wages: "641100" },
  ...{ subscriptions: "651000", telephone: "626000", travel: "625100" },
  ...{ receivables: "411000", prepaid: "486000", stock: "370000", equipment: "218400" },
  ...{ equipmentWorn: "281840", computers: "218300", computersWorn: "281830" },
  ...{ payables: "401000", accruals: "408100", tax: "445000", importTax: "445300" },
  ...{ wageTax: "442100", loan: "164000", retained: "110000" },
};

/** What the law of a state of the European Union knows beside the usual: tax types, and accounts. */
export interface InUnion {
  /** A VAT number of another state. */
  readonly number: string;
  readonly reducedPercent: number;
  readonly accounts: Readonly<
    Record<"reduced" | "union" | "unionServices" | "acquisition" | "car", string>
  >;
  /** What is made by hand before the year, since the chart lacks it. */
  readonly stockSold: string;
}

export interface Country {
  readonly code: "NZ" | "AU" | "GB" | "DE" | "FR";
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
    /** In the European Union: at the lower rate, to and from other states, and not reclaimed. */
    readonly reduced?: string;
    readonly union?: string;
    readonly unionServices?: string;
    readonly acquisition?: string;
    readonly blocked?: string;
    /** Owed in place of the supplier, and not reclaimed. */
    readonly owedAlone?: string;
    /** Reclaimed by four fifths. */
    readonly fuel?: string;
    /** Of services, where their tax arises by payment. */
    readonly services?: string;
    readonly servicesBought?: string;
  };
  readonly accounts: Accounts;
  readonly inUnion?: InUnion;
  /** `acct report` of the return, the months that it covers, and the row with what is owed. */
  readonly taxReturn: {
    readonly command: "gst" | "bas" | "vat" | "ust-va" | "ca3";
    /** Whether sales count when they are paid; where services alone do, their tax types say so. */
    readonly onPayment?: boolean;
    readonly months: number;
    /** Flags of `acct organisation update`. */
    readonly setting: string;
    readonly office: string;
    /** Amounts are whole: cents are cut off the tax on sales and that on purchases. */
    readonly whole?: boolean;
  };
}

const germany = {
  code: "DE",
  company: "Clay & Kiln GmbH",
  base: "EUR",
  dollars: "USD",
  other: "GBP",
  rates: { USD: 1.08, GBP: 0.85 },
  conversion: "2025-12-31",
  tax: {
    percent: 19,
    ...{ sales: "OUTPUT19", purchases: "INPUT19", capital: "INPUT19", exports: "EXPORT" },
    ...{ imports: "GSTONIMPORTS", none: "NONE", reverse: "REVERSEEU19", reduced: "OUTPUT7" },
    ...{ union: "ECOUTPUT", unionServices: "ECOUTPUTSERVICES" },
    ...{ acquisition: "ECACQUISITIONS19", blocked: "INPUTBLOCKED19" },
    owedAlone: "REVERSEEU19N",
  },
  accounts: german,
  inUnion: {
    number: "FR44732829320",
    reducedPercent: 7,
    accounts: {
      ...{
        reduced: "4300",
        union: "4125",
        unionServices: "4336",
        acquisition: "5425",
        car: "0520",
      },
    },
    stockSold: "Bestandsveränderungen Waren",
  },
} as const;

const france = {
  code: "FR",
  company: "Clay & Kiln SARL",
  base: "EUR",
  dollars: "USD",
  other: "GBP",
  rates: { USD: 1.08, GBP: 0.85 },
  conversion: "2025-12-31",
  tax: {
    percent: 20,
    ...{ sales: "OUTPUT20", purchases: "INPUT20", capital: "CAPEX20", exports: "EXPORT" },
    ...{ imports: "IMPORT20", none: "NONE", reverse: "REVERSESERVICES20", reduced: "OUTPUT55" },
    ...{ union: "ECOUTPUT", unionServices: "ECOUTPUTSERVICES" },
    ...{ acquisition: "ECACQUISITIONS20", blocked: "INPUTBLOCKED20" },
    fuel: "FUEL20",
    ...{ services: "OUTPUT20S", servicesBought: "INPUT20S" },
  },
  accounts: french,
  inUnion: {
    number: "DE123456788",
    reducedPercent: 5.5,
    accounts: {
      ...{ reduced: "707100", union: "707200", unionServices: "706200", acquisition: "607000" },
      ...{ car: "218200" },
    },
    stockSold: "Variation des stocks de marchandises",
  },
} as const;

const ustVa = { command: "ust-va", months: 1, office: "FINANZAMT" } as const;
const ca3 = { command: "ca3", months: 1, office: "DGFIP" } as const;

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
    accounts: trading,
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
    accounts: trading,
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
    accounts: { ...trading, materials: "325" },
    taxReturn: {
      command: "vat",
      months: 3,
      setting: "--sales-tax-basis ACCRUAL --sales-tax-period QUARTERLY",
      office: "HMRC VAT",
    },
  },
  /** Soll: sales count when they are invoiced. */
  DE: {
    ...germany,
    taxReturn: {
      ...ustVa,
      setting: "--sales-tax-basis ACCRUALS --sales-tax-period 1MONTHLY",
    },
  },
  /** Ist: sales count when they are paid. */
  "DE on payment": {
    ...germany,
    taxReturn: {
      ...ustVa,
      onPayment: true,
      setting: "--sales-tax-basis CASH --sales-tax-period 1MONTHLY",
    },
  },
  /** Encaissements: services that are sold count when they are paid. */
  FR: {
    ...france,
    taxReturn: {
      ...ca3,
      onPayment: true,
      setting: "--sales-tax-basis CASH --sales-tax-period 1MONTHLY",
    },
  },
  /** Débits: services that are sold count when they are invoiced. */
  "FR on invoice": {
    ...france,
    taxReturn: { ...ca3, setting: "--sales-tax-basis ACCRUALS --sales-tax-period 1MONTHLY" },
  },
} as const satisfies Record<string, Country>;
