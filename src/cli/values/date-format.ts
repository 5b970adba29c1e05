/**
 * Compiles date formats of files, such as `DD/MM/YYYY`, to parsers. Letters have their usual
 * meaning. Times are validated and dropped, since dates in the book have none; nothing is converted
 * between time zones.
 */

import { literalPattern } from "../../platform/literal-pattern.ts";
import { UsageError } from "../../resources/errors.ts";
import { isDay } from "../../resources/scalar.ts";
import { writeDay } from "./date-flags.ts";
import { monthNamed } from "./months.ts";

/**
 * Parses a date to `YYYY-MM-DD`; undefined when the text does not follow the format or is not a
 * date.
 */
export type DateReader = (text: string) => string | undefined;

type DatePart =
  | "year"
  | "shortYear"
  | "month"
  | "monthName"
  | "day"
  | "hour"
  | "hour12"
  | "minute"
  | "second"
  | "none";

/** Pattern of a time zone: `+1300`, `+13:00`, `Z`, or a name such as `NZDT`. */
const zone = "(?:[-+]\\d{2}:?\\d{2}|[A-Za-z]{1,5})";

const tokens: Readonly<Record<string, readonly [part: DatePart, pattern: string]>> = {
  YYYY: ["year", "\\d{4}"],
  YY: ["shortYear", "\\d{2}"],
  MMMM: ["monthName", "[A-Za-z]+"],
  MMM: ["monthName", "[A-Za-z]+"],
  MM: ["month", "\\d{2}"],
  M: ["month", "\\d{1,2}"],
  DD: ["day", "\\d{2}"],
  D: ["day", "\\d{1,2}"],
  dddd: ["none", "[A-Za-z]+"],
  ddd: ["none", "[A-Za-z]+"],
  HH: ["hour", "\\d{2}"],
  H: ["hour", "\\d{1,2}"],
  hh: ["hour12", "\\d{2}"],
  h: ["hour12", "\\d{1,2}"],
  mm: ["minute", "\\d{2}"],
  m: ["minute", "\\d{1,2}"],
  ss: ["second", "\\d{2}"],
  s: ["second", "\\d{1,2}"],
  SSS: ["none", "\\d{1,9}"],
  A: ["none", "[AaPp]\\.?[Mm]\\.?"],
  a: ["none", "[AaPp]\\.?[Mm]\\.?"],
  Z: ["none", zone],
  ZZ: ["none", zone],
  z: ["none", zone],
  T: ["none", "[Tt]"],
};

const upTo: Partial<Record<DatePart, readonly [number, number]>> = {
  hour: [0, 24],
  hour12: [1, 12],
  minute: [0, 59],
  second: [0, 60],
};

/** Maximum length of a date text, in characters. */
const lengthMax = 64;

/**
 * Compiles a date format: `YYYY-MM-DD HH:mm:ss`, `DD/MM/YYYY`, `D MMM YYYY`, `M/D/YY`.
 *
 * `YY` is 1969 to 2068, month names are English, `D` and `M` match one digit or two; text in
 * `[brackets]` is literal, and a space matches any number of spaces.
 *
 * @throws UsageError `BadDateFormat`
 */
export function compileDateFormat(format: string): DateReader {
  const parts: DatePart[] = [];
  let pattern = "";
  for (const match of format.matchAll(/\[([^\]]*)\]|([A-Za-z])\2*|\s+|[^A-Za-z]/g)) {
    const [piece, literal, letter] = match;
    if (literal !== undefined) pattern += literalPattern(literal);
    else if (letter === undefined) pattern += piece.trim() === "" ? "\\s+" : literalPattern(piece);
    else {
      const token = Object.hasOwn(tokens, piece) ? tokens[piece] : undefined;
      if (!token) throw refusedFormat(format, `"${piece}" means nothing in it`);
      pattern += `(${token[1]})`;
      parts.push(token[0]);
    }
  }
  for (const [what, ...names] of [
    ["year (YYYY or YY)", "year", "shortYear"],
    ["month (MM, M, MMM or MMMM)", "month", "monthName"],
    ["day (DD or D)", "day"],
  ] as const) {
    const count = parts.filter((datePart) => names.some((name) => name === datePart)).length;
    if (count !== 1)
      throw refusedFormat(format, `${count === 0 ? "it has no" : "it has more than one"} ${what}`);
  }
  const expected = new RegExp(`^${pattern}$`);
  return (text) => (text.length > lengthMax ? undefined : readWith(expected, parts, text.trim()));
}

function readWith(expected: RegExp, parts: readonly DatePart[], text: string): string | undefined {
  const match = expected.exec(text);
  if (!match) return undefined;
  let year = 0;
  let month = 0;
  let day = 0;
  for (const [index, part] of parts.entries()) {
    const matchedPiece = match[index + 1] ?? "";
    const number = Number(matchedPiece);
    const bounds = upTo[part];
    if (bounds && (number < bounds[0] || number > bounds[1])) return undefined;
    if (part === "year") year = number;
    else if (part === "shortYear") year = number + (number < 69 ? 2000 : 1900);
    else if (part === "month") month = number;
    else if (part === "monthName") month = monthNamed(matchedPiece);
    else if (part === "day") day = number;
  }
  const writtenDay = writeDay({ year, month, day });
  return isDay(writtenDay) ? writtenDay : undefined;
}

function refusedFormat(format: string, reason: string): UsageError {
  // Spreadsheets write formats in lower case, where mm is the month.
  const example = /[yd]/.test(format) && !/[YD]/.test(format) ? format.toUpperCase() : "DD/MM/YYYY";
  return new UsageError(
    "BadDateFormat",
    `"${format}" is no date format: ${reason}. Write it like ${example} or YYYY-MM-DD HH:mm:ss, ` +
      "other text in [brackets].",
  );
}
