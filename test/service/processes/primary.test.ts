/** A service by several processes behind one port; here they have no books. */
import { type ChildProcess, fork } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { Client } from "undici";
import { afterEach, expect, test, vi } from "vitest";
import { ToldError } from "../../../src/resources/errors.ts";
import { apiRoot } from "../../../src/service/book.ts";
import type { ServedBook } from "../../../src/service/http/serve.ts";
import type { Seat } from "../../../src/service/processes/messages.ts";
import { placeOf } from "../../../src/service/processes/placing.ts";
import { servePrimary } from "../../../src/service/processes/primary.ts";
import type { Answered } from "./answering.ts";

const program = join(import.meta.dirname, "answering.ts");
/** Takes the place of an organisation's id. */
const organisation = "5b0e0a4c-0000-4000-8000-000000000001";

interface Started extends ServedBook {
  /** All that were ever started, in that order. */
  readonly children: readonly ChildProcess[];
  /** What was said of them. */
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
  /** As if this machine had so many. */
  readonly processors?: number;
  readonly drainMs?: number;
  readonly port?: number;
  /** Whether figures are kept. */
  readonly isWatched?: boolean;
  /** How a process starts, by how many were started before. */
  readonly start?: (before: number) => "" | "fails" | "late";
}

async function started({
  processes = 3,
  processors = 2,
  drainMs = 0,
  port = 0,
  isWatched = false,
  start = () => "",
}: Starting = {}): Promise<Started> {
  const children: ChildProcess[] = [];
  let log = "";
  const primary = await servePrimary({
    host: "127.0.0.1",
    port,
    processes,
    processors,
    clock: Date.now,
    operations: {
      drainMs,
      metrics: isWatched ? { host: "127.0.0.1", port: 0 } : undefined,
      write: (lines) => {
        log += `${lines}\n`;
      },
    },
    fork: (seat: Seat) => {
      const env = {
        ...process.env,
        TEST_SEAT: JSON.stringify(seat),
        TEST_START: start(children.length),
        TEST_DRAIN: String(drainMs),
      };
      const child = fork(program, { env, execArgv: [], serialization: "advanced" });
      children.push(child);
      return child;
    },
  });
  const all = { ...primary, children, log: () => log };
  open.add(all);
  return all;
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null;
const soon = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 20 });

/** A connection, which is kept for one request after the other. */
function connection({ origin }: Started) {
  const client = new Client(origin);
  clients.add(client);
  return async (method: string, path: string, body = "", tenant = organisation) => {
    const answer = await client.request({
      method: method as "GET",
      path: `${apiRoot}${path}`,
      headers: { "xero-tenant-id": tenant },
      body: method === "GET" ? null : body,
    });
    const said = (await answer.body.json()) as Answered;
    return { ...said, closes: answer.headers.connection === "close" };
  };
}

const portOf = ({ origin }: Pick<Started, "origin">) => Number(new URL(origin).port);

test("who writes to one organisation meets the others in one process", async () => {
  const service = await started({ processes: 4, processors: 8 });
  const places = new Set<number>();
  for (let time = 0; time < 8; time += 1) {
    const own = randomUUID();
    const answers = await Promise.all(
      [1, 2, 3].map(() => connection(service)("PUT", "/Contacts", "", own)),
    );
    expect(new Set(answers.map(({ place }) => place))).toEqual(new Set([placeOf(own, 4)]));
    places.add(placeOf(own, 4));
  }
  expect(places.size).toBeGreaterThan(1);
});

test("who reads is answered by the others, where there are more than share out the writers", async () => {
  const service = await started({ processes: 3, processors: 2 });
  const written = await connection(service)("PUT", "/Contacts");
  const read = [];
  for (let time = 0; time < 4; time += 1) {
    read.push((await connection(service)("GET", "/Contacts")).place);
  }
  expect(written.place).toBe(0);
  expect(new Set(read)).toEqual(new Set([1, 2]));
});

test("a connection on which many writes belong elsewhere is to come again", async () => {
  const service = await started();
  const ask = connection(service);
  expect((await ask("GET", "/Contacts")).place).not.toBe(0);
  const closes = [];
  for (let time = 0; time < 16; time += 1) closes.push((await ask("PUT", "/Contacts")).closes);
  expect(closes).toEqual([...Array(15).fill(false), true]);
  // The client connects again by itself.
  expect(await ask("PUT", "/Contacts")).toMatchObject({ place: 0, closes: false });
});

