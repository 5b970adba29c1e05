/** Counts of calls in the memory of the one process that serves. */
import { CallCounts, headersOf, rulesOf } from "./counts.ts";
import type { Limits, RateLimits } from "./limits.ts";

/** Apps and pairs that are remembered; past that, those without a call for a day are forgotten. */
const rememberedMax = 10_000;
const tidyMs = 60_000;
/** A millisecond: counting is exact. */
const grains = { minuteMs: 1, dayMs: 1 };
const process = "";

interface Pair {
  readonly counts: CallCounts;
  underWay: number;
}

/** @param clock  milliseconds since 1970 UTC */
export function memoryLimits(limits: Limits, clock: () => number): RateLimits {
  const rules = rulesOf(limits, grains);
  const pairs = new Map<string, Pair>();
  const apps = new Map<string, CallCounts>();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const forgetIdle = (now: number) => {
    if (pairs.size < rememberedMax || Math.abs(now - tidiedAt) < tidyMs) return;
    tidiedAt = now;
    for (const [key, { counts, underWay }] of pairs) {
      if (underWay === 0 && counts.isIdle(now)) pairs.delete(key);
    }
    for (const [key, counts] of apps) if (counts.isIdle(now)) apps.delete(key);
  };
  const countsOf = (OrganisationID: string, app: string) => {
    const key = `${OrganisationID} ${app}`;
    const pair = pairs.get(key) ?? { counts: new CallCounts(rules.pair), underWay: 0 };
    const ofApp = apps.get(app) ?? new CallCounts(rules.app);
    pairs.set(key, pair);
    apps.set(app, ofApp);
    return { pair, ofApp };
  };
  return {
    of: ({ OrganisationID }) => ({
      take(app, calls) {
        const now = clock();
        const { pair, ofApp } = countsOf(OrganisationID, app);
        const refusal = pair.counts.take(now, calls);
        if (refusal !== undefined) return refusal;
        const ofAll = ofApp.take(now, calls);
        if (ofAll !== undefined) pair.counts.giveBack(now, calls);
        return ofAll;
      },
      enter(app) {
        const now = clock();
        forgetIdle(now);
        const { pair, ofApp } = countsOf(OrganisationID, app);
        let refusal = pair.counts.enter(now, process, pair.underWay);
        if (refusal === undefined) {
          refusal = ofApp.enter(now, process, 0);
          if (refusal !== undefined) pair.counts.giveBack(now);
        }
        let isIn = refusal === undefined;
        if (isIn) pair.underWay += 1;
        return {
          refusal,
          headers: headersOf(pair.counts.left(now), ofApp.left(now)),
          leave: () => {
            if (isIn) pair.underWay -= 1;
            isIn = false;
          },
        };
      },
    }),
    close: () => Promise.resolve(),
  };
}
