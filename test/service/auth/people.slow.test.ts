/** People who sign in: their passwords, their roles, and what is kept of all that. */
import { sql } from "kysely";
import { expect, test } from "vitest";
import { cachedMs } from "../../../src/service/auth/callers.ts";
import {
  addMember,
  changePassword,
  changeRole,
  removeMember,
  unlock,
} from "../../../src/service/auth/people.ts";
import {
  type PasswordOutcome,
  signIn,
  untilReset,
} from "../../../src/service/auth/sign-in/passwords-tried.ts";
import { directoryTables } from "../../../src/store/schema/definitions/directory-tables.ts";
import { authoriseUrl, Browser, employ, password } from "./served.ts";
import { codeOf, exchange, redirect, scope, till } from "./tokens.ts";

test("wrong passwords are answered with increasing delay, the same for unknown users", async () => {
  const app = await till();
  const { given } = app.at;
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const shown: string[][] = [];
  for (const email of ["ana@heron.example", "nobody@heron.example"]) {
    const browser = new Browser(app.at.origin);
    let page = await browser.open(url);
    const seen: string[] = [];
    for (let tries = 0; tries < 7; tries += 1) {
      page = await browser.signIn(page, email, "wrong password");
      const said = /<a href="#email">([^<]*)</.exec(page.html)?.[1] ?? "";
      seen.push(`${page.status} ${page.headers.get("retry-after") ?? "-"} ${said}`);
    }
    shown.push(seen);
    const right = await browser.signIn(page, email);
    expect(right.status).toBe(429);
  }
  const wrong = "400 - The email address or the password is not right.";
  const held = "429 5 There were too many wrong passwords. Wait 5 seconds and try again.";
  expect(shown[0]).toEqual([wrong, wrong, wrong, wrong, wrong, held, held]);
  expect(shown[1]).toEqual(shown[0]);
  given.now += 5_000;
  const browser = new Browser(app.at.origin);
  const page = await browser.signIn(await browser.open(url), undefined, "wrong again");
  expect(page.status).toBe(400);
  expect((await browser.signIn(page)).headers.get("retry-after")).toBe("10");
  given.now += 10_000;
  expect((await browser.signIn(page)).html).toContain("Allow Till");
});

/** Tries a password from a place, in a browser that has a secret or is new. */
async function trying() {
  const app = await till();
  const { given, staff } = app.at;
  const tried = (address: string, secret: string, browser?: string, email = "ana@heron.example") =>
    signIn(staff.directory, () => given.now, {
      email,
      password: secret,
      origin: { address, requestId: undefined, browser },
    });
  /** The secret of a browser in which the owner has signed in. */
  const own = async () => {
    const outcome = await tried("home", password);
    return "browser" in outcome ? outcome.browser : undefined;
  };
  return { given, staff, tried, own };
}

const passed = (outcome: PasswordOutcome) => outcome.person !== undefined;

test("of 1,000 guesses from changing addresses 100 are looked at, and the owner signs in with a known browser all the while", async () => {
  const { given, staff, tried, own } = await trying();
  const browser = await own();
  let looked = 0;
  for (let guess = 0; guess < 1000; guess += 1) {
    // Nobody waits for a guess before.
    given.now += 30_000;
    const outcome = await tried(`place ${guess}`, "a guess");
    if ("waitMs" in outcome && outcome.waitMs === 0) looked += 1;
    if (guess % 50 === 0)
      expect(passed(await tried(`road ${guess}`, password, browser))).toBe(true);
  }
  expect(looked).toBe(100);
  // It does not end by itself, nor by the owner's own sign-ins, nor for a made up browser.
  given.now += 30 * 24 * 3_600_000;
  expect(passed(await tried("road", password, browser))).toBe(true);
  for (const other of [undefined, "made up"]) {
    expect(await tried("hotel", password, other)).toEqual({ waitMs: untilReset });
  }
  await unlock(staff, "ana@heron.example");
  expect(passed(await tried("hotel", password))).toBe(true);
});

test("a locked account is said to be so for an unknown address too, and another password opens it", async () => {
  const { given, staff, tried } = await trying();
  const answers = [];
  for (const email of ["ana@heron.example", "nobody@heron.example"]) {
    const seen: unknown[] = [];
    for (let guess = 0; guess < 102; guess += 1) {
      given.now += 30_000;
      seen.push(await tried(`place ${guess}`, "a guess", undefined, email));
    }
    answers.push(seen);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[0]?.at(-1)).toEqual({ waitMs: untilReset });
  await changePassword(staff, "ana@heron.example", "another horse and cart");
  expect(passed(await tried("hotel", "another horse and cart"))).toBe(true);
});

