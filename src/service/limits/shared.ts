/**
 * Counts of calls in the database, for several processes that serve it.
 *
 * A call costs one statement before it is let in, and one, soon, after it was answered. What a
 * process has under way counts for some seconds only and is said again while it lasts, so that a
 * process that was killed holds nobody up. Of the calls of an app on all organisations, of which
 * there may be many, a process takes some at a time, and gives back those that it did not need.
 */
import type { Store } from "../../store/store.ts";
import {
  type Admission,
  appRefusal,
  dayMs,
  headersOf,
  type Limits,
  minuteMs,
  pairRefusal,
  type RateLimits,
} from "./limits.ts";
import { Rolling } from "./rolling.ts";
import { SharedRow } from "./row.ts";

/** Calls of one second are counted together, and of the day those of ten minutes. */
const minuteGrainMs = 1_000;
const dayGrainMs = 600_000;
/** How long a process is believed to have calls under way, and how often it says so again. */
const believedMs = 15_000;
const saidEveryMs = 5_000;
/** An answer may arrive before it is written down that its call is no longer under way. */
const againMs = 25;
const againMax = 4;
/** The organisation under which calls on all of them are counted; there is none of this key. */
const allOrganisations = 0;
/** Which part of the calls of an app a process takes at a time. */
const portion = 100;
/** Rows that are remembered; past that, those of which nothing is under way are forgotten. */
const rememberedMax = 10_000;

export interface SharedOptions {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Tells this process from others. */
  readonly process: string;
}

export function sharedLimits(limits: Limits, options: SharedOptions): RateLimits {
  const pairs = new Map<string, Pair>();
  const apps = new Map<string, AppCalls>();
  const heartbeat = setInterval(() => {
    for (const pair of pairs.values()) pair.sayAgain();
  }, saidEveryMs).unref();
  return {
    of: ({ org }) => ({
      async enter(app) {
        if (pairs.size >= rememberedMax) forgetIdle(pairs, apps);
        const pair = held(pairs, `${org} ${app}`, () => new Pair(limits, options, org, app));
        const calls = held(apps, app, () => new AppCalls(limits, options, app));
        return admitted(pair, calls);
      },
    }),
    async close() {
      clearInterval(heartbeat);
      await Promise.all([...pairs.values(), ...apps.values()].map((each) => each.close()));
    },
  };
}

async function admitted(pair: Pair, calls: AppCalls): Promise<Admission> {
  const taken = await calls.take();
  const call = {};
  const entered = await pair.enter(call, taken.refusal).catch((error: unknown) => {
    if (taken.refusal === undefined) calls.giveBack();
    throw error;
  });
  if (entered.refusal !== undefined && taken.refusal === undefined) calls.giveBack();
  return {
    refusal: entered.refusal,
    headers: headersOf({ ...entered, appMinute: calls.left }),
    leave: () => pair.leave(call),
  };
}

type Refusal = Admission["refusal"];

// --- an app on an organisation ---------------------------------------------------------------

interface PairState {
  readonly now: number;
  /** When it was last counted or said. */
  at: number;
  readonly minute: Rolling;
  readonly day: Rolling;
  /** Of each process, how many calls it has under way, and until when that is believed. */
  readonly underWay: Map<string, { calls: number; until: number }>;
}

interface WrittenPair {
  readonly at: number;
  readonly minute: number[];
  readonly day: number[];
  readonly underWay: Record<string, [calls: number, until: number]>;
}

interface Entered {
  readonly refusal: Refusal;
  readonly minute: number;
  readonly day: number;
}

class Pair {
  readonly #limits: Limits;
  readonly #process: string;
  readonly #row: SharedRow<PairState>;
  /** The calls of this process that are under way. */
  readonly #inside = new Set<object>();

