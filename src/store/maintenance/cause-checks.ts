/**
 * Verification that the links of each transaction were written for an operation or an act of the audit
 * log, which they hold and no others do, and that each operation has its link.
 *
 * Links of earlier versions of the program name no cause; none follows one that does.
 */
import { sql } from "kysely";
import type { RecordKind } from "../chain/canonical.ts";
import {
  decodeRecords,
  type Link,
  type LinkedRecord,
  readCause,
  recordsMax,
} from "../chain/links.ts";
import { linksOf } from "../chain/stored.ts";
import type { Findings } from "./findings.ts";

/**
 * Tables that the program keeps up by itself, and that of logos, whose picture the log of operations
 * does not tell apart from another: links of these alone need no cause.
 */
const byItself: ReadonlySet<string> = new Set([
  "applied_plan",
  "branding_logo",
  "history",
  "online_document",
  "organisation",
  "repeating_invoice_date",
  "secret",
  "sequence",
  "user_account",
  "webhook",
]);

/** Rows of the log of operations in memory at a time. */
const rowsMax = 1000;

interface Logged {
  readonly number: number;
  readonly id: string;
}

/** The links of a transaction. */
interface TransactionLinks {
  /** Of the first. */
  readonly number: number;
  readonly cause: string | null;
  /** Hashes of rows of the log of operations, by id, and of entries of the audit log, by number. */
  readonly operations: Map<string, string>;
  readonly entries: Map<string, string>;
  /** Something that only people and apps have written. */
  hasOthers: boolean;
}

export async function causes(findings: Findings): Promise<void> {
  const found = new Causes(findings);
  for await (const link of linksOf(findings.tx)) await found.add(link);
  await found.end();
}

class Causes {
  readonly #findings: Findings;
  #group: TransactionLinks | undefined;
  /** Operations that no link was found for yet, in their order, as far as they were read. */
  #waiting: Logged[] = [];
  #read = 0;
  /** The last operation and entry that a link was found for. */
  #operation: { readonly number: number; readonly hash: string } = { number: 0, hash: "" };
  #entry = 0;
  /** Records of the link before: the next one may be of the same transaction where it was full. */
  #count = 0;
  #hasCauses = false;

  constructor(findings: Findings) {
    this.#findings = findings;
  }

  async add(link: Link): Promise<void> {
    const { number, cause } = link;
    const isNext = this.#count === recordsMax && this.#group?.cause === cause && cause !== null;
    if (this.#group === undefined || !isNext) {
      await this.#close();
      this.#group = { number, cause, operations: new Map(), entries: new Map(), hasOthers: false };
    }
    const group = this.#group;
    const { operations, entries } = group;
    this.#count = 0;
    const note = ({ table }: RecordKind, { key, hash }: LinkedRecord) => {
      this.#count += 1;
      group.hasOthers ||= !byItself.has(table);
      const hex = Buffer.from(hash, "latin1").toString("hex");
      if (table === "operation") operations.set(key, hex);
      else if (table === "audit_entry") entries.set(key, hex);
    };
    try {
      decodeRecords(link.records, note);
    } catch {
      // Named among the links.
    }
  }

  async end(): Promise<void> {
    await this.#close();
    await this.#pass(Number.POSITIVE_INFINITY);
  }

  async #close(): Promise<void> {
    const group = this.#group;
    this.#group = undefined;
    if (group === undefined) return;
    const before = this.#operation.number;
    await this.#take(group.operations);
    const cause = readCause(group.cause);
    const needsNone = group.cause === null && !(this.#hasCauses && group.hasOthers);
    const fault = cause === undefined ? undefined : await this.#faultOf(cause, group, before);
    if (cause === undefined && !needsNone) {
      this.#fault(group, "was written for no operation and no act of the audit log.");
    } else if (fault !== undefined) {
      this.#fault(group, `says that it was written for ${fault}, which it was not.`);
    }
    this.#hasCauses ||= group.cause !== null;
    for (const number of group.entries.keys()) this.#entry = Math.max(this.#entry, Number(number));
  }

  /** What links name that they were not written for. */
  async #faultOf(
    { log, number, hash }: NonNullable<ReturnType<typeof readCause>>,
    { entries }: TransactionLinks,
    before: number,
  ): Promise<string | undefined> {
    if (log === "audit") {
      const isOwn = number > this.#entry && entries.get(String(number)) === hash;
      return isOwn ? undefined : `entry ${number} of the audit log`;
    }
    await this.#pass(number);
    const { number: last, hash: own } = this.#operation;
    const isOwn = last > before && last === number && own === hash;
    return isOwn ? undefined : `operation ${number}`;
  }

  /** Takes the operations that come next from those that wait, as far as these records have them. */
  async #take(operations: ReadonlyMap<string, string>): Promise<void> {
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
      const hash = operations.get(next.id);
      if (hash === undefined) return;
      this.#operation = { number: next.number, hash };
      this.#waiting.shift();
    }
  }

  /** Those that wait up to a number have no link. */
  async #pass(upTo: number): Promise<void> {
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
      if (next.number > upTo) return;
      this.#findings.fault(
        "unlinked",
        `Operation ${next.number} of the log has no link of the chain.`,
      );
      this.#waiting.shift();
    }
  }

  async #next(): Promise<Logged | undefined> {
    if (this.#waiting.length === 0) {
      const { tx } = this.#findings;
      const rows = await this.#findings.rows(
        sql<Logged>`select number, id from operation where org = ${tx.org}
          and number > ${this.#read} order by number limit ${rowsMax}`,
      );
      this.#waiting = rows.map(({ number, id }) => ({ number: Number(number), id }));
      this.#read = this.#waiting.at(-1)?.number ?? this.#read;
    }
    return this.#waiting[0];
  }

  #fault({ number }: TransactionLinks, what: string): void {
    this.#findings.fault("cause", `Link ${number} of the chain ${what}`);
  }
}