test("wrong passwords lock out the address that sent them, but neither the owner's browser nor other addresses", async () => {
  const { given, tried, own } = await trying();
  const browser = await own();
  // From elsewhere and from where the owner sits, without end: the owner signs in all the while.
  for (let round = 0; round < 2; round += 1) {
    for (const place of ["203.0.113.9", "home"]) {
      for (let tries = 0; tries < 8; tries += 1) await tried(place, "wrong");
      expect(passed(await tried(place, password))).toBe(false);
      expect(passed(await tried("home", password, browser))).toBe(true);
    }
    given.now += 16 * 60_000;
  }
  expect(passed(await tried("198.51.100.1", password))).toBe(true);
  // Many unknown names from where the owner sits, as behind one proxy.
  for (let name = 0; name < 40; name += 1)
    await tried("home", "wrong", undefined, `x${name}@y.example`);
  expect(passed(await tried("home", password, undefined, "somebody@new.example"))).toBe(false);
  expect(passed(await tried("home", password, browser))).toBe(true);
  // From so many places at once it is slowed down for strangers, and never for long.
  for (let place = 0; place < 60; place += 1) await tried(`192.0.2.${place}`, "wrong");
  const stranger = await tried("192.0.2.200", password);
  expect("waitMs" in stranger && stranger.waitMs > 0 && stranger.waitMs <= 30_000).toBe(true);
  expect(passed(await tried("home", password, browser))).toBe(true);
  given.now += 30_000;
  expect(passed(await tried("192.0.2.200", password))).toBe(true);
});

test("wrong passwords in a known browser hold up that browser", async () => {
  const { tried, own } = await trying();
  const browser = await own();
  for (let guess = 0; guess < 5; guess += 1) await tried(`place ${guess}`, "wrong", browser);
  expect(await tried("another", password, browser)).toEqual({ waitMs: 5_000 });
});

test("a new password is valid at once, and the old password no longer", async () => {
  const app = await till();
  await changePassword(app.at.staff, "ana@heron.example", "another horse and cart");
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const page = await app.browser.signIn(await app.browser.open(url));
  expect(page.status).toBe(400);
  expect((await app.browser.signIn(page, undefined, "another horse and cart")).html).toContain(
    "Allow Till",
  );
});

test("a new password, or the removal of the user, ends the sessions of the user's browsers", async () => {
  const app = await till();
  await employ(app.at, "bob@heron.example");
  await app.tokens();
  const { given, staff } = app.at;
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  expect((await app.browser.open(url)).html).toContain("Allow Till");
  given.now += 1000;
  await changePassword(staff, "ana@heron.example", "another horse and cart");
  const again = await app.browser.open(url);
  expect(again.html).toContain('name="password"');
  const back = await app.browser.signIn(again, undefined, "another horse and cart");
  expect(back.html).toContain("Allow Till");
  await removeMember(staff, "ana@heron.example");
  expect((await app.browser.allow(back)).status).toBe(400);
  const gone = await app.browser.open(url);
  expect(gone.html).toContain('name="password"');
  const other = await app.browser.signIn(gone, "bob@heron.example");
  expect(other.html).toContain("bob@heron.example");
});

test("a new password ends all sessions and consents made with the old password", async () => {
  const app = await till();
  const { given, staff } = app.at;
  await employ(app.at, "bob@heron.example");
  const url = authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope });
  const bobs = new Browser(app.at.origin);
  const bobsPage = await bobs.signIn(await bobs.open(url), "bob@heron.example");
  const bobsTokens = await app.ask(exchange(codeOf(await bobs.allow(bobsPage))));
  const { access_token: token, refresh_token: first } = await app.tokens();
  const { json: turned } = await app.refresh(first);
  const code = codeOf(await app.allowed());
  const pending = await app.browser.open(url);
  expect(pending.html).toContain("Allow Till");
  // Within the same second, too.
  await changePassword(staff, "ana@heron.example", "another horse and cart");
  for (const refresh of [first, turned.refresh_token]) {
    expect((await app.refresh(refresh)).json.error).toBe("invalid_grant");
  }
  expect((await app.ask(exchange(code))).json.error).toBe("invalid_grant");
  expect((await app.browser.allow(pending)).status).toBe(400);
  expect((await app.browser.open(url)).html).toContain('name="password"');
  given.now += cachedMs;
  for (const each of [token, turned.access_token]) expect(await app.status(each)).toBe(401);
  // Nobody else is signed out.
  expect(await app.status(bobsTokens.json.access_token)).toBe(200);
  expect((await app.refresh(bobsTokens.json.refresh_token)).status).toBe(200);
  expect((await bobs.open(url)).html).toContain("Allow Till");
  // What the app is connected to is chosen already when they come back.
  const again = await app.browser.signIn(
    await app.browser.open(url),
    undefined,
    "another horse and cart",
  );
  expect(again.html).toContain(" checked>");
  const back = await app.ask(exchange(codeOf(await app.browser.allow(again))));
  expect(await app.status(back.json.access_token)).toBe(200);
});

