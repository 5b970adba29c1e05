/** Amounts, dates and texts as banks write them. */
import { type DateText, dateOf, isDate } from "../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../ledger/money.ts";
import { decimalPlaces, readDecimal, scaleOf } from "../resources/decimal.ts";
import { BankFileError, type Party, type ReadOptions } from "./statement.ts";

export type DecimalMark = NonNullable<ReadOptions["decimal"]>;

/** Longest amount that is looked at, in characters. */
const amountLengthMax = 40;

/** An amount taken apart: what remains are digits and marks. */
interface RawAmount {
  readonly isNegative: boolean;
  readonly digits: string;
}

/** Sign and digits of `-12,50`, `12,50-`, `(19.47)`, `€ 1'000.00`, `+5`; undefined of other text. */
function rawAmount(text: string): RawAmount | undefined {
  if (text.length > amountLengthMax) return undefined;
  const bare = text
    .replace(/[\s\u00a0\u202f'’]/g, "")
    .replace(/^([-+(]?)(?:\p{Sc}|[A-Z]{3}|kr)|(?:\p{Sc}|[A-Z]{3}|kr\.?)(?=[-+)]?$)/gu, "$1")
    .replaceAll("\u2212", "-");
  const match = /^(?:([-+]?)([\d.,]*\d[\d.,]*)([-+]?)|\(([\d.,]*\d[\d.,]*)\))$/.exec(bare);
  if (match === null) return undefined;
  const [, before = "", digits = "", after = "", inBrackets] = match;
  if (before !== "" && after !== "") return undefined;
  if (inBrackets !== undefined) return { isNegative: true, digits: inBrackets };
  return { isNegative: before === "-" || after === "-", digits };
}

/**
 * The decimal mark that the text of an amount tells.
 *
 * @returns `open` for `1.000`, which is a thousand or one, undefined where there is no mark at all
 */
export function markOf(text: string): DecimalMark | "open" | undefined {
  const digits = rawAmount(text)?.digits ?? "";
  const comma = digits.lastIndexOf(",");
  const point = digits.lastIndexOf(".");
  if (comma < 0 && point < 0) return undefined;
  if (comma >= 0 && point >= 0) return comma > point ? "comma" : "point";
  const [last, mark, other] =
    comma >= 0 ? ([comma, "comma", "point"] as const) : ([point, "point", "comma"] as const);
  if (digits.indexOf(digits[last] as string) !== last) return other; // 1.000.000
  const behind = digits.length - last - 1;
  if (behind !== 3 || last === 0 || last > 3 || digits.startsWith("0")) return mark;
  return "open";
}

/**
 * Reads an amount in cents.
 *
 * @param mark  that of the file; without one the amount tells it itself
 * @throws BankFileError `BadAmount`, `Ambiguous`, naming the place
 */
export function readAmount(text: string, place: string, mark?: DecimalMark): Cents {
  const raw = rawAmount(text);
  if (raw === undefined) throw badAmount(text, place);
  const told = mark ?? markOf(text);
  if (told === "open") {
    throw new BankFileError(
      "Ambiguous",
      `The amount "${text}" is a thousandfold or not; say whether the decimal mark is the comma or the point.`,
      place,
    );
  }
  const [decimal, thousands] = told === "comma" ? [",", "."] : [".", ","];
  const [whole = "", ...fraction] = raw.digits.split(decimal);
  if (fraction.length > 1 || fraction[0]?.includes(thousands)) throw badAmount(text, place);
  const [first = "", ...groups] = whole.split(thousands);
  if (groups.length > 0 && (first.length > 3 || groups.some((group) => group.length < 2))) {
    throw badAmount(text, place);
  }
  const plain = `${raw.isNegative ? "-" : ""}${first}${groups.join("")}${fraction[0] ? `.${fraction[0]}` : ""}`;
  if (decimalPlaces(plain) > scaleOf.money) {
    throw new BankFileError("BadAmount", `The amount "${text}" has parts of a cent.`, place);
  }
  const cents = readDecimal(plain, scaleOf.money);
  if (cents === undefined) throw badAmount(text, place);
  return cents as Cents;
}

function badAmount(text: string, place: string): BankFileError {
  return new BankFileError("BadAmount", `"${text.slice(0, amountLengthMax)}" is no amount.`, place);
}

/** @throws BankFileError `BadDate`, naming the place */
export function checkedDate(date: string, text: string, place: string): DateText {
  if (isDate(date)) return date;
  throw new BankFileError("BadDate", `"${text.slice(0, 40)}" is no date.`, place);
}

/** The day of `20260131…`. @throws BankFileError `BadDate` */
export function readCompactDate(text: string, place: string): DateText {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
  return checkedDate(date, text, place);
}

/** A year of two digits: 1970 to 2069. */
export function fullYear(year: number): number {
  return year + (year < 70 ? 2000 : 1900);
}

/** The day of `YYMMDD`; a day past the month's end (30 February) is its last. */
export function readShortDate(text: string, place: string): DateText {
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number);
  if (!/^\d{6}$/.test(text) || !month || month > 12 || !day || day > 31) {
    throw new BankFileError("BadDate", `"${text}" is no date.`, place);
  }
  return dateOf(fullYear(year as number), month, day);
}

const namedEntities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
};

/** Replaces the entities of XML and numbered characters; any other `&` is just text. */
export function unescapeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g,
    (all, ten, hex, name) => {
      if (name !== undefined) return namedEntities[name] ?? all;
      const code = Number.parseInt(ten ?? hex, ten === undefined ? 16 : 10);
      return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** Text on one line; undefined where nothing is left. */
export function cleanText(text: string | undefined): string | undefined {
  const clean = text?.replace(/\s+/g, " ").trim();
  return clean === "" ? undefined : clean;
}

/** The reference, unless it says that there is none. */
export function meaningful(reference: string | undefined): string | undefined {
  const clean = cleanText(reference);
  if (clean === undefined || /^(?:NOT ?PROVIDED|NONREF|0+)$/i.test(clean)) return undefined;
  return clean;
}

/** Whether text has the form of an IBAN, blanks aside; masked ones have wrong check digits. */
export function isIban(text: string): boolean {
  return /^[A-Z]{2}\d{2}[A-Z\d]{11,30}$/.test(text.replaceAll(" ", "").toUpperCase());
}

/** The party's account: an IBAN or a number. */
export function accountOf(text: string | undefined): Pick<Party, "iban" | "account"> {
  if (text === undefined) return {};
  return isIban(text) ? { iban: text.replaceAll(" ", "") } : { account: text };
}

export function negated(amount: Cents): Cents {
  return add(zeroCents, -amount as Cents);
}

export function withEntities(): BankFileError {
  return new BankFileError(
    "Entities",
    "The file declares a document type or entities of its own, which no bank does.",
  );
}
