/**
 * Parses and checks single values.
 *
 * One table of functions parses and one checks, by field kind. All text goes through them: in
 * codecs, command-line flags and CSV cells. So a value means the same, and is refused in the same
 * words, wherever it comes from.
 *
 * A fault is the end of a sentence that begins with the name of the field, `must be true or false,
 * not 'maybe'`, so that each caller can name the field in its own way.
 */

import { yearMax, yearMin } from "./bounds.ts";
import {
  decimalPlaces,
  readDecimal,
  readLong,
  readRate,
  scaleOf,
  writeDecimal,
} from "./decimal.ts";
import { RefusedError } from "./errors.ts";
import type { FieldOf, ScalarKind } from "./field.ts";

/** Result of parsing: a value, undefined for empty text; or a fault. */
export type ParseResult = { readonly value: unknown } | { readonly fault: string };

/** The nil GUID, which means that no id was assigned. */
export const zeroId = "00000000-0000-0000-0000-000000000000";

const guidPattern =
  /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/** Normalises a GUID to lower case with hyphens; undefined for other text. */
export function readId(text: string): string | undefined {
  const match = guidPattern.exec(text.trim());
  return match === null ? undefined : match.slice(1).join("-").toLowerCase();
}

// --- days and moments ------------------------------------------------------------------------

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether a date exists in the calendar. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  const isLeapYear = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (monthDays[month - 1] ?? 0) + (isLeapYear ? 1 : 0);
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `text` is an existing date `YYYY-MM-DD` within the valid years. */
export function isDay(text: string): boolean {
  const match = dayPattern.exec(text);
  if (match === null) return false;
  const year = Number(match[1]);
  return (
    year >= yearMin && year <= yearMax && isCalendarDay(year, Number(match[2]), Number(match[3]))
  );
}

const momentPattern =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?:(Z)|([+-])(\d{2}):?(\d{2}))?)?$/i;

/**
 * Parses an ISO 8601 date, or date and time; without a zone it is UTC.
 *
 * @returns milliseconds since 1970 UTC, further digits cut off; undefined for other text
 */
export function readMoment(text: string): number | undefined {
  const match = momentPattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((datePart) => Number(datePart ?? 0));
  if (!isCalendarDay(year, month, day) || hour > 23 || minute > 59 || second > 59) return undefined;
  const offsetHours = Number(match[10] ?? 0);
  const offsetMinutes = Number(match[11] ?? 0);
  if (offsetHours > 14 || offsetMinutes > 59) return undefined;
  const milliseconds = Number((match[7] ?? "").slice(0, 3).padEnd(3, "0"));
  const at = new Date(0);
  at.setUTCFullYear(year, month - 1, day); // Date.UTC would take year 26 for 1926
  at.setUTCHours(hour, minute, second, milliseconds);
  const offset = (offsetHours * 60 + offsetMinutes) * 60_000;
  return at.getTime() - (match[9] === "-" ? -offset : offset);
}

// --- text ------------------------------------------------------------------------------------

/**
 * Index of a character in `text` that XML 1.0 cannot represent: a control character other than tab
 * and line breaks, or a non-character. Such a character in a record would make every XML answer
 * with the record unreadable.
 *
 * @returns its index, or -1
 */
export function illegalAt(text: string): number {
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code < 0x20) {
      if (code !== 0x09 && code !== 0x0a && code !== 0x0d) return index;
    } else if (code >= 0xfffe) return index;
  }
  return -1;
}

/** Length in characters; a surrogate pair counts as one. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) count -= 1;
  }
  return count;
}

const shownMax = 60;

/** Formats a value for a message: quoted, truncated, and without control characters. */
export function shown(value: unknown): string {
  const text = String(value);
  const shortText =
    text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text.toWellFormed();
  return `'${showDirectionMarks(shortText.replace(/\p{Cc}/gu, "�"))}'`;
}

/** Formats a count with its noun: `1 entry`, `2 entries`. */
export function counted(count: number, singular: string, plural = pluralOf(singular)): string {
  return `${count} ${count === 1 ? singular : plural}`;
}

