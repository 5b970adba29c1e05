/**
 * Finds document numbers in the text of statement lines.
 *
 * People write `INV-0042` as `inv 42`, `RechnungINV0042vom` or `42`, banks cut it at the end of a
 * line, and a text has other digits too. So the text is split into runs of digits with the letters
 * before them, and a run identifies a document (strong), or may do so (weak).
 */

import { isIban, passesLuhn } from "../../resources/common.ts";

/** Maximum characters of text that are searched. */
const textCharsMax = 2000;
const runsMax = 60;
const groupsMax = 12;
const joinedMax = 4;

/**
 * A run of digit groups with letters, as in `INV 2026-0042`: letters INV, groups 2026 and 0042.
 */
export interface NumberRun {
  /** Letters right before the digits, at most eight. */
  readonly letters: string;
  readonly groups: readonly string[];
}

export interface NumberToken {
  readonly letters: string;
  /** Digits without leading zeros. */
  readonly digits: string;
  /** Digits as written, with leading zeros. */
  readonly written: string;
}

/** A document number split into parts for comparison. */
export interface DocumentNumber {
  readonly text: string;
  /** The number's letters and digits only, upper case. */
  readonly compact: string;
  /** Letters right before the digits; may be empty. */
  readonly prefix: string;
  /** All digit groups of the last run, joined without leading zeros. */
  readonly digits: string;
  readonly written: string;
  /** The last digit group alone, without leading zeros. */
  readonly last: string;
  /** Whether the number consists of letters and one run of digits only. */
  readonly isPlain: boolean;
}

export type NumberStrength = "strong" | "long" | "weak";

export const normalText = (text: string): string =>
  text.slice(0, textCharsMax).normalize("NFKC").toUpperCase();

/** The letters and digits of a text, upper case. */
export const compactText = (text: string): string => normalText(text).replace(/[^\p{L}\d]+/gu, "");

/**
 * The two readings of a text whose line breaks may be in the middle of a word: breaks as blanks,
 * and removed.
 */
export function readingsOf(text: string): readonly string[] {
  if (!/[\r\n]/.test(text)) return [text];
  return [text.replace(/[\r\n]+/g, " "), text.replace(/[\r\n]+/g, "")];
}

