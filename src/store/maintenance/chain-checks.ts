/**
 * Verification of the hash chain: whether each link follows from the one before, and whether every
 * record is as the last link that names it has left it.
 *
 * Records and links are read side by side, so many at a time: the records of a range of keys are
 * hashed, then all links are read for what they say of that range. So memory does not grow with the
 * book, and a link is read a few times.
 */
import { type RecordKind, recordKinds } from "../chain/canonical.ts";
import { decodeRecords, genesis, type Head, type LinkedRecord, linkHash } from "../chain/links.ts";
import { lastWordOn, nameOf } from "../chain/names.ts";
import { columnsOf, keyOrder, linksOf, pageOf } from "../chain/stored.ts";
import type { Row } from "../dialects/connection.ts";
import type { Tx } from "../transactions/tx.ts";
import type { Findings } from "./findings.ts";

/** Records in memory at a time, each of some 150 bytes: links are read once for each so many. */
const recordsMax = 250_000;
const hashBytes = 32;

/** Faults of one kind of record that are named. */
const namedMax = 20;

/** Checks the chain, and that it holds the link that was sealed, where one is given. */
export async function chain(findings: Findings): Promise<void> {
  await links(findings);
  const compared = new Comparison(findings);
  for (const kind of recordKinds) await compared.add(kind);
  await compared.end();
  findings.checks.push({ name: "records in the chain", count: compared.count });
}

// --- links ---------------------------------------------------------------------------------------

