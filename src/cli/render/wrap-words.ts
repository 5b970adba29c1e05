/**
 * Wraps a message between words; a word longer than a line stays whole.
 *
 * @param width   columns of the terminal; undefined where there is none, and nothing is wrapped
 * @param indent  what the lines after the first begin with
 */
export function wrapWords(text: string, width: number | undefined, indent = ""): string {
  if (width === undefined || text.length <= width) return text;
  const columnCount = Math.max(20, width - indent.length);
  const line = new RegExp(`(\\S{${columnCount},}|.{1,${columnCount}})(?: |$)`, "gu");
  return [...text.matchAll(line)].map(([, words]) => words).join(`\n${indent}`);
}
