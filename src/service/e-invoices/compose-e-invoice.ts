/**
 * Composes the e-invoice of a document.
 *
 * Amounts become net: tax is taken out of inclusive amounts, and the price has as many decimals as
 * quantity times price needs to give the amount. The tax of each line is the tax in the book,
 * summed by category and rate.
 */
import {
  categoryOf,
  countryCode,
  type EInvoice,
  exemptions,
  type Identifier,
  isAmongFrench,
  isInUnion,
  type Line,
  type Party,
  type Profile,
  plainAccount,
  plainTaxNumber,
  readElectronicAddress,
  registrationOf,
  type SellerTax,
  type TaxKey,
  type TaxSubtotal,
  taxKeyOf,
  toDecimal,
  vatCountry,
  vatId,
} from "../../e-invoices/index.ts";
import { type Cents, sum, toBase } from "../../ledger/money.ts";
import { exchangeOf } from "../../ledger/postings/currency.ts";
import { invoiceTexts, regionAt, regionOf } from "../../ledger/regions/index.ts";
import { addressFor, nonEmpty, toLetters } from "../../output/documents/parties.ts";
import type { Account } from "../../resources/account.ts";
import { hasFormOfIban, isIban } from "../../resources/common.ts";
import type { Contact } from "../../resources/contact.ts";
import { type Rate, scaleOf } from "../../resources/decimal.ts";
import type { LineItem } from "../../resources/line-item.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { TaxRate } from "../../resources/tax-rate.ts";
import type { Unit } from "../../resources/unit.ts";
import { linePriceOf } from "./prices.ts";

/** An invoice or credit note with its lines and whole contact. */
export interface BookDocument {
  readonly isCreditNote: boolean;
  readonly number: string;
  readonly Date: string;
  readonly DueDate?: string | undefined;
  readonly DeliveryDate?: string | undefined;
  readonly Reference?: string | undefined;
  readonly BuyerReference?: string | undefined;
  readonly LineAmountTypes: "Exclusive" | "Inclusive" | "NoTax";
  readonly LineItems: readonly LineItem[];
  readonly Contact: Partial<Contact>;
  readonly CurrencyCode: string;
  readonly CurrencyRate: Rate;
  readonly Total: Cents;
  /** Open amount of the document. */
  readonly openAmount: Cents;
  /** Whether a deposit was applied to it. */
  readonly isAfterDeposit: boolean;
  /** Invoices credited by a credit note, or that its reference names. */
  readonly preceding: EInvoice["preceding"];
}

export interface IssueContext {
  readonly organisation: Organisation;
  /** Tax rates by TaxType. */
  readonly rateByTaxType: ReadonlyMap<string, TaxRate>;
  /** Units of measure by ItemCode. */
  readonly unitByItem: ReadonlyMap<string, Unit>;
  /** Bank account for the payment; the next is the terms of the branding theme. */
  readonly account: Account | undefined;
  readonly terms: string | undefined;
}

/** A composed e-invoice, and sentences on lines whose tax fits no category. */
export interface Composed {
  readonly invoice: EInvoice;
  readonly faults: readonly string[];
}

export function compose(book: BookDocument, context: IssueContext, profile: Profile): Composed {
  return new Composer(book, context, profile).compose();
}

/** A line with its tax by the book. */
interface TaxedLine {
  readonly line: Line;
  readonly tax: Cents;
  readonly reason: string;
  /** What the law of the seller's country wants the invoice to say. */
  readonly text: string | undefined;
}

class Composer {
  readonly #book: BookDocument;
  readonly #around: IssueContext;
  readonly #profile: Profile;
  readonly #seller: SellerTax;
  readonly #faults: string[] = [];

  constructor(book: BookDocument, context: IssueContext, profile: Profile) {
    this.#book = book;
    this.#around = context;
    this.#profile = profile;
    const { organisation } = context;
    this.#seller = { country: sellerCountry(organisation), taxNumber: organisation.TaxNumber };
  }

