import { setImmediate } from "node:timers/promises";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import {
  type Limits,
  type RateLimits,
  readLimits,
  usualLimits,
} from "../../../src/service/limits/limits.ts";
import { memoryLimits } from "../../../src/service/limits/memory-limits.ts";
import { sharedLimits } from "../../../src/service/limits/shared.ts";
import { openStore } from "../../../src/store/store.ts";
import { worlds } from "../../store/worlds.ts";

type Counted = "in memory" | "in SQLite" | "in PostgreSQL" | "in PostgreSQL server";

/** Makes the limits of one process after another, all of which count together. */
type Processes = (limits: Limits, clock: () => number) => Promise<() => RateLimits>;

const made = worlds.map((make) => make());
afterAll(async () => {
  for (const world of made) await world.close();
});

const counted: readonly [Counted, Processes][] = [
  [
    "in memory",
    async (limits, clock) => {
      const one = memoryLimits(limits, clock);
      return () => one;
    },
  ],
  ...made.map((world): [Counted, Processes] => [
    `in ${world.name}` as Counted,
    async (limits, clock) => {
      const store = await openStore((await world.empty()).dialect());
      onTestFinished(() => store.close());
      let count = 0;
      return () => {
        count += 1;
        const shared = sharedLimits(limits, { store, clock, process: `p${count}` });
        onTestFinished(() => shared.close());
        return shared;
      };
    },
  ]),
];

const start = 1_800_000_000_000;
const guid = (org: number) => `organisation ${org}`;

describe.each(counted)("rate limits of an app on an organisation, %s", (_name, processes) => {
  /** Limits with a clock to turn; two processes take turns, and the callers leave at once. */
  async function limited(limits: Partial<Limits> = {}) {
    const at = { now: start };
    const more = await processes({ ...usualLimits, ...limits }, () => at.now);
    const both = [more(), more()];
    let turn = 0;
    const enter = (org = 1, app = "a") => {
      turn += 1;
      return both[turn % 2]?.of({ org, OrganisationID: guid(org) }).enter(app) as Awaited<
        ReturnType<ReturnType<RateLimits["of"]>["enter"]>
      >;
    };
    const call = async (org = 1, app = "a") => {
      const admission = await enter(org, app);
      admission.leave();
      return admission;
    };
    return { at, enter, call, both };
  }

  test("an app's calls to an organisation are limited to 60 in a rolling minute", async () => {
    const { at, call } = await limited();
    for (let made = 0; made < 60; made += 1) {
      expect((await call()).headers["x-minlimit-remaining"]).toBe(String(59 - made));
      at.now += 500;
    }
    const { refusal, headers } = await call();
    expect(refusal).toMatchObject({ code: "RateLimitMinute" });
    // Those of one second leave together where processes count together.
    const waitMs = refusal?.retryAfterMs ?? 0;
    expect(waitMs - 30_000).toBeGreaterThanOrEqual(0);
    expect(waitMs - 30_000).toBeLessThan(1_000);
    expect(headers["x-minlimit-remaining"]).toBe("0");
    at.now += waitMs - 1;
    expect((await call()).refusal).toBeDefined();
    at.now += 1;
    expect((await call()).refusal).toBeUndefined();
  });

  test("an app's calls never exceed 60 in any minute, and are admitted again as soon as possible", async () => {
    const { at, call } = await limited();
    const moments: number[] = [];
    for (let step = 0; step < 400; step += 1) {
      at.now += 317;
      if ((await call()).refusal === undefined) moments.push(at.now);
    }
    for (const [place, moment] of moments.entries()) {
      const inMinute = moments.slice(place).filter((each) => each < moment + 60_000).length;
      expect(inMinute).toBeLessThanOrEqual(60);
    }
    expect(moments.length).toBeGreaterThan(120);
  });

  test("an app's calls to an organisation are limited in a rolling day", async () => {
    const { at, call } = await limited({ minute: 10_000, day: 200 });
    for (let made = 0; made < 200; made += 1) await call();
    at.now += 3_600_000;
    const { refusal, headers } = await call();
    expect(refusal).toMatchObject({ code: "RateLimitDay" });
    const waitMs = refusal?.retryAfterMs ?? 0;
    expect(waitMs - 23 * 3_600_000).toBeGreaterThanOrEqual(0);
    expect(waitMs - 23 * 3_600_000).toBeLessThan(600_000);
    expect(headers["x-daylimit-remaining"]).toBe("0");
    at.now += waitMs;
    expect((await call()).headers["x-daylimit-remaining"]).toBe("199");
  });

  test("an app's calls to an organisation are limited to 5 at a time", async () => {
    const { enter } = await limited();
    const five = [await enter(), await enter(), await enter(), await enter(), await enter()];
    expect(five.map((each) => each.refusal)).toEqual(Array(5).fill(undefined));
    const sixth = await enter();
    expect(sixth.refusal).toMatchObject({ code: "RateLimitConcurrent", retryAfterMs: undefined });
    expect(sixth.headers["x-minlimit-remaining"]).toBe("55");
    sixth.leave();
    expect((await enter()).refusal).toBeDefined();
    five[0]?.leave();
    // Told twice, it counts once.
    five[0]?.leave();
    expect((await enter()).refusal).toBeUndefined();
    expect((await enter()).refusal).toBeDefined();
  });

  test("simultaneous calls of an app are admitted as often as consecutive calls", async () => {
    const { enter } = await limited({ minute: 7, concurrent: 100 });
    const all = await Promise.all(Array.from({ length: 20 }, () => enter()));
    expect(all.filter((each) => each.refusal === undefined)).toHaveLength(7);
    expect(new Set(all.map((each) => each.refusal?.code))).toEqual(
      new Set([undefined, "RateLimitMinute"]),
    );
  });

  test("refused calls do not count towards the rate limit", async () => {
    const { at, call } = await limited({ minute: 1 });
    expect((await call()).refusal).toBeUndefined();
    for (let made = 0; made < 10; made += 1) expect((await call()).refusal).toBeDefined();
    expect((await call()).headers["x-daylimit-remaining"]).toBe("4999");
    at.now += 61_000;
    expect((await call()).refusal).toBeUndefined();
  });

  test("calls are counted separately for each app and organisation", async () => {
    const { call } = await limited({ minute: 1 });
    for (const [org, app] of [
      [1, "a"],
      [2, "a"],
      [1, "b"],
    ] as const) {
      expect((await call(org, app)).refusal).toBeUndefined();
    }
    expect((await call(1, "a")).refusal).toBeDefined();
  });

  test("calls of an app on all organisations together count towards its own rate limit", async () => {
    const { call } = await limited({ appMinute: 3 });
    for (const org of [1, 2, 3]) expect((await call(org)).refusal).toBeUndefined();
    const { refusal, headers } = await call(4);
    expect(refusal).toMatchObject({ code: "RateLimitAppMinute" });
    expect(refusal?.retryAfterMs).toBeGreaterThanOrEqual(60_000);
    expect(headers["x-appminlimit-remaining"]).toBe("0");
    // What the app may not do takes nothing of what it may do there.
    expect(headers["x-minlimit-remaining"]).toBe("60");
    expect((await call(4, "b")).refusal).toBeUndefined();
  });

  test("calls under a high rate limit are also counted exactly", async () => {
    const { at, call, both } = await limited({ appMinute: 1000, minute: 5000, concurrent: 1000 });
    let admitted = 0;
    for (let made = 0; made < 1100; made += 1) {
      if (made % 50 === 0) at.now += 400;
      if ((await call(1 + (made % 7))).refusal === undefined) admitted += 1;
    }
    // What a process has taken and not used yet is lost to the others for a minute at most.
    expect(admitted).toBeLessThanOrEqual(1000);
    expect(admitted).toBeGreaterThanOrEqual(980);
    for (const each of both) await each.close();
    at.now += 62_000;
    expect((await call()).refusal).toBeUndefined();
  });
});

