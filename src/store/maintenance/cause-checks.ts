/**
 * Verification of the causes of links: the links of each transaction name an operation or audit
 * entry that they contain, no other link contains it, and each operation has its link.
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
 * Tables whose links need no cause: the program maintains them by itself, and logos, whose picture
 * the operation log does not tell apart from another.
 */
const byItself: ReadonlySet<string> = new Set([
  "applied_plan",
  "branding_logo",
  "history",
  "kept_plan",
  "online_document",
  "organisation",
  "plan_approval",
  "repeating_invoice_date",
  "secret",
  "sequence",
  "user_account",
  "webhook",
]);

/** Rows of the operation log in memory at a time. */
const rowsMax = 1000;

interface LoggedEntry {
  readonly number: number;
  readonly id: string;
}

/** The consecutive links of one transaction. */
interface TransactionLinks {
  /** Number of the first link. */
  readonly number: number;
  readonly cause: string | null;
  /** Hashes of operation rows by id, and of audit entries by number. */
  readonly operations: Map<string, string>;
  readonly entries: Map<string, string>;
  /** Whether the links name records that only people and apps write, and so need a cause. */
  hasOthers: boolean;
}

export async function checkCauses(findings: Findings): Promise<void> {
  const allCauses = new Causes(findings);
  for await (const link of linksOf(findings.tx)) await allCauses.add(link);
  await allCauses.end();
}

class Causes {
  readonly #findings: Findings;
  #group: TransactionLinks | undefined;
  /** Operations read so far for which no link was found yet, in order. */
  #waiting: LoggedEntry[] = [];
  #read = 0;
  /** The last operation and audit entry for which a link was found. */
  #operation: { readonly number: number; readonly hash: string } = { number: 0, hash: "" };
  #entry = 0;
  /** Number of records of the previous link: a full one may be continued by the next. */
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
      // The check of links reports this fault.
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
    const numberBefore = this.#operation.number;
    await this.#take(group.operations);
    const cause = readCause(group.cause);
    const needsNone = group.cause === null && !(this.#hasCauses && group.hasOthers);
    const fault = cause === undefined ? undefined : await this.#faultOf(cause, group, numberBefore);
    if (cause === undefined && !needsNone) {
      this.#fault(group, "was written for no operation and no act of the audit log.");
    } else if (fault !== undefined) {
      this.#fault(group, `says that it was written for ${fault}, which it was not.`);
    }
    this.#hasCauses ||= group.cause !== null;
    for (const number of group.entries.keys()) this.#entry = Math.max(this.#entry, Number(number));
  }

  /** The fault of links whose cause is not the operation or entry they contain. */
  async #faultOf(
    { log, number, hash }: NonNullable<ReturnType<typeof readCause>>,
    { entries }: TransactionLinks,
    numberBefore: number,
  ): Promise<string | undefined> {
    if (log === "audit") {
      const isOwnEntry = number > this.#entry && entries.get(String(number)) === hash;
      return isOwnEntry ? undefined : `entry ${number} of the audit log`;
    }
    await this.#pass(number);
    const { number: last, hash: own } = this.#operation;
    const isOwnEntry = last > numberBefore && last === number && own === hash;
    return isOwnEntry ? undefined : `operation ${number}`;
  }

  /** Takes the next waiting operations, as far as these links contain them. */
  async #take(hashByOperation: ReadonlyMap<string, string>): Promise<void> {
    for (let next = await this.#next(); next !== undefined; next = await this.#next()) {
      const hash = hashByOperation.get(next.id);
      if (hash === undefined) return;
      this.#operation = { number: next.number, hash };
      this.#waiting.shift();
    }
  }

  /** Reports the waiting operations up to a number, which have no link. */
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

  async #next(): Promise<LoggedEntry | undefined> {
    if (this.#waiting.length === 0) {
      const { tx } = this.#findings;
      const rows = await this.#findings.rows(
        sql<LoggedEntry>`select number, id from operation where org = ${tx.org}
          and number > ${this.#read} order by number limit ${rowsMax}`,
      );
      this.#waiting = rows.map(({ number, id }) => ({ number: Number(number), id }));
      this.#read = this.#waiting.at(-1)?.number ?? this.#read;
    }
    return this.#waiting[0];
  }

  #fault({ number }: TransactionLinks, problem: string): void {
    this.#findings.fault("cause", `Link ${number} of the chain ${problem}`);
  }
}