  compose(): Composed {
    const book = this.#book;
    const { organisation } = this.#around;
    const { specification, process, taxScheme } = this.#profile;
    const taxed = book.LineItems.flatMap((item, index) => this.#line(item, index) ?? []);
    const lines = taxed.map(({ line }) => line);
    const taxes = this.#taxes(taxed);
    const isTaxed = taxes.some(({ category }) => category !== "O");
    const net = sum(lines.map((line) => line.net));
    const tax = sum(taxes.map(({ amount }) => amount));
    const gross = (net + tax) as Cents;
    const isForeign = book.CurrencyCode !== organisation.BaseCurrency;
    const zero = 0 as Cents;
    const notes = book.LineItems.filter(isTextOnly).map(({ Description = "" }) =>
      Description.trim(),
    );
    const exchange = exchangeOf(book.CurrencyRate, organisation.BaseCurrency);
    const [seller, buyer] = [this.#sellerParty(isTaxed), this.#buyerParty(isTaxed)];
    const isOfInvoice = book.preceding.some((each) => each.number === book.Reference);
    const french = isAmongFrench({ seller, buyer }) && process === undefined;
    const invoice: EInvoice = {
      process: french ? this.#frenchProcess() : process,
      specification,
      taxScheme,
      isCreditNote: book.isCreditNote,
      typeCode: book.isCreditNote ? "381" : "380",
      number: book.number,
      date: book.Date,
      dueDate: book.DueDate,
      taxPoint: french ? this.#frenchTaxPoint() : undefined,
      currency: book.CurrencyCode,
      accountingTax:
        isForeign && isTaxed
          ? {
              currency: organisation.BaseCurrency,
              // The tax in base currency is summed line by line, as it is posted.
              amount: sum(taxed.map((taxedLine) => toBase(taxedLine.tax, exchange))),
            }
          : undefined,
      // E-invoice networks allow only one note.
      notes: [
        ...(notes.length === 0 ? [] : [notes.join("\n")]),
        ...(french ? this.#latePayment() : []),
      ],
      buyerReference: book.BuyerReference || book.Contact.BuyerReference || undefined,
      orderReference: isOfInvoice ? undefined : book.Reference || undefined,
      preceding: book.preceding,
      seller,
      buyer,
      payee: undefined,
      delivery: this.#delivery(taxes),
      payment: this.#payment(),
      terms:
        book.isCreditNote && book.DueDate === undefined && book.openAmount > 0
          ? "To be set off against what is owed, or paid back."
          : undefined,
      allowances: [],
      taxes,
      totals: {
        lines: net,
        allowances: zero,
        charges: zero,
        net,
        tax,
        gross,
        paid: (gross - book.openAmount) as Cents,
        rounding: zero,
        due: book.openAmount,
      },
      lines,
    };
    return { invoice, faults: this.#faults };
  }

  /**
   * Whether goods (B), services (S) or both (M) are invoiced, as platforms in France ask: by tax type,
   * and where that is one of both, by the account of the chart; 4 after a deposit, else 1.
   */
  #frenchProcess(): string {
    const { services, count } = this.#services();
    const kind = services === 0 ? "B" : services === count ? "S" : "M";
    return `${kind}${this.#book.isAfterDeposit ? "4" : "1"}`;
  }

  /** When the tax on services is owed: at their date by option for débits, or else when paid. */
  #frenchTaxPoint(): EInvoice["taxPoint"] {
    const { SalesTaxBasis } = this.#around.organisation;
    const { services, count } = this.#services();
    if (services === 0) return undefined;
    if (SalesTaxBasis.startsWith("ACCRUAL")) return "issue";
    return SalesTaxBasis === "CASH" && services === count ? "payment" : undefined;
  }

  /** Lines that are services, and all lines. */
  #services(): { readonly services: number; readonly count: number } {
    const ofServices = /\dS$|SERVICES$|^(DRCHARGE|OSOUTPUT)$/;
    const ofBoth = /^(FRANCHISE|EXEMPTOUTPUT|OSSOUTPUT|NONE)$/;
    const isService = ({ TaxType = "", AccountCode = "" }: LineItem) =>
      ofServices.test(TaxType) || (ofBoth.test(TaxType) && /^70[456]/.test(AccountCode));
    const items = this.#book.LineItems.filter((item) => !isTextOnly(item));
    return { services: items.filter(isService).length, count: items.length };
  }

  /** What the law wants said of late payment, or the terms of the theme, under each subject. */
  #latePayment(): string[] {
    const { organisation, terms } = this.#around;
    const { latePayment = {} } = regionAt(organisation.CountryCode).paper;
    return Object.entries(latePayment).map(([code, text]) => `#${code}#${terms?.trim() || text}`);
  }

  // --- lines and taxes ---------------------------------------------------------------------------

