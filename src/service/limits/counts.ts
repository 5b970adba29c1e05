/**
 * The calls of an app that count towards its rate limits: calls in time windows, and calls in
 * progress.
 */
import { LimitedError } from "../../resources/errors.ts";
import { type Admission, type Limits, type RateLimits, usualLimits } from "./limits.ts";

const spanMs = { minute: 60_000, day: 24 * 3_600_000 };

/** A rate limit: the maximum number of calls in a time window. */
export interface Window {
  /** Error code of the refusal. */
  readonly code: string;
  /** Description, such as `60 calls a minute`. */
  readonly rule: string;
  readonly max: number;
  readonly windowMs: number;
  /** Length of the intervals (grains) by which calls are counted, in milliseconds. */
  readonly grainMs: number;
}

/** Grain of each window in milliseconds: stored counts have coarser grains, to stay small. */
export type Grains = Readonly<typeof spanMs>;

/** Returns the limits of an app in one organisation, and in all organisations together. */
export function rulesOf(limits: Limits, grains: Grains): Record<"pair" | "app", Window[]> {
  // The limits may change while they are counted.
  const windowOf = (code: string, of: keyof Limits, span: keyof Grains, scope = ""): Window => ({
    code,
    get rule() {
      return `${limits[of]} calls a ${span}${scope}`;
    },
    get max() {
      return limits[of];
    },
    windowMs: spanMs[span],
    grainMs: grains[span],
  });
  const inDay = windowOf("RateLimitDay", "day", "day");
  const onAll = " on all organisations";
  return {
    // The day limit comes first: of several limits reached, the one with the longest wait is
    // reported.
    pair: [inDay, windowOf("RateLimitMinute", "minute", "minute")],
    app: [windowOf("RateLimitAppMinute", "appMinute", "minute", onAll)],
  };
}

/** A sliding time window of calls that never exceeds its limit. */
class Rolling {
  readonly of: Window;
  /** Grains with calls, oldest first: start of the grain and number of calls. */
  readonly #grains: [start: number, calls: number][] = [];
  #count = 0;

  /** @param written  serialised state, as `written` returns it */
  constructor(of: Window, written: readonly number[] = []) {
    this.of = of;
    let start = 0;
    for (let at = 0; at + 1 < written.length; at += 2) {
      start += written[at] ?? 0;
      this.take(start * of.grainMs, written[at + 1]);
    }
  }

  /** Returns how many calls are left at `now`. */
  left(now: number): number {
    const expiredAt = now - this.of.windowMs - this.of.grainMs + 1;
    const firstKept = this.#grains.findIndex(([start]) => start > expiredAt);
    const oldGrains = this.#grains.splice(0, firstKept < 0 ? this.#grains.length : firstKept);
    for (const [, calls] of oldGrains) this.#count -= calls;
    return this.of.max - this.#count;
  }

  /** Counts calls at `now`, which must not be earlier than calls counted before. */
  take(now: number, callCount = 1): void {
    const start = now - (now % this.of.grainMs);
    const lastGrain = this.#grains.at(-1);
    // After the clock was set back, counting continues in the last grain.
    if (lastGrain !== undefined && start <= lastGrain[0]) lastGrain[1] += callCount;
    else this.#grains.push([start, callCount]);
    this.#count += callCount;
  }

  /** Removes calls counted at `at` that were not made after all. */
  giveBack(at: number, callCount: number): void {
    const grain = this.#grains.findLast(([start, made]) => start <= at && made >= callCount);
    if (grain === undefined) return;
    grain[1] -= callCount;
    this.#count -= callCount;
  }

  /** Returns the milliseconds until a call is left. */
  waitMs(now: number): number {
    let freeCount = this.left(now);
    if (freeCount > 0) return 0;
    const { windowMs, grainMs } = this.of;
    const freeing = this.#grains.find(([, calls]) => {
      freeCount += calls;
      return freeCount > 0;
    });
    return windowMs + (freeing === undefined ? 0 : freeing[0] + grainMs - 1 - now);
  }

  /** Returns the serialised state: grains since the previous one and call counts, alternating. */
  written(now: number): number[] {
    this.left(now);
    let callsBefore = 0;
    return this.#grains.flatMap(([start, calls]) => {
      if (calls === 0) return [];
      const grainIndex = start / this.of.grainMs;
      const since = grainIndex - callsBefore;
      callsBefore = grainIndex;
      return [since, calls];
    });
  }
}

/** The counts in their JSON form. */
export interface WrittenCounts {
  readonly at: number;
  readonly windows: readonly (readonly number[])[];
  readonly underWay: Readonly<Record<string, readonly [calls: number, until: number]>>;
}

