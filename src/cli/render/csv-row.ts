/**
 * CSV, RFC 4180 with lines that end as everywhere else on the system.
 *
 * Written here: csv-stringify takes 16 times as long for the same bytes, and the whole of the
 * format is one quoting rule. What is ours is that a file opened in a spreadsheet stays text.
 */

const quoted = /[",\r\n]|^ | $/;
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?\d+(?:\.\d+)?$/;

/** One row, with its line end. */
export function csvRow(cells: readonly string[]): string {
  // A row of one empty cell would be an empty line, which readers skip.
  const row = cells.length === 1 && cells[0] === "" ? '""' : cells.map(csvCell).join(",");
  return `${row}\n`;
}

/**
 * A cell that a spreadsheet does not take for a formula: text that begins like one gets an
 * apostrophe before it. Numbers stay as they are.
 */
export function guarded(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

/** Takes away what `guarded` put before a text, so that an exported file is imported unchanged. */
export function unguarded(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

function csvCell(text: string): string {
  const safe = guarded(text);
  return quoted.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
