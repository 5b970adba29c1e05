import { compareText } from "../../wire/fold.ts";

/**
 * Finds contacts by name in a bank's text on the other party.
 *
 * Banks shorten names, people misspell them, and half of all companies are Something Services. So a
 * word is weighted by how few contacts have it, and may be cut or slightly misspelt. Every search
 * is bounded: a contact is found by its rarer words, and misspelt words by deleting one or two of
 * their letters.
 *
 * @source Wolf Garbe, Symmetric Delete spelling correction, with prefixes of seven letters
 */

const wordsMax = 12;
/**
 * Maximum contacts of a word that finds them by itself, unless it is the rarest word of the name.
 */
const contactsPerWordMax = 200;
const prefixLetters = 7;
const rankedMax = 5;

const legalForms = new Set(
  "AB AG APS AS BV CO CORP GMBH INC KG LIMITED LLC LLP LTD NV OY PLC PTE PTY SA SARL SL SPA SRL THE UG".split(
    " ",
  ),
);

const plainLetters: Readonly<Record<string, string>> = {
  ß: "ss",
  ø: "o",
  æ: "ae",
  œ: "oe",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
};
const spelledOut: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  å: "aa",
  ø: "oe",
};

const withLetters = (text: string, letters: Readonly<Record<string, string>>): string =>
  text.replace(/[^\x20-\x7e]/g, (letter) => letters[letter] ?? letter);

const withoutMarks = (text: string): string =>
  withLetters(text, plainLetters).normalize("NFKD").replace(/\p{M}/gu, "").toUpperCase();

/** A word in its spellings without accents: MULLER and MUELLER. */
type Word = readonly string[];

/** The words of a name, without its legal form unless nothing else is left. */
export function nameWords(text: string): Word[] {
  const parts = text
    .normalize("NFC")
    .toLowerCase()
    .split(/[^\p{L}\p{M}\d]+/u);
  const words = parts
    .filter((wordText) => wordText !== "")
    .slice(0, wordsMax)
    .map((part) => [...new Set([withoutMarks(part), withoutMarks(withLetters(part, spelledOut))])]);
  const telling = words.filter(([word = ""]) => !/^\p{L}$/u.test(word) && !legalForms.has(word));
  return telling.length > 0 ? telling : words;
}

export interface NameScore {
  readonly contactId: string;
  /** Score from 0 to 1. */
  readonly score: number;
}

/**
 * Ranks contacts by a text.
 * @param text  a payee, or the text of a line
 * @returns the best first, at most five, none with a score of 0
 */
export type NameRanking = (text: string) => readonly NameScore[];

interface IndexedName {
  readonly id: string;
  readonly weights: readonly number[];
  readonly total: number;
}

/** An occurrence of a word: index of the contact, and of the word in its name. */
type WordPosting = readonly [contact: number, word: number];

/**
 * A word of many contacts: it finds only contacts without a rarer word, but counts for all found.
 */
interface CommonWord {
  readonly finding: readonly WordPosting[];
  readonly wordPlaces: ReadonlyMap<number, number>;
}

