/**
 * The write set of a transaction: the records of one organisation that it has written, of which its
 * link in the chain is made before it commits.
 *
 * Rows that are inserted are hashed as they are handed to the database. Where only part of a record
 * is in hand, its key is kept, and the record is read when the transaction ends.
 */
import type { Insertion, Row } from "../dialects/connection.ts";
import type { Tx, WriteSet } from "../transactions/tx.ts";
import { hashOf, type RecordKind, recordKindOf, rowWriter } from "./canonical.ts";
import { encodeRecords, type Head, type Link, type LinkedRecord, linkAfter } from "./links.ts";
import { headOf, insertLinks, keyAt, keyOf, readRecords } from "./stored.ts";

/** Records of one link; a transaction that wrote more has several. */
const recordsMax = 4096;

/** A record that was written, with its hash once that is known. */
interface Note extends Omit<LinkedRecord, "hash"> {
  readonly kind: RecordKind;
  readonly hash: string | undefined;
}

export class TransactionWriteSet implements WriteSet {
  readonly #notes: Note[] = [];
  #at: number | null = null;
  #head: Promise<Head> | undefined;

  /** Reads the head of the chain, which nobody else changes while the organisation is locked. */
  async prefetchHead(tx: Tx): Promise<void> {
    this.#head = headOf(tx);
    await this.#head;
  }

  insert(insertion: Insertion, rows: readonly Row[]): void {
    const plan = planOf(insertion);
    if (plan === undefined) return;
    const { kind, keyIn, isWhole, write } = plan;
    let key: string | undefined;
    let text = "";
    const note = () => {
      if (key === undefined) return;
      this.#notes.push({ kind, key, hash: isWhole ? hashOf(kind, text) : undefined });
    };
    for (const row of rows) {
      const own = keyIn(row);
      if (own !== key) {
        note();
        key = own;
        text = isWhole ? write(row) : "";
      } else if (isWhole) text += `,${write(row)}`;
    }
    note();
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
    for (const columns of keys) this.#notes.push({ kind, key: keyOf(columns), hash });
  }

  forget(): void {
    this.#notes.length = 0;
  }

  mark(): number {
    return this.#notes.length;
  }

  rollback(mark: number): void {
    this.#notes.length = mark;
  }

  happened(at: number | undefined): void {
    if (at !== undefined) this.#at = Math.max(this.#at ?? at, at);
  }

  /** Appends the link of the transaction to the chain, where it has changed any record. */
  async append(tx: Tx): Promise<void> {
    if (this.#notes.length === 0) return;
    let head = await (this.#head ?? headOf(tx));
    const links: Link[] = [];
    for (const records of parts(await hashed(tx, this.#notes))) {
      const link = linkAfter(head, this.#at, encodeRecords(records));
      links.push(link);
      head = link;
    }
    await insertLinks(tx, links);
  }
}

/** How the rows of an insertion are noted. */
interface Plan {
  readonly kind: RecordKind;
  readonly keyIn: (row: Row) => string;
  /** What stands in a row is all that the record is afterwards. */
  readonly isWhole: boolean;
  readonly write: (row: Row) => string;
}

const plans = new WeakMap<Insertion, { readonly plan: Plan | undefined }>();

function planOf(insertion: Insertion): Plan | undefined {
  let known = plans.get(insertion);
  if (known === undefined) {
    known = { plan: planFrom(insertion) };
    plans.set(insertion, known);
  }
  return known.plan;
}

function planFrom({ table, columns, tail, replaces }: Insertion): Plan | undefined {
  const kind = recordKindOf(table);
  if (kind === undefined) return undefined;
  const isComplete = kind.columns.every((name) => columns.includes(name));
  return {
    kind,
    keyIn: keyAt(kind.key.map((name) => columns.indexOf(name))),
    isWhole: tail === "" || (replaces === true && isComplete),
    write: rowWriter(kind, columns),
  };
}

/** Each record once, as the transaction leaves it. */
async function hashed(
  tx: Tx,
  notes: readonly Note[],
): Promise<ReadonlyMap<RecordKind, Map<string, Note>>> {
  const latest = new Map<RecordKind, Map<string, Note>>();
  for (const note of notes) {
    const { kind, key } = note;
    let own = latest.get(kind);
    if (own === undefined) {
      own = new Map();
      latest.set(kind, own);
    }
    // Rows that join others of their record are not all of it.
    const before = kind.order.length === 0 ? undefined : own.get(key);
    const joins = before !== undefined && before.hash !== "" && note.hash !== "";
    own.set(key, joins ? { kind, key, hash: undefined } : note);
  }
  for (const [kind, own] of latest) {
    const unread = [...own.values()].filter(({ hash }) => hash === undefined);
    if (unread.length === 0) continue;
    const read = await readRecords(
      tx,
      kind,
      unread.map(({ key }) => key),
    );
    for (const { key } of unread) own.set(key, { kind, key, hash: read.get(key) ?? "" });
  }
  return latest;
}

/** Records in parts, of each of which a link is made. */
function* parts(
  records: ReadonlyMap<RecordKind, ReadonlyMap<string, Note>>,
): Generator<Map<RecordKind, LinkedRecord[]>> {
  let part = new Map<RecordKind, LinkedRecord[]>();
  let count = 0;
  for (const [kind, own] of records) {
    for (const note of own.values()) {
      if (count === recordsMax) {
        yield part;
        part = new Map();
        count = 0;
      }
      const others = part.get(kind);
      if (others === undefined) part.set(kind, [note as LinkedRecord]);
      else others.push(note as LinkedRecord);
      count += 1;
    }
  }
  if (count > 0) yield part;
}
