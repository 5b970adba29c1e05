/** How often properties are tried: all runs in `npm run test:all`, a sixteenth of them in `npm test`. */

/** @param all  runs of `npm run test:all` */
export function runs(all: number): number {
  return process.env.TEST_RUNS === "all" ? all : Math.ceil(all / 16);
}

/** Cases of random business: all in `npm run test:all`, the first ones in `npm test`. */
export function firstOf<T>(all: readonly T[], few = 1): readonly T[] {
  return process.env.TEST_RUNS === "all" ? all : all.slice(0, few);
}

/**
 * Runs of one property, or as many as `ACCT_TEST_RUNS` says, from the seed `ACCT_TEST_SEED` on:
 * for thousands of them by hand.
 */
export function runsOrAsked(all: number): { readonly numRuns: number; readonly seed?: number } {
  const { ACCT_TEST_RUNS: asked, ACCT_TEST_SEED: seed } = process.env;
  return {
    numRuns: asked === undefined ? runs(all) : Number(asked),
    ...(seed === undefined ? {} : { seed: Number(seed) }),
  };
}
