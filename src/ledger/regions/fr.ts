/**
 * France: value added tax at 20 %, 10 %, 5.5 % and 2.1 %, trade within the EU, reverse charges, and
 * the plan comptable général of 2025.
 *
 * Names are French; what they mean in English is in the description. 60614, 4717 to 4719, 7062 and
 * 7071 to 7073 are divisions that a business may make itself. The tax on services arises when they
 * are paid, so that services have tax types of their own, which end in `S`.
 *
 * @source Autorité des normes comptables, règlement 2022-06; Code général des impôts, articles 256
 *   to 298
 */
import {
  type BilingualRow,
  bilingualChart,
  lazyValue,
  type RateExtras,
  type RateRow,
  ratesOf,
  reverse,
} from "./frames.ts";
import type { RateFlags, Region } from "./region.ts";

const rows: readonly BilingualRow[] = [
  ["101000", "Capital", "Share capital", "EQUITY", "n"],
  ["108000", "Compte de l'exploitant", "Owner's account", "EQUITY", "n"],
  ["110000", "Report à nouveau", "Retained earnings", "EQUITY", "n", "RETAINEDEARNINGS"],
  ["151000", "Provisions pour risques", "Provisions for risks", "LIABILITY", "n"],
  ["164000", "Emprunts auprès des établissements de crédit", "Bank loans", "TERMLIAB", "n"],
  ["205000", "Logiciels et droits", "Software and rights", "FIXED", "CAPEX20"],
  ["218200", "Matériel de transport", "Cars", "FIXED", "INPUTBLOCKED20"],
  [
    "218300",
    "Matériel de bureau et informatique",
    "Office and computer equipment",
    "FIXED",
    "CAPEX20",
  ],
  ["218400", "Mobilier", "Furniture", "FIXED", "CAPEX20"],
  ["280500", "Amortissements – Logiciels et droits", "Accumulated amortisation", "FIXED", "n"],
  ["281820", "Amortissements – Matériel de transport", "Accumulated depreciation", "FIXED", "n"],
  [
    "281830",
    "Amortissements – Matériel de bureau et informatique",
    "Accumulated depreciation",
    "FIXED",
    "n",
  ],
  ["281840", "Amortissements – Mobilier", "Accumulated depreciation", "FIXED", "n"],
  ["370000", "Stocks de marchandises", "Goods", "INVENTORY", "n"],
  ["401000", "Fournisseurs", "Accounts payable", "CURRLIAB", "n", "CREDITORS"],
  ["408100", "Fournisseurs – factures non parvenues", "Bills not yet received", "CURRLIAB", "n"],
  ["409100", "Fournisseurs – acomptes versés", "Deposits paid", "CURRENT", "p"],
  ["411000", "Clients", "Accounts receivable", "CURRENT", "n", "DEBTORS"],
  ["419100", "Clients – acomptes reçus", "Deposits received", "CURRLIAB", "s"],
  ["421000", "Personnel – rémunérations dues", "Wages payable", "CURRLIAB", "n", "WAGEPAYABLES"],
  ["431000", "Sécurité sociale", "Social security", "CURRLIAB", "n"],
  ["442100", "Prélèvement à la source", "Income tax withheld", "CURRLIAB", "n"],
  ["444000", "État – impôt sur les bénéfices", "Tax on profits", "CURRLIAB", "n"],
  ["445000", "État – taxes sur le chiffre d'affaires", "VAT", "CURRLIAB", "n", "GST"],
  ["445300", "TVA due sur importations", "VAT on imports", "CURRLIAB", "n", "GSTONIMPORTS"],
  ["445510", "TVA à décaisser", "VAT to pay", "CURRLIAB", "n"],
  ["445670", "Crédit de TVA à reporter", "VAT credit carried over", "CURRLIAB", "n"],
  ["447000", "Autres impôts et taxes", "Other taxes", "CURRLIAB", "n"],
  ["455000", "Associés – comptes courants", "Owed to shareholders", "CURRLIAB", "n"],
  ["467000", "Autres débiteurs et créditeurs", "Other debtors and creditors", "CURRLIAB", "n"],
  [
    "467100",
    "Notes de frais à rembourser",
    "Unpaid expense claims",
    "CURRLIAB",
    "n",
    "UNPAIDEXPCLM",
  ],
  ["471000", "Compte d'attente", "Suspense", "CURRLIAB", "n"],
  ["471700", "Virements analytiques", "Tracking transfers", "CURRLIAB", "n", "TRACKINGTRANSFERS"],
  ["471800", "Reprise de balance", "Opening balances", "CURRLIAB", "n", "HISTORICAL"],
  ["471900", "Écarts d'arrondi", "Rounding", "CURRLIAB", "n", "ROUNDING"],
  ["486000", "Charges constatées d'avance", "Prepaid expenses", "PREPAYMENT", "n"],
  ["487000", "Produits constatés d'avance", "Deferred income", "CURRLIAB", "n"],
  ["580000", "Virements internes", "Money in transit", "CURRENT", "n"],
  [
    "604000",
    "Achats d'études et prestations de services",
    "Services bought for resale",
    "DIRECTCOSTS",
    "INPUT20S",
  ],
  ["606100", "Eau, énergie", "Water and energy", "EXPENSE", "p"],
  ["606140", "Carburants", "Fuel", "EXPENSE", "FUEL20"],
  ["606300", "Petit équipement", "Small equipment", "EXPENSE", "p"],
  ["606400", "Fournitures administratives", "Office supplies", "EXPENSE", "p"],
  ["607000", "Achats de marchandises", "Goods bought", "DIRECTCOSTS", "p"],
  ["611000", "Sous-traitance générale", "Subcontracted work", "EXPENSE", "INPUT20S"],
  ["613200", "Locations immobilières", "Rent", "EXPENSE", "INPUT20S"],
  ["615000", "Entretien et réparations", "Repairs and maintenance", "EXPENSE", "INPUT20S"],
  ["616000", "Assurances", "Insurance", "EXPENSE", "EXEMPTINPUT"],
  ["618500", "Colloques, formation", "Conferences and training", "EXPENSE", "INPUT20S"],
  ["622600", "Honoraires", "Professional fees", "EXPENSE", "INPUT20S"],
  ["623000", "Publicité", "Advertising", "EXPENSE", "INPUT20S"],
  ["624200", "Transports sur ventes", "Freight on sales", "EXPENSE", "INPUT20S"],
  ["625100", "Voyages et déplacements", "Travel", "EXPENSE", "n"],
  ["625700", "Réceptions", "Entertainment", "EXPENSE", "INPUT10S"],
  ["626000", "Postes et télécommunications", "Post and telephone", "EXPENSE", "INPUT20S"],
  ["627000", "Services bancaires", "Bank fees", "EXPENSE", "EXEMPTINPUT"],
  ["628100", "Cotisations", "Membership fees", "EXPENSE", "n"],
  ["635110", "Cotisation foncière des entreprises", "Business property tax", "EXPENSE", "n"],
  ["641100", "Salaires", "Wages", "EXPENSE", "n"],
  ["645000", "Charges sociales", "Social security of the employer", "EXPENSE", "n"],
  [
    "651000",
    "Redevances, licences et logiciels en ligne",
    "Licences and online software",
    "EXPENSE",
    "INPUT20S",
  ],
  ["654000", "Créances irrécouvrables", "Bad debts", "EXPENSE", "n"],
  [
    "656000",
    "Pertes de change commerciales",
    "Realised currency gains",
    "EXPENSE",
    "n",
    "REALISEDCURRENCYGAIN",
  ],
  [
    "657000",
    "Valeur comptable des immobilisations cédées",
    "Book value of assets sold",
    "EXPENSE",
    "n",
  ],
  ["658000", "Charges diverses de gestion courante", "Other expenses", "EXPENSE", "n"],
  ["661100", "Intérêts des emprunts", "Interest", "EXPENSE", "n"],
  [
    "666000",
    "Pertes de change financières",
    "Bank revaluations",
    "EXPENSE",
    "n",
    "BANKCURRENCYGAIN",
  ],
  [
    "666100",
    "Écarts de change latents",
    "Unrealised currency gains",
    "EXPENSE",
    "n",
    "UNREALISEDCURRENCYGAIN",
  ],
  ["681100", "Dotations aux amortissements", "Depreciation", "DEPRECIATN", "n"],
  ["695000", "Impôts sur les bénéfices", "Tax on profits", "EXPENSE", "n"],
  ["706000", "Prestations de services", "Services", "SALES", "OUTPUT20S"],
  [
    "706200",
    "Services intracommunautaires",
    "Services to businesses in the EU",
    "SALES",
    "ECOUTPUTSERVICES",
  ],
  ["707000", "Ventes de marchandises", "Goods sold", "SALES", "s"],
  ["707100", "Ventes à 5,5 %", "Goods sold at 5.5 %", "SALES", "OUTPUT55"],
  [
    "707200",
    "Livraisons intracommunautaires",
    "Goods to businesses in the EU",
    "SALES",
    "ECOUTPUT",
  ],
  ["707300", "Exportations", "Exports", "SALES", "EXPORT"],
  ["708500", "Ports facturés", "Freight charged to customers", "SALES", "s"],
  ["757000", "Produits des cessions d'immobilisations", "Sale of assets", "OTHERINCOME", "s"],
  ["758000", "Produits divers de gestion courante", "Other income", "OTHERINCOME", "n"],
  ["768000", "Produits financiers", "Financial income", "OTHERINCOME", "n"],
];

