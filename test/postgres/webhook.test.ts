/** The built program: subscriptions of organisations that share a database, which is served whole. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { serveBuilt } from "../cli/built.ts";
import { idsIn, key, programsAt } from "../cli/subscriber.ts";
import { receiver } from "../service/webhooks/receiver.ts";
import { databaseOn, onServer } from "./setup.ts";

const { server, template } = inject("postgres");
const name = `acct_webhook_${process.pid}`;
const home = mkdtempSync(join(tmpdir(), "acct-webhook-pg-"));
const quay = {
  HOME: home,
  PATH: process.env.PATH ?? "",
  USER: "ann",
  TZ: "UTC",
  ACCT_DATABASE: databaseOn(server, name),
  ACCT_TENANT: "Quay Street Bikes",
  ACCT_WEBHOOK_KEY: key,
};
const harbour = { ...quay, ACCT_TENANT: "Harbour Cafe", ACCT_WEBHOOK_KEY: `${key} of theirs` };
const allow = ["--allow", "http,private"];
const serving = ["--port", "0", "--webhook-allow", "http,private"];

beforeAll(async () => {
  await onServer(server, `create database ${name} template ${template}`);
  for (const env of [quay, harbour]) {
    const { ok } = programsAt({ env: { ...env, ACCT_TENANT: "" } });
    ok("init", "--name", env.ACCT_TENANT, "--country", "NZ");
  }
});
afterAll(async () => {
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(home, { recursive: true, force: true, maxRetries: 20 });
});

test("events of each organisation are delivered to its own webhook subscribers, by any process", async () => {
  const [shop, cafe] = [await receiver(key), await receiver(harbour.ACCT_WEBHOOK_KEY)];
  const [ours, theirs] = [programsAt({ env: quay }), programsAt({ env: harbour })];
  const words = ["--name", "Shop", "--events", "contact", ...allow, "-o", "json"];
  for (const [at, to] of [
    [ours, shop],
    [theirs, cafe],
  ] as const) {
    const added = await at.run("webhook", "add", to.url, ...words);
    expect({ code: added.code, stderr: added.stderr }).toEqual({ code: 0, stderr: "" });
    expect(JSON.parse(added.stdout)).toMatchObject({ Status: "OK", LastEventSequence: 0 });
    expect(at.ok("webhook", "list", "-o", "csv", "--columns", "Name,Url")).toBe(
      `Name,Url\nShop,${to.url}\n`,
    );
  }
  const whole = { ...quay, ACCT_TENANT: "" };
  const served = await Promise.all([1, 2].map(() => serveBuilt(serving, whole)));
  const ids = ["Ariki", "Bayside"].map(ours.contact);
  const other = theirs.contact("Cuba");
  await shop.until(() => idsIn(shop).length === 2);
  await cafe.until(() => idsIn(cafe).length === 1);
  expect(idsIn(shop)).toEqual(ids);
  expect(idsIn(cafe)).toEqual([other]);
  expect([...shop.received, ...cafe.received].filter(({ isRight }) => !isRight)).toHaveLength(4);

  const deliveries = () => JSON.parse(ours.ok("webhook", "deliveries", "Shop", "-o", "json"));
  const statuses = () => deliveries().map(({ Status }: { Status: string }) => Status);
  await expect
    .poll(() => new Set(statuses()), { timeout: 600_000 })
    .toEqual(new Set(["DELIVERED"]));
  const [{ DeliveryID, Body }] = deliveries();
  const before = shop.taken().length;
  const again = await ours.run("webhook", "resend", DeliveryID, "-o", "json");
  expect([again.stderr, JSON.parse(again.stdout)]).toMatchObject([
    "",
    { Status: "DELIVERED", Tries: 2 },
  ]);
  expect(
    shop
      .taken()
      .slice(before)
      .map(({ body }) => body),
  ).toEqual([Body]);
  const foreign = await theirs.run("webhook", "resend", DeliveryID);
  expect(foreign).toMatchObject({
    code: 3,
    stderr: `acct: There is no delivery ${DeliveryID}.\n`,
  });
  const triggered = await ours.run("webhook", "trigger", "contact", "Ariki");
  expect(triggered).toMatchObject({
    code: 0,
    stderr: `CONTACT UPDATE ${ids[0]}: told to Shop.\n`,
  });
  expect(idsIn(shop).at(-1)).toBe(ids[0]);
  expect(idsIn(cafe)).toEqual([other]);
  for (const { process: each, ended } of served) {
    each.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});

test("a webhook listener on a database or on a service gets the events of one organisation only", async () => {
  const shop = await receiver(key);
  const at = { env: quay };
  const ours = programsAt(at);
  ours.ok("app", "add", "Till");
  const token = ours.ok("app", "token", "Till").trim();
  const { baseUrl } = await serveBuilt(serving, { ...quay, ACCT_TENANT: "" });
  const words = ["webhook", "listen", "--forward-to", shop.url, "--events", "contact"];
  const here = await ours.running(...words);
  const { ACCT_DATABASE: _, ...elsewhere } = quay;
  const remote = { ...elsewhere, ACCT_BASE_URL: baseUrl, ACCT_TOKEN: token };
  const there = await programsAt({ env: remote }).running(...words);
  for (const each of [here, there]) await each.until(() => each.said().includes("Signing key"));
  expect(here.said()).toContain(`Listening to Quay Street Bikes for ${shop.url}.`);
  const id = ours.contact("Devon");
  programsAt({ env: harbour }).contact("Elsewhere");
  await shop.until(() => idsIn(shop).length === 2);
  expect(idsIn(shop)).toEqual([id, id]);
  const triggered = await ours.run("webhook", "trigger", "contact", "Devon", "--type", "create");
  expect(triggered.stderr).toContain(`CONTACT CREATE ${id}: told to `);
  await shop.until(() => idsIn(shop).length === 4);
  expect(new Set(idsIn(shop))).toEqual(new Set([id]));
  for (const { child, ended } of [here, there]) {
    child.kill("SIGINT");
    expect((await ended).code).toBe(130);
  }
});
