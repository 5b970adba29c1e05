/** Which service `acct auth login` goes to, and as which app. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeConfig } from "../../../src/cli/context/config.ts";
import type { Context } from "../../../src/cli/context/context.ts";
import { refuseStrangers } from "../../../src/cli/sign-in/login.ts";
import { serviceOf } from "../../../src/cli/sign-in/service-choice.ts";

let env: Record<string, string>;
beforeEach(() => {
  env = { HOME: mkdtempSync(join(tmpdir(), "acct-")) };
});
afterEach(() => rmSync(env.HOME ?? "", { recursive: true }));

const context = (flags: Partial<Context["flags"]> = {}) =>
  ({ env, flags: { demo: false, ...flags } }) as Context;

test('the sign-in preset "cloud" has three allowed hosts, and a registered redirect URI', () => {
  const service = serviceOf(context(), { preset: "cloud", clientId: "mine" });
  expect(service).toMatchObject({
    baseUrl: "https://api.xero.com/api.xro/2.0",
    issuer: new URL("https://identity.xero.com"),
    clientId: "mine",
    redirectUri: "http://localhost:9321/callback",
    hosts: ["login.xero.com", "identity.xero.com", "api.xero.com"],
  });
  // Apps that are registered there today are given the granular scopes alone.
  expect(service.scopes).toEqual(expect.arrayContaining(["openid", "accounting.invoices"]));
  expect(service.scopes).not.toContain("accounting.transactions");
});

test("a preset service whose sign-in addresses are on another host is refused", () => {
  const hosts = ["login.example", "identity.example"];
  const honest = {
    issuer: "https://identity.example",
    authorization_endpoint: "https://login.example/identity/connect/authorize",
    token_endpoint: "https://identity.example/connect/token",
  };
  expect(() => refuseStrangers({ hosts }, honest)).not.toThrow();
  const elsewhere = { ...honest, token_endpoint: "https://identity.example.evil.example/token" };
  expect(() => refuseStrangers({ hosts }, elsewhere)).toThrow(/leads to .*evil\.example/);
  expect(() => refuseStrangers({ hosts: undefined }, elsewhere)).not.toThrow();
});

test("OAuth scopes are given one by one, or several in one flag", () => {
  const ctx = context({ baseUrl: "https://books.example/api.xro/2.0/" });
  const service = serviceOf(ctx, { clientId: "mine", scope: ["a b", "c,a"] });
  expect(service.scopes).toEqual(["openid", "profile", "email", "offline_access", "a", "b", "c"]);
  expect([service.baseUrl, service.issuer.href, service.hosts]).toEqual([
    "https://books.example/api.xro/2.0",
    "https://books.example/",
    undefined,
  ]);
});

test("signing in again with a profile takes the service and the app of the profile", async () => {
  const profile = { baseUrl: "https://books.example/api.xro/2.0", clientId: "till", tenant: "t" };
  await writeConfig(env, () => ({ defaultProfile: "team", profiles: { team: profile, b: {} } }));
  expect(serviceOf(context(), {})).toMatchObject({
    baseUrl: profile.baseUrl,
    clientId: "till",
    again: { name: "team" },
  });
  // Not to another service, of which it knows no app.
  const other = context({ baseUrl: "https://other.example/api.xro/2.0" });
  expect(() => serviceOf(other, {})).toThrow(/As which app\?/);
});
