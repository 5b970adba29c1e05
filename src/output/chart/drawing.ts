/**
 * Computes the shapes of a chart and their positions in points; rendered as SVG or as PDF paths.
 * Points in time run from left to right, named things from top to bottom.
 */
import type { Cents } from "../../resources/decimal.ts";
import { type Chart, extentOf, ticksOf } from "../chart.ts";
import { displayWidth, truncate } from "../display-width.ts";
import { amount, type Marks, marksOf } from "../figures.ts";

/** Tone of a shape: two solid tones and an outline for bars, ink for lines. */
export type Tone = "first" | "second" | "outline" | "ink";

export type Mark =
  | {
      readonly shape: "bar";
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly tone: Tone;
      /** Text of the bar for tooltips and screen readers: `Mar 26, Income: 12,300.00` */
      readonly says: string;
      readonly href?: string | undefined;
    }
  | {
      readonly shape: "line";
      readonly points: readonly (readonly [x: number, y: number])[];
      readonly says: readonly string[];
    }
  | {
      /** Line of the scale; `isBase` marks the zero line. */
      readonly shape: "rule";
      readonly from: readonly [x: number, y: number];
      readonly to: readonly [x: number, y: number];
      readonly isBase: boolean;
    }
  | {
      readonly shape: "text";
      readonly x: number;
      /** Vertical position of the baseline of the text. */
      readonly y: number;
      readonly anchor: "start" | "middle" | "end";
      readonly text: string;
      readonly isSoft: boolean;
    };

export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Mark[];
}

/** Height of a letter in points; the next is the approximate width of one. */
export const letterSize = 12;
const letterWidth = 7;
const lineHeight = 18;
const plotHeight = 200;
const barHeight = 20;
const space = 8;
const stepsMost = 5;

const tones = ["first", "second", "outline"] as const satisfies readonly Tone[];
const toneOf = (seriesIndex: number): Tone => tones[seriesIndex] ?? "outline";

const widthOf = (text: string) => displayWidth(text) * letterWidth;

/** Computes the drawing of a chart. @param width  width of the drawing in points, at least 320 */
export function drawingOf(chart: Chart, width: number, numberMarks = marksOf(undefined)): Drawing {
  const legend = legendOf(chart, width);
  const parts = chart.axis === "time" ? columnsOf : rowsOf;
  const plot = parts(chart, width, numberMarks);
  const movedMarks = plot.shapes.map((shape) => shiftDown(shape, legend.height));
  return {
    width,
    height: legend.height + plot.height,
    shapes: [...legend.shapes, ...movedMarks],
  };
}

function shiftDown(shape: Mark, by: number): Mark {
  const at = ([x, y]: readonly [number, number]) => [x, y + by] as const;
  switch (shape.shape) {
    case "line":
      return { ...shape, points: shape.points.map(at) };
    case "rule":
      return { ...shape, from: at(shape.from), to: at(shape.to) };
    default:
      return { ...shape, y: shape.y + by };
  }
}

// --- parts ---------------------------------------------------------------------------------------

/** Legend above the plot: the names of the series beside their tones; empty for a single series. */
function legendOf({ series }: Chart, width: number): { shapes: Mark[]; height: number } {
  if (series.length < 2) return { shapes: [], height: 0 };
  const legendMarks: Mark[] = [];
  let [x, y] = [0, 0];
  for (const [at, { name, isLine }] of series.entries()) {
    const spaceWidth = letterSize + 6 + widthOf(name);
    if (x > 0 && x + spaceWidth > width) [x, y] = [0, y + lineHeight];
    const middleY = y + lineHeight / 2 - 2;
    legendMarks.push(
      isLine
        ? {
            shape: "line",
            points: [
              [x, middleY],
              [x + letterSize, middleY],
            ],
            says: [],
          }
        : {
            shape: "bar",
            x,
            y: middleY - letterSize / 2,
            width: letterSize,
            height: letterSize,
            tone: toneOf(at),
            says: "",
          },
      asText(x + letterSize + 6, middleY + 4, "start", name),
    );
    x += spaceWidth + 20;
  }
  return { shapes: legendMarks, height: y + lineHeight + space };
}

function asText(
  x: number,
  y: number,
  anchor: "start" | "middle" | "end",
  words: string,
  isSoft = false,
): Mark {
  return { shape: "text", x, y, anchor, text: words, isSoft };
}

/** Function that formats the amounts of a chart. */
const writerOf =
  ({ currency = "" }: Chart, numberMarks: Marks) =>
  (cents: number) =>
    amount(cents as Cents, currency, numberMarks);

/** Bars of one point: start and end of each, in cents. */
function barsAt({ form, series }: Chart, pointIndex: number) {
  const bars = series.flatMap((series, of) => {
    const cents = series.amounts[pointIndex] ?? 0;
    return series.isLine ? [] : [{ of, name: series.name, cents }];
  });
  if (form === "bars") {
    return bars.map((bar, index) => ({ ...bar, from: 0, to: bar.cents, place: index }));
  }
  const barEnds = { above: 0, below: 0 };
  return bars.map((bar) => {
    const direction = bar.cents < 0 ? "below" : "above";
    const barStart = barEnds[direction];
    barEnds[direction] += bar.cents;
    return { ...bar, from: barStart, to: barEnds[direction], place: 0 };
  });
}

