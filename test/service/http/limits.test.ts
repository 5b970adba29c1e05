/** Limits as they are told over a port. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createBook } from "../../../src/service/books/book.ts";
import { type OnPort, onPort } from "../../support/port.ts";

let folder: string;
let count = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "acct-limits-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }));

async function port(options: Parameters<typeof onPort>[1]): Promise<OnPort> {
  count += 1;
  const path = join(folder, `${count}.acct`);
  await (await createBook(path, { name: "Port Ltd", country: "NZ" })).close();
  return onPort(path, options);
}

const names = ["x-minlimit-remaining", "x-daylimit-remaining", "x-appminlimit-remaining"];

const left = (answer: Response) => names.map((name) => answer.headers.get(name));

function asking({ baseUrl, token }: OnPort) {
  return (method: string, path: string) =>
    fetch(`${baseUrl}${path}`, { method, headers: { authorization: `Bearer ${token}` } });
}

test("every answer to an authenticated caller has the remaining number of calls", async () => {
  const ask = asking(await port({ rateLimit: true }));
  const answers = [
    await ask("GET", "/Accounts"),
    await ask("HEAD", "/Accounts"),
    await ask("OPTIONS", "/Accounts"),
    await ask("GET", "/Accounts/nothing"),
    await ask("GET", "/nothing"),
    await ask("DELETE", "/Invoices"),
    await ask("PUT", "/Items"),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 204, 404, 404, 501, 400]);
  expect(answers.map(left)).toEqual(
    answers.map((_, at) => [`${59 - at}`, `${4999 - at}`, `${9999 - at}`]),
  );
});

test("a call over the rate limit is answered with 503, a text and the headers of the limit", async () => {
  const at = { now: Date.now() };
  const ask = asking(await port({ rateLimit: "minute=2", clock: () => at.now }));
  await ask("GET", "/Items");
  at.now += 1500;
  await ask("GET", "/Items");
  const refused = await ask("GET", "/Items");
  expect(refused.status).toBe(503);
  expect(refused.headers.get("x-rate-limit-problem")).toBe("minute");
  expect(refused.headers.get("retry-after")).toBe("59");
  expect(left(refused)).toEqual(["0", "4998", "9998"]);
  expect(Object.fromEntries(new URLSearchParams(await refused.text()))).toEqual({
    oauth_problem: "rate limit exceeded",
    oauth_problem_advice: "An app may make 2 calls a minute; please wait before retrying",
  });
});

test("a call over the rate limit is answered with 429 without a body, where so configured", async () => {
  const ask = asking(await port({ rateLimit: "day=1", limitStatus: 429 }));
  await ask("GET", "/Items");
  const refused = await ask("GET", "/Items");
  expect([refused.status, await refused.text()]).toEqual([429, ""]);
  expect(refused.headers.get("x-rate-limit-problem")).toBe("day");
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(86_000);
  expect([refused.headers.get("content-type"), left(refused)]).toEqual([null, ["59", "0", "9999"]]);
});

test("too many concurrent calls are refused without a Retry-After header", async () => {
  const on = await port({ rateLimit: "concurrent=1" });
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(Buffer.from("{"));
      end = () => {
        controller.enqueue(Buffer.from('"Code":"A"}'));
        controller.close();
      };
    },
  });
  const headers = { authorization: `Bearer ${on.token}`, "content-type": "application/json" };
  const held = fetch(`${on.baseUrl}/Items`, {
    method: "PUT",
    headers,
    body,
    duplex: "half",
  } as RequestInit);
  const ask = asking(on);
  let answer = await ask("GET", "/Items");
  // The first may have been faster than the one whose body does not come.
  while (answer.status === 200) answer = await ask("GET", "/Items");
  expect(answer.headers.get("x-rate-limit-problem")).toBe("concurrent");
  expect(answer.headers.get("retry-after")).toBeNull();
  end();
  expect((await held).status).toBe(200);
  expect((await ask("GET", "/Items")).status).toBe(200);
});
