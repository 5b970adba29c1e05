import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  limiterFileName,
  type Permit,
  type RateLimiter,
  rateLimiter,
  type WaitReason,
} from "../../src/client/transport/rate-limiter.ts";
import { retryingTransport } from "../../src/client/transport/retry.ts";
import { usualLimits } from "../../src/service/limits/limits.ts";
import { memoryLimits } from "../../src/service/limits/memory-limits.ts";
import type { ServiceRequest } from "../../src/wire/http.ts";
import { fc, runs } from "../support/properties.ts";

const start = 1_800_000_000_000;

/** A file with a clock, and limiters on it as other processes would make them. */
function shared() {
  const folder = mkdtempSync(join(tmpdir(), "acct-limiter-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const at = { now: start };
  const file = join(folder, "calls", "one");
  const limiter = () => rateLimiter({ file, clock: () => at.now, random: () => 0.5 });
  return { folder, at, file, limiter };
}

const isHold = (acquired: Permit | WaitReason): acquired is WaitReason => "waitMs" in acquired;

function permitted(limiter: RateLimiter): Permit {
  const acquired = limiter.acquire();
  if (isHold(acquired)) throw new Error(`held for ${acquired.waitMs} ms`);
  return acquired;
}

function held(limiter: RateLimiter): WaitReason {
  const acquired = limiter.acquire();
  if (!isHold(acquired)) throw new Error("the call is not held");
  return acquired;
}

describe("processes that share a rate limiter", () => {
  test("all processes wait when one was refused by the rate limit", () => {
    const { at, limiter } = shared();
    const [one, other] = [limiter(), limiter()];
    permitted(one).refused("minute", 26_000);
    expect(held(other)).toMatchObject({ limit: "minute", waitMs: 26_050, inAllMs: 26_050 });
    at.now += 25_999;
    held(other);
    at.now += 1;
    permitted(other);
  });

  test("processes ask the service again every five minutes where the wait is long", () => {
    const { at, limiter } = shared();
    permitted(limiter()).refused("day", 7_200_000);
    expect(held(limiter())).toMatchObject({ limit: "day", waitMs: 300_050, inAllMs: 7_200_000 });
    at.now += 300_001;
    permitted(limiter()).refused("day", 6_900_000);
    held(limiter());
  });

  test("processes continue as soon as one of them was admitted again", () => {
    const { at, file, limiter } = shared();
    const early = permitted(limiter());
    permitted(limiter()).refused("day", 7_200_000);
    early.admitted();
    held(limiter());
    at.now += 300_001;
    permitted(limiter()).admitted();
    expect(existsSync(file)).toBe(false);
    permitted(limiter());
  });

  test("a newer refusal stays in force for all processes when an older wait is over", () => {
    const { at, limiter } = shared();
    permitted(limiter()).refused("minute", 1000);
    at.now += 1000;
    const [admitted, refused] = [permitted(limiter()), permitted(limiter())];
    refused.refused("minute", 2000);
    admitted.admitted();
    held(limiter());
  });

  test("a rate limit refusal without a retry time holds no other process back", () => {
    const { limiter } = shared();
    permitted(limiter()).refused("concurrent", undefined);
    permitted(limiter());
  });

  test("a rate limit refusal recorded in the future, since the clock was put back, holds no process back", () => {
    const { at, limiter } = shared();
    permitted(limiter()).refused("minute", 60_000);
    at.now -= 3_600_000;
    permitted(limiter());
  });

  test("a rate limit of one app, organisation and service does not delay callers of others", () => {
    const token = (claims: object) =>
      `Bearer x.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.y`;
    const [a, b] = [token({ client_id: "a", sub: "u", jti: 1 }), token({ client_id: "b" })];
    const [x, y] = ["https://x.example/api", "https://y.example/api"];
    const of = (url: string, authorization = "", tenant = "") =>
      limiterFileName(url, { authorization, "xero-tenant-id": tenant });
    const files = [
      of(x, a, "1"),
      of(x, a, "2"),
      of(x, b, "1"),
      of(y, a, "1"),
      of(x, a),
      of(x, "Bearer opaque"),
      of(x, "Bearer other"),
      limiterFileName(x, {}),
    ];
    expect(new Set(files).size).toBe(files.length);
    expect(of(x, token({ client_id: "a", sub: "u", jti: 2 }), "1")).toBe(files[0]);
    expect(of(x, "Bearer opaque", "1")).toBe(of(x, "Bearer other", "1"));
    for (const file of files) expect(file).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("the state file of a rate limiter", () => {
  test.each(["", "{", "null", '{"at":1}', '{"at":"x","until":2,"limit":"minute"}', "\0\u00ff"])(
    "a limiter state file with the unreadable content %j does not prevent requests",
    (text) => {
      const { file, limiter } = shared();
      mkdirSync(join(file, ".."), { recursive: true });
      writeFileSync(file, text);
      permitted(limiter()).admitted();
    },
  );

  test("the limiter's state file is readable by its owner only, and is the only file in its folder", () => {
    const { file, limiter } = shared();
    permitted(limiter()).refused("minute", 1000);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(file, ".."))).toEqual(["one"]);
  });

  test.each([
    ["is a folder", (file: string) => mkdirSync(file, { recursive: true })],
    ["cannot be made", (file: string) => writeFileSync(join(file, ".."), "")],
  ])("a limiter state file that %s does not prevent requests", (_what, spoil) => {
    const { file, limiter } = shared();
    spoil(file);
    permitted(limiter()).refused("minute", 1000);
    permitted(limiter()).admitted();
  });
});

/** A service that admits `minute` calls a minute, and is called by strangers too. */
function limitedService(minute: number, clock: () => number) {
  const limits = memoryLimits({ ...usualLimits, minute }, clock).of({
    org: 1,
    OrganisationID: "1",
  });
  return async () => {
    const admission = await limits.enter("a");
    admission.leave();
    return admission;
  };
}

test("each of five processes is admitted in the end, and none sends a request during its wait", async () => {
  const steps = fc.record({
    process: fc.integer({ min: 0, max: 4 }),
    after: fc.integer({ min: 0, max: 2500 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 60, maxLength: 120 }), async (all) => {
      const folder = mkdtempSync(join(tmpdir(), "acct-limiter-"));
      try {
        const at = { now: start };
        const enter = limitedService(20, () => at.now);
        const options = { file: join(folder, "one"), clock: () => at.now, random: () => 0.5 };
        const limiters = Array.from({ length: 5 }, () => rateLimiter(options));
        let toldUntil = 0;
        for (const { process, after } of all) {
          at.now += after;
          for (let tries = 1; ; tries += 1) {
            expect(tries).toBeLessThan(5);
            const acquired = limiters[process]?.acquire() as Permit | WaitReason;
            if (isHold(acquired)) {
              at.now += Math.ceil(acquired.waitMs);
              continue;
            }
            expect(at.now).toBeGreaterThanOrEqual(toldUntil);
            const { refusal } = await enter();
            if (refusal === undefined) {
              acquired.admitted();
              break;
            }
            acquired.refused("minute", refusal.retryAfterMs);
            toldUntil = at.now + (refusal.retryAfterMs ?? 0);
          }
        }
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    }),
    { numRuns: runs(60) },
  );
});

describe("a command that waits for the rate limit", () => {
  const minute = 6;
  const get: ServiceRequest = { method: "GET", path: "/Items", query: [], headers: {} };

  /** Nobody waits in earnest: the clock goes on instead. */
  function command(waitMaxMs?: number) {
    const { at, file } = shared();
    const clock = () => at.now;
    const service = limitedService(minute, clock);
    const admitted: number[] = [];
    const enter = async () => {
      const admission = await service();
      if (admission.refusal === undefined) admitted.push(at.now);
      return admission;
    };
    let waitedMs = 0;
    const call = retryingTransport(
      async () => {
        const { refusal, headers } = await enter();
        if (refusal === undefined) return { status: 200, headers: { ...headers }, body: "" };
        const seconds = Math.ceil((refusal.retryAfterMs ?? 0) / 1000);
        const told = { "x-rate-limit-problem": "minute", "retry-after": String(seconds) };
        return { status: 503, headers: { ...headers, ...told }, body: "" };
      },
      {
        rateLimiter: () => rateLimiter({ file, clock, random: () => 0.5 }),
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
      /** How long the service would keep a call waiting now. */
      needed: () => Math.max(0, (admitted.at(-minute) ?? 0) + 60_000 - at.now),
    };
  }

  test("a command waits no longer than --max-wait for a rate limit, whatever the service demands", async () => {
    const { at, stranger, call, waited } = command(3000);
    for (let calls = 0; calls < minute; calls += 1) await stranger();
    at.now += 10_000;
    await expect(call().then(({ status }) => status)).resolves.toBe(503);
    await expect(call()).rejects.toMatchObject({ code: "RateLimitMinute" });
    expect(waited()).toBe(0);
    at.now += 50_000;
    expect((await call()).status).toBe(200);
    expect(waited()).toBeLessThanOrEqual(3000);
  });

  test("a command waits for a rate limit as long as the service demands, whatever other processes do", async () => {
    const steps = fc.record({ after: fc.integer({ min: 0, max: 15_000 }), isOurs: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 10, maxLength: 60 }), async (all) => {
        const { at, stranger, call, waited, needed } = command();
        for (const { after, isOurs } of all) {
          at.now += after;
          if (!isOurs) {
            await stranger();
            continue;
          }
          const [before, least] = [waited(), needed()];
          expect((await call()).status).toBe(200);
          // The service tells whole seconds, and counts in whole seconds.
          expect(waited() - before).toBeLessThanOrEqual(least + 3000);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});
