/**
 * The ten regions for which a book can be made.
 *
 * Importing this module builds nothing: a region makes its chart and its rates when they are first
 * read.
 */
import { au } from "./au.ts";
import { ca } from "./ca.ts";
import { de } from "./de.ts";
import { fr } from "./fr.ts";
import { gb } from "./gb.ts";
import { global } from "./global.ts";
import { nz } from "./nz.ts";
import type { AccountSeed, Region } from "./region.ts";
import { sg } from "./sg.ts";
import { us } from "./us.ts";
import { za } from "./za.ts";

const byCountry = {
  AU: au,
  CA: ca,
  DE: de,
  FR: fr,
  GB: gb,
  NZ: nz,
  SG: sg,
  US: us,
  ZA: za,
  GLOBAL: global,
} as const satisfies Readonly<Record<string, Region>>;

/** The regions by country code; `GLOBAL` is every country without its own region. */
export type Country = keyof typeof byCountry;

export const countries = Object.keys(byCountry) as readonly Country[];

export const regions: readonly Region[] = Object.values(byCountry);

/**
 * The region of an organisation.
 * @param countryCode  ISO 3166
 */
export function regionAt(countryCode: string): Region {
  return regions.find((region) => region.countryCode === countryCode) ?? global;
}

/**
 * What the law wants an invoice to say for its tax types, each text once.
 * @param countryCode  ISO 3166, of the seller
 */
export function invoiceTexts(countryCode: string, taxTypes: readonly string[]): string[] {
  const invoiceWords = regionAt(countryCode)
    .taxRates()
    .flatMap(({ taxType, invoiceText }) =>
      invoiceText !== undefined && taxTypes.includes(taxType) ? [invoiceText] : [],
    );
  return [...new Set(invoiceWords)];
}

/**
 * The tax types of lines that need the VAT number of a customer elsewhere in the EU.
 * @param countryCode  ISO 3166, of the seller
 */
export const unionTypes = (countryCode: string, taxTypes: readonly string[]): string[] =>
  regionAt(countryCode)
    .taxRates()
    .flatMap(({ taxType, toUnion }) => (toUnion && taxTypes.includes(taxType) ? [taxType] : []));

/**
 * The accounts of the chart for deposits, the usual one first.
 *
 * @param isReceived  whether they are received from customers, or else paid to suppliers
 */
export function depositAccounts(countryCode: string, isReceived: boolean): AccountSeed[] {
  const { accounts, deposits } = regionAt(countryCode);
  const codes = isReceived ? deposits.received : deposits.paid;
  return codes.flatMap((code) => accounts().filter((seed) => seed.code === code));
}

export function regionOf(country: Country): Region {
  return byCountry[country];
}
