import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { request as ask } from "node:http";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { removeApp } from "../../../src/admin/apps.ts";
import { createBook, openBook } from "../../../src/service/books/book.ts";
import { type OnPort, onPort } from "../../support/port.ts";
import type { Json } from "../fixture.ts";

let folder: string;
let count = 0;
const bugs: unknown[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-port-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  expect(bugs).toEqual([]);
});

async function madeBook(): Promise<string> {
  count += 1;
  const path = join(folder, `${count}.acct`);
  const book = await createBook(path, { name: "Port Ltd", country: "NZ", demo: true });
  await book.close();
  return path;
}

async function port(options: Parameters<typeof onPort>[1] = {}): Promise<OnPort> {
  return onPort(await madeBook(), { report: (error) => void bugs.push(error), ...options });
}

const json = { accept: "application/json", "content-type": "application/json" };

function signed({ token }: OnPort, more: Record<string, string> = {}) {
  return { authorization: `Bearer ${token}`, ...more };
}

const jsonOf = (answer: Response) => answer.json() as Promise<Json>;

interface Raw {
  /** Sends text or bytes as they are. */
  send(text: string | Uint8Array): void;
  /** Everything that came until `end` does, or until the connection closes. */
  until(end: RegExp): Promise<string>;
  readonly socket: Socket;
}

/** A connection on which a test writes its own HTTP. */
async function raw({ origin }: OnPort): Promise<Raw> {
  const { hostname, port: number } = new URL(origin);
  const socket = connect(Number(number), hostname);
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  let seen = "";
  let closed = false;
  socket.on("data", (part) => {
    seen += part.toString("latin1");
  });
  socket.on("close", () => {
    closed = true;
  });
  return {
    socket,
    send: (text) => void socket.write(text),
    until: async (end) => {
      while (!end.test(seen) && !closed) {
        await Promise.race([once(socket, "data"), once(socket, "close")]);
      }
      return seen;
    },
  };
}

const head = (line: string, { token }: OnPort, more = "") =>
  `${line} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\n${more}\r\n`;

describe("callers over a port", () => {
  test("a request without a token is answered with 401 in JSON, whatever its Accept header", async () => {
    const { baseUrl } = await port();
    for (const path of ["/Invoices", "/nothing", ""]) {
      const answer = await fetch(`${baseUrl}${path}`, { headers: { accept: "text/xml" } });
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
      expect(await jsonOf(answer)).toMatchObject({
        Title: "Unauthorized",
        Status: 401,
        Detail: "AuthenticationUnsuccessful",
        detail: "AuthenticationUnsuccessful",
      });
    }
  });

  test("a request with an expired token is answered with the time when it expired", async () => {
    const at = { now: Date.UTC(2026, 2, 2, 20, 44, 7) };
    const on = await port({ clock: () => at.now });
    const get = () => fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
    expect((await get()).status).toBe(200);
    at.now += 30 * 60_000;
    const answer = await get();
    expect([answer.status, (await jsonOf(answer)).Detail]).toEqual([
      401,
      "TokenExpired: token expired at 03/02/2026 21:14:07",
    ]);
  });

  test("a request that names an organisation other than its token's is refused", async () => {
    const on = await port();
    const tenant = "11111111-1111-4111-8111-111111111111";
    const answer = await fetch(`${on.baseUrl}/Items`, {
      headers: signed(on, { "Xero-Tenant-Id": tenant }),
    });
    expect([answer.status, (await jsonOf(answer)).Title]).toEqual([403, "Forbidden"]);
  });

  test("the app that calls is named in answers as provider, and stored with the records", async () => {
    const on = await port();
    const headers = signed(on, json);
    const body = JSON.stringify({ Name: "Ariki" });
    const put = await fetch(`${on.baseUrl}/Contacts`, { method: "PUT", headers, body });
    const made = await jsonOf(put);
    expect(made.ProviderName).toBe("Till");
    const { ContactID } = made.Contacts[0];
    const history = await fetch(`${on.baseUrl}/Contacts/${ContactID}/History`, { headers });
    expect((await jsonOf(history)).HistoryRecords[0].User).toBe("Ann");
  });

  test("an app's request is refused after another process has removed the app", async () => {
    const at = { now: Date.now() };
    const path = await madeBook();
    const on = await onPort(path, { clock: () => at.now });
    const status = async () => (await fetch(`${on.baseUrl}/Items`, { headers: signed(on) })).status;
    expect(await status()).toBe(200);
    await removeApp({ path, clock: () => at.now, operator: {} }, "till");
    at.now += 2000;
    expect(await status()).toBe(401);
  });
});

