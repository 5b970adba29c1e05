import { expect, test } from "vitest";
import { registryIn, updateApp } from "../../../src/service/auth/apps.ts";
import { cachedMs } from "../../../src/service/auth/callers.ts";
import { connect, connectionsOf } from "../../../src/store/directory/connections.ts";
import { setMembership } from "../../../src/store/directory/people.ts";
import { createOrganisation } from "../../../src/store/records/organisations.ts";
import { organisation } from "../../store/samples.ts";
import { acted, tester } from "../../support/audit.ts";
import { faultsIn } from "../fixture.ts";
import {
  authoriseUrl,
  Browser,
  challenge,
  desk,
  employ,
  password,
  tenantsOn,
  unproven,
  verifier,
} from "./served.ts";
import { codeOf, exchange, redirect, scope, till } from "./tokens.ts";

test.each<[string, Record<string, string | undefined>, string]>([
  ["an unknown scope", { scope: "openid nonsense" }, "invalid_scope"],
  ["a scope of apps themselves", { scope: "app.connections" }, "invalid_scope"],
  ["no scope", { scope: undefined }, "invalid_request"],
  [
    "a plain challenge",
    { code_challenge: challenge, code_challenge_method: "plain" },
    "invalid_request",
  ],
  ["a token at once", { response_type: "token" }, "unsupported_response_type"],
  ["to ask nobody", { prompt: "none" }, "login_required"],
])(
  'an authorisation request with the fault "%s" is redirected to the app with an error',
  async (_, parameters, error) => {
    const app = await till();
    const asked = { client_id: app.id, redirect_uri: redirect, scope, state: "s", ...parameters };
    const { url } = await app.browser.open(authoriseUrl(app.at, asked));
    // What would not come in the query is not told there either.
    const query = new URLSearchParams(url.slice(redirect.length + 1));
    expect(url.startsWith(redirect)).toBe(true);
    expect([query.get("error"), query.get("state"), query.get("code")]).toEqual([error, "s", null]);
  },
);

test.each<[string, Record<string, string | undefined>, string]>([
  ["an unknown app", { client_id: "x" }, "not known to this server"],
  ["another address", { redirect_uri: `${redirect}/` }, "not registered"],
  [
    "an address in other letter case",
    { redirect_uri: "https://till.example/Back" },
    "not registered",
  ],
  ["no address", { redirect_uri: undefined }, "cannot be done"],
  ["markup for a name", { client_id: "<script>alert(1)</script>" }, "not known"],
])(
  'an authorisation request with the fault "%s" shows an error page, and does not redirect',
  async (_, parameters, sentence) => {
    const app = await till();
    const asked = { client_id: app.id, redirect_uri: redirect, scope, ...parameters };
    const { status, url, html, headers } = await app.browser.open(authoriseUrl(app.at, asked));
    expect([status, url.startsWith(app.at.origin)]).toEqual([400, true]);
    expect(html).toContain(sentence);
    expect(html).not.toContain("<script");
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  },
);

test("a public app must use PKCE, and its redirect URI may use any local port", async () => {
  const at = await desk();
  await employ(at);
  const { id } = await at.app({
    name: "Desk",
    kind: "pkce",
    redirectUris: ["http://127.0.0.1/back", "nz.example.desk:/back"],
  });
  const browser = new Browser(at.origin);
  const asked = { client_id: id, redirect_uri: "http://127.0.0.1:4711/back", scope };
  const without = await browser.open(authoriseUrl(at, { ...asked, ...unproven }));
  expect(new URL(without.url).searchParams.get("error")).toBe("invalid_request");
  const proven = { ...asked, code_challenge: challenge, code_challenge_method: "S256" };
  for (const redirect_uri of ["http://127.0.0.1:4711/back", "nz.example.desk:/back"]) {
    let page = await browser.open(authoriseUrl(at, { ...proven, redirect_uri }));
    if (page.html.includes('name="password"')) page = await browser.signIn(page);
    expect(page.headers.get("content-security-policy")).toContain(
      redirect_uri.startsWith("http")
        ? "'self' http://127.0.0.1:4711;"
        : "'self' nz.example.desk:;",
    );
    const form = { ...exchange(codeOf(await browser.allow(page))), redirect_uri, client_id: id };
    const wrong = await at.post("/connect/token", { ...form, code_verifier: `${verifier}x` });
    expect([wrong.status, wrong.json.error]).toEqual([400, "invalid_grant"]);
    const { status, json } = await at.post("/connect/token", { ...form, code_verifier: verifier });
    expect([status, json.token_type]).toEqual([200, "Bearer"]);
  }
  const strange = { ...proven, redirect_uri: "http://127.0.0.2:4711/back" };
  expect((await browser.open(authoriseUrl(at, strange))).html).toContain("not registered");
});

