/**
 * Rate-limit counts in the database, for several processes that serve it.
 *
 * Each count is a row, changed by one statement on condition that it is unchanged since it was
 * read. A process assumes that its last write is the current state, so that a call costs one
 * statement for its organisation and one for its app before admission, and one after the answer.
 * Calls in progress have a lease of some seconds, renewed while they last, so that calls of a
 * killed process expire.
 */
import { type Counts, countsOf, writeCounts } from "../../store/directory/call-counts.ts";
import type { Store } from "../../store/store.ts";
import { type CountsRow, rateLimits } from "./admission.ts";
import { CallCounts, type Window } from "./counts.ts";
import type { Limits, RateLimits } from "./limits.ts";

/** Grains in milliseconds: one second in the minute window, ten minutes in the day window. */
const grains = { minute: 1_000, day: 600_000 };
/** Maximum retries of a conflicting change; more mean a fault of the database. */
const triesMax = 200;

export interface SharedOptions {
  readonly store: Store;
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Id of this process. */
  readonly process: string;
}

export function sharedLimits(limits: Limits, options: SharedOptions): RateLimits {
  const row = (rules: readonly Window[], org: number, app: string) =>
    storedRow(options, rules, org, app);
  return rateLimits(limits, { ...options, grains, tries: 4, row });
}

/** Returns the stored row of an app's call counts; this process changes it one call at a time. */
function storedRow(
  { store, clock }: SharedOptions,
  rules: readonly Window[],
  org: number,
  app: string,
): CountsRow {
  let latest: Counts | undefined;
  const changeRow = async <R>(change: (counts: CallCounts) => R): Promise<R> => {
    for (let attempts = 0; attempts < triesMax; attempts += 1) {
      const isFresh = latest === undefined;
      const stored = latest ?? (await store.withoutTransaction(org, (tx) => countsOf(tx, app)));
      latest = undefined;
      const counts = new CallCounts(rules, stored.counts ? JSON.parse(stored.counts) : {});
      const result = change(counts);
      const writtenCounts = JSON.stringify(counts.written(clock()));
      if (writtenCounts === stored.counts) {
        // Without a write, another process may have changed the row since it was read, so it is
        // read again.
        if (!isFresh) continue;
        latest = stored;
        return result;
      }
      const nextRow = { version: stored.version, counts: writtenCounts };
      if (await store.withoutTransaction(org, (tx) => writeCounts(tx, app, nextRow))) {
        latest = { version: stored.version + 1, counts: writtenCounts };
        return result;
      }
    }
    throw new Error(`The calls of ${app} cannot be counted: others always write first.`);
  };
  const row: CountsRow = {
    callsUnderWay: new Set(),
    settling: Promise.resolve(),
    // A dropped row is read again from the database.
    isIdle: () => true,
    change(makeChange) {
      const change = row.settling.then(() => changeRow(makeChange));
      row.settling = change.catch(() => undefined);
      return change;
    },
  };
  return row;
}
