import { describe, expect, test } from "vitest";
import { type Country, countries, regionOf, regions } from "../../src/ledger/regions/index.ts";
import {
  type AccountClass,
  type AccountType,
  classOf,
  isRateAllowed,
  type Region,
  type TaxRateSeed,
} from "../../src/ledger/regions/region.ts";

/**
 * The service document's table, as it prints it: the rates a new organisation starts with and,
 * in the order Assets, Equity, Expenses, Liabilities, Revenue, where each may be used.
 */
const table = `
AU: BASEXCLUDED TTTTT; EXEMPTCAPITAL TTTTF; EXEMPTEXPENSES TTTTF; EXEMPTEXPORT TTFTT;
  EXEMPTOUTPUT TTFTT; CAPEXINPUT TTTTF; GSTONCAPIMPORTS FFFTF; INPUT TTTTF; GSTONIMPORTS FFFTF;
  OUTPUT TTFTT; INPUTTAXED TTTTT.
CA: CAN001-CAN008, CAN010-CAN013, CAN027 TTTTF; CAN014-CAN026 TTFTT; GSTONIMPORTS FFFTF;
  INPUT, NONE, OUTPUT TTTTT.
GLOBAL: GSTONIMPORTS FFFTF; NONE, OUTPUT, INPUT TTTTT.
NZ: INPUT TTTTT; OUTPUT TTFTT; INPUT2 TTTTF; OUTPUT2 TTFTT; GSTONIMPORTS TTFTF; NONE TTTTT;
  ZERORATED FFFTT.
SG: ZERORATEDOUTPUT, ES33OUTPUT, ESN33OUTPUT, DSOUTPUT, OSOUTPUT, OUTPUT FTFTT; ZERORATEDINPUT,
  BLINPUT, NRINPUT, OPINPUT, TXN33INPUT, TXESSINPUT, TXREINPUT, TXPETINPUT, EPINPUT TTTFF;
  IMINPUT2, MEINPUT, IGDSINPUT2, INPUT TTTTF; NONE TTTTT.
ZA: GSTONCAPIMPORTS, IMINPUT TTTTF; INPUT4, INPUT2, INPUT, CAPEXINPUT, INPUT3, CAPEXINPUT2 TTTFF;
  OUTPUT4, EXEMPTOUTPUT, OUTPUT, SROUTPUT, OUTPUT3, SROUTPUT2, ZERORATED, ZERORATEDOUTPUT FTFTT;
  NONE TTTTT.
GB: CAPEXSRINPUT, CAPEXSROUTPUT, CAPEXINPUT, CAPEXOUTPUT, CAPEXINPUT2, CAPEXOUTPUT2 TFFFF;
  INPUT2, RRINPUT, ECACQUISITIONS, ECZRACQUISITIONS, EXEMPTINPUT, REVERSECHARGES,
  ZERORATEDINPUT TTTTF; OUTPUT2, RROUTPUT, EXEMPTOUTPUT, ECZROUTPUT, ECZROUTPUTSERVICES,
  ZERORATEDOUTPUT TTFTT; NONE TTTTT; GSTONIMPORTS FFFTF.
US: GSTONIMPORTS FFFTF; NONE, OUTPUT, INPUT TTTTT.
`;

/** `CAN001-CAN003` is CAN001, CAN002, CAN003. */
function expand(name: string): string[] {
  const range = /^CAN(\d+)-CAN(\d+)$/.exec(name);
  if (!range) return [name];
  const [first, last] = [Number(range[1]), Number(range[2])];
  return Array.from(
    { length: last - first + 1 },
    (_, i) => `CAN${String(first + i).padStart(3, "0")}`,
  );
}

const documented = table
  .trim()
  .replace(/\s+/g, " ")
  .split(/\.(?: |$)/)
  .filter(Boolean)
  .flatMap((line) => {
    const [country, groups] = line.split(": ") as [Country, string];
    return groups.split("; ").flatMap((group) => {
      const [, names, flags] = /^(.*) ([TF]{5})$/.exec(group) as unknown as string[];
      return (names as string)
        .split(", ")
        .flatMap(expand)
        .map((taxType) => [country, taxType, flags as string] as const);
    });
  });

function rateOf(region: Region, taxType: string): TaxRateSeed | undefined {
  return region.taxRates().find((rate) => rate.taxType === taxType);
}

