/**
 * How often an app may call.
 *
 * Counted are the calls of an app on an organisation, those under way and those of the last minute
 * and of the last day, and those of an app on all organisations together. A call that is refused
 * does not count. One process keeps the counts in its memory (`memory-limits.ts`); processes that serve one
 * database share them there (`shared.ts`). The rules are the same (`counts.ts`), and so is how a call is admitted by them (`admission.ts`).
 */
import { type LimitedError, UsageError } from "../../resources/errors.ts";
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

/** The answer to a call that asks to be admitted. */
export interface Admission {
  /** Undefined when it is. */
  readonly refusal: LimitedError | undefined;
  /** What is left, by lower-case name, for the headers of the answer. */
  readonly headers: Readonly<Record<string, string>>;
  /** To be called once, when it has been answered. */
  leave(): void;
}

/** The limits of one organisation. */
export interface Limiter {
  enter(app: string): Admission | Promise<Admission>;
  /** Counts calls that a call holds, all or none. */
  take(app: string, calls: number): LimitedError | undefined | Promise<LimitedError | undefined>;
}

/** The limits of all organisations of a server. */
export interface RateLimits {
  of(owner: Pick<Listing, "org" | "OrganisationID">): Limiter;
  /** Returns when nothing of this process counts as under way any more. */
  close(): Promise<void>;
}

/** Names under which a person sets limits, in lower case. */
const limitNames = Object.keys(usualLimits) as (keyof Limits)[];
const callsMax = 1_000_000_000;

/**
 * Limits as they are written: `minute=600,day=100000`, with the usual ones as defaults.
 *
 * @throws UsageError `BadLimits`
 */
export function readLimits(text: string): Limits {
  const limits: { -readonly [name in keyof Limits]: number } = { ...usualLimits };
  for (const part of text.split(",")) {
    const [, name = "", calls = ""] = /^\s*([a-z-]+)\s*=\s*(\d{1,10})\s*$/i.exec(part) ?? [];
    const plain = name.toLowerCase().replace("-", "");
    const limit = limitNames.find((each) => each.toLowerCase() === plain);
    if (limit === undefined || Number(calls) < 1 || Number(calls) > callsMax) {
      throw new UsageError(
        "BadLimits",
        `Limits are said as minute=600,day=100000, of ${limitNames.join(", ").toLowerCase()}, not "${part.trim()}".`,
      );
    }
    limits[limit] = Number(calls);
  }
  return limits;
}
