/** How codes, amounts and addresses of a book are written in a SAF-T file. */
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

/** An amount in base currency, and in the currency of its document where that is another. */
export function amount(name: string, cents: number, foreign?: Foreign): string {
  const other =
    foreign === undefined
      ? ""
      : textElement("CurrencyCode", foreign.currency, 3) +
        money("CurrencyAmount", Math.abs(foreign.amount));
  return element(name, money("Amount", cents), other);
}

/** How codes of a book become those of a file; one for all of its sections. */
export class SaftCodes {
  /** Name of the tax, `VAT`. */
  readonly taxName: string;
  readonly #ledger: Ledger;
  readonly #rates: ReadonlyMap<string, TaxRate>;
  readonly #taxes = new ShortCodes(9);
  readonly #categories = new ShortCodes(9);
  readonly #options = new Map<string, ShortCodes>();
  readonly #parties = new ShortCodes(35);

  constructor(ledger: Ledger, rates: ReadonlyMap<string, TaxRate>) {
    this.#ledger = ledger;
    this.#rates = rates;
    const { taxName } = regionAt(ledger.organisation.CountryCode);
    this.taxName = taxName === "GST" ? "GST" : taxName === "Sales Tax" ? "SalesTax" : "VAT";
  }

  account(id: string): string {
    return textElement("AccountID", this.#ledger.accounts.get(id)?.code ?? id, 70);
  }

  tax(taxType: string): string {
    return this.#taxes.of(taxType);
  }

  /** A GUID is a character longer than the schema allows, with its hyphens. */
  party({ id, number }: Party): string {
    return this.#parties.of(number === id ? id.replaceAll("-", "") : number);
  }

  /** Its id on a side; none where the file does not tell of it there. */
  partyElement(party: Party | undefined, side: Side | undefined): string {
    if (party === undefined || side === undefined || !standsOn(party, side)) return "";
    const name = side === "customer" ? "CustomerID" : "SupplierID";
    return textElement(name, this.party(party), 35);
  }

  option(category: string, option: string): { readonly type: string; readonly id: string } {
    const own = this.#options.get(category) ?? new ShortCodes(35);
    this.#options.set(category, own);
    return { type: this.#categories.of(category), id: own.of(option) };
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

  /** @param base  what is taxed and `tax` have the sign of their line's side */
  taxInformation(
    taxType: string | undefined,
    base: number,
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
      money("TaxBase", base),
      amount("TaxAmount", tax),
    );
  }
}

/** City and postal code must be there: a hyphen stands for one that is not known. */
export function addressElement(address: PostalAddress | undefined, name = "Address"): string {
  const { street, city, postalCode, region, country = "" } = address ?? {};
  return element(
    name,
    textElement("StreetName", street, 70),
    textElement("City", city || "-", 35),
    textElement("PostalCode", postalCode || "-", 18),
    textElement("Region", region, 35),
    // People write the name of a country, which the schema has no place for.
    /^[A-Z]{2}$/.test(country) ? element("Country", country) : "",
  );
}
