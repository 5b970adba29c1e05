/** What whoever runs a service sees of it: ids of requests, the log, figures, readiness, its end. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { AcctError } from "../../../src/resources/errors.ts";
import { createBook } from "../../../src/service/books/book.ts";
import { readinessOf } from "../../../src/service/http/health.ts";
import { listen } from "../../../src/service/server/listener.ts";
import type { Operations } from "../../../src/service/server/monitoring.ts";
import { type OnPort, onPort } from "../../support/port.ts";
import type { Json } from "../fixture.ts";

let folder: string;
let path: string;
let count = 0;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "acct-operations-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));
afterEach(() => void vi.useRealTimers());

/** A port with a log that a test can read. */
async function port(
  operations: Partial<Operations> = {},
  options: Parameters<typeof onPort>[1] = {},
): Promise<OnPort & { readonly log: () => string }> {
  count += 1;
  path = join(folder, `${count}.acct`);
  await (await createBook(path, { name: "Port Ltd", country: "NZ", demo: true })).close();
  let log = "";
  const write = (lines: string) => {
    log += `${lines}\n`;
  };
  const on = await onPort(path, { ...options, operations: { write, ...operations } });
  return { ...on, log: () => log };
}

/** Asks over a connection of its own, byte by byte as given; returns all that came. */
async function raw({ origin }: { readonly origin: string }, text: string): Promise<string> {
  const { hostname, port: number } = new URL(origin);
  const socket = connect(Number(number), hostname);
  onTestFinished(() => void socket.destroy());
  let seen = "";
  socket.on("data", (part) => {
    seen += part.toString("latin1");
  });
  socket.write(Buffer.from(text, "latin1"));
  await once(socket, "close");
  return seen;
}

const asked = (headers: string) =>
  `GET /api.xro/2.0/Items HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${headers}\r\n\r\n`;
const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const parent = `00-${traceId}-00f067aa0ba902b7-01`;

describe("request ids", () => {
  test.each([
    ["is taken from X-Request-Id", "X-Request-Id: till.7/42", "till.7/42"],
    ["is taken from the trace", `traceparent: ${parent}`, traceId],
    ["may be sent together with a trace", `X-Request-Id: a\r\ntraceparent: ${parent}`, "a"],
    ["is made where there is none", "X-None: 1", guid],
    ["is made instead of one with spaces", "X-Request-Id: a b", guid],
    ["is made instead of one that is too long", `X-Request-Id: ${"a".repeat(129)}`, guid],
    ["is made instead of one in other letters", "X-Request-Id: caf\xe9", guid],
    ["is made instead of one in quotes", 'X-Request-Id: "level":"info"', guid],
    ["is made instead of two", "X-Request-Id: a\r\nX-Request-Id: b", guid],
    ["is made instead of a trace of noughts", `traceparent: 00-${"0".repeat(32)}-1-01`, guid],
    ["is made instead of a broken trace", "traceparent: 00-abc-def-01", guid],
    ["is made instead of a trace of no version", `traceparent: ff${parent.slice(2)}`, guid],
  ])("the id of a request %s", async (_, headers, expected) => {
    const on = await port({ log: "json" });
    const answer = await raw(on, asked(headers));
    const id = /^x-request-id: (.*)\r$/im.exec(answer)?.[1];
    expect(id).toEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected as RegExp),
    );
    await on.close();
    const lines = on.log().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).request)).toEqual([id]);
  });

  test("every answer has a request id, and the caller's trace with a new span", async () => {
    const on = await port();
    for (const address of ["/health", "/nowhere", "/openapi.json", "/api.xro/2.0/Items"]) {
      const { headers } = await fetch(`${on.origin}${address}`, {
        headers: { "x-request-id": "mine", traceparent: parent },
      });
      expect([address, headers.get("x-request-id")]).toEqual([address, "mine"]);
      const [version, trace, span, flags] = headers.get("traceparent")?.split("-") ?? [];
      expect([version, trace, flags]).toEqual(["00", traceId, "01"]);
      expect(span).toMatch(/^[0-9a-f]{16}$/);
      expect(span).not.toBe("00f067aa0ba902b7");
    }
  });
});

