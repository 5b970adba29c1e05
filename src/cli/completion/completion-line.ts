/** Types of a command line being completed, and of its completions. */
import type { GlobalOptions } from "../framework/global-flags.ts";

/** A completion: a word, and its description. */
export interface Completion {
  readonly value: string;
  readonly text?: string | undefined;
}

/** An answer: words, or file names after a prefix. */
export interface Completions {
  readonly values: readonly Completion[];
  /** Whether there are more values than given. */
  readonly more?: boolean;
  readonly filesAfter?: string;
}

/** The command line before its last word, resolved as far as possible. */
export interface CompletionLine {
  /** Words that name the command: `["invoice", "list"]`. */
  readonly path: readonly string[];
  readonly globals: GlobalOptions;
}

/** Whether a value begins with the typed text, in any letter case. */
export function begins(value: string, start: string): boolean {
  return value.toLowerCase().startsWith(start.toLowerCase());
}

/** Returns completions with a prefix before each value. */
export function after(prefix: string, { values, filesAfter, ...rest }: Completions): Completions {
  return {
    ...rest,
    values: values.map(({ value, text }) => ({ value: prefix + value, text })),
    ...(filesAfter === undefined ? {} : { filesAfter: prefix + filesAfter }),
  };
}
