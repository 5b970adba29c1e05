/** Many processes of the built program against a service that limits how often they may call. */
import { once } from "node:events";
import { readdirSync, rmSync } from "node:fs";
import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import { builtDesk, type Ended } from "./built.ts";

const { home, ok, acct, running, serving } = builtDesk();
const book = join(home, "limited.acct");
const calls = join(home, ".cache", "acct", "calls");

beforeAll(() => {
  ok(["init", "--name", "Limited Ltd", "--country", "NZ", "--book", book]);
  ok(["app", "add", "Till", "--book", book]);
});
beforeEach(() => rmSync(calls, { recursive: true, force: true, maxRetries: 20 }));

/** A service with limits, and how often it was called: what goes to it goes by here. */
async function limited(limits: string, ...flags: string[]) {
  const { baseUrl } = await serving("--book", book, "--rate-limit", limits, ...flags);
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
  const remote = {
    ACCT_TOKEN: ok(["app", "token", "Till", "--book", book]).trim(),
    ACCT_BASE_URL: `http://127.0.0.1:${(way.address() as AddressInfo).port}/api.xro/2.0`,
  };
  const list = (...more: string[]) => running(["item", "list", "-o", "id", ...more], remote);
  const many = (count: number, ...more: string[]) =>
    Promise.all(Array.from({ length: count }, () => list(...more)));
  return { answered, list, many };
}

const statuses = (ended: readonly Ended[]) => ended.map(({ status }) => status).sort();

test.each([["503"], ["429"]])(
  "a limit told by %s for longer than --max-wait exits 6, and others do not even call",
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

test("the calls that are left are shared, and no call is made to be refused", async () => {
  const { answered, list, many } = await limited("minute=6,concurrent=100");
  expect((await list()).status).toBe(0);
  const ended = await many(9, "--max-wait", "2");
  expect(statuses(ended)).toEqual([0, 0, 0, 0, 0, 6, 6, 6, 6]);
  expect(answered).toEqual([200, 200, 200, 200, 200, 200]);
});

test("those that are too many at a time take turns", async () => {
  const { answered, many } = await limited("concurrent=1,minute=1000");
  expect(statuses(await many(12))).toEqual(Array(12).fill(0));
  expect(answered.filter((status) => status === 200)).toHaveLength(12);
});

test("who waits as told is answered in the end, and says for how long it waits", async () => {
  const { answered, list, many } = await limited("minute=3");
  expect(statuses([await list(), await list(), await list()])).toEqual([0, 0, 0]);
  const began = Date.now();
  const ended = await many(3, "--max-wait", "90");
  expect(statuses(ended)).toEqual([0, 0, 0]);
  expect(Date.now() - began).toBeGreaterThan(50_000);
  for (const { stderr } of ended) {
    expect(stderr).toMatch(/rate limit \(minute\) is reached; .* Trying again in \d+ s\.\n$/);
  }
  expect(answered).toEqual(Array(6).fill(200));
}, 120_000);

test("an outage is told as one, exits 6, and keeps nobody else from calling", async () => {
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

test("what is kept of it is a short file that names nobody", async () => {
  const { list } = await limited("minute=100");
  await list();
  const [file, ...more] = readdirSync(calls);
  expect(more).toEqual([]);
  expect(file).toMatch(/^[0-9a-f]{32}$/);
});

test("an embedded book has nothing to do with it", () => {
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
])("%j with %j is a mistake", (words, env, said) => {
  const { status, stderr } = acct(["serve", "--book", book, ...words], env);
  expect([status, stderr]).toEqual([2, expect.stringContaining(said)]);
});