function repeated(words: readonly string[]): string[] {
  return words.filter((word, at) => words.indexOf(word) !== at);
}

/** `GST 5 + QST 9.975`, with `*` after what a buyer does not reclaim and `^` after a compound. */
function reads(rate: TaxRateSeed | undefined): string | undefined {
  return rate?.components
    .map((part) => {
      const marks = `${part.nonRecoverable ? "*" : ""}${part.compound ? "^" : ""}`;
      return `${part.name} ${part.rate / 10000}${marks}`;
    })
    .join(" + ");
}

test("the table of account types in the specification is parsed completely", () => {
  const count = (country: Country) => documented.filter(([of]) => of === country).length;
  expect(countries.map((country) => [country, count(country)])).toEqual([
    ["AU", 11],
    ["CA", 30],
    ["DE", 0],
    ["FR", 0],
    ["GB", 21],
    ["NZ", 7],
    ["SG", 20],
    ["US", 4],
    ["ZA", 17],
    ["GLOBAL", 4],
  ]);
});

test.each(documented)(
  "the region %s has the tax rate %s, allowed for assets, equity, expenses, liabilities, revenue as %s (T or F)",
  (country, taxType, flags) => {
    expect(rateOf(regionOf(country), taxType)?.flags).toBe(flags);
  },
);

test.each<[AccountType, AccountClass]>([
  ["BANK", "ASSET"],
  ["CURRENT", "ASSET"],
  ["FIXED", "ASSET"],
  ["INVENTORY", "ASSET"],
  ["NONCURRENT", "ASSET"],
  ["PREPAYMENT", "ASSET"],
  ["CURRLIAB", "LIABILITY"],
  ["LIABILITY", "LIABILITY"],
  ["TERMLIAB", "LIABILITY"],
  ["PAYG", "LIABILITY"],
  ["EQUITY", "EQUITY"],
  ["REVENUE", "REVENUE"],
  ["SALES", "REVENUE"],
  ["OTHERINCOME", "REVENUE"],
  ["EXPENSE", "EXPENSE"],
  ["DIRECTCOSTS", "EXPENSE"],
  ["OVERHEADS", "EXPENSE"],
  ["DEPRECIATN", "EXPENSE"],
])("the account type %s is of class %s", (type, accountClass) => {
  expect(classOf(type)).toBe(accountClass);
});

test.each<[AccountClass, boolean]>([
  ["ASSET", true],
  ["EQUITY", false],
  ["EXPENSE", true],
  ["LIABILITY", false],
  ["REVENUE", true],
])(
  "a tax rate allowed for assets, expenses and revenue (TFTFT) is allowed on an account of class %s: %s",
  (accountClass, allowed) => {
    expect(isRateAllowed("TFTFT", accountClass)).toBe(allowed);
    expect(isRateAllowed("FTFTF", accountClass)).toBe(!allowed);
  },
);

test("each country has a region, and no two regions share a country code", () => {
  for (const country of countries) expect(regions).toContain(regionOf(country));
  expect(repeated(regions.map(({ countryCode }) => countryCode))).toEqual([]);
});

test.each<[Country, string, string, string, string, string, string]>([
  ["AU", "AU", "AUD", "30/6", "AUSEASTERNSTANDARDTIME", "ACCRUALS QUARTERLY1", "GST"],
  ["NZ", "NZ", "NZD", "31/3", "NEWZEALANDSTANDARDTIME", "INVOICE TWOMONTHS", "GST"],
  ["GB", "UK", "GBP", "31/3", "GMTSTANDARDTIME", "ACCRUAL QUARTERLY", "VAT"],
  ["US", "US", "USD", "31/12", "EASTERNSTANDARDTIME", "ACCRUALS 3MONTHLY", "Sales Tax"],
  ["CA", "GLOBAL", "CAD", "31/12", "EASTERNSTANDARDTIME", "ACCRUALS 3MONTHLY", "Sales Tax"],
  ["SG", "GLOBAL", "SGD", "31/12", "SINGAPORESTANDARDTIME", "ACCRUALS 3MONTHLY", "GST"],
  ["ZA", "GLOBAL", "ZAR", "29/2", "SOUTHAFRICASTANDARDTIME", "ACCRUALS 2MONTHLY", "VAT"],
  ["GLOBAL", "GLOBAL", "USD", "31/12", "UTC", "ACCRUALS 3MONTHLY", "Tax"],
])(
  "new organisation in %s: version %s, currency %s, year end %s, time zone %s, GST scheme %s, tax name %s",
  (country, ...habits) => {
    const r = regionOf(country);
    const { day, month } = r.yearEnd;
    const tax = `${r.salesTaxBasis} ${r.salesTaxPeriod}`;
    expect([r.version, r.baseCurrency, `${day}/${month}`, r.timezone, tax, r.taxName]).toEqual(
      habits,
    );
  },
);

