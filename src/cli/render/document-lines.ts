/**
 * Formats a document as its paper is, for a terminal: parties and facts, lines with account and tax
 * below each, totals, payments and what is left.
 */
import { displayWidth, pad, wrapText } from "../../output/display-width.ts";
import type { DocumentText } from "../../output/documents/document-text.ts";
import type { Party, TotalLine } from "../../output/pdf/printed.ts";
import type { RenderOptions } from "./output.ts";
import type { Paint } from "./paint.ts";
import { safeLine } from "./safe.ts";

/** Text of a document with its status and the bookkeeping details of its lines. */
export interface ShownDocument extends Omit<DocumentText, "organisation" | "mark"> {
  /** Status in words, and how many days it is late. */
  readonly status: string;
  /** Item, account, tax and tracking of each line. */
  readonly details: readonly (readonly string[])[];
}

const gap = "  ";
/** Width of the paper in columns: on a wider terminal figures would stand far from their names. */
const widthMax = 100;
const usualWidth = 80;
const descriptionMin = 16;

/** Returns the lines of a document. */
export function documentLines(
  shownDocument: ShownDocument,
  { width = usualWidth, paint }: Pick<RenderOptions, "width" | "paint">,
): string[] {
  const textWidth = Math.min(width, widthMax);
  const { title, number, status, intro, remarks } = shownDocument;
  const titleText = [title, number].filter(Boolean).join(" ");
  const notes = intro.flatMap(({ heading, text }) =>
    [heading, text].flatMap((text) => text?.split("\n") ?? []),
  );
  const blocks = [
    wrapText(safeLine(`${titleText}, ${status}`), textWidth).map(paint.strong),
    factLines(shownDocument, textWidth, paint),
    textLines(notes, textWidth),
    itemLines(shownDocument, textWidth, paint),
    sumLines(shownDocument.sums, textWidth, paint),
    textLines(remarks, textWidth),
  ];
  return blocks
    .filter((block) => block.length > 0)
    .flatMap((block, at) => (at === 0 ? block : ["", ...block]));
}

const textLines = (paragraphs: readonly string[], textWidth: number) =>
  paragraphs.flatMap((text) => wrapText(safeLine(text), textWidth));

/** Returns names and addresses, then the facts, each behind its label. */
function factLines({ parties, facts }: ShownDocument, textWidth: number, paint: Paint): string[] {
  const lineOf = ({ label, name, lines }: Party) =>
    [name, ...lines]
      .filter((text) => text !== "")
      .map((text, at) => ({ label: at === 0 ? label : "", text }));
  const rows = [
    ...parties.flatMap(lineOf),
    ...facts.map(({ label, value }) => ({ label, text: value })),
  ];
  const labelWidth = Math.max(0, ...rows.map(({ label }) => displayWidth(label)));
  return rows.flatMap(({ label, text }) =>
    wrapText(safeLine(text), textWidth - labelWidth - gap.length).map(
      (piece, at) => paint.faint(pad(at === 0 ? label : "", labelWidth, "left")) + gap + piece,
    ),
  );
}

/** Returns the lines of the document: descriptions whole, with details below, beside their figures. */
function itemLines(
  { columns, rows, details }: ShownDocument,
  textWidth: number,
  paint: Paint,
): string[] {
  const figures = columns.map(({ heading }, at) =>
    Math.max(...[heading, ...rows.map((row) => row[at] ?? "")].map(displayWidth)),
  );
  figures[0] = 0;
  const figuresWidth = figures.reduce((sum, width) => sum + width + gap.length, -gap.length);
  const textColumn = Math.max(descriptionMin, textWidth - figuresWidth);
  const line = (text: string, cells: readonly string[]) =>
    [
      pad(text, textColumn, "left"),
      ...cells.map((cell, at) => pad(cell, figures[at + 1]!, "right")),
    ]
      .join(gap)
      .trimEnd();
  const [first, ...others] = columns.map(({ heading }) => heading);
  const body = rows.flatMap(([description = "", ...cells], at) => {
    const isText = cells.length === 0;
    const cellTexts = description
      .split("\n")
      .flatMap((text) => wrapText(safeLine(text), isText ? textWidth : textColumn));
    const detailLines = details[at] ?? [];
    return [
      ...cellTexts.map((text, row) => (row === 0 ? line(text, cells) : text)),
      ...(detailLines.length === 0
        ? []
        : wrapText(safeLine(detailLines.join(" · ")), textWidth - gap.length).map((text) =>
            paint.faint(gap + text),
          )),
    ];
  });
  return rows.length === 0 ? [] : [paint.strong(line(first ?? "", others)), ...body];
}

/** Returns the totals at the right, with a rule above the total and above what is left. */
function sumLines(sums: readonly TotalLine[], textWidth: number, paint: Paint): string[] {
  const right = Math.max(0, ...sums.map(({ amount }) => displayWidth(amount)));
  const labelMax = textWidth - right - gap.length;
  const left = Math.min(labelMax, Math.max(0, ...sums.map(({ label }) => displayWidth(label))));
  const indent = " ".repeat(labelMax - left);
  return sums.flatMap(({ label, amount, weight }) => {
    const labelPieces = wrapText(safeLine(label), left);
    const lines = labelPieces.map((piece, at) => {
      const figure = at === labelPieces.length - 1 ? amount : "";
      return `${indent}${pad(piece, left, "left")}${gap}${pad(figure, right, "right")}`.trimEnd();
    });
    if (weight === undefined) return lines;
    const rule = " ".repeat(textWidth - right) + "-".repeat(right);
    return [rule, ...lines.map(paint.strong)];
  });
}
