/** Rate-limit counts in the memory of the single serving process. */
import { rateLimits } from "./admission.ts";
import { CallCounts } from "./counts.ts";
import type { Limits, RateLimits } from "./limits.ts";

/** Grains of one millisecond: counts are exact. */
const grains = { minute: 1, day: 1 };

/** @param clock  milliseconds since 1970 UTC */
export function memoryLimits(limits: Limits, clock: () => number): RateLimits {
  return rateLimits(limits, {
    clock,
    process: "",
    grains,
    tries: 1,
    row(rules) {
      const counts = new CallCounts(rules);
      return {
        callsUnderWay: new Set(),
        settling: Promise.resolve(),
        change: async (change) => change(counts),
        isIdle: (now) => counts.isIdle(now),
      };
    },
  });
}
