/** Admission of API calls by the rate limits per app and organisation, and per app in total. */
import { type CallCounts, type Grains, headersOf, rulesOf, type Window } from "./counts.ts";
import type { Admission, Limits, RateLimits } from "./limits.ts";

/** Maximum number of rows in memory; above it, idle rows are dropped. */
const rememberedMax = 10_000;
const tidyMs = 60_000;
/** Lease of a process on its calls in progress, and the renewal interval, in milliseconds. */
const believedMs = 15_000;
const renewMs = 5_000;
/** Delay before a retry: other processes may learn late that an answered call has ended. */
const againMs = 25;
/** Key of the counts of an app over all organisations; no organisation has it. */
const allOrganisations = 0;

/** The counts of an app in an organisation. */
export interface CountsRow {
  /** The calls in progress in this process. */
  readonly callsUnderWay: Set<object>;
  /** Resolves when all changes are written. */
  settling: Promise<unknown>;
  /** Changes the counts, one change after the other. @param change  may run again, on newer counts */
  change<R>(change: (counts: CallCounts) => R): Promise<R>;
  /** Whether the row can be dropped while none of its calls is in progress. */
  isIdle(now: number): boolean;
}

export interface CountOptions {
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** Id of this process. */
  readonly process: string;
  readonly grains: Grains;
  /** Number of tries for a call over the concurrency limit. */
  readonly tries: number;
  row(rules: readonly Window[], org: number, app: string): CountsRow;
}

type Owner = Parameters<RateLimits["of"]>[0];

/** Returns the rows by organisation and app: made on demand, dropped when there are too many. */
function rowCache(limits: Limits, counting: CountOptions) {
  const rules = rulesOf(limits, counting.grains);
  const rowByKey = new Map<string, CountsRow>();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const rowOf = (key: string, of: readonly Window[], org: number, app: string): CountsRow => {
    const row = rowByKey.get(key) ?? counting.row(of, org, app);
    rowByKey.set(key, row);
    return row;
  };
  return {
    all: () => [...rowByKey.values()],
    of: ({ org, OrganisationID }: Owner, app: string) => ({
      pair: rowOf(`${OrganisationID} ${app}`, rules.pair, org, app),
      ofApp: rowOf(` ${app}`, rules.app, allOrganisations, app),
    }),
    forgetIdle(now: number) {
      if (rowByKey.size < rememberedMax || Math.abs(now - tidiedAt) < tidyMs) return;
      tidiedAt = now;
      for (const [key, row] of rowByKey) {
        if (row.callsUnderWay.size === 0 && row.isIdle(now)) rowByKey.delete(key);
      }
    },
  };
}

export function rateLimits(limits: Limits, counting: CountOptions): RateLimits {
  const { clock, process, tries } = counting;
  const rows = rowCache(limits, counting);
  /** Changes counts, and renews the lease on the calls in progress. */
  const changeOf = <R>(row: CountsRow, change: (counts: CallCounts) => R): Promise<R> =>
    row.change((counts) => {
      const result = change(counts);
      counts.setUnderWay(process, row.callsUnderWay.size, clock() + believedMs);
      return result;
    });
  /** Renews a lease; a failed write is ignored. */
  const renew = (row: CountsRow) => void changeOf(row, () => undefined).catch(() => undefined);
  const renewal = setInterval(() => {
    for (const row of rows.all()) if (row.callsUnderWay.size > 0) renew(row);
  }, renewMs).unref();

  /** @param call  the call that is in progress; undefined for calls within another call */
  const count = async (
    { pair, ofApp }: ReturnType<typeof rows.of>,
    callCount: number,
    call?: object,
  ) => {
    const now = clock();
    const ofPair = await changeOf(pair, (counts) => {
      // A failed write of an earlier try may have left the call in the set.
      if (call !== undefined) pair.callsUnderWay.delete(call);
      const { concurrent } = limits;
      const calling = call && { process, underWay: pair.callsUnderWay.size, concurrent };
      const refusal = counts.take(now, callCount, calling);
      if (call !== undefined && refusal === undefined) pair.callsUnderWay.add(call);
      return { refusal, left: counts.left(now) };
    });
    const ofAll = await ofApp.change((counts) => ({
      refusal: ofPair.refusal === undefined ? counts.take(now, callCount) : undefined,
      left: counts.left(now),
    }));
    let { refusal, left } = ofPair;
    if (ofAll.refusal !== undefined) {
      refusal = ofAll.refusal;
      left = await changeOf(pair, (counts) => {
        if (call !== undefined) pair.callsUnderWay.delete(call);
        counts.giveBack(now, callCount);
        return counts.left(now);
      });
    }
    return { refusal, headers: headersOf(left, ofAll.left) };
  };

  return {
    of: (owner) => ({
      take: async (app, callCount) => (await count(rows.of(owner, app), callCount)).refusal,
      async enter(app): Promise<Admission> {
        rows.forgetIdle(clock());
        const both = rows.of(owner, app);
        const call = {};
        const leave = () => {
          if (both.pair.callsUnderWay.delete(call)) renew(both.pair);
        };
        for (let triesLeft = tries; ; triesLeft -= 1) {
          const admission = await count(both, 1, call).catch((error: unknown) => {
            leave();
            throw error;
          });
          const mayEndSoon = admission.refusal?.code === "RateLimitConcurrent" && triesLeft > 1;
          if (!mayEndSoon) return { ...admission, leave };
          await new Promise((resolve) => setTimeout(resolve, againMs));
        }
      },
    }),
    async close() {
      clearInterval(renewal);
      await Promise.all(rows.all().map((row) => row.settling));
    },
  };
}
