/** Lays out a document on paper and writes it as PDF. */

import { type Imprint, printParagraph, Sheet } from "../../output/pdf/paper-sheet.ts";
import { printTable } from "../../output/pdf/paper-table.ts";
import type { Fact, HowToPay, Note, PrintedDocument, TotalLine } from "../../output/pdf/printed.ts";
import { type Style, styles } from "../../output/pdf/type.ts";
import { type QrCode, qrCode } from "../../output/qr-code.ts";
import { english, type PaperLanguage } from "../../output/words/words.ts";
import { printHead, rightColumn } from "./head.ts";

export interface Paper {
  /** The PDF; equal input and fonts give equal bytes. */
  readonly bytes: Buffer;
  /** Characters that no available font has, once each. */
  readonly missing: string;
}

/**
 * Makes the PDF of a document.
 *
 * @param printed  may have an embedded file, such as an e-invoice
 * @param further  printed behind it, each from a page of its own
 */
export async function paperOf(
  printed: PrintedDocument & Pick<Imprint, "embedded">,
  ...further: readonly PrintedDocument[]
): Promise<Paper> {
  const sheet = new Sheet(printed);
  for (const document of [printed, ...further]) {
    if (document !== printed) sheet.nextPage();
    printHead(sheet, document);
    printTable(sheet, document, heightOfSums(sheet, document));
    printSums(sheet, document);
    printNotes(sheet, document);
    printAdvice(sheet, document);
  }
  return { bytes: await sheet.finish(), missing: sheet.missing };
}

/** Returns only the bytes of the PDF. */
export async function pdfOf(printed: PrintedDocument): Promise<Buffer> {
  return (await paperOf(printed)).bytes;
}

// --- totals, remarks, notes and the payment slip --------------------------------------------------

const spacing = 8;
/** Margin of the shaded box around the amount due, beyond its text. */
const overhang = 8;

function styleOf({ weight }: TotalLine): Style {
  return weight === undefined ? styles.body : styles[weight];
}

interface LaidSum extends TotalLine {
  readonly lines: readonly string[];
  readonly height: number;
}

interface LaidSums {
  readonly x: number;
  readonly sums: readonly LaidSum[];
}

function layOut(sheet: Sheet, { sums }: PrintedDocument): LaidSums {
  const figures = sums.map((sum) => sheet.measure(sum.amount, styleOf(sum)));
  const labels = sums.map((sum) => sheet.measure(sum.label, styleOf(sum)));
  const needed = Math.max(0, ...figures) + 24 + Math.max(0, ...labels);
  const x = Math.max(sheet.left + overhang, Math.min(rightColumn(sheet), sheet.right - needed));
  const width = sheet.right - x - 24 - Math.max(0, ...figures);
  return {
    x,
    sums: sums.map((sum) => {
      const style = styleOf(sum);
      const lines = sheet.wrap(sum.label, width, style);
      const spaceAbove = sum.weight === undefined ? 0 : 5;
      return { ...sum, lines, height: lines.length * style.leading + 3 + spaceAbove };
    }),
  };
}

/**
 * Returns the height of the blocks that stay on one page with the last line: the totals, and the
 * payment slip that follows them directly.
 */
function heightOfSums(sheet: Sheet, printed: PrintedDocument): number {
  const { sums } = layOut(sheet, printed);
  const totalHeight = sums.reduce((height, sum) => height + sum.height, spacing);
  const isLast = notesOf(printed).length === 0;
  return Math.min(totalHeight, sheet.capacity / 2) + (isLast ? slipHeight(sheet, printed) : 0);
}

/** Note with an optional payment code. */
interface Block extends Note {
  readonly code?: QrCode | undefined;
}

/** Side of a payment code in points: 33 mm with its quiet zone. */
const codeSide = 94;

/** Returns what is printed below the totals: how to pay, and notes. */
const notesOf = ({ pay, notes, words }: PrintedDocument): Block[] => [
  ...(pay === undefined ? [] : payNotes(pay, words)),
  ...notes,
];

function printSums(sheet: Sheet, printed: PrintedDocument): void {
  const { x, sums } = layOut(sheet, printed);
  sheet.y += spacing;
  for (const sum of sums) {
    sheet.ensureRoom(sum.height);
    const style = styleOf(sum);
    let topY = sheet.y + 1;
    if (sum.weight === "total") {
      sheet.rule(sheet.y + 3, 0.75, styles.body.color, x);
      topY += 4;
    }
    if (sum.weight === "due") {
      topY += 3;
      sheet.drawBand(x - overhang, topY, sheet.right - x + 2 * overhang, style.leading);
    }
    sheet.tag("P", () => {
      sheet.putLines(sum.lines, x, topY, sum.weight === undefined ? styles.soft : style);
      sheet.putRight(sum.amount, sheet.right, topY, style);
    });
    sheet.y += sum.height;
  }
}

function printNotes(sheet: Sheet, printed: PrintedDocument): void {
  const { remarks } = printed;
  if (remarks.length > 0) {
    sheet.y += 10;
    for (const remark of remarks) {
      sheet.ensureRoom(styles.small.leading);
      for (const line of sheet.wrap(remark, sheet.width, styles.small)) {
        sheet.tag("P", () => sheet.putRight(line, sheet.right, sheet.y, styles.small));
        sheet.y += styles.small.leading;
      }
    }
  }
  const blocks = notesOf(printed);
  for (const [at, block] of blocks.entries()) {
    printNote(sheet, block, at === blocks.length - 1 ? slipHeight(sheet, printed) : 0);
  }
}

