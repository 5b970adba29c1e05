/** Counts of calls in the memory of the one process that serves. */
import {
  appRefusal,
  dayMs,
  headersOf,
  type Limits,
  minuteMs,
  pairRefusal,
  type RateLimits,
} from "./limits.ts";
import { Rolling } from "./rolling.ts";

/** Apps and pairs that are remembered; past that, those without a call for a day are forgotten. */
const rememberedMax = 10_000;

/** @param clock  milliseconds since 1970 UTC */
export function memoryLimits(limits: Limits, clock: () => number): RateLimits {
  const pairs = new Map<string, Pair>();
  const apps = new Map<string, Rolling>();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  return {
    of: ({ OrganisationID }) => ({
      enter(app) {
        const now = clock();
        if (pairs.size >= rememberedMax && Math.abs(now - tidiedAt) >= minuteMs) {
          tidiedAt = now;
          forgetIdle(pairs, apps, now);
        }
        const pair = held(pairs, `${OrganisationID} ${app}`, () => new Pair(limits));
        const { minute, day } = pair;
        const appMinute = held(apps, app, () => new Rolling(limits.appMinute, minuteMs));
        const refusal = pairRefusal(pair, limits, now) ?? appRefusal(appMinute, limits, now);
        let isIn = false;
        if (refusal === undefined) {
          pair.underWay += 1;
          isIn = true;
          for (const each of [minute, day, appMinute]) each.take(now);
        }
        return {
          refusal,
          headers: headersOf({
            minute: minute.left(now),
            day: day.left(now),
            appMinute: appMinute.left(now),
          }),
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

function forgetIdle(pairs: Map<string, Pair>, apps: Map<string, Rolling>, now: number): void {
  for (const [key, { underWay, day }] of pairs) {
    if (underWay === 0 && day.isEmpty(now)) pairs.delete(key);
  }
  for (const [key, calls] of apps) if (calls.isEmpty(now)) apps.delete(key);
}
