/**
 * Verification of the hash chain: whether each link follows from the one before, and whether every
 * record is as the last link that names it has left it.
 *
 * Records and links are read side by side, so many at a time: the records of a range of keys are
 * hashed, then all links are read for what they say of that range. So memory does not grow with the
 * book, and a link is read a few times. The log of what was done has numbers without gaps beside it.
 */
import { sql } from "kysely";
import { dayIn as dayAt, ianaName } from "../../ledger/dates/timezones.ts";
import { kindsOf, type RecordKind, recordKinds } from "../chain/canonical.ts";
import {
  bufferOf,
  decodeKey,
  encodeKey,
  genesis,
  type Head,
  hashBytes,
  keyOrder,
  type Link,
  type LinkedRecord,
  linkHash,
  linkHashBefore,
  scanRecords,
} from "../chain/links.ts";
import { lastHistory, nameOf } from "../chain/record-names.ts";
import { atOf, columnsOf, linksOf, pageOf } from "../chain/stored.ts";
import type { Row } from "../connection/connection.ts";
import type { Tx } from "../tx/tx.ts";
import { Findings } from "./findings.ts";

/** Maximum records in memory, some 80 bytes each: all links are read once for each such batch. */
const recordsMax = 1 << 18;

/** Maximum faults named for one kind of record. */
const namedMax = 20;

/** Checks the chain, and that it contains the sealed link, where one is given. */
export async function checkChain(findings: Findings): Promise<void> {
  await checkLinks(findings);
  const compared = new ChainComparison(findings);
  for (const kind of kindsOf(findings.tx.org)) await compared.add(kind);
  await compared.end();
  findings.checks.push({ name: "records in the chain", count: compared.count });
}

// --- links ---------------------------------------------------------------------------------------

async function checkLinks(findings: Findings): Promise<void> {
  const { tx, since } = findings;
  let before: Head = genesis;
  let count = 0;
  for await (const link of linksOf(tx)) {
    count += 1;
    const missing = link.number - before.number - 1;
    if (missing > 0) {
      const which = missing === 1 ? `Link ${link.number - 1} of` : `${missing} links of`;
      const place = `between ${before.number} and ${link.number}`;
      findings.fault("link", `${which} the chain, ${place}, ${missing === 1 ? "is" : "are"} gone.`);
    } else if (!isReadable(link.records) || !isHashOf(before, link)) {
      findings.fault("link", `Link ${link.number} of the chain is not the one that was written.`);
    }
    if (link.number === since?.number && link.hash !== since.hash) {
      findings.faults.push(
        `Link ${link.number} is not the one that was sealed: what was written before has changed since.`,
      );
    }
    before = link;
  }
  if (since !== undefined && before.number < since.number) {
    findings.faults.push(
      `The chain ends with link ${before.number}, but ${since.number} were sealed: what was written last is gone.`,
    );
  }
  findings.checks.push({ name: "links of the chain", count });
  if (since !== undefined) {
    findings.checks.push({ name: "of them sealed", count: Math.min(since.number, before.number) });
  }
}

function isHashOf({ hash }: Head, link: Link): boolean {
  if (linkHash(hash, link) === link.hash) return true;
  return link.cause === null && linkHashBefore(hash, link) === link.hash;
}

function isReadable(records: Uint8Array): boolean {
  try {
    scanRecords(
      records,
      () => undefined,
      () => false,
    );
    return true;
  } catch {
    return false;
  }
}

// --- records -------------------------------------------------------------------------------------

/**
 * A range of keys of a kind, encoded as in links, the first excluded, the last included; undefined
 * means no bound.
 */
interface Range {
  readonly kind: RecordKind;
  readonly after: Uint8Array | undefined;
  readonly upTo: Uint8Array | undefined;
}

/** The last link that names a record. */
interface LinkState {
  /** Whether that link removed the record. */
  readonly isGone: boolean;
  readonly number: number;
}

/** State of a stored record: named by no link, or how it compares with the last link naming it. */
const unknownState = 0;
const same = 1;
const changed = 2;
const removed = 3;

/**
 * The stored records with their hashes, by kind and key: a hash table in arrays of fixed size,
 * since there are many. Keys are encoded as in links, so that links need no decoding.
 */
class PresentRecords {
  /** Hash slots: indexes of records from 1; 0 for a free slot. */
  readonly #slots = new Uint32Array(2 * recordsMax);
  readonly #kinds = new Uint8Array(recordsMax);
  /** End offset of each key; it begins where the one before ends. */
  readonly #keyEnds = new Uint32Array(recordsMax);
  #keys = Buffer.allocUnsafeSlow(40 * recordsMax);
  readonly #hashes = Buffer.allocUnsafeSlow(hashBytes * recordsMax);
  readonly #states = new Uint8Array(recordsMax);
  /** Number of the last link that names each record. */
  readonly #numbers = new Uint32Array(recordsMax);
  size = 0;

