/** Charts on a terminal fit its width, keep their figures and draw bars in proportion. */
import { expect, test } from "vitest";
import { chartLines, drawSparkline } from "../../../src/output/chart/terminal.ts";
import type { Chart } from "../../../src/output/chart.ts";
import { displayWidth, hasBlocks } from "../../../src/output/display-width.ts";
import { fc, runs } from "../../support/properties.ts";
import { cents, chart, months, names } from "./charts.ts";

const drawn = (of: Chart, width: number, blocks = true) =>
  `\n${chartLines(of, { width, blocks })
    .map((line) => `${line}\n`)
    .join("")}`;

test("a terminal chart prints figures first, then bars, with negative amounts left of the axis", () => {
  expect(drawn(months, 72)).toBe(`
           Income   Expenses  Net profit
Jan 26  12,000.00   9,000.00    3,000.00      |████████████████████████
Feb 26   8,000.00   8,500.50     -500.50  ████|
Mar 26       0.00     120.00     -120.00     █|
Total   20,000.00  17,620.50    2,379.50
`);
});

test("a terminal too narrow for all figures and a bar gets only the figures of the charted measure", () => {
  expect(drawn(months, 44)).toBe(`
        Net profit
Jan 26    3,000.00     |██████████████████
Feb 26     -500.50  ███|
Mar 26     -120.00    ▐|
Total     2,379.50
`);
});

test("a chart on a terminal below forty columns prints figures without bars", () => {
  expect(drawn(months, 39)).toBe(`
        Net profit
Jan 26    3,000.00
Feb 26     -500.50
Mar 26     -120.00
Total     2,379.50
`);
});

test("a chart on a terminal without block characters is drawn in ASCII", () => {
  const text = drawn(months, 72, false);
  expect(text).toMatch(/^Feb 26 .* -500\.50 {2}#+\|$/m);
  expect(text).not.toMatch(/[^\n -~]/);
});

test("names in a terminal chart take at most three tenths of the line, and wide letters count twice", () => {
  expect(drawn(names, 60)).toBe(`
                         Net
Estuary Lodge         984.00  ██████████████████████████████
陶器の店 かもめ       492.00  ███████████████
A customer with a…      0.03  ▏
Nobody                  0.00
Total               1,476.03
`);
});

test("bars of a terminal chart have the lengths of their amounts to an eighth of a column", () => {
  const amounts = [8, 4, 2, 1, 0.5, 0.25, 0.125].map((part) => cents(part * 100_000));
  const points = amounts.map((_, at) => ({ label: `P${at}` }));
  const series = [{ name: "Net", amounts }];
  const lines = chartLines({ ...names, points, series, isSum: false }, { width: 86, blocks: true });
  const eighths = lines.slice(1).map((line) => {
    const bar = /[\u2588-\u258f]*$/.exec(line)?.[0] ?? "";
    return [...bar].reduce((all, each) => all + 0x2590 - (each.codePointAt(0) ?? 0), 0);
  });
  expect(eighths).toEqual([8, 4, 2, 1, 0.5, 0.25, 0.125].map((part) => (part * 72 * 8) / 8));
});

test("no chart line is wider than the terminal, and an amount other than zero is visible", () => {
  fc.assert(
    fc.property(chart, fc.integer({ min: 34, max: 200 }), fc.boolean(), (of, width, blocks) => {
      const lines = chartLines(of, { width, blocks });
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const hasTotal = of.isSum && of.points.length > 1;
      expect(lines).toHaveLength(1 + of.points.length + (hasTotal ? 1 : 0));
      if (width < 60) return;
      of.points.forEach((_, at) => {
        const isDrawn = (of.series[of.measure]?.amounts[at] ?? 0) !== 0;
        const bars = /(?:[\u2588-\u2590]+|#+)\|?$/;
        expect([of.points[at], bars.test(lines[at + 1] ?? "")]).toEqual([of.points[at], isDrawn]);
      });
    }),
    { numRuns: runs(2000) },
  );
});

test("a sparkline is scaled from the lowest to the highest of its amounts", () => {
  expect(drawSparkline([0, 1, 2, 3, 4, 5, 6, 7], true)).toBe("▁▂▃▄▅▆▇█");
  expect(drawSparkline([0, 1, 2, 3, 4, 5, 6, 7], false)).toBe(".:-=+*#@");
  expect(drawSparkline([-5, -5, 100], true)).toBe("▁▁█");
  expect(drawSparkline([7, 7], true)).toBe("▁▁");
  expect(drawSparkline([], true)).toBe("");
});

test.each([
  [{ LANG: "en_NZ.UTF-8" }, true],
  [{ LC_ALL: "C", LANG: "en_NZ.UTF-8" }, false],
  [{ LC_ALL: "", LC_CTYPE: "C.utf8", LANG: "C" }, true],
  [{}, false],
  [{ LANG: "ja_JP.UTF-8" }, false],
  [{ LANG: "en_NZ.UTF-8", TERM: "linux" }, false],
  [{ LANG: "en_NZ.UTF-8", TERM: "dumb" }, false],
  [{ LANG: "en_NZ.UTF-8", TERM: "xterm" }, true],
])("the terminal %o supports block characters: %s", (env, shows) => {
  expect(hasBlocks(env, "linux")).toBe(shows);
});

test("on Windows a terminal supports block characters only if WT_SESSION is set", () => {
  expect(hasBlocks({ WT_SESSION: "1" }, "win32")).toBe(true);
  expect(hasBlocks({ LANG: "en_NZ.UTF-8" }, "win32")).toBe(false);
});
