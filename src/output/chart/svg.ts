/**
 * Renders charts on a web page as SVG, without script or `style`, readable in light and dark mode,
 * in print and in greyscale.
 *
 * Tones are written as attributes, for pages without a style sheet; the classes of `chartStyle`
 * override them, and use the light colours in print.
 */
import type { Cents } from "../../resources/decimal.ts";
import type { Chart } from "../chart.ts";
import { amount, type Marks, marksOf } from "../figures.ts";
import { html, Markup } from "../markup.ts";
import { drawingOf, letterSize, type Mark, type Tone } from "./drawing.ts";

export interface SvgOptions {
  /** Prefix of the ids in the SVG, unique on its page. */
  readonly id: string;
  /** Width of the drawing in points; the SVG scales to the width of its container. */
  readonly width?: number;
  /**
   * Decimal mark, thousands separator and minus of figures; those of most countries when not given.
   */
  readonly marks?: Marks | undefined;
}

/** Colours of the tones, with a contrast of 3:1 to white and to each other. */
export const tones: Readonly<Record<Tone, string>> = {
  first: "#0b3d70",
  second: "#5b95d6",
  outline: "#1b2733",
  ink: "#1b2733",
};

/** CSS rules for charts, to be included in the style sheet of a page. */
export const chartStyle = `
.chart{display:block;width:100%;height:auto;max-width:48rem;font:${letterSize}px system-ui,sans-serif}
.chart a:focus-visible{outline:3px solid #0b5cad}
@media screen and (prefers-color-scheme:dark){
.chart .c-first{fill:#3470b0}.chart .c-second{fill:#b4d6ff}
.chart .c-outline,.chart .c-line{stroke:#e8edf2}.chart .c-dot{fill:#e8edf2}
.chart .c-margin{stroke:#12181f}
.chart .c-text{fill:#e8edf2}.chart .c-soft{fill:#a9b6c3}.chart .c-rule{stroke:#3a4653}.chart .c-base{stroke:#a9b6c3}
.chart a:focus-visible{outline-color:#8fc2ff}}
`;

/**
 * Renders a chart as an `svg` element.
 *
 * A chart with linked bars consists of named links; any other is an image with a title and a
 * description, next to a table of the same figures.
 */
export function chartSvg(
  chart: Chart,
  { id, width = 640, marks = marksOf(undefined) }: SvgOptions,
): Markup {
  const { shapes, height, ...drawing } = drawingOf(chart, width, marks);
  const hasLinks = chart.points.some(({ href }) => href !== undefined);
  const role = hasLinks ? "group" : "img";
  return html`<svg class="chart" xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${drawing.width} ${rounded(height)}" role="${role}" aria-labelledby="${id}-title ${id}-desc">
<title id="${id}-title">${chart.title}</title>
<desc id="${id}-desc">${descriptionOf(chart, marks)}</desc>
${shapes.map((shape) => html`${shapeMarkup(shape)}\n`)}</svg>`;
}

/**
 * Describes the ends of each series in words: `Income: from 3,928.00 (Nov 26) to 6,155.50 (Oct
 * 26).`
 */
export function descriptionOf({ series, points, currency = "" }: Chart, marks: Marks): string {
  if (points.length === 0) return "There is nothing to show.";
  return series
    .map(({ name, amounts }) => {
      const pointValues = points.map((point, at) => ({ point, cents: amounts[at] ?? 0 }));
      const sorted = pointValues.toSorted((a, b) => a.cents - b.cents);
      const [low, high] = [sorted[0], sorted.at(-1)];
      const endText = (extreme: (typeof pointValues)[number] | undefined) =>
        `${amount((extreme?.cents ?? 0) as Cents, currency, marks)} (${extreme?.point.label})`;
      return low?.cents === high?.cents
        ? `${name}: ${endText(high)}.`
        : `${name}: from ${endText(low)} to ${endText(high)}.`;
    })
    .join(" ");
}

const rounded = (value: number) => Math.round(value * 100) / 100;

function shapeMarkup(shape: Mark): Markup {
  switch (shape.shape) {
    case "bar":
      return barMarkup(shape);
    case "line": {
      const points = shape.points.map(([x, y]) => `${rounded(x)},${rounded(y)}`);
      const dots = shape.says.map((says, at) => {
        const [x, y] = shape.points[at] ?? [0, 0];
        return html`<circle class="c-dot" fill="${tones.ink}" cx="${rounded(x)}" cy="${rounded(y)}" r="3"><title>${says}</title></circle>`;
      });
      const path = points.join(" ");
      // A white outline separates the line from dark bars.
      return html`<polyline class="c-margin" fill="none" stroke="#fff" stroke-width="5" points="${path}"/><polyline class="c-line" fill="none" stroke="${tones.ink}" stroke-width="2" points="${path}"/>${dots}`;
    }
    case "rule": {
      const [[x1, y1], [x2, y2]] = [shape.from, shape.to];
      const [name, color] = shape.isBase ? ["c-base", "#566472"] : ["c-rule", "#d5dbe1"];
      return html`<line class="${name}" stroke="${color}" x1="${rounded(x1)}" y1="${rounded(y1)}" x2="${rounded(x2)}" y2="${rounded(y2)}"/>`;
    }
    case "text": {
      const [name, color] = shape.isSoft ? ["c-soft", "#566472"] : ["c-text", "#1b2733"];
      return html`<text class="${name}" fill="${color}" font-size="${letterSize}" text-anchor="${shape.anchor}" x="${rounded(shape.x)}" y="${rounded(shape.y)}">${shape.text}</text>`;
    }
  }
}

function barMarkup({ x, y, width, height, tone, says, href }: Extract<Mark, { shape: "bar" }>) {
  const title = says === "" ? "" : html`<title>${says}</title>`;
  const paint =
    tone === "outline"
      ? new Markup(`fill="none" stroke="${tones.outline}"`)
      : new Markup(`fill="${tones[tone]}"`);
  const rect = html`<rect class="c-${tone}" ${paint} x="${rounded(x)}" y="${rounded(y)}" width="${rounded(width)}" height="${rounded(height)}">${title}</rect>`;
  return href === undefined ? rect : html`<a href="${href}" aria-label="${says}">${rect}</a>`;
}