describe.each(regions)("the chart of accounts of $countryCode", (region) => {
  const accounts = region.accounts();
  const { demoBankAccounts } = region;
  const everything = [...accounts, ...demoBankAccounts];

  test("account codes and names in a region's chart are unique and within length limits", () => {
    expect(repeated(everything.map(({ code }) => code))).toEqual([]);
    expect(repeated(everything.map(({ name }) => name.toLowerCase()))).toEqual([]);
    for (const { code, name } of everything) {
      expect(code).toMatch(new RegExp(`^\\d{${{ DE: 4, FR: 6 }[region.countryCode] ?? 3}}$`));
      expect(name.length).toBeLessThanOrEqual(150);
      expect(name).toBe(name.trim());
    }
  });

  test("accounts of a region's chart are sorted by code", () => {
    const codes = accounts.map(({ code }) => code);
    expect(codes).toEqual([...codes].sort());
  });

  test("the tax rate of each account in a region's chart exists, is active, and allows its class", () => {
    const wrong = everything.filter((account) => {
      const rate = rateOf(region, account.tax);
      const type = "type" in account ? account.type : "BANK";
      const usable = rate && rate.status !== "DELETED" && !rate.unusable;
      return !usable || !isRateAllowed(rate.flags, classOf(type));
    });
    expect(wrong).toEqual([]);
  });

  test("each system account exists once in a region's chart, and a new book has no bank account", () => {
    const system = accounts.flatMap((account) => (account.system ? [account] : []));
    expect(system.map((a) => `${a.system} ${a.type}`).sort()).toEqual([
      "BANKCURRENCYGAIN EXPENSE",
      "CREDITORS CURRLIAB",
      "DEBTORS CURRENT",
      "GST CURRLIAB",
      `GSTONIMPORTS ${region.countryCode === "DE" ? "CURRENT" : "CURRLIAB"}`,
      "HISTORICAL CURRLIAB",
      "REALISEDCURRENCYGAIN EXPENSE",
      "RETAINEDEARNINGS EQUITY",
      "ROUNDING CURRLIAB",
      "TRACKINGTRANSFERS CURRLIAB",
      "UNPAIDEXPCLM CURRLIAB",
      "UNREALISEDCURRENCYGAIN EXPENSE",
      "WAGEPAYABLES CURRLIAB",
    ]);
    expect(accounts.filter(({ type }) => type === "BANK")).toEqual([]);
  });

  test("the first foreign currency of a book creates only the currency gain and loss accounts", () => {
    const waiting = accounts.filter(({ multicurrency }) => multicurrency);
    expect(waiting.map(({ system }) => system).sort()).toEqual([
      "BANKCURRENCYGAIN",
      "REALISEDCURRENCYGAIN",
      "UNREALISEDCURRENCYGAIN",
    ]);
  });

  test("a region's chart has an inventory account and a cost of sales account for tracked items", () => {
    const types = accounts.map(({ type }) => type);
    expect(types).toContain("INVENTORY");
    expect(types).toContain("DIRECTCOSTS");
  });

  test("the chart of accounts of a region is built once and then reused", () => {
    expect(region.accounts()).toBe(accounts);
    expect(region.taxRates()).toBe(region.taxRates());
  });
});

