/** The port of `acct view`: the key is good once, and nothing is shown without the cookie. */
import { request } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "../../src/client/client.ts";
import { openView } from "../../src/web/local.ts";
import { world } from "../service/fixture.ts";

interface Answered {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
}

/** Asks with any headers, such as another host, which `fetch` would set itself. */
function ask(
  url: string,
  headers: Record<string, string> = {},
  { method = "GET", body = "" } = {},
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const form = body === "" ? {} : { "content-type": "application/x-www-form-urlencoded" };
    const asked = request(url, { method, headers: { ...form, ...headers } }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.on("end", () =>
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }),
      );
    });
    asked.on("error", reject).end(body);
  });
}

async function opened(mayWrite = true) {
  const given = await world();
  const bugs: unknown[] = [];
  const view = await openView({
    client: createClient(given.book.transport, { unitDecimals: 4, rollsBack: true }),
    clock: () => given.now,
    port: 0,
    mayWrite,
    report: (error) => void bugs.push(error),
  });
  onTestFinished(async () => {
    await view.close();
    expect(bugs).toEqual([]);
  });
  const { origin } = new URL(view.url);
  const signIn = async () => {
    const { headers } = await ask(view.url);
    return { cookie: String(headers["set-cookie"]?.[0]?.split(";")[0]) };
  };
  return { given, url: view.url, origin, signIn };
}

describe("the one-time key of acct view", () => {
  test("the key of acct view is exchanged for a cookie hidden from scripts and other sites", async () => {
    const { url, origin } = await opened();
    const { status, headers } = await ask(url);
    expect(status).toBe(303);
    expect(headers.location).toBe("/");
    const { port } = new URL(origin);
    expect(headers["set-cookie"]).toEqual([
      expect.stringMatching(
        new RegExp(`^acct_view_${port}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`),
      ),
    ]);
  });

  test("the key of acct view is refused after its first use, even in the browser that used it", async () => {
    const { url, signIn } = await opened();
    await signIn();
    const again = await ask(url);
    expect([again.status, again.headers["set-cookie"]]).toEqual([403, undefined]);
    expect(again.text).toContain("good once");
  });

  test("the key of acct view is not used up by a prefetch, by another method, or by a wrong key", async () => {
    const { url, origin } = await opened();
    for (const [address, headers, options] of [
      [url, { "sec-purpose": "prefetch" }, {}],
      [url, {}, { method: "HEAD" }],
      [`${origin}/?key=wrong`, {}, {}],
      [`${origin}/?key=`, {}, {}],
      [url.replace("/?", "/invoices?"), {}, {}],
      [url, { host: "evil.example" }, {}],
    ] as const) {
      expect((await ask(address, headers, options)).status, address).toBe(403);
    }
    expect((await ask(url)).status).toBe(303);
  });
});

describe("acct view without its cookie", () => {
  test("without the cookie of acct view every page, style, script and file is refused", async () => {
    const { origin, signIn } = await opened();
    const cookie = await signIn();
    const page = await ask(`${origin}/`, cookie);
    const assets = [...page.text.matchAll(/(?:href|src)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path,
    );
    expect(assets).toHaveLength(2);
    for (const path of ["/", "/invoices", "/api.xro/2.0/Invoices", "/openapi.json", ...assets]) {
      const { status, text } = await ask(`${origin}${path}`);
      expect(status, path).toBe(403);
      expect(text).not.toContain("Heron Lane");
    }
    for (const path of assets) expect((await ask(`${origin}${path}`, cookie)).status).toBe(200);
  });

  test.each([
    { cookie: "acct_view_1=x" },
    { cookie: "acct_view=; acct_view_" },
    { authorization: "Bearer x" },
  ])(
    "pages of acct view are refused with a wrong cookie or another kind of authorisation: %j",
    async (headers) => {
      const { origin } = await opened();
      expect((await ask(`${origin}/`, headers as unknown as Record<string, string>)).status).toBe(
        403,
      );
    },
  );
});

describe("pages of acct view with the cookie", () => {
  test("acct view shows its pages with the cookie, and does not serve the API", async () => {
    const { origin, signIn } = await opened();
    const cookie = await signIn();
    expect((await ask(`${origin}/`, cookie)).text).toContain("Heron Lane");
    expect((await ask(`${origin}/api.xro/2.0/Invoices`, cookie)).status).toBe(404);
  });

  test("acct view redirects the address of a page on a server to its own page", async () => {
    const { origin, signIn } = await opened();
    const served = `${origin}/books/00000000-0000-4000-8000-000000000000`;
    const cookie = await signIn();
    const { status, headers } = await ask(`${served}/invoices?status=PAID`, cookie);
    expect([status, headers.location]).toEqual([303, "/invoices?status=PAID"]);
    const twice = await ask(`${served}//evil.example`, cookie);
    expect(twice.headers.location).toBe("/evil.example");
  });

  test("a request to acct view by another host name, as in DNS rebinding, is refused", async () => {
    const { origin, signIn } = await opened();
    const cookie = await signIn();
    const { port } = new URL(origin);
    for (const host of [
      `evil.example:${port}`,
      "127.0.0.1",
      `127.0.0.1.:${port}`,
      `[::1]:${port}`,
    ]) {
      expect((await ask(`${origin}/`, { ...cookie, host })).status, host).toBe(403);
    }
    expect((await ask(`${origin}/`, { ...cookie, host: `localhost:${port}` })).status).toBe(200);
  });

  test("a form sent to acct view from another site is refused, even from another port of this computer", async () => {
    const { origin, signIn } = await opened();
    const cookie = await signIn();
    const form = { method: "POST", body: "do=ignore" };
    const path = `${origin}/bank/090/reconcile`;
    for (const from of ["null", "http://127.0.0.1:1", "https://evil.example", undefined]) {
      const headers = { ...cookie, ...(from === undefined ? {} : { origin: from }) };
      expect((await ask(path, headers, form)).status, from).toBe(403);
    }
    const { status, text } = await ask(path, { ...cookie, origin }, form);
    expect([status, text]).toEqual([400, expect.stringContaining("no longer good")]);
  });

  test("a request to acct view with another method or body is refused with a short text", async () => {
    const { origin, signIn } = await opened();
    const cookie = { ...(await signIn()), origin };
    expect((await ask(`${origin}/`, cookie, { method: "DELETE" })).status).toBe(405);
    const json = { ...cookie, "content-type": "application/json" };
    expect((await ask(`${origin}/`, json, { method: "POST", body: "{}" })).status).toBe(400);
    const large = { method: "POST", body: `x=${"y".repeat(100_000)}` };
    expect((await ask(`${origin}/`, cookie, large)).status).toBe(400);
  });

  test("two acct view processes on one computer do not overwrite each other's cookie", async () => {
    const [one, other] = [await opened(), await opened()];
    const cookies = [(await one.signIn()).cookie, (await other.signIn()).cookie].join("; ");
    expect((await ask(`${one.origin}/`, { cookie: cookies })).status).toBe(200);
    expect((await ask(`${other.origin}/`, { cookie: cookies })).status).toBe(200);
  });
});
