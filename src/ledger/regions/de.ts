/**
 * Germany: value added tax at 19 % and 7 %, trade within the EU, reverse charges, and the chart SKR04.
 *
 * SKR04 follows the balance sheet and the profit and loss of the commercial code, so that the first
 * digit of a code tells the class of an account. Names are German; what they mean in English is in
 * the description. 3631 and 3632 are numbers that SKR04 leaves free.
 *
 * @source DATEV, SKR04; Handelsgesetzbuch, sections 266 and 275; Umsatzsteuergesetz
 */
import {
  type BilingualRow,
  bilingualChart,
  lazyValue,
  type RateRow,
  ratesOf,
  reverse,
} from "./frames.ts";
import type { RateFlags, Region } from "./region.ts";

const rows: readonly BilingualRow[] = [
  ["0135", "EDV-Software", "Software", "FIXED", "p"],
  ["0520", "Pkw", "Cars", "FIXED", "p"],
  ["0650", "Büroeinrichtung", "Office furniture", "FIXED", "p"],
  ["0670", "Geringwertige Wirtschaftsgüter", "Low-value assets", "FIXED", "p"],
  [
    "0690",
    "Sonstige Betriebs- und Geschäftsausstattung",
    "Computers, other equipment",
    "FIXED",
    "p",
  ],
  ["1140", "Waren", "Goods", "INVENTORY", "n"],
  ["1180", "Geleistete Anzahlungen auf Vorräte", "Deposits paid", "CURRENT", "n"],
  ["1181", "Geleistete Anzahlungen, 7 % Vorsteuer", "Deposits paid at 7 %", "CURRENT", "INPUT7"],
  ["1186", "Geleistete Anzahlungen, 19 % Vorsteuer", "Deposits paid at 19 %", "CURRENT", "p"],
  [
    "1200",
    "Forderungen aus Lieferungen und Leistungen",
    "Accounts receivable",
    "CURRENT",
    "n",
    "DEBTORS",
  ],
  ["1300", "Sonstige Vermögensgegenstände", "Other receivables", "CURRENT", "n"],
  ["1370", "Durchlaufende Posten", "Pass-through items", "CURRENT", "n"],
  [
    "1433",
    "Entstandene Einfuhrumsatzsteuer",
    "VAT on imports",
    "CURRENT",
    "GSTONIMPORTS",
    "GSTONIMPORTS",
  ],
  ["1460", "Geldtransit", "Money in transit", "CURRENT", "n"],
  ["1900", "Aktive Rechnungsabgrenzung", "Prepaid expenses", "PREPAYMENT", "n"],
  ["2100", "Privatentnahmen", "Drawings", "EQUITY", "n"],
  ["2180", "Privateinlagen", "Funds introduced", "EQUITY", "n"],
  ["2900", "Gezeichnetes Kapital", "Share capital", "EQUITY", "n"],
  ["2970", "Gewinnvortrag vor Verwendung", "Retained earnings", "EQUITY", "n", "RETAINEDEARNINGS"],
  ["3070", "Sonstige Rückstellungen", "Provisions", "CURRLIAB", "n"],
  ["3150", "Verbindlichkeiten gegenüber Kreditinstituten", "Bank loans", "TERMLIAB", "n"],
  ["3250", "Erhaltene Anzahlungen auf Bestellungen", "Deposits received", "CURRLIAB", "n"],
  [
    "3260",
    "Erhaltene, versteuerte Anzahlungen 7 % USt",
    "Deposits received at 7 %",
    "CURRLIAB",
    "OUTPUT7",
  ],
  [
    "3272",
    "Erhaltene, versteuerte Anzahlungen 19 % USt",
    "Deposits received at 19 %",
    "CURRLIAB",
    "s",
  ],
  [
    "3300",
    "Verbindlichkeiten aus Lieferungen und Leistungen",
    "Accounts payable",
    "CURRLIAB",
    "n",
    "CREDITORS",
  ],
  ["3501", "Auslagen der Mitarbeiter", "Unpaid expense claims", "CURRLIAB", "n", "UNPAIDEXPCLM"],
  ["3510", "Verbindlichkeiten gegenüber Gesellschaftern", "Owed to shareholders", "CURRLIAB", "n"],
  ["3630", "Verrechnungskonto, ungeklärt", "Suspense", "CURRLIAB", "n"],
  ["3631", "Rundungsdifferenzen", "Rounding", "CURRLIAB", "n", "ROUNDING"],
  ["3632", "Umbuchung Kostenstellen", "Tracking transfers", "CURRLIAB", "n", "TRACKINGTRANSFERS"],
  [
    "3720",
    "Verbindlichkeiten aus Lohn und Gehalt",
    "Wages payable",
    "CURRLIAB",
    "n",
    "WAGEPAYABLES",
  ],
  ["3730", "Lohn- und Kirchensteuer", "Wage tax and church tax", "CURRLIAB", "n"],
  ["3740", "Soziale Sicherheit", "Social security", "CURRLIAB", "n"],
  ["3800", "Umsatzsteuer", "VAT", "CURRLIAB", "n", "GST"],
  ["3820", "Umsatzsteuer-Vorauszahlungen", "VAT prepaid", "CURRLIAB", "n"],
  ["3830", "Umsatzsteuer-Vorauszahlungen 1/11", "VAT prepaid for later filing", "CURRLIAB", "n"],
  ["3900", "Passive Rechnungsabgrenzung", "Deferred income", "CURRLIAB", "n"],
  ["4100", "Steuerfreie Umsätze § 4 Nr. 8 ff. UStG", "Exempt sales", "SALES", "EXEMPTOUTPUT"],
  ["4120", "Steuerfreie Ausfuhr", "Exports", "SALES", "EXPORT"],
  [
    "4125",
    "Innergemeinschaftliche Lieferungen",
    "Goods to businesses in the EU",
    "SALES",
    "ECOUTPUT",
  ],
  ["4130", "Dreiecksgeschäfte", "Triangular trade in the EU", "SALES", "ECTRIANGULAR"],
  [
    "4185",
    "Erlöse Kleinunternehmer § 19 UStG",
    "Sales of a small business",
    "SALES",
    "SMALLBUSINESS",
  ],
  ["4300", "Erlöse 7 %", "Sales at 7 %", "SALES", "OUTPUT7"],
  [
    "4336",
    "Sonstige Leistungen EU, Empfänger schuldet",
    "Services to businesses in the EU",
    "SALES",
    "ECOUTPUTSERVICES",
  ],
  [
    "4337",
    "Leistungen § 13b UStG",
    "Sales on which the customer owes the VAT",
    "SALES",
    "DRCHARGE",
  ],
  ["4338", "Leistungen Drittland, nicht steuerbar", "Services outside the EU", "SALES", "OSOUTPUT"],
  ["4400", "Erlöse 19 %", "Sales at 19 %", "SALES", "s"],
  ["4730", "Gewährte Skonti", "Discounts allowed", "SALES", "s"],
  ["4830", "Sonstige betriebliche Erträge", "Other income", "OTHERINCOME", "n"],
  ["4840", "Erträge aus der Währungsumrechnung", "Exchange gains", "OTHERINCOME", "n"],
  ["4845", "Erlöse Anlagenverkauf 19 %", "Sale of assets at 19 %", "OTHERINCOME", "s"],
  ["5300", "Wareneingang 7 %", "Goods bought at 7 %", "DIRECTCOSTS", "INPUT7"],
  ["5400", "Wareneingang 19 %", "Goods bought at 19 %", "DIRECTCOSTS", "p"],
  [
    "5425",
    "Innergemeinschaftlicher Erwerb 19 %",
    "Goods bought in the EU at 19 %",
    "DIRECTCOSTS",
    "ECACQUISITIONS19",
  ],
  ["5900", "Fremdleistungen", "Subcontracted work", "DIRECTCOSTS", "p"],
  [
    "5923",
    "Leistungen EU-Unternehmer § 13b 19 %",
    "Services bought in the EU at 19 %",
    "DIRECTCOSTS",
    "REVERSEEU19",
  ],
  [
    "5925",
    "Leistungen ausländischer Unternehmer § 13b 19 %",
    "Services bought abroad at 19 %",
    "DIRECTCOSTS",
    "REVERSECHARGE19",
  ],
  ["6010", "Löhne", "Wages", "EXPENSE", "n"],
  ["6020", "Gehälter", "Salaries", "EXPENSE", "n"],
  ["6110", "Soziale Aufwendungen", "Social security of the employer", "EXPENSE", "n"],
  ["6220", "Abschreibungen Sachanlagen", "Depreciation", "DEPRECIATN", "n"],
  ["6300", "Sonstige betriebliche Aufwendungen", "Other expenses", "EXPENSE", "p"],
  ["6310", "Miete", "Rent", "EXPENSE", "n"],
  ["6325", "Gas, Strom, Wasser", "Gas, electricity, water", "EXPENSE", "p"],
  ["6400", "Versicherungen", "Insurance", "EXPENSE", "EXEMPTINPUT"],
  ["6420", "Beiträge", "Membership fees", "EXPENSE", "n"],
  ["6470", "Instandhaltung Ausstattung", "Repairs of equipment", "EXPENSE", "p"],
  ["6530", "Laufende Kfz-Kosten", "Running costs of vehicles", "EXPENSE", "p"],
  ["6600", "Werbekosten", "Advertising", "EXPENSE", "p"],
  ["6620", "Geschenke nicht abzugsfähig", "Gifts, not deductible", "EXPENSE", "INPUTBLOCKED19"],
  ["6640", "Bewirtung", "Entertainment", "EXPENSE", "p"],
  ["6650", "Reisekosten Arbeitnehmer", "Travel of employees", "EXPENSE", "INPUT7"],
  ["6800", "Porto", "Postage", "EXPENSE", "EXEMPTINPUT"],
  ["6805", "Telefon", "Telephone", "EXPENSE", "p"],
  ["6815", "Bürobedarf", "Office supplies", "EXPENSE", "p"],
  ["6820", "Fachliteratur", "Books and journals", "EXPENSE", "INPUT7"],
  ["6821", "Fortbildung", "Training", "EXPENSE", "p"],
  ["6825", "Rechts- und Beratungskosten", "Legal and consulting fees", "EXPENSE", "p"],
  ["6830", "Buchführung", "Bookkeeping", "EXPENSE", "p"],
  ["6837", "Lizenzen", "Licences", "EXPENSE", "p"],
  ["6850", "Betriebsbedarf", "Supplies", "EXPENSE", "p"],
  ["6855", "Nebenkosten des Geldverkehrs", "Bank fees", "EXPENSE", "EXEMPTINPUT"],
  [
    "6880",
    "Aufwendungen aus der Währungsumrechnung",
    "Realised currency gains",
    "EXPENSE",
    "n",
    "REALISEDCURRENCYGAIN",
  ],
  [
    "6881",
    "Aufwendungen aus der Währungsumrechnung, nicht realisiert",
    "Unrealised currency gains",
    "EXPENSE",
    "n",
    "UNREALISEDCURRENCYGAIN",
  ],
  [
    "6883",
    "Währungsumrechnung des Finanzmittelfonds",
    "Bank revaluations",
    "EXPENSE",
    "n",
    "BANKCURRENCYGAIN",
  ],
  ["6895", "Anlagenabgang Restbuchwert bei Verlust", "Assets sold at a loss", "EXPENSE", "n"],
  ["6930", "Forderungsverluste", "Bad debts", "EXPENSE", "s"],
  ["7100", "Zinserträge", "Interest income", "OTHERINCOME", "n"],
  ["7310", "Zinsen kurzfristig", "Interest", "EXPENSE", "n"],
  ["7600", "Körperschaftsteuer", "Corporation tax", "EXPENSE", "n"],
  ["7610", "Gewerbesteuer", "Trade tax", "EXPENSE", "n"],
  ["7685", "Kfz-Steuer", "Vehicle tax", "EXPENSE", "n"],
  ["9000", "Saldenvorträge", "Opening balances", "CURRLIAB", "n", "HISTORICAL"],
];