test.each<[Country, string]>([
  ["AU", "610 800 820 821 840 860 877 960 801 804"],
  ["NZ", "610 800 820 821 840 860 877 960 801 804"],
  ["GB", "610 800 820 821 840 860 877 960 801 804"],
  ["SG", "610 800 820 821 840 860 877 960 801 804"],
  ["ZA", "610 800 820 821 840 860 877 960 801 804"],
  ["DE", "1200 3300 3800 1433 9000 3631 3632 2970 3501 3720"],
  ["FR", "411000 401000 445000 445300 471800 471900 471700 110000 467100 421000"],
  ["US", "120 200 220 221 255 260 265 320 210 215"],
  ["CA", "120 200 220 221 255 260 265 320 210 215"],
  ["GLOBAL", "120 200 220 221 255 260 265 320 210 215"],
])("the chart of accounts of %s has its system accounts at the codes %s", (country, codes) => {
  const order = [
    "DEBTORS",
    "CREDITORS",
    "GST",
    "GSTONIMPORTS",
    "HISTORICAL",
    "ROUNDING",
    "TRACKINGTRANSFERS",
    "RETAINEDEARNINGS",
    "UNPAIDEXPCLM",
    "WAGEPAYABLES",
  ];
  const accounts = regionOf(country).accounts();
  const found = order.map((marker) => accounts.find(({ system }) => system === marker)?.code);
  expect(found.join(" ")).toBe(codes);
});

test.each<[Country, string, string]>([
  ["AU", "200", "Sales REVENUE OUTPUT"],
  ["AU", "270", "Interest Income REVENUE EXEMPTOUTPUT"],
  ["AU", "404", "Bank Fees EXPENSE EXEMPTEXPENSES"],
  ["AU", "710", "Office Equipment FIXED CAPEXINPUT"],
  ["AU", "820", "GST CURRLIAB BASEXCLUDED"],
  ["AU", "821", "GST on Imports CURRLIAB GSTONIMPORTS"],
  ["AU", "880", "Owner A Drawings CURRLIAB BASEXCLUDED"],
  ["AU", "970", "Owner A Share Capital EQUITY BASEXCLUDED"],
  ["NZ", "200", "Sales REVENUE OUTPUT2"],
  ["NZ", "478", "KiwiSaver Employer Contributions EXPENSE NONE"],
  ["NZ", "494", "Travel - International EXPENSE NONE"],
  ["NZ", "835", "Revenue Received in Advance CURRLIAB OUTPUT2"],
  ["NZ", "980", "Owner A Drawings EQUITY NONE"],
  ["GB", "429", "General Expenses OVERHEADS INPUT2"],
  ["GB", "445", "Light, Power, Heating OVERHEADS RRINPUT"],
  ["GB", "498", "Unrealised Currency Gains EXPENSE NONE"],
  ["GB", "500", "Corporation Tax OVERHEADS NONE"],
  ["GB", "820", "VAT CURRLIAB NONE"],
  ["GB", "821", "VAT on Imports CURRLIAB GSTONIMPORTS"],
  ["SG", "200", "Sales REVENUE OUTPUTY24"],
  ["SG", "400", "Advertising EXPENSE INPUTY24"],
  ["SG", "821", "GST on Imports CURRLIAB NONE"],
  ["SG", "825", "CPF Payable CURRLIAB NONE"],
  ["ZA", "200", "Sales REVENUE OUTPUT3"],
  ["ZA", "820", "VAT CURRLIAB NONE"],
  ["ZA", "826", "UIF/SDL Payable CURRLIAB NONE"],
  ["US", "200", "Accounts Payable CURRLIAB NONE"],
  ["US", "400", "Sales REVENUE OUTPUT"],
  ["US", "815", "Unrealized Currency Gains EXPENSE NONE"],
  ["CA", "150", "Office Equipment FIXED INPUT"],
  ["GLOBAL", "221", "Sales Tax on Imports CURRLIAB GSTONIMPORTS"],
])("in the chart of %s, account %s is %s", (country, code, expected) => {
  const account = regionOf(country)
    .accounts()
    .find((each) => each.code === code);
  expect(account && `${account.name} ${account.type} ${account.tax}`).toBe(expected);
});

test.each<[Country, string]>([
  ["GB", "300"],
  ["GB", "505"],
  ["AU", "980"],
])("the chart of %s does not include account %s of the common chart", (country, code) => {
  expect(
    regionOf(country)
      .accounts()
      .map((account) => account.code),
  ).not.toContain(code);
});

