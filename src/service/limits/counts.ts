/** The calls of an app that count towards its limits, in windows of time and under way. */
import { LimitedError } from "../../resources/errors.ts";
import { type Admission, type Limits, type RateLimits, usualLimits } from "./limits.ts";

const spanMs = { minute: 60_000, day: 24 * 3_600_000 };

/** How many calls there may be in any window of time. */
export interface Window {
  /** Of the refusal. */
  readonly code: string;
  /** `60 calls a minute` */
  readonly rule: string;
  readonly max: number;
  readonly windowMs: number;
  /** Calls of one grain are counted together, and leave the window when its last moment does. */
  readonly grainMs: number;
}

/** How precisely calls are counted, in ms: counts that are written are coarser, to stay small. */
export type Grains = Readonly<typeof spanMs>;

/** The rules for an app on one organisation, and for an app on all organisations together. */
export function rulesOf(limits: Limits, grains: Grains): Record<"pair" | "app", Window[]> {
  const windowOf = (code: string, max: number, span: keyof Grains, where = ""): Window => {
    const rule = `${max} calls a ${span}${where}`;
    return { code, rule, max, windowMs: spanMs[span], grainMs: grains[span] };
  };
  const inDay = windowOf("RateLimitDay", limits.day, "day");
  const where = " on all organisations";
  return {
    // The limit with the longest wait is reported.
    pair: [inDay, windowOf("RateLimitMinute", limits.minute, "minute")],
    app: [windowOf("RateLimitAppMinute", limits.appMinute, "minute", where)],
  };
}

/** Calls in a window of time that rolls, which never holds more of them than it may. */
class Rolling {
  readonly of: Window;
  /** Where grains with calls begin, the oldest first, and how many calls each has. */
  readonly #grains: [start: number, calls: number][] = [];
  #count = 0;

  /** @param written  of another, what `written` gave */
  constructor(of: Window, written: readonly number[] = []) {
    this.of = of;
    let start = 0;
    for (let at = 0; at + 1 < written.length; at += 2) {
      start += written[at] ?? 0;
      this.take(start * of.grainMs, written[at + 1]);
    }
  }

  /** How many calls may still be made at `now`. */
  left(now: number): number {
    const gone = now - this.of.windowMs - this.of.grainMs + 1;
    const kept = this.#grains.findIndex(([start]) => start > gone);
    const old = this.#grains.splice(0, kept < 0 ? this.#grains.length : kept);
    for (const [, calls] of old) this.#count -= calls;
    return this.of.max - this.#count;
  }

  /** Counts calls at `now`, which is never before those counted already. */
  take(now: number, calls = 1): void {
    const start = now - (now % this.of.grainMs);
    const last = this.#grains.at(-1);
    // A clock that was put back counts on where it was.
    if (last !== undefined && start <= last[0]) last[1] += calls;
    else this.#grains.push([start, calls]);
    this.#count += calls;
  }

  /** Takes back calls that were counted at `at` and not made. */
  giveBack(at: number, calls: number): void {
    const grain = this.#grains.findLast(([start, made]) => start <= at && made >= calls);
    if (grain === undefined) return;
    grain[1] -= calls;
    this.#count -= calls;
  }

  /** How long until there is one left. */
  waitMs(now: number): number {
    let free = this.left(now);
    if (free > 0) return 0;
    const { windowMs, grainMs } = this.of;
    const freeing = this.#grains.find(([, calls]) => {
      free += calls;
      return free > 0;
    });
    return windowMs + (freeing === undefined ? 0 : freeing[0] + grainMs - 1 - now);
  }

  /** Grains since the one before, and their calls, in turns. */
  written(now: number): number[] {
    this.left(now);
    let before = 0;
    return this.#grains.flatMap(([start, calls]) => {
      if (calls === 0) return [];
      const grain = start / this.of.grainMs;
      const since = grain - before;
      before = grain;
      return [since, calls];
    });
  }
}

