/** Several `acct serve` behind nginx as docs/postgresql.md has it: each organisation at one of them. */
import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, inject, onTestFinished, test } from "vitest";
import { addApp, issueToken } from "../../src/admin/apps.ts";
import { placeInDatabase } from "../../src/platform/book-address.ts";
import { createBook } from "../../src/service/books/book.ts";
import { serveBuilt } from "../cli/built.ts";
import { isInstalled } from "../shell/desk.ts";
import { freePorts, type Swap } from "../support/console.ts";
import { databaseOn, onServer } from "./setup.ts";

const hasNginx = isInstalled("nginx", "several processes behind a balancer");

/** What the page calls the two machines and, last, the one that is asked. */
const machines = ["10.0.0.11:9320", "10.0.0.12:9320", "10.0.0.10:8080"];

const home = mkdtempSync(join(tmpdir(), "acct-balanced-"));
const { server } = inject("postgres");
const name = `acct_balanced_${process.pid}`;
const url = databaseOn(server, name);
const names = ["Blue Kiln Pottery", "Quay Street Bikes", "Heron Press"];

afterAll(async () => {
  await onServer(server, `drop database if exists ${name} with (force)`);
  rmSync(home, { recursive: true });
});

/** What the page shows, with other ports; it also tells who has answered. */
function configuration(ports: readonly Swap[]): string {
  const page = readFileSync(join(import.meta.dirname, "../../docs/postgresql.md"), "utf8");
  let shown = /```nginx\n(.*?)```/s.exec(page)?.[1] ?? "";
  for (const { said, real } of ports) shown = shown.replaceAll(said, real);
  const places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (each) => `${each}_temp_path ${join(home, each)};`,
  );
  return `daemon off; pid ${join(home, "nginx.pid")}; error_log stderr crit; events {}
    http { access_log off; ${places.join(" ")}
      add_header x-answered-by $upstream_addr always;
      ${shown} }`;
}

/** Runs nginx until the test ends. @returns where it listens */
async function balance(ports: readonly Swap[]): Promise<string> {
  const path = join(home, "nginx.conf");
  writeFileSync(path, configuration(ports));
  const nginx = spawn("nginx", ["-p", home, "-e", "stderr", "-c", path], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  onTestFinished(async () => {
    const ended = once(nginx, "exit");
    nginx.kill("SIGTERM");
    await ended;
  });
  const at = `http://${ports.at(-1)?.real}`;
  await expect
    .poll(() => fetch(`${at}/health`).then(({ status }) => status), { timeout: 600_000 })
    .toBe(200);
  return at;
}

describe.skipIf(!hasNginx)("server processes behind nginx", { timeout: 600_000 }, () => {
  test("behind nginx each organisation is served by one process, and by another when that process ends", async () => {
    await onServer(server, `create database ${name} encoding 'UTF8' template template0`);
    const all = await freePorts(9320, 9464, 8080);
    const ports = all
      .filter(({ said }) => said.startsWith("127."))
      .map(({ real }, at) => ({ said: machines[at] ?? "", real }));
    const env = { HOME: home, PATH: process.env.PATH ?? "" };
    const tokens: string[] = [];
    for (const organisation of names) {
      await (await createBook(url, { name: organisation, country: "NZ" })).close();
      const path = placeInDatabase({ url, organisation });
      const given = { path, clock: Date.now, operator: {} };
      await addApp(given, { name: organisation });
      tokens.push((await issueToken(given, organisation)).token);
    }
    const serving = await Promise.all(
      ports.slice(0, 2).map(({ real }) => {
        const port = real.split(":").at(-1) ?? "";
        return serveBuilt(["--database", url, "--port", port], env);
      }),
    );
    const balanced = await balance(ports);
    const ask = async (token: string, tenant?: string) => {
      const headers = {
        authorization: `Bearer ${token}`,
        accept: "application/json",
        ...(tenant === undefined ? {} : { "xero-tenant-id": tenant }),
      };
      const answer = await fetch(`${balanced}/api.xro/2.0/Organisation`, { headers });
      const { Organisations: [organisation] = [] } = (await answer.json()) as {
        Organisations?: [{ OrganisationID: string }];
      };
      const by = answer.headers.get("x-answered-by");
      return { status: answer.status, by, id: organisation?.OrganisationID };
    };

    for (const token of tokens) {
      const { id } = await ask(token);
      const answers = [];
      for (let time = 0; time < 6; time += 1) answers.push(await ask(token, id));
      expect(answers).toEqual(Array(6).fill({ status: 200, by: answers[0]?.by, id }));
    }
    const [token = ""] = tokens;
    const strangers = await Promise.all(Array.from({ length: 60 }, () => ask(token, randomUUID())));
    expect(new Set(strangers.map(({ status }) => status))).toEqual(new Set([403]));
    expect(new Set(strangers.map(({ by }) => by)).size).toBe(2);

    const before = await ask(token, (await ask(token)).id);
    const gone = serving.find(({ baseUrl }) => baseUrl.includes(before.by ?? "nobody"));
    gone?.process.kill("SIGKILL");
    await gone?.ended;
    const after = await ask(token, before.id);
    expect(after).toMatchObject({ status: 200, id: before.id });
    expect(after.by).not.toBe(before.by);
  });
});
