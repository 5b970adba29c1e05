/** Formats figures for people: thousands separators, a visible minus, no unneeded digits. */
import { mediumDate } from "../ledger/dates/calendar.ts";
import { localMinute } from "../ledger/dates/timezones.ts";
import { currencyPlaces } from "../resources/common.ts";
import { type Cents, type Rate, scaleOf, writeDecimal } from "../resources/decimal.ts";
import type { ScalarKind } from "../resources/field.ts";
import type { Cell, Table } from "./table.ts";

/** Decimal mark, thousands separator and minus of figures, which depend on the country. */
export interface Marks {
  readonly thousands: string;
  readonly decimal: "." | ",";
  /** Minus sign: a true minus on paper and pages; the hyphen on a terminal, as it can be typed. */
  readonly minus: string;
  /** Text of a zero amount, where it is no figure: `–`. */
  readonly zero?: string | undefined;
  /** Percent sign, with a space before it where the language has one. */
  readonly percent?: string;
  /** Time zone of the organisation, in which times are shown; UTC when not given. */
  readonly timezone?: string | undefined;
}

const english: Marks = { thousands: ",", decimal: ".", minus: "\u2212" };

/**
 * Marks of countries with other marks than English ones. A test compares them with `Intl`, which is
 * not used here as it takes 10 ms.
 */
const marksByCountry: readonly (readonly [thousands: string, decimal: "." | ",", string])[] = [
  [".", ",", "AR BE BR CL CO DE DK ES GR HR ID IS IT NL RO RS SI TR UY VN"],
  ["\u00a0", ",", "AT BG CZ EE FI HU LT LV NO PL PT SE SK UA ZA"],
  ["\u202f", ",", "FR"],
  ["'", ".", "CH LI"],
];

/** Marks for the figures of a table. */
export const marksIn = <M extends Marks | undefined>(
  { hasDashes }: Pick<Table, "hasDashes">,
  numberMarks: M,
) => (hasDashes && numberMarks ? { ...numberMarks, zero: "\u2013" } : numberMarks);

/**
 * Marks of a country.
 *
 * @param country  ISO 3166 code; undefined, or a country not listed, for `1,234.50`
 */
export function marksOf(country: string | undefined, minus = english.minus): Marks {
  const entry = marksByCountry.find(([, , codes]) => codes.split(" ").includes(country ?? ""));
  if (entry === undefined) return { ...english, minus };
  const [thousands, decimal] = entry;
  return { thousands, decimal, minus };
}

/**
 * Formats an amount: `1,234.50`, `−12.00`, `1,234` in yen; decimals beyond those of the currency
 * are kept unless zero.
 */
export function amount(cents: Cents, currency: string, marks = english): string {
  return format(trimZeros(writeDecimal(cents, scaleOf.money), currencyPlaces(currency)), marks);
}

/**
 * Formats a unit price with at least the decimal places of its currency, and at most those of its
 * own scale.
 *
 * @param decimals  decimal places at least, as of a column
 */
export function price(
  unit: number,
  currency: string,
  numberMarks = english,
  decimals = currencyPlaces(currency),
): string {
  return format(trimZeros(writeDecimal(unit, scaleOf.unitAmount), decimals), numberMarks);
}

/** Decimal places with which all unit prices of a column are exact and aligned. */
export const pricePlaces = (units: readonly number[], currency: string): number =>
  Math.max(
    currencyPlaces(currency),
    ...units.map(
      (unit) => /\.(\d*[1-9])/.exec(writeDecimal(unit, scaleOf.unitAmount))?.[1]?.length ?? 0,
    ),
  );

export function quantity(value: number | bigint, numberMarks = english): string {
  return format(trimZeros(writeDecimal(value, scaleOf.quantity), 0), numberMarks);
}

/** Formats a percentage: `12.5%` */
export function formatPercent(value: number, numberMarks = english): string {
  return `${format(trimZeros(writeDecimal(value, scaleOf.percent), 0), numberMarks)}${numberMarks.percent ?? "%"}`;
}

/** Formats an exchange rate: `0.6123` */
export function formatRate(value: Rate, numberMarks = english): string {
  return format(trimZeros(writeDecimal(value, scaleOf.rate), 2), numberMarks);
}

type Write = (cell: Cell, numberMarks: Marks) => string;

const text: Write = ({ value }) => String(value);

const writers = {
  id: text,
  text,
  choice: text,
  boolean: ({ value }) => (value === true ? "yes" : "no"),
  integer: text,
  date: ({ value }) => mediumDate(String(value)),
  timestamp: ({ value }, { timezone }) => localMinute(value as number, timezone),
  money: ({ value, currency = "" }, numberMarks) =>
    (value === 0 ? numberMarks.zero : undefined) ?? amount(value as Cents, currency, numberMarks),
  unitAmount: ({ value, currency = "" }, marks) => price(value as number, currency, marks),
  quantity: ({ value }, numberMarks) => quantity(value as number | bigint, numberMarks),
  percent: ({ value, text }, numberMarks) =>
    text === undefined
      ? formatPercent(value as number, numberMarks)
      : `${format(text.slice(0, -1), numberMarks)}%`,
  rate: ({ value }, numberMarks) => formatRate(value as Rate, numberMarks),
} satisfies Record<ScalarKind, Write>;

/**
 * Text of a cell for people; empty for an undefined cell. Escaped neither for HTML nor for a
 * terminal.
 */
export function cellFigure(cell: Cell | undefined, numberMarks = english): string {
  return cell === undefined ? "" : writers[cell.kind](cell, numberMarks);
}

/** Removes trailing zeros after the first `least` decimal places. */
function trimZeros(text: string, decimalsMin: number): string {
  const [whole = "", fraction = ""] = text.split(".");
  const digits = fraction.replace(/0+$/, "").padEnd(decimalsMin, "0");
  return digits === "" ? whole : `${whole}.${digits}`;
}

/** Adds separators and minus sign to a number. @param text  a plain decimal, `-1234.5` */
export function format(text: string, { thousands, decimal, minus }: Marks): string {
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const sign = text.startsWith("-") ? minus : "";
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return fraction === undefined ? sign + digits : `${sign}${digits}${decimal}${fraction}`;
}
