/** Prints the blocks of names and addresses. */

import { regionAt } from "../../ledger/regions/index.ts";
import type { Contact } from "../../resources/contact.ts";
import type { Organisation } from "../../resources/organisation.ts";
import type { Party } from "../pdf/printed.ts";
import { english } from "../words/words.ts";

type PostalAddress = NonNullable<Contact["Addresses"]>[number];
type Phone = NonNullable<Contact["Phones"]>[number];

/** Address types for letters, in order of preference. */
export const toLetters = ["POBOX", "STREET"] as const;

export function organisationParty(organisation: Organisation, words = english): Party {
  const { Name, TaxNumber, Addresses, Phones, ExternalLinks = [] } = organisation;
  const website = ExternalLinks.find(({ LinkType }) => LinkType === "Website")?.Url;
  return {
    label: "From",
    name: Name,
    lines: nonEmpty([
      ...addressLines(addressFor(Addresses, toLetters), words),
      phoneLine(Phones),
      website,
      TaxNumber && `${regionAt(organisation.CountryCode).paper.taxNumber} ${TaxNumber}`,
    ]),
  };
}

export function contactParty(
  contact: Partial<Contact> | undefined,
  label: string,
  prefer: readonly PostalAddress["AddressType"][],
  words = english,
): Party {
  const { Name = "", FirstName, LastName, Addresses, TaxNumber } = contact ?? {};
  const address = addressFor(Addresses, prefer);
  const person = nonEmpty([FirstName, LastName]).join(" ");
  const attention = address?.AttentionTo || (person === Name ? "" : person);
  return {
    label,
    name: Name,
    lines: nonEmpty([
      attention && words.say("Attention: %", attention),
      ...addressLines(address, words),
      TaxNumber && words.say("Tax number %", TaxNumber),
    ]),
  };
}

/** Returns the first non-empty address in an order of types. */
export function addressFor(
  addresses: readonly PostalAddress[] = [],
  prefer: readonly PostalAddress["AddressType"][],
): PostalAddress | undefined {
  return prefer
    .map((type) => addresses.find(({ AddressType }) => AddressType === type))
    .find((address) => address !== undefined && addressLines(address).length > 0);
}

/**
 * The lines of an address, the postcode before the town where the language has it so. An address
 * with a region is of a country that has the postcode last.
 */
export function addressLines(address: PostalAddress | undefined, { language } = english): string[] {
  if (address === undefined) return [];
  const { AddressLine1, AddressLine2, AddressLine3, AddressLine4 } = address;
  const { City, Region, PostalCode, Country } = address;
  const isPostcodeLast = language === undefined || Boolean(Region?.trim());
  const town = isPostcodeLast ? [City, Region, PostalCode] : [PostalCode, City];
  const cityLine = nonEmpty(town).join(" ");
  return nonEmpty([AddressLine1, AddressLine2, AddressLine3, AddressLine4, cityLine, Country]);
}

function phoneLine(phones: readonly Phone[] = []): string | undefined {
  const types = ["DEFAULT", "OFFICE", "DDI", "MOBILE"];
  const [phone] = types.flatMap((type) =>
    phones.filter(({ PhoneType, PhoneNumber }) => PhoneType === type && PhoneNumber),
  );
  if (phone === undefined) return undefined;
  const { PhoneCountryCode, PhoneAreaCode, PhoneNumber } = phone;
  const country = PhoneCountryCode && `+${PhoneCountryCode.replace(/^\+/, "")}`;
  return nonEmpty([country, PhoneAreaCode, PhoneNumber]).join(" ");
}

export function nonEmpty(lines: readonly (string | undefined)[]): string[] {
  return lines.flatMap((text) => text?.trim() || []);
}