/** Splits a name into words: `Credit notes` for `CreditNotes`; abbreviations stay as they are. */
export function wordsOf(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2")
    .split(" ");
  return words
    .map((word, at) => (at === 0 || /^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
    .join(" ");
}

/**
 * Plural of an English noun; in a phrase with "of", the word before it: `matches`, `rates of tax`.
 */
export function pluralOf(noun: string): string {
  const [head = "", ...rest] = noun.split(/(?= of )/);
  const pluralEnding = /(?:s|x|z|ch|sh)$/.test(head) ? "es" : "s";
  const pluralHead = /[^aeiou]y$/.test(head) ? `${head.slice(0, -1)}ies` : `${head}${pluralEnding}`;
  return [pluralHead, ...rest].join("");
}

/** Most similar text of `known`; undefined where none is similar. */
export function nearest(text: string, knownNames: readonly string[]): string | undefined {
  const wantedText = text.trim().toUpperCase();
  if (wantedText === "" || wantedText.length > 40) return undefined;
  let best: string | undefined;
  let leastDistance = Math.max(1, Math.floor(wantedText.length / 3)) + 1;
  for (const text of knownNames) {
    if (Math.abs(text.length - wantedText.length) >= leastDistance) continue;
    const editDistanceFound = editDistance(wantedText, text.toUpperCase());
    if (editDistanceFound < leastDistance) [best, leastDistance] = [text, editDistanceFound];
  }
  return best;
}

/**
 * Edit distance: insertions, removals, replacements and swaps of letters from `left` to `right`.
 */
function editDistance(left: string, right: string): number {
  let rowBefore: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const isSame = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (rowBefore[column - 2] ?? cost) + 1);
      }
      current.push(cost);
    }
    [rowBefore, above] = [above, current];
  }
  return above[right.length] ?? 0;
}

/** Value of a choice in its canonical letter case; undefined for other text. */
export function choiceIn(values: readonly string[], text: string): string | undefined {
  if (values.includes(text)) return text;
  const wantedValue = text.toLowerCase();
  return values.find((value) => value.toLowerCase() === wantedValue);
}

/** Values of a choice in the letter case of answers. */
export function answeredValues({ values, capitals }: FieldOf<"choice">): readonly string[] {
  return capitals === true ? values.map((text) => text.toUpperCase()) : values;
}

// --- reading ---------------------------------------------------------------------------------

const emptyResult: ParseResult = { value: undefined };
const truthByWord = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Parses a decimal that may be empty. */
export function readAmount(text: string, scale: number): ParseResult {
  return readNumberAs(text, (trimmed) => readDecimal(trimmed, scale));
}