describe.each(regions)("the tax rates of $countryCode", (region) => {
  const taxRates = region.taxRates();

  test("tax types and names of tax rates are unique", () => {
    expect(repeated(taxRates.map(({ taxType }) => taxType))).toEqual([]);
    expect(repeated(taxRates.map(({ name }) => name.toLowerCase()))).toEqual([]);
  });

  test.each(taxRates)("the tax rate $taxType has valid components, rate and flags", (rate) => {
    expect(rate.taxType).toMatch(/^[A-Z0-9]+$/);
    expect(rate.taxType).not.toMatch(/^TAX\d/); // those are the organisation's own
    expect(rate.flags).toMatch(/^[TF]{5}$/);
    expect(rate.components.length).toBeGreaterThan(0);
    expect(repeated(rate.components.map(({ name }) => name))).toEqual([]);
    expect(rate.components.filter(({ compound }) => compound).length).toBeLessThanOrEqual(1);
    const shown = [rate.displayRate ?? 0, rate.effectiveRate ?? 0];
    for (const each of [...rate.components.map((part) => part.rate), ...shown]) {
      expect(Number.isSafeInteger(each) && each >= 0 && each <= 1000000).toBe(true);
    }
  });

  test("standard tax rates are in force, and the no-tax rate is zero and fits every account", () => {
    const sales = rateOf(region, region.standardSales);
    const purchases = rateOf(region, region.standardPurchases);
    const none = rateOf(region, region.noTax);
    expect(isRateAllowed(sales?.flags ?? "FFFFF", "REVENUE")).toBe(true);
    expect(isRateAllowed(purchases?.flags ?? "FFFFF", "EXPENSE")).toBe(true);
    expect(none?.flags).toBe("TTTTT");
    expect(none?.components.map(({ rate }) => rate)).toEqual([0]);
    for (const rate of [sales, purchases, none]) {
      expect([rate?.status, rate?.unusable]).toEqual([undefined, undefined]);
    }
  });

  test("non-recoverable tax is provincial tax of Canada, or disallowed in Singapore, Germany and France", () => {
    const lost = taxRates.some((r) => r.components.some((part) => part.nonRecoverable));
    expect(lost).toBe(["CA", "DE", "FR", "SG"].includes(region.countryCode));
  });

  test("default tax rates have the report types that custom rates need", () => {
    const must = ["AU", "NZ", "GB"].includes(region.countryCode);
    if (must) expect(taxRates.filter((rate) => !rate.reportTaxType)).toEqual([]);
  });
});

test.each<[Country, string, string]>([
  ["AU", "OUTPUT", "GST 10"],
  ["AU", "CAPEXINPUT", "GST 10"],
  ["NZ", "OUTPUT2", "GST 15"],
  ["NZ", "INPUT", "GST 12.5"],
  ["GB", "OUTPUT2", "VAT 20"],
  ["GB", "RRINPUT", "VAT 5"],
  ["GB", "CAPEXINPUT", "VAT 17.5"],
  ["GB", "CAPEXSROUTPUT", "VAT 15"],
  ["US", "OUTPUT", "Tax 0"],
  ["SG", "OUTPUTY24", "GST 9"],
  ["SG", "OUTPUTY23", "GST 8"],
  ["SG", "OUTPUT", "GST 7"],
  ["SG", "BLINPUT", "GST 7*"],
  ["SG", "BLINPUT3Y24", "GST 9*"],
  ["SG", "IMY24", "GST 0"],
  ["SG", "TXRCTSY24", "GST 0"],
  ["ZA", "INPUT3", "VAT 15"],
  ["ZA", "INPUT2", "VAT 14"],
  ["CA", "CAN001", "GST 5"],
  ["CA", "CAN002", "GST 5 + PST 7*"],
  ["CA", "CAN003", "GST 5 + RST 8*"],
  ["CA", "CAN006", "HST 15"],
  ["CA", "CAN007", "HST 13"],
  ["CA", "CAN010", "GST 5 + PST 6*"],
  ["CA", "CAN015", "GST 5 + PST 7"],
  ["CA", "CAN022", "GST 5 + QST 9.975"],
  ["CA", "CAN027", "GST 5 + QST 9.975"],
  ["CA", "CAN029", "GST 5 + RST 7*"],
  ["CA", "CAN030", "Tax 0"],
  ["CA", "CAN031", "HST 14"],
])("in %s, the tax rate %s is %s", (country, taxType, expected) => {
  expect(reads(rateOf(regionOf(country), taxType))).toBe(expected);
});

