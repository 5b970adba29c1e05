/**
 * How often an app may call.
 *
 * Counted are the calls of an app on an organisation, those under way and those of the last minute
 * and of the last day, and those of an app on all organisations together. A call that is refused
 * does not count. Where there is one process, counts are kept in its memory (`memory.ts`); processes
 * that serve one database share them there (`shared.ts`).
 */
import { LimitedError, UsageError } from "../../resources/errors.ts";
import type { Listing } from "../../store/records/organisations.ts";

export interface Limits {
  readonly concurrent: number;
  readonly minute: number;
  readonly day: number;
  /** Of one app on all organisations. */
  readonly appMinute: number;
}

/** @source the published figures of the API */
export const usualLimits: Limits = { concurrent: 5, minute: 60, day: 5_000, appMinute: 10_000 };

export const minuteMs = 60_000;
export const dayMs = 24 * 3_600_000;

/** One call that asks to be let in. */
export interface Admission {
  /** Why it is not. */
  readonly refusal: LimitedError | undefined;
  /** What is left, by lower-case name, for the headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be called once, when it has been answered. */
  leave(): void;
}

/** The door of one organisation. */
export interface Limiter {
  enter(app: string): Admission | Promise<Admission>;
}

/** The doors of all organisations that a server has. */
export interface RateLimits {
  of(owner: Pick<Listing, "org" | "OrganisationID">): Limiter;
  /** Returns when nothing of this process counts as under way any more. */
  close(): Promise<void>;
}

/** What is left of each limit; below one, nothing is. */
export interface Left {
  readonly minute: number;
  readonly day: number;
  readonly appMinute: number;
}

/** What every answer says is left, in calls. @source spec of the API, section "Rate limits" */
export function headersOf({ minute, day, appMinute }: Left): Record<string, string> {
  return {
    "x-minlimit-remaining": String(Math.max(0, minute)),
    "x-daylimit-remaining": String(Math.max(0, day)),
    "x-appminlimit-remaining": String(Math.max(0, appMinute)),
  };
}

/** A count that may be used up. */
interface Counted {
  left(now: number): number;
  waitMs(now: number): number;
}

/** Why a call on an organisation is not let in: the limit that takes longest to wait for. */
export function pairRefusal(
  { minute, day, underWay }: { minute: Counted; day: Counted; underWay: number },
  limits: Limits,
  now: number,
): LimitedError | undefined {
  if (day.left(now) <= 0) {
    return refused("RateLimitDay", `${limits.day} calls a day`, day.waitMs(now));
  }
  if (minute.left(now) <= 0) {
    return refused("RateLimitMinute", `${limits.minute} calls a minute`, minute.waitMs(now));
  }
  if (underWay >= limits.concurrent) {
    return refused("RateLimitConcurrent", `${limits.concurrent} calls at a time`, undefined);
  }
  return undefined;
}

/** Why a call of an app is not let in, on whatever organisation. */
export function appRefusal(
  appMinute: Counted,
  limits: Limits,
  now: number,
): LimitedError | undefined {
  if (appMinute.left(now) > 0) return undefined;
  const rule = `${limits.appMinute} calls a minute on all organisations`;
  return refused("RateLimitAppMinute", rule, appMinute.waitMs(now));
}

function refused(code: string, rule: string, retryAfterMs: number | undefined): LimitedError {
  const message = `An app may make ${rule}; please wait before retrying`;
  return new LimitedError(code, message, { retryAfterMs });
}

/** Names under which a person sets limits. */
const named: ReadonlyMap<string, keyof Limits> = new Map([
  ["concurrent", "concurrent"],
  ["minute", "minute"],
  ["day", "day"],
  ["appminute", "appMinute"],
]);
const callsMax = 1_000_000_000;

/**
 * Limits as they are said: `minute=600,day=100000`; those that are not said are the usual ones.
 *
 * @throws UsageError `BadLimits`
 */
export function readLimits(text: string): Limits {
  const limits: { -readonly [name in keyof Limits]: number } = { ...usualLimits };
  for (const part of text.split(",")) {
    const [, name = "", calls = ""] = /^\s*([a-z-]+)\s*=\s*(\d{1,10})\s*$/i.exec(part) ?? [];
    const limit = named.get(name.toLowerCase().replace("-", ""));
    if (limit === undefined || Number(calls) < 1 || Number(calls) > callsMax) {
      throw new UsageError(
        "BadLimits",
        `Limits are said as minute=600,day=100000, of ${[...named.keys()].join(", ")}, not "${part.trim()}".`,
      );
    }
    limits[limit] = Number(calls);
  }
  return limits;
}
