/**
 * Group commit: waiting writers of one process share a transaction.
 *
 * The expensive part of a small write is the round trip to the disk. So the writers of an
 * organisation queue, and those waiting are committed together: each in a savepoint, which is
 * rolled back alone if the writer fails, and each answered when the commit is on disk. Writers of
 * different organisations run in parallel on their own connections, where the database allows
 * several writers.
 */
import type { TransactionWriteSet } from "../chain/write-set.ts";
import type { StoreDialect } from "../tx/dialect.ts";
import { type KeyOfApp, type OrganisationLock, serverKey, type TxWork } from "../tx/tx.ts";
import { findAnswer } from "./idempotency.ts";
import { type OpenTransaction, type RunTransaction, writing } from "./transactions.ts";

interface QueuedWrite {
  readonly org: number;
  readonly run: RunWriter<unknown>;
  /** Whether the write has its transaction to itself. */
  readonly isAlone: boolean;
  /** The idempotency key whose first answer the work looks up. */
  readonly key: KeyOfApp | undefined;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** The lock of an organisation, with the write set of its holder. */
type Lock = OrganisationLock & { readonly writeSet: TransactionWriteSet };

/** The work of a writer in a begun transaction, with the lock of its organisation. */
export type RunWriter<T> = (
  transaction: OpenTransaction,
  lock: OrganisationLock | undefined,
) => Promise<T>;

let loaded: typeof import("../chain/write-set.ts") | undefined;

/** Maximum writers that share a commit, and maximum time the first of them waits for others. */
const groupMax = 64;
const groupMs = 20;
/** Maximum concurrent transactions, where the database allows several: fewer than connections. */
const transactionsMax = 6;

export class GroupCommit {
  readonly #within: RunTransaction;
  readonly #dialect: StoreDialect;
  readonly #elapsed: () => number;
  readonly #transactionsMax: number;
  /**
   * Waiting writers by organisation; a single queue when the database allows one writer at a time.
   */
  readonly #queues = new Map<number, QueuedWrite[]>();
  /** Queues with waiting writers and no transaction in progress. */
  readonly #ready: number[] = [];
  #underWay = 0;

  /** @param elapsed  milliseconds of a monotonic clock */
  constructor(runTransaction: RunTransaction, dialect: StoreDialect, elapsed: () => number) {
    this.#within = runTransaction;
    this.#dialect = dialect;
    this.#elapsed = elapsed;
    this.#transactionsMax = dialect.oneWriter ? 1 : transactionsMax;
  }

  /**
   * Queues a write; the writes of an organisation run in the order requested.
   * @param key  the idempotency key whose first answer the work looks up; read together with the
   *   lock
   */
  write<T>(org: number, inTx: TxWork<T>, key?: KeyOfApp): Promise<T> {
    return this.#enqueue(org, (begun, lock) => begun.use(org, inTx, lock), { key, isAlone: false });
  }