const accounts = lazyValue(() => bilingualChart(rows, { s: "OUTPUT19", p: "INPUT19", n: "NONE" }));

const sales: RateFlags = "TTFTT";
const purchases: RateFlags = "TTTTF";
/** Bad debts reduce the tax on sales, and are an expense. */
const anywhere: RateFlags = "TTTTT";

const blocked = (rate: number) => [{ name: "VSt", rate, nonRecoverable: true as const }];

const collected = (account: string) => ({ taxAccounts: { collected: account } });
const deducted = (account: string) => ({ taxAccounts: { deducted: account } });

/** A reverse charge with the accounts of the tax owed, and of that deducted if it is. */
const owed = (rate: number, collected: string, deducted?: string) => ({
  ...reverse(rate),
  taxAccounts: { collected, ...(deducted && { deducted }) },
});

/**
 * The rates of one kind of purchase on which the buyer owes the tax: at 19 %, at 7 %, and at 19 %
 * where it is not reclaimed.
 *
 * @param accounts  of the tax owed and deducted at 19 % and at 7 %, and of the tax owed alone
 */
const reversed = (
  taxType: string,
  name: string,
  [owed19, deducted19, owed7, deducted7, alone]: readonly [string, string, string, string, string],
): readonly RateRow[] => [
  [`${taxType}19`, `${name} 19 %`, 190_000, purchases, owed(190_000, owed19, deducted19)],
  [`${taxType}7`, `${name} 7 %`, 70_000, purchases, owed(70_000, owed7, deducted7)],
  [
    `${taxType}19N`,
    `${name} 19 %, nicht abziehbar`,
    blocked(190_000),
    purchases,
    owed(190_000, alone),
  ],
];

