/** Connections that one process hands over to another, which has their organisation. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "undici";
import { afterAll, afterEach, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { addApp, issueToken } from "../../src/client/served.ts";
import { apiRoot, createBook } from "../../src/service/book.ts";
import { allowedBy } from "../../src/service/events/addresses.ts";
import { openBooks, type ServedBooks } from "../../src/service/http/books.ts";
import { listen, type Port } from "../../src/service/http/listen.ts";
import { addressAt } from "../../src/service/peers/address.ts";
import { type Joined, joinPeers } from "../../src/service/peers/join.ts";
import { beat, forgetPeers } from "../../src/store/directory/peers.ts";
import type { ServiceRequest, ServiceResponse } from "../../src/wire/http.ts";
import { databaseOn, onServer } from "./setup.ts";

const { server } = inject("postgres");
const name = `acct_handover_${process.pid}`;
const url = databaseOn(server, name);
const folder = mkdtempSync(join(tmpdir(), "acct-handover-"));

/** A process that serves the database, as far as the others can tell. */
interface Member {
  readonly books: ServedBooks;
  readonly joined: Joined;
  readonly port: Port;
  leave(): Promise<void>;
}

/** Called with each request before it is answered, by whichever member. */
let onRequest: (request: ServiceRequest) => Promise<void> | void = () => undefined;
/** Comes between the pieces of every answer, once it is given. */
let betweenPieces: Promise<void> | undefined;
let token = "";
let tenant = "";
let members: [Member, Member];
const clients = new Set<Client>();

beforeAll(async () => {
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  await (await createBook(url, { name: "Quay", country: "NZ" })).close();
  await addApp(url, { name: "Till" }, Date.now);
  token = (await issueToken(url, "Till", { user: "Ann" }, Date.now)).token;
  members = [await member(), await member()];
  await haveFoundEachOther();
  const headers = { authorization: `Bearer ${token}` };
  const asking = { method: "GET", path: "/Organisation", query: [], headers };
  tenant = (await members[0].books.callers.caller(asking)).tenant;
});
afterAll(async () => {
  await Promise.all(members.map((each) => each.leave()));
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  for (const { joined } of members)
    Object.assign(joined.handover.counts, { passed: 0, unreachable: 0 });
});
afterEach(async () => {
  onRequest = () => undefined;
  betweenPieces = undefined;
  await Promise.all([...clients].map((each) => each.destroy()));
  clients.clear();
});

async function member(): Promise<Member> {
  const ending = new AbortController();
  const books = await openBooks(url, {
    clock: Date.now,
    serving: { origin: () => "http://books.example", stopping: ending.signal },
    limits: undefined,
    webhooks: { allowed: allowedBy([]) },
    report: (error) => {
      throw error;
    },
  });
  const { service } = books;
  const handle = async (request: ServiceRequest): Promise<ServiceResponse> => {
    await onRequest(request);
    const answer = await service.handle(request);
    const pause = betweenPieces;
    if (pause === undefined) return answer;
    const { "content-length": _, ...headers } = answer.headers;
    return { ...answer, headers, body: inTwo(Buffer.from(textOf(answer)), pause) };
  };
  let joined: Joined | undefined;
  const port = await listen({
    service: { ...service, handle },
    host: "127.0.0.1",
    port: 0,
    front: async (http) => {
      joined = await joinPeers(http, books.directory, "test");
      return joined.handover;
    },
    stopping: () => ending.abort(),
  });
  return {
    books,
    joined: joined as Joined,
    port,
    async leave() {
      await port.close();
      await joined?.close();
      await books.close();
    },
  };
}

const textOf = ({ body }: ServiceResponse) => Buffer.from(body as Uint8Array).toString();

async function* inTwo(bytes: Buffer, pause: Promise<void>) {
  yield bytes.subarray(0, 10);
  await pause;
  yield bytes.subarray(10);
}

const soon = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 50 });
const haveFoundEachOther = () =>
  soon(() => {
    for (const { joined } of members) expect(joined.peers.alive).toHaveLength(1);
  });
const passed = () => members.map(({ joined }) => joined.handover.counts.passed);

/** The member that has the organisation, and the one that hands over to it. */
function sides() {
  const isFirst = members[0].joined.peers.ownerOf(tenant) === undefined;
  return { owner: members[isFirst ? 0 : 1], other: members[isFirst ? 1 : 0] };
}