describe.each(counted.slice(1))("rate limits for many short calls, %s", (_name, processes) => {
  test("short calls within the limit are all admitted, in whatever order they end and begin", async () => {
    const at = { now: start };
    const more = await processes({ ...usualLimits, minute: 10_000 }, () => at.now);
    const limits = more().of({ org: 1, OrganisationID: guid(1) });
    for (let made = 0; made < 12; made += 1) {
      (await limits.enter("a")).leave();
      // Writes the end of the one before as well, for which nothing is left to do a little later.
      const next = await limits.enter("a");
      for (let turns = 0; turns < made; turns += 1) await setImmediate();
      next.leave();
    }
    expect((await limits.enter("a")).refusal).toBeUndefined();
  });
});

describe.each(counted.slice(1))("rate limits after a killed process, %s", (_name, processes) => {
  test("the calls of a dead process stop counting after a while, and those of a live process still count", async () => {
    const at = { now: start };
    const more = await processes({ ...usualLimits, concurrent: 2 }, () => at.now);
    const [killed, other] = [more(), more()];
    const enter = (each: RateLimits) => each.of({ org: 1, OrganisationID: guid(1) }).enter("a");
    await enter(killed);
    await enter(killed);
    expect((await enter(other)).refusal?.code).toBe("RateLimitConcurrent");
    at.now += 15_000;
    const long = await enter(other);
    expect(long.refusal).toBeUndefined();
    at.now += 14_000;
    await enter(other);
    at.now += 14_000;
    expect((await enter(other)).refusal?.code).toBe("RateLimitConcurrent");
    long.leave();
    expect((await enter(other)).refusal).toBeUndefined();
  });
});

test.each<[string, Partial<Limits>]>([
  ["minute=600", { minute: 600 }],
  ["minute=600, day=100000", { minute: 600, day: 100_000 }],
  ["Concurrent=1,appMinute=7", { concurrent: 1, appMinute: 7 }],
  ["app-minute=7", { appMinute: 7 }],
])("the rate limits option %j is parsed", (text, limits) => {
  expect(readLimits(text)).toEqual({ ...usualLimits, ...limits });
});

test.each([
  "constructor=5",
  "",
  "minute",
  "minute=",
  "minute=0",
  "minute=-1",
  "minute=1.5",
  "hour=3",
  "day=1e9",
  "day=99999999999",
])("the rate limits option %j is refused", (text) => {
  expect(() => readLimits(text)).toThrow(expect.objectContaining({ code: "BadLimits" }));
});
