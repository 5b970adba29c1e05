import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Session, signedIn } from "../../../src/client/session/session.ts";
import { type SignIn, SignIns } from "../../../src/client/session/sign-ins.ts";
import { openWeb } from "../../../src/client/session/web.ts";
import { collect } from "../../../src/wire/body.ts";
import type { ServiceRequest } from "../../../src/wire/http.ts";
import { Authority } from "../../cli/authority.ts";

const minuteMs = 60_000;
let authority: Authority;
let folder: string;
let signIns: SignIns;
let now: number;
let said: string[];

beforeEach(async () => {
  authority = await new Authority().listen();
  folder = mkdtempSync(join(tmpdir(), "acct-session-"));
  signIns = new SignIns(folder);
  now = Date.UTC(2026, 2, 2);
  said = [];
});
afterEach(async () => {
  await authority.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A sign-in that was given half an hour. */
async function kept(): Promise<SignIn> {
  const signIn: SignIn = {
    id: "a",
    baseUrl: authority.baseUrl,
    issuer: authority.origin,
    tokenEndpoint: `${authority.origin}/token`,
    clientId: "till",
    grant: "authorization_code",
    scopes: ["accounting.transactions"],
    organisations: [],
    signedInAt: now,
    renewedAt: now,
    expiresAt: now + 30 * minuteMs,
    kept: "file",
    secrets: { accessToken: "access-0", refreshToken: authority.family() },
  };
  await signIns.save(signIn);
  return signIn;
}

function session(more: Partial<ConstructorParameters<typeof Session>[0]> = {}): Session {
  return new Session({
    signIns,
    id: "a",
    signInAgain: "acct auth login",
    clock: () => now,
    openWeb: () => openWeb({ userAgent: "test" }),
    notify: (message) => void said.push(message),
    ...more,
  });
}

describe("an access token", () => {
  test("an access token is used until a minute before its expiry", async () => {
    await kept();
    const own = session();
    expect(await own.accessToken()).toBe("access-0");
    now += 29 * minuteMs - 1;
    expect(await own.accessToken()).toBe("access-0");
    expect(authority.renewals).toBe(0);
    now += 1;
    expect(await own.accessToken()).toMatch(/^access-.{36}$/);
    expect([authority.renewals, (await signIns.read("a"))?.expiresAt]).toEqual([
      1,
      now + 30 * minuteMs,
    ]);
  });

  test("an access token renewed by another process is read from the disk", async () => {
    const before = await kept();
    const own = session();
    await own.accessToken();
    now += 30 * minuteMs;
    const secrets = { ...before.secrets, accessToken: "access-1" };
    await signIns.save({ ...before, secrets, renewedAt: now, expiresAt: now + 30 * minuteMs });
    expect(await own.accessToken()).toBe("access-1");
    expect(authority.asked).toEqual([]);
  });

  test("an access token is renewed once for all simultaneous requests", async () => {
    await kept();
    now += 30 * minuteMs;
    const own = session();
    const tokens = await Promise.all([1, 2, 3].map(() => own.accessToken()));
    expect([new Set(tokens).size, authority.renewals]).toEqual([1, 1]);
  });

  test("an access token that is still valid is used when its renewal fails, without retries for a while", async () => {
    await kept();
    now += 29 * minuteMs + 5_000;
    authority.faults.push("503", "503", "503");
    const own = session();
    expect([await own.accessToken(), await own.accessToken()]).toEqual(["access-0", "access-0"]);
    expect(authority.asked).toHaveLength(3);
    now += 10_000;
    expect(await own.accessToken()).toMatch(/^access-.{36}$/);
  });

  test("an access token is not renewed for a request with too little time left", async () => {
    await kept();
    now += 30 * minuteMs;
    await expect(session({ mayRenew: false }).accessToken()).rejects.toThrow(/has expired/);
    expect(authority.asked).toEqual([]);
  });
});

describe("a renewal of the access token", () => {
  test("the start of a token renewal is recorded on the disk before the request is sent", async () => {
    await kept();
    now += 30 * minuteMs;
    let noted: unknown;
    authority.faults.push(async () => {
      noted = signIns.about("a")?.renewingSince;
    });
    await session().accessToken();
    expect(noted).toBe(now);
    expect(signIns.about("a")?.renewingSince).toBeUndefined();
  });

  test("a renewed token that cannot be saved is used, and the old refresh token is sent again", async () => {
    const { secrets } = await kept();
    now += 30 * minuteMs;
    class Full extends SignIns {
      override save(): Promise<void> {
        return Promise.reject(new Error("no space left on device"));
      }
    }
    const token = await session({ signIns: new Full(folder) }).accessToken();
    expect(authority.accessTokens.has(token)).toBe(true);
    expect(said).toEqual([
      "Warning: the renewed sign-in could not be saved: no space left on device",
    ]);
    expect((await signIns.read("a"))?.secrets).toEqual(secrets);
    expect(await session().accessToken()).not.toBe(token);
    expect(authority.asked.map(({ refreshToken }) => refreshToken)).toEqual([
      secrets.refreshToken,
      secrets.refreshToken,
    ]);
  });

  test("an access token is renewed where the clock was changed since the sign-in", async () => {
    await kept();
    now += 30 * minuteMs;
    authority.extra = { id_token: "from another century" };
    expect(await session().accessToken()).toMatch(/^access-/);
  });

  test.each([
    ["no JSON", { status: 200, body: "<html>" }],
    ["no token", { status: 200, body: "{}" }],
    ["a page not found", { status: 404, body: "not here" }],
  ])("a token renewal answered with %s keeps the sign-in", async (_name, { status, body }) => {
    const { secrets } = await kept();
    now += 30 * minuteMs;
    const odd = await serving(status, body);
    const { port } = odd.address() as { port: number };
    signIns.note("a", { tokenEndpoint: `http://127.0.0.1:${port}/token` });
    await expect(session().accessToken()).rejects.toMatchObject({ code: "BadAnswer" });
    odd.close();
    expect(await signIns.read("a")).toMatchObject({ secrets, failed: { code: "BadAnswer" } });
    expect(signIns.about("a")?.endedAt).toBeUndefined();
  });

  test("a token renewal without a refresh token ends the sign-in", async () => {
    const { secrets, ...about } = await kept();
    await signIns.save({ ...about, secrets: { accessToken: secrets.accessToken } });
    now += 30 * minuteMs;
    await expect(session().accessToken()).rejects.toThrow("Signed out: run acct auth login.");
  });
});

function serving(status: number, body: string): Promise<Server> {
  const headers = { "content-type": "application/json" };
  const server = createServer((_, response) => void response.writeHead(status, headers).end(body));
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => resolve(server));
  });
}

