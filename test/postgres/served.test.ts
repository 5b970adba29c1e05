/** Several `acct serve` on one database: all of its organisations, and one count of calls. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { addApp, issueToken } from "../../src/client/served.ts";
import { createBook } from "../../src/service/book.ts";
import { placeInDatabase } from "../../src/wire/database-address.ts";
import { serveBuilt } from "../cli/built.ts";
import { databaseOn, onServer } from "./setup.ts";

const home = mkdtempSync(join(tmpdir(), "acct-"));
const { server } = inject("postgres");
const name = `acct_served_${process.pid}`;
const url = databaseOn(server, name);
const names = ["Blue Kiln Pottery", "Quay Street Bikes"];
const tokens: string[] = [];

beforeAll(async () => {
  await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
  for (const organisation of names) {
    await (await createBook(url, { name: organisation, country: "NZ" })).close();
    await addApp(placeInDatabase({ url, organisation }), { name: organisation }, Date.now);
    tokens.push(await tokenOf(organisation, organisation));
  }
  const web = { name: "Counted", redirectUris: ["https://x.example/"] };
  await addApp(placeInDatabase({ url, organisation: names[0] }), web, Date.now);
});
afterAll(async () => {
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(home, { recursive: true });
});

async function tokenOf(app: string, organisation: string): Promise<string> {
  return (await issueToken(placeInDatabase({ url, organisation }), app, {}, Date.now)).token;
}

const serving = (...flags: string[]) =>
  serveBuilt(["--database", url, "--port", "0", ...flags], {
    HOME: home,
    PATH: process.env.PATH ?? "",
  });

function get(baseUrl: string, token = "", more: Record<string, string> = {}) {
  const headers = { authorization: `Bearer ${token}`, accept: "application/json", ...more };
  return fetch(`${baseUrl}/Organisation`, { headers });
}

test("each process answers for every organisation, to those who are connected to it", async () => {
  const two = await Promise.all([serving(), serving()]);
  for (const { baseUrl } of two) {
    for (const [at, token] of tokens.entries()) {
      const answer = (await (await get(baseUrl, token)).json()) as { Organisations: object[] };
      expect(answer.Organisations[0]).toMatchObject({ Name: names[at] });
    }
  }
  const other = { "xero-tenant-id": "11111111-1111-4111-8111-111111111111" };
  expect((await get(two[0]?.baseUrl ?? "", tokens[0], other)).status).toBe(403);
  for (const { process: child, ended } of two) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
});

test("calls count together, whichever process they go to, and go on counting when one is killed", async () => {
  const [one, two] = await Promise.all([
    serving("--rate-limit", "minute=12,concurrent=100"),
    serving("--rate-limit", "minute=12,concurrent=100"),
  ]);
  const [first, second] = await Promise.all(names.map((each) => tokenOf("Counted", each)));
  const calls = (count: number) =>
    Array.from({ length: count }, (_, at) => get((at % 2 ? one : two).baseUrl, first));
  const answered = (await Promise.all(calls(10))).map(({ status }) => status);
  expect(answered).toEqual(Array(10).fill(200));
  one.process.kill("SIGKILL");
  await one.ended;
  const rest = [];
  for (let made = 0; made < 4; made += 1) rest.push(await get(two.baseUrl, first));
  expect(rest.map(({ status }) => status)).toEqual([200, 200, 503, 503]);
  expect(rest[2]?.headers.get("x-rate-limit-problem")).toBe("minute");
  expect(rest[1]?.headers.get("x-minlimit-remaining")).toBe("0");
  // Another organisation has a count of its own.
  expect((await get(two.baseUrl, second)).headers.get("x-minlimit-remaining")).toBe("11");
});

test("processes under one public address hand connections over, and no others do", async () => {
  const watched = ["--metrics-port", "0", "--public-url", "https://books.example"];
  const one = await serving(...watched);
  const two = await serving(...watched);
  const others = [
    await serving(...watched, "--no-handover"),
    await serving(...watched, "--tenant", names[0] ?? ""),
    await serving("--metrics-port", "0"),
  ];
  const figures = async ({ until, said }: typeof one) => {
    await until(/\/metrics\n/);
    const [url = ""] = /http:\S+\/metrics/.exec(said()) ?? [];
    return (await fetch(url)).text();
  };
  const handed = async () => {
    const texts = await Promise.all([one, two].map(figures));
    return texts.map((text) => /_total\{outcome="passed"\} (\d+)/.exec(text)?.[1]).sort();
  };
  await expect.poll(() => figures(one), { timeout: 20_000 }).toContain("acct_peers 1\n");
  await expect.poll(() => figures(two), { timeout: 20_000 }).toContain("acct_peers 1\n");
  for (const each of others) expect(await figures(each)).not.toContain("acct_peers");
  for (const { baseUrl } of [one, two, ...others]) {
    const answer = await fetch(`${baseUrl}/Contacts`, {
      method: "PUT",
      headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json" },
      body: JSON.stringify({ Name: `At ${baseUrl}` }),
    });
    expect(answer.status).toBe(200);
  }
  expect(await handed()).toEqual(["0", "1"]);
  for (const { process: child, ended } of [one, two, ...others]) {
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  }
}, 60_000);
