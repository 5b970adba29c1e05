/** Finds the contact of an e-invoice's supplier by identifiers, or makes a new contact. */
import {
  countryCode,
  type EInvoice,
  electronicAddressFault,
  plainAccount,
  plainTaxNumber,
  readElectronicAddress,
  vatId,
  writeElectronicAddress,
} from "../../e-invoices/index.ts";
import type { Contact, ContactInput } from "../../resources/contact.ts";
import { fold } from "../../wire/fold.ts";

/** An identifier of a supplier; the most reliable kind comes first. */
interface SupplierMark {
  /** Name of the identifier in a sentence. */
  readonly called: string;
  /** Value in the e-invoice; undefined where it has none. */
  readonly said: string | undefined;
  readonly of: (contact: Contact) => readonly (string | undefined)[];
}

const addressOf = ({ Addresses = [] }: Contact) =>
  Addresses.find(({ Country }) => Country !== undefined && Country !== "");

/** Normalises a tax number for comparison: only VAT numbers keep their country prefix. */
function taxOf(number: string | undefined, country: string | undefined): string | undefined {
  const bare = plainTaxNumber(number);
  if (bare === "") return undefined;
  const isPrefixed = country !== undefined && bare.startsWith(country);
  return vatId(number, country) ?? (isPrefixed ? bare.slice(country.length) : bare);
}

/** Bank accounts of a contact. */
export const accountsOf = ({ BankAccountDetails, BatchPayments }: Contact): readonly string[] =>
  [BankAccountDetails, BatchPayments?.BankAccountNumber].map(plainAccount).filter(Boolean);

function marksOf({ seller, payment }: EInvoice): SupplierMark[] {
  const { taxId, localTaxId, electronicAddress, registration, address } = seller;
  const accounts = payment?.accounts.map(({ id }) => plainAccount(id)) ?? [];
  const digits = (text: string | undefined) => text?.replace(/[^A-Za-z\d]/g, "").toUpperCase();
  return [
    {
      called: "tax number",
      said: taxOf(taxId, address.country) ?? taxOf(localTaxId, undefined),
      of: (contact) => [
        taxOf(contact.TaxNumber, countryCode(addressOf(contact)?.Country) ?? address.country),
      ],
    },
    {
      called: "electronic address",
      said: electronicAddress && writeElectronicAddress(electronicAddress).toLowerCase(),
      of: ({ ElectronicAddress }) => {
        const ownAddress = readElectronicAddress(ElectronicAddress ?? "");
        return [ownAddress && writeElectronicAddress(ownAddress).toLowerCase()];
      },
    },
    {
      called: "registration number",
      said: digits(registration?.id),
      of: ({ CompanyNumber }) => [digits(CompanyNumber)],
    },
    ...accounts.map((account) => ({ called: "bank account", said: account, of: accountsOf })),
    ...[seller.name, seller.tradingName].map((name) => ({
      called: "name",
      said: name && fold(name),
      of: ({ Name }: Contact) => [fold(Name)],
    })),
  ];
}

export type SupplierMatch =
  | { readonly contact: Contact }
  /** Reason why no supplier could be determined. */
  | { readonly fault: string }
  | undefined;

/**
 * Returns the single active contact with the most reliable matching identifier; undefined if none
 * matches.
 */
export function supplierAmong(contacts: readonly Contact[], invoice: EInvoice): SupplierMatch {
  for (const { called, said, of } of marksOf(invoice)) {
    if (said === undefined || said === "") continue;
    const matching = contacts.filter((contact) => of(contact).includes(said));
    const [only, ...others] = matching.filter(({ ContactStatus }) => ContactStatus === "ACTIVE");
    if (only !== undefined && others.length === 0) return { contact: only };
    if (only !== undefined) {
      const names = [only, ...others].map(({ Name }) => Name).join(", ");
      return {
        fault: `Several contacts have the ${called} of ${invoice.seller.name}: ${names}; name one with --contact.`,
      };
    }
    const [archived] = matching;
    if (archived !== undefined) {
      return {
        fault: `The contact ${archived.Name}, who has the ${called} of the supplier, is archived.`,
      };
    }
  }
  return undefined;
}

/** Describes the supplier of an e-invoice that matches no contact. */
export function unknownSupplier({ seller }: EInvoice): string {
  const { taxId, localTaxId, electronicAddress } = seller;
  const markTexts = [
    taxId ?? localTaxId,
    electronicAddress && writeElectronicAddress(electronicAddress),
  ].filter((text) => text !== undefined);
  const markList = markTexts.length === 0 ? "" : ` (${markTexts.join(", ")})`;
  return `No contact is the supplier ${seller.name}${markList}: name one with --contact, or make it with --create-contact.`;
}

/** Returns a new contact with the supplier's data in the e-invoice. */
export function contactOf({ seller, payment }: EInvoice): ContactInput {
  const { address, contact, electronicAddress, registration } = seller;
  const [AddressLine1, AddressLine2, AddressLine3] = address.lines;
  const written = electronicAddress && writeElectronicAddress(electronicAddress);
  const isAddress = written !== undefined && electronicAddressFault(written) === undefined;
  const cutTo = (text: string | undefined, max: number) => text?.slice(0, max);
  return {
    Name: seller.name
      .replace(/[\s\p{C}]+/gu, " ")
      .trim()
      .slice(0, 255),
    TaxNumber: cutTo(seller.taxId ?? seller.localTaxId, 50),
    CompanyNumber: cutTo(registration?.id, 50),
    ElectronicAddress: isAddress && written.length <= 100 ? written : undefined,
    EmailAddress: /^[^\s@]+@[^\s@]+$/.test(contact?.email ?? "") ? contact?.email : undefined,
    BankAccountDetails: cutTo(payment?.accounts[0]?.id, 255),
    Addresses: [
      {
        AddressType: "STREET",
        AddressLine1,
        AddressLine2,
        AddressLine3,
        City: address.city,
        Region: address.region,
        PostalCode: cutTo(address.postCode, 50),
        Country: address.country,
      },
    ],
    ...(contact?.phone === undefined
      ? {}
      : { Phones: [{ PhoneType: "DEFAULT", PhoneNumber: cutTo(contact.phone, 50) }] }),
  };
}
