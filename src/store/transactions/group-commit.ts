/**
 * Group commit: the writers of one process that wait together share a transaction.
 *
 * The expensive part of a small write is the way to the disk and back. So the writers of an
 * organisation queue, and those that wait are committed together: each in a savepoint, which is
 * rolled back alone where the writer fails, and each answered when the commit is on disk. Writers of
 * different organisations run side by side on connections of their own, where the database takes
 * several writers.
 */
import type { TransactionWriteSet } from "../chain/write-set.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { type KeyOfApp, type OrganisationLock, serverKey, type Work } from "../tx/tx.ts";
import { findAnswer } from "./idempotency.ts";
import { type OpenTransaction, type RunTransaction, writing } from "./transactions.ts";

interface QueuedWrite {
  readonly org: number;
  readonly run: RunWriter<unknown>;
  /** Whether it shares its transaction with no other writer. */
  readonly isAlone: boolean;
  /** The idempotency key whose first answer the work asks for. */
  readonly key: KeyOfApp | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The lock of an organisation, with the records that were written under it. */
type Lock = OrganisationLock & { readonly writeSet: TransactionWriteSet };

/** What a writer does in a transaction that has begun, holding the lock of its organisation. */
export type RunWriter<T> = (
  begun: OpenTransaction,
  lock: OrganisationLock | undefined,
) => Promise<T>;

let loaded: typeof import("../chain/write-set.ts") | undefined;

/** Writers that share a commit, and how long the first of them waits for the others, at most. */
const groupMax = 64;
const groupMs = 20;
/** Transactions under way at a time, where the database takes several: fewer than connections. */
const transactionsMax = 6;

export class GroupCommit {
  readonly #within: RunTransaction;
  readonly #dialect: StoreDialect;
  readonly #elapsed: () => number;
  readonly #transactionsMax: number;
  /** Waiting writers by organisation, or all of them where the database takes one at a time. */
  readonly #queues = new Map<number, QueuedWrite[]>();
  /** Queues that have writers and no transaction under way. */
  readonly #ready: number[] = [];
  #underWay = 0;

  /** @param elapsed  milliseconds since some moment */
  constructor(within: RunTransaction, dialect: StoreDialect, elapsed: () => number) {
    this.#within = within;
    this.#dialect = dialect;
    this.#elapsed = elapsed;
    this.#transactionsMax = dialect.oneWriter ? 1 : transactionsMax;
  }

  /**
   * Runs a transaction, in the order in which those of its organisation were requested.
   *
   * @param key  the idempotency key whose first answer the work asks for; read together with the
   *   lock
   */
  write<T>(org: number, work: Work<T>, key?: KeyOfApp): Promise<T> {
    return this.#enqueue(org, (begun, lock) => begun.use(org, work, lock), { key, isAlone: false });
  }

  /** The same of a transaction that is shared with no other writer, and so may take savepoints. */
  writeAlone<T>(org: number, run: RunWriter<T>): Promise<T> {
    return this.#enqueue(org, run, { key: undefined, isAlone: true });
  }

  #enqueue<T>(
    org: number,
    run: RunWriter<T>,
    options: Pick<QueuedWrite, "key" | "isAlone">,
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const writer = { org, run, ...options, resolve: resolve as QueuedWrite["resolve"], reject };
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
    const group = waiting.splice(0, groupSize(waiting));
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
  async #commitTogether(
    group: readonly QueuedWrite[],
    waiting: QueuedWrite[],
  ): Promise<readonly QueuedWrite[]> {
    const answers: (() => void)[] = [];
    let putOff: readonly QueuedWrite[] = [];
    try {
      await this.#within(writing, async (begun) => {
        const locks = await this.#lock(begun, group);
        const began = this.#elapsed();
        for (const [at, each] of group.entries()) {
          if (this.#elapsed() - began > groupMs) {
            putOff = group.slice(at);
            break;
          }
          answers.push(await answerInSavepoint(begun, each, locks.get(each.org)));
        }
        await appendLinks(begun, locks);
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

  async #commitAlone(writer: QueuedWrite): Promise<void> {
    const { org, run, resolve, reject } = writer;
    const committed = this.#within(writing, async (begun) => {
      const locks = await this.#lock(begun, [writer]);
      const result = await run(begun, locks.get(org));
      await appendLinks(begun, locks);
      return result;
    });
    await committed.then(resolve, reject);
  }

  /** Locks the organisations of a group, and reads in the same round trip what all writers ask for. */
  async #lock(
    { connection, use }: OpenTransaction,
    group: readonly QueuedWrite[],
  ): Promise<ReadonlyMap<number, Lock>> {
    // Loaded by the first write: most commands only read.
    loaded ??= await import("../chain/write-set.ts");
    const locks = new Map<number, Lock>();
    for (const [org, own] of Map.groupBy(group, ({ org }) => org)) {
      const writeSet = new loaded.TransactionWriteSet();
      const lock: Lock = {
        versions: undefined,
        sequences: new Map(),
        movedSequences: new Set(),
        answers: new Map(),
        writeSet,
      };
      const [versions] = await Promise.all([
        this.#dialect.lockOrganisation(connection, org),
        // The log of a server is locked once there is an entry, and its head may move until then.
        this.#dialect.oneWriter || org === serverKey
          ? undefined
          : use(org, (tx) => writeSet.prefetch(tx), lock),
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

/** How many of those that wait are committed next: up to the first that shares with nobody. */
function groupSize(waiting: readonly QueuedWrite[]): number {
  const apart = waiting.findIndex(({ isAlone }) => isAlone);
  return apart === -1 ? groupMax : Math.min(groupMax, Math.max(1, apart));
}

/** Appends the links of what a transaction has written, one chain an organisation. */
async function appendLinks({ use }: OpenTransaction, locks: ReadonlyMap<number, Lock>) {
  for (const [org, lock] of locks) await use(org, (tx) => lock.writeSet.append(tx), lock);
}

/**
 * @returns what answers the writer, once the transaction is committed
 * @throws an error that ends the whole transaction
 */
async function answerInSavepoint(
  begun: OpenTransaction,
  { run, resolve, reject }: QueuedWrite,
  lock: OrganisationLock | undefined,
): Promise<() => void> {
  try {
    const result = await inSavepoint(begun, lock, () => run(begun, lock));
    return () => resolve(result);
  } catch (error) {
    if (error instanceof SavepointError) throw error.cause;
    return () => reject(error);
  }
}

/** Thrown where a savepoint cannot be rolled back, which ends the transaction; its cause says why. */
class SavepointError extends Error {}

/**
 * Runs a part of a transaction that is undone alone where it fails.
 *
 * @throws SavepointError where the database has ended the transaction, as for a full disk
 */
export async function inSavepoint<T>(
  { connection }: OpenTransaction,
  lock: OrganisationLock | undefined,
  run: () => Promise<T>,
): Promise<T> {
  await connection.savepoint();
  const mark = lock?.writeSet.mark();
  try {
    const result = await run();
    await connection.releaseSavepoint();
    return result;
  } catch (error) {
    await connection.rollbackToSavepoint().catch((cause: unknown) => {
      throw new SavepointError("The transaction has ended.", { cause });
    });
    lock?.sequences.clear();
    lock?.movedSequences.clear();
    lock?.answers.clear();
    if (mark !== undefined) lock?.writeSet.rollback(mark);
    throw error;
  }
}
