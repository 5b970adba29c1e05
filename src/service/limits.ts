/**
 * How often an app may call.
 *
 * Counts are kept in memory, for each app on each organisation: calls under way, those of the last
 * minute and of the last day, and those of an app on all organisations together. A call that is
 * refused does not count.
 */
import { UnavailableError } from "../resources/errors.ts";

export interface Limits {
  readonly concurrent: number;
  readonly minute: number;
  readonly day: number;
  /** Of one app on all organisations. */
  readonly appMinute: number;
}

/** @source the published figures of the API */
export const usualLimits: Limits = { concurrent: 5, minute: 60, day: 5_000, appMinute: 10_000 };

const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;
/** Apps and pairs that are remembered; past that, those without a call for a day are forgotten. */
const rememberedMax = 10_000;

/** One call that asks to be let in. */
export interface Admission {
  /** Why it is not. */
  readonly refusal: UnavailableError | undefined;
  /** What is left, by lower-case name, for the headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be called once, when it has been answered. */
  leave(): void;
}

export interface Limiter {
  enter(org: number, app: string): Admission;
}

/** @param clock  milliseconds since 1970 UTC */
export function createLimiter(limits: Limits, clock: () => number): Limiter {
  const pairs = new Map<string, Pair>();
  const apps = new Map<string, Rolling>();
  return {
    enter(org, app) {
      const now = clock();
      if (pairs.size >= rememberedMax) forgetIdle(pairs, apps, now);
      const pair = held(pairs, `${org} ${app}`, () => new Pair(limits));
      const appMinute = held(apps, app, () => new Rolling(limits.appMinute, minuteMs));
      const refusal = refusalOf(pair, appMinute, limits, now);
      if (refusal === undefined) {
        pair.underWay += 1;
        for (const each of [pair.minute, pair.day, appMinute]) each.take(now);
      }
      return {
        refusal,
        headers: {
          "x-minlimit-remaining": String(pair.minute.left(now)),
          "x-daylimit-remaining": String(pair.day.left(now)),
          "x-appminlimit-remaining": String(appMinute.left(now)),
        },
        leave: () => {
          if (refusal === undefined) pair.underWay -= 1;
        },
      };
    },
  };
}

/** Moments of the calls in a rolling window, the oldest first, from `#from` on. */
class Rolling {
  readonly #max: number;
  readonly #windowMs: number;
  #moments: number[] = [];
  #from = 0;

  constructor(max: number, windowMs: number) {
    this.#max = max;
    this.#windowMs = windowMs;
  }

  left(now: number): number {
    this.#slide(now);
    return this.#max - (this.#moments.length - this.#from);
  }

  isEmpty(now: number): boolean {
    return this.left(now) === this.#max;
  }

  take(now: number): void {
    this.#moments.push(now);
  }

  /** How long until there is one left. */
  waitMs(now: number): number {
    if (this.left(now) > 0) return 0;
    return (this.#moments[this.#from] ?? now) + this.#windowMs - now;
  }

  #slide(now: number): void {
    while ((this.#moments[this.#from] ?? Number.POSITIVE_INFINITY) <= now - this.#windowMs) {
      this.#from += 1;
    }
    // Cut off by halves, so that a call costs the same however many came before.
    if (this.#from * 2 <= this.#moments.length) return;
    this.#moments = this.#moments.slice(this.#from);
    this.#from = 0;
  }
}

class Pair {
  underWay = 0;
  readonly minute: Rolling;
  readonly day: Rolling;

  constructor({ minute, day }: Limits) {
    this.minute = new Rolling(minute, minuteMs);
    this.day = new Rolling(day, dayMs);
  }
}

function held<V>(map: Map<string, V>, key: string, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

function refusalOf(
  pair: Pair,
  appMinute: Rolling,
  limits: Limits,
  now: number,
): UnavailableError | undefined {
  if (pair.day.left(now) <= 0) {
    return refused("RateLimitDay", `${limits.day} calls a day`, pair.day.waitMs(now));
  }
  if (appMinute.left(now) <= 0) {
    const rule = `${limits.appMinute} calls a minute on all organisations`;
    return refused("RateLimitAppMinute", rule, appMinute.waitMs(now));
  }
  if (pair.minute.left(now) <= 0) {
    return refused("RateLimitMinute", `${limits.minute} calls a minute`, pair.minute.waitMs(now));
  }
  if (pair.underWay >= limits.concurrent) {
    return refused("RateLimitConcurrent", `${limits.concurrent} calls at a time`, undefined);
  }
  return undefined;
}

function refused(code: string, rule: string, retryAfterMs: number | undefined): UnavailableError {
  const message = `An app may make ${rule}; please wait before retrying`;
  return new UnavailableError(code, message, { retryAfterMs });
}

function forgetIdle(pairs: Map<string, Pair>, apps: Map<string, Rolling>, now: number): void {
  for (const [key, { underWay, day }] of pairs) {
    if (underWay === 0 && day.isEmpty(now)) pairs.delete(key);
  }
  for (const [key, calls] of apps) if (calls.isEmpty(now)) apps.delete(key);
}
