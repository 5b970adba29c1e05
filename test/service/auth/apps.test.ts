import { expect, test } from "vitest";
import {
  findApp,
  issueToken,
  listApps,
  type Registry,
  registerApp,
  tokenLifeMs,
  unregisterApp,
} from "../../../src/service/auth/apps.ts";
import { believedMs, callersOf } from "../../../src/service/auth/callers.ts";
import { organisations } from "../../../src/store/organisations.ts";
import { dump } from "../../store/books.ts";
import { guid } from "../../store/samples.ts";
import { type World, world } from "../fixture.ts";

async function registry(): Promise<{ given: World; apps: Registry }> {
  const given = await world();
  const { store, org } = given.book;
  return { given, apps: { store, org, clock: () => given.now } };
}

async function callers({ store, clock }: Registry) {
  const [owner] = await organisations(store);
  if (owner === undefined) throw new Error("The book has no organisation.");
  return { owner, recognise: callersOf(store, owner, clock) };
}

const ann = { user: "Ann", email: "ann@x.example", role: "STANDARD", reports: true } as const;
const bearer = (token: string, more = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});

test("an app is known by its name in any letter case, and by its client id", async () => {
  const { apps } = await registry();
  const { app } = await registerApp(apps, "  Till ", guid(1));
  expect(app).toMatchObject({ id: guid(1), name: "Till" });
  expect(await findApp(apps, "TILL")).toEqual(app);
  expect(await findApp(apps, guid(1).toUpperCase())).toEqual(app);
  await expect(findApp(apps, "Tills")).rejects.toThrow("There is no app Tills.");
  await expect(registerApp(apps, "tíll", guid(2))).rejects.toThrow("There is an app tíll already.");
  for (const name of ["", "  ", "x".repeat(101)]) {
    await expect(registerApp(apps, name, guid(3))).rejects.toThrow("1 to 100 characters");
  }
  expect(await listApps(apps)).toEqual([app]);
});

test("neither a secret nor a token is in the book", async () => {
  const { apps } = await registry();
  const { secret } = await registerApp(apps, "Till", guid(1));
  const { token } = await issueToken(apps, "till", ann);
  const rows = await apps.store.read(apps.org, dump);
  expect(rows).toContain("access_token");
  for (const hidden of [secret, token]) {
    expect(hidden).toMatch(/^[\w-]{43}$/);
    expect(rows).not.toContain(hidden);
  }
});

test("a token tells the app, the user and the organisation, for half an hour", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, "Till", guid(1));
  const { token, expiresAt } = await issueToken(apps, "Till", { ...ann, reports: false });
  const { recognise } = await callers(apps);
  expect(expiresAt).toBe(given.now + tokenLifeMs);
  const principal = { org: 1, app: guid(1), appName: "Till", ...ann, reports: false };
  expect(await recognise(bearer(token))).toEqual(principal);
  expect(await recognise({ headers: { authorization: `OAuth  ${token}` } })).toEqual(principal);
  given.now = expiresAt - 1;
  expect(await recognise(bearer(token))).toEqual(principal);
  given.now = Date.UTC(2026, 2, 1, 21, 14, 7);
  await expect(recognise(bearer(token))).rejects.toMatchObject({
    code: "TokenExpired",
    status: 401,
    message: "token expired at 02/28/2026 23:30:00",
  });
});

test("what is no token of the book is 401", async () => {
  const { apps } = await registry();
  await registerApp(apps, "Till", guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const { recognise } = await callers(apps);
  for (const authorization of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token} ${token}`,
    `Bearer ${"x".repeat(100_000)}`,
    "Bearer ' or 1=1 --",
  ]) {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    await expect(recognise({ headers }), authorization).rejects.toMatchObject({
      code: "AuthenticationUnsuccessful",
      status: 401,
    });
  }
});

test("another organisation than the token's is 403", async () => {
  const { apps } = await registry();
  await registerApp(apps, "Till", guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const { owner, recognise } = await callers(apps);
  for (const tenant of ["", " ", owner.OrganisationID, owner.OrganisationID.toUpperCase()]) {
    await recognise(bearer(token, { "xero-tenant-id": tenant }));
  }
  for (const tenant of [guid(9), "x"]) {
    await expect(recognise(bearer(token, { "xero-tenant-id": tenant }))).rejects.toMatchObject({
      code: "AuthenticationUnsuccessful",
      status: 403,
    });
  }
});

test("an app that is removed is locked out within a moment", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, "Till", guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const { recognise } = await callers(apps);
  await recognise(bearer(token));
  expect((await unregisterApp(apps, "till")).id).toBe(guid(1));
  given.now += believedMs;
  await expect(recognise(bearer(token))).rejects.toMatchObject({ status: 401 });
  expect(await listApps(apps)).toEqual([]);
});

test("tokens that expired a day ago are forgotten when the next is given", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, "Till", guid(1));
  const count = async () =>
    (await apps.store.read(apps.org, dump)).match(/^access_token /gm)?.length;
  await issueToken(apps, "Till", ann);
  await issueToken(apps, "Till", ann);
  expect(await count()).toBe(2);
  given.now += tokenLifeMs + 24 * 3_600_000 + 1;
  await issueToken(apps, "Till", ann);
  expect(await count()).toBe(1);
});