const secrets = ["s3cret-name", "s3cret-where", "Secret Street", "s3cret-agent"];

/** Requests that bring much that is nobody else's business. */
async function indiscreet(on: OnPort): Promise<string> {
  const headers = {
    authorization: `Bearer ${on.token}`,
    accept: "application/json",
    "content-type": "application/json",
    "user-agent": "s3cret-agent",
  };
  const body = JSON.stringify({
    Name: "s3cret-name",
    Addresses: [{ AddressType: "STREET", City: "Secret Street" }],
  });
  const put = await fetch(`${on.baseUrl}/Contacts`, { method: "PUT", headers, body });
  const { ContactID } = ((await put.json()) as Json).Contacts[0];
  const query = new URLSearchParams({ where: 'Name=="s3cret-where"' });
  await (await fetch(`${on.baseUrl}/Contacts/${ContactID}?${query}`, { headers })).text();
  await (await fetch(`${on.baseUrl}/Contacts/s3cret-name`, { headers })).text();
  await (await fetch(`${on.origin}/s3cret-name`, { headers })).text();
  return ContactID;
}

describe("the request log", () => {
  test("the request log has a line for each request, with only the documented fields", async () => {
    const at = Date.UTC(2026, 2, 1, 9, 30);
    const on = await port({ log: "json" }, { clock: () => at });
    const id = await indiscreet(on);
    await (await fetch(`${on.baseUrl}/Invoices`)).text();
    await on.close();
    const lines = on.log().trim().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toEqual(
      [
        ["PUT", "/Contacts", 200],
        ["GET", "/Contacts/{ContactID}", 200],
        ["GET", "/Contacts/{ContactID}", 404, "NotFound"],
        ["GET", "(none)", 404],
        ["GET", "/Invoices", 401, "AuthenticationUnsuccessful"],
      ].map(([method, route, status, code]) => {
        const isKnown = status !== 401 && route !== "(none)";
        return {
          time: "2026-03-01T09:30:00.000Z",
          level: "info",
          request: expect.stringMatching(guid),
          method,
          route,
          status,
          ms: expect.any(Number),
          bytesIn: expect.any(Number),
          bytesOut: expect.any(Number),
          ...(isKnown
            ? {
                organisation: expect.stringMatching(guid),
                app: expect.stringMatching(guid),
              }
            : {}),
          ...(code === undefined ? {} : { code }),
        };
      }),
    );
    for (const secret of [...secrets, on.token, id]) expect(on.log()).not.toContain(secret);
  });

  test("the request log as text has the same fields as in JSON, on one line", async () => {
    const on = await port({ log: "text" }, { clock: () => Date.UTC(2026, 2, 1) });
    const id = await indiscreet(on);
    await on.close();
    expect(on.log().split("\n")[0]).toMatch(
      /^2026-03-01T00:00:00\.000Z info PUT \/Contacts 200 request=\S+ ms=[\d.]+ bytesIn=\d+ bytesOut=\d+ organisation=\S+ app=\S+$/,
    );
    expect(on.log().trim().split("\n")).toHaveLength(4);
    for (const secret of [...secrets, on.token, id]) expect(on.log()).not.toContain(secret);
  });

  test("the request log is empty when logging is off", async () => {
    const on = await port();
    await indiscreet(on);
    await on.close();
    expect(on.log()).toBe("");
  });

  test.each(["json", "text", undefined] as const)(
    "an internal error is logged with its stack, and the answer has only the request id (log as %s)",
    async (log) => {
      const fault = new Error("mailer\nlevel=info \u001b[31mforged\u2028");
      const mailer = () => Promise.reject(fault);
      const on = await port({ log }, { mailer });
      const headers = {
        authorization: `Bearer ${on.token}`,
        accept: "application/json",
        "content-type": "application/json",
        "x-request-id": "call-17",
      };
      const put = async (resource: string, record: object) => {
        const body = JSON.stringify(record);
        const answer = await fetch(`${on.baseUrl}/${resource}`, { method: "PUT", headers, body });
        return ((await answer.json()) as Json)[resource][0];
      };
      const contact = { Name: "Ariki", EmailAddress: "ariki@example.test" };
      const { ContactID } = await put("Contacts", contact);
      const { InvoiceID } = await put("Invoices", {
        Type: "ACCREC",
        Status: "AUTHORISED",
        Contact: { ContactID },
        Date: "2026-03-01",
        DueDate: "2026-03-20",
        LineItems: [{ Description: "Mug", Quantity: 1, UnitAmount: 10, AccountCode: "200" }],
      });
      const address = `${on.baseUrl}/Invoices/${InvoiceID}/Email`;
      const answer = await fetch(address, { method: "POST", headers, body: "{}" });
      const told = await answer.text();
      expect(answer.status).toBe(500);
      expect(JSON.parse(told).Message).toBe(
        "The service failed to answer. If you report it, name the request call-17.",
      );
      expect(told).not.toContain("mailer");
      await on.close();
      const text = on.log();
      // biome-ignore lint/suspicious/noControlCharactersInRegex: none of these may be there
      expect(text).not.toMatch(/[\x00-\x09\x0b-\x1f\u2028]/);
      if (log === "json") {
        const lines = text
          .trim()
          .split("\n")
          .map((line) => JSON.parse(line));
        expect(lines.find(({ stack }) => stack !== undefined)).toMatchObject({
          level: "error",
          request: "call-17",
          method: "POST",
          route: "/Invoices/{InvoiceID}/Email",
          stack: expect.stringMatching(/^Error: mailer\n[\s\S]*operations\.slow\.test\.ts/),
        });
        expect(lines.at(-1)).toMatchObject({ request: "call-17", status: 500, code: "Fault" });
      } else {
        expect(text).toMatch(
          /error POST \/Invoices\/\{InvoiceID\}\/Email fault request=call-17\n {4}Error: mailer\n {4}level=info /,
        );
        // Whatever a fault says is set in, and can begin no line of the log.
        const own = text.split("\n").filter((line) => line !== "" && !line.startsWith(" "));
        for (const line of own) expect(line).toMatch(/^\d{4}-\d\d-\d\dT/);
      }
    },
  );

  test.each([
    ["json", /^\{"time":"[^"]+","level":"warn","lost":3\}$/],
    ["text", /^\S+ warn lost=3$/],
  ] as const)(
    "the request log counts the lines lost while its reader was too slow (log as %s)",
    async (log, told) => {
      let isFull = true;
      const on = await port({ log, isFull: () => isFull });
      for (let times = 0; times < 3; times += 1) await raw(on, asked("X-None: 1"));
      await new Promise((resolve) => setImmediate(resolve));
      expect(on.log()).toBe("");
      isFull = false;
      await raw(on, asked("X-None: 1"));
      await on.close();
      const lines = on.log().trim().split("\n");
      expect(lines).toHaveLength(2);
      expect(lines[0]).toMatch(told);
      expect(lines[1]).toContain("/Items");
    },
  );

  test("the request log marks a request as aborted when its client disconnected", async () => {
    const on = await port({ log: "json" });
    const { hostname, port: number } = new URL(on.origin);
    const socket = connect(Number(number), hostname);
    const head = `PUT /api.xro/2.0/Items HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${on.token}\r\n`;
    socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`);
    await once(socket, "data"); // the service wants the body
    socket.destroy();
    await vi.waitFor(() => expect(on.log()).toContain("aborted"));
    const line = JSON.parse(on.log());
    expect(line).toMatchObject({ level: "warn", method: "PUT", route: "/Items", aborted: true });
    expect(line).not.toHaveProperty("status");
  });
});

describe("metrics of requests", () => {
  const metricsOf = async (on: OnPort) => {
    const { metricsUrl = "" } = on;
    const answer = await fetch(metricsUrl);
    expect(answer.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
    return answer.text();
  };

  test("request metrics are counted by method, route and status, never by record id", async () => {
    const on = await port({ metrics: { host: "127.0.0.1", port: 0 } }, { rateLimit: true });
    const id = await indiscreet(on);
    const headers = { authorization: `Bearer ${on.token}` };
    for (let asked = 3; asked < 62; asked += 1) {
      await (await fetch(`${on.baseUrl}/Organisation`, { headers })).text();
    }
    const text = await metricsOf(on);
    const requests = 'acct_http_requests_total{method="GET",route=';
    expect(text).toContain(
      'acct_http_requests_total{method="PUT",route="/Contacts",status="200"} 1',
    );
    expect(text).toContain(`${requests}"/Contacts/{ContactID}",status="200"} 1`);
    expect(text).toContain(`${requests}"/Contacts/{ContactID}",status="404"} 1`);
    expect(text).toContain(`${requests}"(none)",status="404"} 1`);
    expect(text).toContain(`${requests}"/Organisation",status="200"} 57`);
    expect(text).toContain(`${requests}"/Organisation",status="503"} 2`);
    expect(text).toContain('acct_rate_limit_refusals_total{limit="minute"} 2');
    expect(text).toContain(
      'acct_http_request_duration_seconds_bucket{le="+Inf",method="PUT",route="/Contacts"} 1',
    );
    expect(text).toMatch(/acct_http_request_bytes_total\{method="PUT",route="\/Contacts"\} \d{3,}/);
    expect(text).toMatch(
      /acct_http_response_bytes_total\{method="PUT",route="\/Contacts"\} \d{3,}/,
    );
    expect(text).toMatch(/^acct_http_requests_in_flight 0$/m);
    expect(text).toMatch(/^acct_database_connections\{state="idle"\} [1-8]$/m);
    expect(text).toMatch(/^acct_database_connections\{state="busy"\} 0$/m);
    expect(text).toMatch(/^acct_database_waiting 0$/m);
    expect(text).toMatch(/^acct_database_retries_total 0$/m);
    expect(text).toMatch(/^acct_webhook_oldest_pending_seconds 0$/m);
    expect(text).toMatch(/^process_cpu_seconds_total /m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    for (const secret of [...secrets, on.token, id]) expect(text).not.toContain(secret);
  });

  test("metrics are served on a separate port, and not on the public port", async () => {
    const on = await port({ metrics: { host: "127.0.0.1", port: 0 } });
    expect((await fetch(`${on.origin}/metrics`)).status).toBe(404);
    const { origin } = new URL(on.metricsUrl ?? "");
    expect(origin).not.toBe(on.origin);
    for (const [address, status] of [
      ["/metrics?name=x", 200],
      ["/ready", 200],
      ["/health", 200],
      ["/api.xro/2.0/Items", 404],
    ] as const) {
      expect([address, (await fetch(`${origin}${address}`)).status]).toEqual([address, status]);
    }
    expect((await fetch(`${origin}/metrics`, { method: "POST" })).status).toBe(404);
    await on.close();
    await expect(fetch(`${origin}/metrics`)).rejects.toThrow();
  });

  test("serving metrics on a port in use is refused with the name of the flag", async () => {
    const taken = await port();
    const metrics = { host: "127.0.0.1", port: Number(new URL(taken.origin).port) };
    await expect(port({ metrics })).rejects.toThrow(/another program has it; .* --metrics-port\.$/);
  });
});

describe("readiness of the service", () => {
  const said = async (on: OnPort, address: string) => {
    const answer = await fetch(`${on.origin}${address}`);
    return [answer.status, await answer.json()];
  };

  test("the readiness check needs no token, and fails when the shutdown begins", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    const on = await port({ drainMs: 60_000 });
    expect(await said(on, "/ready")).toEqual([200, { status: "ready" }]);
    expect(await said(on, "/health")).toEqual([200, { status: "alive" }]);
    const head = await fetch(`${on.origin}/ready`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const closed = on.close();
    const stopping = { status: "not ready", reason: "stopping" };
    await vi.waitFor(async () => expect(await said(on, "/ready")).toEqual([503, stopping]));
    expect(await said(on, "/health")).toEqual([200, { status: "alive" }]);
    const headers = { authorization: `Bearer ${on.token}` };
    expect((await fetch(`${on.baseUrl}/Organisation`, { headers })).status).toBe(200);
    await vi.advanceTimersByTimeAsync(60_000);
    await closed;
    await expect(fetch(`${on.origin}/ready`)).rejects.toThrow();
  });

  const version = (found: number) => ({ version: async () => ({ found, wanted: 7 }) });
  const failing = { version: () => Promise.reject(new Error("password is wrong")) };
  test.each([
    ["no database is open yet", [], undefined],
    ["the tables are current", [version(7)], undefined],
    ["a later program has added to the tables", [version(8)], undefined],
    ["the tables are older", [version(7), version(6)], "the tables of the database are too old"],
    [
      "a database cannot be written",
      [version(7), { version: async () => ({ found: 7, wanted: 7, trouble: "its disk is full" }) }],
      "the database cannot be written: its disk is full",
    ],
    ["a database fails", [version(7), failing], "the database does not answer"],
  ])("the readiness check when %s", async (_, databases, reason) => {
    expect(await readinessOf(() => databases)()).toBe(reason);
  });

  test("the readiness check does not wait for a hanging database, and queries it once for several callers", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    let times = 0;
    let answer: ((state: { found: number; wanted: number }) => void) | undefined;
    const hanging = {
      version: () => {
        times += 1;
        return new Promise<{ found: number; wanted: number }>((resolve) => {
          answer = resolve;
        });
      },
    };
    const ready = readinessOf(() => [hanging]);
    const all = Promise.all([ready(), ready(), ready()]);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(await all).toEqual(Array(3).fill("the database does not answer"));
    expect(times).toBe(1);
    const again = ready();
    answer?.({ found: 1, wanted: 1 });
    expect([await again, times]).toEqual([undefined, 2]);
  });
});

describe("the shutdown of the service", () => {
  test("the shutdown closes idle connections, and waits for connections in use", async () => {
    const on = await port();
    const { hostname, port: number } = new URL(on.origin);
    const idle = connect(Number(number), hostname);
    const busy = connect(Number(number), hostname);
    const head = `Host: x\r\nAuthorization: Bearer ${on.token}\r\n`;
    idle.write(`GET /api.xro/2.0/Organisation HTTP/1.1\r\n${head}\r\n`);
    busy.write(
      `PUT /api.xro/2.0/Items HTTP/1.1\r\n${head}Content-Length: 15\r\nExpect: 100-continue\r\n\r\n`,
    );
    let answered = "";
    busy.on("data", (part) => {
      answered += part;
    });
    await Promise.all([once(idle, "data"), once(busy, "data")]);
    const closed = on.close();
    await once(idle, "close");
    busy.write('{"Code":"SLOW"}');
    await Promise.all([once(busy, "close"), closed]);
    expect(answered).toMatch(
      /100 Continue[\s\S]*HTTP\/1\.1 200 OK\r\n[\s\S]*connection: close[\s\S]*SLOW/i,
    );
  });

  test.each([
    ["large", 100_000, ["begun"], ["begun", "broken off"]],
    ["small", 9, [], ["refused: BodyIncomplete"]],
  ])(
    "the shutdown cuts off a %s upload that has not arrived after ten seconds",
    async (_, bytes, before, after) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      const noted: string[] = [];
      const service = {
        transport: async ({ body }: { body?: unknown }) => {
          noted.push("begun");
          try {
            for await (const _ of body as AsyncIterable<Uint8Array>);
          } catch {
            noted.push("broken off");
          }
          return { status: 204, headers: {}, body: "" };
        },
        authenticate: () => {
          throw new Error("never asked");
        },
        refuse: async (_request: unknown, error: unknown) => {
          noted.push(`refused: ${(error as AcctError).code}`);
          return { status: 400, headers: {}, body: "" };
        },
      };
      const begun = vi.fn();
      const observers = [{ begun, done: () => undefined }];
      const open = await listen({
        service,
        host: "127.0.0.1",
        port: 0,
        observers,
      });
      const { hostname, port: number } = new URL(open.origin);
      const socket = connect(Number(number), hostname);
      socket.on("error", () => undefined);
      const head = `PUT /api.xro/2.0/Items HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}`;
      socket.write(`${head}\r\n\r\nhalf`);
      await vi.waitFor(() => expect(begun).toHaveBeenCalledOnce());
      await vi.waitFor(() => expect(noted).toEqual(before));
      const closed = open.close();
      await vi.advanceTimersByTimeAsync(9_000);
      expect(noted).toEqual(before);
      await vi.advanceTimersByTimeAsync(1_000);
      await closed;
      expect(noted).toEqual(after);
    },
  );
});
