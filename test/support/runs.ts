/** How often properties are tried: all runs in `npm run test:all`, a sixteenth of them in `npm test`. */

/** @param all  runs of `npm run test:all` */
export function runs(all: number): number {
  return process.env.TEST_RUNS === "all" ? all : Math.ceil(all / 16);
}

/** Cases of random business: all in `npm run test:all`, the first ones in `npm test`. */
export function firstOf<T>(all: readonly T[], few = 1): readonly T[] {
  return process.env.TEST_RUNS === "all" ? all : all.slice(0, few);
}
