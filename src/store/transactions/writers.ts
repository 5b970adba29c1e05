/**
 * Writers of one process, who take turns.
 *
 * What takes long about a small write is the way to the disk and back. So those that wait together are
 * committed together: each as a part that is taken back by itself where it fails, and each answered
 * when all of them are on disk. While one transaction is under way others wait to share the next,
 * whosever organisation they write to; where it takes long, another is begun beside it. Where all is
 * as expected (`expected.ts`), the next may be worked out while the one before is on its way to the
 * disk, as what that one will have left is known; and those that wait together are parted into two
 * such transactions, so that this process and the server both have something to do.
 *
 * Nobody waits for the lock of an organisation while holding that of another. Where a transaction
 * is for several, those that another process has locked are passed over until the next.
 */
import type { StoreDialect } from "../dialects/dialect.ts";
import { Expectations, type Expected } from "./expected.ts";
import type { KeyOfApp } from "./idempotency.ts";
import { type Turn, type Within, type Work, writing } from "./transactions.ts";
import { expectedTurns, inPart, type Outcome, turnsOf, type Writer } from "./turns.ts";

interface Waiting extends Writer {
  /** When it came. */
  readonly since: number;
  /** How often it was put off because another process had the lock. */
  passedOver: number;
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
  /** Organisations whose writers are being worked on. */
  readonly #worked = new Counted();
  /** Organisations to which a transaction writes that is worked out and on its way to the disk. */
  readonly #sent = new Counted();
  /** Their writers. */
  #sentCount = 0;
  #lanes = 0;
  /**
   * How long it has taken of late to work a writer out, and how long a commit, beyond as much again
   * for each of its writers on the server.
   */
  #workMs = 0.5;
  #commitMs = 1;
  /** When the last transaction was on disk. */
  #keptAt = 0;
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
        resolve: resolve as Writer["resolve"],
        reject,
      });
      if (this.#waiting.length >= (this.#hoped?.count ?? Infinity)) this.#hoped?.come();
      if (this.#lanes === 0 || (this.#lanes === 1 && this.#canFollow())) void this.#run();
      else if (this.#lanesMax > 1) this.#watch();
    });
  }

  /** Whether those who wait are to be worked out while others are on their way to the disk. */
  #canFollow(): boolean {
    return this.#sent.size > 0 && this.#areTwo(this.#waiting.length + this.#sentCount);
  }

  /**
   * Whether so many writers are done sooner by two transactions, of which one is worked out while the
   * other is on its way to the disk, than by one: where a second commit takes less than what is done
   * beside it.
   */
  #areTwo(count: number): boolean {
    return this.#commitMs <= count * this.#workMs;
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
      const asking = await this.#commitExpected(group);
      if (asking.length === 0) continue;
      const orgs = new Set(asking.map(({ org }) => org));
      this.#worked.add(orgs);
      const alone = asking.length > 1 ? await this.#commitTogether(asking) : asking;
      for (const each of alone) await this.#commitAlone(each);
      this.#worked.delete(orgs);
    }
    this.#lanes -= 1;
  }

  /**
   * Takes the next, once about as many as before wait again, or half of all where others are worked
   * out meanwhile; or a moment later.
   */
  async #takeWith(before: number): Promise<readonly Waiting[]> {
    const all = before + this.#sentCount;
    const hoped = this.#areTwo(all) ? Math.ceil(all / 2) : before;
    const isWorth = hoped > 1 && this.#returnMs > 0;
    if (isWorth && this.#waiting.length < hoped && this.#hoped === undefined) {
      await new Promise<void>((come) => {
        this.#hoped = { count: hoped, come };
        setTimeout(come, this.#returnMs);
      });
      this.#hoped = undefined;
    }
    if (this.#sent.size === 0 || this.#canFollow()) return this.#take();
    // They share the next commit with who comes until then.
    if (this.#waiting.length > 0) this.#watch();
    return [];
  }

  /** Those whose turn it is: of any organisations, or of one that was passed over too often. */
  #take(): readonly Waiting[] {
    const unworked = this.#waiting.filter(({ org }) => !this.#worked.has(org));
    // Who writes to others need not wait for those that are on their way.
    const unsent = unworked.filter(({ org }) => !this.#sent.has(org));
    const free = unsent.length > 0 ? unsent : unworked;
    const late = free.find(({ passedOver }) => passedOver >= passedOverMax);
    const one = this.#dialect.mixesWriters && free === unsent ? late : free[0];
    const taken = one === undefined ? free : free.filter(({ org }) => org === one.org);
    const group = new Set(taken.slice(0, this.#most(taken)));
    this.#waiting = this.#waiting.filter((each) => !group.has(each));
    return [...group];
  }

  /** How many of them share the next transaction, at most: half where the others are to follow it. */
  #most(taken: readonly Waiting[]): number {
    const canPart = this.#sent.size === 0 && this.#areTwo(taken.length);
    if (!canPart || this.#expectedBy(taken) === undefined) return togetherMax;
    return Math.min(Math.ceil(taken.length / 2), togetherMax);
  }

  /** What they may presume without asking; undefined where one of them has to ask. */
  #expectedBy(group: readonly Waiting[]): ReadonlyMap<number, Expected> | undefined {
    if (this.#dialect.lockExpected === undefined) return undefined;
    return this.#expectations.of(new Set(group.map(({ org }) => org)));
  }

  /**
   * Commits those whose organisations are as they were left, without asking for anything first.
   *
   * @returns those that have to ask
   */
  async #commitExpected(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const expected = this.#expectedBy(group);
    if (expected === undefined) return group;
    const orgs = [...expected.keys()];
    this.#worked.add(orgs);
    let sentAt = 0;
    const began = performance.now();
    const left = await this.#commitTogether(group, expected, () => {
      sentAt = performance.now();
      this.#workMs = lately(this.#workMs, (sentAt - began) / group.length);
      this.#worked.delete(orgs);
      this.#sent.add(orgs);
      this.#sentCount += group.length;
      if (this.#lanes === 1 && this.#waiting.length > 0 && this.#canFollow()) void this.#run();
    });
    if (sentAt === 0) this.#worked.delete(orgs);
    else {
      this.#sent.delete(orgs);
      this.#sentCount -= group.length;
    }
    if (left === group) this.#expectations.missed(orgs);
    else this.#kept(group.length, sentAt);
    return left;
  }

  /** Notes how long a commit has taken. */
  #kept(count: number, sentAt: number): void {
    const now = performance.now();
    // Those of one organisation are done one after the other, however early they were sent.
    const took = now - Math.max(sentAt, this.#keptAt);
    this.#commitMs = lately(this.#commitMs, Math.max(0, took - count * this.#workMs));
    this.#keptAt = now;
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
        this.#expectations.left(turns);
        this.#expectations.committed(turns);
        resolve(result);
      },
      (error) => {
        this.#expectations.failed([org]);
        reject(error);
      },
    );
  }

  /** Whether this is one writer, and nobody else waits or is on the way. */
  #areAlone(group: readonly Waiting[]): boolean {
    return group.length + this.#waiting.length + this.#sentCount === 1 && this.#lanes === 1;
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
    workedOut?: () => void,
  ): Promise<readonly Waiting[]> {
    const putOff: Waiting[] = [];
    const outcomes: Outcome<Waiting>[] = [];
    let turns: ReadonlyMap<number, Turn> = new Map();
    try {
      await this.#within(writing, async (begun) => {
        turns =
          expected === undefined
            ? await turnsOf(this.#dialect, begun, group)
            : await expectedTurns(this.#dialect, begun, expected, this.#areAlone(group));
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
        if (expected !== undefined) this.#expectations.left(turns);
        workedOut?.();
      });
    } catch (error) {
      this.#expectations.failed(turns.keys());
      if (!this.#isLost(error)) return group;
      for (const { reject } of group) reject(error);
      return [];
    }
    if (expected === undefined) this.#expectations.left(turns);
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

/** An average in which what was long ago counts ever less. */
function lately(before: number, now: number): number {
  return before + (now - before) / 8;
}

/** Organisations, each as often as it was added. */
class Counted {
  readonly #counts = new Map<number, number>();

  get size(): number {
    return this.#counts.size;
  }

  has(org: number): boolean {
    return this.#counts.has(org);
  }

  add(orgs: Iterable<number>): void {
    for (const org of orgs) this.#counts.set(org, (this.#counts.get(org) ?? 0) + 1);
  }

  delete(orgs: Iterable<number>): void {
    for (const org of orgs) {
      const left = (this.#counts.get(org) ?? 0) - 1;
      if (left > 0) this.#counts.set(org, left);
      else this.#counts.delete(org);
    }
  }
}
