/** How often properties are tried: all runs in `npm run test:all`, an eighth of them in `npm test`. */

/** @param all  runs of `npm run test:all` */
export function runs(all: number): number {
  return process.env.TEST_RUNS === "all" ? all : Math.ceil(all / 8);
}
