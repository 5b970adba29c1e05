/**
 * Maps tax rates of the book to tax categories of EN 16931, and back.
 *
 * There is a table for each country, by TaxType. A rate with a category of its own (`TaxCategory`)
 * keeps it; a rate above zero is the standard category; for any other rate the user is asked.
 */
import type { Percent } from "../resources/decimal.ts";
import { vatId } from "./countries.ts";
import type { TaxCategory } from "./model.ts";

/** Fields of a tax rate that decide its category. */
export interface BookRate {
  readonly TaxType?: string | undefined;
  readonly Name: string;
  readonly EffectiveRate: Percent;
  readonly TaxCategory?: TaxCategory | undefined;
}

/**
 * Category of a rate; `untaxed` means exempt where the seller is registered for tax, otherwise not
 * subject to tax.
 */
type Meaning = TaxCategory | "untaxed";

/**
 * Categories of rates without tax, by country; rates above zero are in the standard category.
 *
 * @source guidance of the A-NZ Peppol authorities (GST-free, input taxed, exports); VAT notices of
 * HMRC
 */
const untaxedRates: Readonly<Record<string, Readonly<Record<string, Meaning>>>> = {
  AU: {
    EXEMPTOUTPUT: "Z",
    EXEMPTEXPORT: "G",
    INPUTTAXED: "E",
    BASEXCLUDED: "O",
    NONE: "O",
  },
  NZ: { ZERORATED: "Z", NONE: "untaxed" },
  GB: {
    ZERORATEDOUTPUT: "Z",
    EXEMPTOUTPUT: "E",
    NONE: "untaxed",
    DRCHARGE5: "AE",
    DRCHARGE20: "AE",
    ECZROUTPUT: "G",
    ECZROUTPUTSERVICES: "AE",
  },
  SG: {
    ZERORATEDOUTPUT: "Z",
    ES33OUTPUT: "E",
    ESN33OUTPUT: "E",
    OSOUTPUT: "O",
    OSOUTPUT2: "O",
    SRCAS: "AE",
    NONE: "untaxed",
  },
  ZA: { ZERORATED: "Z", ZERORATEDOUTPUT: "G", EXEMPTOUTPUT: "E", NONE: "untaxed" },
  DE: {
    OUTPUT0: "Z",
    ECOUTPUT: "K",
    ECOUTPUTSERVICES: "AE",
    ECTRIANGULAR: "AE",
    DRCHARGE: "AE",
    EXPORT: "G",
    EXEMPTCREDIT: "E",
    EXEMPTOUTPUT: "E",
    SMALLBUSINESS: "E",
    OSOUTPUT: "O",
    NONE: "O",
  },
  FR: {
    ECOUTPUT: "K",
    ECOUTPUTSERVICES: "AE",
    DRCHARGE: "AE",
    EXPORT: "G",
    EXEMPTOUTPUT: "E",
    FRANCHISE: "E",
    OSOUTPUT: "O",
    NONE: "O",
  },
  CA: { CAN030: "E", NONE: "untaxed" },
  US: { NONE: "untaxed" },
};

const elsewhere: Readonly<Record<string, Meaning>> = { NONE: "untaxed" };

export interface SellerTax {
  /** Country of the seller, ISO 3166. */
  readonly country: string | undefined;
  /** Tax number of the seller, where registered for tax. */
  readonly taxNumber: string | undefined;
}

/** Category of a rate; undefined where it cannot be derived. */
export function categoryOf(rate: BookRate, seller: SellerTax): TaxCategory | undefined {
  if (rate.TaxCategory !== undefined) return rate.TaxCategory;
  if (rate.EffectiveRate > 0) return "S";
  const table = untaxedRates[seller.country ?? ""] ?? elsewhere;
  const meaning = table[rate.TaxType ?? ""];
  // Goods from Northern Ireland are intra-community supplies.
  if (meaning === "G" && rate.TaxType === "ECZROUTPUT" && isNorthernIrish(seller)) return "K";
  return meaning === "untaxed" ? (seller.taxNumber ? "E" : "O") : meaning;
}

const isNorthernIrish = ({ taxNumber, country }: SellerTax): boolean =>
  vatId(taxNumber, country)?.startsWith("XI") === true;

/** Reason why no tax is charged, as stated on the invoice. */
interface Exemption {
  /** VATEX code of the reason, for sellers in the European Union. */
  readonly code?: string;
  readonly reason: string;
}

export const exemptions: Readonly<Record<Exclude<TaxCategory, "S" | "Z" | "E">, Exemption>> = {
  AE: { code: "VATEX-EU-AE", reason: "Reverse charge" },
  K: { code: "VATEX-EU-IC", reason: "Intra-community supply" },
  G: { code: "VATEX-EU-G", reason: "Export" },
  O: { code: "VATEX-EU-O", reason: "Not subject to tax" },
};

/** TaxTypes of purchases that may represent a category without tax, by country, the best first. */
const purchaseTypes: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  AU: {
    Z: ["EXEMPTEXPENSES"],
    G: ["EXEMPTEXPENSES"],
    E: ["EXEMPTEXPENSES", "INPUTTAXED"],
    O: ["BASEXCLUDED"],
  },
  NZ: { Z: ["ZERORATED"], G: ["ZERORATED"], E: ["NONE"], O: ["NONE"] },
  GB: {
    Z: ["ZERORATEDINPUT"],
    G: ["ZERORATEDINPUT"],
    E: ["EXEMPTINPUT"],
    O: ["NONE"],
    K: ["ECACQUISITIONS", "ECZRINPUT"],
    AE: ["REVERSECHARGES"],
  },
  DE: {
    Z: ["INPUT0"],
    E: ["EXEMPTINPUT"],
    O: ["NONE"],
    K: ["ECACQUISITIONS19"],
    AE: ["REVERSEEU19", "REVERSECHARGE19"],
  },
  FR: {
    E: ["EXEMPTINPUT"],
    O: ["NONE"],
    K: ["ECACQUISITIONS20"],
    AE: ["REVERSESERVICES20", "DRCHARGESUPPLY20"],
  },
  SG: { Z: ["ZERORATEDINPUT"], G: ["ZERORATEDINPUT"], E: ["EPINPUT"], O: ["OPINPUT", "NONE"] },
  ZA: { Z: ["ZRINPUT", "ZERORATED"], G: ["ZRINPUT"], E: ["EXEMPTINPUT"], O: ["NONE"] },
};

/** TaxTypes that may represent a category on a bill, the best first. */
export function purchaseTaxTypes(
  country: string | undefined,
  category: TaxCategory,
): readonly string[] {
  return [...(purchaseTypes[country ?? ""]?.[category] ?? []), "NONE"];
}
