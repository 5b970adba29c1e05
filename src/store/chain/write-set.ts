/**
 * The write set of a transaction: the records of one organisation that it has written, of which its
 * link in the chain is made before it commits.
 *
 * Rows that are inserted are hashed as they are handed to the database. Where only part of a record
 * is in hand, its key is kept, and the record is read when the transaction ends.
 */
import type { Insertion, Row } from "../connection/connection.ts";
import type { Tx, WriteSet } from "../tx/tx.ts";
import {
  type CanonicalRow,
  canonicalRows,
  hashOf,
  hexOf,
  type RecordKind,
  recordKindOf,
} from "./canonical.ts";
import {
  type Cause,
  encodeRecords,
  type Head,
  type Link,
  type LinkedRecord,
  linkAfter,
  recordsMax,
  writeCause,
} from "./links.ts";
import { likelySequences } from "./sequences.ts";
import { headOf, insertLinks, keyAt, keyOf, readAhead, readRecords } from "./stored.ts";

/** A note of a written record, with its hash once it is known. */
interface Note extends Omit<LinkedRecord, "hash"> {
  readonly kind: RecordKind;
  readonly hash: string | undefined;
  /** Whether the write inserted a record that did not exist before. */
  readonly isNew: boolean;
  /** The entry number, for a row of the operation log or audit log. */
  readonly number?: number;
}

export class TransactionWriteSet implements WriteSet {
  readonly #notes: Note[] = [];
  #at: number | null = null;
  #head: Head | undefined;

  /**
   * Reads the head of the chain and the counters a writer is likely to need: the lock of the
   * organisation keeps others from changing them.
   */
  async prefetch(tx: Tx): Promise<void> {
    const { head, sequences } = await readAhead(tx, likelySequences(tx));
    this.#head = head;
    for (const [name, last] of sequences) tx.lock?.sequences.set(name, last);
  }

  insert(insertion: Insertion, rows: readonly Row[]): void {
    const plan = planOf(insertion);
    if (plan === undefined) return;
    const { kind, keyIn, isSame, isNew, isWhole, canonical, log } = plan;
    let rowsOfKey: CanonicalRow[] = [];
    for (let at = 0; at < rows.length; at += 1) {
      const row = rows[at] as Row;
      if (isWhole) rowsOfKey.push(canonical(row));
      const nextRow = rows[at + 1];
      if (nextRow !== undefined && isSame(row, nextRow)) continue;
      const hash = isWhole ? hashOf(kind, rowsOfKey) : undefined;
      const note = { kind, key: keyIn(row), hash, isNew };
      this.#notes.push(log === undefined ? note : { ...note, number: Number(row[log]) });
      rowsOfKey = [];
    }
  }

  keyOf(table: string, columns?: readonly string[]): readonly string[] | undefined {
    const kind = recordKindOf(table);
    const isCovered = columns?.some((name) => kind?.columns.includes(name)) ?? true;
    return isCovered ? kind?.key : undefined;
  }

  touch(table: string, keys: readonly Row[]): void {
    this.#note(table, keys, undefined);
  }

  remove(table: string, keys: readonly Row[]): void {
    this.#note(table, keys, "");
  }

