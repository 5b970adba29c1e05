/**
 * A chart as data: what its renderers draw on a terminal, a page and paper.
 *
 * Amounts are exact, and those of the report or the list that the chart is made from; only where
 * something is drawn is a fraction.
 */
import type { Cents } from "../resources/decimal.ts";

export interface Chart {
  /** What it shows, whose and of when: what it is called where it cannot be seen. */
  readonly title: string;
  /** Of the amounts; undefined where nothing says it. */
  readonly currency?: string | undefined;
  /** Whether points follow each other in time, or are things beside each other. */
  readonly axis: "time" | "names";
  /** Series beside each other, or on top of each other; at most three. */
  readonly form: "bars" | "stacked";
  readonly series: readonly ChartSeries[];
  readonly points: readonly Point[];
  /** Index of the series that is drawn where there is room for one alone. */
  readonly measure: number;
  /** Whether the amounts of a series add up to something: flows do, balances of days do not. */
  readonly isSum: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** One for each point. */
  readonly amounts: readonly Cents[];
  /** Drawn as a line over the bars, where points follow each other in time. */
  readonly isLine?: boolean | undefined;
}

export interface Point {
  readonly label: string;
  /** Where its bars lead on a page. */
  readonly href?: string | undefined;
}

/** The lowest and the highest amount of a chart, zero among them, since bars begin there. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** How far bars and lines reach. */
export function extentOf({ form, series, points }: Chart): Extent {
  const ends = points.flatMap((_, at) => {
    const amounts = series.map((each) => each.amounts[at] ?? 0);
    if (form === "bars") return amounts;
    const lines = amounts.filter((_, of) => series[of]?.isLine);
    const bars = amounts.filter((_, of) => !series[of]?.isLine);
    return [
      ...lines,
      sumOf(bars.filter((each) => each > 0)),
      sumOf(bars.filter((each) => each < 0)),
    ];
  });
  return { low: Math.min(0, ...ends), high: Math.max(0, ...ends) };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((all, each) => all + each, 0);

/**
 * Amounts at even distances, of one, two or five times a power of ten, that enclose an extent.
 *
 * @param most  how many steps there are at most
 */
export function ticksOf({ low, high }: Extent, most: number): number[] {
  const span = high - low;
  if (span === 0) return [0];
  // No step is finer than a whole unit of the currency.
  const least = Math.max(100, span / most);
  const power = 10 ** Math.floor(Math.log10(least));
  const step = power * ([1, 2, 5].find((times) => times * power >= least) ?? 10);
  const first = Math.floor(low / step);
  const last = Math.ceil(high / step);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}
