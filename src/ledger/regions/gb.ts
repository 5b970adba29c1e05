/**
 * The United Kingdom: VAT at 20%, 5% and 0%, capital rates, trade with the EU, reverse charges.
 *
 * Running costs have the type overheads here, not expenses. The accounts of the construction
 * industry scheme are not in the chart: they are added when the scheme is enabled. SRINPUT,
 * SROUTPUT, ECZRINPUT and the domestic reverse charges are not in the service document's table;
 * their flags follow similar rates.
 */
import {
  type AccountRow,
  chart,
  ended,
  lazyValue,
  ratesOf,
  reverse,
  tradingDeposits,
  tradingFrame,
} from "./frames.ts";
import type { Region } from "./region.ts";

function asOverhead(row: AccountRow): AccountRow {
  const [code, name, type, tax, system] = row;
  return type === "EXPENSE" && !system ? [code, name, "OVERHEADS", tax] : row;
}

const accounts = lazyValue(() =>
  chart(
    tradingFrame.map(asOverhead),
    { s: "OUTPUT2", p: "INPUT2", n: "NONE" },
    [
      ["320", "Direct Wages", "DIRECTCOSTS", "n"],
      ["325", "Direct Expenses", "DIRECTCOSTS", "p"],
      ["400", "Advertising & Marketing", "OVERHEADS", "p"],
      ["401", "Audit & Accountancy fees", "OVERHEADS", "p"],
      ["412", "Consulting", "OVERHEADS", "p"],
      ["416", "Depreciation Expense", "OVERHEADS", "n"],
      ["418", "Charitable and Political Donations", "OVERHEADS", "n"],
      ["420", "Entertainment-100% business", "OVERHEADS", "p"],
      ["424", "Entertainment - 0%", "OVERHEADS", "n"],
      ["425", "Postage, Freight & Courier", "OVERHEADS", "EXEMPTINPUT"],
      ["433", "Insurance", "OVERHEADS", "EXEMPTINPUT"],
      ["437", "Interest Paid", "OVERHEADS", "n"],
      ["445", "Light, Power, Heating", "OVERHEADS", "RRINPUT"],
      ["457", "Operating Lease Payments", "OVERHEADS", "p"],
      ["463", "IT Software and Consumables", "OVERHEADS", "p"],
      ["465", "Rates", "OVERHEADS", "n"],
      ["478", "Directors' Remuneration", "OVERHEADS", "n"],
      ["479", "Employers National Insurance", "OVERHEADS", "n"],
      ["480", "Staff Training", "OVERHEADS", "p"],
      ["482", "Pensions Costs", "OVERHEADS", "n"],
      ["483", "Medical Insurance", "OVERHEADS", "EXEMPTINPUT"],
      ["500", "Corporation Tax", "OVERHEADS", "n"],
      ["740", "Buildings", "FIXED", "p"],
      ["741", "Less Accumulated Depreciation on Buildings", "FIXED", "n"],
      ["750", "Leasehold Improvements", "FIXED", "p"],
      ["751", "Less Accumulated Amortisation on Leasehold Improvements", "FIXED", "n"],
      ["760", "Motor Vehicles", "FIXED", "p"],
      ["761", "Less Accumulated Depreciation on Motor Vehicles", "FIXED", "n"],
      ["764", "Plant & Machinery", "FIXED", "p"],
      ["765", "Less Accumulated Depreciation on Plant & Machinery", "FIXED", "n"],
      ["770", "Intangibles", "FIXED", "p"],
      ["771", "Less Accumulated Amortisation on Intangibles", "FIXED", "n"],
      ["805", "Accruals", "CURRLIAB", "n"],
      ["810", "Income in Advance", "CURRLIAB", "s"],
      ["814", "Wages Payable - Payroll", "CURRLIAB", "n"],
      ["815", "Employee contribution to benefits", "CURRLIAB", "n"],
      ["820", "VAT", "CURRLIAB", "n", "GST"],
      ["821", "VAT on Imports", "CURRLIAB", "GSTONIMPORTS", "GSTONIMPORTS"],
      ["825", "PAYE Payable", "CURRLIAB", "n"],
      ["826", "NIC Payable", "CURRLIAB", "n"],
      ["830", "Provision for Corporation Tax", "CURRLIAB", "n"],
      ["835", "Directors' Loan Account", "CURRLIAB", "n"],
      ["858", "Pensions Payable", "CURRLIAB", "n"],
      ["868", "Earnings Orders Payable", "CURRLIAB", "n"],
      ["910", "Hire Purchase Loan", "TERMLIAB", "n"],
      ["920", "Deferred Tax", "TERMLIAB", "n"],
      ["947", "Student Loan Deductions Payable", "CURRLIAB", "n"],
      ["950", "Capital - x,xxx Ordinary Shares", "EQUITY", "n"],
    ],
    ["300", "505"], // purchases are 310 and 325, tax on profit is 500
  ),
);

const capitalPurchase = { reportTaxType: "CAPITALEXPENSESINPUT" } as const;
const capitalSale = { reportTaxType: "CAPITALSALESOUTPUT" } as const;

/**
 * Properties of the 15% rates, which applied from December 2008 to the end of 2009, before 17.5%.
 */
const of2009 = (successor: string) => ended("2009-12-31", "January 2010", successor);
const of2010 = (successor: string) => ended("2011-01-03", "4 January 2011", successor);

