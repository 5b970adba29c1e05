/**
 * Group commit: the writers of one process that wait together share a transaction.
 *
 * The expensive part of a small write is the way to the disk and back. So the writers of an
 * organisation queue, and those that wait are committed together: each in a savepoint, which is
 * rolled back alone where the writer fails, and each answered when the commit is on disk. Writers of
 * different organisations run side by side on connections of their own, where the database takes
 * several writers.
 */
import type { StoreDialect } from "../dialects/dialect.ts";
import { prefetchSequences } from "../ledger/sequences.ts";
import { findAnswer } from "./idempotency.ts";
import { type OpenTransaction, type RunTransaction, writing } from "./transactions.ts";
import type { KeyOfApp, OrganisationLock, Work } from "./tx.ts";

interface Writer {
  readonly org: number;
  readonly work: Work<unknown>;
  /** The idempotency key whose first answer the work asks for. */
  readonly key: KeyOfApp | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** Writers that share a commit, and how long the first of them waits for the others, at most. */
const groupMax = 64;
const groupMs = 20;
/** Transactions under way at a time, where the database takes several: fewer than connections. */
const transactionsMax = 6;

export class GroupCommit {
  readonly #within: RunTransaction;
  readonly #dialect: StoreDialect;
  readonly #transactionsMax: number;
  /** Waiting writers by organisation, or all of them where the database takes one at a time. */
  readonly #queues = new Map<number, Writer[]>();
  /** Queues that have writers and no transaction under way. */
  readonly #ready: number[] = [];
  #underWay = 0;

  constructor(within: RunTransaction, dialect: StoreDialect) {
    this.#within = within;
    this.#dialect = dialect;
    this.#transactionsMax = dialect.oneWriter ? 1 : transactionsMax;
  }

  /**
   * Runs a transaction, in the order in which those of its organisation were requested.
   *
   * @param key  the idempotency key whose first answer the work asks for; read together with the
   *   lock
   */
  write<T>(org: number, work: Work<T>, key?: KeyOfApp): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const writer = { org, work, key, resolve: resolve as Writer["resolve"], reject };
      const queue = this.#dialect.oneWriter ? 0 : org;
      const waiting = this.#queues.get(queue);
      if (waiting !== undefined) {
        waiting.push(writer);
        return;
      }
      this.#queues.set(queue, [writer]);
      this.#ready.push(queue);
      this.#start();
    });
  }

  #start(): void {
    while (this.#underWay < this.#transactionsMax) {
      const queue = this.#ready.shift();
      if (queue === undefined) return;
      void this.#run(queue);
    }
  }

  /** Commits one group of a queue; a queue that still has writers goes to the end of the ready ones. */
  async #run(queue: number): Promise<void> {
    this.#underWay += 1;
    // Writers that ask in this turn of the event loop belong to the group.
    await new Promise((resolve) => setImmediate(resolve));
    const waiting = this.#queues.get(queue) ?? [];
    const group = waiting.splice(0, groupMax);
    const alone = group.length > 1 ? await this.#commitTogether(group, waiting) : group;
    for (const each of alone) await this.#commitAlone(each);
    if (waiting.length > 0) this.#ready.push(queue);
    else this.#queues.delete(queue);
    this.#underWay -= 1;
    this.#start();
  }

  /**
   * @param waiting  gets back, at its beginning, the writers for which there was no time
   * @returns the writers to be tried again, each alone: all of them where the transaction failed
   */
  async #commitTogether(group: readonly Writer[], waiting: Writer[]): Promise<readonly Writer[]> {
    const answers: (() => void)[] = [];
    let putOff: readonly Writer[] = [];
    try {
      await this.#within(writing, async (begun) => {
        const locks = await this.#lock(begun, group);
        const began = performance.now();
        for (const [at, each] of group.entries()) {
          if (performance.now() - began > groupMs) {
            putOff = group.slice(at);
            break;
          }
          answers.push(await inSavepoint(begun, each, locks.get(each.org)));
        }
      });
    } catch (error) {
      if (!this.#mayBeCommitted(error)) return group;
      for (const { reject } of group) reject(error);
      return [];
    }
    waiting.unshift(...putOff);
    for (const answer of answers) answer();
    return [];
  }

  async #commitAlone(writer: Writer): Promise<void> {
    const { org, work, resolve, reject } = writer;
    const committed = this.#within(writing, async (begun) => {
      const locks = await this.#lock(begun, [writer]);
      return begun.use(org, work, locks.get(org));
    });
    await committed.then(resolve, reject);
  }

  /** Locks the organisations of a group, and reads in the same round trip what all writers ask for. */
  async #lock(
    { connection, use }: OpenTransaction,
    group: readonly Writer[],
  ): Promise<ReadonlyMap<number, OrganisationLock>> {
    const locks = new Map<number, OrganisationLock>();
    for (const [org, own] of Map.groupBy(group, ({ org }) => org)) {
      const lock: OrganisationLock = {
        versions: undefined,
        sequences: new Map(),
        answers: new Map(),
      };
      const [versions] = await Promise.all([
        this.#dialect.lockOrganisation(connection, org),
        this.#dialect.oneWriter ? undefined : use(org, prefetchSequences, lock),
        ...own.map(({ key }) => key && use(org, (tx) => findAnswer(tx, key.app, key.key), lock)),
      ]);
      lock.versions = versions;
      locks.set(org, lock);
    }
    return locks;
  }

  /** Whether a commit was lost on its way, so that nobody may repeat it unasked. */
  #mayBeCommitted(error: unknown): boolean {
    const fault = this.#dialect.faultOf(error);
    return fault?.is === "unavailable" && fault.because === undefined;
  }
}

/**
 * @returns what answers the writer, once the transaction is committed
 * @throws an error that ends the whole transaction
 */
async function inSavepoint(
  { connection, use }: OpenTransaction,
  { org, work, resolve, reject }: Writer,
  lock: OrganisationLock | undefined,
): Promise<() => void> {
  await connection.savepoint();
  try {
    const result = await use(org, work, lock);
    await connection.releaseSavepoint();
    return () => resolve(result);
  } catch (error) {
    // Fails where the database has ended the transaction, as for a full disk.
    await connection.rollbackToSavepoint();
    lock?.sequences.clear();
    lock?.answers.clear();
    return () => reject(error);
  }
}
