/** Charts as SVG: well-formed, named, without inline style, with bars in proportion. */
import { XMLParser, XMLValidator } from "fast-xml-parser";
import { expect, test } from "vitest";
import { drawingOf } from "../../../src/output/chart/drawing.ts";
import { chartStyle, chartSvg } from "../../../src/output/chart/svg.ts";
import { type Chart, ticksOf } from "../../../src/output/chart.ts";
import { fc, runs } from "../../support/properties.ts";
import { cents, chart, months, names } from "./charts.ts";

const svg = (of: Chart) => String(chartSvg(of, { id: "c1" }));

test("an SVG chart has a title and a description, to which its accessibility attributes refer", () => {
  const text = svg(months);
  expect(text).toContain('role="img" aria-labelledby="c1-title c1-desc"');
  expect(text).toContain('<title id="c1-title">Profit and Loss by month</title>');
  expect(text).toContain(
    '<desc id="c1-desc">Income: from 0.00 (Mar 26) to 12,000.00 (Jan 26). ' +
      "Expenses: from 120.00 (Mar 26) to 9,000.00 (Jan 26). " +
      "Net profit: from −500.50 (Feb 26) to 3,000.00 (Jan 26).</desc>",
  );
});

test("bars of an SVG chart with a target are named links, and the chart then has the role of a group", () => {
  const points = months.points.map(({ label }, at) => ({
    label,
    href: `/reports/pl?to=${at}&a=1`,
  }));
  const text = svg({ ...months, points });
  expect(text).toContain('role="group"');
  expect(text).toContain(
    '<a href="/reports/pl?to=0&#38;a=1" aria-label="Jan 26, Income: 12,000.00"><rect',
  );
});

test("names of records in an SVG chart are escaped, whatever they contain", () => {
  const text = svg({
    ...names,
    points: [{ label: '<b a="1">&' }],
    series: [{ name: "N", amounts: [cents(1)] }],
  });
  expect(text).not.toContain("<b ");
  expect(XMLValidator.validate(text)).toBe(true);
});

test("an SVG chart of any data is well-formed, stays within its frame, and has no style of its own", () => {
  fc.assert(
    fc.property(chart, fc.integer({ min: 320, max: 1200 }), (of, width) => {
      const text = String(chartSvg(of, { id: "c", width }));
      expect(XMLValidator.validate(text)).toBe(true);
      expect(text).not.toMatch(/ style=|<style|<script/);
      const { shapes, height } = drawingOf(of, width);
      for (const shape of shapes) {
        if (shape.shape !== "bar") continue;
        expect(shape.x).toBeGreaterThanOrEqual(0);
        expect(shape.x + shape.width).toBeLessThanOrEqual(width + 0.01);
        expect(shape.y).toBeGreaterThanOrEqual(0);
        expect(shape.y + shape.height).toBeLessThanOrEqual(height);
      }
    }),
    { numRuns: runs(400) },
  );
});

test("bars of an SVG chart have the lengths of their amounts", () => {
  const { shapes } = drawingOf({ ...months, series: months.series.slice(0, 1), measure: 0 }, 640);
  const heights = shapes.flatMap((each) => (each.shape === "bar" ? [each.height] : []));
  expect(heights).toHaveLength(2);
  expect((heights[0] ?? 0) / (heights[1] ?? 1)).toBeCloseTo(1.5, 6);
});

test("stacked bars begin where the preceding ones end", () => {
  const series = [
    { name: "Current", amounts: [cents(60_000)] },
    { name: "Overdue", amounts: [cents(40_000)] },
    { name: "Credits", amounts: [cents(-10_000)] },
  ];
  const stacked: Chart = {
    ...months,
    form: "stacked",
    series,
    points: [{ label: "Now" }],
    measure: 0,
  };
  const bars = drawingOf(stacked, 640).shapes.flatMap((each) =>
    each.shape === "bar" && each.says !== "" ? [each] : [],
  );
  const [current, overdue, credits] = bars;
  expect(current?.y).toBeCloseTo((overdue?.y ?? 0) + (overdue?.height ?? 0), 6);
  expect(credits?.y).toBeCloseTo((current?.y ?? 0) + (current?.height ?? 0), 6);
  expect(new Set(bars.map(({ x }) => x)).size).toBe(1);
});

test.each([
  [{ low: 0, high: 812_750 }, [0, 200_000, 400_000, 600_000, 800_000, 1_000_000]],
  [{ low: -164_620, high: 450_743 }, [-200_000, 0, 200_000, 400_000, 600_000]],
  [{ low: 0, high: 3 }, [0, 100]],
  [{ low: 0, high: 0 }, [0]],
])("the scale of a chart of %o has round steps", (extent, ticks) => {
  expect(ticksOf(extent, 5).map((tick) => tick + 0)).toEqual(ticks);
});

test("a printed chart does not depend on the colours of the screen", () => {
  expect(chartStyle.match(/@media[^{]*/g)).toEqual([
    "@media screen and (prefers-color-scheme:dark)",
  ]);
  const parsed = new XMLParser({ ignoreAttributes: false }).parse(svg(months));
  expect(JSON.stringify(parsed)).toContain("#0b3d70");
});
