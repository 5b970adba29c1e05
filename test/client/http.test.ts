import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import {
  connect,
  type HttpConnection,
  type HttpOptions,
  readBaseUrl,
} from "../../src/client/transport/http.ts";
import { type RetryOptions, retryingTransport } from "../../src/client/transport/retry.ts";
import { UnavailableError, UsageError } from "../../src/resources/errors.ts";
import { item } from "../../src/resources/item.ts";
import { isChunks, textOf } from "../../src/wire/body.ts";
import type { ServiceRequest, Transport } from "../../src/wire/http.ts";

type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

const closers: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A server that answers the n-th request as the n-th of them does, the last again and again. */
async function serve(...answers: Answering[]) {
  const seen: { line: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const server: Server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const answering = answers[Math.min(seen.length, answers.length - 1)];
    seen.push({ line: `${request.method} ${request.url}`, headers: request.headers, body });
    answering?.(request, response, body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { baseUrl: `http://127.0.0.1:${port}/api.xro/2.0`, seen };
}

async function open(options: HttpOptions): Promise<HttpConnection> {
  const connection = await connect(options);
  closers.push(() => connection.close());
  return connection;
}

const get: ServiceRequest = { method: "GET", path: "/Items", query: [], headers: {} };
const put: ServiceRequest = {
  method: "PUT",
  path: "/Items",
  query: [],
  headers: { "idempotency-key": "k1", "content-type": "application/json" },
  body: Buffer.from('{"Items":[{"Code":"A"}]}'),
};

const ok: Answering = (_request, response) => response.end('{"Items":[]}');
const cut: Answering = (request) => request.socket.destroy();
const status =
  (code: number, headers: Record<string, string> = {}, body = ""): Answering =>
  (_request, response) =>
    response.writeHead(code, headers).end(body);
const rateLimited = status(
  503,
  { "retry-after": "26", "x-rate-limit-problem": "minute" },
  "oauth_problem=rate%20limit%20exceeded&oauth_problem_advice=wait",
);
const outage = status(503, {}, "The Organisation is offline");

describe("one HTTP exchange", () => {
  test("path, query, headers and body of a request arrive unchanged", async () => {
    const { baseUrl, seen } = await serve(ok);
    const { transport: handle } = await open({
      baseUrl,
      headers: async () => ({ authorization: "Bearer t0p", "xero-tenant-id": "org-1" }),
      userAgent: "acct/1.2.3",
    });
    const query = [
      ["where", 'Name=="A & B+C é"'],
      ["page", "1"],
    ] as const;
    const response = await handle({ ...put, path: "/Items/A%2FB", query });
    expect(response.status).toBe(200);
    expect(seen[0]?.line).toBe(
      "PUT /api.xro/2.0/Items/A%2FB?where=Name%3D%3D%22A%20%26%20B%2BC%20%C3%A9%22&page=1",
    );
    expect(seen[0]?.body).toBe('{"Items":[{"Code":"A"}]}');
    expect(seen[0]?.headers).toMatchObject({
      authorization: "Bearer t0p",
      "xero-tenant-id": "org-1",
      "user-agent": "acct/1.2.3",
      "idempotency-key": "k1",
    });
  });

  test("a request with an invalid header is refused as a usage error", async () => {
    const { baseUrl } = await serve(ok);
    const { transport: handle } = await open({ baseUrl });
    await expect(handle({ ...get, headers: { "x-y": "a\nb" } })).rejects.toThrow(UsageError);
  });

  test("a streamed body is sent in chunks, and an answer is streamed as it arrives", async () => {
    const { baseUrl, seen } = await serve((request, response) => {
      expect(request.headers["content-length"]).toBe("6");
      expect(request.headers["accept-encoding"]).toBe("identity");
      response.writeHead(200, { "content-length": "6" });
      response.write("abc");
      setImmediate(() => response.end("def"));
    });
    const { transport: handle } = await open({ baseUrl });
    async function* pieces() {
      yield Buffer.from("123");
      yield Buffer.from("456");
    }
    const headers = { "content-length": "6" };
    const response = await handle({ ...put, headers, body: pieces(), streamed: true });
    expect(seen[0]?.body).toBe("123456");
    expect(isChunks(response.body)).toBe(true);
    expect(await textOf(response.body)).toBe("abcdef");
  });

  test("an answer that is cut while it is streamed throws to its reader", async () => {
    const { baseUrl } = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "6" });
      response.write("abc", () => response.destroy());
    });
    const { transport: handle } = await open({ baseUrl });
    const { body } = await handle({ ...get, streamed: true });
    await expect(textOf(body)).rejects.toMatchObject({ code: "ConnectionLost" });
  });

  test("a refusal is read whole, also where a stream was requested", async () => {
    const { baseUrl } = await serve(status(404, {}, "no such file"));
    const { transport: handle } = await open({ baseUrl });
    const { body } = await handle({ ...get, streamed: true });
    expect(String(body)).toBe("no such file");
  });

  test("a compressed answer is unpacked", async () => {
    const { baseUrl } = await serve((request, response) => {
      expect(request.headers["accept-encoding"]).toBe("gzip");
      response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync('{"Items":[]}'));
    });
    const { transport: handle } = await open({ baseUrl });
    const response = await handle(get);
    expect(Buffer.from(response.body as Uint8Array).toString()).toBe('{"Items":[]}');
    expect(response.headers["content-encoding"]).toBeUndefined();
  });

  test.each([
    ["nothing listens", "http://127.0.0.1:1/api", "Unreachable", /nothing listens there/],
    ["the host does not exist", "http://nowhere.invalid/api", "Unreachable", /Cannot reach/],
  ])(
    "a request to an address where %s is reported as unreachable",
    async (_name, baseUrl, code, message) => {
      const { transport: handle } = await open({ baseUrl });
      await expect(handle(get)).rejects.toMatchObject({
        code,
        message: expect.stringMatching(message),
      });
      await expect(handle(get)).rejects.toThrow(UnavailableError);
    },
  );

  test("the answer to HEAD is not unpacked, whatever its Content-Encoding", async () => {
    const { baseUrl } = await serve(status(200, { "content-encoding": "gzip" }));
    const { transport: handle } = await open({ baseUrl });
    const answer = await handle({ ...get, method: "HEAD" });
    expect([answer.status, String(answer.body)]).toEqual([200, ""]);
  });

  test("a connection cut before the answer is reported", async () => {
    const { baseUrl } = await serve(cut);
    const { transport: handle } = await open({ baseUrl });
    await expect(handle(get)).rejects.toMatchObject({ code: "ConnectionLost" });
  });

  test("a connection cut in the middle of the answer is reported", async () => {
    const { baseUrl } = await serve((_request, response) => {
      response.writeHead(200, { "content-length": "1000" });
      response.write('{"Items":', () => response.socket?.destroy());
    });
    const { transport: handle } = await open({ baseUrl });
    await expect(handle(get)).rejects.toMatchObject({ code: "ConnectionLost" });
  });

  test("an answer that does not begin in time is reported", async () => {
    const { baseUrl } = await serve(() => undefined);
    const { transport: handle } = await open({ baseUrl, answerTimeoutMs: 1000 });
    await expect(handle(get)).rejects.toMatchObject({ code: "Timeout" });
  });

  test("an answer that stalls is reported", async () => {
    const { baseUrl } = await serve((_request, response) => {
      response.writeHead(200);
      response.write("{");
    });
    const { transport: handle } = await open({ baseUrl, answerTimeoutMs: 1000 });
    await expect(handle(get)).rejects.toMatchObject({ code: "Timeout" });
  });

  test("an answer above the size limit is refused, also when small while compressed", async () => {
    const large = "x".repeat(100_000);
    const { baseUrl } = await serve(
      (_request, response) => response.end(large),
      (_request, response) =>
        response.writeHead(200, { "content-encoding": "gzip" }).end(gzipSync(large)),
    );
    const { transport: handle } = await open({ baseUrl, bodyBytesMax: 10_000 });
    await expect(handle(get)).rejects.toMatchObject({ code: "AnswerTooLarge" });
    await expect(handle(get)).rejects.toMatchObject({ code: "AnswerTooLarge" });
  });

  test("an interruption ends a request that is under way", async () => {
    const interruption = new AbortController();
    const { baseUrl } = await serve(() => interruption.abort(new Error("stopped")));
    const { transport: handle } = await open({ baseUrl, signal: interruption.signal });
    await expect(handle(get)).rejects.toThrow("stopped");
  });
});

