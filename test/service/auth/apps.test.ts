import { sql } from "kysely";
import { expect, test } from "vitest";
import { signClaims } from "../../../src/service/auth/access-tokens.ts";
import {
  findApp,
  issueToken,
  listApps,
  registerApp,
  registryIn,
  renewSecret,
  type TenantRegistry,
  unregisterApp,
} from "../../../src/service/auth/apps.ts";
import { cachedMs, callersFor, callersOf } from "../../../src/service/auth/callers.ts";
import { hashOf } from "../../../src/service/auth/secrets.ts";
import { allScopes } from "../../../src/service/request/scopes.ts";
import { secretHashOf } from "../../../src/store/directory/apps.ts";
import { directoryTables } from "../../../src/store/schema/definitions/directory-tables.ts";
import { guid } from "../../store/samples.ts";
import { tester } from "../../support/audit.ts";
import { type World, world } from "../fixture.ts";
import { keepTestKey } from "./test-key.ts";

const issuer = "https://books.example";
const halfAnHourMs = 30 * 60_000;

async function registry(): Promise<{ given: World; apps: TenantRegistry }> {
  const given = await world();
  const { store, tenant } = given.book;
  const apps = registryIn(store, tenant, () => given.now, tester);
  await keepTestKey(apps.directory);
  return { given, apps };
}

function recogniser({ directory, clock, tenant }: TenantRegistry) {
  return callersFor(
    callersOf(directory, clock, () => issuer),
    { org: 1, OrganisationID: tenant },
  );
}

/** Every row of the directory, as one text. */
function dump({ directory }: TenantRegistry): Promise<string> {
  return directory.read(async ({ db }) => {
    const lines: string[] = [];
    for (const table of Object.keys(directoryTables)) {
      const { rows } = await sql<object>`select * from ${sql.ref(table)}`.execute(db);
      lines.push(...rows.map((row) => `${table} ${JSON.stringify(row)}`));
    }
    return lines.join("\n");
  });
}

const ann = { user: "Ann", email: "ann@x.example", role: "STANDARD", reports: true } as const;
const bearer = (token: string, more = {}) => ({
  headers: { authorization: `Bearer ${token}`, ...more },
});

test("an app is found by its name in any letter case, or by its client id", async () => {
  const { apps } = await registry();
  const { app } = await registerApp(apps, { name: "  Till " }, guid(1));
  expect(app).toMatchObject({ id: guid(1), name: "Till", kind: "machine", tenant: apps.tenant });
  expect(await findApp(apps, "TILL")).toEqual(app);
  expect(await findApp(apps, guid(1).toUpperCase())).toEqual(app);
  await expect(findApp(apps, "Tills")).rejects.toThrow("There is no app Tills.");
  const taken = registerApp(apps, { name: "tíll" }, guid(2));
  await expect(taken).rejects.toThrow("There is an app tíll already.");
  for (const name of ["", "  ", "x".repeat(101)]) {
    await expect(registerApp(apps, { name }, guid(3))).rejects.toThrow("1 to 100 characters");
  }
  expect(await listApps(apps)).toEqual([app]);
  expect(await listApps({ ...apps, tenant: guid(7) })).toEqual([]);
  expect(await listApps({ ...apps, tenant: undefined })).toEqual([app]);
});

test("a machine app of one organisation is not found by another organisation", async () => {
  const { apps } = await registry();
  const { app } = await registerApp(apps, { name: "Till" }, guid(1));
  const other = { ...apps, tenant: guid(7) };
  const none = { code: "NotFound", message: "There is no app Till." };
  await expect(findApp(other, "Till")).rejects.toMatchObject(none);
  await expect(issueToken(other, "Till", ann)).rejects.toMatchObject(none);
  await expect(renewSecret(other, "Till")).rejects.toMatchObject(none);
  await expect(unregisterApp(other, "Till")).rejects.toMatchObject(none);
  expect(await findApp({ ...apps, tenant: undefined }, "Till")).toEqual(app);
  const uris = { redirectUris: ["https://till.example/back"] };
  const { app: web } = await registerApp(apps, { name: "Web", ...uris }, guid(2));
  expect(await findApp(other, "Web")).toEqual(web);
});

