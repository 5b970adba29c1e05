/** Figures as they are printed: commas between thousands, a true minus, no more digits than needed. */
import { currencyPlaces } from "../resources/common.ts";
import { type Cents, type Rate, scaleOf, writeDecimal } from "../resources/decimal.ts";
import type { ScalarKind } from "../resources/field.ts";
import { isoMoment } from "../wire/dates.ts";
import type { Cell } from "./table.ts";

/** `1,234.50`, `−12.00`, of yen `1,234`; with all that there is in amounts from elsewhere. */
export function amount(cents: Cents, currency: string): string {
  return grouped(trimmed(writeDecimal(cents, scaleOf.money), currencyPlaces(currency)));
}

/** At least the decimal places of the currency, at most its own. */
export function price(unit: number, currency: string): string {
  return grouped(trimmed(writeDecimal(unit, scaleOf.unitAmount), currencyPlaces(currency)));
}

export function quantity(value: number): string {
  return grouped(trimmed(writeDecimal(value, scaleOf.quantity), 0));
}

/** `12.5%` */
export function percent(value: number): string {
  return `${grouped(trimmed(writeDecimal(value, scaleOf.percent), 0))}%`;
}

/** `0.6123` */
export function rate(value: Rate): string {
  return grouped(trimmed(writeDecimal(value, scaleOf.rate), 2));
}

/** Without zeros at the end beyond the first `least` digits after the point. */
function trimmed(text: string, least: number): string {
  const [whole = "", fraction = ""] = text.split(".");
  const kept = fraction.replace(/0+$/, "").padEnd(least, "0");
  return kept === "" ? whole : `${whole}.${kept}`;
}

function grouped(text: string): string {
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const sign = text.startsWith("-") ? "\u2212" : "";
  const digits = whole.replace(/\B(?=(?:\d{3})+$)/g, ",");
  return fraction === undefined ? sign + digits : `${sign}${digits}.${fraction}`;
}

type Write = (cell: Cell) => string;

const text: Write = ({ value }) => String(value);

const writers = {
  id: text,
  text,
  choice: text,
  boolean: ({ value }) => (value === true ? "yes" : "no"),
  integer: ({ value }) => grouped(String(value)),
  date: text,
  timestamp: ({ value }) =>
    isoMoment(value as number)
      .slice(0, 16)
      .replace("T", " "),
  money: ({ value, currency = "" }) => amount(value as Cents, currency),
  unitAmount: ({ value, currency = "" }) => price(value as number, currency),
  quantity: ({ value }) => quantity(value as number),
  percent: ({ value }) => percent(value as number),
  rate: ({ value }) => rate(value as Rate),
} satisfies Record<ScalarKind, Write>;

/** The text of a cell for a person; empty for none. Neither escaped nor safe for a terminal. */
export function cellFigure(cell: Cell | undefined): string {
  return cell === undefined ? "" : writers[cell.kind](cell);
}
