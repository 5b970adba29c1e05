/**
 * Computes how many columns of a terminal a text occupies.
 *
 * Combining marks occupy no column, East Asian characters and emoji two. Where terminals differ,
 * the larger width is used: a line that is too short does no harm, but a line that wraps breaks the
 * table. `Intl.Segmenter` would find the clusters, but takes 9 ms to load.
 */

/** First and last code points of blocks of characters two columns wide, except emoji. */
const wideRanges = [
  0x1100, 0x115f, 0x2329, 0x232a, 0x2e80, 0x303e, 0x3041, 0xa4cf, 0xa960, 0xa97f, 0xac00, 0xd7a3,
  0xf900, 0xfaff, 0xfe10, 0xfe19, 0xfe30, 0xfe6f, 0xff01, 0xff60, 0xffe0, 0xffe6, 0x16fe0, 0x18dff,
  0x1aff0, 0x1b2ff, 0x1d300, 0x1d376, 0x1f200, 0x1f265, 0x20000, 0x3fffd,
] as const;

const oneColumnEach =
  /^[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u20ac\u2580-\u259f]*$/;
// Hangul vowels and final consonants combine with the letter before them, so they add no column.
const noColumn = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff\ud7b0-\ud7ff]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
const pictograph = /^\p{Extended_Pictographic}$/u;

/** Width up to which names are shown, in columns. */
const nameWidthMax = 24;

const joinerCode = 0x200d;
const emojiStyle = 0xfe0f;

/** Number of terminal columns that `text` occupies; `text` must contain no control characters. */
export function displayWidth(text: string): number {
  if (oneColumnEach.test(text)) return text.length;
  let width = 0;
  for (const [, columns] of characterWidths(text)) width += columns;
  return width;
}

/**
 * Truncates text to a width; `…` marks the cut. A sentence is cut between words, a name anywhere,
 * so that it can be told from others.
 *
 * @param width  columns, at least 1; a sentence has more than a name is given
 */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let prefix = "";
  let usedWidth = 0;
  for (const [character, columns] of characterWidths(text)) {
    if (usedWidth + columns > width - 1) break;
    prefix += character;
    usedWidth += columns;
  }
  const lastBlank = text[prefix.length] === " " ? prefix.length : prefix.lastIndexOf(" ");
  if (width > nameWidthMax && lastBlank >= width / 2) prefix = prefix.slice(0, lastBlank);
  return `${prefix.trimEnd()}…`;
}

/** Pads text with spaces to a width; text that is wider stays as it is. */
export function pad(text: string, width: number, align: "left" | "right"): string {
  const spaces = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + spaces : spaces + text;
}

/**
 * Wraps text into lines of at most `width` columns, at spaces where possible.
 *
 * @param width  columns, at least 2; undefined for no limit
 */
export function wrapText(text: string, width: number | undefined): string[] {
  if (width === undefined || displayWidth(text) <= width) return [text];
  const lines: string[] = [];
  let line = "";
  let usedWidth = 0;
  const endLine = () => {
    lines.push(line.trimEnd());
    line = "";
    usedWidth = 0;
  };
  for (const textWord of text.split(/(?<= )(?! )/)) {
    if (usedWidth > 0 && usedWidth + displayWidth(textWord.trimEnd()) > width) endLine();
    for (const [character, columns] of characterWidths(textWord)) {
      // Only a word longer than a line is broken inside; spaces that do not fit are dropped.
      if (usedWidth + columns > width) {
        if (character === " ") continue;
        endLine();
      }
      line += character;
      usedWidth += columns;
    }
  }
  endLine();
  return lines;
}

/** Yields each character with the number of columns it adds. */
function* characterWidths(text: string): Generator<[character: string, columns: number]> {
  let previous = "";
  let isJoined = false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    let columns = 1;
    if (code === emojiStyle) columns = pictograph.test(previous) && !emoji.test(previous) ? 1 : 0;
    else if (noColumn.test(character)) columns = 0;
    else if (isJoined || isSkinTone(code, previous)) columns = 0;
    else if (isRegional(code)) columns = 1;
    else if (isWide(code) || emoji.test(character)) columns = 2;
    isJoined = code === joinerCode && pictograph.test(previous);
    // A variation selector or joiner does not replace the emoji as the preceding character.
    if (columns > 0 || code !== emojiStyle) previous = code === joinerCode ? previous : character;
    yield [character, columns];
  }
}

function isWide(code: number): boolean {
  if (code < wideRanges[0]) return false;
  for (let at = 0; at < wideRanges.length; at += 2) {
    if (code < (wideRanges[at] ?? 0)) return false;
    if (code <= (wideRanges[at + 1] ?? 0)) return true;
  }
  return false;
}

/** Whether a code point is a regional indicator, two of which form a flag of two columns. */
function isRegional(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

function isSkinTone(code: number, characterBefore: string): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff && pictograph.test(characterBefore);
}

/**
 * Whether a terminal shows block characters one column wide: the locale must be UTF-8, the terminal
 * no limited console, and the language none in which such characters may be two columns wide.
 */
export function hasBlocks(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): boolean {
  if (env.TERM === "linux" || env.TERM === "dumb") return false;
  if (platform === "win32") return env.WT_SESSION !== undefined && env.WT_SESSION !== "";
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((text) => text) ?? "";
  return /utf-?8/i.test(locale) && !/^(zh|ja|ko)/i.test(locale);
}