const accounts = lazyValue(() => bilingualChart(rows, { s: "OUTPUT20", p: "INPUT20", n: "NONE" }));

const sales: RateFlags = "TTFTT";
const purchases: RateFlags = "TTTTF";
const fixedAssets: RateFlags = "TFFFF";

/** The rates by their suffix in tax types, in 10⁻⁴ percent. */
const rates = { 20: 200_000, 10: 100_000, 55: 55_000, 21: 21_000 };
type Suffix = keyof typeof rates;
const allRates: readonly Suffix[] = [20, 10, 55, 21];
const percent = (suffix: Suffix) => `${String(rates[suffix] / 10_000).replace(".", ",")} %`;

interface RateFamily {
  /** The rates that it has; all when left out. */
  readonly of?: readonly Suffix[];
  /** What follows the rate in the tax type: `S` of services. */
  readonly end?: "S";
  /** Whether the buyer owes the tax. */
  readonly isReversed?: true;
  /** Whether the tax is not reclaimed. */
  readonly isBlocked?: true;
}

/** Numbers of the tax accounts: of tax collected or owed, and of tax deducted. */
type TaxAccounts = readonly [collected?: string, deducted?: string];

const onTaxAccounts = ([collected, deducted]: TaxAccounts): Pick<RateExtras, "taxAccounts"> => ({
  taxAccounts: { ...(collected && { collected }), ...(deducted && { deducted }) },
});