  #line(item: LineItem, index: number): TaxedLine | undefined {
    if (isTextOnly(item)) return undefined;
    const id = String(index + 1);
    const key = this.#taxKey(item, id);
    const tax = item.TaxAmount ?? (0 as Cents);
    const amount = item.LineAmount ?? (0 as Cents);
    const isInclusive = this.#book.LineAmountTypes === "Inclusive";
    const net = (isInclusive ? amount - tax : amount) as Cents;
    if (key.category !== "S" && tax !== 0) {
      this.#faults.push(
        `Line ${id} bears a tax of its own, though its rate ${item.TaxType} bears none: take the amount away, or give it another rate.`,
      );
    }
    const [title = "", ...rest] = (item.Description ?? "").trim().split("\n");
    const name = item.Item?.Name || title || item.ItemCode || `Line ${id}`;
    const description = (item.Item?.Name ? [title, ...rest] : rest).join("\n").trim();
    const line: Line = {
      id,
      note: undefined,
      name: name.trim(),
      description: description === "" || description === name.trim() ? undefined : description,
      itemCode: item.ItemCode || undefined,
      unit: this.#around.unitByItem.get(item.ItemCode ?? "") ?? "C62",
      ...linePriceOf(item, net, isInclusive ? key.rate : undefined),
      net,
      ...key,
    };
    const reason = this.#around.rateByTaxType.get(item.TaxType ?? "")?.Name ?? "";
    const [text] = invoiceTexts(this.#around.organisation.CountryCode, [item.TaxType ?? ""]);
    return { line, tax, reason, text };
  }

  #taxKey({ TaxType = "NONE" }: LineItem, id: string): TaxKey {
    const rate = this.#around.rateByTaxType.get(TaxType);
    const untaxed = {
      TaxType: "NONE",
      Name: "No tax",
      EffectiveRate: 0 as TaxRate["EffectiveRate"],
    };
    const category = categoryOf(rate ?? untaxed, this.#seller);
    if (category === undefined) {
      this.#faults.push(
        `BT-151, the tax category of line ${id}: acct tax-rate update ${TaxType} --tax-category Z (of the rate ${rate?.Name}; Z zero, E exempt, AE reverse charge, K within the EU, G export, O not subject to tax)`,
      );
      return { category: "Z", rate: toDecimal(0, 0) };
    }
    if (category === "O") return { category, rate: undefined };
    const percent = category === "S" ? (rate?.EffectiveRate ?? 0) : 0;
    return { category, rate: toDecimal(percent, scaleOf.percent) };
  }

  #taxes(lines: readonly TaxedLine[]): TaxSubtotal[] {
    const isUnion = isInUnion(this.#seller.country);
    // German e-invoices need a rate even where the standard has none (BR-DE-14).
    const isGerman =
      this.#profile.demandsRate?.(this.#seller.country, this.#buyerCountry()) ?? false;
    return [...Map.groupBy(lines, ({ line }) => taxKeyOf(line)).values()].map((group) => {
      const [first] = group as [TaxedLine];
      const { category, rate } = first.line;
      const exemption =
        category === "S" || category === "Z" || category === "E" ? undefined : exemptions[category];
      return {
        category,
        rate: rate ?? (isGerman ? toDecimal(0, 0) : undefined),
        base: sum(group.map(({ line }) => line.net)),
        amount: sum(group.map((taxedLine) => taxedLine.tax)),
        reason: first.text ?? (category === "E" ? first.reason : exemption?.reason),
        reasonCode: isUnion ? exemption?.code : undefined,
      };
    });
  }

  // --- parties -----------------------------------------------------------------------------------

  #sellerParty(isTaxed: boolean): Party {
    const { organisation } = this.#around;
    const { country } = this.#seller;
    const { Name, LegalName, RegistrationNumber, TaxNumber, Phones = [] } = organisation;
    const address = addressFor(organisation.Addresses, toLetters);
    const registration = registrationOf(country, RegistrationNumber, TaxNumber);
    const phone = ["DEFAULT", "OFFICE", "DDI", "MOBILE"]
      .map((type) => Phones.find((phone) => phone.PhoneType === type && phone.PhoneNumber))
      .find((record) => record !== undefined);
    const contact = {
      name: organisation.ContactPerson || undefined,
      phone:
        phone &&
        nonEmpty([phone.PhoneCountryCode, phone.PhoneAreaCode, phone.PhoneNumber]).join(" "),
      email: organisation.EmailAddress || undefined,
    };
    const name = LegalName || Name;
    return {
      name,
      tradingName: name === Name ? undefined : Name,
      ids: [],
      registration,
      ...(isTaxed ? this.#taxIds(TaxNumber, country) : untaxedIds),
      electronicAddress: this.#electronic(
        organisation.ElectronicAddress,
        registration,
        organisation.EmailAddress,
      ),
      address: addressOf(address, country),
      contact: Object.values(contact).some((text) => text !== undefined) ? contact : undefined,
    };
  }

  /**
   * Returns the buyer's country by address or VAT number; an address without one is in the seller's
   * country.
   */
  #buyerCountry(): string | undefined {
    const { Addresses, TaxNumber } = this.#book.Contact;
    const address = addressFor(Addresses, toLetters);
    const isDomestic = address !== undefined && !address.Country;
    return (
      countryCode(address?.Country) ??
      vatCountry(TaxNumber) ??
      (isDomestic ? this.#seller.country : undefined)
    );
  }

  #buyerParty(isTaxed: boolean): Party {
    const { Name = "", CompanyNumber, TaxNumber, ...contact } = this.#book.Contact;
    const address = addressFor(contact.Addresses, toLetters);
    const country = this.#buyerCountry();
    const registration = registrationOf(country, CompanyNumber, TaxNumber);
    const { taxId } = isTaxed ? this.#taxIds(TaxNumber, country) : untaxedIds;
    return {
      name: Name,
      tradingName: undefined,
      ids: [],
      registration,
      taxId,
      localTaxId: undefined,
      electronicAddress: this.#electronic(
        contact.ElectronicAddress,
        registration,
        contact.EmailAddress,
      ),
      address: addressOf(address, country),
      contact: undefined,
    };
  }

  /** Returns the tax number: as BT-31 with country prefix, or as BT-32 for a local number. */
  #taxIds(
    number: string | undefined,
    country: string | undefined,
  ): Pick<Party, "taxId" | "localTaxId"> {
    const bare = plainTaxNumber(number);
    if (bare === "") return untaxedIds;
    if (this.#profile.taxScheme === "GST") return { taxId: bare, localTaxId: undefined };
    const taxId = vatId(number, country);
    if (taxId !== undefined) return { taxId, localTaxId: undefined };
    if (country !== undefined && !isInUnion(country) && country !== "GB") {
      return {
        taxId: bare.startsWith(country) ? bare : `${country}${bare}`,
        localTaxId: undefined,
      };
    }
    return { taxId: undefined, localTaxId: (number ?? "").trim() };
  }

  /**
   * Returns the electronic address: the contact's own, else its network id, else email where
   * allowed.
   */
  #electronic(
    address: string | undefined,
    registration: Identifier | undefined,
    email: string | undefined,
  ): Identifier | undefined {
    const ownAddress = readElectronicAddress(address ?? "");
    if (ownAddress !== undefined) return ownAddress;
    if (registration?.scheme === "0002") return { ...registration, scheme: "0225" };
    if (registration?.scheme !== undefined) return registration;
    return email && this.#profile.takesEmail ? { scheme: "EM", id: email } : undefined;
  }

  // --- delivery and payment ----------------------------------------------------------------------

  #delivery(taxes: readonly TaxSubtotal[]): EInvoice["delivery"] {
    const date = this.#book.DeliveryDate || undefined;
    const isUnionSupply = taxes.some(({ category }) => category === "K");
    if (date === undefined && !isUnionSupply) return undefined;
    if (!isUnionSupply) return { date, address: undefined };
    const { Addresses } = this.#book.Contact;
    const to = addressFor(Addresses, ["STREET", "POBOX"]);
    return { date, address: addressOf(to, countryCode(to?.Country)) };
  }

  #payment(): EInvoice["payment"] {
    const { account, organisation } = this.#around;
    const { isCreditNote, CurrencyCode, number } = this.#book;
    // A credit note is settled by offset, so its payment means code is 97.
    if (isCreditNote) return { means: "97", reference: number, accounts: [] };
    const accountNumber = account?.BankAccountNumber;
    if (!accountNumber) return undefined;
    const id = isIban(accountNumber) ? plainAccount(accountNumber) : accountNumber.trim();
    const isSepa = CurrencyCode === "EUR" && hasFormOfIban(plainAccount(accountNumber));
    return {
      means: isSepa ? "58" : "30",
      reference: number,
      accounts: [{ id, name: organisation.LegalName || organisation.Name, bic: undefined }],
    };
  }
}