  constructor(limits: Limits, { store, clock, process }: SharedOptions, org: number, app: string) {
    this.#limits = limits;
    this.#process = process;
    this.#row = new SharedRow({
      store,
      org,
      app,
      read: (text) => readPair(text, limits, clock()),
      write: writePair,
    });
  }

  get isIdle(): boolean {
    return this.#inside.size === 0;
  }

  /**
   * @param call     stands for it until it leaves
   * @param refused  why the call is not let in anyway; what is left is told all the same
   */
  async enter(call: object, refused: Refusal): Promise<Entered> {
    for (let tries = 1; ; tries += 1) {
      try {
        const entered = await this.#row.change((state) => this.#enter(state, call, refused));
        const mayEndSoon = entered.refusal?.code === "RateLimitConcurrent" && tries < againMax;
        if (!mayEndSoon) return entered;
      } catch (error) {
        this.#inside.delete(call);
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }

  #enter(state: PairState, call: object, refused: Refusal): Entered {
    const { minute, day, now } = state;
    // It may be in already, by a try that could not be written.
    this.#inside.delete(call);
    let underWay = this.#inside.size;
    for (const [process, { calls }] of state.underWay) {
      if (process !== this.#process) underWay += calls;
    }
    const refusal = refused ?? pairRefusal({ minute, day, underWay }, this.#limits, now);
    if (refusal === undefined) {
      this.#inside.add(call);
      minute.take(now);
      day.take(now);
      this.#say(state);
    }
    return { refusal, minute: minute.left(now), day: day.left(now) };
  }

  leave(call: object): void {
    if (this.#inside.delete(call)) this.#row.changeSoon((state) => this.#say(state));
  }

  /** That this process is alive, and has not forgotten its calls. */
  sayAgain(): void {
    if (!this.isIdle) this.#row.changeSoon((state) => this.#say(state));
  }

  #say(state: PairState): void {
    const { underWay, now } = state;
    const calls = this.#inside.size;
    state.at = now;
    if (calls > 0) underWay.set(this.#process, { calls, until: now + believedMs });
    else underWay.delete(this.#process);
  }

  close(): Promise<void> {
    return this.#row.written();
  }
}

function readPair(text: string, limits: Limits, clock: number): PairState {
  const { at, minute, day, underWay }: Partial<WrittenPair> = text === "" ? {} : JSON.parse(text);
  // The clocks of two machines differ: time goes on from the later.
  const now = Math.max(clock, at ?? 0);
  const believed = Object.entries(underWay ?? {}).filter(([, [, until]]) => until > now);
  return {
    now,
    at: at ?? 0,
    minute: new Rolling(limits.minute, minuteMs, minuteGrainMs, minute),
    day: new Rolling(limits.day, dayMs, dayGrainMs, day),
    underWay: new Map(believed.map(([name, [calls, until]]) => [name, { calls, until }])),
  };
}

function writePair({ now, at, minute, day, underWay }: PairState): string {
  const written: WrittenPair = {
    at,
    minute: minute.written(now),
    day: day.written(now),
    underWay: Object.fromEntries(
      [...underWay].map(([name, { calls, until }]) => [name, [calls, until]]),
    ),
  };
  return JSON.stringify(written);
}

// --- an app on all organisations -------------------------------------------------------------

interface AppState {
  readonly now: number;
  /** When calls were last taken. */
  at: number;
  readonly minute: Rolling;
}

/** The calls that this process has taken and not made yet. */
interface Portion {
  left: number;
  /** When they were counted. */
  readonly at: number;
  /** What was left for others then. */
  readonly others: number;
}

class AppCalls {
  readonly #limits: Limits;
  readonly #clock: () => number;
  readonly #row: SharedRow<AppState>;
  #portion: Portion = { left: 0, at: 0, others: 0 };
  #taking: Promise<Refusal> | undefined;

  constructor(limits: Limits, { store, clock }: SharedOptions, app: string) {
    this.#limits = limits;
    this.#clock = clock;
    this.#row = new SharedRow({
      store,
      org: allOrganisations,
      app,
      read: (text) => readApp(text, limits, clock()),
      write: ({ now, at, minute }) => JSON.stringify({ at, minute: minute.written(now) }),
    });
  }

  get isIdle(): boolean {
    return this.#taking === undefined;
  }

  get left(): number {
    return this.#portion.left + this.#portion.others;
  }

  async take(): Promise<{ readonly refusal: Refusal }> {
    for (;;) {
      if (this.#portion.left > 0 && this.#clock() < this.#portion.at + minuteGrainMs) {
        this.#portion.left -= 1;
        return { refusal: undefined };
      }
      this.#taking ??= this.#takePortion().finally(() => {
        this.#taking = undefined;
      });
      const refusal = await this.#taking;
      if (refusal !== undefined) return { refusal };
    }
  }

  giveBack(): void {
    this.#portion.left += 1;
  }

  async #takePortion(): Promise<Refusal> {
    const before = this.#portion;
    this.#portion = { ...before, left: 0 };
    const most = Math.max(1, Math.floor(this.#limits.appMinute / portion));
    const { refusal, ...taken } = await this.#row.change((state) => {
      const { now, minute } = state;
      if (before.left > 0) minute.giveBack(before.at, before.left);
      const left = Math.max(0, Math.min(most, minute.left(now)));
      if (left > 0) {
        minute.take(now, left);
        state.at = now;
      }
      return {
        refusal: left > 0 ? undefined : appRefusal(minute, this.#limits, now),
        left,
        at: now,
        others: minute.left(now),
      };
    });
    this.#portion = taken;
    return refusal;
  }

  async close(): Promise<void> {
    const { left, at } = this.#portion;
    this.#portion = { left: 0, at: 0, others: 0 };
    if (left > 0) this.#row.changeSoon(({ minute }) => minute.giveBack(at, left));
    await this.#row.written();
  }
}

function readApp(text: string, limits: Limits, clock: number): AppState {
  const { at, minute }: { at?: number; minute?: number[] } = text === "" ? {} : JSON.parse(text);
  return {
    now: Math.max(clock, at ?? 0),
    at: at ?? 0,
    minute: new Rolling(limits.appMinute, minuteMs, minuteGrainMs, minute),
  };
}

function held<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** What is forgotten is read again when it is asked for; only what is under way must be kept. */
function forgetIdle(pairs: Map<string, Pair>, apps: Map<string, AppCalls>): void {
  for (const [key, pair] of pairs) if (pair.isIdle) pairs.delete(key);
  for (const [key, calls] of apps) if (calls.isIdle) apps.delete(key);
}
