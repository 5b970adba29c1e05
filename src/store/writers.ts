/**
 * Writers of one process, who take turns.
 *
 * What takes long about a small write is the way to the disk and back. So those that wait together are
 * committed together: each as a part that is taken back by itself where it fails, and each answered
 * when all of them are on disk. While one transaction is under way others wait to share the next,
 * whosever organisation they write to; where it takes long, another is begun beside it.
 *
 * Nobody waits for the lock of an organisation while holding that of another. Where a transaction
 * is for several, those that another process has locked are passed over until the next.
 */
import type { StoreDialect } from "./dialect.ts";
import { foreseeSequences } from "./sequences.ts";
import { type Begun, type Turn, type Within, type Work, writing } from "./transactions.ts";

interface Waiting {
  readonly org: number;
  readonly work: Work<unknown>;
  /** Finds out what the work is to know, each time before it is run. */
  readonly foresee: Work<unknown> | undefined;
  /** When it came. */
  readonly since: number;
  /** How often it was put off because another process had the lock. */
  passedOver: number;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/** How long a commit is put off for others, and for how many of them. */
const togetherMs = 20;
const togetherMax = 64;
/**
 * How long those who shared a commit are waited for, since many of them ask again at once: where the
 * database is elsewhere, and another commit costs more than that.
 */
const returnMs = 1;
/** How long a writer waits for the transaction before it to end. */
const patienceMs = 25;
/** Transactions under way at a time, where the database takes several: fewer than connections. */
const lanesMax = 6;
/** A writer that was passed over so often waits for the lock of its organisation. */
const passedOverMax = 3;

export class Writers {
  readonly #within: Within;
  readonly #dialect: StoreDialect;
  readonly #lanesMax: number;
  readonly #patienceMs: number;
  readonly #returnMs: number;
  #waiting: Waiting[] = [];
  /** Organisations that a transaction under way writes to. */
  readonly #busy = new Set<number>();
  #lanes = 0;
  #isWatched = false;
  /** Told when so many wait as a transaction hopes for. */
  #hoped: { readonly count: number; readonly come: () => void } | undefined;

  constructor(within: Within, dialect: StoreDialect) {
    this.#within = within;
    this.#dialect = dialect;
    this.#lanesMax = dialect.oneWriter ? 1 : lanesMax;
    this.#patienceMs = dialect.mixesWriters ? patienceMs : 0;
    this.#returnMs = dialect.oneWriter ? 0 : returnMs;
  }

  /**
   * Runs a work, in the order in which those of its organisation were asked for.
   *
   * @param foresee  finds out what the work is to know; sent with the lock
   */
  write<T>(org: number, work: Work<T>, foresee?: Work<unknown>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        org,
        work,
        foresee,
        since: performance.now(),
        passedOver: 0,
        resolve: resolve as Waiting["resolve"],
        reject,
      });
      if (this.#waiting.length >= (this.#hoped?.count ?? Infinity)) this.#hoped?.come();
      if (this.#lanes === 0) void this.#run();
      else if (this.#lanesMax > 1) this.#watch();
    });
  }