  #note(table: string, keys: readonly Row[], hash: string | undefined): void {
    const kind = recordKindOf(table);
    if (kind === undefined) return;
    for (const columns of keys) {
      this.#notes.push({ kind, key: keyOf(columns), hash, isNew: false });
    }
  }

  forget(): void {
    this.#notes.length = 0;
  }

  mark(): number {
    return this.#notes.length;
  }

  rollback(noteCount: number): void {
    this.#notes.length = noteCount;
  }

  happened(at: number | undefined): void {
    if (at !== undefined) this.#at = Math.max(this.#at ?? at, at);
  }

  /** The cause of the transaction's links: its last operation, or else audit entry. */
  cause(): string | null {
    let cause: Cause | undefined;
    for (const { kind, number, hash } of this.#notes) {
      const log = logs[kind.table];
      if (log === undefined || number === undefined || hash === undefined) continue;
      if (cause?.log === "operation" && log === "audit") continue;
      cause = { log, number, hash: hexOf(hash) };
    }
    return cause === undefined ? null : writeCause(cause);
  }

  /** The records written, by kind, as links have them. */
  records(tx: Tx): Promise<ReadonlyMap<RecordKind, readonly LinkedRecord[]>> {
    return hashRecords(tx, this.#notes);
  }

  /** Appends the links of the transaction to the chain, if it changed any record. */
  async append(tx: Tx): Promise<void> {
    if (this.#notes.length === 0) return;
    let chainHead = this.#head ?? (await headOf(tx));
    const links: Link[] = [];
    const [at, cause] = [this.#at, this.cause()];
    for (const records of splitIntoLinks(await this.records(tx))) {
      const link = linkAfter(chainHead, { at, records: encodeRecords(records), cause });
      links.push(link);
      chainHead = link;
    }
    await insertLinks(tx, links);
  }
}

/** How the write set notes the rows of an insertion. */
interface InsertionPlan {
  readonly kind: RecordKind;
  readonly keyIn: (row: Row) => string;
  /** Whether two rows belong to one record. */
  readonly isSame: (first: Row, second: Row) => boolean;
  readonly isNew: boolean;
  /** Whether the row alone determines the record after the write. */
  readonly isWhole: boolean;
  readonly canonical: (row: Row) => CanonicalRow;
  /** Position of the column `number` in rows of a log; undefined for other tables. */
  readonly log: number | undefined;
}

/**
 * Log tables whose rows are causes of links; an operation takes precedence over an audit entry.
 */
const logs: Readonly<Record<string, Cause["log"]>> = {
  operation: "operation",
  audit_entry: "audit",
};

const planByInsertion = new WeakMap<Insertion, { readonly plan: InsertionPlan | undefined }>();

function planOf(insertion: Insertion): InsertionPlan | undefined {
  let cachedPlan = planByInsertion.get(insertion);
  if (cachedPlan === undefined) {
    cachedPlan = { plan: planFrom(insertion) };
    planByInsertion.set(insertion, cachedPlan);
  }
  return cachedPlan.plan;
}

function planFrom({ table, columns, tail, replaces }: Insertion): InsertionPlan | undefined {
  const kind = recordKindOf(table);
  if (kind === undefined) return undefined;
  const isComplete = kind.columns.every((name) => columns.includes(name));
  const isNew = tail === undefined;
  const positions = kind.key.map((name) => columns.indexOf(name));
  return {
    kind,
    keyIn: keyAt(positions),
    isSame: (row, otherRow) => positions.every((at) => row[at] === otherRow[at]),
    isNew,
    isWhole: isNew || (replaces === true && isComplete),
    canonical: canonicalRows(kind, columns),
    log: isNew && logs[table] !== undefined ? columns.indexOf("number") : undefined,
  };
}

/** The records written, each once in its final state, by kind. */
async function hashRecords(
  tx: Tx,
  notes: readonly Note[],
): Promise<ReadonlyMap<RecordKind, readonly LinkedRecord[]>> {
  const byKind = new Map<RecordKind, Note[]>();
  for (const note of notes) {
    const ofKind = byKind.get(note.kind);
    if (ofKind === undefined) byKind.set(note.kind, [note]);
    else ofKind.push(note);
  }
  const recordsByKind = new Map<RecordKind, readonly LinkedRecord[]>();
  for (const [kind, own] of byKind) {
    // Records that were only inserted, never written again, appear once each.
    const latest = own.every(({ isNew }) => isNew) ? own : latestNotes(kind, own);
    recordsByKind.set(kind, await withHashes(tx, kind, latest));
  }
  return recordsByKind;
}

/** The last note of each record. */
function latestNotes(kind: RecordKind, notes: readonly Note[]): Note[] {
  const lastNoteByKey = new Map<string, Note>();
  for (const note of notes) {
    // Several rows of one record: its key is kept and the record read at the end.
    const previousNote = kind.order.length === 0 ? undefined : lastNoteByKey.get(note.key);
    const isJoined = previousNote !== undefined && previousNote.hash !== "" && note.hash !== "";
    lastNoteByKey.set(note.key, isJoined ? { ...note, hash: undefined } : note);
  }
  return [...lastNoteByKey.values()];
}

/** Adds the missing hashes: records without a hash are read from the database. */
async function withHashes(
  tx: Tx,
  kind: RecordKind,
  notes: readonly Note[],
): Promise<readonly LinkedRecord[]> {
  const unread = notes.flatMap(({ key, hash }) => (hash === undefined ? key : []));
  if (unread.length === 0) return notes as readonly LinkedRecord[];
  const storedHashes = await readRecords(tx, kind, unread);
  return notes.map(({ key, hash }) => ({ key, hash: hash ?? storedHashes.get(key) ?? "" }));
}

/** Splits the records into parts of at most `recordsMax`, one for each link. */
function* splitIntoLinks(
  recordsByKind: ReadonlyMap<RecordKind, readonly LinkedRecord[]>,
): Generator<ReadonlyMap<RecordKind, readonly LinkedRecord[]>> {
  let linkRecordsByKind = new Map<RecordKind, readonly LinkedRecord[]>();
  let count = 0;
  for (const [kind, own] of recordsByKind) {
    for (let startIndex = 0; startIndex < own.length; ) {
      const some = own.slice(startIndex, startIndex + recordsMax - count);
      linkRecordsByKind.set(kind, some);
      startIndex += some.length;
      count += some.length;
      if (count < recordsMax) continue;
      yield linkRecordsByKind;
      linkRecordsByKind = new Map();
      count = 0;
    }
  }
  if (count > 0) yield linkRecordsByKind;
}