/** As JSON. */
export interface WrittenCounts {
  readonly at: number;
  readonly windows: readonly (readonly number[])[];
  readonly underWay: Readonly<Record<string, readonly [calls: number, until: number]>>;
}

/** A call that will be under way, the others of its process, and how many there may be in all. */
interface Calling {
  readonly process: string;
  readonly underWay: number;
  readonly concurrent: number;
}

export class CallCounts {
  readonly #windows: readonly Rolling[];
  #at: number;
  /** Of each process, how many calls it has under way, and until when that is believed. */
  readonly #underWay: Map<string, readonly [calls: number, until: number]>;

  constructor(windows: readonly Window[], written: Partial<WrittenCounts> = {}) {
    this.#windows = windows.map((window, place) => new Rolling(window, written.windows?.[place]));
    this.#at = written.at ?? 0;
    this.#underWay = new Map(Object.entries(written.underWay ?? {}));
  }

  /** The clocks of two machines differ: time goes on from the later. */
  #now(clock: number): number {
    return Math.max(clock, this.#at);
  }

  /**
   * Counts calls: all, or none and why not.
   *
   * @param own  where there may be so many at a time
   */
  take(clock: number, calls: number, own?: Calling): LimitedError | undefined {
    const now = this.#now(clock);
    const refusal = this.#fullFor(now, calls) ?? (own && this.#tooManyWith(now, own));
    if (refusal !== undefined) return refusal;
    for (const window of this.#windows) window.take(now, calls);
    this.#at = now;
    return undefined;
  }

  #tooManyWith(now: number, own: Calling): LimitedError | undefined {
    let all = own.underWay;
    for (const [other, [calls, until]] of this.#underWay) {
      if (other !== own.process && until > now) all += calls;
    }
    const most = own.concurrent;
    return all < most ? undefined : refused("RateLimitConcurrent", `${most} calls at a time`);
  }

  #fullFor(now: number, calls: number): LimitedError | undefined {
    const full = this.#windows.find((window) => window.left(now) < calls);
    if (full === undefined) return undefined;
    const { code, rule, max } = full.of;
    const fits = calls < max ? "" : `, and no request may hold more than ${max - 1}`;
    const held = calls === 1 ? "" : `, of which this holds ${calls}${fits}`;
    return refused(code, `${rule}${held}`, full.waitMs(now));
  }

  /** Takes back calls that were counted, and not made. @param at  the clock when they were */
  giveBack(at: number, calls: number): void {
    for (const window of this.#windows) window.giveBack(at, calls);
  }

  /** @param until  until when others believe it, milliseconds since 1970 UTC */
  setUnderWay(process: string, calls: number, until: number): void {
    this.#underWay.set(process, [calls, until]);
  }

  /** How many calls are left in each window, in the order of the rules. */
  left(clock: number): readonly number[] {
    return this.#windows.map((window) => Math.max(0, window.left(this.#now(clock))));
  }

  isIdle(clock: number): boolean {
    return this.#windows.every((window) => window.left(this.#now(clock)) === window.of.max);
  }

  written(clock: number): WrittenCounts {
    const now = this.#now(clock);
    const believed = [...this.#underWay].filter(([, [calls, until]]) => calls > 0 && until > now);
    return {
      at: this.#at,
      windows: this.#windows.map((window) => window.written(now)),
      underWay: Object.fromEntries(believed),
    };
  }
}

function refused(code: string, rule: string, retryAfterMs?: number): LimitedError {
  const message = `An app may make ${rule}; please wait before retrying`;
  return new LimitedError(code, message, { retryAfterMs });
}

/** What every answer says is left, in calls. @source spec of the API, section "Rate limits" */
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

/** Every call is admitted; clients that read what is left of the usual limits find all of it. */
export const notCounted: RateLimits = {
  of: () => ({ enter: () => ofAll, take: () => undefined }),
  close: () => Promise.resolve(),
};