test("a password set while adding a user to another organisation ends the user's earlier sign-ins", async () => {
  const app = await till();
  const { refresh_token: refresh } = await app.tokens();
  const elsewhere = { ...app.at.staff, tenant: app.at.staff.newId() };
  const work = { email: "ana@heron.example", role: "standard" } as const;
  await addMember(elsewhere, work);
  const { status, json } = await app.refresh(refresh);
  expect(status).toBe(200);
  const third = { ...elsewhere, tenant: app.at.staff.newId() };
  await addMember(third, { ...work, password: "another horse and cart" });
  expect((await app.refresh(json.refresh_token)).json.error).toBe("invalid_grant");
});

test("a changed role takes effect within two seconds; a removed user's requests are refused", async () => {
  const app = await till();
  const { access_token: token, refresh_token: refresh } = await app.tokens(
    "offline_access accounting.settings accounting.reports.read",
  );
  const { staff, given } = app.at;
  const report = "/api.xro/2.0/Reports/TrialBalance";
  expect(await app.status(token, report)).toBe(200);
  await changeRole(staff, "ana@heron.example", "standard-without-reports");
  given.now += cachedMs;
  expect(await app.status(token, report)).toBe(403);
  expect(await app.status(token)).toBe(200);
  expect(await app.status(token, "/api.xro/2.0/Contacts")).toBe(401);
  await removeMember(staff, "ana@heron.example");
  given.now += cachedMs;
  expect(await app.status(token)).toBe(401);
  expect((await app.refresh(refresh)).json.error).toBe("invalid_grant");
});

test("no authorisation code, token, session or password is stored in plain text in the directory", async () => {
  const app = await till();
  await addMember(app.at.staff, { email: "bob@heron.example", role: "standard", password });
  const code = codeOf(await app.allowed());
  const { json } = await app.ask(exchange(code));
  const left = await app.browser.open(
    authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope }),
  );
  const kept = await app.at.staff.directory.read(async ({ db }) => {
    const rows = [];
    for (const table of Object.keys(directoryTables)) {
      rows.push(...(await sql<object>`select * from ${sql.ref(table)}`.execute(db)).rows);
    }
    return JSON.stringify(rows);
  });
  expect(kept).toContain("RefreshToken");
  expect(kept).toContain("Session");
  expect(kept).toContain("$scrypt$ln=15,r=8,p=3$");
  const cookies = app.browser.cookies().map((each) => each.slice(each.indexOf("=") + 1));
  expect(cookies.length).toBeGreaterThan(3);
  const uid = new URL(left.url).pathname.split("/").at(-1) ?? "";
  const secrets = [code, json.refresh_token, json.access_token, password, app.secret, uid];
  for (const secret of [...secrets, ...cookies]) {
    expect(secret.length).toBeGreaterThan(10);
    expect(kept).not.toContain(secret);
  }
});

test("a sign-in begun at one server process can be finished at another", async () => {
  const app = await till();
  const { serve } = await import("../../../src/admin/serve-book.ts");
  const { given, origin } = app.at;
  const second = await serve(given.book.path, {
    host: "127.0.0.1",
    port: 0,
    rateLimit: false,
    clock: () => given.now,
    publicUrl: origin,
  });
  const behind = (url: string) => url.replace(origin, second.origin);
  const page = await app.browser.open(
    authoriseUrl(app.at, { client_id: app.id, redirect_uri: redirect, scope }),
  );
  // The form goes to the other, as behind a proxy that gives each request to another process.
  const cookie = app.browser.cookies().join("; ");
  const proof = /name="proof" value="([^"]*)"/.exec(page.html)?.[1] ?? "";
  const answer = await fetch(behind(page.url), {
    method: "POST",
    redirect: "manual",
    headers: { cookie, origin },
    body: new URLSearchParams({ proof, email: "ana@heron.example", password }),
  });
  expect(answer.status).toBe(303);
  const consent = await app.browser.open(answer.headers.get("location") ?? "");
  const code = codeOf(await app.browser.allow(consent));
  const body = new URLSearchParams({
    ...exchange(code),
    client_id: app.id,
    client_secret: app.secret,
  });
  const tokens = await fetch(behind(`${origin}/connect/token`), { method: "POST", body });
  const { access_token } = (await tokens.json()) as { access_token: string };
  expect(await app.status(access_token)).toBe(200);
  await second.close();
});
