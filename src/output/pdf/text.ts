/** Text made fit for paper: what can be seen of it, character by character, in lines of a width. */
import { isFromRight, rightMark } from "./visual-runs.ts";

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Controls and marks of format; those of Arabic that stand before a number are seen. */
const unseen = /(?![\u0600-\u0605\u06dd\u070f\u0890\u0891\u08e2])[\p{Cc}\p{Cf}]/gu;

const joinedBefore = /[\p{L}\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}]$/u;
const joinedAfter = /^[\p{L}\p{M}\p{Extended_Pictographic}]/u;

/**
 * Text with lines ended by `\n` alone, and nothing that would turn or hide what stands beside it. Of
 * marks without a shape those between letters that they join or part are kept, and one at the
 * beginning that says that a line goes from the right.
 */
export function readable(text: string): string {
  const plain = text
    .toWellFormed()
    .normalize("NFC")
    .replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ");
  if (/^[\x20-\x7e\n]*$/.test(plain)) return plain;
  return plain.replace(unseen, (mark, at: number) => {
    if (mark === "\n" || (mark === rightMark && at === 0)) return mark;
    if (mark !== "\u200c" && mark !== "\u200d") return "";
    const isJoining =
      joinedBefore.test(plain.slice(Math.max(0, at - 2), at)) &&
      joinedAfter.test(plain.slice(at + 1, at + 3));
    return isJoining ? mark : "";
  });
}

/** What people take for one character. */
export interface Cluster {
  readonly typed: string;
  /** What is drawn of it: pictures without what joins and colours them. */
  readonly drawn: string;
}

export function clustersOf(text: string): Cluster[] {
  return [...segmenter.segment(text)].map(({ segment: typed }) => {
    const isPicture = /\p{Extended_Pictographic}/u.test(typed) && !/^\p{L}/u.test(typed);
    const without = isPicture
      ? /(?<=.)[\p{Variation_Selector}\p{Emoji_Modifier}\u200d]/gu
      : /\p{Variation_Selector}/gu;
    return { typed, drawn: typed.replace(without, "") };
  });
}

// --- lines --------------------------------------------------------------------------------------

/**
 * Text in lines no wider than `width`: broken between words, and inside one that is too long. Lines
 * of a paragraph that goes from the right begin with a mark that says so.
 *
 * @param measure  width of a text on one line
 */
export function wrapped(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const paragraph of text.split("\n")) {
    const mark = isFromRight(paragraph) ? rightMark : "";
    for (const line of linesOf(paragraph, width, measure)) {
      lines.push(line === "" || line.startsWith(mark) ? line : mark + line);
    }
  }
  while (lines.length > 1 && lines.at(-1) === "") lines.pop();
  return lines;
}

function linesOf(paragraph: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  let line = "";
  let lineWidth = 0;
  for (const { text, space } of pieces(paragraph)) {
    const own = measure(text);
    const glue = line === "" ? "" : space;
    // Between characters of a fixed width nothing is drawn closer.
    const joined =
      ideographic.test(text) && glue === "" ? lineWidth + own : measure(line + glue + text);
    if (line === "" ? own <= width : joined <= width) {
      line += glue + text;
      lineWidth = line === text ? own : joined;
      continue;
    }
    if (line !== "") lines.push(line);
    const parts = own <= width ? [text] : broken(text, width, measure);
    lines.push(...parts.slice(0, -1));
    line = parts.at(-1) ?? "";
    lineWidth = measure(line);
  }
  return [...lines, line];
}

interface Piece {
  readonly text: string;
  /** What stands between it and the piece before, on one line. */
  readonly space: "" | " ";
}

/** Between which a line may be broken. */
function* pieces(paragraph: string): Generator<Piece> {
  for (const word of paragraph.split(/ +/)) {
    if (word === "") continue;
    let space: Piece["space"] = " ";
    for (const text of parts(word)) {
      yield { text, space };
      space = "";
    }
  }
}

/** Scripts of East Asia that are broken between any two characters; Korean is at its spaces. */
const ideographic =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Bopomofo}\p{Script=Yi}\u3000-\u303f\uff00-\uffef]/u;
/** Scripts without spaces whose words a dictionary knows. */
const spaceless = /[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** No line begins with these, @source JIS X 4051, and what stands for them in Chinese */
const noBeginning =
  /^[\p{Pe}\p{Pf}\p{Mn}\p{Me}、。，．,.・:;：；？！?!゠–〜～‐ーゝゞヽヾ々〻ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶㇰ-ㇿ％%‰℃]/u;
/** No line ends with these. */
const noEnd = /[\p{Ps}\p{Pi}￥＄£]$/u;

function parts(word: string): string[] {
  if (!ideographic.test(word) && !spaceless.test(word)) return [word];
  const found: string[] = [];
  let isBreak = false;
  for (const unit of units(word)) {
    const last = found.at(-1);
    const isWide = ideographic.test(unit) || spaceless.test(unit);
    if (
      last === undefined ||
      ((isBreak || isWide) && !noBeginning.test(unit) && !noEnd.test(last))
    ) {
      found.push(unit);
    } else found[found.length - 1] = last + unit;
    isBreak = isWide;
  }
  return found;
}

const dictionary = new Intl.Segmenter("th", { granularity: "word" });

/** Characters, and where there are no spaces words. */
function units(word: string): string[] {
  if (!spaceless.test(word)) return [...segmenter.segment(word)].map(({ segment }) => segment);
  return [...dictionary.segment(word)].flatMap(({ segment }) =>
    spaceless.test(segment)
      ? [segment]
      : [...segmenter.segment(segment)].map((each) => each.segment),
  );
}

function broken(word: string, width: number, measure: (text: string) => number): string[] {
  const found: string[] = [];
  let part = "";
  for (const { segment } of segmenter.segment(word)) {
    if (part !== "" && measure(part + segment) > width) {
      found.push(part);
      part = "";
    }
    part += segment;
  }
  return [...found, part];
}