/** Rows of a tax type, one for each of its rates. */
const atRates = (
  taxType: string,
  name: string,
  flags: RateFlags,
  taxAccounts: TaxAccounts,
  { of = allRates, end, isReversed, isBlocked }: RateFamily = {},
): RateRow[] =>
  of.map((each): RateRow => {
    const rate = rates[each];
    return [
      `${taxType}${each}${end ?? ""}`,
      `${name} ${percent(each)}`,
      isBlocked ? [{ name: "TVA", rate, nonRecoverable: true }] : rate,
      flags,
      { ...(isReversed && reverse(rate)), ...(!isBlocked && onTaxAccounts(taxAccounts)) },
    ];
  });

const reversed = { isReversed: true } as const;
const twoRates = [20, 10] as const;
const threeRates = [20, 10, 55] as const;

const collected: TaxAccounts = ["445710"];
const deducted: TaxAccounts = [undefined, "445660"];

const taxAccounts = {
  445200: "TVA due intracommunautaire",
  445210: "TVA due sur services de l'étranger",
  445300: "TVA due sur importations",
  445310: "TVA due sur achats à un assujetti non établi",
  445620: "TVA déductible sur immobilisations",
  445660: "TVA déductible sur autres biens et services",
  445662: "TVA déductible intracommunautaire et services de l'étranger",
  445663: "TVA déductible sur importations et achats à un assujetti non établi",
  445710: "TVA collectée",
};

