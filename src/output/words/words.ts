/** The language of paper: its words, days and figures. English is written where it is used. */
import { longDate, mediumDate } from "../../ledger/dates/calendar.ts";
import type { Cents } from "../../resources/decimal.ts";
import { amount, type Marks } from "../figures.ts";
import type { Phrase } from "./german.ts";

export interface PaperLanguage {
  /** Language code as in HTML; undefined for English as in the organisation's country. */
  readonly language?: "de" | "fr" | undefined;
  /** Marks of figures; undefined for English ones. */
  readonly marks?: Marks | undefined;
  /** @param values  replace each `%` in turn */
  say(phrase: Phrase, ...values: readonly string[]): string;
  /** Formats a day. @param date  `YYYY-MM-DD` */
  day(date: string): string;
  /** Formats a day with its month in words, as emails have it. @param date  `YYYY-MM-DD` */
  longDay(date: string): string;
  /** Formats an amount with its currency. */
  sum(cents: Cents, currency: string): string;
}

export const filled = (phrase: string, values: readonly string[]): string =>
  phrase
    .split("%")
    .map((part, at) => (at === 0 ? part : `${values[at - 1] ?? ""}${part}`))
    .join("");

export const english: PaperLanguage = {
  say: (phrase, ...values) => filled(phrase, values),
  day: mediumDate,
  longDay: longDate,
  sum: (cents, currency) => `${currency} ${amount(cents, currency)}`,
};
