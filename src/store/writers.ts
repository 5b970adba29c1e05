/**
 * Writers who would have to wait for each other: those of a file, or of one organisation.
 *
 * They wait in a queue. What takes long about a small write is the disk, so those that wait together
 * are committed together: each as a part that is taken back by itself where it fails, and each
 * answered when all of them are on disk.
 */
import type { StoreDialect } from "./dialect.ts";
import { foreseeSequences } from "./sequences.ts";
import { type Begun, type Turn, type Within, type Work, writing } from "./transactions.ts";

export type Write = <T>(org: number, work: Work<T>) => Promise<T>;

interface Waiting {
  readonly org: number;
  readonly work: Work<unknown>;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long a commit is put off for others, and for how many of them. */
const togetherMs = 20;
const togetherMax = 64;

/** A write in a transaction of its own. */
function alone(within: Within, dialect: StoreDialect): Write {
  return (org, work) =>
    within(writing, async (begun) => begun.use(org, work, await turnAt(dialect, begun, org)));
}

async function turnAt(
  dialect: StoreDialect,
  { connection, use }: Begun,
  org: number,
): Promise<Turn> {
  const turn: Turn = { marks: undefined, sequences: new Map() };
  // What follows the lock is answered when the lock is held.
  const [marks] = await Promise.all([
    dialect.lockOrganisation(connection, org),
    dialect.oneWriter ? undefined : use(org, foreseeSequences, turn),
  ]);
  turn.marks = marks;
  return turn;
}

/** Writes that take turns with those of their own organisation alone. */
export function inTurnOfEach(within: Within, dialect: StoreDialect): Write {
  const queues = new Map<number, { readonly write: Write; waiting: number }>();
  return async (org, work) => {
    const queue = queues.get(org) ?? { write: inTurn(within, dialect), waiting: 0 };
    queues.set(org, queue);
    queue.waiting += 1;
    try {
      return await queue.write(org, work);
    } finally {
      queue.waiting -= 1;
      if (queue.waiting === 0) queues.delete(org);
    }
  };
}

/** Writes in the order in which they were asked for. */
export function inTurn(within: Within, dialect: StoreDialect): Write {
  const waiting: Waiting[] = [];
  const single = alone(within, dialect);
  const answer = async ({ org, work, resolve, reject }: Waiting) =>
    single(org, work).then(resolve, reject);
  let isRunning = false;
  const run = async () => {
    isRunning = true;
    // Whoever has asked by the end of this turn of the event loop is there.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) {
      const taken =
        waiting.length > 1 ? await commitTogether(within, dialect, waiting) : waiting.splice(0);
      for (const each of taken) await answer(each);
    }
    isRunning = false;
  };
  return <T>(org: number, work: Work<T>) =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ org, work, resolve: resolve as Waiting["resolve"], reject });
      if (!isRunning) void run();
    });
}

/**
 * Commits the first of those that wait, and answers them.
 *
 * @returns those of whom nothing was kept because the transaction failed as a whole: each is to be
 *   tried alone, which tells whose fault it was
 */
async function commitTogether(
  within: Within,
  dialect: StoreDialect,
  waiting: Waiting[],
): Promise<Waiting[]> {
  const taken: Waiting[] = [];
  const answers: (() => void)[] = [];
  try {
    await within(writing, async (begun) => {
      const began = performance.now();
      let turn: Turn | undefined;
      while (taken.length < togetherMax && performance.now() - began < togetherMs) {
        const next = waiting.shift();
        if (next === undefined) break;
        const isOther = next.org !== taken.at(-1)?.org;
        taken.push(next);
        // Before the savepoint, since what is undone lets go of its locks.
        if (isOther || turn === undefined) turn = await turnAt(dialect, begun, next.org);
        answers.push(await inPart(begun, next, turn));
      }
    });
  } catch {
    return taken.length > 0 ? taken : waiting.splice(0);
  }
  for (const answer of answers) answer();
  return [];
}

/** @throws what ends the whole transaction */
async function inPart(
  { connection, use }: Begun,
  { org, work, resolve, reject }: Waiting,
  turn: Turn,
): Promise<() => void> {
  await connection.beginPart();
  try {
    const result = await use(org, work, turn);
    await connection.keepPart();
    return () => resolve(result);
  } catch (error) {
    // Fails where the database has ended the transaction by itself, as a full disk does.
    await connection.undoPart();
    turn.sequences.clear();
    return () => reject(error);
  }
}