  /** Begins another transaction beside those under way once somebody has waited too long. */
  #watch(): void {
    if (this.#isWatched) return;
    this.#isWatched = true;
    const watch = () => {
      const [first] = this.#waiting;
      this.#isWatched = first !== undefined && this.#lanes < this.#lanesMax;
      if (first === undefined || !this.#isWatched) return;
      const left = this.#patienceMs - (performance.now() - first.since);
      if (left <= 0) void this.#run();
      setTimeout(watch, left > 0 ? left : this.#patienceMs);
    };
    setTimeout(watch, this.#patienceMs);
  }

  /** Runs one transaction after the other until nobody waits. */
  async #run(): Promise<void> {
    this.#lanes += 1;
    // Whoever has asked by the end of this turn of the event loop is there.
    await new Promise((resolve) => setImmediate(resolve));
    for (let group = this.#take(); group.length > 0; group = await this.#takeWith(group.length)) {
      const orgs = new Set(group.map(({ org }) => org));
      for (const org of orgs) this.#busy.add(org);
      const alone = group.length > 1 ? await this.#commitTogether(group) : group;
      for (const each of alone) await this.#commitAlone(each);
      for (const org of orgs) this.#busy.delete(org);
    }
    this.#lanes -= 1;
  }

  /** Takes the next, once about as many as before wait again, or a moment later. */
  async #takeWith(before: number): Promise<readonly Waiting[]> {
    const isWorth = before > 1 && this.#returnMs > 0;
    if (isWorth && this.#waiting.length < before && this.#hoped === undefined) {
      await new Promise<void>((come) => {
        this.#hoped = { count: before, come };
        setTimeout(come, this.#returnMs);
      });
      this.#hoped = undefined;
    }
    return this.#take();
  }

  /** Those whose turn it is: of any organisations, or of one that was passed over too often. */
  #take(): readonly Waiting[] {
    const free = this.#waiting.filter(({ org }) => !this.#busy.has(org));
    const late = free.find(({ passedOver }) => passedOver >= passedOverMax);
    const one = this.#dialect.mixesWriters ? late : free[0];
    const taken = one === undefined ? free : free.filter(({ org }) => org === one.org);
    const group = new Set(taken.slice(0, togetherMax));
    this.#waiting = this.#waiting.filter((each) => !group.has(each));
    return [...group];
  }

  async #commitAlone(one: Waiting): Promise<void> {
    const { org, work, resolve, reject } = one;
    await this.#within(writing, async (begun) => {
      const turns = await turnsOf(this.#dialect, begun, [one]);
      return begun.use(org, work, turns.get(org));
    }).then(resolve, reject);
  }

  /**
   * Commits those whose organisations can be locked, and answers them; the others wait on.
   *
   * @returns all of them where the transaction failed as a whole, and nothing was kept: each is to be
   *   tried alone, which tells whose fault it was
   */
  async #commitTogether(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const putOff: Waiting[] = [];
    const answers: (() => void)[] = [];
    try {
      await this.#within(writing, async (begun) => {
        const turns = await turnsOf(this.#dialect, begun, group);
        const began = performance.now();
        for (const each of group) {
          const turn = turns.get(each.org);
          if (turn === undefined) each.passedOver += 1;
          if (turn === undefined || performance.now() - began > togetherMs) {
            putOff.push(each);
            continue;
          }
          answers.push(await inPart(begun, each, turn));
        }
      });
    } catch {
      return group;
    }
    this.#waiting.unshift(...putOff);
    for (const answer of answers) answer();
    return [];
  }
}

/**
 * Locks the organisations of a group; where it is one, its lock is waited for.
 *
 * @returns the turns at those that are locked
 */
async function turnsOf(
  dialect: StoreDialect,
  { connection, use }: Begun,
  group: readonly Waiting[],
): Promise<ReadonlyMap<number, Turn>> {
  const byOrg = Map.groupBy(group, ({ org }) => org);
  const isOne = byOrg.size === 1;
  const turns = new Map<number, Turn>();
  const lock = async ([org, own]: [number, Waiting[]]) => {
    const turn: Turn = { marks: undefined, sequences: new Map(), answers: new Map() };
    // What follows the lock is answered when the lock is held.
    const [marks] = await Promise.all([
      dialect.lockOrganisation(connection, org, isOne),
      dialect.oneWriter ? undefined : use(org, foreseeSequences, turn),
      ...own.map(({ foresee }) => foresee && use(org, foresee, turn)),
    ]);
    turn.marks = marks;
    if (isOne || marks !== undefined) turns.set(org, turn);
  };
  await Promise.all([...byOrg].map(lock));
  return turns;
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
    turn.answers.clear();
    return () => reject(error);
  }
}