describe("base URLs", () => {
  test.each([
    ["http://127.0.0.1:9320/api.xro/2.0", "http://127.0.0.1:9320/api.xro/2.0"],
    ["https://books.example/api/2.0//?x=1#y", "https://books.example/api/2.0"],
    ["https://books.example", "https://books.example/"],
  ])("the base URL %s is read as %s", (text, url) => {
    expect(readBaseUrl(text).href).toBe(url);
  });

  test.each(["", "books.example/api", "ftp://books.example", "http://a:b@books.example/"])(
    "the base URL %j is refused",
    (text) => {
      expect(() => readBaseUrl(text)).toThrow(UsageError);
    },
  );
});

describe("retries of requests", () => {
  async function retried(
    answers: Answering[],
    { answerTimeoutMs, ...options }: Partial<RetryOptions> & { answerTimeoutMs?: number } = {},
  ) {
    const { baseUrl, seen } = await serve(...answers);
    const { transport: handle } = await open({
      baseUrl,
      ...(answerTimeoutMs && { answerTimeoutMs }),
    });
    const waits: number[] = [];
    const said: string[] = [];
    const transport: Transport = retryingTransport(handle, {
      sleep: async (waitMs) => void waits.push(waitMs),
      random: () => 0.5,
      notify: (message) => void said.push(message),
      ...options,
    });
    return { transport, seen, waits, said };
  }

  test("a read is retried after an outage, with doubled waits", async () => {
    const { transport, waits, seen } = await retried([outage, outage, outage, ok]);
    expect((await transport(get)).status).toBe(200);
    expect(waits).toEqual([250, 500, 1000]);
    expect(seen).toHaveLength(4);
  });

  test.each([
    ["an outage", outage],
    ["a bad gateway", status(502)],
    ["a failure of the service", status(500)],
    ["a cut connection", cut],
  ] as const)(
    "a write with an idempotency key is retried after %s, under the same key",
    async (_name, failure) => {
      const { transport, seen } = await retried([failure, ok]);
      expect((await transport(put)).status).toBe(200);
      expect(seen.map(({ headers }) => headers["idempotency-key"])).toEqual(["k1", "k1"]);
      expect(seen.map(({ body }) => body)).toEqual([seen[0]?.body, seen[0]?.body]);
    },
  );

  test("a write with an idempotency key is retried under the same key after no answer in time", async () => {
    const { transport, seen } = await retried([() => undefined, ok], { answerTimeoutMs: 1000 });
    expect((await transport(put)).status).toBe(200);
    // A machine that stands still may cost more than one answer.
    expect(seen.length).toBeGreaterThan(1);
    expect(new Set(seen.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set(["k1"]));
  });

  async function* pieces() {
    yield Buffer.from("123");
    yield Buffer.from("456");
  }
  const upload = { ...put, headers: { ...put.headers, "content-length": "6" } };

  test("a retried request sends its file again from the beginning", async () => {
    const { transport, seen } = await retried([outage, cut, ok]);
    const body = { [Symbol.asyncIterator]: pieces };
    expect((await transport({ ...upload, body })).status).toBe(200);
    expect(seen.map((each) => each.body)).toEqual(["123456", "123456", "123456"]);
  });

  test("a request whose body is a stream is never retried", async () => {
    const { transport, seen } = await retried([outage, ok]);
    expect((await transport({ ...upload, body: pieces() })).status).toBe(503);
    expect(seen).toHaveLength(1);
  });

  test.each([
    ["a write without a key", { ...put, headers: {} }],
    ["a removal", { ...get, method: "DELETE" }],
  ])(
    "%s without an answer is never retried, since it may have been carried out",
    async (_name, request) => {
      const { transport, seen } = await retried([cut, ok]);
      await expect(transport(request)).rejects.toMatchObject({ code: "ConnectionLost" });
      expect(seen).toHaveLength(1);
    },
  );

  test.each([
    ["as 503", rateLimited],
    ["as 429", status(429, { "retry-after": "26", "x-rate-limit-problem": "minute" })],
  ])(
    "any request refused by a rate limit (%s) is retried after the time that the service gives",
    async (_name, limited) => {
      const { transport, waits, said } = await retried([limited, ok]);
      expect((await transport({ ...put, headers: {} })).status).toBe(200);
      expect(waits).toEqual([26_000]);
      expect(said).toEqual([expect.stringMatching(/rate limit \(minute\).*Trying again in 26 s/)]);
    },
  );

  test("a rate limit without a retry time is retried with the waits of an outage", async () => {
    const limited = status(429, { "x-rate-limit-problem": "concurrent" });
    const { transport, waits, said } = await retried([limited, limited, ok]);
    expect((await transport(get)).status).toBe(200);
    expect(waits).toEqual([250, 500]);
    expect(said).toEqual([]);
  });

  test("a request is retried through failures of several kinds in a row", async () => {
    const limited = status(429, { "x-rate-limit-problem": "concurrent" });
    const { transport, seen } = await retried([limited, limited, outage, cut, status(500), ok]);
    expect((await transport(put)).status).toBe(200);
    expect(seen).toHaveLength(6);
  });

  test("a rate limit longer than the longest allowed wait is reported at once", async () => {
    const { transport, waits, seen } = await retried([
      status(503, { "retry-after": "7200", "x-rate-limit-problem": "day" }),
    ]);
    expect((await transport(get)).status).toBe(503);
    expect(waits).toEqual([]);
    expect(seen).toHaveLength(1);
  });

  test("retries of a request end when the longest total wait is used up", async () => {
    const { transport, waits, seen } = await retried([rateLimited], { waitMaxMs: 60_000 });
    expect((await transport(get)).status).toBe(503);
    expect(waits).toEqual([26_000, 26_000]);
    expect(seen).toHaveLength(3);
    const tries = await retried([outage], { triesMax: 3 });
    expect((await tries.transport(get)).status).toBe(503);
    expect(tries.seen).toHaveLength(3);
  });

  test("a request answered with status 500 is retried a few times only, and not at all without an idempotency key", async () => {
    const { transport, waits } = await retried([status(500)]);
    expect((await transport(put)).status).toBe(500);
    expect(waits).toEqual([250, 500]);
    const keyless = await retried([status(500), ok]);
    expect((await keyless.transport({ ...put, headers: {} })).status).toBe(500);
    expect(keyless.seen).toHaveLength(1);
  });

  test.each([400, 401, 403, 404, 501])(
    "a request answered with status %i is not retried",
    async (code) => {
      const { transport, seen } = await retried([status(code), ok]);
      expect((await transport(get)).status).toBe(code);
      expect(seen).toHaveLength(1);
    },
  );

  test("a service that cannot be reached is tried a few times only, for any request", async () => {
    const { transport: handle } = await open({ baseUrl: "http://127.0.0.1:1/api" });
    const waits: number[] = [];
    const transport = retryingTransport(handle, {
      sleep: async (waitMs) => void waits.push(waitMs),
      random: () => 0.5,
    });
    await expect(transport({ ...put, headers: {} })).rejects.toMatchObject({ code: "Unreachable" });
    expect(waits).toEqual([250, 500]);
  });

  test("the client distinguishes a rate limit from an outage", async () => {
    const limited = await retried([rateLimited], { waitMaxMs: 0 });
    await expect(createClient(limited.transport).find(item, "A")).rejects.toMatchObject({
      code: "RateLimitMinute",
      retryAfterMs: 26_000,
    });
    const down = await retried([outage], { triesMax: 1 });
    await expect(createClient(down.transport).find(item, "A")).rejects.toMatchObject({
      code: "Outage",
      message: expect.stringMatching(/The Organisation is offline/),
    });
  });
});
