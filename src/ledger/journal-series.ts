/**
 * Series of manual journals: a reversing journal, a spread amount, or repetitions.
 *
 * All functions are pure.
 */
import { RefusedError } from "../resources/errors.ts";
import { type JournalSeries, seriesMax } from "../resources/journal-series.ts";
import type { ManualJournalLine } from "../resources/manual-journal.ts";
import { addDays, addMonths, type DateText, endOfMonth, startOfMonth } from "./dates/calendar.ts";
import { type Cents, type Smallest, share } from "./money.ts";

/** A journal of a series, to be posted like any manual journal. */
export interface SeriesJournal {
  readonly Narration: string;
  readonly Date: DateText;
  readonly JournalLines: readonly ManualJournalLine[];
}

type Series = Pick<JournalSeries, "Narration" | "JournalLines"> & {
  readonly Date: DateText;
};

const negative = (amount: Cents | undefined) =>
  amount === undefined ? undefined : ((amount === 0 ? 0 : -amount) as Cents);

/**
 * A journal, and its reversal on a later day.
 * @throws RefusedError `Series`
 */
export function reversingJournals(series: Series, on: DateText): SeriesJournal[] {
  if (on <= series.Date) {
    throw new RefusedError(
      "Series",
      `A reversal comes after the journal, which is of ${series.Date}.`,
    );
  }
  return [
    series,
    {
      Narration: `Reversal: ${series.Narration}`.slice(0, 4000),
      Date: on,
      JournalLines: series.JournalLines.map((line) => ({
        ...line,
        LineAmount: negative(line.LineAmount),
        TaxAmount: negative(line.TaxAmount),
      })),
    },
  ];
}

/**
 * Spreads amounts: moves them to a deferral account, and back in parts at each month end, starting
 * with the month of the date. Each part is the rounded cumulative share less earlier parts, so that
 * the whole amount comes back.
 *
 * @param holdingCode  code of the deferral account
 */
export function spreadAmounts(
  series: Series,
  monthCount: number,
  holdingCode: string,
  smallest: Smallest = 1,
): SeriesJournal[] {
  const total = (lines: readonly ManualJournalLine[]) =>
    lines.reduce((sum, { LineAmount = 0 }) => sum + LineAmount, 0) as Cents;
  const against = (lines: readonly ManualJournalLine[]): ManualJournalLine[] => [
    ...lines,
    { AccountCode: holdingCode, LineAmount: negative(total(lines)), Description: series.Narration },
  ];
  const scaled = (of: (amount: Cents) => number) =>
    series.JournalLines.map((line) => ({
      ...line,
      LineAmount: of(line.LineAmount ?? (0 as Cents)) as Cents,
    }));
  const upTo = (amount: Cents, partCount: number) => share(amount, partCount, monthCount, smallest);
  const firstMonth = startOfMonth(series.Date);
  return [
    {
      ...series,
      JournalLines: against(scaled((amount) => negative(amount) ?? 0)),
    },
    ...Array.from({ length: monthCount }, (_, index) => ({
      Narration: `${series.Narration} (${index + 1} of ${monthCount})`.slice(0, 4000),
      Date: endOfMonth(addMonths(firstMonth, index)),
      JournalLines: against(scaled((amount) => upTo(amount, index + 1) - upTo(amount, index))),
    })),
  ];
}

const steps = {
  WEEK: (from, number) => addDays(from, 7 * number),
  MONTH: (from, number) => addMonths(from, number),
  QUARTER: (from, number) => addMonths(from, 3 * number),
  YEAR: (from, number) => addMonths(from, 12 * number),
} as const satisfies Record<
  NonNullable<JournalSeries["Every"]>,
  (from: DateText, number: number) => DateText
>;

/**
 * Repeats a journal; each date is computed from the first: for the 31st, the last day of a shorter
 * month.
 *
 * @throws RefusedError `Series`
 */
export function repeatJournal(
  series: Series,
  every: keyof typeof steps,
  { times, until }: { readonly times?: number | undefined; readonly until?: DateText | undefined },
): SeriesJournal[] {
  const journals: SeriesJournal[] = [];
  for (let number = 0; number < (times ?? Number.POSITIVE_INFINITY); number += 1) {
    const date = steps[every](series.Date, number);
    if (until !== undefined && date > until) break;
    if (journals.length === seriesMax) {
      throw new RefusedError("Series", `A series has at most ${seriesMax} journals.`);
    }
    journals.push({ ...series, Date: date });
  }
  if (journals.length < 2) {
    throw new RefusedError("Series", `Up to ${until} there is nothing to repeat.`);
  }
  return journals;
}
