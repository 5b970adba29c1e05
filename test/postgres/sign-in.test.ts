/** Signing in to two processes on one database: whatever one of them gave, the other knows. */
import { afterAll, expect, test } from "vitest";
import { serve } from "../../src/admin/serve-book.ts";
import { cachedMs } from "../../src/service/auth/callers.ts";
import { authoriseUrl, Browser, desk } from "../service/auth/served.ts";
import { codeOf, exchange, redirect, scope, till } from "../service/auth/tokens.ts";
import { closeShared } from "./organisations.ts";

afterAll(closeShared);

test("codes, tokens, wrong passwords and revocations of one server process take effect in all others", async () => {
  const at = await desk();
  const app = await till(at);
  const second = await serve(at.given.book.path, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    clock: () => at.given.now,
    publicUrl: at.origin,
  });
  const client = { client_id: app.id, client_secret: app.secret };
  const ask = async (form: Record<string, string>) => {
    const body = new URLSearchParams({ ...client, ...form });
    const answer = await fetch(`${second.origin}/connect/token`, { method: "POST", body });
    return { status: answer.status, json: (await answer.json()) as Record<string, string> };
  };
  const reads = async (origin: string, token = "") => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${origin}/api.xro/2.0/Organisation`, { headers })).status;
  };

  // A code of the one is worth tokens at the other, once, however many ask at once.
  const code = codeOf(await app.allowed());
  const exchanges = await Promise.all(
    [app.ask, ask, app.ask, ask].map((each) => each(exchange(code))),
  );
  expect(exchanges.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);

  // Fifty refresh one token at both.
  const given = await app.tokens();
  const refreshing = { grant_type: "refresh_token", refresh_token: given.refresh_token ?? "" };
  const refreshed = await Promise.all(
    Array.from({ length: 50 }, (_, each) => (each % 2 === 0 ? ask : app.ask)(refreshing)),
  );
  expect(refreshed.map(({ status }) => status)).toEqual(refreshed.map(() => 200));
  expect(new Set(refreshed.map(({ json }) => json.refresh_token)).size).toBe(50);
  const [one] = refreshed;
  const token = one?.json.access_token;
  expect([await reads(at.origin, token), await reads(second.origin, token)]).toEqual([200, 200]);

  // What is revoked at the one stops at the other.
  const body = new URLSearchParams({ ...client, token: one?.json.refresh_token ?? "" });
  await fetch(`${second.origin}/connect/revocation`, { method: "POST", body });
  at.given.now += cachedMs;
  expect([await reads(at.origin, token), await reads(second.origin, token)]).toEqual([401, 401]);

  // Many guesses at once are not all looked at.
  const url = authoriseUrl(at, { client_id: app.id, redirect_uri: redirect, scope });
  const guesses = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const browser = new Browser(at.origin);
      return (await browser.signIn(await browser.open(url), "nobody@heron.example")).status;
    }),
  );
  expect(guesses.sort()).toEqual([400, 400, 400, 400, 400, ...Array<number>(7).fill(429)]);
  await second.close();
});
