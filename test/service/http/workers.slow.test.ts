/** Several worker processes at one port; here they have no books. */
import cluster from "node:cluster";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "undici";
import { afterEach, expect, test, vi } from "vitest";
import { ToldError } from "../../../src/resources/errors.ts";
import { apiRoot } from "../../../src/service/books/book.ts";
import type { ServedBook } from "../../../src/service/server/monitoring.ts";
import { serveByWorkers } from "../../../src/service/server/workers.ts";
import type { Answered } from "./worker-program.ts";

const program = join(import.meta.dirname, "worker-program.ts");

interface Started extends ServedBook {
  /** Of all workers that were ever started, in that order. */
  readonly pids: () => number[];
  /** What the primary process has logged. */
  readonly log: () => string;
}

const open = new Set<Started>();
const clients = new Set<Client>();
afterEach(async () => {
  await Promise.all([...clients].map((each) => each.destroy()));
  clients.clear();
  await Promise.all([...open].map((each) => each.close()));
  open.clear();
});

interface Starting {
  readonly processes?: number;
  readonly drainMs?: number;
  readonly hasMetrics?: boolean;
  /** Which workers end as soon as they are started, from 1 in the order of their starts. */
  readonly failing?: readonly number[];
}

async function started(starting: Starting = {}): Promise<Started> {
  const { processes = 3, drainMs = 0, hasMetrics = false, failing = [] } = starting;
  const folder = mkdtempSync(join(tmpdir(), "acct-workers-"));
  const starts = join(folder, "starts");
  Object.assign(process.env, {
    TEST_STARTS: starts,
    TEST_DRAIN: String(drainMs),
    TEST_FAILS: failing.join(),
  });
  let log = "";
  const primary = await serveByWorkers({
    host: "127.0.0.1",
    port: 0,
    processes,
    program,
    args: [],
    clock: Date.now,
    operations: {
      drainMs,
      metrics: hasMetrics ? { host: "127.0.0.1", port: 0 } : undefined,
      write: (lines) => {
        log += `${lines}\n`;
      },
    },
  });
  const all = {
    ...primary,
    pids: () => readFileSync(starts, "latin1").trim().split("\n").map(Number),
    log: () => log,
    close: async () => {
      await primary.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  open.add(all);
  return all;
}

const soon = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 600_000, interval: 20 });

/** A connection, which is kept for one request after the other. */
function connection({ origin }: Started) {
  const client = new Client(origin);
  clients.add(client);
  return async (method: string, path: string, body = "") => {
    const answer = await client.request({
      method: method as "GET",
      path: `${apiRoot}${path}`,
      body: method === "GET" ? null : body,
    });
    const said = (await answer.body.json()) as Answered;
    return { ...said, closes: answer.headers.connection === "close" };
  };
}

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("all worker processes accept connections, and an open connection stays with its worker", async () => {
  const service = await started({ processes: 2 });
  const asked: ReturnType<typeof connection>[] = [];
  const answered: number[] = [];
  await soon(async () => {
    const ask = connection(service);
    asked.push(ask);
    answered.push((await ask("GET", "/Contacts")).pid);
    expect(new Set(answered)).toEqual(new Set(service.pids()));
  });
  const again = [];
  for (const ask of asked) again.push((await ask("PUT", "/Contacts")).pid);
  expect(again).toEqual(answered);
});

test("a worker process that dies is restarted and logged, while the others answer", async () => {
  const service = await started();
  await expect(connection(service)("PUT", "/Exit")).rejects.toThrow();
  expect(service.pids()).toContain((await connection(service)("PUT", "/Contacts")).pid);
  await soon(() => expect(service.pids()).toHaveLength(4));
  await soon(async () => {
    const { pid } = await connection(service)("PUT", "/Contacts");
    expect(pid).toBe(service.pids()[3]);
  });
  expect(service.log()).toMatch(/Process \d of 3 ended with 3, and is started again\./);
});

test("the port number is the same after all worker processes have died", async () => {
  const service = await started({ processes: 2 });
  for (const pid of service.pids()) process.kill(pid, "SIGKILL");
  await soon(() => expect(service.pids()).toHaveLength(4));
  await soon(async () => {
    const { pid } = await connection(service)("PUT", "/Contacts");
    expect(service.pids().slice(2)).toContain(pid);
  });
});