/** A call about to start, the other calls of its process, and the concurrency limit. */
interface StartingCall {
  readonly process: string;
  readonly underWay: number;
  readonly concurrent: number;
}

export class CallCounts {
  readonly #windows: readonly Rolling[];
  #at: number;
  /** Number of calls in progress by process, and the expiry of its lease. */
  readonly #underWay: Map<string, readonly [calls: number, until: number]>;

  constructor(windows: readonly Window[], written: Partial<WrittenCounts> = {}) {
    this.#windows = windows.map((window, index) => new Rolling(window, written.windows?.[index]));
    this.#at = written.at ?? 0;
    this.#underWay = new Map(Object.entries(written.underWay ?? {}));
  }

  /** Returns the later of the clock and the last time seen: clocks of two machines differ. */
  #now(clockMs: number): number {
    return Math.max(clockMs, this.#at);
  }

  /**
   * Counts calls, all or none. Returns the refusal if a limit is reached.
   *
   * @param calling  the call, where the concurrency limit applies
   */
  take(clockMs: number, callCount: number, calling?: StartingCall): LimitedError | undefined {
    const now = this.#now(clockMs);
    const refusal = this.#fullFor(now, callCount) ?? (calling && this.#tooManyWith(now, calling));
    if (refusal !== undefined) return refusal;
    for (const window of this.#windows) window.take(now, callCount);
    this.#at = now;
    return undefined;
  }

  #tooManyWith(now: number, calling: StartingCall): LimitedError | undefined {
    let underWay = calling.underWay;
    for (const [other, [calls, until]] of this.#underWay) {
      if (other !== calling.process && until > now) underWay += calls;
    }
    const most = calling.concurrent;
    return underWay < most ? undefined : limitOf("RateLimitConcurrent", `${most} calls at a time`);
  }

  #fullFor(now: number, callCount: number): LimitedError | undefined {
    const full = this.#windows.find((window) => window.left(now) < callCount);
    if (full === undefined) return undefined;
    const { code, rule, max } = full.of;
    const maxNote = callCount < max ? "" : `, and no request may hold more than ${max - 1}`;
    const share = callCount === 1 ? "" : `, of which this holds ${callCount}${maxNote}`;
    return limitOf(code, `${rule}${share}`, full.waitMs(now));
  }

  /**
   * Removes counted calls that were not made after all.
   *
   * @param at  clock time when they were counted
   */
  giveBack(at: number, callCount: number): void {
    for (const window of this.#windows) window.giveBack(at, callCount);
  }

  /**
   * Sets the number of calls in progress of a process.
   *
   * @param untilMs  lease expiry, milliseconds since 1970 UTC
   */
  setUnderWay(process: string, callCount: number, untilMs: number): void {
    this.#underWay.set(process, [callCount, untilMs]);
  }

  /** Returns how many calls are left in each window, in the order of the rules. */
  left(clockMs: number): readonly number[] {
    return this.#windows.map((window) => Math.max(0, window.left(this.#now(clockMs))));
  }

  isIdle(clockMs: number): boolean {
    return this.#windows.every((window) => window.left(this.#now(clockMs)) === window.of.max);
  }

  written(clockMs: number): WrittenCounts {
    const now = this.#now(clockMs);
    const believed = [...this.#underWay].filter(([, [calls, until]]) => calls > 0 && until > now);
    return {
      at: this.#at,
      windows: this.#windows.map((window) => window.written(now)),
      underWay: Object.fromEntries(believed),
    };
  }
}

function limitOf(code: string, rule: string, retryAfterMs?: number): LimitedError {
  const message = `An app may make ${rule}; please wait before retrying`;
  return new LimitedError(code, message, { retryAfterMs });
}

/**
 * Returns the rate-limit headers, with the calls left.
 *
 * @source spec of the API, section "Rate limits"
 */
export function headersOf(
  [day = 0, minute = 0]: readonly number[],
  [appMinute = 0]: readonly number[],
): Admission["headers"] {
  return {
    "x-minlimit-remaining": String(minute),
    "x-daylimit-remaining": String(day),
    "x-appminlimit-remaining": String(appMinute),
  };
}

const { day, minute, appMinute } = usualLimits;
const ofAll: Admission = {
  refusal: undefined,
  headers: headersOf([day, minute], [appMinute]),
  leave: () => undefined,
};

/** Rate limits that admit every call; the headers show the default limits as unused. */
export const notCounted: RateLimits = {
  of: () => ({ enter: () => ofAll, take: () => undefined }),
  close: () => Promise.resolve(),
};
