/**
 * The tax categories of EN 16931 by the tax rates of the book, and back.
 *
 * One table a country, by TaxType. A rate that says its category itself (`TaxCategory`) is believed;
 * one that bears tax is the standard one; what is left over is asked for.
 */
import type { Percent } from "../resources/decimal.ts";
import { vatId } from "./countries.ts";
import type { TaxCategory } from "./model.ts";

/** What is read of a tax rate. */
export interface BookRate {
  readonly TaxType?: string | undefined;
  readonly Name: string;
  readonly EffectiveRate: Percent;
  readonly TaxCategory?: TaxCategory | undefined;
}

/** `untaxed` is exempt where the seller is registered for tax, and else not subject to it. */
type Meaning = TaxCategory | "untaxed";

/**
 * Rates without tax, by country; those that bear tax are standard ones.
 *
 * @source guidance of the A-NZ Peppol authorities (GST-free, input taxed, exports); VAT notices of HMRC
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
  CA: { CAN030: "E", NONE: "untaxed" },
  US: { NONE: "untaxed" },
};

const elsewhere: Readonly<Record<string, Meaning>> = { NONE: "untaxed" };

export interface SellerTax {
  /** ISO 3166. */
  readonly country: string | undefined;
  /** Its tax number, with which it is registered. */
  readonly taxNumber: string | undefined;
}

/** The category of a rate; undefined where nothing tells it. */
export function categoryOf(rate: BookRate, seller: SellerTax): TaxCategory | undefined {
  if (rate.TaxCategory !== undefined) return rate.TaxCategory;
  if (rate.EffectiveRate > 0) return "S";
  const table = untaxedRates[seller.country ?? ""] ?? elsewhere;
  const meaning = table[rate.TaxType ?? ""];
  // Goods from Northern Ireland move within the single market.
  if (meaning === "G" && rate.TaxType === "ECZROUTPUT" && isNorthernIrish(seller)) return "K";
  return meaning === "untaxed" ? (seller.taxNumber ? "E" : "O") : meaning;
}

const isNorthernIrish = ({ taxNumber, country }: SellerTax): boolean =>
  vatId(taxNumber, country)?.startsWith("XI") === true;

/** Why no tax is charged, as it stands on the invoice. */
interface Exemption {
  /** VATEX, for sellers in the Union. */
  readonly code?: string;
  readonly reason: string;
}

export const exemptions: Readonly<Record<Exclude<TaxCategory, "S" | "Z" | "E">, Exemption>> = {
  AE: { code: "VATEX-EU-AE", reason: "Reverse charge" },
  K: { code: "VATEX-EU-IC", reason: "Intra-community supply" },
  G: { code: "VATEX-EU-G", reason: "Export" },
  O: { code: "VATEX-EU-O", reason: "Not subject to tax" },
};

/** Categories of purchases in the order in which a rate without tax stands for them. */
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
  SG: { Z: ["ZERORATEDINPUT"], G: ["ZERORATEDINPUT"], E: ["EPINPUT"], O: ["OPINPUT", "NONE"] },
  ZA: { Z: ["ZRINPUT", "ZERORATED"], G: ["ZRINPUT"], E: ["EXEMPTINPUT"], O: ["NONE"] },
};

/** TaxTypes that may stand for a category of a bill, the best first. */
export function purchaseTaxTypes(
  country: string | undefined,
  category: TaxCategory,
): readonly string[] {
  return [...(purchaseTypes[country ?? ""]?.[category] ?? []), "NONE"];
}
