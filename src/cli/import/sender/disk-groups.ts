/**
 * Stores rows and records of a large file in temporary files.
 *
 * Rows of one document may be anywhere in a file. For a small file they are grouped in memory; a
 * large file is first split, by the hash of the document number, into parts that fit in memory.
 * Validated records also wait on disk until all are validated.
 */
import { ScratchLines } from "../../../platform/scratch-file.ts";
import type { CsvRow } from "../../../wire/csv.ts";
import type { ImportRecord } from "../records/import-record.ts";

/** Rows grouped by key. */
export interface Groups {
  add(key: string, row: CsvRow): void;
  /** Yields the rows key by key, each in file order. */
  each(): Iterable<readonly CsvRow[]>;
  remove(): void;
}

/**
 * Creates a row store.
 *
 * @param partCount  1 keeps all in memory
 */
export function createGroups(partCount: number): Groups {
  return partCount <= 1 ? new GroupsInMemory() : new GroupsOnDisk(partCount);
}

class GroupsInMemory implements Groups {
  readonly #rows = new Map<string, CsvRow[]>();

  add(key: string, row: CsvRow): void {
    const rows = this.#rows.get(key);
    if (rows === undefined) this.#rows.set(key, [row]);
    else rows.push(row);
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
  readonly #parts: ScratchLines[];

  constructor(partCount: number) {
    this.#parts = Array.from({ length: partCount }, () => new ScratchLines());
  }

  add(key: string, { row, cells, fault }: CsvRow): void {
    const hashPart = this.#parts[hashOf(key) % this.#parts.length];
    hashPart?.add(JSON.stringify([key, row, fault ?? 0, ...cells]));
  }

  *each(): Generator<readonly CsvRow[]> {
    for (const hashPart of this.#parts) {
      const groups = new GroupsInMemory();
      for (const line of hashPart.read()) {
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
    for (const hashPart of this.#parts) hashPart.remove();
  }
}

/** Computes the FNV-1a hash of a text. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  }
  return hash >>> 0;
}

/** Queue of validated records, in the order of insertion. */
export interface RecordQueue {
  add(candidate: ImportRecord): void;
  each(): Iterable<ImportRecord>;
  remove(): void;
}

export function createWaiting(isOnDisk: boolean): RecordQueue {
  return isOnDisk ? new WaitingOnDisk() : new WaitingInMemory();
}

class WaitingInMemory implements RecordQueue {
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

class WaitingOnDisk implements RecordQueue {
  readonly #lines = new ScratchLines();

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
