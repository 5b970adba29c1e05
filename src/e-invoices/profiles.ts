/**
 * Profiles: their requirements on e-invoices beyond the syntax, as tables of rules.
 *
 * A requirement concerns a value that a book may lack. All rules are checked together, so that the
 * user learns at once what must be set, and with which commands.
 *
 * @source EN 16931-1:2017; XRechnung 3.0.2; Peppol BIS Billing 3.0, May 2026; PINT A-NZ 1.1.3
 */

import { isIban } from "../resources/common.ts";
import type { EInvoiceFormat } from "../resources/e-invoice.ts";
import { registerOf } from "./countries.ts";
import { writeDecimalOf } from "./decimal.ts";

import { isTaxNear, lineFaults, totalsFaults } from "./invoice-totals.ts";
import type { EInvoice, Party, TaxCategory } from "./model.ts";

/** Record in which a missing value must be set. */
export type ProfileSource = "organisation" | "contact" | "document" | "branding";

export interface Demand {
  /** Business term of EN 16931, such as `BT-34`. */
  readonly term: string;
  /** Name of the value, as the end of a sentence. */
  readonly what: string;
  readonly of: ProfileSource;
  /** Flags of the command that sets the value, with an example. */
  readonly flags: string;
}

interface ProfileRule {
  /** Id of the rule in the standard. */
  readonly id: string;
  readonly demand: (invoice: EInvoice) => Demand;
  readonly isMet: (invoice: EInvoice) => boolean;
}

export interface Profile {
  readonly syntax: "ubl" | "cii";
  /** Specification identifier (BT-24); then business process (BT-23). */
  readonly specification: string;
  readonly process?: string;
  readonly taxScheme: "VAT" | "GST";
  /** Name of the profile for users. */
  readonly title: string;
  /** Whether the XML is embedded in the PDF of the document. */
  readonly isPdf?: true;
  /** Whether an email address is accepted as electronic address. */
  readonly takesEmail?: true;
  /** Whether the breakdown states a rate of zero for category O, by country of seller and buyer. */
  readonly demandsRate?: (seller: string | undefined, buyer: string | undefined) => boolean;
  readonly rules: readonly ProfileRule[];
  /** Error messages for faults that no setting can change. */
  readonly refusals?: (invoice: EInvoice) => readonly string[];
}

// --- rules -----------------------------------------------------------------------------------------

const isSet = (text: string | undefined): boolean => text !== undefined && text !== "";

const rule = (
  id: string,
  demand: Demand | ((invoice: EInvoice) => Demand),
  isMet: (invoice: EInvoice) => boolean,
): ProfileRule => ({ id, demand: typeof demand === "function" ? demand : () => demand, isMet });

const hasAny = ({ taxes }: EInvoice, ...categories: readonly TaxCategory[]): boolean =>
  taxes.some(({ category }) => categories.includes(category));

const isTaxed = (party: Party): boolean => isSet(party.taxId) || isSet(party.localTaxId);

const sellerTax: Demand = {
  term: "BT-31",
  what: "the seller's tax number, with which it charges the tax of the invoice",
  of: "organisation",
  flags: "--tax-number NUMBER",
};
const buyerTax: Demand = {
  term: "BT-48",
  what: "the buyer's VAT number, without which nothing is supplied without tax",
  of: "contact",
  flags: "--tax-number NUMBER",
};
const addressFlags = "--postal-address 'street=...,city=...,postcode=...,country=...'";

