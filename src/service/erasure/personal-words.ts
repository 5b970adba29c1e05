/** The words by which a person is known: they are looked for where people and programs wrote them. */
import type { Contact } from "../../resources/contact.ts";

export interface PersonalWords {
  /** Names, numbers and addresses, the longest first. */
  readonly words: readonly string[];
  /** Addresses of email among them. */
  readonly addresses: readonly string[];
  /** Whether one of them stands in a text, as a word of its own. */
  isIn(text: string): boolean;
  /** The text with something else in their place. */
  replaced(text: string, by: string): string;
}

/** Shorter ones are found in every other word. */
const lettersMin = 3;

/**
 * @param known   the fields of which nothing may be left, as they are and as they were
 * @param staying  those that stay: what both have is left alone
 */
export function personalWords(
  known: readonly Partial<Contact>[],
  staying: Partial<Contact> = {},
): PersonalWords {
  const stay = new Set(wordsOf(staying));
  const words = [...new Set(known.flatMap(wordsOf))]
    .filter((each) => !stay.has(each))
    .toSorted((a, b) => b.length - a.length);
  const addresses = words.filter((each) => each.includes("@"));
  if (words.length === 0) {
    return { words, addresses, isIn: () => false, replaced: (text) => text };
  }
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.map(RegExp.escape).join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return {
    words,
    addresses,
    isIn: (text) => text.search(pattern) >= 0,
    replaced: (text, by) => text.replace(pattern, () => by),
  };
}

function wordsOf(known: Partial<Contact>): string[] {
  const { Name, FirstName, LastName, EmailAddress, Phones = [], Addresses = [] } = known;
  const { ContactPersons: persons = [], BatchPayments: payments } = known;
  return distinct([
    EmailAddress,
    ...persons.map((each) => each.EmailAddress),
    Name,
    fullName(FirstName, LastName),
    ...persons.map((each) => fullName(each.FirstName, each.LastName)),
    ...Phones.map((each) => each.PhoneNumber),
    ...Addresses.flatMap((each) => [each.AddressLine1, each.AddressLine2, each.AttentionTo]),
    known.BankAccountDetails,
    payments?.BankAccountNumber,
    payments?.BankAccountName,
    known.TaxNumber,
    known.ContactNumber,
    known.AccountNumber,
  ]);
}

/** A first name alone stands in too many other texts. */
const fullName = (first: string | undefined, last: string | undefined) =>
  first && last ? `${first} ${last}` : last;

function distinct(values: readonly (string | undefined)[]): string[] {
  const found = values.flatMap((each) => (each === undefined ? [] : [each.trim()]));
  return [...new Set(found.filter((each) => each.length >= lettersMin))];
}
