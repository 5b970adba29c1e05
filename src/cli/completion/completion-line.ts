/** What is known of a line that is being typed, and what is answered. */
import type { GlobalOptions } from "../framework/global-flags.ts";

/** A word that may be typed, and what to say of it. */
export interface Completion {
  readonly value: string;
  readonly text?: string | undefined;
}

/** What is answered: words, or the names of files after the text that stands before them. */
export interface Completions {
  readonly values: readonly Completion[];
  /** Whether there are others. */
  readonly more?: boolean;
  readonly filesAfter?: string;
}

/** The line before its last word, as far as its meaning is settled. */
export interface CompletionLine {
  /** The words that named the command: `["invoice", "list"]`. */
  readonly path: readonly string[];
  readonly globals: GlobalOptions;
}

/** As people begin to type what they look for. */
export function begins(value: string, start: string): boolean {
  return value.toLowerCase().startsWith(start.toLowerCase());
}

/** An answer with the same text before each of its values. */
export function after(before: string, { values, filesAfter, ...rest }: Completions): Completions {
  return {
    ...rest,
    values: values.map(({ value, text }) => ({ value: before + value, text })),
    ...(filesAfter === undefined ? {} : { filesAfter: before + filesAfter }),
  };
}
