/** New Zealand: GST at 15%; the rates of 12.5% ended in 2010 and are kept as deleted. */
import { chart, ended, lazyValue, ratesOf, tradingDeposits, tradingFrame } from "./frames.ts";
import type { Region } from "./region.ts";

const accounts = lazyValue(() =>
  chart(tradingFrame, { s: "OUTPUT2", p: "INPUT2", n: "NONE" }, [
    ["424", "Entertainment - Non deductible", "EXPENSE", "p"],
    ["478", "KiwiSaver Employer Contributions", "EXPENSE", "n"],
    // The no-tax rate, since ZERORATED is not allowed on an expense account.
    ["494", "Travel - International", "EXPENSE", "n"],
    ["611", "Less Provision for Doubtful Debts", "CURRENT", "n"],
    ["625", "Withholding tax paid", "CURRENT", "n"],
    ["814", "Wages Payable - Payroll", "CURRLIAB", "n"],
    ["825", "PAYE Payable", "CURRLIAB", "n"],
    ["826", "Superannuation Payable", "CURRLIAB", "n"],
    ["830", "Income Tax", "CURRLIAB", "n"],
    ["855", "Clearing Account", "CURRLIAB", "n"],
  ]),
);

const endedOldRate = (successor: string) => ended("2010-09-30", "October 2010", successor);

const taxRates = lazyValue(() =>
  ratesOf("GST", [
    ["OUTPUT2", "15% GST on Income", 150000, "TTFTT", { reportTaxType: "OUTPUT" }],
    ["INPUT2", "15% GST on Expenses", 150000, "TTTTF", { reportTaxType: "INPUT" }],
    ["ZERORATED", "Zero Rated", 0, "FFFTT", { reportTaxType: "OUTPUT" }],
    ["NONE", "No GST", 0, "TTTTT", { reportTaxType: "NONE" }],
    ["GSTONIMPORTS", "GST on Imports", 0, "TTFTF", { reportTaxType: "GSTONIMPORTS" }],
    [
      "OUTPUT",
      "12.5% GST on Income",
      125000,
      "TTFTT",
      { reportTaxType: "OUTPUT", ...endedOldRate("OUTPUT2") },
    ],
    [
      "INPUT",
      "12.5% GST on Expenses",
      125000,
      "TTTTT",
      { reportTaxType: "INPUT", ...endedOldRate("INPUT2") },
    ],
  ]),
);

export const nz: Region = {
  name: "New Zealand",
  version: "NZ",
  countryCode: "NZ",
  baseCurrency: "NZD",
  yearEnd: { day: 31, month: 3 },
  retention: { years: 7, source: "Tax Administration Act 1994, section 22" },
  timezone: "NEWZEALANDSTANDARDTIME",
  deposits: tradingDeposits,
  salesTaxBasis: "INVOICE",
  salesTaxPeriod: "TWOMONTHS",
  taxName: "GST",
  paper: { taxNumber: "GST number", taxInvoice: true },
  standardSales: "OUTPUT2",
  standardPurchases: "INPUT2",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Port Chalmers", "9023", "New Zealand", "123-456-789", "9429041234563"],
  demoBankAccounts: [
    {
      code: "090",
      name: "Business Account",
      tax: "NONE",
      bankAccountNumber: "12-3140-0171323-50",
    },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "00-0000-0000091-000" },
  ],
};
