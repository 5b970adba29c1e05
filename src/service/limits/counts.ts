/** The calls of an app that count towards its limits, in windows of time and under way. */
import { LimitedError } from "../../resources/errors.ts";
import { type Admission, type Limits, type RateLimits, usualLimits } from "./limits.ts";
import { Rolling } from "./rolling.ts";

const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;

/** How many calls there may be in any window of time. */
interface Window {
  /** Of the refusal. */
  readonly code: string;
  /** `60 calls a minute` */
  readonly rule: string;
  readonly max: number;
  readonly windowMs: number;
  /** Calls of one grain are counted together. */
  readonly grainMs: number;
}

export interface CallRules {
  readonly windows: readonly Window[];
  /** Calls under way. */
  readonly concurrent: number;
}

/** How precisely calls are counted: counts that are written are coarser, so that they stay small. */
export type Grains = Readonly<Record<"minuteMs" | "dayMs", number>>;

/** The rules for an app on one organisation, and for an app on all organisations together. */
export function rulesOf(limits: Limits, grains: Grains): Record<"pair" | "app", CallRules> {
  const { concurrent, minute, day, appMinute } = limits;
  const inMinute = { windowMs: minuteMs, grainMs: grains.minuteMs };
  return {
    pair: {
      // The limit with the longest wait is reported.
      windows: [
        {
          code: "RateLimitDay",
          rule: `${day} calls a day`,
          max: day,
          windowMs: dayMs,
          grainMs: grains.dayMs,
        },
        {
          code: "RateLimitMinute",
          rule: `${minute} calls a minute`,
          max: minute,
          ...inMinute,
        },
      ],
      concurrent,
    },
    app: {
      windows: [
        {
          code: "RateLimitAppMinute",
          rule: `${appMinute} calls a minute on all organisations`,
          max: appMinute,
          ...inMinute,
        },
      ],
      concurrent: Number.POSITIVE_INFINITY,
    },
  };
}

/** As JSON. */
export interface WrittenCounts {
  readonly at: number;
  readonly windows: readonly (readonly number[])[];
  readonly underWay: Readonly<Record<string, readonly [calls: number, until: number]>>;
}

export class CallCounts {
  readonly #rules: CallRules;
  readonly #windows: readonly Rolling[];
  #at: number;
  /** Of each process, how many calls it has under way, and until when that is believed. */
  readonly #underWay: Map<string, readonly [calls: number, until: number]>;

  constructor(
    rules: CallRules,
    { at = 0, windows = [], underWay = {} }: Partial<WrittenCounts> = {},
  ) {
    this.#rules = rules;
    this.#windows = rules.windows.map(
      ({ max, windowMs, grainMs }, place) => new Rolling(max, windowMs, grainMs, windows[place]),
    );
    this.#at = at;
    this.#underWay = new Map(Object.entries(underWay));
  }

  /** The clocks of two machines differ: time goes on from the later. */
  #now(clock: number): number {
    return Math.max(clock, this.#at);
  }

  /** Counts a call, or says why it is refused. @param underWay  calls of this process */
  enter(clock: number, process: string, underWay: number): LimitedError | undefined {
    const now = this.#now(clock);
    const full = this.#fullFor(now, 1);
    if (full !== undefined) return full;
    let all = underWay;
    for (const [other, [calls, until]] of this.#underWay) {
      if (other !== process && until > now) all += calls;
    }
    const { concurrent } = this.#rules;
    if (all >= concurrent) return refused("RateLimitConcurrent", `${concurrent} calls at a time`);
    for (const window of this.#windows) window.take(now);
    this.#at = now;
    return undefined;
  }

  /** Counts calls that are made within one that has entered: all, or none and why not. */
  take(clock: number, calls: number): LimitedError | undefined {
    const now = this.#now(clock);
    const full = this.#fullFor(now, calls);
    if (full !== undefined) return full;
    for (const window of this.#windows) window.take(now, calls);
    this.#at = now;
    return undefined;
  }

  #fullFor(now: number, calls: number): LimitedError | undefined {
    for (const [place, { code, rule, max }] of this.#rules.windows.entries()) {
      const window = this.#windows[place];
      if (window === undefined || window.left(now) >= calls) continue;
      if (calls === 1) return refused(code, rule, window.waitMs(now));
      const fits = calls < max ? "" : `, and no request may hold more than ${max - 1}`;
      return refused(code, `${rule}, of which this holds ${calls}${fits}`, window.waitMs(now));
    }
    return undefined;
  }

  /** Takes back calls that were counted, and not made. */
  giveBack(clock: number, calls = 1): void {
    const now = this.#now(clock);
    for (const window of this.#windows) window.giveBack(now, calls);
  }

  /** @param until  until when others believe it, milliseconds since 1970 UTC */
  setUnderWay(process: string, calls: number, until: number): void {
    if (calls > 0) this.#underWay.set(process, [calls, until]);
    else this.#underWay.delete(process);
  }

  /** How many calls are left in each window, in the order of the rules. */
  left(clock: number): readonly number[] {
    return this.#windows.map((window) => Math.max(0, window.left(this.#now(clock))));
  }

  isIdle(clock: number): boolean {
    return this.#windows.every((window) => window.isEmpty(this.#now(clock)));
  }

  written(clock: number): WrittenCounts {
    const now = this.#now(clock);
    const believed = [...this.#underWay].filter(([, [, until]]) => until > now);
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
