/**
 * The file of refused rows: the original columns and the reason, ready to be mended and imported.
 *
 * It is written as the file itself was, so that the same command reads it. Earlier refused rows
 * that somebody may be mending are set aside and not written over.
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
import { explainedWriting } from "../../../platform/disk.ts";
import { clearLeftovers, partName, removePart } from "../../../platform/part-file.ts";
import { csvLine } from "../../../wire/csv.ts";
import { guarded, unguarded } from "../../render/csv-row.ts";
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
  /** As the import has them. */
  readonly rowNumbers?: readonly number[] | undefined;
}

/** @returns where earlier refused rows were set aside, if there were any @throws DiskError */
export function writeRejected(options: RejectedOptions): string | undefined {
  const { path } = options;
  clearLeftovers(path);
  const made = partName(path);
  try {
    const descriptor = openSync(made, "w");
    try {
      for (const text of rejectedText(options)) writeAll(descriptor, Buffer.from(text));
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    const before = setAside(path, made);
    renameSync(made, path);
    return before;
  } catch (error) {
    throw explainedWriting(path, error);
  } finally {
    removePart(made);
  }
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

function* rejectedText(options: RejectedOptions): Generator<string> {
  const rowText = rowTextIn(options);
  // The mark says that this is UTF-8, whatever the file was.
  yield options.reader.rejectedForm.encoding === "utf-8" ? "" : "\ufeff";
  const places = new Map(options.rowNumbers?.map((row, at) => [row, at + 2]));
  const placeOf = (row: number) => places.get(row) ?? row;
  const refused = reasonsByRow(options.refusals, placeOf);
  let next = refused.next();
  let isHeading = true;
  for (const rows of options.reader.rows()) {
    let text = "";
    for (const { row, cells } of rows) {
      if (isHeading) {
        isHeading = false;
        text += rowText(cells, reasonHeading);
        continue;
      }
      if (next.done === true) break;
      if (row !== placeOf(next.value.row)) continue;
      text += rowText(cells, next.value.reasons.join(" "));
      next = refused.next();
    }
    yield text;
    if (next.done === true) return;
  }
}

/** Each row that is refused, in the order of the file, with all that is said of it. */
function* reasonsByRow(
  refusals: Refusals,
  placeOf: (row: number) => number,
): Generator<{ row: number; reasons: string[] }> {
  let last: { row: number; reasons: string[] } | undefined;
  for (const { row, reason } of refusals.inOrder(placeOf)) {
    if (last?.row === row) {
      last.reasons.push(reason);
      continue;
    }
    if (last !== undefined) yield last;
    last = { row, reasons: [reason] };
  }
  if (last !== undefined) yield last;
}

/** Writes a row as the file has its rows, with the reason in the column for it. */
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
    const plain = unguarded(cell);
    // An amount with a minus is no formula, whatever its decimal mark.
    return readNumber(plain, { decimal: mark }) === undefined ? guarded(plain) : plain;
  };
  const reasonAt = headings.indexOf(reasonHeading);
  return (cells, reason) => {
    // A row with too many cells keeps them, after the reason, where they are too many again.
    const padded = Array.from(
      { length: Math.max(headings.length, cells.length) },
      (_, at) => cells[at] ?? "",
    );
    if (reasonAt === -1) padded.splice(headings.length, 0, reason);
    else padded[reasonAt] = reason;
    return csvLine(padded.map(cellText), special, delimiter);
  };
}

/** Whether nothing is there, or a file of refused rows: what is another's is not written over. */
export function mayHoldRejected(path: string): boolean {
  const older = statSync(path, { throwIfNoEntry: false });
  if (older === undefined || older.size === 0) return true;
  if (!older.isFile()) return false;
  const [heading = ""] = readFileSync(path, "utf8").split("\n", 1);
  return heading.includes(reasonHeading);
}

/** Moves an older file out of the way, unless it says the same. */
function setAside(path: string, made: string): string | undefined {
  const older = statSync(path, { throwIfNoEntry: false });
  if (older === undefined || !older.isFile()) return undefined;
  const isSame =
    older.size === statSync(made).size && readFileSync(path).equals(readFileSync(made));
  if (isSame) return undefined;
  let aside = `${path}~`;
  for (let at = 2; existsSync(aside); at += 1) aside = `${path}~${at}`;
  renameSync(path, aside);
  return aside;
}
