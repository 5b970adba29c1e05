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
import { Expectations, type Expected } from "./expected.ts";
import { isAnswered, type KeyOfApp, presumingNew, recall } from "./idempotency.ts";
import { foreseeSequences } from "./sequences.ts";
import { type Begun, type Turn, type Within, type Work, writing } from "./transactions.ts";

interface Waiting {
  readonly org: number;
  readonly work: Work<unknown>;
  /** The work is done once for each, and asks for the first answer. */
  readonly key: KeyOfApp | undefined;
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
  readonly #expectations = new Expectations();
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
   * @param key  what the work will `recall`; asked for with the lock
   */
  write<T>(org: number, work: Work<T>, key?: KeyOfApp): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({
        org,
        work,
        key,
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
      const asking = await this.#commitExpected(group, orgs);
      const alone = asking.length > 1 ? await this.#commitTogether(asking) : asking;
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

  /**
   * Commits those whose organisations are as they were left, without asking for anything first.
   *
   * @returns those that have to ask
   */
  async #commitExpected(
    group: readonly Waiting[],
    orgs: ReadonlySet<number>,
  ): Promise<readonly Waiting[]> {
    if (this.#dialect.lockExpected === undefined) return group;
    const expected = this.#expectations.of(orgs);
    if (expected === undefined) return group;
    const left = await this.#commitTogether(group, expected);
    if (left === group) this.#expectations.missed(orgs);
    return left;
  }

  async #commitAlone(one: Waiting): Promise<void> {
    const { org, work, resolve, reject } = one;
    let turns: ReadonlyMap<number, Turn> = new Map();
    const committed = this.#within(writing, async (begun) => {
      turns = await turnsOf(this.#dialect, begun, [one]);
      return begun.use(org, work, turns.get(org));
    });
    await committed.then(
      (result) => {
        this.#expectations.committed(turns);
        resolve(result);
      },
      (error) => {
        this.#expectations.failed([org]);
        reject(error);
      },
    );
  }

  /**
   * Commits those whose organisations can be locked, and answers them; the others wait on.
   *
   * @returns those that are to be tried again, each by itself, which tells whose fault it was; all
   *   of them where the transaction failed as a whole, and nothing was kept
   */
  async #commitTogether(
    group: readonly Waiting[],
    expected?: ReadonlyMap<number, Expected>,
  ): Promise<readonly Waiting[]> {
    const putOff: Waiting[] = [];
    const outcomes: Outcome[] = [];
    let turns: ReadonlyMap<number, Turn> = new Map();
    try {
      await this.#within(writing, async (begun) => {
        turns =
          expected === undefined
            ? await turnsOf(this.#dialect, begun, group)
            : await expectedTurns(this.#dialect, begun, expected);
        const began = performance.now();
        for (const each of group) {
          const turn = turns.get(each.org);
          if (turn === undefined) each.passedOver += 1;
          if (turn === undefined || performance.now() - began > togetherMs) {
            putOff.push(each);
            continue;
          }
          outcomes.push(await inPart(begun, each, turn));
        }
      });
    } catch (error) {
      this.#expectations.failed(turns.keys());
      if (!this.#isLost(error)) return group;
      for (const { reject } of group) reject(error);
      return [];
    }
    this.#expectations.committed(turns);
    this.#waiting.unshift(...putOff);
    const again: Waiting[] = [];
    for (const { one, tell, isRepeated } of outcomes) {
      if (await isRepeated) again.push(one);
      else tell();
    }
    return again;
  }

  /** Whether it may have been committed all the same, so that nobody may do it again unasked. */
  #isLost(error: unknown): boolean {
    const fault = this.#dialect.faultOf(error);
    return fault?.is === "unavailable" && fault.because === undefined;
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
    const turn: Turn = {
      isExpected: false,
      marks: undefined,
      sequences: new Map(),
      answers: new Map(),
    };
    // What follows the lock is answered when the lock is held.
    const [marks] = await Promise.all([
      dialect.lockOrganisation(connection, org, isOne),
      dialect.oneWriter ? undefined : use(org, foreseeSequences, turn),
      ...own.map(({ key }) => key && use(org, (tx) => recall(tx, key.app, key.key), turn)),
    ]);
    turn.marks = marks;
    if (isOne || marks !== undefined) turns.set(org, turn);
  };
  await Promise.all([...byOrg].map(lock));
  return turns;
}

/** The same without waiting for an answer: the transaction fails where anything is otherwise. */
async function expectedTurns(
  { lockExpected }: StoreDialect,
  { connection }: Begun,
  expected: ReadonlyMap<number, Expected>,
): Promise<ReadonlyMap<number, Turn>> {
  const turns = new Map<number, Turn>();
  for (const [org, each] of expected) {
    await lockExpected?.(connection, org, each, expected.size === 1);
    turns.set(org, {
      isExpected: true,
      marks: { ...each.marks },
      sequences: new Map(each.sequences),
      answers: new Map(),
    });
  }
  return turns;
}

/** What became of a part. */
interface Outcome {
  readonly one: Waiting;
  /** Answers whoever waits for it, once it is committed. */
  readonly tell: () => void;
  /** Whether it has an answer already, which it did not know; by the end of the transaction. */
  readonly isRepeated?: Promise<boolean>;
}

/** @throws what ends the whole transaction */
async function inPart({ connection, use }: Begun, one: Waiting, turn: Turn): Promise<Outcome> {
  const { org, work, key, resolve, reject } = one;
  const run = () => use(org, work, turn);
  await connection.beginPart();
  try {
    const isPresumed = turn.isExpected && key !== undefined;
    const result = await (isPresumed ? presumingNew(turn, key, run) : run());
    await connection.keepPart();
    return { one, tell: () => resolve(result) };
  } catch (error) {
    // Fails where the database has ended the transaction by itself, as a full disk does.
    await connection.undoPart();
    turn.sequences.clear();
    turn.answers.clear();
    const tell = () => reject(error);
    if (!turn.isExpected || key === undefined) return { one, tell };
    const isRepeated = use(org, (tx) => isAnswered(tx, key), turn);
    isRepeated.catch(() => undefined);
    return { one, tell, isRepeated };
  }
}
