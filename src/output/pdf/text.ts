/**
 * Prepares text for PDF: removes invisible characters, splits it into characters, and wraps lines.
 */
import { isFromRight, rightMark } from "./visual-runs.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Control and format characters without visible shape; Arabic signs before numbers are visible. */
const unseen = /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}]/gu;

const joinedBefore = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const joinedAfter = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u;

/**
 * Normalises line ends to `\n` and removes characters that would reverse or hide the text beside
 * them. Joiners between letters are kept, as is a mark at the start of a line that makes it
 * right-to-left.
 */
export function normaliseText(text: string): string {
  const plainText = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ");
  if (/^[\x20-\x7e\n]*$/.test(plainText)) return plainText;
  return plainText.replace(unseen, (character, at: number) => {
    if (character === "\n" || (character === rightMark && at === 0)) return character;
    if (character !== "\u200c" && character !== "\u200d") return "";
    const isJoining =
      joinedBefore.test(plainText.slice(Math.max(0, at - 2), at)) &&
      joinedAfter.test(plainText.slice(at + 1, at + 3));
    return isJoining ? character : "";
  });
}

/** A character as users perceive it (a grapheme cluster). */
export interface Cluster {
  readonly typed: string;
  /** Text that is drawn for it: emoji without joiners and colour modifiers. */
  readonly drawn: string;
}

export function clustersOf(text: string): Cluster[] {
  return [...segmenter.segment(text)].map(({ segment: typed }) => {
    const isPicture = /\p{Extended_Pictographic}/u.test(typed) && !/^\p{L}/u.test(typed);
    const joiners = isPicture
      ? /(?<=.)[\p{Variation_Selector}\p{Emoji_Modifier}\u200d]/gu
      : /\p{Variation_Selector}/gu;
    return { typed, drawn: typed.replace(joiners, "") };
  });
}

// --- lines --------------------------------------------------------------------------------------

/**
 * Wraps text to lines of at most `width`, between words, or inside a word that is too long. Lines
 * of a right-to-left paragraph begin with a mark that says so.
 *
 * @param measure  measures the width of a text on one line
 */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    const directionMark = isFromRight(paragraph) ? rightMark : "";
    for (const line of linesOf(paragraph, width, measure)) {
      lines.push(line === "" || line.startsWith(directionMark) ? line : directionMark + line);
    }
  }
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function linesOf(paragraph: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  let lineWidth = 0;
  for (const { text, space } of breakablePieces(paragraph)) {
    const pieceWidth = measure(text);
    const glue = line === "" ? "" : space;
    // Characters of fixed width have no kerning between them, so their widths can be added.
    const joinedWidth =
      ideographic.test(text) && glue === "" ? lineWidth + pieceWidth : measure(line + glue + text);
    if (line === "" ? pieceWidth <= width : joinedWidth <= width) {
      line += glue + text;
      lineWidth = line === text ? pieceWidth : joinedWidth;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = pieceWidth <= width ? [text] : breakWord(text, width, measure);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? "";
    lineWidth = measure(line);
  }
  return [...lines, line];
}

interface Piece {
  readonly text: string;
  /** Separator from the previous piece on the same line. */
  readonly space: "" | " ";
}

/** Splits a paragraph into pieces between which a line may be broken. */
function* breakablePieces(paragraph: string): Generator<Piece> {
  for (const paragraphWord of paragraph.split(/ +/)) {
    if (paragraphWord === "") continue;
    let space: Piece["space"] = " ";
    for (const text of splitWord(paragraphWord)) {
      yield { text, space };
      space = "";
    }
  }
}

/**
 * East Asian scripts in which a line may break between any two characters; Korean breaks at spaces.
 */
const ideographic =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303f\uff00-\uffef]/u;
/** Scripts without spaces, whose words a dictionary finds. */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Characters that must not begin a line. @source JIS X 4051, and their counterparts in Chinese */
const noBeginning =
  /^[\p{Pe}\p{Pf}\p{Mn}\p{Me}、。，．,.・:;：；？！?!゠–〜～‐ーゝゞヽヾ々〻ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ％%‰℃]/u;
/** Characters that must not end a line. */
const noEnd = /[\p{Ps}\p{Pi}￥＄£]$/u;

function splitWord(word: string): string[] {
  if (!ideographic.test(word) && !spaceless.test(word)) return [word];
  const wordPieces: string[] = [];
  let isBreak = false;
  for (const unit of splitUnits(word)) {
    const lastPiece = wordPieces.at(-1);
    const isWide = ideographic.test(unit) || spaceless.test(unit);
    if (
      lastPiece === undefined ||
      ((isBreak || isWide) && !noBeginning.test(unit) && !noEnd.test(lastPiece))
    ) {
      wordPieces.push(unit);
    } else wordPieces[wordPieces.length - 1] = lastPiece + unit;
    isBreak = isWide;
  }
  return wordPieces;
}

const dictionary = new Intl.Segmenter("th", { granularity: "word" });

/** Splits a word into characters; for scripts without spaces, into words. */
function splitUnits(word: string): string[] {
  if (!spaceless.test(word)) return [...segmenter.segment(word)].map(({ segment }) => segment);
  return [...dictionary.segment(word)].flatMap(({ segment }) =>
    spaceless.test(segment)
      ? [segment]
      : [...segmenter.segment(segment)].map((segmentData) => segmentData.segment),
  );
}

function breakWord(word: string, width: number, measure: (text: string) => number): string[] {
  const wordPieces: string[] = [];
  let partText = "";
  for (const { segment } of segmenter.segment(word)) {
    if (partText !== "" && measure(partText + segment) > width) {
      wordPieces.push(partText);
      partText = "";
    }
    partText += segment;
  }
  return [...wordPieces, partText];
}