const untaxedIds: Pick<Party, "taxId" | "localTaxId"> = { taxId: undefined, localTaxId: undefined };

/** Returns the organisation's country by its address, else by its region. */
export function sellerCountry({ Addresses, CountryCode }: Organisation): string | undefined {
  const country = countryCode(addressFor(Addresses, toLetters)?.Country);
  const isNowhere = regionAt(CountryCode) === regionOf("GLOBAL");
  return country ?? (isNowhere ? undefined : CountryCode);
}

type BookAddress = NonNullable<Contact["Addresses"]>[number];

/** Returns an address of at most three lines; the book has four. */
function addressOf(
  address: BookAddress | undefined,
  country: string | undefined,
): Party["address"] {
  const { AddressLine1, AddressLine2, AddressLine3, AddressLine4 } = address ?? {};
  const lines = nonEmpty([AddressLine1, AddressLine2, AddressLine3, AddressLine4]);
  const [first, second, ...rest] = lines;
  return {
    lines: nonEmpty([first, second, rest.join(", ")]),
    city: address?.City || undefined,
    postCode: address?.PostalCode || undefined,
    region: address?.Region || undefined,
    country,
  };
}

const isTextOnly = ({ Quantity, UnitAmount, LineAmount }: LineItem): boolean =>
  Quantity === undefined && UnitAmount === undefined && LineAmount === undefined;
