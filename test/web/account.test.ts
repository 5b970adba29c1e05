/** The page of a person's account: organisations, sessions, apps and password. */
import { describe, expect, test } from "vitest";
import type { AuditEntry } from "../../src/resources/audit-entry.ts";
import { type Desk, desk, employ, password } from "../service/auth/served.ts";
import { till } from "../service/auth/tokens.ts";
import { textOf } from "./browsing.ts";
import { atPages, tokenIn } from "./office.ts";

const served = () => desk({ hasPages: true });

/** The last entries of the audit log, by the words of what was done. */
async function acts({ given }: Desk, kind: string): Promise<readonly AuditEntry[]> {
  const { AuditEntries } = await given.ok("GET", "/Extensions/AuditEntries", undefined, {
    query: { kind },
  });
  return AuditEntries;
}

test("the account page shows who is signed in, with the organisations and roles", async () => {
  const at = await served();
  await employ(at);
  const person = await atPages(at);
  const { status, html, headers } = await person.see("/me");
  expect(status).toBe(200);
  expect(textOf(html)).toContain("You are signed in as Ana Reid , ana@heron.example .");
  expect(textOf(html)).toContain("Heron Lane Ltd Adviser Administer");
  expect(html).toContain(`href="/admin/${at.given.book.tenant}/people"`);
  expect(headers.get("content-security-policy")).toContain("default-src 'none'");
  expect(headers.get("cache-control")).toContain("no-store");
});

test("the account page is not shown without signing in", async () => {
  const at = await served();
  for (const path of ["/me", "/me/apps/x", "/admin", `/admin/${at.given.book.tenant}/people`]) {
    const answer = await fetch(`${at.origin}${path}`, { redirect: "manual" });
    expect([path, answer.status, answer.headers.get("location")]).toEqual([
      path,
      303,
      `/sign-in?${new URLSearchParams({ to: path })}`,
    ]);
  }
});

describe("sessions on the account page", () => {
  test("sessions are listed with browser and address on the account page, and can be ended one by one", async () => {
    const at = await served();
    await employ(at);
    const [one, other] = [await atPages(at), await atPages(at)];
    const page = await one.see("/me");
    expect(textOf(page.html)).toMatch(/This browser.*Sign out/);
    expect(page.html.match(/127\.0\.0\.1/g)).toHaveLength(2);
    const [, id = ""] = /action="\/me\/sessions\/([\w-]{43})\/end"/.exec(page.html) ?? [];
    const after = await one.send(`/me/sessions/${id}/end`);
    expect(textOf(after.html)).toContain("That browser is signed out.");
    expect((await other.see("/me")).url).toContain("/sign-in");
    expect((await one.see("/me")).status).toBe(200);
    expect(await acts(at, "session.ended")).toMatchObject([
      { EmailAddress: "ana@heron.example", Through: "BROWSER", Address: "127.0.0.1" },
    ]);
  });

  test("all other sessions can be ended at once on the account page", async () => {
    const at = await served();
    await employ(at);
    const others = [await atPages(at), await atPages(at)];
    const one = await atPages(at);
    await one.send("/me/sessions/others/end");
    for (const other of others) expect((await other.see("/me")).url).toContain("/sign-in");
    expect((await one.see("/me")).status).toBe(200);
  });

  test("ending a session of another user by its id is refused", async () => {
    const at = await served();
    await employ(at);
    await employ(at, "bo@heron.example", "standard");
    const [ana, bo] = [await atPages(at), await atPages(at, "bo@heron.example")];
    await atPages(at);
    const page = await ana.see("/me");
    const ids = [...page.html.matchAll(/sessions\/([\w-]{43})\/end/g)].map(([, id]) => id);
    expect(ids).toHaveLength(1);
    expect((await bo.send(`/me/sessions/${ids[0]}/end`)).status).toBe(404);
    expect((await ana.see("/me")).html).toContain(ids[0]);
  });
});