  get isFull(): boolean {
    return this.size === recordsMax;
  }

  clear(): void {
    this.#slots.fill(0);
    this.#states.fill(unknownState);
    this.size = 0;
  }

  add(kind: RecordKind, { key, hash }: LinkedRecord): void {
    const bytes = encodeKey(kind, key);
    const startIndex = this.#keyFrom(this.size);
    const to = startIndex + bytes.length;
    if (to > this.#keys.length) this.#keys = Buffer.concat([this.#keys], 2 * to);
    this.#keys.set(bytes, startIndex);
    this.#keyEnds[this.size] = to;
    this.#kinds[this.size] = kindNumbers.get(kind) as number;
    this.#hashes.write(hash, hashBytes * this.size, "latin1");
    this.#slots[this.#slotOf(kind, bytes, 0, bytes.length)] = this.size + 1;
    this.size += 1;
  }

  /** The index of the record with the key in these bytes; -1 when there is none. */
  find(kind: RecordKind, bytes: Uint8Array, startIndex: number, to: number): number {
    return (this.#slots[this.#slotOf(kind, bytes, startIndex, to)] as number) - 1;
  }

  /** Notes what a link says of a record, replacing an earlier link. */
  link(position: number, bytes: Uint8Array, hashAt: number, number: number): void {
    const own = hashBytes * position;
    this.#states[position] =
      hashAt < 0 ? removed : areSame(this.#hashes, own, bytes, hashAt, hashBytes) ? same : changed;
    this.#numbers[position] = number;
  }

  /** Records of a kind that differ from their last link, or have none, in key order. */
  *doubts(kind: RecordKind): Generator<{ readonly key: string; readonly link?: LinkState }> {
    const kindNumber = kindNumbers.get(kind);
    for (let position = 0; position < this.size; position += 1) {
      const state = this.#states[position];
      if (state === same || this.#kinds[position] !== kindNumber) continue;
      const key = decodeKey(kind, this.#keys, this.#keyFrom(position));
      const number = this.#numbers[position] as number;
      yield state === unknownState ? { key } : { key, link: { isGone: state === removed, number } };
    }
  }

  #keyFrom(position: number): number {
    return position === 0 ? 0 : (this.#keyEnds[position - 1] as number);
  }

  /** The slot of a key, or the free slot for it. */
  #slotOf(kind: RecordKind, bytes: Uint8Array, startIndex: number, to: number): number {
    const kindNumber = kindNumbers.get(kind) as number;
    const slotMask = this.#slots.length - 1;
    // Computes the slot by the hash function FNV-1a.
    let hash = Math.imul(0x811c9dc5 ^ kindNumber, 0x01000193);
    for (let at = startIndex; at < to; at += 1) {
      hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
    }
    for (let slot = (hash ^ (hash >>> 15)) & slotMask; ; slot = (slot + 1) & slotMask) {
      const position = (this.#slots[slot] as number) - 1;
      if (position < 0) return slot;
      const keyStart = this.#keyFrom(position);
      const isOfKind = this.#kinds[position] === kindNumber;
      if (!isOfKind || (this.#keyEnds[position] as number) - keyStart !== to - startIndex) continue;
      if (areSame(this.#keys, keyStart, bytes, startIndex, to - startIndex)) return slot;
    }
  }
}

const kindNumbers = new Map(recordKinds.map((kind, at) => [kind, at]));

function areSame(a: Uint8Array, fromA: number, b: Uint8Array, fromB: number, length: number) {
  for (let at = 0; at < length; at += 1) if (a[fromA + at] !== b[fromB + at]) return false;
  return true;
}

class ChainComparison {
  readonly #findings: Findings;
  #ranges: Range[] = [];
  readonly #present = new PresentRecords();
  readonly #faults = new Map<string, number>();
  count = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Adds all records of a kind; a full batch is compared at once, the rest with the next kind. */
  async add(kind: RecordKind): Promise<void> {
    let from: Uint8Array | undefined;
    let afterKey: string | undefined;
    for (;;) {
      const page = await pageOf(this.#findings.tx, kind, afterKey);
      for (const record of page.records) {
        if (this.#present.isFull) {
          const upTo = afterKey === undefined ? undefined : Buffer.from(encodeKey(kind, afterKey));
          this.#ranges.push({ kind, after: from, upTo });
          from = upTo;
          await this.end();
        }
        this.#present.add(kind, record);
        afterKey = record.key;
      }
      this.count += page.records.length;
      if (page.isLast) break;
    }
    this.#ranges.push({ kind, after: from, upTo: undefined });
  }

  /** Compares the batch of records with the links. */
  async end(): Promise<void> {
    const absentByKind = await this.#linked();
    for (const { kind } of this.#ranges) {
      for (const [key, link] of absentByKind.get(kind) ?? []) {
        if (!link.isGone) await this.#fault(kind, key, "removed", link);
      }
      const addedKeys: string[] = [];
      for (const { key, link } of this.#present.doubts(kind)) {
        if (link !== undefined) await this.#fault(kind, key, "changed", link);
        else if (addedKeys.length <= namedMax) addedKeys.push(key);
      }
      for (const key of addedKeys) await this.#fault(kind, key, "added");
    }
    this.#ranges = [];
    this.#present.clear();
  }

  /**
   * Reads all links for the records of the batch.
   * @returns the links of other records in their ranges
   */
  async #linked(): Promise<ReadonlyMap<RecordKind, ReadonlyMap<string, LinkState>>> {
    const absent = new Map(this.#ranges.map(({ kind }) => [kind, new Map<string, LinkState>()]));
    const rangeByKind = new Map(this.#ranges.map((range) => [range.kind, range]));
    const wants = (kind: RecordKind) => rangeByKind.has(kind);
    for await (const link of linksOf(this.#findings.tx)) {
      const { number } = link;
      const records = bufferOf(link.records);
      const visit = (kind: RecordKind, startIndex: number, to: number, hashAt: number) => {
        const range = rangeByKind.get(kind);
        if (range === undefined || !isWithin(range, records, startIndex)) return;
        const position = this.#present.find(kind, records, startIndex, to);
        if (position >= 0) return this.#present.link(position, records, hashAt, number);
        absent.get(kind)?.set(decodeKey(kind, records, startIndex), { isGone: hashAt < 0, number });
      };
      try {
        scanRecords(records, visit, wants);
      } catch {
        // The check of links reports this fault.
      }
    }
    return absent;
  }

  async #fault(
    kind: RecordKind,
    key: string,
    deviation: "changed" | "removed" | "added",
    link?: LinkState,
  ): Promise<void> {
    const { tx } = this.#findings;
    const name = `${kind.table} ${deviation}`;
    const faultsBefore = this.#faults.get(name) ?? 0;
    this.#faults.set(name, faultsBefore + 1);
    if (faultsBefore > namedMax) return;
    const columns = columnsOf(kind, key);
    const record = await nameOf(tx, kind, columns);
    this.#findings.fault(name, `${record}: ${await saidOf(tx, deviation, columns, link)}`);
  }
}

async function saidOf(
  tx: Tx,
  deviation: "changed" | "removed" | "added",
  key: Row,
  link: LinkState | undefined,
): Promise<string> {
  if (link === undefined) return "added outside of the program, no link of the chain has it.";
  const at = await atOf(tx, link.number);
  const day = at === undefined ? "" : ` of ${dayAt(at, await timezoneOf(tx))}`;
  const since = `outside of the program since link ${link.number}${day}`;
  if (deviation === "changed" && link.isGone) return `put back ${since}, which removed it.`;
  const word = deviation === "removed" ? await lastHistory(tx, key) : undefined;
  return `${deviation} ${since}.${word === undefined ? "" : ` Its history says: ${word}`}`;
}

/**
 * The time zone of the organisation, read straight from its table, since its record may be the
 * altered one.
 */
async function timezoneOf(tx: Tx): Promise<string> {
  const { rows } = await sql<{ timezone: string | null }>`
    select timezone from organisation where org = ${tx.org}`.execute(tx.db);
  const zone = rows[0]?.timezone ?? "UTC";
  return ianaName(zone) === undefined ? "UTC" : zone;
}

function isWithin({ kind, after, upTo }: Range, link: Uint8Array, startIndex: number): boolean {
  if (after !== undefined && keyOrder(kind, link, after, startIndex) <= 0) return false;
  return upTo === undefined || keyOrder(kind, link, upTo, startIndex) <= 0;
}

/** Checks that audit entries are numbered without gaps, since entries are only added. */
export async function auditEntries(findings: Findings): Promise<void> {
  const { org } = findings.tx;
  const [row] = await findings.rows(
    sql<{ count: number; last: number | null }>`
      select count(*) as count, max(number) as last from audit_entry where org = ${org}`,
  );
  const [count, last] = [Number(row?.count ?? 0), Number(row?.last ?? 0)];
  if (count !== last) {
    findings.faults.push(`The audit log has ${count} entries, and the last of them is ${last}.`);
  }
  findings.checks.push({ name: "entries of the audit log", count });
}

/** Verifies the audit log of a server and its chain, which also covers people and apps. */
export async function verifyServerLog(tx: Tx): Promise<Pick<Findings, "checks" | "faults">> {
  const findings = new Findings(tx);
  await auditEntries(findings);
  const checks = findings.checks.map(({ name, count }) => ({
    name: `${name} of the server`,
    count,
  }));
  await checkChain(findings);
  return { checks, faults: findings.faults.map((fault) => `Of the server: ${fault}`) };
}
