/** Figures for people: thousands apart, a minus that is seen, no more digits than needed. */
import { localMinute } from "../ledger/dates/timezones.ts";
import { currencyPlaces } from "../resources/common.ts";
import { type Cents, type Rate, scaleOf, writeDecimal } from "../resources/decimal.ts";
import type { ScalarKind } from "../resources/field.ts";
import type { Cell } from "./table.ts";

/** The marks of figures, which differ from country to country. */
export interface Marks {
  readonly thousands: string;
  readonly decimal: "." | ",";
  /** On paper it is as wide as a plus; a terminal has the hyphen, which can be typed again. */
  readonly minus: string;
  /** In which moments are shown, as the organisation has it; UTC when not given. */
  readonly timezone?: string | undefined;
}

const english: Marks = { thousands: ",", decimal: ".", minus: "\u2212" };

/** Countries whose marks are others. A test compares them with those of `Intl`, which takes 10 ms. */
const marksByCountry: readonly (readonly [thousands: string, decimal: "." | ",", string])[] = [
  [".", ",", "AR BE BR CL CO DE DK ES GR HR ID IS IT NL RO RS SI TR UY VN"],
  ["\u00a0", ",", "AT BG CZ EE FI HU LT LV NO PL PT SE SK UA ZA"],
  ["\u202f", ",", "FR"],
  ["'", ".", "CH LI"],
];

/** @param country  ISO 3166; undefined, or one of no others, for `1,234.50` */
export function marksOf(country: string | undefined, minus = english.minus): Marks {
  const found = marksByCountry.find(([, , codes]) => codes.split(" ").includes(country ?? ""));
  if (found === undefined) return { ...english, minus };
  const [thousands, decimal] = found;
  return { thousands, decimal, minus };
}

/** `1,234.50`, `−12.00`, of yen `1,234`; with all that there is in amounts from elsewhere. */
export function amount(cents: Cents, currency: string, marks = english): string {
  return marked(trimmed(writeDecimal(cents, scaleOf.money), currencyPlaces(currency)), marks);
}

/** At least the decimal places of the currency, at most its own. */
export function price(unit: number, currency: string, marks = english): string {
  return marked(trimmed(writeDecimal(unit, scaleOf.unitAmount), currencyPlaces(currency)), marks);
}

export function quantity(value: number | bigint, marks = english): string {
  return marked(trimmed(writeDecimal(value, scaleOf.quantity), 0), marks);
}

/** `12.5%` */
export function percent(value: number, marks = english): string {
  return `${marked(trimmed(writeDecimal(value, scaleOf.percent), 0), marks)}%`;
}

/** `0.6123` */
export function rate(value: Rate, marks = english): string {
  return marked(trimmed(writeDecimal(value, scaleOf.rate), 2), marks);
}

type Write = (cell: Cell, marks: Marks) => string;

const text: Write = ({ value }) => String(value);

const writers = {
  id: text,
  text,
  choice: text,
  boolean: ({ value }) => (value === true ? "yes" : "no"),
  integer: text,
  date: text,
  timestamp: ({ value }, { timezone }) => localMinute(value as number, timezone),
  money: ({ value, currency = "" }, marks) => amount(value as Cents, currency, marks),
  unitAmount: ({ value, currency = "" }, marks) => price(value as number, currency, marks),
  quantity: ({ value }, marks) => quantity(value as number | bigint, marks),
  percent: ({ value }, marks) => percent(value as number, marks),
  rate: ({ value }, marks) => rate(value as Rate, marks),
} satisfies Record<ScalarKind, Write>;

/** The text of a cell for a person; empty for none. Neither escaped nor safe for a terminal. */
export function cellFigure(cell: Cell | undefined, marks = english): string {
  return cell === undefined ? "" : writers[cell.kind](cell, marks);
}

/** Without zeros at the end beyond the first `least` digits after the point. */
function trimmed(text: string, least: number): string {
  const [whole = "", fraction = ""] = text.split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}

/** @param text  a plain decimal, `-1234.5` */
export function marked(text: string, { thousands, decimal, minus }: Marks): string {
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const sign = text.startsWith("-") ? minus : "";
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
  return fraction === undefined ? sign + digits : `${sign}${digits}${decimal}${fraction}`;
}