/** Rules of EN 16931, for every e-invoice. */
const standard: readonly ProfileRule[] = [
  rule(
    "BR-09",
    { term: "BT-40", what: "the country of the seller", of: "organisation", flags: addressFlags },
    ({ seller }) => isSet(seller.address.country),
  ),
  rule(
    "BR-11",
    { term: "BT-55", what: "the country of the buyer", of: "contact", flags: addressFlags },
    ({ buyer }) => isSet(buyer.address.country),
  ),
  rule(
    "BR-S-02",
    sellerTax,
    (invoice) => !hasAny(invoice, "S", "Z", "E", "AE") || isTaxed(invoice.seller),
  ),
  rule(
    "BR-IC-02",
    { ...sellerTax, what: "the seller's VAT number, with the prefix of its country" },
    (invoice) => !hasAny(invoice, "K", "G") || isSet(invoice.seller.taxId),
  ),
  rule(
    "BR-CO-26",
    {
      term: "BT-30",
      what: "a number by which the seller is known, of a register or its VAT number",
      of: "organisation",
      flags: "--registration-number NUMBER",
    },
    (invoice) => {
      const { seller } = invoice;
      const isKnown =
        isSet(seller.taxId) || isSet(seller.registration?.id) || seller.ids.length > 0;
      // Where the seller charges tax but has no number, another rule requires one already.
      return isKnown || (!hasAny(invoice, "O") && !isTaxed(seller));
    },
  ),
  rule(
    "BR-AE-02",
    buyerTax,
    (invoice) =>
      !hasAny(invoice, "AE") || isSet(invoice.buyer.taxId) || isSet(invoice.buyer.registration?.id),
  ),
  rule("BR-IC-02", buyerTax, (invoice) => !hasAny(invoice, "K") || isSet(invoice.buyer.taxId)),
  rule(
    "BR-IC-11",
    {
      term: "BT-72",
      what: "the day on which the goods were delivered to another country of the Union",
      of: "document",
      flags: "--delivery-date DATE",
    },
    (invoice) => !hasAny(invoice, "K") || isSet(invoice.delivery?.date),
  ),
  rule(
    "BR-CO-25",
    { term: "BT-9", what: "the day on which it is due", of: "document", flags: "--due-date DATE" },
    ({ totals, dueDate, terms }) => totals.due <= 0 || isSet(dueDate) || isSet(terms),
  ),
];

/**
 * Rules for electronic addresses.
 *
 * @param isPeppol  whether the invoice is sent over Peppol, where an email address is not accepted
 */
const electronicAddresses = (isPeppol: boolean): readonly ProfileRule[] => {
  const isAddress = ({ electronicAddress }: Party) =>
    isSet(electronicAddress?.id) && !(isPeppol && electronicAddress?.scheme === "EM");
  const addressOf = (role: string) =>
    `the electronic address of the ${role}${isPeppol ? ", which is no email address here" : ""}`;
  const flags = "--electronic-address SCHEME:IDENTIFIER";
  const seller = { term: "BT-34", what: addressOf("seller"), of: "organisation", flags } as const;
  const buyer = { term: "BT-49", what: addressOf("buyer"), of: "contact", flags } as const;
  return [
    rule("R020", seller, (invoice) => isAddress(invoice.seller)),
    rule("R010", buyer, (invoice) => isAddress(invoice.buyer)),
  ];
};

const buyerReference = (termText: string): Demand => ({
  term: "BT-10",
  what: termText,
  of: "contact",
  flags: "--buyer-reference TEXT",
});

const reference = rule(
  "R003",
  buyerReference(
    "the buyer's reference; or BT-13, the Reference of the document, its order number",
  ),
  (invoice) => isSet(invoice.buyerReference) || isSet(invoice.orderReference),
);

/** Rules of German law and XRechnung. */
const german: readonly ProfileRule[] = [
  rule(
    "BR-DE-15",
    buyerReference("the buyer's reference: of a public body its Leitweg-ID"),
    (invoice) => isSet(invoice.buyerReference),
  ),
  rule(
    "BR-DE-1",
    {
      term: "BT-84",
      what: "the account that is paid to",
      of: "branding",
      flags: "--bank-account CODE",
    },
    ({ payment }) => payment !== undefined,
  ),
  rule(
    "BR-DE-19",
    {
      term: "BT-84",
      what: "the IBAN of the account that is paid to, which has wrong check digits",
      of: "branding",
      flags: "--bank-account CODE",
    },
    ({ payment }) => payment?.means !== "58" || payment.accounts.every(({ id }) => isIban(id)),
  ),
  rule(
    "BR-DE-3",
    {
      term: "BT-37",
      what: "the city and post code of the seller",
      of: "organisation",
      flags: addressFlags,
    },
    ({ seller: { address } }) => isSet(address.city) && isSet(address.postCode),
  ),
  rule(
    "BR-DE-8",
    {
      term: "BT-52",
      what: "the city and post code of the buyer",
      of: "contact",
      flags: addressFlags,
    },
    ({ buyer: { address } }) => isSet(address.city) && isSet(address.postCode),
  ),
  rule(
    "BR-DE-5",
    {
      term: "BT-41",
      what: "whom the buyer may ask, a person or a department",
      of: "organisation",
      flags: "--contact-person NAME",
    },
    ({ seller }) => isSet(seller.contact?.name),
  ),
  rule(
    "BR-DE-6",
    {
      term: "BT-42",
      what: "the telephone of the seller",
      of: "organisation",
      flags: "--phone NUMBER",
    },
    ({ seller }) => /\d.*\d.*\d/.test(seller.contact?.phone ?? ""),
  ),
  rule(
    "BR-DE-7",
    {
      term: "BT-43",
      what: "the email address of the seller",
      of: "organisation",
      flags: "--email-address ADDRESS",
    },
    ({ seller }) => isSet(seller.contact?.email),
  ),
];

