/**
 * Renders charts on a terminal: figures first, then bars of block characters in eighths of a
 * column, or of `#`.
 *
 * Lines fit the width: labels take at most three tenths of it, bars the rest after the figures.
 * Where the rest is too small, or the terminal too narrow, only figures are shown. Colour never
 * carries information of its own.
 */
import type { Cents } from "../../resources/decimal.ts";
import { type Chart, type ChartSeries, extentOf } from "../chart.ts";
import { displayWidth, pad, truncate } from "../display-width.ts";
import { amount, type Marks, marksOf } from "../figures.ts";

export interface TerminalOptions {
  /** Width of the terminal in columns. */
  readonly width: number;
  /** Whether the terminal can show block characters (`hasBlocks` of `display-width.ts`). */
  readonly blocks: boolean;
  /**
   * Decimal mark, thousands separator and minus of figures; those of most countries when not given.
   */
  readonly numberMarks?: Marks | undefined;
  readonly paint?: ChartPaint | undefined;
}

/** Functions that add escape sequences for colour to text; the sequences take no columns. */
export interface ChartPaint {
  readonly strong: (text: string) => string;
  readonly above: (text: string) => string;
  readonly below: (text: string) => string;
}

/** Usual marks with the ASCII hyphen as minus sign, which can be typed on a terminal. */
const usualMarks = marksOf(undefined, "-");
const plain: ChartPaint = { strong: (text) => text, above: (text) => text, below: (text) => text };

const gap = 2;
const barMin = 8;
/** Minimum width in columns for bars; narrower terminals get figures only. */
const widthMin = 40;
const labelPart = 0.3;
const labelMin = 8;

/** Lines of a chart, with the names of its series above and their sums below. */
export function chartLines(
  chart: Chart,
  { width, blocks, numberMarks: marks = usualMarks, paint = plain }: TerminalOptions,
): string[] {
  const { points, measure } = chart;
  const labels = points.map(({ label }) => label);
  const rowLabels = chart.isSum && points.length > 1 ? [...labels, "Total"] : labels;
  const widthMax = Math.max(...rowLabels.map(displayWidth), 0);
  const columns = chart.series.map((series) => columnOf(chart, series, marks));
  const measured = columns.filter((_, at) => at === measure);
  const roomFor = (some: readonly FigureColumn[], namesWidth: number) =>
    width - namesWidth - some.reduce((sum, column) => sum + gap + column.width, 0);
  const labelWidth = Math.min(widthMax, Math.max(labelMin, Math.floor(width * labelPart)));
  const barRoom = (some: readonly FigureColumn[]) => roomFor(some, labelWidth) - gap;
  const hasBars = width >= widthMin && barRoom(measured) >= barMin;
  const isAllShown = hasBars
    ? barRoom(columns) >= barMin
    : roomFor(columns, Math.min(widthMax, labelMin)) >= 0;
  const shown = isAllShown ? columns : measured;
  const label = hasBars ? labelWidth : Math.min(widthMax, Math.max(labelMin, roomFor(shown, 0)));
  const bar = hasBars ? barsOf(chart, barRoom(shown), blocks, paint) : () => "";
  const line = (text: string, figures: readonly string[], lineEnd = "") =>
    [
      pad(truncate(text, label), label, "left"),
      ...figures.map((figure, at) => pad(figure, shown[at]?.width ?? 0, "right")),
      lineEnd,
    ]
      .join(" ".repeat(gap))
      .trimEnd();
  const heading = line(
    "",
    shown.map(({ name }) => name),
  );
  const rows = labels.map((text, at) =>
    line(
      text,
      shown.map(({ figures }) => figures[at] ?? ""),
      bar(at),
    ),
  );
  const total = line(
    "Total",
    shown.map(({ sum }) => sum),
  );
  const totals = rowLabels.length > labels.length ? [paint.strong(total)] : [];
  return [paint.strong(heading), ...rows, ...totals];
}

interface FigureColumn {
  readonly name: string;
  readonly figures: readonly string[];
  readonly sum: string;
  readonly width: number;
}

function columnOf({ currency = "", isSum, points }: Chart, series: ChartSeries, marks: Marks) {
  const figures = points.map((_, at) =>
    amount((series.amounts[at] ?? 0) as Cents, currency, marks),
  );
  const totalCents = series.amounts.reduce((sum: number, amount) => sum + amount, 0) as Cents;
  const sum = isSum ? amount(totalCents, currency, marks) : "";
  const width = Math.max(...[series.name, sum, ...figures].map(displayWidth));
  return { name: series.name, figures, sum, width };
}

// --- bars ----------------------------------------------------------------------------------------

/** Block characters by width in eighths of a column, filled from the left. */
const eighths = ["", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"];
const full = "\u2588";
/** Block character for the right half of a column, at the end of a bar to the left. */
const rightHalf = "\u2590";

/** Bar of each point; bars of negative amounts extend to the left of the zero line. */
function barsOf(chart: Chart, width: number, hasBlocks: boolean, paint: ChartPaint) {
  const series = chart.series[chart.measure];
  const amounts = series?.amounts ?? [];
  const { low, high } = extentOf({ ...chart, form: "bars", series: series ? [series] : [] });
  const span = high - low;
  if (span === 0) return () => "";
  const line = low < 0 ? 1 : 0;
  const barWidth = width - line;
  const leftPart = Math.max(1, Math.round((barWidth * -low) / span));
  const leftWidth = low < 0 ? Math.min(leftPart, high > 0 ? barWidth - 1 : barWidth) : 0;
  // The longer side sets the scale of both sides.
  const scale = Math.min(
    leftWidth === 0 ? Number.POSITIVE_INFINITY : leftWidth / -low,
    high === 0 ? Number.POSITIVE_INFINITY : (barWidth - leftWidth) / high,
  );
  return (at: number): string => {
    const cents = amounts[at] ?? 0;
    const length = Math.abs(cents) * scale;
    const below = cents < 0 ? leftBar(length, hasBlocks) : "";
    const above = cents > 0 ? rightBar(length, hasBlocks) : "";
    if (line === 0) return paint.above(above);
    return `${" ".repeat(leftWidth - below.length)}${paint.below(below)}|${paint.above(above)}`;
  };
}

/** A bar to the right; a length above zero shows at least the smallest block. */
function rightBar(length: number, hasBlocks: boolean): string {
  if (!hasBlocks) return "#".repeat(Math.max(1, Math.round(length)));
  const eighthCount = Math.max(1, Math.round(length * 8));
  return full.repeat(Math.floor(eighthCount / 8)) + (eighths[eighthCount % 8] ?? "");
}

function leftBar(length: number, hasBlocks: boolean): string {
  if (!hasBlocks) return "#".repeat(Math.max(1, Math.round(length)));
  const halfCount = Math.max(1, Math.round(length * 2));
  return (halfCount % 2 === 1 ? rightHalf : "") + full.repeat(Math.floor(halfCount / 2));
}

// --- sparklines ----------------------------------------------------------------------------------

const levels = "\u2581\u2582\u2583\u2584\u2585\u2586\u2587\u2588";
const asciiLevels = ".:-=+*#@";

/** Sparkline: a block character per amount, scaled from the lowest to the highest amount. */
export function drawSparkline(amounts: readonly number[], hasBlocks: boolean): string {
  const steps = hasBlocks ? levels : asciiLevels;
  const [low, high] = [Math.min(...amounts), Math.max(...amounts)];
  return amounts
    .map((amount) => {
      const level = high === low ? 0 : Math.round(((amount - low) / (high - low)) * 7);
      return steps[level] ?? "";
    })
    .join("");
}