function readNumberAs(
  text: string,
  parse: (trimmed: string) => number | bigint | undefined,
): ParseResult {
  const trimmed = text.trim();
  if (trimmed === "") return emptyResult;
  try {
    const value = parse(trimmed);
    if (value !== undefined) return { value };
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return { fault: `is too large to be kept exactly: ${shown(trimmed)}` };
  }
  const hint = /^[+-]?\d{1,3}([,' ]\d{3})+(\.\d*)?$/.test(trimmed)
    ? " without thousands separators"
    : "";
  return { fault: `must be a number such as 1234.50${hint}, not ${shown(trimmed)}` };
}

/** Digits that any 64-bit floating-point number is written with, at most: 17, and for many 16. */
const binaryDigits = [16, 17];

const digitsOf = (text: string) =>
  text
    .replace(/[eE].*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");

/**
 * Whether a number has more decimal places than its field, so that rounding would lose digits.
 *
 * A program that computed in binary floating point sends 0.30000000000000004 for 0.30. A number is
 * accepted as such an artefact if it is the shortest form of a binary number, and its surplus
 * digits begin with three zeros or nines.
 */
function isTooFine(text: string, scale: number): boolean {
  if (decimalPlaces(text) <= scale) return false;
  const digits = digitsOf(text);
  const isBinary =
    binaryDigits.includes(digits.length) &&
    digitsOf(Number(text).toPrecision(digits.length)) === digits;
  return !(isBinary && /^(?:000|999)/.test(digits.slice(scale - decimalPlaces(text))));
}

const inWords: Readonly<Record<number, string>> = { 2: "two", 4: "four", 6: "six" };

/** Parses a number, refusing one with too many decimal places. */
function toScaled(text: string, scale: number, parse: (text: string) => ParseResult): ParseResult {
  const trimmed = text.trim();
  return isTooFine(trimmed, scale)
    ? { fault: `has more than ${inWords[scale]} decimal places: ${shown(trimmed)}` }
    : parse(text);
}

const decimal =
  (scale: number) =>
  (_field: unknown, text: string): ParseResult =>
    toScaled(text, scale, () => readAmount(text, scale));

/** Parses an exchange rate that may be empty. */
export const readRateText = (text: string): ParseResult => readNumberAs(text, readRate);

/** Parses a quantity that may be empty. */
export const readQuantityText = (text: string): ParseResult =>
  readNumberAs(text, (trimmed) => readLong(trimmed, scaleOf.quantity));

/**
 * Parsers of a value by field kind. Empty text is no value. Unknown values of a choice are returned
 * as they are, for the check to report.
 */
export const readScalar = {
  id: (_field, text) => {
    if (text.trim() === "") return emptyResult;
    const value = readId(text);
    return value === undefined ? { fault: `must be a GUID, not ${shown(text)}` } : { value };
  },
  text: (field, text) => {
    const value = field.verbatim === true ? text : text.trim();
    if (value === "") return emptyResult;
    const at = illegalAt(value);
    if (at >= 0) {
      const code = value.charCodeAt(at).toString(16).toUpperCase().padStart(4, "0");
      return { fault: `holds the character U+${code}, which cannot be kept: ${shown(value)}` };
    }
    if (!value.isWellFormed()) return { fault: `holds half a character: ${shown(value)}` };
    return { value };
  },
  choice: (field, text) => {
    const trimmed = text.trim();
    return trimmed === "" ? emptyResult : { value: choiceIn(field.values, trimmed) ?? trimmed };
  },
  boolean: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return emptyResult;
    const value = truthByWord.get(trimmed.toLowerCase());
    return value === undefined ? { fault: `must be true or false, not ${shown(text)}` } : { value };
  },
  integer: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return emptyResult;
    const value = /^[+-]?\d{1,16}(\.0*)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
    return Number.isSafeInteger(value)
      ? { value: value === 0 ? 0 : value }
      : { fault: `must be a whole number, not ${shown(text)}` };
  },
  date: (_field, text) => {
    const value = text.trim();
    if (value === "") return emptyResult;
    return isDay(value) ? { value } : { fault: faultOfDay(value) };
  },
  timestamp: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return emptyResult;
    const value = readMoment(trimmed);
    return value === undefined
      ? { fault: `must be a moment such as 2026-03-31T09:00:00Z, not ${shown(text)}` }
      : { value };
  },
  money: decimal(scaleOf.money),
  unitAmount: (field, text) =>
    field.rounds === true
      ? readAmount(text, scaleOf.unitAmount)
      : decimal(scaleOf.unitAmount)(field, text),
  quantity: (_field, text) => toScaled(text, scaleOf.quantity, readQuantityText),
  percent: decimal(scaleOf.percent),
  rate: (_field, text) => toScaled(text, scaleOf.rate, readRateText),
} satisfies { [K in ScalarKind]: (field: FieldOf<K>, text: string) => ParseResult };

/** Fault of a text that is no valid date. */
export function faultOfDay(text: string): string {
  return /^\d{4}-\d{2}-\d{2}/.test(text)
    ? `must be a day of the calendar from ${yearMin} to ${yearMax}, not ${shown(text)}`
    : `must be a day such as 2026-03-31, not ${shown(text)}`;
}

// --- checking --------------------------------------------------------------------------------

/** Maximum number of values of a choice listed in a message. */
const listedMax = 24;

/**
 * Characters that numbers, codes and names must not contain, as they would break lists, addresses
 * or file names.
 */
const lineBreaking = /[\p{Cc}\u2028\u2029]/u;

