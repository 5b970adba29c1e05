/**
 * Singapore: GST at 9% since 2024, 8% in 2023, 7% before.
 *
 * A kind of supply keeps its name and gets a new code when the rate rises: no suffix up to 2022,
 * then Y23, then Y24. The service document gives the flags of the unsuffixed codes; the later ones
 * follow by analogy, from the code of the same stem or else of the same side. Kinds that it does
 * not name (reverse charges, customer accounting, bad debts, refunds to tourists) follow the
 * published tables.
 *
 * Tax on disallowed expenses is not reclaimed, so it is part of the expense.
 *
 * Imports and reverse charges bear no tax on the supplier's bill, so their rate is 0.
 */
import {
  chart,
  lazyValue,
  type RateRow,
  ratesOf,
  tradingDeposits,
  tradingFrame,
} from "./frames.ts";
import type { RateFlags, Region } from "./region.ts";

const accounts = lazyValue(() =>
  chart(tradingFrame, { s: "OUTPUTY24", p: "INPUTY24", n: "NONE" }, [
    ["478", "CPF Contributions", "EXPENSE", "n"],
    // The account has no tax: the rates for imports are used on the purchase lines.
    ["821", "GST on Imports", "CURRLIAB", "n", "GSTONIMPORTS"],
    ["825", "CPF Payable", "CURRLIAB", "n"],
    ["826", "Skills Development Levy Payable", "CURRLIAB", "n"],
  ]),
);

const supply: RateFlags = "FTFTT";
const purchase: RateFlags = "TTTFF";
const received: RateFlags = "TTTTF";
const anywhere: RateFlags = "TTTTT";

type Era = "" | "Y23" | "Y24";

/**
 * A rate in all its versions: code stem, name, treatment of the standard rate, flags, and the
 * suffixes of the versions.
 */
type RateTemplate = readonly [
  stem: string,
  name: string,
  taxed: "taxed" | "blocked" | "untaxed",
  flags: RateFlags,
  eras?: readonly Era[],
];

const kinds: readonly RateTemplate[] = [
  ["OUTPUT", "Standard-Rated Supplies", "taxed", supply],
  ["INPUT", "Standard-Rated Purchases", "taxed", received],
  ["DSOUTPUT", "Deemed Supplies", "taxed", supply],
  ["TXPETINPUT", "Partially Exempt Traders Standard-Rated Purchases", "taxed", purchase],
  ["TXESSINPUT", "Partially Exempt Traders Regulation 33 Exempt", "taxed", purchase],
  ["TXN33INPUT", "Partially Exempt Traders Non-Regulation 33 Exempt", "taxed", purchase],
  ["TXREINPUT", "Partially Exempt Traders Residual Input tax", "taxed", purchase],
  ["BLINPUT", "Disallowed Expenses", "blocked", purchase, [""]],
  ["BLINPUT3", "Disallowed Expenses", "blocked", purchase, ["Y23", "Y24"]],
  ["IMINPUT2", "Imports", "untaxed", received, ["", "Y23"]],
  ["IM", "Imports: taxable supplies", "untaxed", received],
  ["IMESS", "Imports: regulation 33 exempt supplies", "untaxed", received],
  ["IMN33", "Imports: non-regulation 33 exempt supplies", "untaxed", received],
  ["IMRE", "Imports: taxable & exempt supplies", "untaxed", received],
  ["IGDSINPUT2", "Imports under IGDS (input tax claim)", "untaxed", received],
  ["IGDSINPUT3", "Imports under IGDS (no input tax claim)", "untaxed", received],
  ["SROVR", "Overseas Vendor Registration Scheme Supplies", "taxed", supply, [""]],
  ["SROVRRS", "Remote services - electronic marketplace", "taxed", supply, ["Y23", "Y24"]],
  ["SROVRLVG", "LVG - electronic marketplace/redeliverer", "taxed", supply, ["Y23", "Y24"]],
  ["SRLVG", "LVG - own supply", "taxed", supply, ["Y23", "Y24"]],
  ["TXRCTS", "Reverse charge: taxable supply", "untaxed", received],
  ["TXRCESS", "Reverse charge: Regulation 33 exempt supply", "untaxed", received],
  ["TXRCN33", "Reverse charge: NonRegulation33 exempt supply", "untaxed", received],
  ["TXRCRE", "Reverse charge: taxable & exempt supply", "untaxed", received],
  ["TXCA", "Customer Accounting Purchases", "untaxed", received],
  ["BADDEBTRELIEF", "Bad Debt Relief", "taxed", anywhere],
  ["BADDEBTRECOVERY", "Bad Debt Recovery", "taxed", anywhere],
];

const eras: readonly { readonly suffix: Era; readonly prefix: string; readonly rate: number }[] = [
  { suffix: "Y24", prefix: "", rate: 90000 },
  { suffix: "Y23", prefix: "2023 ", rate: 80000 },
  { suffix: "", prefix: "2022 ", rate: 70000 },
];

/** Component of tax that is not reclaimed. */
const blocked = { name: "GST", nonRecoverable: true } as const;

function datedRates(): RateRow[] {
  return eras.flatMap(({ suffix, prefix, rate }) =>
    kinds
      .filter(([, , , , within]) => !within || within.includes(suffix))
      .map(
        ([stem, name, taxed, flags]): RateRow => [
          stem + suffix,
          prefix + name,
          { taxed: rate, blocked: [{ ...blocked, rate }], untaxed: 0 }[taxed],
          flags,
        ],
      ),
  );
}

const taxRates = lazyValue(() =>
  ratesOf("GST", [
    ...datedRates(),
    ["ZERORATEDOUTPUT", "Zero-Rated Supplies", 0, supply],
    ["ZERORATEDINPUT", "Zero-Rated Purchases", 0, purchase],
    ["ES33OUTPUT", "Regulation 33 Exempt Supplies", 0, supply],
    ["ESN33OUTPUT", "Non-Regulation 33 Exempt Supplies", 0, supply],
    ["OSOUTPUT2", "Out Of Scope Supplies", 0, supply],
    ["OSOUTPUT", "2023 Out Of Scope Supplies", 0, supply],
    ["SRCAS", "Customer Accounting Supplies by supplier", 0, supply],
    ["EPINPUT", "Exempt Purchases", 0, purchase],
    ["NRINPUT", "Purchases from Non-GST Registered Suppliers", 0, purchase],
    ["OPINPUT", "Out Of Scope Purchases", 0, purchase],
    ["MEINPUT", "Imports under a Special Scheme", 0, received],
    ["TOURISTREFUND", "Tourist Refund Claim", 0, anywhere],
    ["NONE", "No Tax", 0, anywhere],
  ]),
);

export const sg: Region = {
  name: "Singapore",
  version: "GLOBAL",
  countryCode: "SG",
  baseCurrency: "SGD",
  yearEnd: { day: 31, month: 12 },
  retention: { years: 5, source: "Goods and Services Tax Act 1993, section 46" },
  timezone: "SINGAPORESTANDARDTIME",
  deposits: tradingDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "3MONTHLY",
  taxName: "GST",
  paper: { taxNumber: "GST registration number", taxInvoice: true },
  standardSales: "OUTPUTY24",
  standardPurchases: "INPUTY24",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Singapore", "099253", "Singapore"],
  demoBankAccounts: [
    { code: "090", name: "Business Account", tax: "NONE", bankAccountNumber: "000-000090-0" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "000-000091-0" },
  ],
};
