/** What differs from country to country on paper. */
import { regions } from "../../ledger/regions/index.ts";
import type { Organisation } from "../../resources/organisation.ts";

interface Customs {
  /** What people there call the number under which tax is paid. */
  readonly taxNumber: string;
  /** An invoice of a business that is registered for tax has to say so by its title. */
  readonly taxInvoice?: true;
  readonly paper?: "LETTER";
}

const byCountry: Readonly<Record<string, Customs>> = {
  AU: { taxNumber: "ABN", taxInvoice: true },
  CA: { taxNumber: "GST/HST number", paper: "LETTER" },
  GB: { taxNumber: "VAT number" },
  NZ: { taxNumber: "GST number", taxInvoice: true },
  SG: { taxNumber: "GST registration number", taxInvoice: true },
  US: { taxNumber: "Tax ID", paper: "LETTER" },
  ZA: { taxNumber: "VAT number", taxInvoice: true },
};

export function customsOf({ CountryCode }: Organisation): Customs {
  return byCountry[CountryCode] ?? { taxNumber: "Tax number" };
}

/** What people there call the tax. */
export function taxNameOf({ CountryCode }: Organisation): string {
  return regions.find((region) => region.countryCode === CountryCode)?.taxName ?? "Tax";
}

/** The language of the printed words, as it is spelt there. */
export function languageOf(own: Organisation): string {
  return byCountry[own.CountryCode] === undefined ? "en" : `en-${own.CountryCode}`;
}
