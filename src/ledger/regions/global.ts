/**
 * Every country without its own region: the American chart, with rates of zero to fill in.
 *
 * An organisation must name a country, a currency and a time zone even so. The defaults claim
 * least: United States dollars, UTC, and the British Virgin Islands, which use that currency,
 * charge no tax on sales, and belong to no other region, so that a country code still identifies
 * the region. The creator of the book can override them.
 */
import { americanDeposits, americanFrame, chart, lazyValue, ratesOf } from "./frames.ts";
import type { Region } from "./region.ts";

const accounts = lazyValue(() => chart(americanFrame, { s: "OUTPUT", p: "INPUT", n: "NONE" }));

const taxRates = lazyValue(() =>
  ratesOf("Tax", [
    ["OUTPUT", "Tax on Sales", 0, "TTTTT"],
    ["INPUT", "Tax on Purchases", 0, "TTTTT"],
    ["NONE", "Tax Exempt", 0, "TTTTT"],
    ["GSTONIMPORTS", "Sales Tax on Imports", 0, "FFFTF"],
  ]),
);

export const global: Region = {
  name: "Anywhere else",
  version: "GLOBAL",
  countryCode: "VG",
  baseCurrency: "USD",
  yearEnd: { day: 31, month: 12 },
  retention: {
    years: 10,
    source: "the longest that is usual; ask what the law of your country says",
  },
  timezone: "UTC",
  deposits: americanDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "3MONTHLY",
  taxName: "Tax",
  paper: { taxNumber: "Tax number" },
  standardSales: "OUTPUT",
  standardPurchases: "INPUT",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Road Town", "VG1110", "Virgin Islands (British)"],
  demoBankAccounts: [
    { code: "090", name: "Checking", tax: "NONE", bankAccountNumber: "0000000090" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "0000000091" },
  ],
};