/** Draws points in time as columns above their labels, with a scale on the left. */
function columnsOf(chart: Chart, width: number, marks: Marks): { shapes: Mark[]; height: number } {
  const figure = writerOf(chart, marks);
  // Steps of the scale are whole units of the currency, so decimals are dropped.
  const tickText = (tick: number) => figure(tick).replace(/[.,]00$/, "");
  const { points, series, form } = chart;
  const extent = extentOf(chart);
  const ticks = ticksOf(extent, stepsMost);
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 0];
  const leftMargin = Math.max(...ticks.map((tick) => widthOf(tickText(tick)))) + space;
  const topY = letterSize;
  const bottom = topY + plotHeight;
  const y = (cents: number) =>
    high === low ? bottom : bottom - ((cents - low) / (high - low)) * plotHeight;
  const step = (width - leftMargin) / Math.max(1, points.length);
  const barsBeside = form === "bars" ? series.filter(({ isLine }) => !isLine).length : 1;
  const barWidth = Math.min(48, (step * 0.72) / Math.max(1, barsBeside));
  const drawnMarks: Mark[] = ticks.flatMap((tick): Mark[] => [
    { shape: "rule", from: [leftMargin, y(tick)], to: [width, y(tick)], isBase: tick === 0 },
    asText(leftMargin - space, y(tick) + 4, "end", tickText(tick), true),
  ]);
  const center = (at: number) => leftMargin + step * (at + 0.5);
  for (const [at, { label, href }] of points.entries()) {
    for (const { of, name, cents, from, to, place } of barsAt(chart, at)) {
      if (cents === 0) continue;
      const [upper, lower] = [y(Math.max(from, to)), y(Math.min(from, to))];
      drawnMarks.push({
        shape: "bar",
        x: center(at) - (barWidth * barsBeside) / 2 + barWidth * place,
        y: upper,
        width: barWidth,
        height: Math.max(1, lower - upper),
        tone: toneOf(of),
        says: `${label}, ${name}: ${figure(cents)}`,
        href,
      });
    }
  }
  for (const { name, amounts, isLine } of series) {
    if (!isLine) continue;
    drawnMarks.push({
      shape: "line",
      points: points.map((_, at) => [center(at), y(amounts[at] ?? 0)]),
      says: points.map(({ label }, at) => `${label}, ${name}: ${figure(amounts[at] ?? 0)}`),
    });
  }
  // Labels that would overlap are left out, except for the last.
  const widestWidth = Math.max(...points.map(({ label }) => widthOf(label)), 0) + letterWidth;
  const labelStep = Math.max(1, Math.ceil(widestWidth / step));
  for (const [at, { label }] of points.entries()) {
    if ((points.length - 1 - at) % labelStep !== 0) continue;
    drawnMarks.push(asText(center(at), bottom + lineHeight, "middle", label, true));
  }
  return { shapes: drawnMarks, height: bottom + lineHeight + space };
}

/** Draws named things as rows with their labels, each bar with its amount. */
function rowsOf(chart: Chart, width: number, marks: Marks): { shapes: Mark[]; height: number } {
  const figure = writerOf(chart, marks);
  const { points, form, series } = chart;
  const letterCount = Math.floor((width * 0.3) / letterWidth);
  const labels = points.map(({ label }) => truncate(label, Math.max(4, letterCount)));
  const left = Math.max(...labels.map(widthOf), 0) + space;
  const allBars = points.map((_, at) => barsAt(chart, at));
  const rows = allBars.map((bars) =>
    form === "stacked"
      ? [figure(bars.reduce((sum, { cents }) => sum + cents, 0))]
      : bars.map(({ cents }) => figure(cents)),
  );
  const rightWidth = Math.max(...rows.flat().map(widthOf), 0) + space;
  const { low, high } = extentOf({
    ...chart,
    series: series.map((series) => ({ ...series, isLine: false })),
  });
  const room = Math.max(1, width - left - rightWidth);
  const x = (cents: number) => (high === low ? left : left + ((cents - low) / (high - low)) * room);
  const barsBeside = form === "bars" ? Math.max(1, ...allBars.map((bars) => bars.length)) : 1;
  const step = barHeight * barsBeside + space;
  const drawnMarks: Mark[] = [];
  for (const [at, label] of labels.entries()) {
    const topY = at * step;
    drawnMarks.push(asText(left - space, topY + (barHeight * barsBeside) / 2 + 4, "end", label));
    for (const { of, name, cents, from, to, place } of allBars[at] ?? []) {
      const [begin, end] = [x(Math.min(from, to)), x(Math.max(from, to))];
      const y = topY + barHeight * place;
      if (cents !== 0) {
        drawnMarks.push({
          shape: "bar",
          x: begin,
          y: y + 1,
          width: Math.max(1, end - begin),
          height: barHeight - 2,
          tone: toneOf(of),
          says: `${points[at]?.label}, ${name}: ${figure(cents)}`,
          href: points[at]?.href,
        });
      }
    }
    for (const [place, words] of (rows[at] ?? []).entries()) {
      const ends = (allBars[at] ?? []).filter((bar) => form === "stacked" || bar.place === place);
      const rightEnd = Math.max(...ends.map(({ from, to }) => Math.max(from, to)), 0);
      drawnMarks.push(
        asText(x(rightEnd) + 4, topY + barHeight * place + barHeight / 2 + 4, "start", words, true),
      );
    }
  }
  const height = points.length * step;
  const zeroAt = x(0);
  drawnMarks.push({ shape: "rule", from: [zeroAt, 0], to: [zeroAt, height - space], isBase: true });
  return { shapes: drawnMarks, height };
}