  /** Queues a write that has its transaction to itself, and so may set savepoints. */
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
      const queueKey = this.#dialect.oneWriter ? 0 : org;
      const queuedWrites = this.#queues.get(queueKey);
      if (queuedWrites !== undefined) {
        queuedWrites.push(writer);
        return;
      }
      this.#queues.set(queueKey, [writer]);
      this.#ready.push(queueKey);
      this.#start();
    });
  }

  #start(): void {
    while (this.#underWay < this.#transactionsMax) {
      const queueKey = this.#ready.shift();
      if (queueKey === undefined) return;
      void this.#run(queueKey);
    }
  }

  /**
   * Commits one group of a queue; a queue with remaining writers goes to the end of the ready
   * queues.
   */
  async #run(queueKey: number): Promise<void> {
    this.#underWay += 1;
    // Writers that arrive in this turn of the event loop join the group.
    await new Promise((resolve) => setImmediate(resolve));
    const queuedWrites = this.#queues.get(queueKey) ?? [];
    const group = queuedWrites.splice(0, groupSize(queuedWrites));
    const alone = group.length > 1 ? await this.#commitTogether(group, queuedWrites) : group;
    for (const queuedWrite of alone) await this.#commitAlone(queuedWrite);
    if (queuedWrites.length > 0) this.#ready.push(queueKey);
    else this.#queues.delete(queueKey);
    this.#underWay -= 1;
    this.#start();
  }

  /**
   * Runs and commits a group.
   * @param queuedWrites  writers for which time ran out are put back at its front
   * @returns the writers to be retried, each alone: all of them when the transaction failed
   */
  async #commitTogether(
    group: readonly QueuedWrite[],
    queuedWrites: QueuedWrite[],
  ): Promise<readonly QueuedWrite[]> {
    const answers: (() => void)[] = [];
    let putOff: readonly QueuedWrite[] = [];
    try {
      await this.#within(writing, async (transaction) => {
        const lockByOrg = await this.#lock(transaction, group);
        const startedAt = this.#elapsed();
        for (const [at, each] of group.entries()) {
          if (this.#elapsed() - startedAt > groupMs) {
            putOff = group.slice(at);
            break;
          }
          answers.push(await answerInSavepoint(transaction, each, lockByOrg.get(each.org)));
        }
        await appendLinks(transaction, lockByOrg);
      });
    } catch (error) {
      if (!this.#isOver(error)) return group;
      for (const { reject } of group) reject(error);
      return [];
    }
    queuedWrites.unshift(...putOff);
    for (const answer of answers) answer();
    return [];
  }

  async #commitAlone(writer: QueuedWrite): Promise<void> {
    const { org, run, resolve, reject } = writer;
    const committed = this.#within(writing, async (transaction) => {
      const lockByOrg = await this.#lock(transaction, [writer]);
      const result = await run(transaction, lockByOrg.get(org));
      await appendLinks(transaction, lockByOrg);
      return result;
    });
    await committed.then(resolve, reject);
  }

  /**
   * Locks the organisations of a group, and reads the data all writers need in the same round trip.
   */
  async #lock(
    { connection, use }: OpenTransaction,
    group: readonly QueuedWrite[],
  ): Promise<ReadonlyMap<number, Lock>> {
    // Loaded lazily by the first write: most commands only read.
    loaded ??= await import("../chain/write-set.ts");
    const lockByOrg = new Map<number, Lock>();
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
        // The log of a server is locked only with its first entry, so the head read before may
        // change.
        this.#dialect.oneWriter || org === serverKey
          ? undefined
          : use(org, (tx) => writeSet.prefetch(tx), lock),
        ...own.map(({ key }) => key && use(org, (tx) => findAnswer(tx, key.app, key.key), lock)),
      ]);
      lock.versions = versions;
      lockByOrg.set(org, lock);
    }
    return lockByOrg;
  }

  /**
   * Whether the writers are not tried one by one: the commit may have been done, or there is no
   * server to try it on.
   */
  #isOver(error: unknown): boolean {
    const fault = this.#dialect.faultOf(error);
    if (fault?.is === "unavailable") return fault.because === undefined;
    return fault?.is === "unsure" || fault?.is === "lost";
  }
}

/**
 * The number of waiting writers committed next: up to the first that needs its own transaction.
 */
function groupSize(queuedWrites: readonly QueuedWrite[]): number {
  const firstAlone = queuedWrites.findIndex(({ isAlone }) => isAlone);
  return firstAlone === -1 ? groupMax : Math.min(groupMax, Math.max(1, firstAlone));
}

/** Appends the chain links of a transaction, one chain for each organisation. */
async function appendLinks({ use }: OpenTransaction, lockByOrg: ReadonlyMap<number, Lock>) {
  for (const [org, lock] of lockByOrg) await use(org, (tx) => lock.writeSet.append(tx), lock);
}

/**
 * Runs a writer in a savepoint.
 * @returns a function that answers the writer, for use after the commit
 * @throws an error that ends the whole transaction
 */
async function answerInSavepoint(
  transaction: OpenTransaction,
  { run, resolve, reject }: QueuedWrite,
  lock: OrganisationLock | undefined,
): Promise<() => void> {
  try {
    const result = await inSavepoint(transaction, lock, () => run(transaction, lock));
    return () => resolve(result);
  } catch (error) {
    if (error instanceof SavepointError) throw error.cause;
    return () => reject(error);
  }
}

/**
 * Error when a savepoint cannot be rolled back, which ends the transaction; its cause gives the
 * reason.
 */
class SavepointError extends Error {}

/**
 * Runs a part of a transaction that is rolled back alone if it fails.
 * @throws SavepointError when the database has ended the transaction, as for a full disk
 */
export async function inSavepoint<T>(
  { connection }: OpenTransaction,
  lock: OrganisationLock | undefined,
  run: () => Promise<T>,
): Promise<T> {
  await connection.savepoint();
  const noteCount = lock?.writeSet.mark();
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
    if (noteCount !== undefined) lock?.writeSet.rollback(noteCount);
    throw error;
  }
}
