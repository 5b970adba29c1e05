/**
 * South Africa: VAT at 15% since April 2018; the rates of 14% keep their codes and have "old" in
 * their names.
 *
 * The rates that the service document's table does not name follow by analogy: the flags of the
 * other supplies or purchases, and any account for bad debts, as in Singapore.
 */
import { chart, ended, lazyValue, ratesOf, tradingDeposits, tradingFrame } from "./frames.ts";
import type { RateFlags, Region } from "./region.ts";

const accounts = lazyValue(() =>
  chart(tradingFrame, { s: "OUTPUT3", p: "INPUT3", n: "NONE" }, [
    ["477", "Wages and Salaries", "EXPENSE", "n"],
    ["478", "Retirement Fund Contributions", "EXPENSE", "n"],
    ["820", "VAT", "CURRLIAB", "n", "GST"],
    ["821", "VAT on Imports", "CURRLIAB", "n", "GSTONIMPORTS"],
    ["825", "PAYE Payable", "CURRLIAB", "n"],
    ["826", "UIF/SDL Payable", "CURRLIAB", "n"],
  ]),
);

const supply: RateFlags = "FTFTT";
const purchase: RateFlags = "TTTFF";
const imported: RateFlags = "TTTTF";

const oldRate = (successor: string) => ended("2018-03-31", "April 2018", successor);

const taxRates = lazyValue(() =>
  ratesOf("VAT", [
    ["OUTPUT3", "Standard Rate Sales", 150000, supply],
    ["INPUT3", "Standard Rate Purchases", 150000, purchase],
    ["SROUTPUT2", "Standard Rate Sales - Capital Goods", 150000, supply],
    ["CAPEXINPUT2", "Standard Rate Purchases - Capital Goods", 150000, purchase],
    ["OUTPUT4", "Change in use and Export of Second-hand Goods", 150000, supply],
    ["INPUT4", "Change in Use", 150000, purchase],
    ["SHOUTPUT", "Export of Second-hand Goods", 150000, supply],
    ["ACC28PLUS", "Accommodation exceeding 28 days", 150000, supply],
    ["ACCUPTO28", "Accommodation under 28 days", 150000, supply],
    ["BADDEBT", "Bad Debt", 150000, "TTTTT"],
    ["OUTPUT", "Old Standard Rate Sales", 140000, supply, oldRate("OUTPUT3")],
    ["INPUT", "Old Standard Rate Purchases", 140000, purchase, oldRate("INPUT3")],
    ["SROUTPUT", "Old Standard Rate Sales - Capital Goods", 140000, supply, oldRate("SROUTPUT2")],
    [
      "CAPEXINPUT",
      "Old Standard Rate Purchases - Capital Goods",
      140000,
      purchase,
      oldRate("CAPEXINPUT2"),
    ],
    [
      "OUTPUT2",
      "Old Change in use and Export of Second-hand Goods",
      140000,
      supply,
      oldRate("OUTPUT4"),
    ],
    ["INPUT2", "Old Change in Use", 140000, purchase, oldRate("INPUT4")],
    ["ZERORATED", "Zero Rate (Excluding Goods Exported)", 0, supply],
    ["ZERORATEDOUTPUT", "Zero Rate (only Exported Goods)", 0, supply],
    ["ZRINPUT", "Zero Rated Purchases", 0, purchase],
    ["EXEMPTOUTPUT", "Exempt and Non-Supplies", 0, supply],
    ["EXEMPTINPUT", "Exempt Purchases", 0, purchase],
    ["OTHEROUTPUT", "Other Sales", 0, supply],
    ["OTHERINPUT", "Other Purchase", 0, purchase],
    ["IMINPUT", "Goods and Services Imported", 0, imported],
    ["GSTONCAPIMPORTS", "Capital Goods Imported", 0, imported],
    ["NONE", "No VAT", 0, "TTTTT"],
  ]),
);

export const za: Region = {
  name: "South Africa",
  version: "GLOBAL",
  countryCode: "ZA",
  baseCurrency: "ZAR",
  yearEnd: { day: 29, month: 2 }, // the last day of February, in any year
  retention: { years: 5, source: "Tax Administration Act 2011, section 29" },
  timezone: "SOUTHAFRICASTANDARDTIME",
  importTaxes: ["IMINPUT", "GSTONCAPIMPORTS"],
  deposits: tradingDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "2MONTHLY",
  taxName: "VAT",
  paper: { taxNumber: "VAT number", taxInvoice: true },
  standardSales: "OUTPUT3",
  standardPurchases: "INPUT3",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Knysna", "6571", "South Africa", "4123456789"],
  demoBankAccounts: [
    { code: "090", name: "Business Account", tax: "NONE", bankAccountNumber: "000000 0000000090" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "000000 0000000091" },
  ],
};
