/** A new signing key: no token is refused before its time, in any process of the server. */
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../src/admin/serve-book.ts";
import { cachedMs } from "../../../src/service/auth/callers.ts";
import { rotateKeys } from "../../../src/service/auth/key-rotation.ts";
import { keysFor } from "../../../src/store/directory/keys.ts";
import { tester } from "../../support/audit.ts";
import { till } from "./tokens.ts";

const minuteMs = 60_000;

/** A server of two processes, with an app that works at both. */
async function twoProcesses() {
  const app = await till();
  const { given, origin, staff } = app.at;
  const clock = () => given.now;
  const second = await serve(given.book.path, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    clock,
    publicUrl: origin,
  });
  onTestFinished(() => second.close());
  const both = [origin, second.origin];
  const statuses = (token = "") =>
    Promise.all(
      both.map(async (at) => {
        const headers = { authorization: `Bearer ${token}`, accept: "application/json" };
        return (await fetch(`${at}/api.xro/2.0/Organisation`, { headers })).status;
      }),
    );
  const keysAt = async (at: string) => {
    const answer = await fetch(`${at}/.well-known/openid-configuration/jwks`);
    const { keys } = (await answer.json()) as { keys: readonly { kid: string }[] };
    return keys.map(({ kid }) => kid).toSorted();
  };
  const server = {
    directory: staff.directory,
    tenant: undefined,
    organisations: async () => [],
    close: async () => undefined,
  };
  const rotate = () => rotateKeys(server, clock, tester);
  return { app, given, staff, both, statuses, keysAt, rotate };
}

const kidOf = (token = "") =>
  JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;

test("tokens are taken by both processes all through a rotation, and those of the former key end with the last of them", async () => {
  const { app, given, statuses, rotate } = await twoProcesses();
  let { access_token: token, refresh_token: refresh } = await app.tokens();
  const first = kidOf(token);
  expect(await statuses(token)).toEqual([200, 200]);
  const { kid, until } = await rotate();
  const kids: string[] = [];
  for (let minute = 0; minute < 8; minute += 1) {
    const { json } = await app.refresh(refresh);
    [token, refresh] = [json.access_token, json.refresh_token];
    kids.push(kidOf(token));
    expect([minute, ...(await statuses(token))]).toEqual([minute, 200, 200]);
    expect(kidOf(json.id_token)).toBe(kidOf(token));
    given.now += minuteMs;
  }
  expect([...new Set(kids)]).toEqual([first, kid]);
  expect(kids.filter((each) => each === first).length).toBeLessThanOrEqual(3);
  given.now = until;
  const { json } = await app.refresh(refresh);
  expect(await statuses(json.access_token)).toEqual([200, 200]);
});

test("a token of the former key is refused when the rotation is over, by a process that has seen no other key", async () => {
  const { app, given, staff, statuses, keysAt, both, rotate } = await twoProcesses();
  const { access_token: token } = await app.tokens();
  expect(await statuses(token)).toEqual([200, 200]);
  const { kid, until } = await rotate();
  const { verifierOf } = await import("../../../src/service/auth/access-tokens.ts");
  const verify = verifierOf(
    staff.directory,
    () => given.now,
    () => app.at.origin,
  );
  given.now = until - 1;
  expect(await verify(token ?? "")).toBeDefined();
  given.now = until + minuteMs;
  expect(await verify(token ?? "")).toBeUndefined();
  for (const at of both) expect(await keysAt(at)).toEqual([kid]);
  given.now += cachedMs;
  expect(await statuses(token)).toEqual([401, 401]);
});

test("keys that are over are deleted by the next rotation, and those of cookies and plans stay", async () => {
  const { given, staff, rotate } = await twoProcesses();
  const ids = (use: "token" | "cookie") =>
    staff.directory.read(async (tx) => (await keysFor(tx, use)).map(({ id }) => id));
  const cookies = await ids("cookie");
  const first = await rotate();
  const second = await rotate();
  expect(await ids("token")).toEqual([second.kid, first.kid, "token-1"]);
  given.now = second.until;
  const third = await rotate();
  expect(await ids("token")).toEqual([third.kid, second.kid]);
  expect(await ids("cookie")).toEqual(cookies);
});
