/** The token endpoint: each of its errors, how long everything counts, and refreshing. */
import { expect, test } from "vitest";
import { registryIn, renewSecret, unregisterApp } from "../../../src/service/auth/apps.ts";
import { cachedMs } from "../../../src/service/auth/callers.ts";
import { findMember } from "../../../src/service/auth/people.ts";
import { connectionsOf } from "../../../src/store/directory/connections.ts";
import { tester } from "../../support/audit.ts";
import { authoriseUrl, desk } from "./served.ts";
import { codeOf, exchange, redirect, scope, type Till, till } from "./tokens.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`,
});

test("a token response has the tokens for the requested scope, and must not be cached", async () => {
  const app = await till();
  const { at } = app;
  const { status, headers, json } = await app.ask(exchange(codeOf(await app.allowed())));
  expect(status).toBe(200);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(json).toEqual({
    access_token: expect.any(String),
    id_token: expect.any(String),
    refresh_token: expect.any(String),
    expires_in: 1800,
    token_type: "Bearer",
    scope,
  });
  const basicly = await at.post(
    "/connect/token",
    exchange(codeOf(await app.allowed("accounting.transactions"))),
    basic(app.id, encodeURIComponent(app.secret)),
  );
  // Neither an id token nor a refresh token comes unasked.
  expect(Object.keys(basicly.json).sort()).toEqual([
    "access_token",
    "expires_in",
    "scope",
    "token_type",
  ]);
  // It gets what it asks for, and not what it was allowed before.
  expect(basicly.json.scope).toBe("accounting.transactions");
});

test.each<[string, (app: Till) => Promise<Record<string, string>>, string]>([
  ["an unknown code", async () => exchange("x"), "invalid_grant"],
  [
    "another redirect_uri",
    async (app) => ({ ...exchange(codeOf(await app.allowed())), redirect_uri: `${redirect}/` }),
    "invalid_grant",
  ],
  [
    "another verifier",
    async (app) => ({ ...exchange(codeOf(await app.allowed())), code_verifier: "x".repeat(43) }),
    "invalid_grant",
  ],
  [
    "an unknown refresh token",
    async () => ({ grant_type: "refresh_token", refresh_token: "x" }),
    "invalid_grant",
  ],
  ["an unknown client", async () => ({ ...exchange("x"), client_id: "x" }), "invalid_client"],
  ["a wrong secret", async () => ({ ...exchange("x"), client_secret: "x" }), "invalid_client"],
  ["no grant", async () => ({ code: "x" }), "invalid_request"],
  [
    "no code",
    async () => ({ grant_type: "authorization_code", redirect_uri: redirect }),
    "invalid_request",
  ],
  ["no refresh token", async () => ({ grant_type: "refresh_token" }), "invalid_request"],
  ["an unknown grant", async () => ({ grant_type: "password" }), "unsupported_grant_type"],
  [
    "a grant of another kind of app",
    async () => ({ grant_type: "client_credentials" }),
    "unauthorized_client",
  ],
  [
    "more than was allowed",
    async (app) => ({
      grant_type: "refresh_token",
      refresh_token: (await app.tokens()).refresh_token ?? "",
      scope: "accounting.contacts",
    }),
    "invalid_scope",
  ],
])('a token request with the fault "%s" is refused', async (_, form, error) => {
  const app = await till();
  const { status, json, headers } = await app.ask(await form(app));
  expect([status, json.error]).toEqual([400, error]);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("www-authenticate")).toBeNull();
});

test.each(["/connect/token", "/connect/revocation"])(
  "a wrong client secret or id sent with Basic authentication to %s is answered with 401 and a challenge",
  async (path) => {
    const app = await till();
    for (const id of [app.id, "x"]) {
      const asked = { ...exchange("x"), token: "x" };
      const { status, json, headers } = await app.at.post(path, asked, basic(id, "x"));
      expect([status, json.error]).toEqual([401, "invalid_client"]);
      expect(headers.get("www-authenticate")).toBe('Basic realm="apps"');
      expect(headers.get("cache-control")).toBe("no-store");
    }
  },
);

test("an authorisation code or refresh token of another app is refused", async () => {
  const app = await till();
  const other = await app.at.app({ name: "Other", redirectUris: [redirect] });
  const as = { client_id: other.id, client_secret: other.secret };
  const code = codeOf(await app.allowed());
  expect((await app.ask({ ...exchange(code), ...as })).json.error).toBe("invalid_grant");
  const { json } = await app.ask(exchange(code));
  const asked = { grant_type: "refresh_token", refresh_token: json.refresh_token };
  expect((await app.ask({ ...asked, ...as })).json.error).toBe("invalid_grant");
  expect((await app.refresh(json.refresh_token)).status).toBe(200);
});

