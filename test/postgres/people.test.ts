/** People of two processes on one database: signing keys that change, and a code that counts once. */
import { expect, test } from "vitest";
import { serve } from "../../src/admin/serve-book.ts";
import { rotateKeys } from "../../src/service/auth/key-rotation.ts";
import { findMember } from "../../src/service/auth/people.ts";
import { useCode } from "../../src/service/auth/totp.ts";
import { giveSecondFactor } from "../service/auth/factors.ts";
import { desk } from "../service/auth/served.ts";
import { till } from "../service/auth/tokens.ts";
import { tester } from "../support/audit.ts";

test("tokens of the new and the former key are taken by both processes, and a code of a second factor counts once", async () => {
  const at = await desk({}, "alone");
  const app = await till(at);
  const { given, origin, staff } = at;
  const clock = () => given.now;
  const second = await serve(given.book.path, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    clock,
    publicUrl: origin,
  });
  const statuses = (token = "") =>
    Promise.all(
      [origin, second.origin].map(async (each) => {
        const headers = { authorization: `Bearer ${token}` };
        return (await fetch(`${each}/api.xro/2.0/Organisation`, { headers })).status;
      }),
    );
  const kidOf = (token = "") =>
    JSON.parse(Buffer.from(token.split(".")[0] ?? "", "base64url").toString()).kid;
  let tokens = await app.tokens();
  const first = kidOf(tokens.access_token);
  expect(await statuses(tokens.access_token)).toEqual([200, 200]);
  const server = { directory: staff.directory, tenant: undefined, organisations: async () => [] };
  const { kid } = await rotateKeys({ ...server, close: async () => undefined }, clock, tester);
  const kids: string[] = [];
  for (let minute = 0; minute < 4; minute += 1) {
    tokens = (await app.refresh(tokens.refresh_token)).json;
    kids.push(kidOf(tokens.access_token));
    expect([minute, ...(await statuses(tokens.access_token))]).toEqual([minute, 200, 200]);
    given.now += 60_000;
  }
  expect([kids[0], kids.at(-1)]).toEqual([first, kid]);

  const person = await findMember(staff, "ana@heron.example");
  const { codeNow } = await giveSecondFactor(at, person);
  const uses = await Promise.all(
    Array.from({ length: 10 }, () =>
      staff.directory.write((tx) => useCode(tx, person.id, codeNow(), given.now)),
    ),
  );
  expect(uses.filter(Boolean)).toHaveLength(1);
  await second.close();
});
