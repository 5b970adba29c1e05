/**
 * Date placeholders in the text of a template: `Rent of [Month Year]`.
 *
 * Each may have an offset in its own unit, `[Month-1]`, `[Year + 1]`, `[Week Ending+2]`, in any
 * letter case. Other text in brackets is left as it is.
 */
import {
  addDays,
  addMonths,
  type DateText,
  dayNumber,
  daysBetween,
  longDate,
  monthYear,
  yearOf,
} from "./calendar.ts";

type Words = (date: DateText, offset: number) => string;

/**
 * Day of the week, Monday is 1.
 * @source ISO 8601
 */
function weekdayOf(date: DateText): number {
  // 1 January 1970 was a Thursday.
  return ((((dayNumber(date) + 3) % 7) + 7) % 7) + 1;
}

const monday = (date: DateText): DateText => addDays(date, 1 - weekdayOf(date));

/**
 * Number of the week, in the year that contains most of its days.
 * @source ISO 8601
 */
function weekNumber(date: DateText): number {
  const thursday = addDays(monday(date), 3);
  return Math.floor(daysBetween(`${thursday.slice(0, 4)}-01-01`, thursday) / 7) + 1;
}

const inWeeks = (date: DateText, offset: number): DateText => addDays(date, 7 * offset);

const wordsByPlaceholder: ReadonlyMap<string, Words> = new Map<string, Words>([
  ["week", (date, offset) => String(weekNumber(inWeeks(date, offset)))],
  ["week commencing", (date, offset) => longDate(monday(inWeeks(date, offset)))],
  ["week ending", (date, offset) => longDate(addDays(monday(inWeeks(date, offset)), 6))],
  ["month", (date, offset) => monthYear(addMonths(date, offset)).replace(/ .*/, "")],
  ["month year", (date, offset) => monthYear(addMonths(date, offset))],
  ["year", (date, offset) => String(yearOf(date) + offset)],
]);

/**
 * Placeholder pattern; the offset is limited to three digits, which bounds the resulting dates.
 */
const pattern = /\[\s*([a-z]+(?: +[a-z]+)?)\s*(?:([+-])\s*(\d{1,3})\s*)?\]/gi;

/** Replaces every placeholder in `text` by its value for a date. */
export function fillPlaceholders(text: string, date: DateText): string {
  return text.replace(pattern, (placeholder, name: string, sign?: string, count = "0") => {
    const words = wordsByPlaceholder.get(name.toLowerCase().replace(/ +/, " "));
    return words === undefined ? placeholder : words(date, Number(count) * (sign === "-" ? -1 : 1));
  });
}
