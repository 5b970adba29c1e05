/**
 * What does not fit into memory: rows and records of a large file, kept in temporary files.
 *
 * Rows of one document may be anywhere in a file. Those of a small file are gathered in memory; a
 * large one is first dealt out, by the hash of the document's number, into parts that are small
 * enough each to be gathered so. Records that have been checked wait likewise until all are.
 */
import { readSync, writeSync } from "node:fs";
import type { CsvRow } from "../../../wire/csv.ts";
import { type ScratchFile, scratchFile } from "../readers/source.ts";
import type { ImportRecord } from "../records/import-record.ts";

/** Lines of text in a temporary file. */
class Lines {
  readonly #file: ScratchFile;
  #waiting: string[] = [];
  #waitingLength = 0;
  #bytes = 0;

  constructor() {
    this.#file = scratchFile();
  }

  add(line: string): void {
    this.#waiting.push(line);
    this.#waitingLength += line.length;
    if (this.#waitingLength > waitingMax) this.#flush();
  }

  #flush(): void {
    if (this.#waiting.length === 0) return;
    const bytes = Buffer.from(`${this.#waiting.join("\n")}\n`);
    let written = 0;
    while (written < bytes.length) {
      const at = this.#bytes + written;
      written += writeSync(this.#file.descriptor, bytes, written, bytes.length - written, at);
    }
    this.#bytes += bytes.length;
    this.#waiting = [];
    this.#waitingLength = 0;
  }

  *read(): Generator<string> {
    this.#flush();
    const buffer = Buffer.alloc(256 * 1024);
    let rest: Buffer = Buffer.alloc(0);
    let position = 0;
    while (position < this.#bytes) {
      const count = readSync(this.#file.descriptor, buffer, 0, buffer.length, position);
      if (count === 0) break;
      position += count;
      // Cut at the last line end, which is never inside a character.
      const joined = Buffer.concat([rest, buffer.subarray(0, count)]);
      const end = joined.lastIndexOf(10);
      rest = joined.subarray(end + 1);
      if (end > 0) yield* joined.toString("utf8", 0, end).split("\n");
    }
  }

  remove(): void {
    this.#file.remove();
  }
}

/** Characters that wait before they are written. */
const waitingMax = 64 * 1024;

/** Rows, to be had back by their keys. */
export interface Groups {
  add(key: string, row: CsvRow): void;
  /** The rows of one key after those of another, each in the order of the file. */
  each(): Iterable<readonly CsvRow[]>;
  remove(): void;
}

/** @param parts  1 keeps everything in memory */
export function createGroups(parts: number): Groups {
  return parts <= 1 ? new GroupsInMemory() : new GroupsOnDisk(parts);
}

class GroupsInMemory implements Groups {
  readonly #rows = new Map<string, CsvRow[]>();

  add(key: string, row: CsvRow): void {
    const held = this.#rows.get(key);
    if (held === undefined) this.#rows.set(key, [row]);
    else held.push(row);
  }

  *each(): Generator<readonly CsvRow[]> {
    for (const [key, rows] of this.#rows) {
      this.#rows.delete(key); // Nobody needs them any more.
      yield rows;
    }
  }

  remove(): void {
    this.#rows.clear();
  }
}

class GroupsOnDisk implements Groups {
  readonly #parts: Lines[];

  constructor(parts: number) {
    this.#parts = Array.from({ length: parts }, () => new Lines());
  }

  add(key: string, { row, cells, fault }: CsvRow): void {
    const part = this.#parts[hashOf(key) % this.#parts.length];
    part?.add(JSON.stringify([key, row, fault ?? 0, ...cells]));
  }

  *each(): Generator<readonly CsvRow[]> {
    for (const part of this.#parts) {
      const groups = new GroupsInMemory();
      for (const line of part.read()) {
        const [key, row, fault, ...cells] = JSON.parse(line) as [
          string,
          number,
          string | 0,
          ...string[],
        ];
        groups.add(key, fault === 0 ? { row, cells } : { row, cells, fault });
      }
      yield* groups.each();
    }
  }

  remove(): void {
    for (const part of this.#parts) part.remove();
  }
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Records that have been checked, in the order in which they came. */
export interface Waiting {
  add(candidate: ImportRecord): void;
  each(): Iterable<ImportRecord>;
  remove(): void;
}

export function createWaiting(onDisk: boolean): Waiting {
  return onDisk ? new WaitingOnDisk() : new WaitingInMemory();
}

class WaitingInMemory implements Waiting {
  #candidates: ImportRecord[] = [];

  add(candidate: ImportRecord): void {
    this.#candidates.push(candidate);
  }

  each(): Iterable<ImportRecord> {
    return this.#candidates;
  }

  remove(): void {
    this.#candidates = [];
  }
}

class WaitingOnDisk implements Waiting {
  readonly #lines = new Lines();

  add(candidate: ImportRecord): void {
    const amounts = candidate.amounts.map(
      (amount) => amount && [String(amount.value), amount.scale],
    );
    this.#lines.add(JSON.stringify({ ...candidate, amounts }));
  }

  *each(): Generator<ImportRecord> {
    for (const line of this.#lines.read()) {
      const { amounts, ...candidate } = JSON.parse(line) as Omit<ImportRecord, "amounts"> & {
        readonly amounts: readonly ([value: string, scale: number] | null)[];
      };
      const exact = amounts.map((amount) =>
        amount === null ? undefined : { value: BigInt(amount[0]), scale: amount[1] },
      );
      yield { ...candidate, amounts: exact };
    }
  }

  remove(): void {
    this.#lines.remove();
  }
}
