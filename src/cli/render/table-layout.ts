/**
 * Formats tables without borders: a heading row, and two spaces between columns.
 *
 * The layout is the program's own: cli-table3 takes 24 ms for the first hundred rows of seven
 * columns, more than starting Node (here: 2 ms), and 93 us for each further row (here: 2 us); it
 * also truncates numbers, and measures combining marks and joined emoji differently from terminals.
 *
 * Rows come in batches, since a list may have a million: columns are as wide as the widest cell so
 * far, so a later batch may shift columns to the right, but never truncates more than necessary.
 */

import { displayWidth, pad, truncate, wrapText } from "../../output/display-width.ts";
import { type Paint, plainPaint, statusStroke } from "./paint.ts";
import { safeLine } from "./safe.ts";

export interface TableColumn {
  readonly heading: string;
  readonly align: "left" | "right";
  /**
   * Order in which columns are narrowed: ids first, then text, then names; numbers and dates never.
   */
  readonly shrinks: "id" | "text" | "name" | "never";
  /** Whether cells are statuses, which have colours. */
  readonly status?: boolean;
}

export interface TableOptions {
  /** Terminal width in columns; undefined for no limit. */
  readonly width: number | undefined;
  readonly paint?: Paint;
}

const gap = "  ";
/** Minimum width that distinguishes ids and numbers. */
const nameWidthMin = 9;
const headingWidthMin = 3;
/** Minimum width of an id, which is shown whole where there is room. */
export const idWidthMin = nameWidthMin;

const textWidthMin = 6;
/** Minimum column widths, from the first attempt to fit to the last. */
const attempts = [
  { text: Number.POSITIVE_INFINITY, names: Number.POSITIVE_INFINITY, wholeWords: true },
  { text: 24, names: Number.POSITIVE_INFINITY, wholeWords: true },
  { text: 12, names: Number.POSITIVE_INFINITY, wholeWords: true },
  { text: textWidthMin, names: nameWidthMin, wholeWords: false },
] as const;

export class Table {
  readonly #columns: readonly TableColumn[];
  readonly #width: number | undefined;
  readonly #paint: Paint;
  readonly #headings: readonly string[];
  /** Width of the widest cell of each column so far. */
  readonly #widest: number[];
  #began = false;

  constructor(columns: readonly TableColumn[], { width, paint = plainPaint }: TableOptions) {
    this.#columns = columns;
    this.#width = width;
    this.#paint = paint;
    this.#headings = columns.map(({ heading }) => safeLine(heading));
    this.#widest = columns.map(() => 0);
  }

