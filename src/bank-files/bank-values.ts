/** Parses amounts, dates and texts in the forms that banks write. */
import { type DateText, dateOf, isDate, yearOf } from "../ledger/dates/calendar.ts";
import { add, type Cents, zeroCents } from "../ledger/money.ts";
import { yearMax, yearMin } from "../resources/bounds.ts";
import { hasFormOfIban, unsupportedCurrency } from "../resources/common.ts";
import { decimalPlaces, readDecimal, scaleOf } from "../resources/decimal.ts";
import { BankFileError, type LinePart, type Party, type ReadOptions } from "./bank-statement.ts";

export type DecimalMark = NonNullable<ReadOptions["decimal"]>;

/** Maximum length of an amount in characters. */
const amountLengthMax = 40;

/** A parsed amount: sign, currency, and the remaining digits and marks. */
export interface RawAmount {
  readonly isNegative: boolean;
  readonly digits: string;
  /** Whether a plus is written. */
  readonly isPlus: boolean;
  /** Whether the sign is given by a word, CR or DR. */
  readonly isWorded: boolean;
  /** Symbols and codes of the currency, as written before and behind. */
  readonly currencies: readonly string[];
}

/** Currency codes that may be next to amounts; other letters before digits belong to a number. */
const currencyCode =
  "AED|ARS|AUD|BGN|BHD|BRL|CAD|CHF|CLP|CNY|COP|CZK|DKK|EGP|EUR|FJD|GBP|HKD|HUF|IDR|ILS|INR|ISK|JPY|KES|KRW|KWD|MAD|MXN|MYR|NGN|NOK|NZD|PEN|PHP|PKR|PLN|RON|RSD|SAR|SEK|SGD|THB|TND|TRY|TWD|UAH|USD|UYU|VND|ZAR";
const currencySign = String.raw`(?:[A-Z]{0,3}\p{Sc}|${currencyCode}|kr\.?|K\u010d|z\u0142|Ft|S?Fr\.?|Rs\.?)`;
const amountForm = new RegExp(
  String.raw`^([-+]?)(\()?([-+]?)(${currencySign})?([-+]?)([\d.,]*\d[\d.,]*)([-+]?)(${currencySign})?(\))?(CR\.?|DR\.?|HABEN|SOLL)?([-+]?)$`,
  "iu",
);

/** Currencies that a currency symbol may stand for; an unlisted symbol may stand for any. */
const signsOf: Readonly<Record<string, RegExp>> = {
  "€": /^EUR$/,
  "£": /^(?:GBP|EGP|GIP|FKP)$/,
  "¥": /^(?:JPY|CNY)$/,
  "₹": /^INR$/,
  $: /^(?!EUR|GBP|JPY|CHF|INR|SEK|NOK|DKK|PLN|CZK|HUF)/,
  KR: /^(?:SEK|NOK|DKK|ISK)$/,
  "K\u010c": /^CZK$/,
  "Z\u0141": /^PLN$/,
  FT: /^HUF$/,
  FR: /^(?:CHF|XPF)$/,
  SFR: /^CHF$/,
  RS: /^(?:INR|PKR)$/,
  R$: /^BRL$/,
  NT$: /^TWD$/,
};

/**
 * Splits `-12,50`, `12,50-`, `(19.47)`, `€ 1'000.00`, `475.00 CR` into sign and digits; undefined
 * for other text.
 */
