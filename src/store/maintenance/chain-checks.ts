/**
 * Verification of the hash chain: whether each link follows from the one before, and whether every
 * record is as the last link that names it has left it.
 *
 * Records and links are read side by side, so many at a time: the records of a range of keys are
 * hashed, then all links are read for what they say of that range. So memory does not grow with the
 * book, and a link is read a few times.
 */
import { type RecordKind, recordKinds } from "../chain/canonical.ts";
import { decodeRecords, genesis, type Head, linkHash } from "../chain/links.ts";
import { lastWordOn, nameOf } from "../chain/names.ts";
import { columnsOf, keyOrder, linksOf, pageOf } from "../chain/stored.ts";
import type { Row } from "../dialects/connection.ts";
import type { Tx } from "../transactions/tx.ts";
import type { Findings } from "./findings.ts";

/** Records in memory at a time. */
const recordsMax = 50_000;

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
    decodeRecords(records, () => undefined);
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
  readonly hash: string;
  readonly number: number;
  readonly at: number | null;
}

class Comparison {
  readonly #findings: Findings;
  #ranges: Range[] = [];
  /** Hashes of the records there are, by kind and key. */
  #found = new Map<RecordKind, Map<string, string>>();
  #size = 0;
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
      for (const { key, hash } of page.records) this.#foundOf(kind).set(key, hash);
      this.#size += page.records.length;
      this.count += page.records.length;
      const last = page.records.at(-1);
      if (last === undefined || page.isLast) break;
      after = last.key;
      if (this.#size < recordsMax) continue;
      this.#ranges.push({ kind, after: from, upTo: last.key });
      from = last.key;
      await this.end();
    }
    this.#ranges.push({ kind, after: from, upTo: undefined });
    if (this.#size >= recordsMax) await this.end();
  }

  #foundOf(kind: RecordKind): Map<string, string> {
    let own = this.#found.get(kind);
    if (own === undefined) {
      own = new Map();
      this.#found.set(kind, own);
    }
    return own;
  }

  /** Compares the records that were added with what the links say of them. */
  async end(): Promise<void> {
    const linked = await this.#linked();
    for (const { kind } of this.#ranges) {
      const found = this.#foundOf(kind);
      const said = linked.get(kind) ?? new Map<string, Linked>();
      for (const [key, link] of said) {
        const hash = found.get(key) ?? "";
        if (hash === link.hash) continue;
        await this.#fault(kind, key, hash === "" ? "removed" : "changed", link);
      }
      for (const key of found.keys()) if (!said.has(key)) await this.#fault(kind, key, "added");
    }
    this.#ranges = [];
    this.#found = new Map();
    this.#size = 0;
  }

  async #linked(): Promise<ReadonlyMap<RecordKind, Map<string, Linked>>> {
    const linked = new Map(this.#ranges.map(({ kind }) => [kind, new Map<string, Linked>()]));
    const ranges = new Map(this.#ranges.map((range) => [range.kind, range]));
    for await (const { number, at, records } of linksOf(this.#findings.tx)) {
      try {
        decodeRecords(records, (kind, { key, hash }) => {
          const range = ranges.get(kind);
          if (range !== undefined && isWithin(range, key)) {
            linked.get(kind)?.set(key, { hash, number, at });
          }
        });
      } catch {
        // Named among the links.
      }
    }
    return linked;
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
  if (what === "changed" && link.hash === "") return `put back ${since}, which removed it.`;
  const word = what === "removed" ? await lastWordOn(tx, key) : undefined;
  return `${what} ${since}.${word === undefined ? "" : ` Its history says: ${word}`}`;
}

function isWithin({ kind, after, upTo }: Range, key: string): boolean {
  if (after !== undefined && keyOrder(kind, key, after) <= 0) return false;
  return upTo === undefined || keyOrder(kind, key, upTo) <= 0;
}
