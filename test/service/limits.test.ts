import { describe, expect, test } from "vitest";
import { createLimiter, type Limits, usualLimits } from "../../src/service/limits.ts";

/** A limiter with a clock to turn; the callers leave at once unless they are kept. */
function limited(limits: Partial<Limits> = {}) {
  const at = { now: 1_000_000 };
  const limiter = createLimiter({ ...usualLimits, ...limits }, () => at.now);
  const call = (org = 1, app = "a") => {
    const admission = limiter.enter(org, app);
    admission.leave();
    return admission;
  };
  return { at, limiter, call };
}

describe("calls of an app on an organisation", () => {
  test("are 60 in a minute that rolls", () => {
    const { at, call } = limited();
    for (let made = 0; made < 60; made += 1) {
      expect(call().headers["x-minlimit-remaining"]).toBe(String(59 - made));
      at.now += 500;
    }
    const { refusal, headers } = call();
    expect(refusal).toMatchObject({ code: "RateLimitMinute", retryAfterMs: 30_000 });
    expect(headers["x-minlimit-remaining"]).toBe("0");
    at.now += 29_999;
    expect(call().refusal).toBeDefined();
    at.now += 1;
    expect(call().refusal).toBeUndefined();
    expect(call().refusal).toBeDefined();
  });

  test("are 5000 in a day that rolls", () => {
    const { at, call } = limited({ minute: 10_000 });
    for (let made = 0; made < 5000; made += 1) call();
    at.now += 3_600_000;
    const { refusal, headers } = call();
    expect(refusal).toMatchObject({ code: "RateLimitDay", retryAfterMs: 23 * 3_600_000 });
    expect(headers["x-daylimit-remaining"]).toBe("0");
    at.now += 23 * 3_600_000;
    expect(call().headers["x-daylimit-remaining"]).toBe("4999");
  });

  test("are 5 at a time", () => {
    const { limiter } = limited();
    const five = Array.from({ length: 5 }, () => limiter.enter(1, "a"));
    const sixth = limiter.enter(1, "a");
    expect(sixth.refusal).toMatchObject({ code: "RateLimitConcurrent", retryAfterMs: undefined });
    sixth.leave();
    expect(limiter.enter(1, "a").refusal).toBeDefined();
    five[0]?.leave();
    expect(limiter.enter(1, "a").refusal).toBeUndefined();
  });

  test("that are refused do not count", () => {
    const { at, call } = limited({ minute: 1 });
    expect(call().refusal).toBeUndefined();
    for (let made = 0; made < 10; made += 1) expect(call().refusal).toBeDefined();
    expect(call().headers["x-daylimit-remaining"]).toBe("4999");
    at.now += 60_000;
    expect(call().refusal).toBeUndefined();
  });

  test("count for that app and that organisation", () => {
    const { call } = limited({ minute: 1 });
    expect([call(1, "a"), call(2, "a"), call(1, "b")].map((each) => each.refusal)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(call(1, "a").refusal).toBeDefined();
  });
});

test("the calls of an app on all organisations have a limit too", () => {
  const { call } = limited({ appMinute: 3 });
  for (const org of [1, 2, 3]) expect(call(org).refusal).toBeUndefined();
  const { refusal, headers } = call(4);
  expect(refusal).toMatchObject({ code: "RateLimitAppMinute", retryAfterMs: 60_000 });
  expect(headers["x-appminlimit-remaining"]).toBe("0");
  expect(call(4, "b").refusal).toBeUndefined();
});
