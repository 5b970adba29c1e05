/** Many processes of the built program against a service that limits how often they may call. */
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { open } from "../../../src/cli/connection/open.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import { run } from "../../../src/cli/main.ts";
import { memorySink } from "../../../src/cli/render/sinks/sink.ts";
import { createBook } from "../../../src/service/books/book.ts";
import { onPort } from "../../support/port.ts";
import { builtDesk, type Ended } from "../built.ts";

const { home, ok, acct, running, serving } = builtDesk();
const book = join(home, "limited.acct");
const calls = join(home, ".cache", "acct", "calls");

beforeAll(() => {
  ok(["init", "--name", "Limited Ltd", "--country", "NZ", "--book", book]);
  ok(["app", "add", "Till", "--book", book]);
});
beforeEach(() => rmSync(calls, { recursive: true, force: true, maxRetries: 20 }));

/** A way to a service on which its answers are counted. */
async function counted(baseUrl: string) {
  const answered: number[] = [];
  const way = createServer((incoming, outgoing) => {
    const { method, headers, url = "" } = incoming;
    const onward = ask(new URL(url, baseUrl), { method, headers }, (answer) => {
      answered.push(answer.statusCode ?? 0);
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    incoming.pipe(onward);
  });
  way.listen(0, "127.0.0.1");
  await once(way, "listening");
  onTestFinished(() => {
    way.closeAllConnections();
    way.close();
  });
  const { port } = way.address() as AddressInfo;
  return { answered, baseUrl: `http://127.0.0.1:${port}/api.xro/2.0` };
}

/** A service with limits, and how often it was called. */
async function limited(limits: string, ...flags: string[]) {
  const served = await serving("--book", book, "--rate-limit", limits, ...flags);
  const { answered, baseUrl } = await counted(served.baseUrl);
  const remote = {
    ACCT_TOKEN: ok(["app", "token", "Till", "--book", book]).trim(),
    ACCT_BASE_URL: baseUrl,
  };
  const list = (...more: string[]) => running(["item", "list", "-o", "id", ...more], remote);
  const many = (count: number, ...more: string[]) =>
    Promise.all(Array.from({ length: count }, () => list(...more)));
  return { answered, list, many };
}

const statuses = (ended: readonly Ended[]) => ended.map(({ status }) => status).sort();

test.each([["503"], ["429"]])(
  "a rate limit (status %s) longer than --max-wait ends the command with exit code 6; other processes wait too",
  async (status) => {
    const { answered, list, many } = await limited("minute=2", "--rate-limit-status", status);
    expect(statuses([await list(), await list()])).toEqual([0, 0]);
    // Somebody else uses up what this machine thinks it has.
    rmSync(calls, { recursive: true, force: true, maxRetries: 20 });
    const told = await list("--max-wait", "1");
    expect(told.status).toBe(6);
    expect(told.stderr).toMatch(
      /^acct: The service's rate limit \(minute\) is reached; try again in \d+ seconds\.\n$/,
    );
    expect(answered).toEqual([200, 200, Number(status)]);
    const others = await many(5, "--max-wait", "0");
    expect(statuses(others)).toEqual([6, 6, 6, 6, 6]);
    for (const { stderr } of others) expect(stderr).toMatch(/rate limit \(minute\) is reached/);
    expect(answered).toHaveLength(3);
  },
);

test("simultaneous API calls are answered up to the rate limit", async () => {
  const { answered, list, many } = await limited("minute=6,concurrent=100");
  expect((await list()).status).toBe(0);
  const ended = await many(9, "--max-wait", "2");
  expect(statuses(ended)).toEqual([0, 0, 0, 0, 0, 6, 6, 6, 6]);
  expect(answered.filter((status) => status === 200)).toHaveLength(6);
});

test("API calls above the concurrency limit wait for others, and succeed", async () => {
  const { answered, many } = await limited("concurrent=1,minute=1000");
  expect(statuses(await many(12))).toEqual(Array(12).fill(0));
  expect(answered.filter((status) => status === 200)).toHaveLength(12);
});

test("a command that waits for a rate limit succeeds, and says how long it waits", async () => {
  // The service, those who call it and their waits all go by this clock, for which nobody waits.
  const at = { now: Date.now() };
  const clock = () => at.now;
  const path = join(home, "waited-for.acct");
  await (await createBook(path, { name: "Limited Ltd", country: "NZ" })).close();
  const { token, ...served } = await onPort(path, { clock, rateLimit: "minute=3" });
  const { answered, baseUrl } = await counted(served.baseUrl);
  const sleep = async (waitMs: number) => {
    const until = at.now + waitMs;
    await setImmediate();
    at.now = Math.max(at.now, Math.ceil(until));
  };
  const env = { HOME: home, ACCT_TOKEN: token, ACCT_BASE_URL: baseUrl };
  const list = async (...more: string[]) => {
    const [stdout, stderr] = [memorySink(), memorySink()];
    const opened = (ctx: Context) => open(ctx, { sleep });
    const world = { env, stdout, stderr, clock, open: opened };
    const status = await run(["item", "list", "-o", "id", ...more], world);
    return { status, stderr: stderr.text };
  };
  for (const _ of [1, 2, 3]) expect((await list()).status).toBe(0);
  const began = at.now;
  const waited = await list("--max-wait", "90");
  expect(waited.status).toBe(0);
  expect(at.now - began).toBeGreaterThan(59_000);
  expect(at.now - began).toBeLessThan(63_000);
  expect(waited.stderr).toMatch(/rate limit \(minute\) is reached; .* Trying again in \d+ s\.\n$/);
  expect(await list()).toEqual({ status: 0, stderr: "" });
  expect(answered).toEqual([200, 200, 200, 503, 200, 200]);
});

test("a command refused by a rate limit waits for the time in Retry-After", async () => {
  const answered: number[] = [];
  const service = createServer((_incoming, outgoing) => {
    const told = { "retry-after": "2", "x-rate-limit-problem": "minute" };
    answered.push(answered.length === 0 ? 429 : 200);
    if (answered.length === 1) outgoing.writeHead(429, told).end();
    else outgoing.writeHead(200, { "content-type": "application/json" }).end('{"Items":[]}');
  }).listen(0, "127.0.0.1");
  await once(service, "listening");
  onTestFinished(() => void service.close());
  const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}/api`;
  const { status, stderr } = await running(["item", "list", "--base-url", baseUrl]);
  expect(status).toBe(0);
  expect(stderr).toMatch(/rate limit \(minute\) is reached; .* Trying again in 2 s\.\n/);
  expect(answered).toEqual([429, 200]);
});

test("an outage of the service ends a command with exit code 6, and does not delay other processes", async () => {
  let asked = 0;
  const down = createServer((_incoming, outgoing) => {
    asked += 1;
    outgoing.writeHead(503, { "retry-after": "600" }).end("The Organisation is offline");
  }).listen(0, "127.0.0.1");
  await once(down, "listening");
  onTestFinished(() => void down.close());
  const baseUrl = `http://127.0.0.1:${(down.address() as AddressInfo).port}/api`;
  for (const count of [1, 2]) {
    const { status, stderr } = await running(["item", "list", "--base-url", baseUrl]);
    expect([status, stderr]).toEqual([
      6,
      "acct: The service is not available (The Organisation is offline); try again later.\n",
    ]);
    expect(asked).toBe(count);
  }
});

test("a rate limit refusal is stored in a file whose name is a hash", async () => {
  const { list } = await limited("minute=1");
  await list();
  await list("--max-wait", "0");
  const [file, ...more] = readdirSync(calls);
  expect(more).toEqual([]);
  expect(file).toMatch(/^[0-9a-f]{32}$/);
});

test("a book opened directly has no rate limit", () => {
  ok(["item", "list", "--book", book, "--max-wait", "0"]);
  expect(() => readdirSync(calls)).toThrow("ENOENT");
});

test.each([
  [["--max-wait", "soon"], {}, "--max-wait takes seconds"],
  [["--max-wait", "99999"], {}, "--max-wait takes seconds"],
  [[], { ACCT_MAX_WAIT: "-1" }, "ACCT_MAX_WAIT takes seconds"],
  [["--rate-limit", "hour=1"], {}, "Limits are said as minute=600"],
  [["--rate-limit", "minute=1", "--no-rate-limit"], {}, "not both"],
  [["--rate-limit-status", "500"], {}, "--rate-limit-status"],
])(
  "acct serve with the flags %j and the environment %j is refused as a usage error",
  (words, env, said) => {
    const { status, stderr } = acct(["serve", "--book", book, ...words], env);
    expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
  },
);