const isAmongGermans = ({ seller, buyer }: EInvoice): boolean =>
  seller.address.country === "DE" && buyer.address.country === "DE";

const onlyAmongGermans = german.map((each) =>
  rule(each.id, each.demand, (invoice) => !isAmongGermans(invoice) || each.isMet(invoice)),
);

const registered = (
  id: string,
  role: "seller" | "buyer",
  of: ProfileSource,
  flag: string,
  term: string,
): ProfileRule =>
  rule(
    id,
    (invoice) => {
      const register = registerOf(invoice[role].address.country);
      return {
        term,
        what: `the ${register?.called} of the ${role}, with its right check digit`,
        of,
        flags: `${flag} ${register?.called}`,
      };
    },
    (invoice) => {
      const register = registerOf(invoice[role].address.country);
      return register === undefined || invoice[role].registration?.scheme === register.scheme;
    },
  );

/**
 * Rules for Australia and New Zealand, where the registration number also serves as electronic
 * address.
 */
const australasian: readonly ProfileRule[] = [
  registered("aligned-ibr-001", "seller", "organisation", "--registration-number", "BT-30"),
  registered("aligned-ibr-004", "buyer", "contact", "--company-number", "BT-47"),
  ...electronicAddresses(true).map(({ id, demand, isMet }, at) =>
    rule(id, demand, (invoice) => {
      const { country } = (at === 0 ? invoice.seller : invoice.buyer).address;
      return country === undefined || registerOf(country) !== undefined || isMet(invoice);
    }),
  ),
];

/**
 * Whether both are businesses in France, whose e-invoices go through its platforms: a buyer is one
 * that has a VAT number or a SIREN.
 */
export const isAmongFrench = ({ seller, buyer }: Pick<EInvoice, "seller" | "buyer">): boolean =>
  seller.address.country === "FR" &&
  buyer.address.country === "FR" &&
  (isSet(buyer.taxId) || buyer.registration?.scheme === "0002");

/** Rates of tax that there are or were in France, in percent. */
const frenchRates: ReadonlySet<string> = new Set(
  "0 0.9 1.05 1.75 2.1 5.5 7 8.5 9.2 9.6 10 13 19.6 20 20.6".split(" "),
);

/** @source FNFE-MPE, rules of the reform for Flux 2, version 1.4.0 */
const amongFrench = [
  registered("BR-FR-10", "seller", "organisation", "--registration-number", "BT-30"),
  registered("BR-FR-11", "buyer", "contact", "--company-number", "BT-47"),
  rule(
    "BR-FR-CO-05",
    {
      term: "BT-25",
      what: "the invoice that it corrects, of the same customer, as its reference",
      of: "document",
      flags: "--reference INVOICE-NUMBER",
    },
    ({ isCreditNote, preceding }) => !isCreditNote || preceding.length > 0,
  ),
  rule(
    "BR-FR-CO-07",
    {
      term: "BT-9",
      what: "the day on which it is due, which is not before its date",
      of: "document",
      flags: "--due-date DATE",
    },
    ({ date, dueDate = date }) => dueDate >= date,
  ),
].map((each) =>
  rule(each.id, each.demand, (invoice) => !isAmongFrench(invoice) || each.isMet(invoice)),
);

function frenchRefusals(invoice: EInvoice): string[] {
  if (!isAmongFrench(invoice)) return [];
  const { number, preceding, taxes } = invoice;
  const unfit = [number, ...preceding.map((each) => each.number)].filter(
    (each) => !/^[A-Za-z0-9+\-_/]{1,35}$/.test(each),
  );
  const rates = taxes.flatMap(({ rate }) => (rate === undefined ? [] : [writeDecimalOf(rate)]));
  return [
    ...unfit.map(
      (each) =>
        `Platforms in France take numbers of up to 35 letters without accents, digits and + - _ / alone, not '${each}' (BR-FR-01).`,
    ),
    ...rates
      .filter((rate) => !frenchRates.has(rate))
      .map((rate) => `There is no rate of tax of ${rate} % in France (BR-FR-16).`),
  ];
}