  /**
   * Returns the lines of further rows; the first call includes the headings. Where even shortened
   * columns do not fit, each row becomes a block with a line per cell.
   */
  lines(rows: readonly (readonly string[])[]): string[] {
    const cells = rows.map((row) => this.#columns.map((_, at) => safeLine(row[at] ?? "")));
    for (const row of cells) {
      for (const [at, cell] of row.entries()) {
        this.#widest[at] = Math.max(this.#widest[at] ?? 0, displayWidth(cell));
      }
    }
    const widths = this.#fitted();
    if (!widths) return cells.flatMap((row, at) => this.#block(row, at === 0 && !this.#began));
    const lines = cells.map((row) => this.#line(row, widths));
    if (this.#began) return lines;
    this.#began = true;
    return [...this.#headingLines(widths), ...lines];
  }

  /**
   * Returns the lines of totals: a rule, and rows whose names extend over the empty cells after
   * them. Columns widen for them as for any row.
   */
  totals(rows: readonly (readonly string[])[]): string[] {
    if (rows.length === 0) return [];
    const cells = rows.map((row) => this.#columns.map((_, at) => safeLine(row[at] ?? "")));
    for (const row of cells) {
      for (const [at, cell] of row.entries()) {
        if (at > 0) this.#widest[at] = Math.max(this.#widest[at] ?? 0, displayWidth(cell));
      }
    }
    const widths = this.#fitted();
    if (!widths) return cells.flatMap((row) => this.#block(row, false, true));
    const rule = this.#columns.map(({ align }, at) =>
      align === "right" && cells.some((row) => row[at] !== "") ? "-".repeat(widths[at] ?? 0) : "",
    );
    return [this.#line(rule, widths), ...cells.flatMap((row) => this.#totalLines(row, widths))];
  }

  /** Lines of a total; a name that does not fit over the empty cells has a line of its own. */
  #totalLines(cells: readonly string[], widths: readonly number[]): string[] {
    const [name = "", ...others] = cells;
    const nextFilled = others.findIndex((cell) => cell !== "") + 1;
    const spanned = nextFilled === 0 ? widths.length : nextFilled;
    const spanWidth = widths.slice(0, spanned).reduce((sum, width) => sum + width + gap.length, 0);
    const figures = this.#line(["", ...others], widths, this.#paint.strong);
    const nameWidth = displayWidth(name);
    if (nameWidth + gap.length > spanWidth && this.#width !== undefined) {
      return [this.#paint.strong(truncate(name, this.#width)), figures];
    }
    const spaces = " ".repeat(Math.max(0, spanWidth - nameWidth));
    return [`${this.#paint.strong(name)}${spaces}${figures.slice(spanWidth)}`.trimEnd()];
  }

  #line(cells: readonly string[], widths: readonly number[], stroke?: Paint["strong"]): string {
    const cellTexts = cells.map((cell, at) => {
      const { align = "left", status } = this.#columns[at] ?? {};
      const width = widths[at] ?? 0;
      const own = displayWidth(cell);
      const text = own <= width ? cell : truncate(cell, width);
      const spaces = " ".repeat(Math.max(0, width - (own <= width ? own : displayWidth(text))));
      const shownCell = text === "" ? "" : (stroke ?? this.#stroke(cell, status))(text);
      return align === "left" ? shownCell + spaces : spaces + shownCell;
    });
    return cellTexts.join(gap).trimEnd();
  }

  /** Returns the heading lines; a heading wider than its column wraps. */
  #headingLines(widths: readonly number[]): string[] {
    const broken = this.#headings.map((heading, at) => brokenHeading(heading, widths[at] ?? 0));
    const height = Math.max(1, ...broken.map((lines) => lines.length));
    return Array.from({ length: height }, (_, row) => {
      const cells = broken.map((lines) => lines[row - height + lines.length] ?? "");
      return this.#line(cells, widths, this.#paint.strong);
    });
  }

  #block(cells: readonly string[], isFirst: boolean, isFilledOnly = false): string[] {
    this.#began = true;
    const width = this.#width ?? Number.POSITIVE_INFINITY;
    const longestWidth = Math.max(...this.#headings.map(displayWidth));
    const leftWidth = Math.max(headingWidthMin, Math.min(longestWidth, Math.floor(width / 3)));
    const textWidth = Math.max(textWidthMin, width - leftWidth - gap.length);
    const lines = cells.flatMap((cell, at) => {
      if (isFilledOnly && cell === "") return [];
      const { shrinks, status } = this.#columns[at] ?? {};
      const heading = pad(truncate(this.#headings[at] ?? "", leftWidth), leftWidth, "left");
      const stroke = this.#stroke(cell, status);
      // Blocks have room below, so nothing is truncated.
      return (shrinks === "never" ? [cell] : wrapText(cell, textWidth)).map((piece, line) => {
        const headText = line === 0 ? this.#paint.strong(heading) : " ".repeat(leftWidth);
        return `${headText}${gap}${piece === "" ? "" : stroke(piece)}`.trimEnd();
      });
    });
    return isFirst ? lines : ["", ...lines];
  }

  #stroke(cell: string, isStatus: boolean | undefined): Paint["strong"] {
    const stroke = isStatus ? statusStroke(cell) : undefined;
    return stroke === undefined ? plainPaint.strong : this.#paint[stroke];
  }

  /** Returns a width for each column, undefined when they do not fit. */
  #fitted(): number[] | undefined {
    const headings = this.#headings.map(displayWidth);
    const widths = headings.map((heading, at) => Math.max(heading, this.#widest[at] ?? 0));
    if (this.#width === undefined) return widths;
    const excessWidth =
      widths.reduce((sum, width) => sum + width + gap.length, -gap.length) - this.#width;
    let excessLeft = excessWidth;
    for (const { text, names, wholeWords } of attempts) {
      const floors = widths.map((width, at) => {
        const { shrinks = "never" } = this.#columns[at] ?? {};
        const widestWidth = this.#widest[at] ?? 0;
        const heading = this.#headings[at] ?? "";
        const words = wholeWords
          ? wordsOf(heading).map((word) => displayWidth(word.trimEnd()))
          : [headingWidthMin];
        const size = { id: idWidthMin, text, name: names, never: widestWidth }[shrinks];
        return Math.min(width, Math.max(Math.min(widestWidth, size), ...words));
      });
      excessLeft = narrow(widths, floors, excessLeft);
    }
    return excessLeft > 0 ? undefined : widths;
  }
}

/** Splits a heading into words: `Contact.Name` into `Contact`, `.Name`; `Next date` at its space. */
function wordsOf(heading: string): string[] {
  return heading.split(/(?<=[a-z0-9])(?=[A-Z.])|(?<= )/);
}

function brokenHeading(heading: string, width: number): string[] {
  if (displayWidth(heading) <= width) return [heading];
  const words = wordsOf(heading);
  // A heading is shortened as a whole rather than word by word.
  if (words.some((word) => displayWidth(word.trimEnd()) > width)) return [truncate(heading, width)];
  const lines: string[] = [];
  for (const word of words) {
    const line = lines.at(-1);
    if (line !== undefined && displayWidth((line + word).trimEnd()) <= width)
      lines[lines.length - 1] = line + word;
    else lines.push(word);
  }
  return lines.map((line) => line.trimEnd());
}

/**
 * Narrows the widest column repeatedly until the excess is gone or no column can be narrowed.
 *
 * @param widths  of all columns, modified in place
 * @param floors  minimum widths
 * @returns the remaining excess
 */
export function narrow(widths: number[], floors: readonly number[], excessWidth: number): number {
  let excessLeft = excessWidth;
  while (excessLeft > 0) {
    let widest = -1;
    let nextWidth = 0;
    for (const [at, width] of widths.entries()) {
      if (width <= (floors[at] ?? 0)) continue;
      if (widest < 0 || width > (widths[widest] ?? 0)) {
        nextWidth = widest < 0 ? 0 : (widths[widest] ?? 0);
        widest = at;
      } else nextWidth = Math.max(nextWidth, width);
    }
    if (widest < 0) break;
    // Narrows to the next widest column at once, by one at least.
    const width = widths[widest] ?? 0;
    const cut = Math.min(excessLeft, Math.max(1, width - Math.max(nextWidth, floors[widest] ?? 0)));
    widths[widest] = width - cut;
    excessLeft -= cut;
  }
  return Math.max(0, excessLeft);
}