test("a new app secret is valid at once, and the old one no longer; a removed app is an unknown client", async () => {
  const app = await till();
  const registry = registryIn(
    app.at.given.book.store,
    app.at.staff.tenant,
    app.at.staff.clock,
    tester,
  );
  const { access_token: token, refresh_token: refresh } = await app.tokens();
  const client_secret = await renewSecret(registry, "Till");
  expect((await app.refresh(refresh)).json.error).toBe("invalid_client");
  const asked = { grant_type: "refresh_token", refresh_token: refresh ?? "", client_secret };
  const { status, json } = await app.ask(asked);
  expect([status, await app.status(token)]).toEqual([200, 200]);
  await unregisterApp(registry, "Till");
  app.at.given.now += cachedMs;
  const again = { ...asked, refresh_token: json.refresh_token };
  expect((await app.ask(again)).json.error).toBe("invalid_client");
  expect(await app.status(json.access_token)).toBe(401);
});

test("an authorisation code is valid once, for five minutes; its second use revokes its tokens", async () => {
  const app = await till();
  const { given } = app.at;
  const late = codeOf(await app.allowed());
  given.now += 5 * minute;
  expect((await app.ask(exchange(late))).json.error).toBe("invalid_grant");
  const code = codeOf(await app.allowed());
  given.now += 5 * minute - 1;
  const { json } = await app.ask(exchange(code));
  expect(await app.status(json.access_token)).toBe(200);
  expect((await app.ask(exchange(code))).json.error).toBe("invalid_grant");
  given.now += cachedMs;
  expect(await app.status(json.access_token)).toBe(401);
  expect((await app.refresh(json.refresh_token)).json.error).toBe("invalid_grant");
});

test("of two simultaneous uses of an authorisation code, one gets tokens and the other is refused", async () => {
  const app = await till();
  const asked = exchange(codeOf(await app.allowed()));
  const answers = await Promise.all([app.ask(asked), app.ask(asked), app.ask(asked)]);
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
});