describe("apps on the account page", () => {
  test("connected apps are listed with their scopes on the account page, and revoked after confirmation", async () => {
    const at = await served();
    const app = await till(at);
    const { access_token, refresh_token } = await app.tokens();
    const person = await atPages(at);
    const page = await person.see("/me");
    expect(textOf(page.html)).toMatch(/Till 2 things .* Heron Lane Ltd/);
    expect(await app.status(access_token)).toBe(200);
    const asked = await person.see(`/me/apps/${app.id}`);
    expect(textOf(asked.html)).toContain("Take back what Till can do?");
    expect(await app.status(access_token)).toBe(200);
    const after = await person.send(`/me/apps/${app.id}`);
    expect(textOf(after.html)).toContain("The app can do nothing more in your name.");
    expect(textOf(after.html)).toContain("You have allowed nothing to any app.");
    expect((await app.refresh(refresh_token)).json.error).toBe("invalid_grant");
    expect(await acts(at, "consent.taken-back")).toMatchObject([
      { Subject: "Till", Through: "BROWSER", EmailAddress: "ana@heron.example" },
    ]);
  });

  test("the account page does not show apps connected by other users", async () => {
    const at = await served();
    const app = await till(at);
    const { access_token } = await app.tokens();
    await employ(at, "bo@heron.example", "standard");
    const bo = await atPages(at, "bo@heron.example");
    expect((await bo.see(`/me/apps/${app.id}`)).status).toBe(404);
    expect((await bo.send(`/me/apps/${app.id}`)).status).toBe(404);
    expect(await app.status(access_token)).toBe(200);
  });
});

describe("the password on the account page", () => {
  const next = "another horse battery";
  const form = { current: password, next, again: next };

  test("changing the password on the account page ends all other sessions and keeps this one", async () => {
    const at = await served();
    await employ(at);
    const [one, other] = [await atPages(at), await atPages(at)];
    const after = await one.send("/me", form);
    expect(textOf(after.html)).toContain("Your password is changed");
    expect((await one.see("/me")).status).toBe(200);
    expect((await other.see("/me")).url).toContain("/sign-in");
    expect((await (await atPages(at, undefined, next)).see("/me")).status).toBe(200);
    expect(await acts(at, "person.password-changed")).toMatchObject([
      { Subject: "ana@heron.example", Through: "BROWSER" },
    ]);
  });

  test.each([
    [
      "when the present password is wrong",
      { ...form, current: "guessed" },
      "The password that you have is not right.",
    ],
    ["when the two new passwords differ", { ...form, again: "x" }, "The two new passwords differ."],
    [
      "when the new password is too short",
      { ...form, next: "short", again: "short" },
      "A password has 15 to 1024",
    ],
  ])("the password is not changed on the account page %s", async (_, fields, sentence) => {
    const at = await served();
    await employ(at);
    const person = await atPages(at);
    const { status, html } = await person.send("/me", fields);
    expect(status).toBe(400);
    expect(textOf(html)).toContain(sentence);
    for (const secret of Object.values(fields)) expect(html).not.toContain(`value="${secret}"`);
    expect((await (await atPages(at)).see("/me")).status).toBe(200);
  });

  test("after too many wrong passwords on the account page, the right one is refused too", async () => {
    const at = await served();
    await employ(at);
    const person = await atPages(at);
    for (let guess = 0; guess < 5; guess += 1) await person.send("/me", { ...form, current: "x" });
    const { html } = await person.send("/me", form);
    expect(textOf(html)).toContain("There were too many wrong passwords.");
  });
});

describe("forged forms on the account page", () => {
  const form = { current: password, next: "another horse battery", again: "another horse battery" };

  test("an account form from another site, without its token, or with another user's token is refused", async () => {
    const at = await served();
    await employ(at);
    await employ(at, "bo@heron.example");
    const [ana, bo] = [await atPages(at), await atPages(at, "bo@heron.example")];
    const own = tokenIn(await ana.see("/me"));
    const foreign = tokenIn(await bo.see("/me"));
    expect(own).not.toBe(foreign);
    expect(await ana.forge("/me", { ...form, token: own }, "https://evil.example")).toBe(403);
    expect(await ana.forge("/me", { ...form, token: own }, "null")).toBe(403);
    expect(await ana.forge("/me", form)).toBe(400);
    expect(await ana.forge("/me", { ...form, token: foreign })).toBe(400);
    expect((await (await atPages(at)).see("/me")).status).toBe(200);
  });
});
