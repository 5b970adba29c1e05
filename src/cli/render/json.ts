/** JSON text laid out for a person. */

/**
 * Breaks JSON text into indented lines.
 *
 * The text is walked and not parsed: a parser would turn `92.00` into 92.
 *
 * @param json    valid JSON, with spaces between its parts or without
 * @param margin  stands before every line but the first
 */
export function indented(json: string, margin = ""): string {
  let out = "";
  let depth = 0;
  const line = () => `\n${margin}${"  ".repeat(depth)}`;
  for (const [piece] of json.matchAll(/"(?:[^"\\]|\\.)*"|[{[]\s*[}\]]|[{}[\],:]|[^\s{}[\],:"]+/g)) {
    if (piece === "{" || piece === "[") {
      depth += 1;
      out += piece + line();
    } else if (piece === "}" || piece === "]") {
      depth -= 1;
      out += line() + piece;
    } else if (piece === ",") out += piece + line();
    else if (piece === ":") out += ": ";
    else out += piece.startsWith('"') ? piece : piece.replace(/\s+/g, "");
  }
  return out;
}
