/**
 * Writes the file of rejected rows: the original columns and the reason, for correction and a new
 * import.
 *
 * It has the format of the imported file, so that the same command reads it. An earlier file that
 * the user may be correcting is renamed, not overwritten.
 */
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  writeSync,
} from "node:fs";
import { guard, unguardCell } from "../../../output/csv-output.ts";
import { asDiskError } from "../../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { csvLine } from "../../../wire/csv.ts";
import { readNumber } from "../../values/read-number.ts";
import { type Columns, reasonHeading } from "../mapping/heading-row.ts";
import type { Reader } from "../readers/reader.ts";
import type { Refusals } from "./refused-rows.ts";

export interface RejectedOptions {
  readonly path: string;
  readonly reader: Reader;
  readonly columns: Columns;
  readonly refusals: Refusals;
  readonly decimal: "comma" | "point" | undefined;
  /** Original row numbers, as in the import. */
  readonly rowNumbers?: readonly number[] | undefined;
}

/**
 * Writes the file of rejected rows.
 *
 * @returns the new path of an earlier file, if there was one
 * @throws DiskError
 */
export function writeRejected(options: RejectedOptions): string | undefined {
  const { path } = options;
  clearLeftovers(path);
  const partPath = partName(path);
  try {
    const descriptor = openSync(partPath, "w");
    try {
      for (const text of rejectedText(options)) writeAll(descriptor, Buffer.from(text));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const olderFile = setAside(path, partPath);
    renameSync(partPath, path);
    return olderFile;
  } catch (error) {
    throw asDiskError(path, error);
  } finally {
    removePart(partPath);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
}

function* rejectedText(options: RejectedOptions): Generator<string> {
  const rowText = rowTextIn(options);
  // A byte order mark identifies the file as UTF-8, whatever the encoding of the original.
  yield options.reader.rejectedForm.encoding === "utf-8" ? "" : "\ufeff";
  const fileRowByRow = new Map(options.rowNumbers?.map((row, at) => [row, at + 2]));
  const placeOf = (row: number) => fileRowByRow.get(row) ?? row;
  const refusedRows = reasonsByRow(options.refusals, placeOf);
  let nextRefused = refusedRows.next();
  let isHeading = true;
  for (const rows of options.reader.rows()) {
    let text = "";
    for (const { row, cells } of rows) {
      if (isHeading) {
        isHeading = false;
        text += rowText(cells, reasonHeading);
        continue;
      }
      if (nextRefused.done === true) break;
      if (row !== placeOf(nextRefused.value.row)) continue;
      text += rowText(cells, nextRefused.value.reasons.join(" "));
      nextRefused = refusedRows.next();
    }
    yield text;
    if (nextRefused.done === true) return;
  }
}

/** Yields each refused row once, in file order, with all its reasons. */
function* reasonsByRow(
  refusals: Refusals,
  placeOf: (row: number) => number,
): Generator<{ row: number; reasons: string[] }> {
  let lastRefused: { row: number; reasons: string[] } | undefined;
  for (const { row, reason } of refusals.inOrder(placeOf)) {
    if (lastRefused?.row === row) {
      lastRefused.reasons.push(reason);
      continue;
    }
    if (lastRefused !== undefined) yield lastRefused;
    lastRefused = { row, reasons: [reason] };
  }
  if (lastRefused !== undefined) yield lastRefused;
}

/** Returns a function that formats a row like the file, with the reason in its column. */
function rowTextIn({
  reader: {
    rejectedForm: { delimiter },
  },
  columns: { headings },
  decimal,
}: RejectedOptions): (cells: readonly string[], reason: string) => string {
  const special = new RegExp(`["\\r\\n\\${delimiter}]|^ | $`);
  const mark = decimal === "comma" ? "," : ".";
  const cellText = (cell: string) => {
    const plainCell = unguardCell(cell);
    // A negative amount is not a formula, in either decimal notation.
    return readNumber(plainCell, { decimal: mark }) === undefined ? guard(plainCell) : plainCell;
  };
  const reasonAt = headings.indexOf(reasonHeading);
  return (cells, reason) => {
    // A row with too many cells keeps them after the reason, where they stay a fault.
    const padded = Array.from(
      { length: Math.max(headings.length, cells.length) },
      (_, at) => cells[at] ?? "",
    );
    if (reasonAt === -1) padded.splice(headings.length, 0, reason);
    else padded[reasonAt] = reason;
    return csvLine(padded.map(cellText), special, delimiter);
  };
}

/** Whether a path is free or has a file of rejected rows, since other files are not overwritten. */
export function mayHoldRejected(path: string): boolean {
  const older = statSync(path, { throwIfNoEntry: false });
  if (older === undefined || older.size === 0) return true;
  if (!older.isFile()) return false;
  const [heading = ""] = readFileSync(path, "utf8").split("\n", 1);
  return heading.includes(reasonHeading);
}

/** Renames an earlier file, unless its content is the same. */
function setAside(path: string, partPath: string): string | undefined {
  const older = statSync(path, { throwIfNoEntry: false });
  if (older === undefined || !older.isFile()) return undefined;
  const isSame =
    older.size === statSync(partPath).size && readFileSync(path).equals(readFileSync(partPath));
  if (isSame) return undefined;
  let aside = `${path}~`;
  for (let at = 2; existsSync(aside); at += 1) aside = `${path}~${at}`;
  renameSync(path, aside);
  return aside;
}
