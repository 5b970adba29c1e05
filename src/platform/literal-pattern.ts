/**
 * Returns the text as a regular expression that matches the text itself, for use outside a
 * character class. (`RegExp.escape` comes with Node 24.)
 */
export function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