async function links(findings: Findings): Promise<void> {
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
    } else if (linkHash(before.hash, link) !== link.hash || !isReadable(link.records)) {
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

function isReadable(records: Uint8Array): boolean {
  try {
    decodeRecords(
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

/** Keys of a kind, the first excluded, the last included; undefined for no bound. */
interface Range {
  readonly kind: RecordKind;
  readonly after: string | undefined;
  readonly upTo: string | undefined;
}

/** What the last link that names a record says of it. */
interface Linked {
  /** It was removed. */
  readonly isGone: boolean;
  readonly number: number;
  readonly at: number | null;
}

/** What is known of a record that there is: no link names it, or the last one that does. */
const unknown = 0;
const same = 1;
const changed = 2;
const gone = 3;

/** Records that there are, by kind and key, with their hashes: in arrays, since they are many. */
class PresentRecords {
  readonly #places = new Map<RecordKind, Map<string, number>>();
  #hashes = Buffer.alloc(hashBytes * 1024);
  #states = new Uint8Array(1024);
  #numbers = new Uint32Array(1024);
  #moments = new Float64Array(1024);
  size = 0;

  of(kind: RecordKind): Map<string, number> {
    let own = this.#places.get(kind);
    if (own === undefined) {
      own = new Map();
      this.#places.set(kind, own);
    }
    return own;
  }

  add(kind: RecordKind, { key, hash }: LinkedRecord): void {
    if (this.size === this.#states.length) this.#grow();
    this.of(kind).set(key, this.size);
    this.#hashes.write(hash, hashBytes * this.size, "latin1");
    this.size += 1;
  }

  #grow(): void {
    const length = 2 * this.size;
    this.#hashes = Buffer.concat([this.#hashes], hashBytes * length);
    const [states, numbers] = [new Uint8Array(length), new Uint32Array(length)];
    const moments = new Float64Array(length);
    states.set(this.#states);
    numbers.set(this.#numbers);
    moments.set(this.#moments);
    [this.#states, this.#numbers, this.#moments] = [states, numbers, moments];
  }

  /** Takes down what a link says of one, instead of what an earlier one did. */
  link(place: number, hash: string, number: number, at: number | null): void {
    const from = hashBytes * place;
    const isSame = hash !== "" && this.#hashes.toString("latin1", from, from + hashBytes) === hash;
    this.#states[place] = hash === "" ? gone : isSame ? same : changed;
    this.#numbers[place] = number;
    this.#moments[place] = at ?? Number.NaN;
  }

  /** Undefined where all is well; else what its last link says, or that none names it. */
  doubt(place: number): Linked | "unknown" | undefined {
    const state = this.#states[place];
    if (state === same) return undefined;
    if (state === unknown) return "unknown";
    const at = this.#moments[place] as number;
    const number = this.#numbers[place] as number;
    return { isGone: state === gone, number, at: Number.isNaN(at) ? null : at };
  }
}

class Comparison {
  readonly #findings: Findings;
  #ranges: Range[] = [];
  #present = new PresentRecords();
  readonly #faults = new Map<string, number>();
  count = 0;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  /** Compares all records of a kind, some of them with those of the next. */
  async add(kind: RecordKind): Promise<void> {
    let from: string | undefined;
    let after: string | undefined;
    for (;;) {
      const page = await pageOf(this.#findings.tx, kind, after);
      for (const record of page.records) this.#present.add(kind, record);
      this.count += page.records.length;
      const last = page.records.at(-1);
      if (last === undefined || page.isLast) break;
      after = last.key;
      if (this.#present.size < recordsMax) continue;
      this.#ranges.push({ kind, after: from, upTo: last.key });
      from = last.key;
      await this.end();
    }
    this.#ranges.push({ kind, after: from, upTo: undefined });
    if (this.#present.size >= recordsMax) await this.end();
  }

  /** Compares the records that were added with what the links say of them. */
  async end(): Promise<void> {
    const absent = await this.#linked();
    for (const { kind } of this.#ranges) {
      for (const [key, link] of absent.get(kind) ?? []) {
        if (!link.isGone) await this.#fault(kind, key, "removed", link);
      }
      const added: string[] = [];
      for (const [key, place] of this.#present.of(kind)) {
        const doubt = this.#present.doubt(place);
        if (doubt === "unknown") added.push(key);
        else if (doubt !== undefined) await this.#fault(kind, key, "changed", doubt);
      }
      for (const key of added) await this.#fault(kind, key, "added");
    }
    this.#ranges = [];
    this.#present = new PresentRecords();
  }

  /** Reads what all links say of the records. @returns what they say of others in their ranges */
  async #linked(): Promise<ReadonlyMap<RecordKind, ReadonlyMap<string, Linked>>> {
    const absent = new Map(this.#ranges.map(({ kind }) => [kind, new Map<string, Linked>()]));
    const ranges = new Map(this.#ranges.map((range) => [range.kind, range]));
    const wants = (kind: RecordKind) => ranges.has(kind);
    for await (const { number, at, records } of linksOf(this.#findings.tx)) {
      const found = (kind: RecordKind, { key, hash }: LinkedRecord) => {
        const place = this.#present.of(kind).get(key);
        if (place !== undefined) return this.#present.link(place, hash, number, at);
        const range = ranges.get(kind);
        if (range === undefined || !isWithin(range, key)) return;
        absent.get(kind)?.set(key, { isGone: hash === "", number, at });
      };
      try {
        decodeRecords(records, found, wants);
      } catch {
        // Named among the links.
      }
    }
    return absent;
  }

  async #fault(
    kind: RecordKind,
    key: string,
    what: "changed" | "removed" | "added",
    link?: Linked,
  ): Promise<void> {
    const { tx } = this.#findings;
    const name = `${kind.table} ${what}`;
    const before = this.#faults.get(name) ?? 0;
    this.#faults.set(name, before + 1);
    if (before > namedMax) return;
    const columns = columnsOf(kind, key);
    const record = await nameOf(tx, kind, columns);
    this.#findings.fault(name, `${record}: ${await saidOf(tx, what, columns, link)}`);
  }
}

async function saidOf(
  tx: Tx,
  what: "changed" | "removed" | "added",
  key: Row,
  link: Linked | undefined,
): Promise<string> {
  if (link === undefined) return "added outside of the program, no link of the chain has it.";
  const day = link.at === null ? "" : ` of ${new Date(link.at).toISOString().slice(0, 10)}`;
  const since = `outside of the program since link ${link.number}${day}`;
  if (what === "changed" && link.isGone) return `put back ${since}, which removed it.`;
  const word = what === "removed" ? await lastWordOn(tx, key) : undefined;
  return `${what} ${since}.${word === undefined ? "" : ` Its history says: ${word}`}`;
}

function isWithin({ kind, after, upTo }: Range, key: string): boolean {
  if (after !== undefined && keyOrder(kind, key, after) <= 0) return false;
  return upTo === undefined || keyOrder(kind, key, upTo) <= 0;
}