test("a browser that opens the server by another host name is redirected to its public host name", async () => {
  const app = await till();
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const local = url.replace("127.0.0.1", "localhost");
  const answer = await fetch(local, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location")]).toEqual([302, `${url}&sent_on=1`]);
  expect((await app.browser.open(local)).html).toContain('name="password"');
  // A proxy that hides by which name it was called does not send it on for ever.
  const again = await fetch(`${local}&sent_on=1`, { redirect: "manual" });
  expect(again.headers.get("location")).toContain("/identity/sign-in/");
});

test("behind a proxy with several host names, a browser is redirected to the public one before any cookie is set", async () => {
  const at = await desk({ publicUrl: "https://identity.books.example" });
  const { id } = await at.app({ name: "Till", redirectUris: [redirect] });
  const asked = { client_id: id, redirect_uri: redirect, scope: "openid" };
  const answer = await fetch(authoriseUrl(at, asked), { redirect: "manual" });
  expect(answer.headers.get("location")).toMatch(
    /^https:\/\/identity\.books\.example\/identity\/connect\/authorize\?.*&sent_on=1$/,
  );
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test("a web app must use PKCE, unless the server allows it without", async () => {
  const strict = await till();
  const asked = { redirect_uri: redirect, scope, ...unproven };
  const { url } = await strict.browser.open(
    authoriseUrl(strict.at, { ...asked, client_id: strict.id }),
  );
  expect(new URL(url).searchParams.get("error")).toBe("invalid_request");
  const lenient = await till(await desk({ pkceOptional: true }));
  const page = await lenient.browser.open(
    authoriseUrl(lenient.at, { ...asked, client_id: lenient.id }),
  );
  const allowed = await lenient.browser.allow(await lenient.browser.signIn(page));
  const { code_verifier: _, ...form } = exchange(codeOf(allowed));
  expect((await lenient.ask(form)).status).toBe(200);
});

test("a web app registered as without PKCE is accepted without it, and a request refused for lack of PKCE is logged", async () => {
  const told: string[] = [];
  const app = await till(await desk({ operations: { write: (lines) => void told.push(lines) } }));
  const asked = { redirect_uri: redirect, scope, ...unproven };
  const refused = await app.browser.open(authoriseUrl(app.at, { ...asked, client_id: app.id }));
  expect(new URL(refused.url).searchParams.get("error")).toBe("invalid_request");
  expect(told).toEqual([
    expect.stringMatching(
      `^[^ ]+ warn GET .* refused\n {4}Till sends no PKCE, so nobody is signed in; acct app update ${app.id} --without-pkce `,
    ),
  ]);
  const registry = registryIn(app.at.given.book.store, app.at.staff.tenant, Date.now, tester);
  await updateApp(registry, "Till", { withoutPkce: true });
  const page = await app.browser.open(authoriseUrl(app.at, { ...asked, client_id: app.id }));
  const allowed = await app.browser.allow(await app.browser.signIn(page));
  const { code_verifier: _, ...form } = exchange(codeOf(allowed));
  expect((await app.ask(form)).status).toBe(200);
  await updateApp(registry, "Till", { withoutPkce: false });
  const again = await app.browser.open(authoriseUrl(app.at, { ...asked, client_id: app.id }));
  expect(new URL(again.url).searchParams.get("error")).toBe("invalid_request");
  const desktop = await app.at.app({ name: "Desk", kind: "pkce", redirectUris: [redirect] });
  const open = await app.browser.open(authoriseUrl(app.at, { ...asked, client_id: desktop.id }));
  expect(new URL(open.url).searchParams.get("error")).toBe("invalid_request");
  await expect(updateApp(registry, "Desk", { withoutPkce: true })).rejects.toThrow(
    "Desk can keep no secret and is known by PKCE alone: only a web app does without PKCE.",
  );
  expect(await faultsIn(app.at.given)).toEqual([]);
});

test("scopes of other APIs are ignored in a request; a request with only such scopes is refused", async () => {
  const app = await till();
  const others =
    "payroll.employees payroll.settings.read files assets.read finance.statements.read";
  const { scope: given } = await app.tokens(`openid accounting.settings ${others} bankfeeds`);
  expect(given).toBe("openid accounting.settings");
  const asked = { client_id: app.id, redirect_uri: redirect, scope: "projects files.read" };
  const { url } = await app.browser.open(authoriseUrl(app.at, asked));
  expect(new URL(url).searchParams.get("error")).toBe("invalid_scope");
});

test.each([
  ["https://books.example", "max-age=31536000"],
  [undefined, null],
])("a server with the public address %s sends the HSTS header %s", async (publicUrl, told) => {
  const at = await desk(publicUrl === undefined ? {} : { publicUrl });
  for (const path of ["/health", "/api.xro/2.0/Organisation", "/connections", "/nowhere"]) {
    const { headers } = await fetch(`${at.origin}${path}`);
    if (path !== "/health") expect(headers.get("strict-transport-security")).toBe(told);
  }
});

test("scopes may be separated by plus signs, and unknown authorisation parameters are ignored", async () => {
  const app = await till();
  const asked = { client_id: app.id, redirect_uri: redirect, nonce: "n", acr_values: "x" };
  const url = `${authoriseUrl(app.at, asked)}&scope=accounting.settings+accounting.contacts`;
  const page = await app.browser.signIn(await app.browser.open(url));
  const { json } = await app.ask(exchange(codeOf(await app.browser.allow(page))));
  expect(json.scope).toBe("accounting.settings accounting.contacts");
});

test("sign-in pages carry a content security policy, and load nothing from other hosts", async () => {
  const app = await till();
  const asked = { client_id: app.id, redirect_uri: redirect, scope, login_hint: 'a"><b>@x' };
  const signIn = await app.browser.open(authoriseUrl(app.at, asked));
  expect(signIn.html).toContain('value="a&#34;&#62;&#60;b&#62;@x"');
  const consent = await app.browser.signIn(signIn);
  for (const { headers, html } of [signIn, consent]) {
    const policy = headers.get("content-security-policy") ?? "";
    const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? "";
    const hash = process.getBuiltinModule("node:crypto").hash("sha256", style, "base64");
    expect(policy).toContain(`'sha256-${hash}'`);
    expect(html).toMatch(/<html lang="en">[\s\S]*<meta name="viewport"[\s\S]*<title>[^<]+ – acct</);
    expect(html).not.toMatch(/<script|\bsrc=|style="|\bon\w+=/);
    for (const [, id] of html.matchAll(/<input id="([^"]+)"/g)) {
      expect(html).toContain(`<label for="${id}">`);
    }
  }
  expect(signIn.html).toContain('autocomplete="username"');
  expect(signIn.html).toContain('autocomplete="current-password"');
});

test("the consent page lists the permitted scopes, and for how long", async () => {
  const app = await till();
  const asked = {
    client_id: app.id,
    redirect_uri: redirect,
    scope: `${scope} accounting.contacts.read`,
  };
  const page = await app.browser.signIn(await app.browser.open(authoriseUrl(app.at, asked)));
  expect(page.html).toContain("Allow Till to work on your books?");
  expect(page.html).toContain("Ana Reid</strong> (ana@heron.example)");
  expect(page.html).toContain("<li>see and change invoices, bills, payments");
  expect(page.html).toContain("<li>see contacts</li>");
  expect(page.html).toContain("keeps this permission");
});

const elsewhere = "00000000-0000-7000-8000-00000000000c";

/** Whose person works for two organisations here, and for a third that this server does not hold. */
async function tillOfTwo() {
  const app = await till();
  const { at } = app;
  const second = { ...organisation(), OrganisationID: "00000000-0000-7000-8000-00000000000b" };
  await createOrganisation(at.given.book.store, { ...second, Name: "Auk & Sons" });
  const ana = await at.staff.directory.read(({ db }) =>
    db.selectFrom("person").select("id").executeTakeFirstOrThrow(),
  );
  for (const tenant of [second.OrganisationID, elsewhere]) {
    const membership = { personId: ana.id, tenant, role: "standard" } as const;
    await at.staff.directory.write((tx) => setMembership(acted(tx), membership, 1));
  }
  return { app, at, second, ana };
}

test("a user chooses organisations by name on the consent page, and the chosen ones are connected to the app", async () => {
  const { app, at, second } = await tillOfTwo();
  const asked = { client_id: app.id, redirect_uri: redirect, scope };
  const page = await app.browser.signIn(await app.browser.open(authoriseUrl(at, asked)));
  expect(page.html).toContain("Auk &#38; Sons");
  // Those that this server does not hold are not offered.
  expect(tenantsOn(page)).toEqual([second.OrganisationID, at.staff.tenant]);
  const none = await app.browser.allow(page, []);
  expect([none.status, none.html.includes("Choose at least one organisation.")]).toEqual([
    400,
    true,
  ]);
  expect(none.html).toContain('role="alert"');
  const strange = await app.browser.allow(page, [elsewhere]);
  expect(strange.status).toBe(400);
  const { json } = await app.ask(
    exchange(codeOf(await app.browser.allow(page, [at.staff.tenant]))),
  );
  const [first] = await app.connections(json.access_token);
  expect(first).toMatchObject({ tenantId: at.staff.tenant });
  // Allowing more adds to what there is, under the later event.
  const again = await app.browser.open(authoriseUrl(at, asked));
  expect(again.html).toMatch(/value="00000000-0000-7000-8000-000000000001" checked/);
  const more = await app.ask(
    exchange(codeOf(await app.browser.allow(again, [at.staff.tenant, second.OrganisationID]))),
  );
  const token = more.json.access_token;
  const all = await app.connections(token);
  expect(all).toHaveLength(2);
  const ofEvent = async (given: string) => {
    const claims = Buffer.from(given.split(".")[1] ?? "", "base64url").toString();
    const { authentication_event_id: event } = JSON.parse(claims);
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${at.origin}/connections?authEventId=${event}`, { headers })).json();
  };
  expect(await ofEvent(token)).toEqual(all);
  expect(await ofEvent(json.access_token)).toEqual([]);
  // With two, the organisation must be named; the book on this port is the first.
  expect(await app.status(token)).toBe(403);
  for (const tenant of ["x", elsewhere]) {
    expect(await app.status(token, undefined, { "xero-tenant-id": tenant })).toBe(403);
  }
  const named = { "Xero-Tenant-Id": at.staff.tenant.toUpperCase() };
  expect(await app.status(token, undefined, named)).toBe(200);
});

test("an organisation unticked on the consent page is disconnected, and one that was not listed stays connected", async () => {
  const { app, at, second, ana } = await tillOfTwo();
  const pairing = { appId: app.id, personId: ana.id };
  const made = { ...pairing, id: "c", tenant: elsewhere, authEventId: "e" };
  await at.staff.directory.write((tx) =>
    connect(acted(tx), { ...made, createdAt: 1, updatedAt: 1 }),
  );
  const connected = async () => {
    const found = await at.staff.directory.read((tx) => connectionsOf(tx, pairing));
    return found.map(({ tenant }) => tenant);
  };
  await app.tokens();
  const [first, other] = [at.staff.tenant, second.OrganisationID];
  expect((await connected()).toSorted()).toEqual([first, other, elsewhere]);
  const open = (wanted = scope) =>
    app.browser.open(
      authoriseUrl(at, { client_id: app.id, redirect_uri: redirect, scope: wanted }),
    );
  const page = await open();
  expect((await app.browser.allow(page, [])).status).toBe(400);
  expect(await connected()).toHaveLength(3);
  // Who is only signed in is offered no organisations.
  await app.browser.allow(await open("openid"));
  expect(await connected()).toHaveLength(3);
  const { json } = await app.ask(exchange(codeOf(await app.browser.allow(await open(), [other]))));
  expect((await connected()).toSorted()).toEqual([other, elsewhere]);
  expect(json.scope).toBe(scope);
  const named = { "xero-tenant-id": first };
  expect(await app.status(json.access_token, undefined, named)).toBe(403);
});

test("a connection is removed by its id, once, and only by its own app", async () => {
  const app = await till();
  const { origin } = app.at;
  const { access_token: token } = await app.tokens();
  const [connection] = await app.connections(token);
  const other = await till();
  expect(other.at.origin).not.toBe(origin);
  const remove = async (id: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${origin}/Connections/${id}`, { method: "DELETE", headers });
    return [answer.status, await answer.text()];
  };
  expect((await remove("x"))[0]).toBe(404);
  expect((await remove(app.at.staff.tenant))[0]).toBe(404);
  expect(await remove(connection?.id ?? "")).toEqual([204, ""]);
  expect((await remove(connection?.id ?? ""))[0]).toBe(404);
  expect(await app.connections(token)).toEqual([]);
  app.at.given.now += cachedMs;
  expect(await app.status(token)).toBe(403);
  expect((await fetch(`${origin}/connections`)).status).toBe(401);
  expect((await fetch(`${origin}/connections`, { method: "PUT" })).status).toBe(401);
});

test("a refused consent redirects to the app with access_denied", async () => {
  const app = await till();
  const asked = { client_id: app.id, redirect_uri: redirect, scope, state: "s" };
  const page = await app.browser.signIn(await app.browser.open(authoriseUrl(app.at, asked)));
  const { url } = await app.browser.submit(page, [["choice", "deny"]]);
  expect(new URL(url).searchParams.get("error")).toBe("access_denied");
});

test("after one user has signed in, another user can sign in in the same browser", async () => {
  const app = await till();
  await employ(app.at, "bob@heron.example", "read-only");
  await app.tokens();
  const asked = { client_id: app.id, redirect_uri: redirect, scope };
  const page = await app.browser.open(authoriseUrl(app.at, asked));
  expect(page.html).toContain("ana@heron.example");
  const signIn = await app.browser.submit(page, [["choice", "switch"]]);
  expect(signIn.html).toContain('name="password"');
  const consent = await app.browser.signIn(signIn, "bob@heron.example");
  expect(consent.html).toContain("bob@heron.example");
  const { json } = await app.ask(exchange(codeOf(await app.browser.allow(consent))));
  expect(await app.status(json.access_token)).toBe(200);
  // And who is asked to sign in again may come back as another.
  const again = await app.browser.open(authoriseUrl(app.at, { ...asked, prompt: "login" }));
  const back = await app.browser.signIn(again, "ana@heron.example");
  expect(back.html).toContain("ana@heron.example");
});

test("a sign-in form is accepted only from the page and the browser that it was sent to", async () => {
  const app = await till();
  const { origin } = app.at;
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const page = await app.browser.open(url);
  const typed = { email: "ana@heron.example", password };
  const proof = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
  const post = (browser: Browser, form: Record<string, string>, headers = {}) =>
    browser.open(page.url, { method: "POST", body: new URLSearchParams(form), headers });
  for (const [browser, form, headers] of [
    [app.browser, typed, {}],
    [app.browser, { ...typed, proof: "x" }, {}],
    [app.browser, { ...typed, proof }, { origin: "https://evil.example" }],
    [app.browser, { ...typed, proof }, { origin: "null" }],
    [new Browser(origin), { ...typed, proof }, { origin }],
  ] as const) {
    const { status, html } = await post(browser, form, headers);
    expect([status, html.includes("has expired")]).toEqual([400, true]);
  }
  const large = { ...typed, proof, more: "x".repeat(70_000) };
  expect((await post(app.browser, large, { origin })).status).toBe(400);
  expect((await post(app.browser, { ...typed, proof }, { origin })).html).toContain("Allow Till");
  const gone = await app.browser.open(page.url);
  expect([gone.status, gone.html.includes("has expired")]).toEqual([400, true]);
});

test("a sign-in that was begun half an hour ago has expired", async () => {
  const app = await till();
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const page = await app.browser.open(url);
  app.at.given.now += 30 * 60_000;
  expect((await app.browser.signIn(page)).status).toBe(400);
});

test.each([
  ["and by https where it is behind one", "https://books.example"],
  ["by http where it has no other", undefined],
])("sign-in cookies are restricted to the server's own pages, %s", async (_, publicUrl) => {
  const at = await desk(publicUrl === undefined ? {} : { publicUrl });
  const { id } = await at.app({ name: "Till", redirectUris: [redirect] });
  const asked = { client_id: id, redirect_uri: redirect, scope: "openid" };
  const answer = await fetch(`${authoriseUrl(at, asked)}&sent_on=1`, { redirect: "manual" });
  expect(answer.headers.get("location")).toMatch(
    new RegExp(`^(${publicUrl ?? at.origin})?/identity/sign-in/`),
  );
  const cookies = answer.headers.getSetCookie();
  expect(cookies.length).toBeGreaterThan(2);
  for (const cookie of cookies) {
    expect(cookie).toMatch(/; path=\/identity\//);
    expect(cookie).toMatch(/; samesite=lax/i);
    expect(cookie).toMatch(/; httponly/i);
    expect(/; secure/i.test(cookie)).toBe(publicUrl !== undefined);
  }
});