test("a worker process that ends before it listens is restarted repeatedly", async () => {
  const service = await started({ failing: [4, 5] });
  process.kill(service.pids()[0] as number, "SIGKILL");
  await soon(() => expect(service.pids()).toHaveLength(6));
  await soon(async () => {
    const { pid } = await connection(service)("PUT", "/Contacts");
    expect(pid).toBe(service.pids()[5]);
  });
  expect(service.log().match(/ended with 7/g)).toHaveLength(2);
});

test.each([
  ["first", [1]],
  ["second", [2]],
])(
  "the start of the service fails with the exit code of the %s worker process if that fails",
  async (_which, failing) => {
    const ends = started({ failing });
    await expect(ends).rejects.toMatchObject({ exitCode: 7 });
    await expect(ends).rejects.toBeInstanceOf(ToldError);
    expect(Object.keys(cluster.workers ?? {})).toEqual([]);
  },
);

test("the shutdown answers running requests and closes idle connections", async () => {
  const service = await started({ processes: 2 });
  const pids = service.pids();
  const idle = connection(service);
  await idle("PUT", "/Contacts");
  const idleClosed = once([...clients][0] as Client, "disconnect");
  const held = connection(service)("PUT", "/Held", "wait");
  // Answered by the other workers; those of the one that is held have begun before it.
  for (const _ of [1, 2, 3]) await connection(service)("PUT", "/Contacts");
  const closed = service.close();
  await idleClosed;
  await soon(() => expect(connection(service)("PUT", "/Contacts")).rejects.toThrow());
  for (const pid of pids.filter(isThere)) process.kill(pid, "SIGUSR2");
  expect(await held).toMatchObject({ body: "wait", closes: true });
  await closed;
  expect(pids.filter(isThere)).toEqual([]);
});

test("new connections are accepted during the shutdown until the workers have finished", async () => {
  const service = await started({ drainMs: 1_500 });
  const closed = service.close();
  expect(await connection(service)("PUT", "/Contacts")).toMatchObject({ method: "PUT" });
  await closed;
  await expect(connection(service)("PUT", "/Contacts")).rejects.toThrow();
});

test("a worker that is shutting down gets no new connections once it has closed, and its end is not logged", async () => {
  const service = await started({ processes: 2 });
  const { pid } = await connection(service)("PUT", "/Leave");
  await soon(() => expect(service.pids()).toHaveLength(3));
  await soon(() => expect(isThere(pid)).toBe(false));
  for (const _ of [1, 2, 3, 4]) {
    expect((await connection(service)("PUT", "/Contacts")).pid).not.toBe(pid);
  }
  expect(service.log()).toBe("");
});

test("the metrics of all worker processes are summed, with their restarts", async () => {
  const service = await started({ processes: 2, hasMetrics: true });
  const { origin } = new URL(service.metricsUrl ?? "");
  const figures = async () => (await fetch(`${origin}/metrics`)).text();
  for (const _ of [1, 2, 3, 4]) await connection(service)("GET", "/Contacts");
  const counted =
    /^acct_http_requests_total\{method="GET",route="\/Contacts",status="200"\} (\d+)$/m;
  expect(Number(counted.exec(await figures())?.[1])).toBe(4);
  expect(await figures()).toMatch(/^acct_processes 2$/m);
  process.kill(service.pids()[0] as number, "SIGKILL");
  await soon(async () => {
    const all = await figures();
    expect(all).toMatch(/^acct_process_restarts_total 1$/m);
    expect(all).toMatch(/^acct_processes 2$/m);
  });
});

test("the metrics port reports ready as long as one worker process answers", async () => {
  const service = await started({ processes: 1, hasMetrics: true });
  const { origin } = new URL(service.metricsUrl ?? "");
  const ready = async () => (await fetch(`${origin}/ready`)).json();
  expect(await ready()).toEqual({ status: "ready" });
  const [pid = 0] = service.pids();
  process.kill(pid, "SIGSTOP");
  expect(await ready()).toEqual({ status: "not ready", reason: "no process answers" });
  process.kill(pid, "SIGCONT");
  await soon(async () => expect(await ready()).toEqual({ status: "ready" }));
});

test("a client that has half-closed its connection still gets its answer", async () => {
  const service = await started({ processes: 2 });
  const socket = connect({
    port: Number(new URL(service.origin).port),
    host: "127.0.0.1",
    allowHalfOpen: true,
  });
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  const head = `PUT ${apiRoot}/Contacts HTTP/1.1\r\nHost: books.example\r\nContent-Length: 4`;
  socket.end(`${head}\r\n\r\nlast`);
  await soon(() => expect(said).toContain('"body":"last"'));
  socket.destroy();
});