const ofServices = ["3837", "1407", "3835", "1408", "3837"] as const;

const taxAccounts = {
  1401: "Abziehbare Vorsteuer 7 %",
  1402: "Abziehbare Vorsteuer aus innergemeinschaftlichem Erwerb",
  1404: "Abziehbare Vorsteuer aus innergemeinschaftlichem Erwerb 19 %",
  1406: "Abziehbare Vorsteuer 19 %",
  1407: "Abziehbare Vorsteuer nach § 13b UStG 19 %",
  1408: "Abziehbare Vorsteuer nach § 13b UStG",
  3801: "Umsatzsteuer 7 %",
  3802: "Umsatzsteuer aus innergemeinschaftlichem Erwerb",
  3804: "Umsatzsteuer aus innergemeinschaftlichem Erwerb 19 %",
  3806: "Umsatzsteuer 19 %",
  3809: "Umsatzsteuer aus innergemeinschaftlichem Erwerb ohne Vorsteuerabzug",
  3835: "Umsatzsteuer nach § 13b UStG",
  3837: "Umsatzsteuer nach § 13b UStG 19 %",
};

const taxRates = lazyValue(() => [
  ...ratesOf("USt", [
    ["OUTPUT19", "Umsatzsteuer 19 %", 190_000, anywhere, collected("3806")],
    ["OUTPUT7", "Umsatzsteuer 7 %", 70_000, anywhere, collected("3801")],
    ["OUTPUT0", "Umsatzsteuer 0 %, § 12 Abs. 3 UStG", 0, sales],
    [
      "ECOUTPUT",
      "Innergemeinschaftliche Lieferung",
      0,
      sales,
      { toUnion: true, invoiceText: "Steuerfreie innergemeinschaftliche Lieferung" },
    ],
    [
      "ECOUTPUTSERVICES",
      "Sonstige Leistung EU, § 3a Abs. 2 UStG",
      0,
      sales,
      {
        toUnion: true,
        invoiceText: "Reverse charge: Steuerschuldnerschaft des Leistungsempfängers",
      },
    ],
    [
      "ECTRIANGULAR",
      "Dreiecksgeschäft, § 25b UStG",
      0,
      sales,
      {
        toUnion: true,
        invoiceText:
          "Innergemeinschaftliches Dreiecksgeschäft, § 25b UStG: Steuerschuldnerschaft des Leistungsempfängers",
      },
    ],
    ["EXPORT", "Ausfuhr", 0, sales, { invoiceText: "Steuerfreie Ausfuhrlieferung" }],
    [
      "EXEMPTCREDIT",
      "Steuerfrei, § 4 Nr. 2 bis 7 UStG",
      0,
      sales,
      { invoiceText: "Steuerfrei nach § 4 Nr. 2 bis 7 UStG" },
    ],
    [
      "EXEMPTOUTPUT",
      "Steuerfrei, § 4 Nr. 8 bis 29 UStG",
      0,
      sales,
      { invoiceText: "Steuerfrei nach § 4 Nr. 8 bis 29 UStG" },
    ],
    [
      "SMALLBUSINESS",
      "Kleinunternehmer, § 19 UStG",
      0,
      sales,
      { invoiceText: "Kein Ausweis von Umsatzsteuer: Kleinunternehmer nach § 19 UStG" },
    ],
    [
      "DRCHARGE",
      "§ 13b Abs. 5 UStG, Empfänger schuldet",
      0,
      sales,
      { invoiceText: "Steuerschuldnerschaft des Leistungsempfängers" },
    ],
    ["OSOUTPUT", "Nicht steuerbar im Inland", 0, sales],
  ]),
  ...ratesOf("VSt", [
    ["INPUT19", "Vorsteuer 19 %", 190_000, purchases, deducted("1406")],
    ["INPUT7", "Vorsteuer 7 %", 70_000, purchases, deducted("1401")],
    ["INPUT0", "Vorsteuer 0 %", 0, purchases],
    ["INPUTBLOCKED19", "Vorsteuer 19 %, nicht abziehbar", blocked(190_000), purchases],
    ["INPUTBLOCKED7", "Vorsteuer 7 %, nicht abziehbar", blocked(70_000), purchases],
    ...reversed("ECACQUISITIONS", "Innergemeinschaftlicher Erwerb", [
      "3804",
      "1404",
      "3802",
      "1402",
      "3809",
    ]),
    ["ECACQUISITIONS0", "Innergemeinschaftlicher Erwerb 0 %", 0, purchases],
    ["ECEXEMPT", "Steuerfreier innergemeinschaftlicher Erwerb", 0, purchases],
    ...reversed("REVERSEEU", "Leistung eines EU-Unternehmers, § 13b Abs. 1 UStG", ofServices),
    ...reversed("REVERSECHARGE", "Leistung, § 13b Abs. 2 UStG", ofServices),
    [
      "REVERSELAND19",
      "Grundstück, Sicherungsgut, § 13b Abs. 2 Nr. 2, 3 UStG 19 %",
      190_000,
      purchases,
      owed(190_000, "3837", "1407"),
    ],
    ["GSTONIMPORTS", "Einfuhrumsatzsteuer", 0, "TFFTF"],
    ["EXEMPTINPUT", "Steuerfreier Einkauf", 0, purchases],
    ["NONE", "Keine Steuer", 0, anywhere],
  ]),
]);