/** Sends pieces, a turn of the event loop between them. @returns what comes until `count` answers have */
async function exchanged(
  service: Started,
  pieces: readonly string[],
  count: number,
  isHalf = false,
) {
  const socket = connect({ port: portOf(service), host: "127.0.0.1", allowHalfOpen: true });
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  await once(socket, "connect");
  for (const piece of pieces) {
    if (!socket.write(piece)) await once(socket, "drain");
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isHalf) socket.end();
  const answers = () => said.match(/\{"place".*?\}/g) ?? [];
  await soon(() => expect(answers()).toHaveLength(count));
  socket.destroy();
  return { said, answers: answers().map((each) => JSON.parse(each) as Answered) };
}

function raw(body: string, ...more: string[]): string {
  const head = [
    `PUT ${apiRoot}/Contacts HTTP/1.1`,
    "Host: books.example",
    `XERO-TENANT-ID:\t${organisation.toUpperCase()} `,
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

const whole = (body: string) => raw(body, `Content-Length: ${body.length}`);

test("a first request may come byte by byte, with others behind it, or in chunks", async () => {
  const service = await started();
  const bodies = async (pieces: readonly string[], count: number) => {
    const { answers } = await exchanged(service, pieces, count);
    return answers.map(({ place, body }) => `${place} ${body}`);
  };
  expect(await bodies([...whole("slowly")], 1)).toEqual(["0 slowly"]);
  const three = whole("one") + whole("two") + whole("three");
  expect(await bodies([three], 3)).toEqual(["0 one", "0 two", "0 three"]);
  // The head of the second is cut where the connection is handed over.
  const cut = whole("one").length + 7;
  expect(await bodies([three.slice(0, cut), three.slice(cut)], 3)).toHaveLength(3);
  const chunks = ["4\r\n", "some\r\n", "0\r\n\r\n"];
  expect(await bodies([raw("", "Transfer-Encoding: chunked"), ...chunks], 1)).toEqual(["0 some"]);
});

test("no byte of a body is lost that comes while its connection is handed over", async () => {
  const service = await started();
  const bodies = Array.from({ length: 8 }, (_, at) =>
    randomBytes(100_000 * (at + 1)).toString("hex"),
  );
  await Promise.all(
    bodies.map(async (body, at) => {
      const pieces = whole(body).match(new RegExp(`.{1,${1000 * (at + 1)}}`, "gs")) ?? [];
      const { answers } = await exchanged(service, pieces, 1);
      expect(answers[0]?.body === body).toBe(true);
    }),
  );
});

test("who wants to be asked for the body is, by the process that has the connection", async () => {
  const service = await started();
  const body = "x".repeat(200_000);
  const head = raw("", `Content-Length: ${body.length}`, "Expect: 100-continue");
  const { said, answers } = await exchanged(service, [head, body], 1);
  expect(said).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK\r\n/);
  expect(answers[0]?.body).toBe(body);
});

test("who has ended their side is answered all the same", async () => {
  const service = await started();
  const { answers } = await exchanged(service, [whole("last words")], 1, true);
  expect(answers[0]?.body).toBe("last words");
});

test("another process follows one that has ended, and is spoken of", async () => {
  const service = await started();
  const first = await connection(service)("PUT", "/Contacts");
  await expect(connection(service)("PUT", "/Exit")).rejects.toThrow();
  await soon(() => expect(service.children.length).toBe(4));
  // There is somebody to answer all the time.
  const meanwhile = await connection(service)("PUT", "/Contacts");
  expect(meanwhile.pid).not.toBe(first.pid);
  await soon(async () => {
    const { place, pid } = await connection(service)("PUT", "/Contacts");
    expect({ place, pid }).toEqual({ place: 0, pid: service.children[3]?.pid });
  });
  expect(service.log()).toMatch(/Process 1 of 3 ended with 3, and is started again\./);
});

test("who comes while there is no process waits for one", async () => {
  const service = await started({ processes: 1, start: (before) => (before > 0 ? "late" : "") });
  service.children[0]?.kill("SIGKILL");
  await soon(() => expect(service.children.length).toBe(2));
  const { pid } = await connection(service)("PUT", "/Contacts");
  expect(pid).toBe(service.children[1]?.pid);
});

test("a process that does not start is tried again and again", async () => {
  const service = await started({ start: (before) => (before === 3 ? "fails" : "") });
  service.children[0]?.kill("SIGKILL");
  await soon(async () => {
    const { place, pid } = await connection(service)("PUT", "/Contacts");
    expect({ place, pid }).toEqual({ place: 0, pid: service.children[4]?.pid });
  });
  expect(service.children[3]?.exitCode).toBe(7);
});

test("one that is not to be had at the start ends all of it, with its exit code", async () => {
  const ends = started({ start: () => "fails" });
  await expect(ends).rejects.toMatchObject({ exitCode: 7 });
  await expect(ends).rejects.toBeInstanceOf(ToldError);
  const second = started({ start: (before) => (before === 1 ? "fails" : "") });
  await expect(second).rejects.toBeInstanceOf(ToldError);
});

test("nothing is started where the port cannot be had", async () => {
  const taken = createServer();
  await once(taken.listen(0, "127.0.0.1"), "listening");
  const { port } = taken.address() as { port: number };
  const start = vi.fn(() => "" as const);
  await expect(started({ port, start })).rejects.toThrow(/another program has it/);
  expect(start).not.toHaveBeenCalled();
  taken.close();
});

test("nothing new is given to a process that turns to nothing, until it does again", async () => {
  const service = await started();
  const places: number[] = [];
  const asking = [connection(service)("PUT", "/Sleeping", "9000")];
  const ask = () => {
    const asked = connection(service)("PUT", "/Contacts");
    asking.push(asked);
    void asked.then(({ place }) => places.push(place));
  };
  // Those that come before it is noticed wait for it.
  const timer = setInterval(ask, 500);
  await soon(() => expect(places.length).toBeGreaterThan(0)).finally(() => clearInterval(timer));
  expect(places).not.toContain(0);
  expect((await Promise.all(asking))[0]?.place).toBe(0);
  await soon(async () => expect((await connection(service)("PUT", "/Contacts")).place).toBe(0));
});

test("at the end what is under way is answered, and who asks nothing is let go", async () => {
  const service = await started();
  const idle = connection(service);
  await idle("PUT", "/Contacts");
  const idleClosed = once([...clients][0] as Client, "disconnect");
  const half = connect(portOf(service), "127.0.0.1");
  half.on("error", () => undefined);
  await once(half, "connect");
  half.write("PUT /");
  const silent = once(half, "close");
  const held = connection(service)("PUT", "/Held", "wait");
  // Answered after the one that is held has begun, by the same process.
  await connection(service)("PUT", "/Contacts");
  const closed = service.close();
  await Promise.all([silent, idleClosed]);
  await expect(connection(service)("PUT", "/Contacts")).rejects.toThrow();
  service.children[0]?.kill("SIGUSR2");
  expect(await held).toMatchObject({ body: "wait", closes: true });
  await closed;
  expect(service.children.every(hasEnded)).toBe(true);
});

test("while they drain, connections are taken as before", async () => {
  const service = await started({ drainMs: 1_500 });
  const closed = service.close();
  expect((await connection(service)("PUT", "/Contacts")).place).toBe(0);
  expect((await connection(service)("GET", "/Contacts")).place).not.toBe(0);
  await closed;
});

test("one that ends in good order is followed by another, and nothing is said of it", async () => {
  const service = await started();
  service.children[0]?.send({ kind: "end" });
  await soon(() => expect(service.children.length).toBe(4));
  await soon(async () => {
    const { pid } = await connection(service)("PUT", "/Contacts");
    expect(pid).toBe(service.children[3]?.pid);
  });
  expect(service.children[0]?.exitCode).toBe(0);
  expect(service.log()).toBe("");
});

test("one is ready as long as a process answers", async () => {
  const service = await started({ processes: 1, isWatched: true });
  const { origin } = new URL(service.metricsUrl ?? "");
  const ready = async () => {
    const answer = await fetch(`${origin}/ready`);
    return (await answer.json()) as { status: string; reason?: string };
  };
  expect(await ready()).toEqual({ status: "ready" });
  const asleep = connection(service)("PUT", "/Sleeping", "9000");
  await soon(async () => expect(await ready()).toMatchObject({ reason: "no process answers" }));
  await asleep;
  expect(await ready()).toEqual({ status: "ready" });
  service.children[0]?.kill("SIGKILL");
  await soon(async () => {
    const figures = await (await fetch(`${origin}/metrics`)).text();
    expect(figures).toMatch(/^acct_process_restarts_total 1$/m);
    expect(figures).toMatch(/^acct_processes 1$/m);
  });
});