describe("addresses", () => {
  test.each([
    ["in any letter case are found", "/API.XRO/2.0/aCCounts", 200],
    ["with a slash at the end are found", "/api.xro/2.0/Accounts/", 200],
    ["with a percent-encoded name are found", "/api.xro/2.0/Items/Caf%C3%A9", 200],
    ["with a plus in the name are found", "/api.xro/2.0/Items/1+1", 200],
    ["with a percent-encoded plus are found", "/api.xro/2.0/Items/1%2B1", 200],
    ["with a space instead of a plus are not found", "/api.xro/2.0/Items/1%201", 404],
    [
      "with a host name, as proxies send them, are found",
      "http://books.example/api.xro/2.0/Accounts",
      200,
    ],
    [
      "with another host than the Host header are refused",
      "http://other.example/api.xro/2.0/Accounts",
      400,
    ],
    ["with a wrong percent encoding are refused", "/api.xro/2.0/Items/%zz", 400],
    ["with .. in the path are not found", "/api.xro/2.0/../2.0/Accounts", 404],
    ["that only begin like the API's root are not found", "/api.xro/2.00/Accounts", 404],
    ["outside the API's root are not found", "/", 404],
  ])("request addresses %s", async (_what, target, status) => {
    const on = await port();
    for (const Code of ["Café", "1+1"]) {
      const body = JSON.stringify({ Code });
      await fetch(`${on.baseUrl}/Items`, { method: "PUT", headers: signed(on, json), body });
    }
    const { send, until } = await raw(on);
    send("GET ");
    send(target);
    send(` HTTP/1.1\r\nHost: books.example\r\nAuthorization: Bearer ${on.token}\r\n\r\n`);
    expect(Number((await until(/\r\n\r\n/)).slice(9, 12))).toBe(status);
  });

  test("HEAD is answered with the headers of GET and no body, OPTIONS with the allowed methods", async () => {
    const on = await port();
    const headers = signed(on, { "accept-encoding": "identity" });
    const get = await fetch(`${on.baseUrl}/Accounts`, { headers });
    const of = await fetch(`${on.baseUrl}/Accounts`, { method: "HEAD", headers });
    expect([of.status, of.headers.get("content-type")]).toEqual([
      200,
      get.headers.get("content-type"),
    ]);
    expect(of.headers.get("content-length")).toBe(get.headers.get("content-length"));
    expect(await of.text()).toBe("");
    const options = await fetch(`${on.baseUrl}/Accounts/x`, { method: "OPTIONS", headers });
    expect([options.status, options.headers.get("allow")]).toEqual([
      204,
      "DELETE, GET, HEAD, POST, OPTIONS",
    ]);
  });

  test.each([
    ["of a list", "GET /api.xro/2.0/Accounts", ["Content-Type", "Cache-Control", "X-Request-Id"]],
    ["to an unauthenticated caller", "GET /openapi.json", ["Content-Type", "Content-Length"]],
    ["of a large body", "PUT /api.xro/2.0/Items", ["Content-Type"]],
    ["at a rate limit", "GET /api.xro/2.0/Items", ["X-MinLimit-Remaining", "X-DayLimit-Remaining"]],
    ["to OPTIONS", "OPTIONS /api.xro/2.0/Items", ["Allow"]],
    ["with 404", "GET /nothing", ["Content-Type"]],
    ["of health", "GET /ready", ["Content-Type", "Cache-Control"]],
    ["of connections", "GET /connections", ["Content-Type"]],
    ["of discovery", "GET /.well-known/openid-configuration", ["Content-Type", "Vary"]],
    ["of a redirect", "GET /identity/connect/authorize", ["Location"]],
    ["of a page", "GET /identity/sign-in/x", ["Content-Type", "Content-Security-Policy"]],
  ])(
    "the header names of the answer %s are in canonical letter case",
    async (_what, line, wanted) => {
      const on = await port({ rateLimit: true });
      const { send, until } = await raw(on);
      const large = line.startsWith("PUT") ? `Content-Length: ${1024 * 1024}\r\n` : "";
      send(head(line, on, `Connection: close\r\nAccept-Encoding: gzip\r\n${large}`));
      if (large !== "") send(new Uint8Array(1024 * 1024).fill(32));
      const [top = ""] = (await until(/\r\n\r\n/)).split("\r\n\r\n");
      const names = top
        .split("\r\n")
        .slice(1)
        .map((each) => each.slice(0, each.indexOf(":")));
      expect(names).toEqual(expect.arrayContaining([...wanted]));
      const words = names.flatMap((name) => name.split("-"));
      expect(words.filter((word) => !/^[A-Z]/.test(word))).toEqual([]);
    },
  );

  test("the headers WWW-Authenticate and Retry-After of refused requests are in canonical letter case", async () => {
    const on = await port({ rateLimit: "minute=1" });
    const stranger = await raw(on);
    stranger.send(head("GET /api.xro/2.0/Items", { ...on, token: "x" }));
    expect(await stranger.until(/}$/)).toContain("\r\nWWW-Authenticate: Bearer\r\n");
    expect((await fetch(`${on.baseUrl}/Items`, { headers: signed(on) })).status).toBe(200);
    const busy = await raw(on);
    busy.send(head("GET /api.xro/2.0/Items", on));
    const seen = await busy.until(/oauth_problem/);
    expect(seen).toMatch(/\r\nRetry-After: \d+\r\n/);
    expect(seen).toContain("\r\nX-Rate-Limit-Problem: minute\r\n");
  });

  test("a where filter and a name in a header may be encoded in Latin-1 or UTF-8", async () => {
    const on = await port();
    const { send, until } = await raw(on);
    const key = Buffer.from("Idempotency-Key: clé\r\n", "utf8").toString("latin1");
    const body = '{"Name":"Café"}';
    const more = `${key}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`;
    send(head("PUT /api.xro/2.0/Contacts", on, more) + body);
    expect(await until(/<\/Response>/)).toContain("200 OK");
  });
});

