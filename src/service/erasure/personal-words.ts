/** The words that identify a person, to be found in texts written by people and programs. */
import { literalPattern } from "../../platform/literal-pattern.ts";
import type { Contact } from "../../resources/contact.ts";

export interface PersonalWords {
  /** Names, numbers and addresses, longest first. */
  readonly words: readonly string[];
  /** The email addresses among the words. */
  readonly addresses: readonly string[];
  /** Whether a text contains one of the words as a whole word. */
  isIn(text: string): boolean;
  /** Returns the text with the words replaced. */
  replaced(text: string, by: string): string;
}

/** Minimum length of a word: shorter ones occur within too many others. */
const lettersMin = 3;

/**
 * @param contacts  fields to erase, with current and former values
 * @param staying  fields to keep: a word that is in both stays
 */
export function personalWords(
  contacts: readonly Partial<Contact>[],
  staying: Partial<Contact> = {},
): PersonalWords {
  const stayingWords = new Set(wordsOf(staying));
  const words = [...new Set(contacts.flatMap(wordsOf))]
    .filter((text) => !stayingWords.has(text))
    .toSorted((a, b) => b.length - a.length);
  const addresses = words.filter((text) => text.includes("@"));
  if (words.length === 0) {
    return { words, addresses, isIn: () => false, replaced: (text) => text };
  }
  const pattern = new RegExp(
    `(?<![\\p{L}\\p{N}])(?:${words.map(literalPattern).join("|")})(?![\\p{L}\\p{N}])`,
    "giu",
  );
  return {
    words,
    addresses,
    isIn: (text) => text.search(pattern) >= 0,
    replaced: (text, by) => text.replace(pattern, () => by),
  };
}

function wordsOf(contact: Partial<Contact>): string[] {
  const { Name, FirstName, LastName, EmailAddress, Phones = [], Addresses = [] } = contact;
  const { ContactPersons: persons = [], BatchPayments: payments } = contact;
  return distinctTexts([
    EmailAddress,
    ...persons.map((person) => person.EmailAddress),
    Name,
    fullName(FirstName, LastName),
    ...persons.map((person) => fullName(person.FirstName, person.LastName)),
    ...Phones.map((phone) => phone.PhoneNumber),
    ...Addresses.flatMap((each) => [each.AddressLine1, each.AddressLine2, each.AttentionTo]),
    contact.BankAccountDetails,
    payments?.BankAccountNumber,
    payments?.BankAccountName,
    contact.TaxNumber,
    contact.ContactNumber,
    contact.AccountNumber,
  ]);
}

/** Returns the full name only: a first name alone occurs in too many other texts. */
const fullName = (firstName: string | undefined, lastName: string | undefined) =>
  firstName && lastName ? `${firstName} ${lastName}` : lastName;

function distinctTexts(values: readonly (string | undefined)[]): string[] {
  const words = values.flatMap((text) => (text === undefined ? [] : [text.trim()]));
  return [...new Set(words.filter((text) => text.length >= lettersMin))];
}