test("an access token is valid for half an hour", async () => {
  const app = await till();
  const { given, origin } = app.at;
  const { access_token: token } = await app.tokens();
  given.now += 30 * minute - 1;
  expect(await app.status(token)).toBe(200);
  given.now += 1;
  expect(await app.status(token)).toBe(401);
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${origin}/connections`, { headers });
  expect(answer.status).toBe(401);
  expect((await answer.json()) as object).toMatchObject({
    Status: 401,
    Title: "Unauthorized",
    Detail: "TokenExpired: token expired at 02/28/2026 23:30:00",
  });
});

test("a refresh token is valid for 60 days from its issue, and is replaced at each use", async () => {
  const app = await till();
  const { given } = app.at;
  const { refresh_token: first } = await app.tokens();
  given.now += 60 * day - 1;
  const { json } = await app.refresh(first);
  expect(json).toMatchObject({ expires_in: 1800, token_type: "Bearer", scope });
  expect(json.refresh_token).not.toBe(first);
  expect(await app.status(json.access_token)).toBe(200);
  given.now += 60 * day;
  expect((await app.refresh(json.refresh_token)).json.error).toBe("invalid_grant");
});

test("a used refresh token is accepted again for half an hour", async () => {
  const app = await till();
  const { given } = app.at;
  const { refresh_token: first } = await app.tokens();
  const lost = (await app.refresh(first)).json;
  given.now += 10 * minute;
  const again = (await app.refresh(first)).json;
  expect(again.refresh_token).not.toBe(lost.refresh_token);
  expect(await app.status(again.access_token)).toBe(200);
  // Also when what the first answer brought has been used since, and counted from the first use.
  const next = (await app.refresh(lost.refresh_token)).json;
  given.now += 20 * minute - 1;
  expect((await app.refresh(first)).status).toBe(200);
  expect((await app.refresh(next.refresh_token)).status).toBe(200);
});

test("reuse of a refresh token after half an hour revokes all tokens issued from it", async () => {
  const app = await till();
  const { given } = app.at;
  const other = await app.tokens();
  const { refresh_token: first } = await app.tokens();
  const { json } = await app.refresh(first);
  given.now += 30 * minute;
  const fresh = (await app.refresh(json.refresh_token)).json;
  expect(await app.status(fresh.access_token)).toBe(200);
  expect((await app.refresh(first)).json.error).toBe("invalid_grant");
  given.now += cachedMs;
  expect(await app.status(fresh.access_token)).toBe(401);
  expect((await app.refresh(fresh.refresh_token)).json.error).toBe("invalid_grant");
  // The same person's other sign-in with the app goes on.
  expect((await app.refresh(other.refresh_token)).status).toBe(200);
});

test("fifty simultaneous refreshes with one token all get valid tokens", async () => {
  const app = await till();
  const { refresh_token: token } = await app.tokens();
  const answers = await Promise.all(Array.from({ length: 50 }, () => app.refresh(token)));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const refreshed = new Set(answers.map(({ json }) => json.refresh_token));
  expect(refreshed.size).toBe(50);
});

test("revoking a token ends the user's tokens and connections with the app at once", async () => {
  const app = await till();
  const { at, id, secret } = app;
  const elsewhere = await app.tokens();
  const { access_token: token, refresh_token: refresh = "" } = await app.tokens();
  expect(await app.status(token)).toBe(200);
  const person = await findMember(at.staff, "ana@heron.example");
  const connected = () =>
    at.staff.directory.read((tx) => connectionsOf(tx, { appId: id, personId: person.id }));
  const form = { token: refresh, client_id: id, client_secret: secret };
  const other = await at.app({ name: "Other", redirectUris: [redirect] });
  const strange = { token: refresh, client_id: other.id, client_secret: other.secret };
  expect((await at.post("/connect/revocation", strange)).status).toBe(200);
  expect(await connected()).toHaveLength(1);
  const { status, text } = await at.post("/connect/revocation", form);
  expect([status, text]).toEqual([200, ""]);
  expect(await connected()).toEqual([]);
  at.given.now += cachedMs;
  for (const given of [token, elsewhere.access_token]) expect(await app.status(given)).toBe(401);
  for (const given of [refresh, elsewhere.refresh_token]) {
    expect((await app.refresh(given)).json.error).toBe("invalid_grant");
  }
  const again = await app.tokens("offline_access accounting.contacts");
  expect(again.scope).toBe("offline_access accounting.contacts");
  expect(await app.connections(again.access_token)).toHaveLength(1);
});

test("revoking one of several sign-ins keeps the connections; revoking the last one removes them", async () => {
  const app = await till();
  const { at, id, secret } = app;
  const laptop = await app.tokens();
  const desktop = await app.tokens();
  const { json: turned } = await app.refresh(laptop.refresh_token);
  const revoke = async (token = "", asked: Record<string, string> = {}) => {
    const form = { token, client_id: id, client_secret: secret, ...asked };
    const { status } = await at.post("/connect/revocation", form);
    expect(status).toBe(200);
    at.given.now += cachedMs;
  };
  const alone = { only_this_sign_in: "true" };
  await revoke(turned.refresh_token, alone);
  for (const { access_token: token } of [laptop, turned]) expect(await app.status(token)).toBe(401);
  for (const { refresh_token: token } of [laptop, turned]) {
    expect((await app.refresh(token)).json.error).toBe("invalid_grant");
  }
  expect(await app.status(desktop.access_token)).toBe(200);
  const { json: next } = await app.refresh(desktop.refresh_token);
  expect(await app.connections(next.access_token)).toHaveLength(1);
  // Revoked again, or by somebody who guesses, it ends nothing else.
  await revoke(turned.refresh_token, alone);
  await revoke("guessed", alone);
  expect(await app.status(next.access_token)).toBe(200);
  await revoke(next.refresh_token, alone);
  const person = await findMember(at.staff, "ana@heron.example");
  const pairing = { appId: id, personId: person.id };
  expect(await at.staff.directory.read((tx) => connectionsOf(tx, pairing))).toEqual([]);
});

test("a removed connection is removed for every sign-in of the user with the app", async () => {
  const app = await till();
  const [laptop, desktop] = [await app.tokens(), await app.tokens()];
  const [{ id } = { id: "" }] = await app.connections(laptop.access_token);
  const removed = await fetch(`${app.at.origin}/connections/${id}`, {
    method: "DELETE",
    headers: { authorization: `Bearer ${laptop.access_token}` },
  });
  expect(removed.status).toBe(204);
  app.at.given.now += cachedMs;
  expect(await app.connections(desktop.access_token)).toEqual([]);
  expect(await app.status(desktop.access_token)).toBe(403);
});

test.each(["x", "e30.e30.e30", ""])(
  "revoking %j, which is not a token, is answered without an error",
  async (token) => {
    const app = await till();
    const { at, id, secret } = app;
    const form = { token, client_id: id, client_secret: secret };
    const { status, json, text } = await at.post("/connect/revocation", form);
    if (token === "") expect([status, json.error]).toEqual([400, "invalid_request"]);
    else expect([status, text]).toEqual([200, ""]);
    const wrong = await at.post("/connect/revocation", { ...form, client_secret: "x" });
    expect([wrong.status, wrong.json.error]).toEqual([400, "invalid_client"]);
  },
);

test("a machine app gets only an access token, for its own organisation", async () => {
  const at = await desk();
  const { id, secret } = await at.app({ name: "Robot" });
  const ask = (form: Record<string, string>) =>
    at.post("/connect/token", {
      grant_type: "client_credentials",
      client_id: id,
      client_secret: secret,
      ...form,
    });
  // Some libraries send `scopes`, with nothing in it.
  const { status, json } = await ask({ scopes: "undefined", scope: "accounting.settings.read" });
  expect(status).toBe(200);
  expect(Object.keys(json).sort()).toEqual(["access_token", "expires_in", "scope", "token_type"]);
  expect(json.scope).toBe("accounting.settings.read");
  const claims = JSON.parse(Buffer.from(json.access_token.split(".")[1], "base64url").toString());
  for (const absent of ["sub", "xero_userid", "email"]) expect(claims).not.toHaveProperty(absent);
  expect(claims).toMatchObject({ client_id: id, scope: ["accounting.settings.read"] });
  const authorization = `Bearer ${json.access_token}`;
  const { tenant } = at.staff;
  const get = async (path: string, headers: Record<string, string> = {}) =>
    fetch(`${at.origin}${path}`, { headers: { authorization, ...headers } });
  const root = "/api.xro/2.0";
  expect((await get(`${root}/Organisation`)).status).toBe(200);
  expect((await get(`${root}/Organisation`, { "Xero-Tenant-Id": "" })).status).toBe(200);
  expect((await get(`${root}/Organisation`, { "xero-tenant-id": tenant })).status).toBe(200);
  expect((await get(`${root}/Organisation`, { "xero-tenant-id": id })).status).toBe(403);
  expect((await get(`${root}/Invoices`)).status).toBe(401);
  const connections = await (await get("/connections")).json();
  expect(connections).toMatchObject([{ tenantId: tenant, tenantName: "Heron Lane Ltd" }]);
  expect(await (await get("/connections")).json()).toEqual(connections);
  // Without a scope it gets what it may have.
  expect((await ask({})).json.scope).toContain("accounting.transactions accounting.settings");
  expect((await ask({ scope: "app.connections" })).status).toBe(200);
  for (const scope of ["openid", "nonsense", "accounting.settings nonsense"]) {
    const refused = await ask({ scope });
    expect([refused.status, refused.json.error]).toEqual([400, "invalid_scope"]);
  }
});

test("who has signed in is told, as far as the token's scopes go, and nobody of a machine", async () => {
  const app = await till();
  const { origin } = app.at;
  const told = async (token = "") => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}/connect/userinfo`, { headers });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const full = await app.tokens("openid profile email accounting.settings");
  const sub = expect.stringMatching(/^[0-9a-f-]{36}$/);
  expect(await told(full.access_token)).toEqual({
    status: 200,
    sub,
    email: "ana@heron.example",
    name: "Ana Reid",
    given_name: "Ana",
    family_name: "Reid",
    preferred_username: "ana@heron.example",
  });
  const brief = await app.tokens("openid accounting.settings");
  expect(await told(brief.access_token)).toEqual({ status: 200, sub });
  const silent = await app.tokens("accounting.settings");
  expect(await told(silent.access_token)).toMatchObject({ status: 403 });
  expect(await told("x")).toMatchObject({ status: 401 });
  const found = await fetch(`${origin}/.well-known/openid-configuration`);
  expect(await found.json()).toMatchObject({ userinfo_endpoint: `${origin}/connect/userinfo` });
});

test("a person signs in for the tools of agents, whose token is good for nothing else", async () => {
  const { at, id, browser, ask, status } = await till();
  const resource = `${at.origin}/mcp`;
  const asked = { client_id: id, redirect_uri: redirect, scope, state: "s", resource };
  const page = await browser.allow(
    await browser.signIn(await browser.open(authoriseUrl(at, asked))),
  );
  const { json } = await ask(exchange(codeOf(page)));
  const again = await ask({ grant_type: "refresh_token", refresh_token: json.refresh_token });
  for (const token of [json.access_token, again.json.access_token]) {
    const claims = JSON.parse(Buffer.from(token.split(".")[1], "base64url").toString());
    expect(claims.aud).toBe(resource);
    expect(await status(token)).toBe(401);
  }
  const other = { ...asked, resource: "https://elsewhere.example/mcp" };
  const { url } = await browser.open(authoriseUrl(at, other));
  expect(new URL(url).searchParams.get("error")).toBe("invalid_target");
});