/** Bidirectional control characters, which make text appear in another order than stored. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const codePoint = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, "0");

/** Fault of a name, number or code with such control characters, as the end of a sentence. */
export function directionMarkFault(text: string): string | undefined {
  const [sign] = text.match(turning) ?? [];
  if (sign === undefined) return undefined;
  return `must not hold U+${codePoint(sign).toUpperCase()}, which turns the direction of writing`;
}

/** Makes bidirectional control characters in free text visible instead of effective. */
export function showDirectionMarks(text: string): string {
  return text.replace(turning, (sign) => `\\u${codePoint(sign)}`);
}
const lineBreaks = /\s*[\p{Cc}\u2028\u2029]+\s*/gu;

/** Joins a text of several lines to one line, as for a name. */
export function onOneLine(text: string): string {
  return text.replace(lineBreaks, " ").trim();
}

const noCheck = () => undefined;

function minimumFault(
  { kind, min = Number.NEGATIVE_INFINITY }: FieldOf<"money" | "quantity">,
  value: number | bigint,
): string | undefined {
  if (value >= min) return undefined;
  const [least, given] = [min, value].map((number) => writeDecimal(number, scaleOf[kind]));
  return min === 1 ? `must be above zero, not ${given}` : `must be at least ${least}, not ${given}`;
}

/** Checks of a typed value by kind; return the fault, or undefined. */
export const checkScalar = {
  id: noCheck,
  text: (field, value) => {
    const text = String(value);
    const { max = Number.POSITIVE_INFINITY, min = 0 } = field;
    const length = text.length > max || text.length < 2 * min ? countCharacters(text) : text.length;
    if (length > max) return `may have at most ${counted(max, "character")}, not ${length}`;
    if (length < min) return `must have at least ${counted(min, "character")}, not ${length}`;
    if ((field.key === true || field.oneLine === true) && lineBreaking.test(text)) {
      return `must be one line without tabs or control characters, not ${shown(text)}`;
    }
    return field.key === true || field.oneLine === true ? directionMarkFault(text) : undefined;
  },
  choice: (field, value) => {
    if (field.values.includes(String(value))) return undefined;
    const values = answeredValues(field);
    const nearestValue = nearest(String(value), values);
    const hint = nearestValue === undefined ? "" : `; did you mean ${nearestValue}?`;
    return values.length > listedMax
      ? `may not be ${shown(value)}${hint}`
      : `must be one of ${values.join(", ")}, not ${shown(value)}${hint}`;
  },
  boolean: noCheck,
  integer: (field, value) => {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
    const number = value as number;
    if (number >= min && number <= max) return undefined;
    if (min === Number.NEGATIVE_INFINITY) return `may be at most ${max}, not ${number}`;
    if (max === Number.POSITIVE_INFINITY) return `must be at least ${min}, not ${number}`;
    return `must be a whole number from ${min} to ${max}, not ${number}`;
  },
  date: noCheck,
  timestamp: noCheck,
  money: (field, value) => {
    const { max = Number.POSITIVE_INFINITY } = field;
    const cents = value as number;
    const low = minimumFault(field, cents);
    if (low !== undefined || Math.abs(cents) <= max) return low;
    const limit = writeDecimal(cents < 0 ? -max : max, scaleOf.money);
    return `may be ${cents < 0 ? "no less than" : "at most"} ${limit}, not ${writeDecimal(cents, scaleOf.money)}`;
  },
  unitAmount: noCheck,
  quantity: (field, value) => {
    const { digits } = field;
    const low = minimumFault(field, value as number | bigint);
    if (low !== undefined) return low;
    const written = writeDecimal(value as number | bigint, scaleOf.quantity);
    if (digits === undefined) {
      return typeof value === "bigint" ? `is too large to be kept exactly: ${written}` : undefined;
    }
    const count = written.replace(/\.?0+$/, "").replace(/\D/g, "").length;
    return count > digits
      ? `may have at most ${counted(digits, "digit")}, not ${count}`
      : undefined;
  },
  percent: noCheck,
  rate: noCheck,
} satisfies { [K in ScalarKind]: (field: FieldOf<K>, value: unknown) => string | undefined };
