/**
 * Counts of calls in the database, for several processes that serve it.
 *
 * Each count is a row, which a process changes by one statement on the condition that no other has
 * changed it since it was read. A process takes its last write for the present state, so that a
 * call costs one statement for its organisation and one for its app before it is admitted, and one
 * after it was answered. Calls under way expire after some seconds and are renewed while they last,
 * so that the calls of a killed process are freed.
 */
import { type Counts, countsOf, writeCounts } from "../../store/directory/call-counts.ts";
import type { Store } from "../../store/store.ts";
import { type CountsRow, rateLimits } from "./admission.ts";
import { CallCounts, type Window } from "./counts.ts";
import type { Limits, RateLimits } from "./limits.ts";

/** Calls of one second are counted together, and of the day those of ten minutes. */
const grains = { minute: 1_000, day: 600_000 };
/** A row that others keep changing so often means a fault of the database. */
const triesMax = 200;

export interface SharedOptions {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The id of this process. */
  readonly process: string;
}

export function sharedLimits(limits: Limits, options: SharedOptions): RateLimits {
  const row = (rules: readonly Window[], org: number, app: string) =>
    storedRow(options, rules, org, app);
  return rateLimits(limits, { ...options, grains, tries: 4, row });
}

/** A row of counts, which the changes of this process are made to one after the other. */
function storedRow(
  { store, clock }: SharedOptions,
  rules: readonly Window[],
  org: number,
  app: string,
): CountsRow {
  let latest: Counts | undefined;
  const changed = async <R>(make: (counts: CallCounts) => R): Promise<R> => {
    for (let tries = 0; tries < triesMax; tries += 1) {
      const isFresh = latest === undefined;
      const known = latest ?? (await store.withoutTransaction(org, (tx) => countsOf(tx, app)));
      latest = undefined;
      const counts = new CallCounts(rules, known.counts ? JSON.parse(known.counts) : {});
      const result = make(counts);
      const written = JSON.stringify(counts.written(clock()));
      if (written === known.counts) {
        // Without a write it is unknown whether another process has changed the row since.
        if (!isFresh) continue;
        latest = known;
        return result;
      }
      const next = { version: known.version, counts: written };
      if (await store.withoutTransaction(org, (tx) => writeCounts(tx, app, next))) {
        latest = { version: known.version + 1, counts: written };
        return result;
      }
    }
    throw new Error(`The calls of ${app} cannot be counted: others always write first.`);
  };
  const row: CountsRow = {
    underWay: new Set(),
    settled: Promise.resolve(),
    // It is read again.
    isIdle: () => true,
    change(make) {
      const change = row.settled.then(() => changed(make));
      row.settled = change.catch(() => undefined);
      return change;
    },
  };
  return row;
}