export function rawAmount(text: string): RawAmount | undefined {
  if (text.length > amountLengthMax || !/\d/.test(text)) return undefined;
  // A space inside the digits must be a thousands separator.
  if (/\d[\s\u00a0\u202f'’](?!\d{3}(?!\d))\d/.test(text)) return undefined;
  // In `475,-` the dash stands for the decimals.
  const bare = text
    .replace(/[\s\u00a0\u202f'’]/g, "")
    .replace(/[\u2010-\u2014\u2212]/g, "-")
    .replace(/(\d[.,])--?/, "$100")
    .replace(/^([CD]R)\.?(.*[.,]\d\d)$/i, "$2$1")
    .replace(/([.,]\d\d)(?:(C|H)|D|S)$/, (_, cents, into) => `${cents}${into ? "CR" : "DR"}`);
  const match = amountForm.exec(bare);
  if (match === null) return undefined;
  const [, s1, open, s2, before, s3, digits = "", s4, after, close, word, s5] = match;
  const signs = [s1, s2, s3, s4, s5].filter((sign) => sign !== "" && sign !== undefined);
  if (signs.length > 1 || (open === undefined) !== (close === undefined)) return undefined;
  if (open !== undefined && (signs.length > 0 || word !== undefined)) return undefined;
  const isDebit = /^(?:DR|SOLL)/i.test(word ?? "");
  if (word !== undefined && signs.length > 0 && (signs[0] === "-") !== isDebit) return undefined;
  const isNegative = open !== undefined || signs[0] === "-" || isDebit;
  return {
    isNegative,
    isPlus: signs[0] === "+",
    digits,
    isWorded: word !== undefined,
    currencies: [before, after].filter((mark) => mark !== undefined),
  };
}

/** Whether an amount has the symbol or code of another currency than the expected one. */
export function isOtherCurrency(text: string, currency: string): boolean {
  return (rawAmount(text)?.currencies ?? []).some((mark) => !isMarkOf(mark, currency));
}

/** Whether `NZD`, `$`, `NZ$`, `NZD$` or `kr.` may stand for a currency. */
function isMarkOf(written: string, currency: string): boolean {
  const mark = written.toUpperCase().replace(".", "");
  if (/^[A-Z]{3}$/.test(mark)) return mark === currency || signsOf[mark]?.test(currency) === true;
  const signPattern = signsOf[mark];
  if (signPattern !== undefined) return signPattern.test(currency);
  // A country before a sign, as in `US$` or `A$`, begins the code.
  const sign = mark.slice(-1);
  return currency.startsWith(mark.slice(0, -1)) && signsOf[sign]?.test(currency) !== false;
}

/**
 * Decimal mark of an amount.
 *
 * @returns `open` for `1.000`, which may be a thousand or one; `none` for text that is no amount;
 * undefined where there is no mark
 */
export function markOf(text: string): DecimalMark | "open" | "none" | undefined {
  const raw = rawAmount(text);
  if (raw === undefined) return "none";
  const { digits } = raw;
  const comma = digits.lastIndexOf(",");
  const pointAt = digits.lastIndexOf(".");
  if (comma < 0 && pointAt < 0) return undefined;
  if (comma >= 0 && pointAt >= 0) return comma > pointAt ? "comma" : "point";
  const [last, mark, other] =
    comma >= 0 ? ([comma, "comma", "point"] as const) : ([pointAt, "point", "comma"] as const);
  if (digits.indexOf(digits[last] as string) !== last) return other; // 1.000.000
  const decimalCount = digits.length - last - 1;
  if (decimalCount !== 3 || last === 0 || last > 3 || digits.startsWith("0")) return mark;
  return "open";
}

/**
 * Parses an amount in cents.
 *
 * @param mark      decimal mark of the file; detected from the amount when not given
 * @param currency  currency of the document; an amount in another currency is refused
 * @throws BankFileError `BadAmount`, `Ambiguous`, naming the place
 */
export function readAmount(
  text: string,
  location: string,
  mark?: DecimalMark,
  currency?: string,
): Cents {
  const decimal = mark ?? markOf(text);
  if (decimal === "open") {
    throw new BankFileError(
      "Ambiguous",
      `The amount "${text}" is a thousandfold or not; say whether the decimal mark is the comma or the point.`,
      location,
    );
  }
  if (currency !== undefined && isOtherCurrency(text, currency)) {
    throw new BankFileError("BadAmount", `The amount "${text}" is not in ${currency}.`, location);
  }
  const amount = amountBy(text, decimal === "comma" ? "comma" : "point");
  if (typeof amount === "number") return amount;
  if (amount === "no amount") throw badAmount(text, location);
  throw new BankFileError("BadAmount", `The amount "${text}" has ${amount}.`, location);
}

/** Amount in cents, read with a given decimal mark, or the reason why that fails. */
export function amountBy(text: string, mark: DecimalMark): Cents | "parts of a cent" | "no amount" {
  const raw = rawAmount(text);
  if (raw === undefined) return "no amount";
  const [decimal, thousands] = mark === "comma" ? [",", "."] : [".", ","];
  const [whole = "", ...fraction] = raw.digits.split(decimal);
  if (fraction.length > 1 || fraction[0]?.includes(thousands)) return "no amount";
  const [first = "", ...groups] = whole.split(thousands);
  const isGrouped = groups.every(
    ({ length }, at) => length === 3 || (length === 2 && at < groups.length - 1),
  );
  const isUngrouped = first === "" || first.startsWith("0") || first.length > 3 || !isGrouped;
  if (groups.length > 0 && isUngrouped) return "no amount";
  const plain = `${raw.isNegative ? "-" : ""}${first || "0"}${groups.join("")}${fraction[0] ? `.${fraction[0]}` : ""}`;
  if (decimalPlaces(plain) > scaleOf.money) return "parts of a cent";
  return (readDecimal(plain, scaleOf.money) as Cents | undefined) ?? "no amount";
}

function badAmount(text: string, place: string): BankFileError {
  return new BankFileError("BadAmount", `"${text.slice(0, amountLengthMax)}" is no amount.`, place);
}

/** Whether a day of a statement exists, within the years of the book. */
export function isDay(date: string): date is DateText {
  return isDate(date) && yearOf(date) >= yearMin && yearOf(date) <= yearMax;
}

/** Checks that a date exists. @throws BankFileError `BadDate`, naming the place */
export function checkedDate(date: string, text: string, location: string): DateText {
  if (isDay(date)) return date;
  throw new BankFileError("BadDate", `"${text.slice(0, 40)}" is no date.`, location);
}

/** Parses a date from `20260131…`. @throws BankFileError `BadDate` */
export function readCompactDate(text: string, location: string): DateText {
  const date = `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6, 8)}`;
  return checkedDate(date, text, location);
}

/** Expands a two-digit year: to 1970 to 2069. */
export function fullYear(year: number): number {
  return year + (year < 70 ? 2000 : 1900);
}

/**
 * Parses a date from `YYMMDD`; a day after the end of its month (30 February) becomes its last day.
 */
export function readShortDate(text: string, location: string): DateText {
  const [year, month, day] = [text.slice(0, 2), text.slice(2, 4), text.slice(4, 6)].map(Number);
  if (!/^\d{6}$/.test(text) || !month || month > 12 || !day || day > 31) {
    throw new BankFileError("BadDate", `"${text}" is no date.`, location);
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

/** Decodes XML entities and character references; any other `&` is kept as text. */
export function unescapeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,4}));/g,
    (entity, ten, hex, name) => {
      if (name !== undefined) return namedEntities[name] ?? entity;
      const code = Number.parseInt(ten ?? hex, ten === undefined ? 16 : 10);
      return code >= 32 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
    },
  );
}

/** Normalises text to one line; undefined where nothing is left. */
export function cleanText(text: string | undefined): string | undefined {
  const clean = text?.replace(/\s+/g, " ").trim();
  return clean === "" ? undefined : clean;
}

/** Returns a reference, or undefined where it means "none". */
export function meaningful(reference: string | undefined): string | undefined {
  const clean = cleanText(reference);
  if (clean === undefined || /^(?:NOT ?PROVIDED|NONREF|0+)$/i.test(clean)) return undefined;
  return clean;
}

/** Account of a counterparty: an IBAN or another number. */
export function accountOf(text: string | undefined): Pick<Party, "iban" | "account"> {
  if (text === undefined) return {};
  return hasFormOfIban(text) ? { iban: text.replaceAll(" ", "") } : { account: text };
}

export function negate(amount: Cents): Cents {
  return add(zeroCents, -amount as Cents);
}

/**
 * Original amount of a line, if it is not zero; zero stands for an amount in a currency that the
 * service does not support.
 */
export function originalPart(currency: string | undefined, read: () => Cents): LinePart[] {
  const isSupported = unsupportedCurrency(currency ?? "") === undefined;
  const amount = isSupported ? read() : zeroCents;
  return isSupported && amount === 0 ? [] : [{ kind: "original", amount, currency }];
}

export function withEntities(): BankFileError {
  return new BankFileError(
    "Entities",
    "The file declares a document type or entities of its own, which no bank does.",
  );
}
