/**
 * Lines of bash, which hands them on as they are typed, and wants its words as they are to be typed.
 *
 * Bash splits words at `=` and `:` too, and replaces only what stands after the last of these.
 */
import type { Completion } from "./completion-line.ts";

export interface BashLine {
  /** Without their quotes; the first, which is the program, left out. */
  readonly words: readonly string[];
  /** What stands before the piece of the last word that bash replaces. */
  readonly kept: string;
  /** The quote that is open at the beginning of that piece. */
  readonly quote: string;
}

/**
 * @param line    up to the cursor
 * @param breaks  the characters at which bash splits words
 */
export function bashLine(line: string, breaks = ""): BashLine {
  const words: string[] = [];
  let word: string | undefined;
  let kept = "";
  let opening = "";
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (quote === "" && /\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      [word, kept, opening] = [undefined, "", ""];
      continue;
    }
    word ??= "";
    if (quote === letter) {
      quote = "";
    } else if (quote === "" && (letter === '"' || letter === "'")) {
      quote = letter;
      if (word === kept) opening = letter;
    } else if (letter === "\\" && (quote === "" || (quote === '"' && line[at + 1] === '"'))) {
      word += line[++at] ?? "";
    } else {
      word += letter;
      if (quote === "" && breaks.includes(letter)) [kept, opening] = [word, ""];
    }
  }
  return { words: [...words, word ?? ""].slice(1), kept, quote: opening };
}

/** The values as bash has to be given them. */
export function bashAnswer(
  values: readonly Completion[],
  { words, kept, quote }: BashLine,
): Completion[] {
  const start = words.at(-1)?.length ?? 0;
  // Values that begin in different letter case have nothing in common that the text could become.
  const head = values[0]?.value.slice(0, start);
  return values
    .filter(({ value }) => value.slice(0, start) === head)
    .map(({ value }) => ({ value: escaped(value.slice(kept.length), quote) }));
}

function escaped(text: string, quote: string): string {
  if (quote === '"') return text.replace(/[\\"$`]/g, "\\$&");
  if (quote === "'") return text.replaceAll("'", "'\\''");
  return text.replace(/[^\p{L}\p{N}_.,:=/@%+-]/gu, "\\$&");
}
