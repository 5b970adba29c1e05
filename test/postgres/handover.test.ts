/** Writes that one process hands over to another, which has their organisation. */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, inject, test, vi } from "vitest";
import { addApp, issueToken } from "../../src/client/served.ts";
import { createBook } from "../../src/service/book.ts";
import { allowedBy } from "../../src/service/events/addresses.ts";
import { openBooks, type ServedBooks } from "../../src/service/http/books.ts";
import { addressAt } from "../../src/service/peers/address.ts";
import { type Joined, joinPeers } from "../../src/service/peers/join.ts";
import { Origins } from "../../src/service/peers/origins.ts";
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
  leave(): Promise<void>;
}

let token = "";
let members: [Member, Member];

beforeAll(async () => {
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  await (await createBook(url, { name: "Quay", country: "NZ" })).close();
  await addApp(url, { name: "Till" }, Date.now);
  token = (await issueToken(url, "Till", { user: "Ann" }, Date.now)).token;
  members = [await member(), await member()];
  await haveFoundEachOther();
});
afterAll(async () => {
  await Promise.all(members.map((each) => each.leave()));
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(folder, { recursive: true });
});
beforeEach(() => {
  for (const { joined } of members) joined.handover.counts.answered = 0;
  for (const { joined } of members) joined.handover.counts.unanswered = 0;
});

/** @param aloneAfter  after how many writes it tells another that it writes alone */
async function member(aloneAfter = Infinity): Promise<Member> {
  const leaving = new AbortController();
  const books = await openBooks(url, {
    clock: Date.now,
    serving: { origin: () => "http://books.example", stopping: leaving.signal },
    limits: undefined,
    webhooks: { allowed: allowedBy([]) },
    report: (error) => {
      throw error;
    },
  });
  const joined = await joinPeers(books, "test", leaving.signal, new Origins(aloneAfter));
  return {
    books,
    joined,
    async leave() {
      leaving.abort();
      await joined.close();
      await books.close();
    },
  };
}

const soon = (check: () => void | Promise<void>) =>
  vi.waitFor(check, { timeout: 20_000, interval: 50 });
const haveFoundEachOther = () =>
  soon(() => {
    for (const { joined } of members) expect(joined.peers.alive).toHaveLength(1);
  });

function asked(
  method: string,
  path: string,
  body: object | string,
  more: Record<string, string> = {},
): ServiceRequest {
  const [bare = "", search = ""] = path.split("?");
  const bytes = Buffer.from(typeof body === "string" ? body : JSON.stringify(body));
  return {
    method,
    path: bare,
    query: [...new URLSearchParams(search)],
    headers: {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      "content-type": "application/json",
      "content-length": String(bytes.length),
      ...more,
    },
    body: bytes,
  };
}

const textOf = ({ body }: ServiceResponse) => Buffer.from(body as Uint8Array).toString();
const handedOn = () => members.map(({ joined }) => joined.handover.counts.answered);

/** The member that has the organisation, and the one that hands over to it. */
async function sides() {
  const { tenant } = await members[0].books.callers.caller(asked("PUT", "/Contacts", {}));
  const isFirst = members[0].joined.peers.ownerOf(tenant) === undefined;
  return { owner: members[isFirst ? 0 : 1], other: members[isFirst ? 1 : 0] };
}

test("a write is done by the process that has the organisation, whichever is asked", async () => {
  for (const [at, { joined }] of members.entries()) {
    const answer = await joined.service.handle(asked("PUT", "/Contacts", { Name: `Asked ${at}` }));
    expect(answer.status).toBe(200);
  }
  expect(handedOn().sort()).toEqual([0, 1]);
  const { owner, other } = await sides();
  for (const { joined } of [owner, other]) {
    const list = asked("GET", "/Contacts?where=Name.StartsWith(%22Asked%22)", "");
    const { body: _, ...reading } = list;
    const found = await joined.service.handle(reading);
    expect(JSON.parse(textOf(found)).Contacts).toHaveLength(2);
  }
  // Who only reads is answered at once.
  expect(handedOn().sort()).toEqual([0, 1]);
});