const taxRates = lazyValue(() =>
  ratesOf("TVA", [
    ...atRates("OUTPUT", "TVA collectée, biens", sales, collected),
    ...atRates("OUTPUT", "TVA collectée, services", sales, collected, { end: "S" }),
    [
      "ECOUTPUT",
      "Livraison intracommunautaire",
      0,
      sales,
      { toUnion: true, invoiceText: "Exonération de TVA, article 262 ter, I du CGI" },
    ],
    [
      "ECOUTPUTSERVICES",
      "Service à une entreprise de l'UE",
      0,
      sales,
      { toUnion: true, invoiceText: "Autoliquidation" },
    ],
    [
      "EXPORT",
      "Exportation",
      0,
      sales,
      { invoiceText: "Exonération de TVA, article 262, I du CGI" },
    ],
    ["OSOUTPUT", "Opération hors de France", 0, sales],
    ["EXEMPTOUTPUT", "Opération exonérée", 0, sales],
    ["DRCHARGE", "Autoliquidation par le preneur", 0, sales, { invoiceText: "Autoliquidation" }],
    ["OSSOUTPUT", "Vente à distance taxée dans un autre État de l'UE", 0, sales],
    [
      "FRANCHISE",
      "Franchise en base, article 293 B du CGI",
      0,
      sales,
      { invoiceText: "TVA non applicable, art. 293 B du CGI" },
    ],
    ...atRates("INPUT", "TVA déductible, biens", purchases, deducted),
    ...atRates("INPUT", "TVA déductible, services", purchases, deducted, { end: "S" }),
    ...atRates("CAPEX", "TVA déductible, immobilisations", fixedAssets, [undefined, "445620"], {
      of: threeRates,
    }),
    [
      "FUEL20",
      "TVA déductible à 80 %, carburants 20 %",
      [
        { name: "TVA", rate: 160_000 },
        { name: "TVA non déductible", rate: 40_000, nonRecoverable: true },
      ],
      purchases,
      onTaxAccounts(deducted),
    ],
    ...atRates("INPUTBLOCKED", "TVA non déductible", purchases, [], {
      of: threeRates,
      isBlocked: true,
    }),
    ...atRates(
      "ECACQUISITIONS",
      "Acquisition intracommunautaire",
      purchases,
      ["445200", "445662"],
      reversed,
    ),
    ...atRates(
      "ECCAPEX",
      "Acquisition intracommunautaire, immobilisations",
      fixedAssets,
      ["445200", "445620"],
      {
        of: [20],
        ...reversed,
      },
    ),
    ...atRates(
      "REVERSESERVICES",
      "Services d'une entreprise hors de France",
      purchases,
      ["445210", "445662"],
      reversed,
    ),
    ...atRates(
      "REVERSECHARGE",
      "Achat à une entreprise hors de France",
      purchases,
      ["445310", "445663"],
      reversed,
    ),
    ...atRates("DRCHARGESUPPLY", "Sous-traitance du bâtiment", purchases, ["445200", "445660"], {
      of: twoRates,
      ...reversed,
    }),
    ...atRates("IMPORT", "Importation", purchases, ["445300", "445663"], reversed),
    ["EXEMPTINPUT", "Achat exonéré", 0, purchases],
    ["NONE", "Sans TVA", 0, "TTTTT"],
  ]),
);

export const fr: Region = {
  name: "France",
  version: "GLOBAL",
  countryCode: "FR",
  baseCurrency: "EUR",
  yearEnd: { day: 31, month: 12 },
  retention: { years: 10, source: "Code de commerce, article L123-22" },
  timezone: "ROMANCESTANDARDTIME",
  ownersAccounts: ["455000"],
  deposits: { received: ["419100"], paid: ["409100"] },
  salesTaxBasis: "CASH",
  salesTaxPeriod: "1MONTHLY",
  taxName: "VAT",
  paper: {
    language: "fr",
    taxNumber: "N° TVA",
    accrualText: "Option pour le paiement de la taxe d\u2019après les débits",
    latePayment: {
      AAB: "Pas d\u2019escompte pour paiement anticipé.",
      PMD: "Tout retard de paiement d\u2019un professionnel entraîne des pénalités au taux de trois fois le taux d\u2019intérêt légal (article L441-10 du code de commerce).",
      PMT: "Une indemnité forfaitaire de 40 € pour frais de recouvrement est alors due (article D441-5 du code de commerce).",
    },
  },
  eInvoice: "facturx",
  standardSales: "OUTPUT20",
  standardPurchases: "INPUT20",
  noTax: "NONE",
  unregisteredSales: "FRANCHISE",
  accounts,
  taxRates,
  taxAccounts,
  demoPlace: ["Honfleur", "14600", "France", "FR11123456782", "123456782"],
  demoBankAccounts: [
    {
      code: "512100",
      name: "Banque",
      tax: "NONE",
      bankAccountNumber: "FR00 0000 0000 0000 0000 0512 100",
    },
    {
      code: "512200",
      name: "Livret",
      tax: "NONE",
      bankAccountNumber: "FR00 0000 0000 0000 0000 0512 200",
    },
  ],
};
