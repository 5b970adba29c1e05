/** Parses the financial year end as users type it. */

import { UsageError } from "../../resources/errors.ts";
import { monthName, monthNames as months } from "./months.ts";
import type { YearEnd } from "./period-words.ts";

export type { YearEnd };

const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const;

/**
 * Parses `31 March`, `march`, `March 31` or `03-31`; a month alone means its last day.
 *
 * @throws UsageError `BadValue`
 */
export function parseYearEnd(text: string): YearEnd {
  const dateWord = text.trim().toLowerCase();
  const numbers = /^(?:--)?(\d{1,2})-(\d{1,2})$/.exec(dateWord);
  const name = /[a-z]{3,}/.exec(dateWord)?.[0];
  const month = numbers
    ? Number(numbers[1])
    : 1 + months.findIndex((month) => name && month.startsWith(name));
  const lastDay = longest[month - 1];
  const day = Number(numbers?.[2] ?? /\d{1,2}/.exec(dateWord)?.[0] ?? lastDay);
  const isForm = numbers !== null || /^(\d{1,2}\.? )?[a-z]+( \d{1,2})?$/.test(dateWord);
  if (!isForm || lastDay === undefined || !(day >= 1 && day <= lastDay)) {
    throw new UsageError(
      "BadValue",
      `"${text}" is no day of the year; give it as "31 March" or 03-31.`,
    );
  }
  return { day, month };
}

/** Formats a financial year end, `31 March`. */
export function writeYearEnd({ day, month }: YearEnd): string {
  return `${day} ${monthName(month)}`;
}
