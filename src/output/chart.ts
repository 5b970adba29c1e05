/**
 * Data of a chart, independent of its rendering on a terminal, web page or PDF.
 *
 * Amounts are the exact amounts in cents of the report or list that the chart is made from;
 * fractions arise only in drawing.
 */
import type { Cents } from "../resources/decimal.ts";

export interface Chart {
  /** Title with the subject, company and period; also the text alternative for screen readers. */
  readonly title: string;
  /** Currency of the amounts; undefined where it is unknown. */
  readonly currency?: string | undefined;
  /** Kind of the points: periods in order of time, or named things such as customers. */
  readonly axis: "time" | "names";
  /** Arrangement of the series, at most three: bars side by side, or stacked. */
  readonly form: "bars" | "stacked";
  readonly series: readonly ChartSeries[];
  readonly points: readonly Point[];
  /** Index of the series that is drawn where there is room for only one. */
  readonly measure: number;
  /** Whether the amounts of a series can be summed: those of periods can, balances cannot. */
  readonly isSum: boolean;
}

export interface ChartSeries {
  readonly name: string;
  /** Amounts in cents, one for each point. */
  readonly amounts: readonly Cents[];
  /** Whether the series is drawn as a line over the bars; only for points in time. */
  readonly isLine?: boolean | undefined;
}

export interface Point {
  readonly label: string;
  /** Address on a web page that the bars of the point link to. */
  readonly href?: string | undefined;
}

/** Lowest and highest amount of a chart, in cents; always includes zero, where bars begin. */
export interface Extent {
  readonly low: number;
  readonly high: number;
}

/** Range of amounts that bars and lines cover. */
export function extentOf({ form, series, points }: Chart): Extent {
  const extremes = points.flatMap((_, at) => {
    const amounts = series.map((series) => series.amounts[at] ?? 0);
    if (form === "bars") return amounts;
    const lines = amounts.filter((_, of) => series[of]?.isLine);
    const bars = amounts.filter((_, of) => !series[of]?.isLine);
    return [...lines, sumOf(bars.filter((bar) => bar > 0)), sumOf(bars.filter((bar) => bar < 0))];
  });
  return { low: Math.min(0, ...extremes), high: Math.max(0, ...extremes) };
}

const sumOf = (amounts: readonly number[]) => amounts.reduce((sum, amount) => sum + amount, 0);

/**
 * Values of the scale at equal steps of 1, 2 or 5 times a power of ten that enclose an extent.
 *
 * @param tickMax  maximum number of steps
 */
export function ticksOf({ low, high }: Extent, tickMax: number): number[] {
  const span = high - low;
  if (span === 0) return [0];
  // A step is at least one whole unit of the currency.
  const stepMin = Math.max(100, span / tickMax);
  const magnitude = 10 ** Math.floor(Math.log10(stepMin));
  const step = magnitude * ([1, 2, 5].find((times) => times * magnitude >= stepMin) ?? 10);
  const firstTick = Math.floor(low / step);
  const lastTick = Math.ceil(high / step);
  return Array.from({ length: lastTick - firstTick + 1 }, (_, at) => (firstTick + at) * step);
}
