/** Prints charts in PDF: the shapes of a drawing as paths, its text in the font of documents. */

import { drawingOf, letterSize, type Mark } from "../chart/drawing.ts";
import { descriptionOf, tones } from "../chart/svg.ts";
import type { Chart } from "../chart.ts";
import type { Marks } from "../figures.ts";
import type { Pen, Sheet } from "./paper-sheet.ts";
import { baselineOf, colors, type Style } from "./type.ts";

/** Width of the drawing in points, which determines the size of its text on the sheet. */
const drawnWidth = 640;
const gap = 14;

/** Prints a chart over the width of the sheet; on the next page if it does not fit. */
export function printChart(sheet: Sheet, chart: Chart, numberMarks: Marks): void {
  const { width, height, shapes } = drawingOf(chart, drawnWidth, numberMarks);
  const scale = Math.min(sheet.width, 560) / width;
  sheet.ensureRoom(height * scale + gap);
  const words = `${chart.title}. ${descriptionOf(chart, numberMarks)}`;
  const at = { left: sheet.left, top: sheet.y, scale };
  sheet.figure(words, (pen) => {
    for (const shape of shapes) print(sheet, pen, shape, at);
  });
  sheet.y += height * scale + gap;
}

interface Corner {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
}

function print(sheet: Sheet, pen: Pen, shape: Mark, { left, top, scale }: Corner): void {
  const x = (value: number) => left + value * scale;
  const y = (value: number) => top + value * scale;
  const at = ([toX, toY]: readonly [number, number]) => [x(toX), y(toY)] as const;
  switch (shape.shape) {
    case "bar": {
      const draw = shape.tone === "outline" ? pen.outline : pen.fill;
      const [width, height] = [shape.width * scale, shape.height * scale];
      draw(x(shape.x), y(shape.y), width, height, tones[shape.tone]);
      break;
    }
    case "line": {
      const points = shape.points.map(at);
      pen.line(points, 3.5, "#ffffff");
      pen.line(points, 1.5, tones.ink);
      break;
    }
    case "rule": {
      const color = shape.isBase ? colors.soft : colors.line;
      pen.line([at(shape.from), at(shape.to)], 0.5, color);
      break;
    }
    case "text": {
      const size = letterSize * scale;
      const color = shape.isSoft ? colors.soft : colors.ink;
      const style: Style = { font: "regular", size, leading: size, color };
      const width = sheet.measure(shape.text, style);
      const offsetLeft = { start: 0, middle: width / 2, end: width }[shape.anchor];
      // The shape gives the baseline of the text, but the sheet wants the top of its box.
      const topY = y(shape.y) - baselineOf(0, style);
      sheet.put(shape.text, x(shape.x) - offsetLeft, topY, style);
    }
  }
}