test("an app with a redirect URI is registered as a web app; a public client gets no secret", async () => {
  const { apps } = await registry();
  const redirectUris = ["https://till.example/back", "http://localhost:8080/back"];
  const { app, secret } = await registerApp(apps, { name: "Web", redirectUris }, guid(1));
  expect(app).toMatchObject({ kind: "web", tenant: undefined, redirectUris });
  expect(secret).toMatch(/^[\w-]{43}$/);
  const desk = { name: "Desk", kind: "pkce", redirectUris: ["nz.example.desk:/back"] } as const;
  expect((await registerApp(apps, desk, guid(2))).secret).toBeUndefined();
  await expect(renewSecret(apps, "Desk")).rejects.toThrow("can keep no secret");
});

test.each([
  ["web", [], "needs a redirect URI"],
  ["machine", ["https://x.example"], "signs nobody in"],
  ["web", ["http://x.example/"], "must begin with https"],
  ["web", ["nz.example.desk:/back"], "must begin with https"],
  ["pkce", ["javascript:alert(1)"], "no domain turned round"],
  ["pkce", ["http://127.0.0.1.x.example/"], "must begin with https"],
  ["web", ["https://x.example/#a"], "has a fragment"],
  ["web", ["https://x.example/#"], "has a fragment"],
  ["web", ["https://a:b@x.example/"], "has a user"],
  ["web", ["https://*.x.example/"], "is no address"],
  ["web", ["https://x.example;sandbox/"], "is no address"],
  ["web", ["/back"], "is no address"],
  ["web", ["https://x.example/a b"], "is no address"],
  ["web", [`https://x.example/${"a".repeat(2000)}`], "is too long"],
  ["web", Array.from({ length: 51 }, (_, at) => `https://x.example/${at}`), "at most 50"],
] as const)("a %s app with the redirect URIs %j is refused", async (kind, uris, why) => {
  const { apps } = await registry();
  const made = registerApp(apps, { name: "X", kind, redirectUris: [...uris] }, guid(1));
  await expect(made).rejects.toMatchObject({ code: "ValidationException" });
  await expect(made).rejects.toThrow(why);
});

test("a new secret of an app replaces its old secret", async () => {
  const { apps } = await registry();
  const { secret } = await registerApp(apps, { name: "Till" }, guid(1));
  const other = await renewSecret(apps, "till");
  expect(other).not.toBe(secret);
  expect(await apps.directory.read((tx) => secretHashOf(tx, guid(1)))).toBe(hashOf(other));
});

test("no secret and no token is stored in the book", async () => {
  const { apps } = await registry();
  const { secret } = await registerApp(apps, { name: "Till" }, guid(1));
  const { token } = await issueToken(apps, "till", ann);
  const rows = await dump(apps);
  expect(rows).toContain("app {");
  for (const hidden of [secret, token, ...token.split(".")]) expect(rows).not.toContain(hidden);
});

test("an access token identifies the app, the user and the organisation for half an hour", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, { name: "Till" }, guid(1));
  const { token, expiresAt } = await issueToken(apps, "Till", { ...ann, reports: false });
  const recognise = recogniser(apps);
  expect(expiresAt).toBe(given.now + halfAnHourMs);
  const { tenant } = apps;
  const scopes = new Set(allScopes);
  const who = { ...ann, reports: false, scopes, tenant };
  const principal = { org: 1, app: guid(1), appName: "Till", ...who };
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

