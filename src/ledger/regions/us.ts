/**
 * The United States: sales tax differs by state and town, so the rates start at zero and the
 * organisation adds its own.
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
    // AVALARA looks the rate up by address in an interactive invoice form. It is listed, but not
    // allowed in documents sent to the service.
    ["AVALARA", "Auto Look Up", 0, "TTTTT", { reportTaxType: "AVALARA", unusable: true }],
  ]),
);

export const us: Region = {
  name: "United States",
  version: "US",
  countryCode: "US",
  baseCurrency: "USD",
  yearEnd: { day: 31, month: 12 },
  retention: { years: 7, source: "IRS Publication 583, the longest period it names" },
  timezone: "EASTERNSTANDARDTIME",
  deposits: americanDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "3MONTHLY",
  taxName: "Sales Tax",
  paper: { taxNumber: "Tax ID", letter: true },
  standardSales: "OUTPUT",
  standardPurchases: "INPUT",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Astoria", "97103", "United States"],
  demoBankAccounts: [
    { code: "090", name: "Checking", tax: "NONE", bankAccountNumber: "000000000 000000090" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "000000000 000000091" },
  ],
};