test("who writes alone does so where it comes in, and asks now and then whether it still does", async () => {
  await Promise.all(members.map((each) => each.leave()));
  members = [await member(3), await member(3)];
  await haveFoundEachOther();
  const { owner, other } = await sides();
  const write = async ({ joined }: Member) => {
    const asking = asked("PUT", "/Contacts", { Name: randomUUID() });
    expect((await joined.service.handle(asking)).status).toBe(200);
    return joined.handover.counts.answered;
  };
  const times = async (count: number, by: Member) => {
    let handed = 0;
    for (let time = 0; time < count; time += 1) handed = await write(by);
    return handed;
  };
  expect(await times(3, other)).toBe(3);
  expect(await times(15, other)).toBe(3);
  // It asks again now and then, and goes on when it is still alone.
  expect(await times(1, other)).toBe(4);
  expect(await times(15, other)).toBe(4);
  await write(owner);
  expect(await times(2, other)).toBe(6);
  await write(owner);
  expect(await times(3, other)).toBe(9);
  expect(await times(15, other)).toBe(9);
  await Promise.all(members.map((each) => each.leave()));
  members = [await member(), await member()];
  await haveFoundEachOther();
});

/** What is another each time. */
const plain = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "ID")
    .replace(/\/Date\(\d+(\+0000)?\)\//g, "DATE")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z?/g, "DATE")
    .replace(/(Both|Twice) \w+/g, "NAME");

test.each<[string, (side: string) => ServiceRequest]>([
  ["a record", (side) => asked("PUT", "/Contacts", { Name: `Both ${side}` })],
  [
    "XML",
    (side) =>
      asked("POST", "/Contacts", `<Contact><Name>Both ${side} é</Name></Contact>`, {
        accept: "application/xml",
        "content-type": "application/xml",
      }),
  ],
  ["what is refused", () => asked("PUT", "/Invoices", { Type: "ACCREC", Status: "AUTHORISED" })],
  [
    "faults record by record",
    () => asked("POST", "/Invoices?summarizeErrors=false", { Type: "X" }),
  ],
  ["no such record", () => asked("POST", `/Invoices/${randomUUID()}`, { Reference: "x" })],
  ["no such address", () => asked("PUT", "/Näh/%20%C3%A9", {})],
  ["no JSON", () => asked("PUT", "/Contacts", "{")],
  ["no such media type", () => asked("PUT", "/Contacts", "x", { "content-type": "text/x-é" })],
])("%s is answered as the owner itself would", async (_what, request) => {
  const { owner, other } = await sides();
  const [here, there] = [randomUUID().slice(0, 8), randomUUID().slice(0, 8)];
  const own = await owner.joined.service.handle(request(here));
  const handed = await other.joined.service.handle(request(there));
  expect(handedOn().sort()).toEqual([0, 1]);
  expect(handed.status).toBe(own.status);
  expect(handed.headers["content-type"]).toBe(own.headers["content-type"]);
  expect(plain(textOf(handed))).toBe(plain(textOf(own)));
});

test("what is seen of a request is what the owner saw", async () => {
  const { other } = await sides();
  const seen = {
    id: "till-7",
    route: undefined,
    app: undefined,
    organisation: undefined,
    code: undefined,
    chaos: undefined,
  };
  const answer = await other.joined.service.handle({ ...asked("PUT", "/Invoices", {}), seen });
  expect(answer.status).toBe(400);
  expect(seen).toMatchObject({ route: "/Invoices", code: expect.stringMatching(/^\w+$/) });
  expect(seen.organisation).toBeDefined();
  expect(seen.app).toBeDefined();
});

test("who asks is recognised by the owner where the request names its organisation", async () => {
  const { other } = await sides();
  const { tenant } = await other.books.callers.caller(asked("PUT", "/Contacts", {}));
  const named = (more: Record<string, string>) =>
    asked("PUT", "/Contacts", { Name: `Named ${randomUUID()}` }, more);
  const own = await other.joined.service.handle(named({ "xero-tenant-id": tenant }));
  const stranger = await other.joined.service.handle(
    named({ "xero-tenant-id": tenant, authorization: "Bearer no" }),
  );
  const elsewhere = await other.joined.service.handle(named({ "xero-tenant-id": randomUUID() }));
  const nowhere = await other.joined.service.handle(named({ "xero-tenant-id": "x" }));
  expect([own, stranger, elsewhere, nowhere].map(({ status }) => status)).toEqual([
    200, 401, 403, 403,
  ]);
  expect(other.joined.handover.counts.answered).toBeGreaterThanOrEqual(2);
});

test("strangers, readings, large requests and those still arriving are not handed over", async () => {
  const { other } = await sides();
  const stranger = asked("PUT", "/Contacts", { Name: "x" }, { authorization: "Bearer no" });
  expect((await other.joined.service.handle(stranger)).status).toBe(401);
  const Contacts = Array.from({ length: 300 }, (_, at) => ({
    Name: `Large ${at} `.padEnd(250, "x"),
  }));
  expect((await other.joined.service.handle(asked("PUT", "/Contacts", { Contacts }))).status).toBe(
    200,
  );
  const { body, ...head } = asked("PUT", "/Contacts", { Name: "Arriving" });
  async function* arriving() {
    yield body as Uint8Array;
  }
  expect((await other.joined.service.handle({ ...head, body: arriving() })).status).toBe(200);
  expect(handedOn()).toEqual([0, 0]);
});

test("a key that two processes are asked with at once makes one record", async () => {
  for (let round = 0; round < 10; round += 1) {
    const key = { "idempotency-key": randomUUID() };
    const request = () => asked("PUT", "/Contacts", { Name: `Twice ${round}` }, key);
    const answers = await Promise.all(
      members.map(({ joined }) => joined.service.handle(request())),
    );
    const ids = answers.map((answer) => JSON.parse(textOf(answer)).Contacts?.[0]?.ContactID);
    expect(ids[0]).toBeDefined();
    expect(ids[1]).toBe(ids[0]);
  }
});

test("nothing fails while processes come and go in good order", async () => {
  const { other } = await sides();
  let isOver = false;
  let done = 0;
  const statuses = new Set<number>();
  const client = async (at: number) => {
    for (let count = 0; !isOver; count += 1) {
      const contact = { Name: `Steady ${at} ${count} ${randomUUID()}` };
      const answer = await other.joined.service.handle(asked("PUT", "/Contacts", contact));
      statuses.add(answer.status);
      done += 1;
    }
  };
  const clients = [client(1), client(2), client(3)];
  const third = await member();
  await soon(() => expect(other.joined.peers.alive).toHaveLength(2));
  await third.leave();
  const before = done;
  await soon(() => expect(done).toBeGreaterThan(before + 5));
  isOver = true;
  await Promise.all(clients);
  expect([...statuses]).toEqual([200]);
  await haveFoundEachOther();
});

/** A process that takes requests and does not answer, and is believed to have every organisation. */
async function standIn(answer: "is gone" | "hangs up") {
  const path = join(folder, randomUUID().slice(0, 8));
  let asked = 0;
  const socket = createServer((client) => {
    client.once("data", () => {
      asked += 1;
      client.destroy();
    });
    client.on("error", () => undefined);
  });
  if (answer === "hangs up") await once(socket.listen(path), "listening");
  const { books, joined } = members[0];
  const { tenant } = await books.callers.caller(request());
  const peer = { id: "", address: addressAt("test", path) };
  // Which one has it follows from ids that chance makes.
  vi.spyOn(joined.peers, "ownerOf").mockImplementation((each) =>
    each === tenant ? peer : undefined,
  );
  const avoided = vi.spyOn(joined.peers, "avoid");
  return {
    asked: () => asked,
    avoided: () => avoided.mock.calls.length,
    end: () => {
      vi.restoreAllMocks();
      socket.close();
    },
  };
}

const request = (more: Record<string, string> = {}) =>
  asked("PUT", "/Contacts", { Name: `Orphan ${randomUUID()}` }, more);

test("what could not be sent is done where it came in", async () => {
  const gone = await standIn("is gone");
  expect((await members[0].joined.service.handle(request())).status).toBe(200);
  expect(gone.avoided()).toBe(1);
  expect(members[0].joined.handover.counts).toEqual({ answered: 0, unanswered: 1 });
  gone.end();
});

test("what may have been done is done again only under a key; without one it is not answered", async () => {
  const silent = await standIn("hangs up");
  const { service } = members[0].joined;
  expect((await service.handle(request({ "idempotency-key": randomUUID() }))).status).toBe(200);
  await expect(service.handle(request())).rejects.toThrow();
  expect(silent.asked()).toBe(2);
  expect(silent.avoided()).toBe(2);
  silent.end();
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
