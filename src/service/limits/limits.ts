/**
 * Rate limits of apps.
 *
 * They count the calls of an app in an organisation (in progress, in the last minute and in the
 * last day) and in all organisations together. Refused calls do not count. A single process keeps
 * the counts in memory (`memory-limits.ts`); processes that serve one database share them there
 * (`shared.ts`). Both use the same rules (`counts.ts`) and the same admission (`admission.ts`).
 */
import { type LimitedError, UsageError } from "../../resources/errors.ts";
import type { Listing } from "../../store/records/organisations.ts";

/** Limits of apps; what counts by them reads them at each call. */
export interface Limits {
  readonly concurrent: number;
  readonly minute: number;
  readonly day: number;
  /** Calls per minute of one app in all organisations. */
  readonly appMinute: number;
}

/** Default limits. @source the published figures of the API */
export const usualLimits: Limits = { concurrent: 5, minute: 60, day: 5_000, appMinute: 10_000 };

/** The result of an admission request. */
export interface Admission {
  /** The refusal; undefined for an admitted call. */
  readonly refusal: LimitedError | undefined;
  /** Rate-limit headers of the answer, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  /** Ends the call; to be called once, after the answer. */
  leave(): void;
}

/** The rate limiter of one organisation. */
export interface Limiter {
  enter(app: string): Admission | Promise<Admission>;
  /** Counts the calls within a call, all or none; returns the refusal if a limit is reached. */
  take(app: string, calls: number): LimitedError | undefined | Promise<LimitedError | undefined>;
}

/** The rate limiter of all organisations of a server. */
export interface RateLimits {
  of(owner: Pick<Listing, "org" | "OrganisationID">): Limiter;
  /** Resolves when no call of this process counts as in progress any more. */
  close(): Promise<void>;
}

/** Names of the limits in the setting, in lower case. */
const limitNames = Object.keys(usualLimits) as (keyof Limits)[];
const callsMax = 1_000_000_000;

/**
 * Parses limits such as `minute=600,day=100000`; the others keep their defaults.
 *
 * @throws UsageError `BadLimits`
 */
export function readLimits(text: string): Limits {
  const limits: { -readonly [name in keyof Limits]: number } = { ...usualLimits };
  for (const item of text.split(",")) {
    const [, name = "", calls = ""] = /^\s*([a-z-]+)\s*=\s*(\d{1,10})\s*$/i.exec(item) ?? [];
    const plainName = name.toLowerCase().replace("-", "");
    const limit = limitNames.find((limitName) => limitName.toLowerCase() === plainName);
    if (limit === undefined || Number(calls) < 1 || Number(calls) > callsMax) {
      throw new UsageError(
        "BadLimits",
        `Limits are said as minute=600,day=100000, of ${limitNames.join(", ").toLowerCase()}, not "${item.trim()}".`,
      );
    }
    limits[limit] = Number(calls);
  }
  return limits;
}