test("a request with a missing, malformed or foreign access token is answered with 401", async () => {
  const { apps } = await registry();
  await registerApp(apps, { name: "Till" }, guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const other = await registry();
  await other.apps.directory.write(({ db }) => db.deleteFrom("directory_key").execute());
  await registerApp(other.apps, { name: "Till" }, guid(1));
  const [head = "", claims = "", signature = ""] = token.split(".");
  const unsigned = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString("base64url");
  const recognise = recogniser(apps);
  for (const authorization of [
    undefined,
    "",
    "Bearer",
    "Bearer ",
    token,
    `Basic ${token}`,
    `Bearer ${token.slice(1)}`,
    `Bearer ${token} ${token}`,
    `Bearer ${token}.${signature}`,
    `Bearer ${head}.${claims}`,
    `Bearer ${head}.${claims}.`,
    `Bearer ${unsigned}.${claims}.`,
    `Bearer ${unsigned}.${claims}.${signature}`,
    `Bearer ${head}.${Buffer.from("{}").toString("base64url")}.${signature}`,
    `Bearer ${(await issueToken(other.apps, "Till", ann)).token}`,
    "Bearer e30.e30.e30",
    "Bearer ....",
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

test("a request for an organisation other than the token's is answered with 403", async () => {
  const { apps } = await registry();
  await registerApp(apps, { name: "Till" }, guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const recognise = recogniser(apps);
  for (const tenant of ["", " ", apps.tenant, apps.tenant.toUpperCase()]) {
    await recognise(bearer(token, { "xero-tenant-id": tenant }));
  }
  for (const tenant of [guid(9), "x"]) {
    await expect(recognise(bearer(token, { "xero-tenant-id": tenant }))).rejects.toMatchObject({
      code: "AuthenticationUnsuccessful",
      status: 403,
    });
  }
});

test("the access token of a user whose consent was withdrawn is answered with 401", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, { name: "Web", redirectUris: ["https://x.example/"] }, guid(1));
  const now = given.now / 1000;
  const claims = {
    iss: issuer,
    aud: `${issuer}/resources`,
    client_id: guid(1),
    iat: now,
    nbf: now,
    exp: now + 60,
    jti: "j",
    scope: [],
  };
  const recognise = recogniser(apps);
  for (const more of [{}, { sub: guid(5), authentication_event_id: guid(6) }]) {
    const token = await signClaims(apps.directory, apps.clock, { ...claims, ...more });
    await expect(recognise(bearer(token))).rejects.toMatchObject({ status: 401 });
  }
});

test.each([
  ["of the server", { iss: issuer, aud: `${issuer}/resources` }, true],
  ["of another server", { iss: "https://x.example", aud: "https://x.example/resources" }, false],
  [
    "of another server for this one",
    { iss: "https://x.example", aud: `${issuer}/resources` },
    false,
  ],
  ["for another server", { iss: issuer, aud: "https://x.example/resources" }, false],
  ["for an app", { iss: issuer, aud: guid(1) }, false],
  ["issued like the command line's own", { iss: "acct", aud: "acct/resources" }, false],
])(
  "an access token %s is accepted only with the right issuer and audience",
  async (_, from, counts) => {
    const { given, apps } = await registry();
    await registerApp(apps, { name: "Robot" }, guid(1));
    const now = given.now / 1000;
    const claims = { client_id: guid(1), iat: now, nbf: now, exp: now + 60, jti: "j", scope: [] };
    const token = await signClaims(apps.directory, apps.clock, { ...claims, ...from });
    const asked = recogniser(apps)(bearer(token));
    if (counts) expect(await asked).toMatchObject({ app: guid(1), user: "Robot" });
    else await expect(asked).rejects.toMatchObject({ status: 401 });
  },
);

test("the tokens of a removed app are refused immediately", async () => {
  const { given, apps } = await registry();
  await registerApp(apps, { name: "Till" }, guid(1));
  const { token } = await issueToken(apps, "Till", ann);
  const recognise = recogniser(apps);
  await recognise(bearer(token));
  expect((await unregisterApp(apps, "till")).id).toBe(guid(1));
  given.now += cachedMs;
  await expect(recognise(bearer(token))).rejects.toMatchObject({ status: 401 });
  expect(await listApps(apps)).toEqual([]);
});