const pintCategories: ReadonlySet<string> = new Set(["S", "Z", "E", "G", "O"]);

function pintRefusals({ seller, taxes }: EInvoice): string[] {
  const { country } = seller.address;
  const otherTax = taxes.find(({ category }) => !pintCategories.has(category));
  return [
    ...(country === undefined || country === "AU" || country === "NZ"
      ? []
      : ["PINT A-NZ is for sellers in Australia and New Zealand; use peppol."]),
    ...(otherTax === undefined
      ? []
      : [`PINT A-NZ has no tax category ${otherTax.category}: it is one of the European Union.`]),
  ];
}

// --- the profiles ----------------------------------------------------------------------------------

const en16931 = "urn:cen.eu:en16931:2017";
const billing = "urn:fdc:peppol.eu:2017:poacc:billing:01:1.0";

const xrechnung = {
  specification: `${en16931}#compliant#urn:xeinkauf.de:kosit:xrechnung_3.0`,
  process: billing,
  taxScheme: "VAT",
  title: "XRechnung 3.0",
  takesEmail: true,
  demandsRate: () => true,
  rules: [...standard, ...electronicAddresses(false), ...german],
} as const;

const plainProfile = {
  specification: en16931,
  taxScheme: "VAT",
  takesEmail: true,
  rules: [...standard, ...amongFrench],
  refusals: frenchRefusals,
} as const;

export const profiles = {
  ubl: { ...plainProfile, syntax: "ubl", title: "EN 16931 in UBL" },
  cii: { ...plainProfile, syntax: "cii", title: "EN 16931 in CII" },
  facturx: { ...plainProfile, syntax: "cii", title: "Factur-X", isPdf: true },
  xrechnung: { ...xrechnung, syntax: "ubl" },
  "xrechnung-cii": { ...xrechnung, syntax: "cii" },
  peppol: {
    syntax: "ubl",
    specification: `${en16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`,
    process: billing,
    taxScheme: "VAT",
    title: "Peppol BIS Billing 3.0",
    demandsRate: (seller: string | undefined, buyer: string | undefined) =>
      seller === "DE" && buyer === "DE",
    rules: [...standard, ...electronicAddresses(true), reference, ...onlyAmongGermans],
  },
  "pint-anz": {
    syntax: "ubl",
    specification: "urn:peppol:pint:billing-1@aunz-1",
    process: "urn:peppol:bis:billing",
    taxScheme: "GST",
    title: "PINT A-NZ",
    rules: [...standard, reference, ...australasian],
    refusals: pintRefusals,
  },
} as const satisfies Readonly<Record<EInvoiceFormat, Profile>>;

export function profileOf(format: EInvoiceFormat): Profile {
  return profiles[format];
}

/** Requirements of a profile that an e-invoice lacks, each once. */
export function missingIn(invoice: EInvoice, { rules }: Profile): Demand[] {
  const lackByTerm = new Map<string, Demand>();
  for (const { isMet, demand } of rules) {
    if (isMet(invoice)) continue;
    const lack = demand(invoice);
    if (!lackByTerm.has(lack.term)) lackByTerm.set(lack.term, lack);
  }
  return [...lackByTerm.values()];
}

/**
 * Error messages for faults that cannot be set right by a value: wrong totals, taxes that exclude
 * each other.
 */
export function faultsIn(invoice: EInvoice, profile: Profile): string[] {
  const faults = [...lineFaults(invoice), ...totalsFaults(invoice)].map((fault) => `${fault}.`);
  if (invoice.taxes.some((tax) => !isTaxNear(tax.base, tax, tax.amount))) {
    const noun = invoice.isCreditNote ? "credit-note" : "invoice";
    faults.push(
      `Tax is rounded line by line here, and an e-invoice allows a difference of less than 1.00 from its rate (BR-CO-17): put lines that are alike into one with their quantity, by acct ${noun} update ${invoice.number} --line 'description=...,quantity=...,unit-amount=...,account=...,tax-type=...'.`,
    );
  }
  if (hasAny(invoice, "O") && invoice.taxes.length > 1) {
    const lines = invoice.lines.filter(({ category }) => category === "O").map(({ id }) => id);
    faults.push(
      `Line ${lines.join(", ")} is not subject to tax (O), which no line of an e-invoice may be beside others that are (BR-O-11): give it a tax rate that is exempt.`,
    );
  }
  return [...faults, ...(profile.refusals?.(invoice) ?? [])];
}
