/** Each fault on purpose as it comes over a port, and what the books hold after it. */
import { mkdtempSync, rmSync } from "node:fs";
import { request as ask } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBook } from "../../../src/service/books/book.ts";
import { type OnPort, onPort } from "../../support/port.ts";

let folder: string;
let count = 0;
const bugs: unknown[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-chaos-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
  expect(bugs).toEqual([]);
});

async function port(chaos: string): Promise<OnPort & { readonly log: () => string }> {
  count += 1;
  const path = join(folder, `${count}.acct`);
  await (await createBook(path, { name: "Chaos Ltd", country: "NZ", demo: true })).close();
  let log = "";
  const write = (lines: string) => {
    log += `${lines}\n`;
  };
  const report = (error: unknown) => void bugs.push(error);
  const on = await onPort(path, { report, operations: { write, log: "json", chaos } });
  return { ...on, log: () => log };
}

interface Answer {
  readonly status: number | undefined;
  readonly headers: Record<string, unknown>;
  readonly body: string;
  /** What broke off, if anything did. */
  readonly broken: string | undefined;
}

/** Asks, and takes what comes, whole or not. */
function send(on: OnPort, method: string, path: string, body?: string): Promise<Answer> {
  return new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${on.token}`,
      accept: "application/json",
      ...(body === undefined
        ? {}
        : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
    };
    const none = { status: undefined, headers: {}, body: "" };
    const request = ask(`${on.baseUrl}${path}`, { method, headers }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part) => {
        text += part;
      });
      const told = (broken?: string) =>
        resolve({ status: answer.statusCode, headers: answer.headers, body: text, broken });
      answer.on("end", () => told());
      answer.on("error", (error: NodeJS.ErrnoException) => told(error.code));
    });
    request.on("error", (error: NodeJS.ErrnoException) => {
      resolve({ ...none, broken: error.code });
    });
    request.end(body);
  });
}

const put = (on: OnPort, code: string) => send(on, "PUT", "/Items", JSON.stringify({ Code: code }));

/** Whether the book holds the item; the fault leaves this route alone. */
async function holds(path: string, code: string): Promise<boolean> {
  const { openBook } = await import("../../../src/service/books/book.ts");
  const book = await openBook(path);
  const request = { method: "GET", path: `/Items/${code}`, query: [], headers: {} };
  const { status } = await book.transport(request);
  await book.close();
  return status === 200;
}

const bookOf = () => join(folder, `${count}.acct`);

describe("fault injection", () => {
  test.each([
    ["delay", 200, true],
    ["500-before", 500, false],
    ["500-after", 500, true],
    ["503", 503, false],
    ["503-limit", 503, false],
    ["429", 429, false],
    ["429-limit", 429, false],
    ["revoked", 401, false],
    ["expired", 401, false],
  ] as const)(
    "the injected fault %s is answered with %i, and the write is done: %s",
    async (kind, status, isDone) => {
      const on = await port(`1:${kind}=1`);
      const answer = await put(on, "MUG");
      expect([answer.status, answer.headers["x-chaos"], answer.broken]).toEqual([
        status,
        kind,
        undefined,
      ]);
      expect(answer.headers["x-request-id"]).toEqual(expect.any(String));
      expect(await holds(bookOf(), "MUG")).toBe(isDone);
      await on.close();
      expect(JSON.parse(on.log())).toMatchObject({ route: "/Items", status, chaos: kind });
    },
  );

  test.each(["PUT", "GET"])(
    "the injected fault drop closes the connection before the answer to %s",
    async (method) => {
      const on = await port("1:drop=1");
      const answer = await (method === "PUT" ? put(on, "MUG") : send(on, "GET", "/Organisation"));
      expect(answer).toMatchObject({ status: undefined, broken: "ECONNRESET" });
      expect(await holds(bookOf(), "MUG")).toBe(method === "PUT");
      await on.close();
      expect(JSON.parse(on.log())).toMatchObject({ method, aborted: true, chaos: "drop" });
    },
  );

  test.each(["PUT", "GET"])(
    "the injected fault cut breaks off the answer to %s",
    async (method) => {
      const on = await port("1:cut=1");
      const answer = await (method === "PUT" ? put(on, "MUG") : send(on, "GET", "/Accounts"));
      expect(answer).toMatchObject({ status: 200, broken: "ECONNRESET" });
      expect(answer.headers["x-chaos"]).toBe("cut");
      const whole = Number(answer.headers["content-length"]);
      expect(answer.body.length).toBeLessThan(whole);
      expect(answer.body).toMatch(/^\{"Id"/);
      expect(() => JSON.parse(answer.body)).toThrow();
      expect(await holds(bookOf(), "MUG")).toBe(method === "PUT");
    },
  );

  test("the injected fault cut breaks off a download too", async () => {
    const on = await port("1:cut=0.9");
    let answer = await send(on, "GET", "/Contacts");
    const contact = { Name: "Ariki" };
    while (answer.broken !== undefined) answer = await send(on, "GET", "/Contacts");
    const made = async (): Promise<string> => {
      const found = await send(on, "PUT", "/Contacts", JSON.stringify(contact));
      const id = /"ContactID":"([^"]+)"/.exec(found.body)?.[1];
      return (
        id ?? /"ContactID":"([^"]+)"/.exec((await send(on, "GET", "/Contacts")).body)?.[1] ?? made()
      );
    };
    const file = `/Contacts/${await made()}/Attachments/x.txt`;
    let kept = await send(on, "PUT", file, "some text");
    while (kept.status !== 200) kept = await send(on, "PUT", file, "some text");
    const answers = [];
    for (let times = 0; times < 12; times += 1) answers.push(await send(on, "GET", file));
    expect(answers.some(({ broken }) => broken !== undefined)).toBe(true);
    expect(answers.filter(({ broken }) => broken === undefined).map(({ body }) => body)).toContain(
      "some text",
    );
  });

  test("an injected rate limit fault has the headers of a rate limit", async () => {
    const heads: Record<string, unknown> = {};
    for (const kind of ["503", "503-limit", "429", "429-limit"]) {
      const { headers, body } = await put(await port(`1:${kind}=1`), "MUG");
      heads[kind] = [
        headers["retry-after"],
        headers["x-rate-limit-problem"],
        headers["x-appminlimit-remaining"],
        body.slice(0, 20),
      ];
    }
    expect(heads).toEqual({
      503: [undefined, undefined, undefined, "The service is away"],
      "503-limit": ["1", "appminute", "0", "oauth_problem=rate%2"],
      429: [undefined, undefined, undefined, ""],
      "429-limit": ["1", "appminute", "0", ""],
    });
  });

  test("an injected 401 fault distinguishes an expired token from a revoked one", async () => {
    const expired = await send(await port("1:expired=1"), "GET", "/Items");
    expect(JSON.parse(expired.body).Detail).toMatch(/^TokenExpired: token expired at \d/);
    const revoked = await send(await port("1:revoked=1"), "GET", "/Items");
    expect(JSON.parse(revoked.body).Detail).toBe("AuthenticationUnsuccessful");
  });

  test("an injected fault occurs at the same request on another book with other ids", async () => {
    const seen: string[][] = [];
    for (let times = 0; times < 2; times += 1) {
      const on = await port("5:500-before=0.2,429=0.2,revoked=0.2");
      const kinds: string[] = [];
      for (let number = 0; number < 20; number += 1) {
        const { headers } = await send(on, "GET", `/Items/${count}-${number}`);
        kinds.push(String(headers["x-chaos"] ?? "-"));
      }
      seen.push(kinds);
    }
    expect(seen[1]).toEqual(seen[0]);
    expect(new Set(seen[0])).toEqual(new Set(["-", "500-before", "429", "revoked"]));
  });

  test("injected faults do not affect addresses outside the API, such as /health", async () => {
    const on = await port("1:500-before=1");
    for (const path of ["/health", "/ready", "/openapi.json"]) {
      const answer = await fetch(`${on.origin}${path}`);
      expect([path, answer.status, answer.headers.get("x-chaos")]).toEqual([path, 200, null]);
      await answer.text();
    }
  });

  test("serving with --chaos and an unknown fault name is refused before the port opens", async () => {
    await expect(port("1:boom")).rejects.toThrow(/^--chaos knows delay, .*, not "boom"\.$/);
  });
});
