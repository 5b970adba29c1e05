/** Calls that are admitted by the counts of their app on one organisation, and on all together. */
import { type CallCounts, type Grains, headersOf, rulesOf, type Window } from "./counts.ts";
import type { Admission, Limits, RateLimits } from "./limits.ts";

/** Rows at most; above that, those that may be are forgotten. */
const rememberedMax = 10_000;
const tidyMs = 60_000;
/** How long a process is believed to have calls under way, and how often it says so again. */
const believedMs = 15_000;
const renewMs = 5_000;
/** An answer may arrive before others know that its call is no longer under way. */
const againMs = 25;
/** The organisation under which calls on all of them are counted; there is none of this key. */
const allOrganisations = 0;

/** The counts of an app on an organisation. */
export interface CountsRow {
  /** The calls of this process that are under way. */
  readonly underWay: Set<object>;
  /** Fulfilled when all changes are made. */
  settled: Promise<unknown>;
  /** Changes follow each other. @param make  may be run several times, each time on newer counts */
  change<R>(make: (counts: CallCounts) => R): Promise<R>;
  /** Whether it can be forgotten while none of its calls is under way. */
  isIdle(now: number): boolean;
}

export interface Counting {
  /** Milliseconds since 1970 UTC. */
  readonly clock: () => number;
  /** The id of this process. */
  readonly process: string;
  readonly grains: Grains;
  /** How often a call is tried that is one too many at a time. */
  readonly tries: number;
  row(rules: readonly Window[], org: number, app: string): CountsRow;
}

type Owner = Parameters<RateLimits["of"]>[0];

/** Rows by their organisation and app, made when they are needed, forgotten when they are too many. */
function rowsBy(limits: Limits, counting: Counting) {
  const rules = rulesOf(limits, counting.grains);
  const rows = new Map<string, CountsRow>();
  let tidiedAt = Number.NEGATIVE_INFINITY;
  const rowOf = (key: string, of: readonly Window[], org: number, app: string): CountsRow => {
    const row = rows.get(key) ?? counting.row(of, org, app);
    rows.set(key, row);
    return row;
  };
  return {
    all: () => [...rows.values()],
    of: ({ org, OrganisationID }: Owner, app: string) => ({
      pair: rowOf(`${OrganisationID} ${app}`, rules.pair, org, app),
      ofApp: rowOf(` ${app}`, rules.app, allOrganisations, app),
    }),
    forgetIdle(now: number) {
      if (rows.size < rememberedMax || Math.abs(now - tidiedAt) < tidyMs) return;
      tidiedAt = now;
      for (const [key, row] of rows) {
        if (row.underWay.size === 0 && row.isIdle(now)) rows.delete(key);
      }
    },
  };
}

export function rateLimits(limits: Limits, counting: Counting): RateLimits {
  const { clock, process, tries } = counting;
  const { concurrent } = limits;
  const rows = rowsBy(limits, counting);
  /** Says with the change how many calls are under way, to be believed for a while. */
  const changeOf = <R>(row: CountsRow, make: (counts: CallCounts) => R): Promise<R> =>
    row.change((counts) => {
      const made = make(counts);
      counts.setUnderWay(process, row.underWay.size, clock() + believedMs);
      return made;
    });
  /** Lost where it cannot be written. */
  const renew = (row: CountsRow) => void changeOf(row, () => undefined).catch(() => undefined);
  const renewal = setInterval(() => {
    for (const row of rows.all()) if (row.underWay.size > 0) renew(row);
  }, renewMs).unref();

  /** @param call  that will be under way; calls that one holds are none */
  const count = async (
    { pair, ofApp }: ReturnType<typeof rows.of>,
    calls: number,
    call?: object,
  ) => {
    const now = clock();
    const ofPair = await changeOf(pair, (counts) => {
      // The statement of a try before may have failed.
      if (call !== undefined) pair.underWay.delete(call);
      const own = call && { process, underWay: pair.underWay.size, concurrent };
      const refusal = counts.take(now, calls, own);
      if (call !== undefined && refusal === undefined) pair.underWay.add(call);
      return { refusal, left: counts.left(now) };
    });
    const ofAll = await ofApp.change((counts) => ({
      refusal: ofPair.refusal === undefined ? counts.take(now, calls) : undefined,
      left: counts.left(now),
    }));
    let { refusal, left } = ofPair;
    if (ofAll.refusal !== undefined) {
      refusal = ofAll.refusal;
      left = await changeOf(pair, (counts) => {
        if (call !== undefined) pair.underWay.delete(call);
        counts.giveBack(now, calls);
        return counts.left(now);
      });
    }
    return { refusal, headers: headersOf(left, ofAll.left) };
  };

  return {
    of: (owner) => ({
      take: async (app, calls) => (await count(rows.of(owner, app), calls)).refusal,
      async enter(app): Promise<Admission> {
        rows.forgetIdle(clock());
        const both = rows.of(owner, app);
        const call = {};
        const leave = () => {
          if (both.pair.underWay.delete(call)) renew(both.pair);
        };
        for (let left = tries; ; left -= 1) {
          const entered = await count(both, 1, call).catch((error: unknown) => {
            leave();
            throw error;
          });
          const mayEndSoon = entered.refusal?.code === "RateLimitConcurrent" && left > 1;
          if (!mayEndSoon) return { ...entered, leave };
          await new Promise((resolve) => setTimeout(resolve, againMs));
        }
      },
    }),
    async close() {
      clearInterval(renewal);
      await Promise.all(rows.all().map((row) => row.settled));
    },
  };
}
