/**
 * Counts of calls in the database, for several processes that serve it.
 *
 * Each count is a row, which a process changes by one statement on the condition that no other has
 * changed it since it was read. A process takes its last write for the present state, so that a
 * call costs one statement for its organisation and one for its app before it is admitted, and one
 * after it was answered. Calls under way expire after some seconds and are renewed while they last,
 * so that the calls of a killed process are freed.
 */
import { type Counts, countsOf, writeCounts } from "../../store/directory/call-counts.ts";
import type { Store } from "../../store/store.ts";
import { CallCounts, type CallRules, headersOf, rulesOf } from "./counts.ts";
import type { Admission, Limits, RateLimits } from "./limits.ts";

/** Calls of one second are counted together, and of the day those of ten minutes. */
const grains = { minuteMs: 1_000, dayMs: 600_000 };
/** How long a process is believed to have calls under way, and how often it says so again. */
const believedMs = 15_000;
const renewMs = 5_000;
/** An answer may arrive before it is written that its call is no longer under way. */
const againMs = 25;
const againMax = 4;
/** The organisation under which calls on all of them are counted; there is none of this key. */
const allOrganisations = 0;
/** Cached rows at most; above that, rows without a call under way are dropped. */
const rememberedMax = 10_000;
/** A row that others keep changing so often means a fault of the database. */
const triesMax = 200;

export interface SharedOptions {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The id of this process. */
  readonly process: string;
}

export function sharedLimits(limits: Limits, options: SharedOptions): RateLimits {
  const { clock, process } = options;
  const rules = rulesOf(limits, grains);
  const rows = new Map<string, CountsRow>();
  const rowOf = (org: number, app: string, of: CallRules) => {
    const key = `${org} ${app}`;
    const row = rows.get(key) ?? new CountsRow(options, org, app, of);
    rows.set(key, row);
    return row;
  };
  const renewal = setInterval(() => {
    for (const row of rows.values()) if (row.underWay.size > 0) row.renew();
  }, renewMs).unref();

  const enterOnce = async (pair: CountsRow, ofApp: CountsRow, call: object) => {
    const entered = await pair.change((counts) => {
      // The statement of a try before may have failed.
      pair.underWay.delete(call);
      const refusal = counts.enter(clock(), process, pair.underWay.size);
      if (refusal === undefined) pair.underWay.add(call);
      pair.say(counts);
      return { refusal, left: counts.left(clock()) };
    });
    const ofAll = await ofApp.change((counts) => ({
      refusal: entered.refusal === undefined ? counts.enter(clock(), process, 0) : undefined,
      left: counts.left(clock()),
    }));
    if (ofAll.refusal === undefined) {
      return { refusal: entered.refusal, headers: headersOf(entered.left, ofAll.left) };
    }
    const left = await pair.change((counts) => {
      pair.underWay.delete(call);
      counts.giveBack(clock());
      pair.say(counts);
      return counts.left(clock());
    });
    return { refusal: ofAll.refusal, headers: headersOf(left, ofAll.left) };
  };

  return {
    of: ({ org }) => ({
      async take(app, calls) {
        const pair = rowOf(org, app, rules.pair);
        const refusal = await pair.change((counts) => counts.take(clock(), calls));
        if (refusal !== undefined) return refusal;
        const ofApp = rowOf(allOrganisations, app, rules.app);
        const ofAll = await ofApp.change((counts) => counts.take(clock(), calls));
        if (ofAll !== undefined) await pair.change((counts) => counts.giveBack(clock(), calls));
        return ofAll;
      },
      async enter(app): Promise<Admission> {
        if (rows.size >= rememberedMax) forgetIdle(rows);
        const pair = rowOf(org, app, rules.pair);
        const ofApp = rowOf(allOrganisations, app, rules.app);
        const call = {};
        const leave = () => {
          if (pair.underWay.delete(call)) pair.renew();
        };
        for (let tries = 1; ; tries += 1) {
          const entered = await enterOnce(pair, ofApp, call).catch((error: unknown) => {
            leave();
            throw error;
          });
          const mayEndSoon = entered.refusal?.code === "RateLimitConcurrent" && tries < againMax;
          if (!mayEndSoon) return { ...entered, leave };
          await new Promise((resolve) => setTimeout(resolve, againMs));
        }
      },
    }),
    async close() {
      clearInterval(renewal);
      await Promise.all([...rows.values()].map((row) => row.written()));
    },
  };
}

/** A row of counts, which the changes of this process are made to one after the other. */
class CountsRow {
  /** The calls of this process that are under way. */
  readonly underWay = new Set<object>();
  readonly #options: SharedOptions;
  readonly #org: number;
  readonly #app: string;
  readonly #rules: CallRules;
  #known: Counts | undefined;
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: SharedOptions, org: number, app: string, rules: CallRules) {
    this.#options = options;
    this.#org = org;
    this.#app = app;
    this.#rules = rules;
  }

  /** @param make  may be run several times, each time on what was read anew */
  change<R>(make: (counts: CallCounts) => R): Promise<R> {
    const changed = this.#last.then(() => this.#change(make));
    this.#last = changed.catch(() => undefined);
    return changed;
  }

  /** Says how many calls are under way, to be believed for a while. Lost where it cannot be written. */
  renew(): void {
    this.change((counts) => this.say(counts)).catch(() => undefined);
  }

  say(counts: CallCounts): void {
    const { process, clock } = this.#options;
    counts.setUnderWay(process, this.underWay.size, clock() + believedMs);
  }

  /** Returns when all changes are written. */
  async written(): Promise<void> {
    await this.#last;
  }

  async #change<R>(make: (counts: CallCounts) => R): Promise<R> {
    const { store, clock } = this.#options;
    for (let tries = 0; tries < triesMax; tries += 1) {
      const isFresh = this.#known === undefined;
      const known =
        this.#known ?? (await store.withoutTransaction(this.#org, (tx) => countsOf(tx, this.#app)));
      this.#known = undefined;
      const counts = new CallCounts(this.#rules, known.counts ? JSON.parse(known.counts) : {});
      const result = make(counts);
      const written = JSON.stringify(counts.written(clock()));
      if (written === known.counts) {
        // Without a write it is unknown whether another process has changed the row since.
        if (!isFresh) continue;
        this.#known = known;
        return result;
      }
      const next = { version: known.version, counts: written };
      if (await store.withoutTransaction(this.#org, (tx) => writeCounts(tx, this.#app, next))) {
        this.#known = { version: known.version + 1, counts: written };
        return result;
      }
    }
    throw new Error(`The calls of ${this.#app} cannot be counted: others always write first.`);
  }
}

/** A row that is forgotten is read again; only calls under way must be kept. */
function forgetIdle(rows: Map<string, CountsRow>): void {
  for (const [key, { underWay }] of rows) if (underWay.size === 0) rows.delete(key);
}