describe("bodies of requests and answers", () => {
  test("answer bodies are compressed when the client accepts it, unless they are small", async () => {
    const on = await port();
    const get = (path: string, encoding: string) =>
      new Promise<{ encoding: string | undefined; bytes: Buffer }>((resolve, reject) => {
        const headers = signed(on, { "accept-encoding": encoding });
        ask(`${on.baseUrl}${path}`, { headers }, async (answer) => {
          const parts: Buffer[] = [];
          for await (const part of answer) parts.push(part as Buffer);
          const bytes = Buffer.concat(parts);
          resolve({ encoding: answer.headers["content-encoding"], bytes });
        })
          .on("error", reject)
          .end();
      });
    const plain = await get("/Accounts", "identity");
    const packed = await get("/Accounts", "br, gzip;q=0.5");
    expect([plain.encoding, packed.encoding]).toEqual([undefined, "gzip"]);
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 4);
    expect(gunzipSync(packed.bytes).toString()).toContain("<Accounts>");
    expect((await get("/Accounts", "gzip;q=0")).encoding).toBeUndefined();
    expect((await get("/Items", "gzip")).encoding).toBeUndefined();
  });

  test("a request body above 10 MiB is refused, with a declared length or in chunks", async () => {
    const on = await port();
    const size = 10 * 1024 * 1024 + 1;
    const url = `${on.baseUrl}/Items`;
    const said = await fetch(url, {
      method: "PUT",
      headers: signed(on, json),
      body: new Uint8Array(size),
    });
    expect(said.status).toBe(400);
    expect(await said.text()).toContain("A request body has at most 10485760 bytes.");
    let sent = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent < size * 2) controller.enqueue(new Uint8Array(65_536));
        else controller.close();
      },
    });
    const chunked = await fetch(url, {
      method: "PUT",
      headers: signed(on, json),
      body: endless,
      duplex: "half",
    } as RequestInit);
    expect(chunked.status).toBe(400);
    expect(await chunked.text()).toContain("at most 10485760 bytes");
    // The port goes on as before.
    expect((await fetch(url, { headers: signed(on) })).status).toBe(200);
  });

  test("the request body of an unauthenticated caller is not read", async () => {
    const on = await port();
    const { send, until } = await raw(on);
    const more = "Expect: 100-continue\r\nContent-Length: 1000\r\n";
    send(head("PUT /api.xro/2.0/Items", { ...on, token: "x" }, more));
    const seen = await until(/}$/);
    expect(seen).toMatch(/^HTTP\/1.1 401/);
    expect(seen).not.toContain("100 Continue");
  });

  test("a client that waits for 100 Continue gets it before sending its request body", async () => {
    const on = await port();
    const { send, until } = await raw(on);
    send(
      head(
        "PUT /api.xro/2.0/Items",
        on,
        "Expect: 100-continue\r\nContent-Type: application/json\r\nContent-Length: 12\r\n",
      ),
    );
    expect(await until(/100 Continue\r\n\r\n/)).toContain("100 Continue");
    send('{"Code":"A"}');
    expect(await until(/<\/Response>/)).toContain("<Code>A</Code>");
  });

  test.each([
    ["break off", "Content-Length: 100\r\n", '{"Code":"BROKEN"}'],
    ["break off in chunks", "Transfer-Encoding: chunked\r\n", '11\r\n{"Code":"BROKEN"}\r\n'],
    ["are no chunks", "Transfer-Encoding: chunked\r\n", '11\r\n{"Code":"BROKEN"}\r\nzz\r\n'],
  ])(
    "request bodies that %s change nothing and are not logged as internal errors",
    async (_what, more, body) => {
      const on = await port();
      const { send, socket } = await raw(on);
      send(head("PUT /api.xro/2.0/Items", on, `Content-Type: application/json\r\n${more}`) + body);
      socket.end();
      await once(socket, "close");
      const answer = await fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
      expect(await answer.text()).not.toContain("BROKEN");
      expect(bugs).toEqual([]);
    },
  );
});

