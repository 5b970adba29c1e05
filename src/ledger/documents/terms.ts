/** Payment terms: the default due date of a document. */
import {
  addDays,
  addMonths,
  type DateText,
  dateOf,
  endOfMonth,
  monthNumberOf,
  yearOf,
} from "../dates/calendar.ts";

/** One half of PaymentTerms, for bills or for sales. */
export interface PaymentTerm {
  /** Day, 0 to 31. */
  readonly Day?: number | undefined;
  readonly Type?: string | undefined;
}

const onDay = (date: DateText, day: number): DateText =>
  dateOf(yearOf(date), monthNumberOf(date), day);

const daysAfterDate = (date: DateText, day: number): DateText => addDays(date, day);
const daysAfterMonth = (date: DateText, day: number): DateText => addDays(endOfMonth(date), day);

const rules: Readonly<Record<string, (date: DateText, day: number) => DateText>> = {
  DAYSAFTERBILLDATE: daysAfterDate,
  DAYSAFTERINVOICEDATE: daysAfterDate,
  DAYSAFTERBILLMONTH: daysAfterMonth,
  DAYSAFTERINVOICEMONTH: daysAfterMonth,
  OFCURRENTMONTH: onDay,
  OFFOLLOWINGMONTH: (date, day) => onDay(addMonths(date, 1), day),
};

/**
 * The due date of a document by the payment terms.
 *
 * A day beyond the month's length means its last day.
 *
 * @param date  of the document
 * @param term  of the contact or the organisation
 * @returns undefined when there are no terms
 */
export function dueDate(date: DateText, term: PaymentTerm | undefined): DateText | undefined {
  if (term?.Day === undefined || term.Type === undefined) return undefined;
  return rules[term.Type]?.(date, term.Day);
}