const run = /(\p{L}{0,8})[\s._/#:-]{0,3}(\d+(?:[\s._/-]\d+)*)/gu;

function runsOf(text: string): NumberRun[] {
  const runs: NumberRun[] = [];
  for (const [, letters = "", digits = ""] of text.matchAll(run)) {
    runs.push({ letters, groups: digits.split(/\D/).slice(0, groupsMax) });
    if (runs.length === runsMax) break;
  }
  return runs;
}

/**
 * Finds digit runs that may be numbers; those of accounts, cards, dates and amounts are left out.
 * In an enumeration, `INV 41, 42`, each run gets the letters.
 */
export function numberRuns(text: string): NumberRun[] {
  const digits = withoutOtherDigits(normalText(text).replace(/\s+/g, " "));
  return runsOf(digits.replace(/(?<=\d) ?[,;&+] ?(?=\d)/g, " "));
}

const day = "(?:0?[1-9]|[12]\\d|3[01])";
const month = "(?:0?[1-9]|1[0-2])";
const dates = new RegExp(
  `(?<![\\d.])${day}\\.${month}\\.(?:(?:19|20)\\d\\d|\\d\\d)(?!\\d)|` +
    `(?<!\\d|\\p{L}[-/_.]?)(?:19|20)\\d\\d-${month}-${day}(?!\\d)|` +
    `(?<!\\d|\\p{L}[-/_.]?)(?:${day}/${month}|${month}/${day})/(?:19|20)?\\d\\d(?!\\d)`,
  "gu",
);
const amounts =
  /(?<![\d.,/-])\d{1,3}(?:[.,']\d{3})*[.,]\d\d(?![\d/]|-\d)|(?<![\d.,/-])\d+[.,]\d\d(?![\d/]|-\d)/g;
const cards = /(?<![\dX*])(?:[\dX*]{4}[ -]?){3}[\dX*]{4}(?![\dX*])|[X*]{3,} ?\d{4}(?!\d)/g;
const accounts = /(?<![A-Z0-9])[A-Z]{2}\d\d(?: ?[A-Z0-9]){11,30}/g;

function withoutOtherDigits(text: string): string {
  return text
    .replace(accounts, (match) => withoutIban(match))
    .replace(cards, (match) =>
      /[X*]/.test(match) || passesLuhn(match.replace(/\D/g, "")) ? "|" : match,
    )
    .replace(dates, "|")
    .replace(amounts, "|");
}

/** Removes an IBAN; more words may follow it, so the longest valid beginning counts. */
function withoutIban(match: string): string {
  for (let ibanEnd = match.length; ibanEnd >= 15; ibanEnd -= 1) {
    if (isIban(match.slice(0, ibanEnd))) return `|${match.slice(ibanEnd)}`;
  }
  return match;
}

export const withoutZeros = (digits: string): string => digits.replace(/^0+/, "");

/** The digit groups of a run, single and joined with neighbours, without those of zeros only. */
export function tokensOf({ letters, groups }: NumberRun): NumberToken[] {
  const tokens: NumberToken[] = [];
  for (let start = 0; start < groups.length; start += 1) {
    let joinedDigits = "";
    for (const group of groups.slice(start, start + joinedMax)) {
      joinedDigits += group;
      const digits = withoutZeros(joinedDigits);
      if (digits !== "") tokens.push({ letters, digits, written: joinedDigits });
    }
  }
  return tokens;
}

/** Parses a document number; undefined when it has no digits. */
export function documentNumber(text: string): DocumentNumber | undefined {
  const lastRun = runsOf(normalText(text)).at(-1);
  if (lastRun === undefined) return undefined;
  const joinedGroups = lastRun.groups.join("");
  const compact = compactText(text);
  const digits = withoutZeros(joinedGroups);
  if (digits === "") return undefined;
  return {
    text,
    compact,
    prefix: lastRun.letters,
    digits,
    written: joinedGroups,
    last: withoutZeros(lastRun.groups.at(-1) ?? ""),
    isPlain: /^\p{L}*\d+$/u.test(compact),
  };
}

/**
 * The strength of a match between a token and a number with its digits.
 *
 * `long`: six digits or more, which identify a document if no other has them.
 */
export function strengthOf(token: NumberToken, number: DocumentNumber): NumberStrength | undefined {
  if (token.digits === number.digits) {
    if (hasPrefix(token, number.prefix)) return "strong";
    if (token.digits.length >= 6) return "long";
    return token.written.length >= 3 ? "weak" : undefined;
  }
  return token.digits === number.last && token.written.length >= 4 ? "weak" : undefined;
}

/**
 * Whether the letters before a token match the prefix of a number.
 *
 * Three letters or more may end a longer word; a single letter needs four digits after it, since
 * `of 42` and `A 5` mean nothing.
 */
export function hasPrefix({ letters, digits }: NumberToken, prefix: string): boolean {
  if (prefix.length === 0) return false;
  if (prefix.length === 1 && digits.length < 4) return false;
  return letters === prefix || (prefix.length >= 3 && letters.endsWith(prefix));
}

/** Whether a compact text contains the whole number, without a digit right before or after it. */
export function isInCompact(compact: string, number: DocumentNumber): boolean {
  const wantedText = number.compact;
  for (let at = compact.indexOf(wantedText); at >= 0; at = compact.indexOf(wantedText, at + 1)) {
    const isWithin =
      (isDigit(wantedText[0]) && isDigit(compact[at - 1])) ||
      (isDigit(wantedText.at(-1)) && isDigit(compact[at + wantedText.length]));
    if (!isWithin) return true;
  }
  return false;
}

const isDigit = (char: string | undefined): boolean => char !== undefined && /\d/.test(char);

const lookalikes: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1", S: "5", B: "8" };

/**
 * Finds a word of the text that is nearly the number: letters for digits (O, I, S, B), one wrong
 * digit, or two swapped.
 * @param words  upper case, without marks between letters and digits
 */
export function findSimilarNumber(
  words: readonly string[],
  { compact, prefix, written }: DocumentNumber,
): string | undefined {
  if (written.length < 3) return undefined;
  return words.find((word) => {
    if (word === compact || word.length < written.length) return false;
    const tail = word.slice(-written.length);
    const wordStart = word.slice(0, -written.length);
    if (wordStart !== "" && wordStart !== prefix) return false;
    const digits = tail.replace(/[OILSB]/g, (letter) => lookalikes[letter] ?? letter);
    if (!/^\d+$/.test(digits)) return false;
    if (digits === written) return wordStart !== "" || tail !== written;
    return (wordStart !== "" || prefix === "") && isOneOff(digits, written);
  });
}

/** Whether digits of equal length differ by one replaced digit, or two swapped neighbours. */
function isOneOff(a: string, b: string): boolean {
  const indexes = [...a].flatMap((digit, index) => (digit === b[index] ? [] : [index]));
  const [first = 0, second = 0] = indexes;
  if (indexes.length === 1) return true;
  return (
    indexes.length === 2 && second === first + 1 && a[first] === b[second] && a[second] === b[first]
  );
}
