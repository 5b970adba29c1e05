/**
 * Parses bash command lines for completion, and quotes the answers as bash needs them.
 *
 * Bash passes the line as typed, splits words at `=` and `:` too, and replaces only the text after
 * the last of these.
 */
import type { Completion } from "./completion-line.ts";

export interface BashLine {
  /** Words without their quotes, and without the program name. */
  readonly words: readonly string[];
  /** Text of the last word before the part that bash replaces. */
  readonly kept: string;
  /** The quote that is open at the beginning of the replaced part. */
  readonly quote: string;
}

/**
 * Splits a line into words as bash does.
 *
 * @param line    the line up to the cursor
 * @param breaks  the characters at which bash splits words
 */
export function bashLine(line: string, breaks = ""): BashLine {
  const words: string[] = [];
  let currentWord: string | undefined;
  let prefix = "";
  let opening = "";
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const letter = line[at] ?? "";
    if (quote === "" && /\s/.test(letter)) {
      if (currentWord !== undefined) words.push(currentWord);
      [currentWord, prefix, opening] = [undefined, "", ""];
      continue;
    }
    currentWord ??= "";
    if (quote === letter) {
      quote = "";
    } else if (quote === "" && (letter === '"' || letter === "'")) {
      quote = letter;
      if (currentWord === prefix) opening = letter;
    } else if (letter === "\\" && (quote === "" || (quote === '"' && line[at + 1] === '"'))) {
      currentWord += line[++at] ?? "";
    } else {
      currentWord += letter;
      if (quote === "" && breaks.includes(letter)) [prefix, opening] = [currentWord, ""];
    }
  }
  return { words: [...words, currentWord ?? ""].slice(1), kept: prefix, quote: opening };
}

/** Returns the completions quoted for bash. */
export function bashAnswer(
  values: readonly Completion[],
  { words, kept, quote }: BashLine,
): Completion[] {
  const start = words.at(-1)?.length ?? 0;
  // Values that differ in letter case have no common prefix by which bash could extend the text.
  const firstStart = values[0]?.value.slice(0, start);
  return values
    .filter(({ value }) => value.slice(0, start) === firstStart)
    .map(({ value }) => ({ value: escapeInQuotes(value.slice(kept.length), quote) }));
}

function escapeInQuotes(text: string, quote: string): string {
  if (quote === '"') return text.replace(/[\\"$`]/g, "\\$&");
  if (quote === "'") return text.replaceAll("'", "'\\''");
  return text.replace(/[^\p{L}\p{N}_.,:=/@%+-]/gu, "\\$&");
}