/** A connection, which is kept for one request after the other. */
function connection({ port }: Member) {
  const client = new Client(port.origin);
  clients.add(client);
  return async (
    method: string,
    path: string,
    body?: object | string,
    more: Record<string, string> = {},
  ) => {
    const headers = {
      authorization: `Bearer ${token}`,
      "xero-tenant-id": tenant,
      accept: "application/json",
      "content-type": "application/json",
      ...more,
    };
    const answer = await client.request({
      method: method as "GET",
      path: `${apiRoot}${path}`,
      headers,
      body: typeof body === "object" ? JSON.stringify(body) : (body ?? null),
    });
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: await answer.body.text(),
    };
  };
}

const contact = (of = "Name") => ({ Name: `${of} ${randomUUID()}` });

test("who writes is answered by the process that has the organisation, whichever is asked", async () => {
  for (const each of members) {
    const ask = connection(each);
    expect((await ask("PUT", "/Contacts", contact("Asked"))).status).toBe(200);
    // Whatever comes on the same connection goes the same way.
    const found = await ask("GET", "/Contacts?where=Name.StartsWith(%22Asked%22)");
    expect(JSON.parse(found.text).Contacts.length).toBeGreaterThan(0);
  }
  expect(passed().sort()).toEqual([0, 1]);
});

test("who reads first, signs in or says nothing of an organisation stays", async () => {
  const { other } = sides();
  expect((await connection(other)("GET", "/Contacts")).status).toBe(200);
  const nobody = { authorization: "", "xero-tenant-id": "" };
  expect((await connection(other)("PUT", "/Contacts", contact(), nobody)).status).toBe(401);
  const elsewhere = await fetch(`${other.port.origin}/connect/token`, { method: "POST" });
  expect(elsewhere.status).toBe(404);
  expect(passed()).toEqual([0, 0]);
});

test("a token says it where no organisation is named", async () => {
  for (const each of members) {
    const unnamed = { "xero-tenant-id": "" };
    expect((await connection(each)("PUT", "/Contacts", contact(), unnamed)).status).toBe(200);
  }
  expect(passed().sort()).toEqual([0, 1]);
});

test("a connection on which many writes belong elsewhere is to come again, and is handed over", async () => {
  const { other } = sides();
  const ask = connection(other);
  await ask("GET", "/Contacts");
  const closing: (string | string[] | undefined)[] = [];
  for (let time = 0; time < 16; time += 1) {
    closing.push((await ask("PUT", "/Contacts", contact())).headers.connection);
  }
  expect(closing.slice(0, -1)).not.toContain("close");
  expect(closing.at(-1)).toBe("close");
  expect(passed()).toEqual([0, 0]);
  // The client connects again by itself.
  const again = await ask("PUT", "/Contacts", contact());
  expect(again.headers.connection).not.toBe("close");
  expect(passed().sort()).toEqual([0, 1]);
});

/** What is another each time. */
const plain = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/\/Date\(\d+(\+0000)?\)\//g, "DATE")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "DATE")
    .replace(/Both \w+/g, "NAME");

type Asking = [
  path: string,
  body: (side: string) => object | string,
  more?: Record<string, string>,
];
const xml = { accept: "application/xml", "content-type": "application/xml" };

test.each<[string, ...Asking]>([
  ["a record", "/Contacts", (side) => ({ Name: `Both ${side}` })],
  ["XML", "/Contacts", (side) => `<Contact><Name>Both ${side} é</Name></Contact>`, xml],
  ["what is refused", "/Invoices", () => ({ Type: "ACCREC", Status: "AUTHORISED" })],
  ["no such record", `/Invoices/${randomUUID()}`, () => ({ Reference: "x" })],
  ["no such address", "/N%C3%A4h/%20%C3%A9", () => ({})],
  ["no JSON", "/Contacts", () => "{"],
  ["no such media type", "/Contacts", () => "x", { "content-type": "text/x" }],
  ["no such organisation", "/Contacts", () => ({}), { "xero-tenant-id": randomUUID() }],
  ["a stranger", "/Contacts", () => ({}), { authorization: "Bearer no" }],
])("%s is answered as the owner itself would", async (_what, path, body, more) => {
  const { owner, other } = sides();
  const own = await connection(owner)("POST", path, body(randomUUID().slice(0, 8)), more);
  const handed = await connection(other)("POST", path, body(randomUUID().slice(0, 8)), more);
  expect(handed.status).toBe(own.status);
  expect(handed.headers["content-type"]).toBe(own.headers["content-type"]);
  expect(plain(handed.text)).toBe(plain(own.text));
});

