/** What is being typed, and what may be typed for it. */

/** A value, and what to say of it. */
export interface Value {
  readonly value: string;
  readonly text?: string | undefined;
}

/** What is being typed. */
export interface Asked {
  /** What kind of value, by the name that the scripts have for it. */
  readonly kind: string;
  /** As far as it is typed. */
  readonly start: string;
  /** The words of the line without the program's name; the last may be half typed. */
  readonly words: readonly string[];
}

export interface Found {
  readonly values: readonly Value[];
  /** Whether there are others. */
  readonly more: boolean;
}

/** Where these are all that there are. */
export const all = (values: readonly Value[]): Found => ({ values, more: false });

/** As people begin to type what they look for. */
export function begins(value: string, start: string): boolean {
  return value.toLowerCase().startsWith(start.toLowerCase());
}
