import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Budget, budgetIn, fileOf, type Hold, type Ticket } from "../../src/client/budget.ts";
import { retrying } from "../../src/client/retry.ts";
import { usualLimits } from "../../src/service/limits/limits.ts";
import { memoryLimits } from "../../src/service/limits/memory.ts";
import type { ServiceRequest } from "../../src/wire/http.ts";
import { runs } from "../support/runs.ts";

const start = 1_800_000_000_000;

function desk() {
  const folder = mkdtempSync(join(tmpdir(), "acct-budget-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = { now: start };
  const file = join(folder, "calls", "one");
  /** What another process would make of the same file. */
  const budget = () => budgetIn({ file, clock: () => at.now, random: () => 0.5 });
  return { folder, at, file, budget };
}

const isHold = (taken: Ticket | Hold): taken is Hold => "waitMs" in taken;

function taken(budget: Budget): Ticket {
  const ticket = budget.take();
  if (isHold(ticket)) throw new Error(`held for ${ticket.waitMs} ms`);
  return ticket;
}

function held(budget: Budget): Hold {
  const hold = budget.take();
  if (!isHold(hold)) throw new Error("nobody holds the call");
  return hold;
}

const left = (calls: number) => ({ "x-minlimit-remaining": String(calls) });

describe("processes that share a budget", () => {
  test("all wait when one is told to", () => {
    const { at, budget } = desk();
    const [one, other] = [budget(), budget()];
    taken(one).refused("minute", 26_000);
    expect(held(other)).toMatchObject({ told: "minute", waitMs: 26_050, inAllMs: 26_050 });
    at.now += 25_999;
    held(other);
    at.now += 1;
    taken(other);
  });

  test("ask again now and then where the wait is long", () => {
    const { at, budget } = desk();
    taken(budget()).refused("day", 7_200_000);
    expect(held(budget())).toMatchObject({ told: "day", waitMs: 300_050, inAllMs: 7_200_000 });
    at.now += 300_001;
    const probe = taken(budget());
    probe.answered(left(59));
    taken(budget());
  });

  test("go on when one of them was let in again", () => {
    const { at, budget } = desk();
    const early = taken(budget());
    taken(budget()).refused("day", 200_000);
    // An answer to what was asked before tells nothing.
    early.answered(left(7));
    held(budget());
    at.now += 200_001;
    taken(budget()).answered(left(59));
    taken(budget());
  });

  test("begin no more calls than are left", () => {
    const { at, budget } = desk();
    taken(budget()).answered(left(3));
    const three = [taken(budget()), taken(budget()), taken(budget())];
    // Their answers will tell.
    expect(held(budget()).waitMs).toBeLessThan(1000);
    at.now += 500;
    for (const [place, each] of three.entries()) each.answered(left(2 - place));
    // The first of all is a minute old then, and a service may count in seconds.
    expect(held(budget()).waitMs).toBe(60_550);
    at.now += 60_500;
    taken(budget());
  });

  test("ask again as they are told where others call too, of whom nothing is known", () => {
    const { at, budget } = desk();
    taken(budget()).answered(left(1));
    // Others take the last one meanwhile, and had made most of the calls before.
    taken(budget()).refused("minute", 1000);
    expect(held(budget()).waitMs).toBe(1050);
    at.now += 1050;
    // One is free then: the first of them takes it, and the others wait for its answer.
    const first = taken(budget());
    expect(held(budget()).waitMs).toBe(150);
    first.answered(left(0));
    // When the next is free nobody here can know, so one asks; not for a minute does it wait.
    taken(budget()).refused("minute", 2000);
    expect(held(budget()).waitMs).toBe(2050);
    at.now += 2050;
    taken(budget()).answered(left(2));
    taken(budget());
    taken(budget());
    held(budget());
  });

  test("believe the lower of two answers that cross each other", () => {
    const { at, budget } = desk();
    const [first, second] = [taken(budget()), taken(budget())];
    at.now += 100;
    second.answered(left(0));
    first.answered(left(1));
    held(budget());
  });

  test("take turns when there were too many at a time", () => {
    const { at, budget } = desk();
    const six = Array.from({ length: 6 }, () => taken(budget()));
    six[5]?.refused("concurrent", undefined);
    expect(held(budget()).waitMs).toBe(150);
    six[0]?.answered(left(50));
    taken(budget());
    held(budget());
    at.now += 10_000;
    taken(budget());
  });

  test("are not held up by one that was killed", () => {
    const { at, budget } = desk();
    taken(budget()).answered(left(1));
    taken(budget());
    held(budget());
    at.now += 61_000;
    taken(budget());
  });

  test("have nothing to do with the callers of other apps, organisations and services", () => {
    const token = (claims: object) =>
      `Bearer x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
    const [a, b] = [token({ client_id: "a", sub: "u", jti: 1 }), token({ client_id: "b" })];
    const [x, y] = ["https://x.example/api", "https://y.example/api"];
    const of = (url: string, authorization = "", tenant = "") =>
      fileOf(url, { authorization, "xero-tenant-id": tenant });
    const files = [
      of(x, a, "1"),
      of(x, a, "2"),
      of(x, b, "1"),
      of(y, a, "1"),
      of(x, a),
      of(x, "Bearer opaque"),
      of(x, "Bearer other"),
      fileOf(x, {}),
    ];
    expect(new Set(files).size).toBe(files.length);
    expect(of(x, token({ client_id: "a", sub: "u", jti: 2 }), "1")).toBe(files[0]);
    expect(of(x, "Bearer opaque", "1")).toBe(of(x, "Bearer other", "1"));
    for (const file of files) expect(file).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("the file", () => {
  test("says nothing where it is torn, or something else", () => {
    const { file, budget } = desk();
    taken(budget()).answered(left(50));
    const line = `r p ${start} ${start + 50_000} minute`;
    for (let length = 0; length < line.length - 7; length += 1) {
      appendFileSync(file, `${line.slice(0, length)}\n`);
    }
    appendFileSync(file, Buffer.from([0, 255, 10, 10]));
    appendFileSync(file, "r p then later minute\na - - -\nq\n");
    taken(budget());
  });

  test("is for its owner alone", () => {
    const { file, budget } = desk();
    taken(budget());
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test.each([
    ["is a folder", (file: string) => mkdirSync(file, { recursive: true })],
    ["cannot be made", (file: string) => writeFileSync(join(file, ".."), "")],
  ])("that %s keeps nobody from calling", (_what, spoil) => {
    const { file, budget } = desk();
    spoil(file);
    taken(budget()).answered(left(0));
    taken(budget()).refused("minute", 1000);
    taken(budget()).lost(true);
  });

  test("stays short, however many calls are made", () => {
    const { at, file, budget } = desk();
    const one = budget();
    for (let made = 0; made < 1500; made += 1) {
      at.now += 1100;
      taken(one).answered(left(50));
    }
    expect(statSync(file).size).toBeLessThan(40_000);
    expect(readdirSync(join(file, ".."))).toEqual(["one"]);
  });

  test("is hardly written to while there are plenty of calls", () => {
    const { at, file, budget } = desk();
    const one = budget();
    taken(one).answered(left(9000));
    const size = statSync(file).size;
    for (let made = 0; made < 1000; made += 1) {
      at.now += 1;
      taken(one).answered(left(9000 - made));
    }
    expect(statSync(file).size).toBeLessThan(size + 100);
  });
});

test("whatever processes do, the service refuses hardly any, and nobody waits for ever", () => {
  const minute = 20;
  const counts = { calls: 0, refused: 0 };
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          process: fc.integer({ min: 0, max: 4 }),
          after: fc.integer({ min: 0, max: 2500 }),
          takes: fc.integer({ min: 1, max: 900 }),
        }),
        { minLength: 60, maxLength: 120 },
      ),
      (steps) => {
        const folder = mkdtempSync(join(tmpdir(), "acct-budget-"));
        try {
          const at = { now: start };
          const file = join(folder, "one");
          const clock = () => at.now;
          const service = memoryLimits({ ...usualLimits, minute }, clock).of({
            org: 1,
            OrganisationID: "1",
          });
          const budgets = Array.from({ length: 5 }, () =>
            budgetIn({ file, clock, random: () => 0.5 }),
          );
          let refusedAtOnce = 0;
          for (const { process, after, takes } of steps) {
            at.now += after;
            let ticket = budgets[process]?.take() as Ticket | Hold;
            let waits = 0;
            while (isHold(ticket)) {
              at.now += Math.ceil(ticket.waitMs);
              waits += 1;
              expect(waits).toBeLessThan(50);
              ticket = budgets[process]?.take() as Ticket | Hold;
            }
            const admission = service.enter("a") as Exclude<
              ReturnType<typeof service.enter>,
              Promise<unknown>
            >;
            at.now += takes;
            counts.calls += 1;
            if (admission.refusal === undefined) ticket.answered(admission.headers);
            else {
              refusedAtOnce += 1;
              ticket.refused("minute", admission.refusal.retryAfterMs);
            }
            admission.leave();
          }
          counts.refused += refusedAtOnce;
          expect(refusedAtOnce).toBeLessThanOrEqual(1);
        } finally {
          rmSync(folder, { recursive: true, force: true });
        }
      },
    ),
    { numRuns: runs(60) },
  );
  console.log(`${counts.calls} calls, ${counts.refused} refused`);
});

describe("a command", () => {
  const minute = 6;
  const get: ServiceRequest = { method: "GET", path: "/Items", query: [], headers: {} };

  /** A service that is called from here and by strangers, where nobody waits but the clock goes on. */
  function counter(waitMaxMs?: number) {
    const { at, file } = desk();
    const clock = () => at.now;
    const limits = memoryLimits({ ...usualLimits, minute }, clock);
    const service = limits.of({ org: 1, OrganisationID: "1" });
    const admitted: number[] = [];
    const enter = () => {
      const admission = service.enter("a") as Exclude<
        ReturnType<typeof service.enter>,
        Promise<unknown>
      >;
      admission.leave();
      if (admission.refusal === undefined) admitted.push(at.now);
      return admission;
    };
    let waitedMs = 0;
    const call = retrying(
      async () => {
        const { refusal, headers } = enter();
        if (refusal === undefined) return { status: 200, headers: { ...headers }, body: "" };
        const seconds = Math.ceil((refusal.retryAfterMs ?? 0) / 1000);
        const told = { "x-rate-limit-problem": "minute", "retry-after": String(seconds) };
        return { status: 503, headers: { ...headers, ...told }, body: "" };
      },
      {
        budget: () => budgetIn({ file, clock, random: () => 0.5 }),
        sleep: async (waitMs) => {
          at.now += Math.ceil(waitMs);
          waitedMs += waitMs;
        },
        random: () => 0.5,
        ...(waitMaxMs === undefined ? {} : { waitMaxMs }),
      },
    );
    return {
      at,
      stranger: enter,
      call: () => call(get),
      waited: () => waitedMs,
      /** How long the service would keep a call waiting now, to the second. */
      needed: () => Math.max(0, (admitted.at(-minute) ?? 0) + 60_000 - at.now),
    };
  }

  test("waits a second where it is told to, though it has just called itself", async () => {
    const { at, stranger, call, waited } = counter();
    await call();
    at.now += 61_000;
    for (let calls = 1; calls < minute; calls += 1) stranger();
    at.now += 58_500;
    await call();
    expect(waited()).toBe(0);
    await call();
    expect(waited()).toBeLessThan(4000);
    // The others of a minute ago are gone as well, which nobody need wait to hear.
    for (let calls = 3; calls <= minute; calls += 1) await call();
    expect(waited()).toBeLessThan(4000);
  });

  test("waits for no call of its own where too few are known to use up a minute", async () => {
    const { at, stranger, call, waited, needed } = counter();
    const strangers = (calls: number) => Array.from({ length: calls }, stranger);
    await call();
    strangers(5);
    await call();
    strangers(1);
    await call();
    await call();
    at.now += 1000;
    strangers(3);
    await call();
    await call();
    strangers(1);
    await call();
    strangers(3);
    const [before, least] = [waited(), needed()];
    await call();
    expect(least).toBeLessThan(2000);
    expect(waited() - before).toBeLessThanOrEqual(least + 3000);
  });

  test("waits no longer than --max-wait, whatever it is told", async () => {
    const { at, stranger, call, waited } = counter(3000);
    for (let calls = 0; calls < minute; calls += 1) stranger();
    at.now += 10_000;
    await expect(call().then(({ status }) => status)).resolves.toBe(503);
    await expect(call()).rejects.toMatchObject({ code: "RateLimitMinute" });
    expect(waited()).toBe(0);
    at.now += 48_000;
    expect((await call()).status).toBe(200);
    expect(waited()).toBeLessThanOrEqual(3000);
  });

  test("waits as long as the service makes it, whoever else calls", async () => {
    const steps = fc.record({ after: fc.integer({ min: 0, max: 15_000 }), isOurs: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 60 }), async (all) => {
        const { at, stranger, call, waited, needed } = counter();
        // Before anybody else calls, it sees how many a minute has.
        await call();
        for (const { after, isOurs } of all) {
          at.now += after;
          if (!isOurs) {
            stranger();
            continue;
          }
          const [before, least] = [waited(), needed()];
          expect((await call()).status).toBe(200);
          // Whole seconds are told, and whole seconds are counted.
          expect(waited() - before).toBeLessThanOrEqual(least + 3000);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
