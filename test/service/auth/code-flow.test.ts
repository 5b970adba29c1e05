/** From an app's first redirect to its tokens, as a client library does it. */
import * as oauth from "oauth4webapi";
import { expect, test } from "vitest";
import { textOf } from "../../web/browsing.ts";
import {
  authoriseUrl,
  Browser,
  type Desk,
  desk,
  employ,
  keepOldPasswords,
  type Shown,
} from "./served.ts";

const insecure = { [oauth.allowInsecureRequests]: true };
const scope =
  "openid profile email offline_access accounting.transactions accounting.settings.read";
const here = "http://127.0.0.1:4711/back";

/** An app on a person's machine, with all that its library knows. */
async function library(at: Desk) {
  const made = { name: "Desk", kind: "pkce", redirectUris: ["http://127.0.0.1/back"] } as const;
  const { id } = await at.app(made);
  const issuer = new URL(at.origin);
  const found = await oauth.discoveryRequest(issuer, insecure);
  const server = await oauth.processDiscoveryResponse(issuer, found);
  const client = (): oauth.Client => ({
    client_id: id,
    [oauth.clockSkew]: Math.round((at.given.now - Date.now()) / 1000),
  });
  const verifier = oauth.generateRandomCodeVerifier();
  const url = authoriseUrl(at, {
    client_id: id,
    redirect_uri: here,
    scope,
    state: "s",
    nonce: "n",
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
  });
  const tokens = async (back: Shown) => {
    const query = oauth.validateAuthResponse(server, client(), new URL(back.url), "s");
    const answer = await oauth.authorizationCodeGrantRequest(
      server,
      client(),
      oauth.None(),
      query,
      here,
      verifier,
      insecure,
    );
    const found = await oauth.processAuthorizationCodeResponse(server, client(), answer, {
      expectedNonce: "n",
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(server, answer, insecure);
    return found;
  };
  const refresh = async (token: string) => {
    const none = oauth.None();
    const answer = await oauth.refreshTokenGrantRequest(server, client(), none, token, insecure);
    return oauth.processRefreshTokenResponse(server, client(), answer);
  };
  const revoke = async (token: string) => {
    const none = oauth.None();
    const answer = await oauth.revocationRequest(server, client(), none, token, insecure);
    await oauth.processRevocationResponse(answer);
  };
  return { id, server, url, tokens, refresh, revoke };
}

const claimsOf = (token: string) =>
  JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

const guid = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);

test("the OAuth discovery document lists the endpoints of the API", async () => {
  const at = await desk();
  const { server } = await library(at);
  const { origin } = at;
  expect(server).toMatchObject({
    issuer: origin,
    authorization_endpoint: `${origin}/identity/connect/authorize`,
    token_endpoint: `${origin}/connect/token`,
    revocation_endpoint: `${origin}/connect/revocation`,
    jwks_uri: `${origin}/.well-known/openid-configuration/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    code_challenge_methods_supported: ["S256"],
    only_this_sign_in_supported: true,
  });
  expect(server.grant_types_supported?.toSorted()).toEqual([
    "authorization_code",
    "client_credentials",
    "refresh_token",
  ]);
  expect(server.token_endpoint_auth_methods_supported?.toSorted()).toEqual([
    "client_secret_basic",
    "client_secret_post",
    "none",
  ]);
  expect(server.scopes_supported).toEqual(
    expect.arrayContaining(["openid", "accounting.invoices.read", "app.connections"]),
  );
  const { keys } = (await (await fetch(server.jwks_uri ?? "")).json()) as { keys: object[] };
  const text = expect.any(String);
  expect(keys).toEqual([{ kty: "RSA", use: "sig", alg: "RS256", kid: text, n: text, e: "AQAB" }]);
});

test("whose password is too short for today's rules chooses another before an app is allowed", async () => {
  const at = await desk();
  await employ(at);
  await keepOldPasswords(at);
  const { url, tokens } = await library(at);
  const browser = new Browser(at.origin);
  const send = (page: Shown, next?: string) => {
    const typed = [["email", "ana@heron.example"] as const, ["password", "correct horse"] as const];
    return browser.submit(page, next === undefined ? typed : [...typed, ["new", next] as const]);
  };
  const asked = await send(await browser.open(url));
  expect([asked.status, textOf(asked.html)]).toEqual([
    400,
    expect.stringMatching(/Choose a new password .*Your password no longer suffices. .*15 to 1024/),
  ]);
  const refused = await send(asked, "iloveyouiloveyou");
  expect([refused.status, textOf(refused.html)]).toEqual([
    400,
    expect.stringContaining("That password is guessed soon"),
  ]);
  const consent = await send(refused, "kiln and clay and glaze");
  expect(consent.html).toContain("Allow Desk to work on your books?");
  expect(await tokens(await browser.allow(consent))).toMatchObject({ token_type: "bearer" });
  const other = new Browser(at.origin);
  const old = await other.signIn(await other.open(url), undefined, "correct horse");
  expect(old.html).toContain("The email address or the password is not right.");
});

test("an app gets tokens by the authorisation code flow with PKCE, and reads records with them", async () => {
  const at = await desk();
  const ana = await employ(at);
  const { id, url, tokens } = await library(at);
  const browser = new Browser(at.origin);
  const consent = await browser.signIn(await browser.open(url));
  expect(consent.html).toContain("Allow Desk to work on your books?");
  expect(consent.html).toContain("Heron Lane Ltd");
  const back = await browser.allow(consent);
  expect(back.url.startsWith(`${here}?`)).toBe(true);
  const query = new URL(back.url).searchParams;
  expect(query.get("scope")).toBe(scope);
  expect(query.get("session_state")).toMatch(/^[\w-]+\.[\w-]+$/);
  const given = await tokens(back);
  expect(given).toMatchObject({ expires_in: 1800, token_type: "bearer", scope });
  const now = at.given.now / 1000;
  expect(claimsOf(given.access_token)).toEqual({
    iss: at.origin,
    aud: `${at.origin}/resources`,
    client_id: id,
    sub: ana.id,
    xero_userid: ana.id,
    authentication_event_id: guid,
    scope: scope.split(" "),
    nbf: now,
    iat: now,
    exp: now + 1800,
    auth_time: now,
    idp: "local",
    amr: ["pwd"],
    jti: expect.any(String),
    sid: expect.any(String),
    global_session_id: expect.any(String),
  });
  expect(claimsOf(given.id_token ?? "")).toEqual({
    iss: at.origin,
    aud: id,
    sub: ana.id,
    nonce: "n",
    nbf: now,
    iat: now,
    exp: now + 300,
    auth_time: now,
    at_hash: expect.any(String),
    sid: expect.any(String),
    global_session_id: expect.any(String),
    xero_userid: ana.id,
    preferred_username: "ana@heron.example",
    email: "ana@heron.example",
    given_name: "Ana",
    family_name: "Reid",
    name: "Ana Reid",
  });
  const headers = { authorization: `Bearer ${given.access_token}`, accept: "application/json" };
  const connections = await (await fetch(`${at.origin}/Connections`, { headers })).json();
  expect(connections).toEqual([
    {
      id: guid,
      authEventId: claimsOf(given.access_token).authentication_event_id,
      tenantId: at.staff.tenant,
      tenantType: "ORGANISATION",
      tenantName: "Heron Lane Ltd",
      createdDateUtc: "2026-02-28T23:00:00.0000000",
      updatedDateUtc: "2026-02-28T23:00:00.0000000",
    },
  ]);
  const answer = await fetch(`${at.origin}/api.xro/2.0/Organisation`, { headers });
  expect(answer.status).toBe(200);
});

test("an OAuth client library can refresh and revoke its tokens", async () => {
  const at = await desk();
  await employ(at);
  const { url, tokens, refresh, revoke } = await library(at);
  const browser = new Browser(at.origin);
  const given = await tokens(await browser.allow(await browser.signIn(await browser.open(url))));
  const next = await refresh(given.refresh_token ?? "");
  expect(next).toMatchObject({ expires_in: 1800, scope });
  expect(claimsOf(next.access_token).authentication_event_id).toBe(
    claimsOf(given.access_token).authentication_event_id,
  );
  expect(claimsOf(next.id_token ?? "")).toMatchObject({ nonce: "n", email: "ana@heron.example" });
  await revoke(next.refresh_token ?? "");
  await expect(refresh(next.refresh_token ?? "")).rejects.toMatchObject({
    error: "invalid_grant",
    status: 400,
  });
});
