/**
 * CSV by RFC 4180, with the line ends of the system.
 *
 * Written by hand: csv-stringify takes 16 times as long for the same bytes, and the format is a
 * single quoting rule. In addition, cells are guarded so that spreadsheets treat them as text.
 */

import { csvLine } from "../../wire/csv.ts";
import { safeText } from "./safe.ts";

const quoted = /[",\r\n]|^ | $/;
const formula = /^'*[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const number = /^[+-]?\d+(?:\.\d+)?$/;

/** Returns one row with its line end. */
export function csvRow(cells: readonly string[]): string {
  // A row with a single empty cell is quoted, since readers skip empty lines.
  return cells.length === 1 && cells[0] === "" ? '""\n' : csvLine(cells.map(safeCell), quoted);
}

/**
 * Guards a cell against evaluation as a formula: text that begins like one gets an apostrophe.
 * Numbers are unchanged.
 */
export function guarded(text: string): string {
  return formula.test(text) && !number.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that `guarded` added, so that an exported file is imported unchanged. */
export function unguarded(text: string): string {
  return text.startsWith("'") && formula.test(text.slice(1)) ? text.slice(1) : text;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const controls = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Removes control characters, which books never contain but foreign files may. */
function safeCell(text: string): string {
  return guarded(controls.test(text) ? safeText(text) : text);
}
