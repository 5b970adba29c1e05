/**
 * Properties: fast-check from one seed, and how often each is tried.
 *
 * Every machine tries the same cases, so that a change fails for its author or for nobody. Another
 * seed is asked for by hand: `ACCT_TEST_SEED=7 npm run test:all`, with `ACCT_TEST_RUNS=1000` for
 * thousands of cases of one file.
 */
import { default as fc } from "fast-check";

export type { Arbitrary } from "fast-check";
export { fc };

const { ACCT_TEST_SEED: seed = "1494", ACCT_TEST_RUNS: asked, TEST_RUNS: extent } = process.env;

fc.configureGlobal({ seed: Number(seed) });

/** Whether every case is tried, as `npm run test:all` does. */
export const isEveryCase = extent === "all";

/** @param all  runs of `npm run test:all`; `npm test` does a sixteenth of them */
export function runs(all: number): number {
  if (asked !== undefined) return Number(asked);
  return isEveryCase ? all : Math.ceil(all / 16);
}

/** Cases of random business, or rows of a table: all in `npm run test:all`, the first ones in `npm test`. */
export function firstOf<T>(all: readonly T[], few = 1): readonly T[] {
  return isEveryCase ? all : all.slice(0, few);
}