export const de: Region = {
  name: "Germany",
  version: "GLOBAL",
  countryCode: "DE",
  baseCurrency: "EUR",
  yearEnd: { day: 31, month: 12 },
  retention: { years: 10, source: "Abgabenordnung, section 147" },
  timezone: "WEUROPESTANDARDTIME",
  ownersAccounts: ["3510"],
  deposits: { received: ["3272", "3260", "3250"], paid: ["1186", "1181", "1180"] },
  depreciatesDirectly: true,
  importTaxes: ["GSTONIMPORTS"],
  salesTaxBasis: "ACCRUALS",
  salesTaxPeriod: "1MONTHLY",
  taxName: "VAT",
  paper: {
    language: "de",
    taxNumber: "USt-IdNr.",
    supplyText: "Leistungsdatum entspricht Rechnungsdatum",
  },
  eInvoice: "facturx",
  standardSales: "OUTPUT19",
  standardPurchases: "INPUT19",
  noTax: "NONE",
  unregisteredSales: "SMALLBUSINESS",
  accounts,
  taxRates,
  taxAccounts,
  demoPlace: ["Lübeck", "23552", "Germany", "DE123456788"],
  demoBankAccounts: [
    {
      code: "1800",
      name: "Geschäftskonto",
      tax: "NONE",
      bankAccountNumber: "DE00 0000 0000 0000 0018 00",
    },
    {
      code: "1810",
      name: "Tagesgeld",
      tax: "NONE",
      bankAccountNumber: "DE00 0000 0000 0000 0018 10",
    },
  ],
};