async function* pieces() {
  yield Buffer.from("a");
}

describe("requests of a session", () => {
  const request: ServiceRequest = { method: "GET", path: "/Items", query: [], headers: {} };
  const expired = {
    status: 401,
    headers: {},
    body: JSON.stringify({ Detail: "TokenExpired: token expired at 1/1/2026" }),
  };

  test("requests whose token the service refuses are sent again with a new one", async () => {
    await kept();
    const unknown = { ...expired, body: JSON.stringify({ Detail: "AuthenticationUnsuccessful" }) };
    const sent: unknown[] = [];
    const transport = signedIn(async ({ headers }) => {
      sent.push(headers.authorization);
      return unknown;
    }, session());
    expect(await transport(request)).toMatchObject({ status: 401 });
    expect([new Set(sent).size, sent.length, authority.renewals]).toEqual([2, 2, 1]);
  });

  test("requests refused for lack of permission are not sent again", async () => {
    await kept();
    let sent = 0;
    const transport = signedIn(async () => {
      sent++;
      return { ...expired, body: JSON.stringify({ Detail: "AuthorizationUnsuccessful" }) };
    }, session());
    expect(await transport(request)).toMatchObject({ status: 401 });
    expect([sent, authority.renewals]).toEqual([1, 0]);
  });

  test("a request refused for an expired token sends its file again from the beginning, with a new token", async () => {
    await kept();
    const sent: string[] = [];
    const transport = signedIn(async ({ body = Buffer.of() }) => {
      sent.push(Buffer.from(await collect(body, 100)).toString());
      return sent.length === 1 ? expired : { status: 200, headers: {}, body: "" };
    }, session());
    const body = {
      async *[Symbol.asyncIterator]() {
        yield Buffer.from("a ");
        yield Buffer.from("file");
      },
    };
    expect(await transport({ ...request, method: "PUT", body })).toMatchObject({ status: 200 });
    expect([sent, authority.renewals]).toEqual([["a file", "a file"], 1]);
  });

  test.each([
    ["an iterator", pieces],
    ["a stream", () => Readable.from(pieces())],
  ])(
    "a request refused for an expired token is not sent again if its body is %s",
    async (_what, body) => {
      await kept();
      let sent = 0;
      const transport = signedIn(async () => {
        sent++;
        return expired;
      }, session());
      const put = { ...request, method: "PUT", body: body() };
      expect(await transport(put)).toMatchObject({ status: 401 });
      expect([sent, authority.renewals]).toEqual([1, 0]);
    },
  );

  test("a request that has an Authorization header of its own keeps it, and no token is renewed", async () => {
    await kept();
    const sent: unknown[] = [];
    const transport = signedIn(async ({ headers }) => {
      sent.push(headers.authorization);
      return expired;
    }, session());
    await transport({ ...request, headers: { authorization: "Bearer own" } });
    expect([sent, authority.renewals]).toEqual([["Bearer own"], 0]);
  });
});