const taxRates = lazyValue(() =>
  ratesOf("VAT", [
    ["OUTPUT2", "20% (VAT on Income)", 200000, "TTFTT", { reportTaxType: "OUTPUT" }],
    ["INPUT2", "20% (VAT on Expenses)", 200000, "TTTTF", { reportTaxType: "INPUT" }],
    ["RROUTPUT", "5% (VAT on Income)", 50000, "TTFTT", { reportTaxType: "OUTPUT" }],
    ["RRINPUT", "5% (VAT on Expenses)", 50000, "TTTTF", { reportTaxType: "INPUT" }],
    [
      "SROUTPUT",
      "15% (VAT on Income)",
      150000,
      "TTFTT",
      { reportTaxType: "OUTPUT", ...of2009("OUTPUT2") },
    ],
    [
      "SRINPUT",
      "15% (VAT on Expenses)",
      150000,
      "TTTTF",
      { reportTaxType: "INPUT", ...of2009("INPUT2") },
    ],
    ["ZERORATEDOUTPUT", "Zero Rated Income", 0, "TTFTT", { reportTaxType: "OUTPUT" }],
    ["ZERORATEDINPUT", "Zero Rated Expenses", 0, "TTTTF", { reportTaxType: "INPUT" }],
    ["EXEMPTOUTPUT", "Exempt Income", 0, "TTFTT", { reportTaxType: "EXEMPTOUTPUT" }],
    ["EXEMPTINPUT", "Exempt Expenses", 0, "TTTTF", { reportTaxType: "EXEMPTINPUT" }],
    ["NONE", "No VAT", 0, "TTTTT", { reportTaxType: "NONE" }],
    ["GSTONIMPORTS", "VAT on Imports", 0, "FFFTF", { reportTaxType: "GSTONIMPORTS" }],
    [
      "CAPEXINPUT",
      "17.5% (VAT on Capital Purchases)",
      175000,
      "TFFFF",
      { ...capitalPurchase, ...of2010("CAPEXINPUT2") },
    ],
    [
      "CAPEXOUTPUT",
      "17.5% (VAT on Capital Sales)",
      175000,
      "TFFFF",
      { ...capitalSale, ...of2010("CAPEXOUTPUT2") },
    ],
    ["CAPEXINPUT2", "20% (VAT on Capital Purchases)", 200000, "TFFFF", capitalPurchase],
    ["CAPEXOUTPUT2", "20% (VAT on Capital Sales)", 200000, "TFFFF", capitalSale],
    [
      "CAPEXSRINPUT",
      "15% (VAT on Capital Purchases)",
      150000,
      "TFFFF",
      { ...capitalPurchase, ...of2009("CAPEXINPUT2") },
    ],
    [
      "CAPEXSROUTPUT",
      "15% (VAT on Capital Sales)",
      150000,
      "TFFFF",
      { ...capitalSale, ...of2009("CAPEXOUTPUT2") },
    ],
    [
      "ECACQUISITIONS",
      "EC Acquisitions (20%)",
      200000,
      "TTTTF",
      { reportTaxType: "ECACQUISITIONS", ...reverse(200000) },
    ],
    [
      "ECZRACQUISITIONS",
      "EC Acquisitions (Zero Rated)",
      0,
      "TTTTF",
      { reportTaxType: "ECACQUISITIONS" },
    ],
    ["ECZRINPUT", "Zero Rated EC Expenses", 0, "TTTTF", { reportTaxType: "ECINPUT" }],
    ["ECZROUTPUT", "Zero Rated EC Goods Income", 0, "TTFTT", { reportTaxType: "ECOUTPUT" }],
    [
      "ECZROUTPUTSERVICES",
      "Zero Rated EC Services",
      0,
      "TTFTT",
      { reportTaxType: "ECOUTPUTSERVICES" },
    ],
    [
      "REVERSECHARGES",
      "Reverse Charge Expenses (20%)",
      200000,
      "TTTTF",
      { reportTaxType: "REVERSECHARGES", ...reverse(200000) },
    ],
    // SUPPLY is on the purchase side, as in the published table; its flags say so.
    [
      "DRCHARGESUPPLY5",
      "Domestic Reverse Charge @ 5% (VAT on Expenses)",
      50000,
      "TTTTF",
      { reportTaxType: "DRCHARGESUPPLY", ...reverse(50000) },
    ],
    [
      "DRCHARGESUPPLY20",
      "Domestic Reverse Charge @ 20% (VAT on Expenses)",
      200000,
      "TTTTF",
      { reportTaxType: "DRCHARGESUPPLY", ...reverse(200000) },
    ],
    [
      "DRCHARGE5",
      "Domestic Reverse Charge @ 5% (VAT on Income)",
      50000,
      "TTFTT",
      { reportTaxType: "DRCHARGE", ...reverse(50000) },
    ],
    [
      "DRCHARGE20",
      "Domestic Reverse Charge @ 20% (VAT on Income)",
      200000,
      "TTFTT",
      { reportTaxType: "DRCHARGE", ...reverse(200000) },
    ],
  ]),
);

export const gb: Region = {
  name: "United Kingdom",
  version: "UK",
  countryCode: "GB",
  baseCurrency: "GBP",
  yearEnd: { day: 31, month: 3 },
  retention: { years: 6, source: "Value Added Tax Act 1994, schedule 11, paragraph 6" },
  timezone: "GMTSTANDARDTIME",
  ownersAccounts: ["835"],
  deposits: { received: ["810"], paid: tradingDeposits.paid },
  salesTaxBasis: "ACCRUAL",
  salesTaxPeriod: "QUARTERLY",
  taxName: "VAT",
  paper: { taxNumber: "VAT number" },
  standardSales: "OUTPUT2",
  standardPurchases: "INPUT2",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Whitby", "YO21 3PU", "United Kingdom", "GB 553 5578 81"],
  demoBankAccounts: [
    { code: "090", name: "Business Account", tax: "NONE", bankAccountNumber: "00-00-00 00000090" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "00-00-00 00000091" },
  ],
};