/** Count of lines of a long note that stay together. */
const keptLines = 3;

/**
 * Prints a note. A short note stays on one page; of a long one the last lines stay with the blocks
 * below, so that a page never holds the payment slip alone.
 *
 * @param below  height of the blocks below the note
 */
function printNote(sheet: Sheet, { heading, text, code }: Block, below: number): void {
  const { strong, body } = styles;
  const beside = code === undefined ? 0 : codeSide;
  const lines = sheet.wrap(text, sheet.width - beside, body);
  const writtenHeight = (heading === undefined ? 0 : strong.leading) + lines.length * body.leading;
  const whole = Math.max(writtenHeight, beside);
  const isShort = whole <= sheet.capacity / 2;
  sheet.y += 16;
  sheet.ensureRoom(isShort ? whole + below : Math.max(strong.leading + 2 * body.leading, beside));
  const noteEnd = sheet.y + whole;
  if (code !== undefined) sheet.drawCode(code, sheet.right - codeSide, sheet.y, codeSide);
  if (heading !== undefined) printParagraph(sheet, heading, strong, "H2");
  const lastLines = isShort ? [] : lines.splice(-keptLines);
  printParagraph(sheet, lines.join("\n"), body);
  if (isShort) sheet.y = noteEnd;
  if (lastLines.length === 0) return;
  sheet.ensureRoom(lastLines.length * body.leading + below);
  printParagraph(sheet, lastLines.join("\n"), body);
}

/**
 * Returns the payment notes; none where the only fact is the document number, which is printed
 * anyway.
 */
function payNotes(
  { bankDetails, reference, advice, links, code }: HowToPay,
  { say }: PaperLanguage = english,
): Block[] {
  if (bankDetails.length + advice.length + links.length === 0) return [];
  const lines = [
    ...bankDetails,
    ...(reference === undefined ? [] : [say("Reference: %", reference)]),
    ...advice,
    ...links.map(({ text, url }) => `${text}: ${url}`),
  ];
  return [
    {
      heading: say("How to pay"),
      text: lines.join("\n"),
      code: code === undefined ? undefined : qrCode(code),
    },
  ];
}

const aboveSlip = 24;

function laySlip(sheet: Sheet, { advice, returnTo }: PrintedDocument) {
  const { name, soft, body } = styles;
  const right = rightColumn(sheet);
  const width = right - sheet.left - 24;
  const to = returnTo.flatMap((line) => sheet.wrap(line, width, body));
  const facts = layFacts(sheet, advice, right);
  const headHeight = 12 + name.leading + 8;
  const blockHeight = soft.leading + name.leading + to.length * body.leading;
  return { right, width, to, facts, height: headHeight + Math.max(blockHeight, facts.height + 26) };
}

/** Returns the height that the payment slip takes, with the space above it; 0 without one. */
const slipHeight = (sheet: Sheet, printed: PrintedDocument): number =>
  printed.advice.length === 0 ? 0 : aboveSlip + laySlip(sheet, printed).height;

/** Prints the payment slip at the foot of the last page. */
function printAdvice(sheet: Sheet, printed: PrintedDocument): void {
  const { advice, organisation } = printed;
  if (advice.length === 0) return;
  const { name, soft, body } = styles;
  const { right, width, to, facts, height } = laySlip(sheet, printed);
  sheet.y += aboveSlip;
  sheet.ensureRoom(height);
  const top = Math.max(sheet.y, sheet.bottom - height);
  sheet.drawCutLine(top);
  let y = top + 12;
  sheet.tag("H2", () => sheet.put(sheet.words.say("Payment advice"), sheet.left, y, name));
  y += name.leading + 8;
  sheet.tag("P", () => {
    sheet.put(sheet.words.say("To"), sheet.left, y, soft);
    const nameLines = sheet.wrap(organisation.name, width, styles.strong);
    const addressTop = sheet.putLines(nameLines, sheet.left, y + soft.leading, styles.strong);
    sheet.putLines(to, sheet.left, addressTop, body);
  });
  facts.print(y);
  const line = y + facts.height + 18;
  const enclosed = sheet.words.say("Amount enclosed");
  sheet.tag("P", () => sheet.put(enclosed, right, line - soft.leading, soft));
  sheet.rule(line, 0.5, styles.soft.color, right + facts.labels, sheet.right);
  sheet.y = top + height;
}

function layFacts(sheet: Sheet, adviceFacts: readonly Fact[], x: number) {
  const { soft, body } = styles;
  const shownLabels = [
    ...adviceFacts.map(({ label }) => label),
    sheet.words.say("Amount enclosed"),
  ];
  const labels = Math.max(...shownLabels.map((label) => sheet.measure(label, soft))) + 14;
  const laidFacts = adviceFacts.map(({ label, value }) => ({
    label,
    lines: sheet.wrap(value, sheet.right - x - labels, body),
  }));
  const heightOf = (lines: readonly string[]) => lines.length * body.leading + 2;
  return {
    labels,
    height: laidFacts.reduce((height, { lines }) => height + heightOf(lines), 0),
    print(topY: number): void {
      let y = topY;
      for (const { label, lines } of laidFacts) {
        sheet.tag("P", () => {
          sheet.put(label, x, y, soft);
          sheet.putLines(lines, x + labels, y, body);
        });
        y += heightOf(lines);
      }
    },
  };
}
