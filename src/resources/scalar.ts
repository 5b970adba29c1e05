/**
 * How a single value is read from text, and what it must keep to.
 *
 * One table reads and one table checks, by field kind. Whatever takes text goes through them: the
 * codecs, the flags of the command line, the cells of a CSV file. So a value means the same and is
 * refused in the same words wherever it comes from.
 *
 * A fault is the end of a sentence that begins with the name of the field, `must be true or false,
 * not 'maybe'`, so that each caller can name the field in its own way.
 */
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

/** A value, undefined when the text was empty; or what is wrong with the text. */
export type ParseResult = { readonly value: unknown } | { readonly fault: string };

/** The years a date may lie in: beyond them it is a slip of the hand. */
export const yearMin = 1900;
export const yearMax = 2999;

/** The id that stands for "no id was assigned". */
export const zeroId = "00000000-0000-0000-0000-000000000000";

const guidPattern =
  /^\{?([0-9a-f]{8})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{4})-?([0-9a-f]{12})\}?$/i;

/** A GUID in lower case with hyphens, from any accepted spelling; undefined when it is none. */
export function readId(text: string): string | undefined {
  const match = guidPattern.exec(text.trim());
  return match === null ? undefined : match.slice(1).join("-").toLowerCase();
}

// --- days and moments ------------------------------------------------------------------------

const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** Whether the calendar has that day. */
function isCalendarDay(year: number, month: number, day: number): boolean {
  const leap = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);
  return day >= 1 && day <= (monthDays[month - 1] ?? 0) + (leap ? 1 : 0);
}

const dayPattern = /^(\d{4})-(\d{2})-(\d{2})$/;

/** Whether `text` is `YYYY-MM-DD`, a day of the calendar, and within the years that are taken. */
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
 * Reads an ISO 8601 date, or date and time; without a zone it is UTC.
 *
 * @returns milliseconds since 1970 UTC, further digits cut off; undefined when it is no moment
 */
export function readMoment(text: string): number | undefined {
  const match = momentPattern.exec(text);
  if (match === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
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
 * Where `text` holds a character that XML 1.0 cannot carry: a control character other than tab and
 * line breaks, or a non-character. One of them in a record would make every XML answer that shows
 * it unreadable.
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

/** Length in characters as people count them: a surrogate pair is one. */
export function characters(text: string): number {
  let count = text.length;
  for (let index = 0; index < text.length; index += 1) {
    if ((text.charCodeAt(index) & 0xfc00) === 0xdc00) count -= 1;
  }
  return count;
}

const shownMax = 60;

/** A value as a message shows it: quoted, cut, and without control characters. */
export function shown(value: unknown): string {
  const text = String(value);
  const cut =
    text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text.toWellFormed();
  return `'${turningShown(cut.replace(/\p{Cc}/gu, "�"))}'`;
}

/** `1 entry`, `2 entries`. */
export function counted(count: number, one: string, several = pluralOf(one)): string {
  return `${count} ${count === 1 ? one : several}`;
}

/** The plural of an English noun, of the word before "of" where it has one: `matches`, `rates of tax`. */
export function pluralOf(noun: string): string {
  const [head = "", ...rest] = noun.split(/(?= of )/);
  const ending = /(?:s|x|z|ch|sh)$/.test(head) ? "es" : "s";
  const several = /[^aeiou]y$/.test(head) ? `${head.slice(0, -1)}ies` : `${head}${ending}`;
  return [several, ...rest].join("");
}

/** The one of `known` that `text` most likely was meant to be, if any is near. */
export function nearest(text: string, known: readonly string[]): string | undefined {
  const wanted = text.trim().toUpperCase();
  if (wanted === "" || wanted.length > 40) return undefined;
  let best: string | undefined;
  let least = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const each of known) {
    if (Math.abs(each.length - wanted.length) >= least) continue;
    const distance = editDistance(wanted, each.toUpperCase());
    if (distance < least) [best, least] = [each, distance];
  }
  return best;
}

/** Letters to insert, remove, replace or swap with their neighbour to make `left` into `right`. */
function editDistance(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const same = left[row - 1] === right[column - 1];
      let cost = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (same ? 0 : 1),
      );
      if (left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1]) {
        cost = Math.min(cost, (before[column - 2] ?? cost) + 1);
      }
      current.push(cost);
    }
    [before, above] = [above, current];
  }
  return above[right.length] ?? 0;
}