/** Builds the name ranking of contacts, whose order does not matter. */
export function nameRanking(
  contacts: readonly { readonly id: string; readonly name: string }[],
): NameRanking {
  const words = contacts.map(({ name }) => nameWords(name));
  const countByForm = new Map<string, number>();
  for (const name of words) {
    for (const form of new Set(name.map(([first = ""]) => first))) {
      countByForm.set(form, (countByForm.get(form) ?? 0) + 1);
    }
  }
  const countOf = ([form = ""]: Word): number => countByForm.get(form) ?? 1;
  const names = contacts.map(({ id }, contactIndex): IndexedName => {
    const weights = (words[contactIndex] ?? []).map((word) =>
      Math.log(1 + contacts.length / countOf(word)),
    );
    return { id, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
  });
  const postings = new Map<string, WordPosting[]>();
  for (const [contact, name] of words.entries()) {
    for (const [place, word] of name.entries()) {
      for (const form of word) collect(postings, form, [contact, place]);
    }
  }
  const vocabulary = [...postings.keys()].sort(compareText);
  const misspelt = misspellingFinder(vocabulary);
  const rarest = words.map((name) => Math.min(...name.map(countOf)));
  const formsOf = memo((word: string) => [word, ...misspelt(word)].filter((f) => postings.has(f)));
  const formsOfCut = memo((word: string) => wordsFrom(vocabulary, word));
  const commonByForm = new Map<string, CommonWord>();
  for (const [form, where] of postings) {
    if (where.length <= contactsPerWordMax) continue;
    const finding = where.filter(([contact]) => (rarest[contact] ?? 0) >= where.length);
    commonByForm.set(form, {
      finding: finding.length <= contactsPerWordMax ? finding : [],
      wordPlaces: new Map(where),
    });
  }

  return memo((text) => {
    const placesByContact = new Map<number, number>();
    const add = ([contact, place]: WordPosting) =>
      placesByContact.set(contact, (placesByContact.get(contact) ?? 0) | (1 << place));
    const lineWords = nameWords(text);
    const forms = lineWords.flatMap((lineWord, index) => [
      ...lineWord.flatMap(formsOf),
      ...(index === lineWords.length - 1 ? lineWord.flatMap(formsOfCut) : []),
    ]);
    const inCommon = [...new Set(forms)].flatMap((form) => {
      const commonWord = commonByForm.get(form);
      for (const posting of commonWord?.finding ?? postings.get(form) ?? []) add(posting);
      return commonWord ?? [];
    });
    for (const { wordPlaces: places } of inCommon) {
      for (const contactIndex of placesByContact.keys()) {
        const nameIndex = places.get(contactIndex);
        if (nameIndex !== undefined) add([contactIndex, nameIndex]);
      }
    }
    return [...placesByContact]
      .flatMap(([contact, places]): NameScore[] => {
        const name = names[contact];
        return name === undefined ? [] : [{ contactId: name.id, score: scoreOf(name, places) }];
      })
      .sort((a, b) => b.score - a.score || compareText(a.contactId, b.contactId))
      .slice(0, rankedMax);
  });
}

function scoreOf({ weights, total }: IndexedName, wordPlaces: number): number {
  let sum = 0;
  for (const [place, weight] of weights.entries()) if (wordPlaces & (1 << place)) sum += weight;
  return sum / total;
}

function collect<V>(valuesByKey: Map<string, V[]>, key: string, value: V): void {
  const values = valuesByKey.get(key);
  if (values === undefined) valuesByKey.set(key, [value]);
  else values.push(value);
}

/** Memoises a function of text, since lines repeat their words and payees. */
function memo<V>(find: (text: string) => V): (text: string) => V {
  const resultByText = new Map<string, V>();
  return (text) => {
    const cachedResult = resultByText.get(text);
    if (cachedResult !== undefined) return cachedResult;
    const value = find(text);
    resultByText.set(text, value);
    return value;
  };
}

/** Words of a sorted vocabulary that begin with a word of at least four letters, at most 50. */
function wordsFrom(vocabulary: readonly string[], start: string): string[] {
  if (start.length < 4 || /\d/.test(start)) return [];
  let low = 0;
  let high = vocabulary.length;
  while (low < high) {
    const middleIndex = (low + high) >> 1;
    if ((vocabulary[middleIndex] ?? "") < start) low = middleIndex + 1;
    else high = middleIndex;
  }
  return vocabulary.slice(low, low + 50).filter((word) => word.startsWith(start));
}

/**
 * The permitted number of wrong letters in a word: none below five letters or with digits, one
 * below nine, else two.
 */
export function errorsAllowed(word: string): number {
  if (word.length < 5 || /\d/.test(word)) return 0;
  return word.length < 9 ? 1 : 2;
}

function misspellingFinder(vocabulary: readonly string[]): (word: string) => string[] {
  const byErrors = [1, 2].map((errorCount) => {
    const byRest = new Map<string, string[]>();
    for (const knownWord of vocabulary) {
      if (errorsAllowed(knownWord) !== errorCount) continue;
      for (const variant of variantsOf(knownWord, errorCount)) collect(byRest, variant, knownWord);
    }
    return { errors: errorCount, byRest };
  });
  return (word) => {
    if (word.length < 4 || /\d/.test(word)) return [];
    return byErrors.flatMap(({ errors, byRest }) => {
      if (byRest.size === 0) return [];
      const similar = Array.from(variantsOf(word, errors), (rest) => byRest.get(rest) ?? []).flat();
      return [...new Set(similar)].filter(
        (text) => text !== word && distanceWithin(word, text, errors),
      );
    });
  };
}

/** The variants of a word's first letters with up to `errors` of them deleted. */
function variantsOf(word: string, errorCount: number): Set<string> {
  if (errorCount === 0) return new Set();
  const allVariants = new Set([word.slice(0, prefixLetters)]);
  let lastVariants = [...allVariants];
  for (let errorIndex = 0; errorIndex < errorCount; errorIndex += 1) {
    lastVariants = lastVariants.flatMap((variant) =>
      Array.from(variant, (_, index) => variant.slice(0, index) + variant.slice(index + 1)),
    );
    for (const variant of lastVariants) allVariants.add(variant);
  }
  return allVariants;
}

/**
 * Whether two words differ in at most `maximum` letters (wrong, missing or extra; a swap of neighbours
 * counts once).
 * @source optimal string alignment distance
 */
export function distanceWithin(a: string, b: string, maximum: number): boolean {
  if (Math.abs(a.length - b.length) > maximum) return false;
  // Common beginnings and ends are skipped, which is most of a misspelt word.
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start += 1;
  let [endOfA, endOfB] = [a.length, b.length];
  while (endOfA > start && endOfB > start && a[endOfA - 1] === b[endOfB - 1]) {
    endOfA -= 1;
    endOfB -= 1;
  }
  return editDistance(a.slice(start, endOfA), b.slice(start, endOfB), maximum) <= maximum;
}

/** The edit distance, or any number above `maximum` when it is larger. */
function editDistance(a: string, b: string, maximum: number): number {
  if (a === "" || b === "") return a.length + b.length;
  let beforeLast: number[] = [];
  let lastRow = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const isEqual = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (lastRow[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (lastRow[j - 1] ?? 0) + (isEqual ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(cost);
    }
    if (Math.min(...row) > maximum) return maximum + 1;
    beforeLast = lastRow;
    lastRow = row;
  }
  return lastRow[b.length] ?? 0;
}
