/** Writes the codes, amounts and addresses of a book in a SAF-T file. */
import { regionAt } from "../../ledger/regions/index.ts";
import { writeDecimal } from "../../resources/decimal.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import type { EntryLine, Foreign, Side } from "../ledger/entry.ts";
import type { PostalAddress } from "../ledger/master.ts";
import { type Ledger, type Party, standsOn } from "../ledger/read-ledger.ts";
import { element, ShortCodes, textElement } from "./saft-xml.ts";

export function money(name: string, cents: number): string {
  return element(name, writeDecimal(cents, 2));
}

/**
 * Element of an amount in base currency, with the foreign amount if its document has another
 * currency.
 */
export function amountElement(name: string, cents: number, foreign?: Foreign): string {
  const foreignPart =
    foreign === undefined
      ? ""
      : textElement("CurrencyCode", foreign.currency, 3) +
        money("CurrencyAmount", Math.abs(foreign.amount));
  return element(name, money("Amount", cents), foreignPart);
}

/** Converts codes of the book to those of a SAF-T file; shared by all sections of the file. */
export class SaftCodes {
  /** Name of the tax, such as `VAT`. */
  readonly taxName: string;
  readonly #ledger: Ledger;
  readonly #rates: ReadonlyMap<string, TaxRate>;
  readonly #taxes = new ShortCodes(9);
  readonly #categories = new ShortCodes(9);
  readonly #options = new Map<string, ShortCodes>();
  readonly #parties = new ShortCodes(35);

  constructor(ledger: Ledger, rateByTaxType: ReadonlyMap<string, TaxRate>) {
    this.#ledger = ledger;
    this.#rates = rateByTaxType;
    const { taxName } = regionAt(ledger.organisation.CountryCode);
    this.taxName = taxName === "GST" ? "GST" : taxName === "Sales Tax" ? "SalesTax" : "VAT";
  }

  account(id: string): string {
    return textElement("AccountID", this.#ledger.accounts.get(id)?.code ?? id, 70);
  }

  tax(taxType: string): string {
    return this.#taxes.of(taxType);
  }

  /**
   * Id of a contact. A GUID is written without hyphens: with them it exceeds the length in the
   * schema.
   */
  party({ id, number }: Party): string {
    return this.#parties.of(number === id ? id.replaceAll("-", "") : number);
  }

  /**
   * Element with the id of a contact; empty where the file does not list the contact on that side.
   */
  partyElement(party: Party | undefined, partySide: Side | undefined): string {
    if (party === undefined || partySide === undefined || !standsOn(party, partySide)) return "";
    const name = partySide === "customer" ? "CustomerID" : "SupplierID";
    return textElement(name, this.party(party), 35);
  }

  option(category: string, option: string): { readonly type: string; readonly id: string } {
    const categoryCodes = this.#options.get(category) ?? new ShortCodes(35);
    this.#options.set(category, categoryCodes);
    return { type: this.#categories.of(category), id: categoryCodes.of(option) };
  }

  analysis(tracking: EntryLine["tracking"]): string {
    return tracking
      .map(({ category, option }) => {
        const { type, id } = this.option(category, option);
        return element(
          "Analysis",
          textElement("AnalysisType", type, 9),
          textElement("AnalysisID", id, 35),
        );
      })
      .join("");
  }

  /**
   * Element of the tax of a line.
   *
   * @param baseAmount  taxed amount; it and `tax` have the sign of their line's side
   */
  taxInformation(
    taxType: string | undefined,
    baseAmount: number,
    tax: number,
    name = "TaxInformation",
  ): string {
    if (taxType === undefined) return "";
    const rate = this.#rates.get(taxType);
    return element(
      name,
      textElement("TaxType", this.taxName, 9),
      textElement("TaxCode", this.tax(taxType), 9),
      rate === undefined ? "" : element("TaxPercentage", writeDecimal(rate.EffectiveRate, 4)),
      money("TaxBase", baseAmount),
      amountElement("TaxAmount", tax),
    );
  }
}

/**
 * Element of an address. The schema requires city and postal code: a hyphen replaces a missing one.
 */
export function addressElement(address: PostalAddress | undefined, name = "Address"): string {
  const { street, city, postalCode, region, country = "" } = address ?? {};
  return element(
    name,
    textElement("StreetName", street, 70),
    textElement("City", city || "-", 35),
    textElement("PostalCode", postalCode || "-", 18),
    textElement("Region", region, 35),
    // The schema allows only a country code; users may have entered a country name.
    /^[A-Z]{2}$/.test(country) ? element("Country", country) : "",
  );
}
