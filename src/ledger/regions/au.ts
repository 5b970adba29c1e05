/** Australia: GST at 10%; the no-tax rate is BASEXCLUDED instead of NONE. */
import { chart, lazyValue, ratesOf, tradingDeposits, tradingFrame } from "./frames.ts";
import type { Region } from "./region.ts";

const accounts = lazyValue(() =>
  chart(
    tradingFrame,
    { s: "OUTPUT", p: "INPUT", n: "BASEXCLUDED" },
    [
      ["270", "Interest Income", "REVENUE", "EXEMPTOUTPUT"],
      ["404", "Bank Fees", "EXPENSE", "EXEMPTEXPENSES"],
      ["420", "Entertainment", "EXPENSE", "n"],
      ["437", "Interest Expense", "EXPENSE", "EXEMPTEXPENSES"],
      ["477", "Wages and Salaries", "EXPENSE", "n"],
      ["478", "Superannuation", "EXPENSE", "n"],
      ["494", "Travel - International", "EXPENSE", "EXEMPTEXPENSES"],
      ["710", "Office Equipment", "FIXED", "CAPEXINPUT"],
      ["720", "Computer Equipment", "FIXED", "CAPEXINPUT"],
      ["825", "PAYG Withholdings Payable", "CURRLIAB", "n"],
      ["826", "Superannuation Payable", "CURRLIAB", "n"],
      ["880", "Owner A Drawings", "CURRLIAB", "n"],
      ["881", "Owner A Funds Introduced", "CURRLIAB", "n"],
      ["970", "Owner A Share Capital", "EQUITY", "n"],
    ],
    ["980"], // drawings are 880 here
  ),
);

const taxRates = lazyValue(() =>
  ratesOf("GST", [
    ["OUTPUT", "GST on Income", 100000, "TTFTT", { reportTaxType: "OUTPUT" }],
    ["INPUT", "GST on Expenses", 100000, "TTTTF", { reportTaxType: "INPUT" }],
    ["CAPEXINPUT", "GST on Capital", 100000, "TTTTF", { reportTaxType: "CAPITALEXINPUT" }],
    ["EXEMPTOUTPUT", "GST Free Income", 0, "TTFTT", { reportTaxType: "EXEMPTOUTPUT" }],
    ["EXEMPTEXPENSES", "GST Free Expenses", 0, "TTTTF", { reportTaxType: "EXEMPTEXPENSES" }],
    ["EXEMPTEXPORT", "GST Free Exports", 0, "TTFTT", { reportTaxType: "EXEMPTEXPORT" }],
    ["EXEMPTCAPITAL", "GST Free Capital", 0, "TTTTF", { reportTaxType: "EXEMPTCAPITAL" }],
    ["INPUTTAXED", "Input Taxed", 0, "TTTTT", { reportTaxType: "INPUTTAXED" }],
    ["BASEXCLUDED", "BAS Excluded", 0, "TTTTT", { reportTaxType: "BASEXCLUDED" }],
    ["GSTONIMPORTS", "GST on Imports", 0, "FFFTF", { reportTaxType: "GSTONIMPORTS" }],
    ["GSTONCAPIMPORTS", "GST on Capital Imports", 0, "FFFTF", { reportTaxType: "GSTONCAPIMPORTS" }],
  ]),
);

export const au: Region = {
  name: "Australia",
  version: "AU",
  countryCode: "AU",
  baseCurrency: "AUD",
  yearEnd: { day: 30, month: 6 },
  retention: { years: 5, source: "Income Tax Assessment Act 1936, section 262A" },
  timezone: "AUSEASTERNSTANDARDTIME",
  ownersAccounts: ["880", "881"],
  deposits: tradingDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "QUARTERLY1",
  taxName: "GST",
  paper: { taxNumber: "ABN", taxInvoice: true },
  standardSales: "OUTPUT",
  standardPurchases: "INPUT",
  noTax: "BASEXCLUDED",
  accounts,
  taxRates,
  demoPlace: ["Hobart", "7000", "Australia", "51 824 753 556"],
  demoBankAccounts: [
    {
      code: "090",
      name: "Business Account",
      tax: "BASEXCLUDED",
      bankAccountNumber: "062-000 12345678",
    },
    { code: "091", name: "Savings", tax: "BASEXCLUDED", bankAccountNumber: "000-000 00000091" },
  ],
};
