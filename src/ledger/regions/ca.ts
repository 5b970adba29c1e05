/**
 * Canada: GST everywhere, with a provincial tax beside it, or both harmonised in one HST.
 *
 * A buyer reclaims GST, HST and Quebec's QST, but not PST or RST, which stay on the line's own
 * account. Quebec's tax has not been charged on the GST since 2013, so no rate here compounds.
 * CAN028 to CAN032 are newer than the service document's table; their flags follow the other sales
 * and purchase rates. The codes they replace keep their old rate. CAN009 was never used.
 */
import {
  americanDeposits,
  americanFrame,
  chart,
  ended,
  lazyValue,
  type RateExtras,
  type RateRow,
  ratesOf,
} from "./frames.ts";
import type { ComponentSeed, Region } from "./region.ts";

const accounts = lazyValue(() => chart(americanFrame, { s: "OUTPUT", p: "INPUT", n: "NONE" }));

type Provincial = readonly [name: string, rate: number, recoverable?: true];

const pst: Provincial = ["PST", 70000];
const rst: Provincial = ["RST", 70000];

function hst(rate: number): readonly ComponentSeed[] {
  return [{ name: "HST", rate }];
}

function gst(provincial?: Provincial, direction?: "purchases"): readonly ComponentSeed[] {
  const federal = { name: "GST", rate: 50000 };
  if (!provincial) return [federal];
  const [name, rate, recoverable] = provincial;
  const isLost = direction === "purchases" && !recoverable;
  return [federal, isLost ? { name, rate, nonRecoverable: true } : { name, rate }];
}

function bought(
  number: string,
  name: string,
  components: readonly ComponentSeed[],
  untilText = "",
  extras: RateExtras = {},
): RateRow {
  return [`CAN${number}`, `${name} on Purchases${untilText}`, components, "TTTTF", extras];
}

function sold(
  number: string,
  name: string,
  components: readonly ComponentSeed[],
  untilText = "",
  extras: RateExtras = {},
): RateRow {
  return [`CAN${number}`, `${name} on Sales${untilText}`, components, "TTFTT", extras];
}

const beforeManitoba = " (pre 1 July '19)";
const beforeNovaScotia = " (pre 1 April '25)";
const manitoba = (successor: string) => ended("2019-06-30", "July 2019", successor);
const novaScotia = (successor: string) => ended("2025-03-31", "April 2025", successor);

const taxRates = lazyValue(() =>
  ratesOf("Tax", [
    bought("001", "AB - GST", gst()),
    bought("002", "BC - GST/PST", gst(pst, "purchases")),
    bought(
      "003",
      "MB - GST/RST",
      gst(["RST", 80000], "purchases"),
      beforeManitoba,
      manitoba("CAN029"),
    ),
    bought("004", "NB - HST", hst(150000)),
    bought("005", "NL - HST", hst(150000)),
    bought("006", "NS - HST", hst(150000), beforeNovaScotia, novaScotia("CAN031")),
    bought("007", "ON - HST", hst(130000)),
    bought("008", "PE - HST", hst(150000)),
    bought("010", "SK - GST/PST", gst(["PST", 60000], "purchases")),
    bought("011", "NT - GST", gst()),
    bought("012", "YT - GST", gst()),
    bought("013", "NU - GST", gst()),
    sold("014", "AB - GST", gst()),
    sold("015", "BC - GST/PST", gst(pst)),
    sold("016", "MB - GST/RST", gst(["RST", 80000]), beforeManitoba, manitoba("CAN028")),
    sold("017", "NB - HST", hst(150000)),
    sold("018", "NL - HST", hst(150000)),
    sold("019", "NS - HST", hst(150000), beforeNovaScotia, novaScotia("CAN032")),
    sold("020", "ON - HST", hst(130000)),
    sold("021", "PE - HST", hst(150000)),
    sold("022", "QC - GST/QST", gst(["QST", 99750])),
    sold("023", "SK - GST/PST", gst(["PST", 60000])),
    sold("024", "NT - GST", gst()),
    sold("025", "YT - GST", gst()),
    sold("026", "NU - GST", gst()),
    bought("027", "QC - GST/QST", gst(["QST", 99750, true], "purchases")),
    sold("028", "MB - GST/RST", gst(rst)),
    bought("029", "MB - GST/RST", gst(rst, "purchases")),
    ["CAN030", "Exempt Sales", 0, "TTFTT"],
    bought("031", "NS - HST", hst(140000)),
    sold("032", "NS - HST", hst(140000)),
    ["OUTPUT", "Tax on Sales", 0, "TTTTT"],
    ["INPUT", "Tax on Purchases", 0, "TTTTT"],
    ["NONE", "Tax Exempt", 0, "TTTTT"],
    ["GSTONIMPORTS", "Sales Tax on Imports", 0, "FFFTF"],
  ]),
);

export const ca: Region = {
  name: "Canada",
  version: "GLOBAL",
  countryCode: "CA",
  baseCurrency: "CAD",
  yearEnd: { day: 31, month: 12 },
  retention: { years: 6, source: "Income Tax Act, section 230" },
  timezone: "EASTERNSTANDARDTIME",
  deposits: americanDeposits,
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "3MONTHLY",
  taxName: "Sales Tax",
  paper: { taxNumber: "GST/HST number", letter: true },
  standardSales: "OUTPUT",
  standardPurchases: "INPUT",
  noTax: "NONE",
  accounts,
  taxRates,
  demoPlace: ["Lunenburg", "B0J 2C0", "Canada"],
  demoBankAccounts: [
    { code: "090", name: "Checking", tax: "NONE", bankAccountNumber: "00000-000 0000090" },
    { code: "091", name: "Savings", tax: "NONE", bankAccountNumber: "00000-000 0000091" },
  ],
};