/** Sends pieces, a turn of the event loop between them. @returns what comes until `count` answers have begun */
async function exchanged({ port }: Member, pieces: readonly string[], count: number) {
  const socket = connect(Number(new URL(port.origin).port), "127.0.0.1");
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  await once(socket, "connect");
  for (const piece of pieces) {
    socket.write(piece);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await soon(() => expect(said.match(/HTTP\/1\.1 2/g)).toHaveLength(count));
  socket.destroy();
  return said;
}

function raw(body: string, ...more: string[]): string {
  const head = [
    `PUT ${apiRoot}/Contacts HTTP/1.1`,
    "Host: books.example",
    `AUTHORIZATION:\tBearer ${token}`,
    `Xero-Tenant-Id: ${tenant.toUpperCase()} `,
    "Content-Type: application/json",
    ...more,
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}

test("a first request may come byte by byte, with others behind it, or in chunks", async () => {
  const { other } = sides();
  const whole = () => {
    const record = JSON.stringify(contact());
    return raw(record, `Content-Length: ${record.length}`);
  };
  await exchanged(other, [...whole()], 1);
  await exchanged(other, [whole() + whole() + whole()], 3);
  const record = JSON.stringify(contact());
  const chunks = [`${record.length.toString(16)}\r\n`, `${record}\r\n`, "0\r\n\r\n"];
  await exchanged(other, [raw("", "Transfer-Encoding: chunked"), ...chunks], 1);
  expect(other.joined.handover.counts.passed).toBe(3);
});

test("a large body goes to the owner, and what it says before the body comes back", async () => {
  const { other } = sides();
  const Contacts = Array.from({ length: 300 }, (_, at) => ({
    Name: `Large ${at} `.padEnd(250, "x"),
  }));
  const body = JSON.stringify({ Contacts });
  const head = raw("", `Content-Length: ${body.length}`, "Expect: 100-continue");
  const said = await exchanged(other, [head, body], 1);
  expect(said).toContain("HTTP/1.1 100 Continue");
  expect(other.joined.handover.counts.passed).toBe(1);
});

test("a key that two processes are asked with at once makes one record", async () => {
  const asks = members.map(connection);
  for (let round = 0; round < 10; round += 1) {
    const key = { "idempotency-key": randomUUID() };
    const twice = contact("Twice");
    const answers = await Promise.all(asks.map((ask) => ask("PUT", "/Contacts", twice, key)));
    const ids = answers.map(({ text }) => JSON.parse(text).Contacts?.[0]?.ContactID);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
  }
});

test("nothing fails while processes come and go in good order", async () => {
  const { other } = sides();
  let isOver = false;
  let done = 0;
  const statuses = new Set<number>();
  const writing = async () => {
    // A connection for each, so that none is kept that the other end is about to close.
    while (!isOver) {
      const ask = connection(other);
      statuses.add((await ask("PUT", "/Contacts", contact(), { connection: "close" })).status);
      done += 1;
    }
  };
  const all = [writing(), writing(), writing()];
  const third = await member();
  await soon(() => expect(other.joined.peers.alive).toHaveLength(2));
  await third.leave();
  const before = done;
  await soon(() => expect(done).toBeGreaterThan(before + 5));
  isOver = true;
  await Promise.all(all);
  expect([...statuses]).toEqual([200]);
  await haveFoundEachOther();
});

/** Has answers wait until they are let go. */
function heldUp() {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  onRequest = () => {
    begin();
    return free;
  };
  return { begun, letGo };
}

test.each(["owner", "other"] as const)(
  "what was handed over is answered while the %s closes",
  async (side) => {
    const third = await member();
    await soon(() => expect(third.joined.peers.alive).toHaveLength(2));
    const all = [...members, third];
    const owner = all.find(({ joined }) => joined.peers.ownerOf(tenant) === undefined) as Member;
    const other = all.find((each) => each !== owner && members.includes(each)) as Member;
    const idle = connection(other);
    expect((await idle("PUT", "/Contacts", contact())).status).toBe(200);
    const { begun, letGo } = heldUp();
    const answered = connection(other)("PUT", "/Contacts", contact());
    await begun;
    const closing = side === "owner" ? owner : other;
    const left = closing.leave();
    await soon(() => expect(all.some(({ joined }) => joined.peers.alive.length === 1)).toBe(true));
    letGo();
    expect((await answered).status).toBe(200);
    await left;
    const others = all.filter((each) => each !== closing);
    members = [others[0] as Member, others[1] as Member];
    await haveFoundEachOther();
  },
);

test("an answer that has begun comes to its end while the process closes that was asked", async () => {
  const third = await member();
  await soon(() => expect(third.joined.peers.alive).toHaveLength(2));
  const all = [...members, third];
  const other = all.find(({ joined }) => joined.peers.ownerOf(tenant) !== undefined) as Member;
  const { promise: free, resolve: letGo } = Promise.withResolvers<void>();
  betweenPieces = free;
  const client = new Client(other.port.origin);
  clients.add(client);
  const body = JSON.stringify(contact());
  const headers = {
    authorization: `Bearer ${token}`,
    accept: "application/json",
    "content-type": "application/json",
  };
  const path = `${apiRoot}/Contacts`;
  const answer = await client.request({ method: "PUT", path, headers, body });
  const end = vi.spyOn(other.joined.handover, "end");
  const left = other.leave();
  await soon(() => expect(end).toHaveBeenCalled());
  letGo();
  expect(JSON.parse(await answer.body.text()).Contacts).toHaveLength(1);
  await left;
  const others = all.filter((each) => each !== other);
  members = [others[0] as Member, others[1] as Member];
  await haveFoundEachOther();
});

/** A process that is believed to have every organisation, and takes connections or does not. */
async function standIn(does: "is gone" | "hangs up" | "hangs") {
  const path = join(folder, randomUUID().slice(0, 8));
  let asked = 0;
  const socket = createServer((client) => {
    client.on("error", () => undefined);
    client.once("data", () => {
      asked += 1;
      if (does === "hangs up") client.destroy();
    });
  });
  if (does !== "is gone") await once(socket.listen(path), "listening");
  const { joined } = members[0];
  const peer = { id: randomUUID(), address: addressAt("test", path) };
  // Which one has it follows from ids that chance makes.
  vi.spyOn(joined.peers, "ownerOf").mockReturnValue(peer);
  const avoided = vi.spyOn(joined.peers, "avoid");
  return {
    peer,
    asked: () => asked,
    avoided: () => avoided.mock.calls.length,
    end: () => {
      vi.restoreAllMocks();
      socket.close();
    },
  };
}

test("what cannot be handed over is answered where it came in", async () => {
  const gone = await standIn("is gone");
  expect((await connection(members[0])("PUT", "/Contacts", contact())).status).toBe(200);
  expect(gone.avoided()).toBe(1);
  expect(members[0].joined.handover.counts).toEqual({ passed: 0, unreachable: 1 });
  gone.end();
});

test("a connection ends with the process that has it", async () => {
  const fallen = await standIn("hangs up");
  await expect(connection(members[0])("PUT", "/Contacts", contact())).rejects.toThrow();
  expect(fallen.asked()).toBe(1);
  fallen.end();
});

test("a connection to a process that has fallen silent is broken off", async () => {
  const hung = await standIn("hangs");
  const answered = connection(members[0])("PUT", "/Contacts", contact());
  const refused = expect(answered).rejects.toThrow();
  await soon(() => expect(hung.asked()).toBe(1));
  const directory = members[0].books.directory;
  await directory.write((tx) => beat(tx, hung.peer));
  await refused;
  await directory.write((tx) => forgetPeers(tx, [hung.peer.id]));
  hung.end();
});

test("who says nothing, or half a head, is not waited for at the end", async () => {
  const third = await member();
  await soon(() => expect(third.joined.peers.alive).toHaveLength(2));
  const socket = connect(Number(new URL(third.port.origin).port), "127.0.0.1");
  await once(socket, "connect");
  socket.write("PUT /");
  const ended = once(socket, "close");
  await sleep(0);
  await third.leave();
  await ended;
  await haveFoundEachOther();
});

test("its row is gone when a process has left", async () => {
  const third = await member();
  const rows = async () => {
    const all = await members[0].books.directory.write(async (tx) => {
      const found = await beat(tx, { id: "watcher", address: "" });
      await forgetPeers(tx, ["watcher"]);
      return found;
    });
    return all.length;
  };
  await soon(async () => expect(await rows()).toBe(3));
  await third.leave();
  expect(await rows()).toBe(2);
});