/** The value of a choice in its own letter case; undefined when it is none of them. */
export function canonical(values: readonly string[], text: string): string | undefined {
  if (values.includes(text)) return text;
  const wanted = text.toLowerCase();
  return values.find((value) => value.toLowerCase() === wanted);
}

/** The values of a choice as they are answered. */
export function answeredValues({ values, capitals }: FieldOf<"choice">): readonly string[] {
  return capitals === true ? values.map((each) => each.toUpperCase()) : values;
}

// --- reading ---------------------------------------------------------------------------------

const nothing: ParseResult = { value: undefined };
const truths = new Map([
  ["true", true],
  ["1", true],
  ["false", false],
  ["0", false],
]);

/** Reads a decimal that may be empty. */
export function readAmount(text: string, scale: number): ParseResult {
  return readNumberAs(text, (trimmed) => readDecimal(trimmed, scale));
}

function readNumberAs(
  text: string,
  read: (trimmed: string) => number | bigint | undefined,
): ParseResult {
  const trimmed = text.trim();
  if (trimmed === "") return nothing;
  try {
    const value = read(trimmed);
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

/** Significant digits that every binary number of 64 bits is written with, and those of some. */
const binaryDigits = [16, 17];

const digitsOf = (text: string) =>
  text
    .replace(/[eE].*$/, "")
    .replace(/\D/g, "")
    .replace(/^0+/, "");

/**
 * Whether a number has more decimal places than are kept, of which none is cut unsaid.
 *
 * A program that has computed it in binary sends 0.30000000000000004 for 0.30: a number is taken for
 * one of that kind where it is a binary number to its last digit, and three or more of the digits
 * that would be cut are zeros, or nines, at once.
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

/** A number that a person or a program gives; one that cannot be kept as it is given is none. */
function given(text: string, scale: number, read: (text: string) => ParseResult): ParseResult {
  const trimmed = text.trim();
  return isTooFine(trimmed, scale)
    ? { fault: `has more than ${inWords[scale]} decimal places: ${shown(trimmed)}` }
    : read(text);
}

const decimal =
  (scale: number) =>
  (_field: unknown, text: string): ParseResult =>
    given(text, scale, () => readAmount(text, scale));

/** Reads a rate that may be empty. */
export const readRateText = (text: string): ParseResult => readNumberAs(text, readRate);

/** Reads a quantity that may be empty. */
export const readQuantityText = (text: string): ParseResult =>
  readNumberAs(text, (trimmed) => readLong(trimmed, scaleOf.quantity));

/**
 * Reads one value of each kind. Empty text is no value. Text of a choice that is none of its values
 * is kept as it is, for the check to name it.
 */
export const readScalar = {
  id: (_field, text) => {
    if (text.trim() === "") return nothing;
    const value = readId(text);
    return value === undefined ? { fault: `must be a GUID, not ${shown(text)}` } : { value };
  },
  text: (field, text) => {
    const value = field.verbatim === true ? text : text.trim();
    if (value === "") return nothing;
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
    return trimmed === "" ? nothing : { value: canonical(field.values, trimmed) ?? trimmed };
  },
  boolean: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return nothing;
    const value = truths.get(trimmed.toLowerCase());
    return value === undefined ? { fault: `must be true or false, not ${shown(text)}` } : { value };
  },
  integer: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return nothing;
    const value = /^[+-]?\d{1,16}(\.0*)?$/.test(trimmed) ? Number(trimmed) : Number.NaN;
    return Number.isSafeInteger(value)
      ? { value: value === 0 ? 0 : value }
      : { fault: `must be a whole number, not ${shown(text)}` };
  },
  date: (_field, text) => {
    const value = text.trim();
    if (value === "") return nothing;
    return isDay(value) ? { value } : { fault: dayFault(value) };
  },
  timestamp: (_field, text) => {
    const trimmed = text.trim();
    if (trimmed === "") return nothing;
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
  quantity: (_field, text) => given(text, scaleOf.quantity, readQuantityText),
  percent: decimal(scaleOf.percent),
  rate: (_field, text) => given(text, scaleOf.rate, readRateText),
} satisfies { [K in ScalarKind]: (field: FieldOf<K>, text: string) => ParseResult };

/** What is wrong with text that is no day. */
export function dayFault(text: string): string {
  return /^\d{4}-\d{2}-\d{2}/.test(text)
    ? `must be a day of the calendar from ${yearMin} to ${yearMax}, not ${shown(text)}`
    : `must be a day such as 2026-03-31, not ${shown(text)}`;
}

// --- checking --------------------------------------------------------------------------------

/** Most values of a choice that a message lists. */
const listedMax = 24;

/** What no number, code or name is to hold: a list, an address or a file name would break at it. */
const lineBreaking = /[\p{Cc}\u2028\u2029]/u;

/** Controls that turn the direction of writing, so that what is seen is not what is there. */
const turning = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const pointOf = (sign: string) => sign.charCodeAt(0).toString(16).padStart(4, "0");

/** What is wrong with a name, number or code that holds one, as the end of a sentence. */
export function turningFault(text: string): string | undefined {
  const [sign] = text.match(turning) ?? [];
  if (sign === undefined) return undefined;
  return `must not hold U+${pointOf(sign).toUpperCase()}, which turns the direction of writing`;
}

/** Free text with them shown and not obeyed. */
export function turningShown(text: string): string {
  return text.replace(turning, (sign) => `\\u${pointOf(sign)}`);
}
const lineBreaks = /\s*[\p{Cc}\u2028\u2029]+\s*/gu;

/** Text of several lines as a name holds it: on one. */
export function onOneLine(text: string): string {
  return text.replace(lineBreaks, " ").trim();
}

const anything = () => undefined;

function belowLeast(
  { kind, min = Number.NEGATIVE_INFINITY }: FieldOf<"money" | "quantity">,
  value: number | bigint,
): string | undefined {
  if (value >= min) return undefined;
  const [least, given] = [min, value].map((each) => writeDecimal(each, scaleOf[kind]));
  return min === 1 ? `must be above zero, not ${given}` : `must be at least ${least}, not ${given}`;
}

/** What is wrong with a typed value, by kind; undefined when nothing is. */
export const checkScalar = {
  id: anything,
  text: (field, value) => {
    const text = String(value);
    const { max = Number.POSITIVE_INFINITY, min = 0 } = field;
    const length = text.length > max || text.length < 2 * min ? characters(text) : text.length;
    if (length > max) return `may have at most ${counted(max, "character")}, not ${length}`;
    if (length < min) return `must have at least ${counted(min, "character")}, not ${length}`;
    if ((field.key === true || field.oneLine === true) && lineBreaking.test(text)) {
      return `must be one line without tabs or control characters, not ${shown(text)}`;
    }
    return field.key === true || field.oneLine === true ? turningFault(text) : undefined;
  },
  choice: (field, value) => {
    if (field.values.includes(String(value))) return undefined;
    const values = answeredValues(field);
    const near = nearest(String(value), values);
    const hint = near === undefined ? "" : `; did you mean ${near}?`;
    return values.length > listedMax
      ? `may not be ${shown(value)}${hint}`
      : `must be one of ${values.join(", ")}, not ${shown(value)}${hint}`;
  },
  boolean: anything,
  integer: (field, value) => {
    const { min = Number.NEGATIVE_INFINITY, max = Number.POSITIVE_INFINITY } = field;
    const number = value as number;
    if (number >= min && number <= max) return undefined;
    if (min === Number.NEGATIVE_INFINITY) return `may be at most ${max}, not ${number}`;
    if (max === Number.POSITIVE_INFINITY) return `must be at least ${min}, not ${number}`;
    return `must be a whole number from ${min} to ${max}, not ${number}`;
  },
  date: anything,
  timestamp: anything,
  money: (field, value) => {
    const { max = Number.POSITIVE_INFINITY } = field;
    const cents = value as number;
    const low = belowLeast(field, cents);
    if (low !== undefined || Math.abs(cents) <= max) return low;
    const limit = writeDecimal(cents < 0 ? -max : max, scaleOf.money);
    return `may be ${cents < 0 ? "no less than" : "at most"} ${limit}, not ${writeDecimal(cents, scaleOf.money)}`;
  },
  unitAmount: anything,
  quantity: (field, value) => {
    const { digits } = field;
    const low = belowLeast(field, value as number | bigint);
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
  percent: anything,
  rate: anything,
} satisfies { [K in ScalarKind]: (field: FieldOf<K>, value: unknown) => string | undefined };