/** The rates that the table does not list, whose flags follow those beside them. */
test.each<[Country, string, string]>([
  ["GB", "SROUTPUT", "TTFTT"],
  ["GB", "SRINPUT", "TTTTF"],
  ["GB", "ECZRINPUT", "TTTTF"],
  ["GB", "DRCHARGESUPPLY20", "TTTTF"],
  ["GB", "DRCHARGE20", "TTFTT"],
  ["CA", "CAN029", "TTTTF"],
  ["CA", "CAN030", "TTFTT"],
  ["CA", "CAN032", "TTFTT"],
  ["SG", "OUTPUTY24", "FTFTT"],
  ["SG", "INPUTY24", "TTTTF"],
  ["SG", "TXPETINPUTY24", "TTTFF"],
  ["SG", "BLINPUT3Y24", "TTTFF"],
  ["SG", "OSOUTPUT2", "FTFTT"],
  ["ZA", "SHOUTPUT", "FTFTT"],
  ["ZA", "OUTPUT2", "FTFTT"],
  ["ZA", "ZRINPUT", "TTTFF"],
])(
  "in %s, the tax rate %s, not in the specification's table, is allowed by account class as %s (T or F)",
  (country, taxType, flags) => {
    expect(rateOf(regionOf(country), taxType)?.flags).toBe(flags);
  },
);

test.each<[string, number]>([
  ["ECACQUISITIONS", 200000],
  ["REVERSECHARGES", 200000],
  ["DRCHARGESUPPLY20", 200000],
  ["DRCHARGESUPPLY5", 50000],
  ["DRCHARGE20", 200000],
  ["DRCHARGE5", 50000],
])("the tax rate %s displays %i and charges no tax", (taxType, displayRate) => {
  expect(rateOf(regionOf("GB"), taxType)).toMatchObject({ displayRate, effectiveRate: 0 });
});

test("only reverse charge tax rates display a rate that differs from their effective rate", () => {
  const odd = regions.flatMap(({ taxRates }) =>
    taxRates().filter((r) => r.displayRate !== undefined || r.effectiveRate !== undefined),
  );
  expect(odd.map(({ taxType }) => taxType).join(" ")).toBe(
    "ECACQUISITIONS19 ECACQUISITIONS7 ECACQUISITIONS19N REVERSEEU19 REVERSEEU7 REVERSEEU19N REVERSECHARGE19 REVERSECHARGE7 REVERSECHARGE19N REVERSELAND19 ECACQUISITIONS20 ECACQUISITIONS10 ECACQUISITIONS55 ECACQUISITIONS21 ECCAPEX20 REVERSESERVICES20 REVERSESERVICES10 REVERSESERVICES55 REVERSESERVICES21 REVERSECHARGE20 REVERSECHARGE10 REVERSECHARGE55 REVERSECHARGE21 DRCHARGESUPPLY20 DRCHARGESUPPLY10 IMPORT20 IMPORT10 IMPORT55 IMPORT21 ECACQUISITIONS REVERSECHARGES DRCHARGESUPPLY5 DRCHARGESUPPLY20 DRCHARGE5 DRCHARGE20",
  );
});

test("the tax rate for automatic look-up (Avalara) is listed, and allowed on no line", () => {
  expect(rateOf(regionOf("US"), "AVALARA")).toMatchObject({ flags: "TTTTT", unusable: true });
  const unusable = regions.flatMap(({ taxRates }) => taxRates().filter((r) => r.unusable));
  expect(unusable).toHaveLength(1);
});

test.each<[Country, string, string]>([
  ["AU", "CAPEXINPUT", "CAPITALEXINPUT"],
  ["AU", "BASEXCLUDED", "BASEXCLUDED"],
  ["NZ", "ZERORATED", "OUTPUT"],
  ["NZ", "INPUT2", "INPUT"],
  ["GB", "RRINPUT", "INPUT"],
  ["GB", "CAPEXOUTPUT", "CAPITALSALESOUTPUT"],
  ["GB", "CAPEXSRINPUT", "CAPITALEXPENSESINPUT"],
  ["GB", "ECZRINPUT", "ECINPUT"],
  ["US", "AVALARA", "AVALARA"],
])(
  "in the region %s, the tax rate %s is reported under the report type %s",
  (country, taxType, reported) => {
    expect(rateOf(regionOf(country), taxType)?.reportTaxType).toBe(reported);
  },
);