test("a client that connects and sends nothing does not block others", async () => {
  const on = await port();
  const slow = await raw(on);
  slow.send("GET /api.xro/2.0/Items HTTP/1.1\r\nHost: x\r\n");
  const stuck = await raw(on);
  stuck.send(head("PUT /api.xro/2.0/Items", on, "Content-Length: 10\r\n"));
  for (let asked = 0; asked < 5; asked += 1) {
    const answer = await fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
    expect(answer.status).toBe(200);
  }
});

describe("rate limits over a port", () => {
  test("every answer has the rate limit headers, and a call above the limit is answered with 503", async () => {
    const at = { now: Date.now() };
    const on = await port({ clock: () => at.now, rateLimit: true });
    const get = () => fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
    const first = await get();
    expect(Object.fromEntries(first.headers)).toMatchObject({
      "x-minlimit-remaining": "59",
      "x-daylimit-remaining": "4999",
      "x-appminlimit-remaining": "9999",
    });
    for (let made = 1; made < 60; made += 1) expect((await get()).status).toBe(200);
    at.now += 34_000;
    const refused = await get();
    expect(refused.status).toBe(503);
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "retry-after": "26",
      "x-rate-limit-problem": "minute",
      "x-minlimit-remaining": "0",
      "x-daylimit-remaining": "4940",
      "x-appminlimit-remaining": "9940",
    });
    expect(await refused.text()).toMatch(
      /^oauth_problem=rate%20limit%20exceeded&oauth_problem_advice=/,
    );
    at.now += 26_000;
    expect((await get()).status).toBe(200);
  });

  test("with --no-rate-limit calls are not limited, and the remaining calls stay at their full values", async () => {
    const on = await port();
    for (let made = 0; made < 70; made += 1) {
      const answer = await fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
      expect(answer.status).toBe(200);
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "x-minlimit-remaining": "60",
        "x-daylimit-remaining": "5000",
        "x-appminlimit-remaining": "10000",
      });
    }
  });
});

describe("closing the port", () => {
  test("closing the port finishes running requests, and closes all connections", async () => {
    const path = await madeBook();
    const on = await onPort(path);
    const { send, until, socket } = await raw(on);
    const body = '{"Code":"LAST"}';
    const more = `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n`;
    send(head("PUT /api.xro/2.0/Items", on, more) + body.slice(0, 5));
    // An idle connection beside it must not hold the port open.
    await fetch(`${on.baseUrl}/Items`, { headers: signed(on) });
    const closing = on.close();
    send(body.slice(5));
    const seen = await until(/<\/Response>/);
    expect(seen).toMatch(/^HTTP\/1.1 200 OK/);
    expect(seen.toLowerCase()).toContain("connection: close");
    await closing;
    await expect(fetch(`${on.baseUrl}/Items`)).rejects.toThrow();
    socket.destroy();
    const book = await openBook(path);
    const kept = await book.transport({
      method: "GET",
      path: "/Items/LAST",
      query: [],
      headers: {},
    });
    expect(kept.status).toBe(200);
    await book.close();
  });
});

test("the API description is served without a token, at the root and below it", async () => {
  const on = await port();
  for (const address of [`${on.origin}/openapi.json`, `${on.baseUrl}/openapi.json`]) {
    const answer = await fetch(address);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([
      200,
      "application/json; charset=utf-8",
    ]);
    const document = await jsonOf(answer);
    expect(document.openapi).toBe("3.1.0");
    expect(document.servers).toEqual([{ url: on.baseUrl }]);
  }
});

test("URLs in answers contain the address of the port", async () => {
  const on = await port();
  const headers = signed(on, json);
  const invoice = {
    Type: "ACCREC",
    Contact: { Name: "Ariki" },
    Status: "AUTHORISED",
    Date: "2026-03-01",
    DueDate: "2026-03-20",
    LineItems: [{ Description: "x", Quantity: 1, UnitAmount: 1, AccountCode: "200" }],
  };
  const put = (path: string, body: object) =>
    fetch(`${on.baseUrl}${path}`, { method: "PUT", headers, body: JSON.stringify(body) });
  await put("/Contacts", { Name: "Ariki" });
  const [{ InvoiceID }] = (await jsonOf(await put("/Invoices", invoice))).Invoices;
  const online = await fetch(`${on.baseUrl}/Invoices/${InvoiceID}/OnlineInvoice`, { headers });
  expect((await jsonOf(online)).OnlineInvoices[0].OnlineInvoiceUrl).toContain(`${on.origin}/`);
});
