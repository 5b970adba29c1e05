/** Several `acct serve` on one database: all of its organisations, and one count of calls. */
import { once } from "node:events";
import { copyFileSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { type AdminDependencies, addApp, issueToken } from "../../src/admin/apps.ts";
import { placeInDatabase } from "../../src/platform/book-address.ts";
import { createBook } from "../../src/service/books/book.ts";
import { serveBuilt, startBuilt, startedBy } from "../cli/built.ts";
import { hasOpenssl, makeCertificate } from "../support/certificates.ts";
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
    await addApp(givenIn(organisation), { name: organisation });
    tokens.push(await tokenOf(organisation, organisation));
  }
  await (await createBook(join(home, "quay.acct"), { name: "Quay", country: "NZ" })).close();
  const web = { name: "Counted", redirectUris: ["https://x.example/"] };
  await addApp(givenIn(names[0]), web);
});
afterAll(async () => {
  await onServer(server, `drop database ${name} with (force)`);
  rmSync(home, { recursive: true });
});

async function tokenOf(app: string, organisation: string): Promise<string> {
  return (await issueToken(givenIn(organisation), app)).token;
}

function givenIn(organisation = ""): AdminDependencies {
  return { path: placeInDatabase({ url, organisation }), clock: Date.now, operator: {} };
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

test("each of two server processes serves every organisation to its connected users", async () => {
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

test("API calls are counted over all server processes, also after one is killed", async () => {
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

const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test("several worker processes serve one port, and their metrics are summed", async () => {
  const service = await serving("--processes", "3", "--metrics-port", "0", "--log", "json");
  await service.until(/"ready"/);
  const { ready, metrics } = JSON.parse(service.said().split("\n")[0] ?? "");
  expect(startedBy(service.process)).toHaveLength(3);
  const baseUrl: string = ready;
  for (let time = 0; time < 4; time += 1) {
    for (const [at, token] of tokens.entries()) {
      const made = await fetch(`${baseUrl}/Contacts`, {
        method: "PUT",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          connection: "close",
        },
        body: JSON.stringify({ Name: `${time} of ${names[at]}` }),
      });
      expect(made.status).toBe(200);
      expect((await get(baseUrl, token, { connection: "close" })).status).toBe(200);
    }
  }
  const figures = await (await fetch(metrics)).text();
  expect(figures).toContain("acct_processes 3\n");
  expect(figures).toContain("acct_process_restarts_total 0\n");
  expect(figures).toMatch(/acct_http_requests_total{method="PUT",.*status="200"} 8\n/);
  expect(figures).toMatch(/acct_http_requests_total{method="GET",.*status="200"} 8\n/);
  const health = metrics.replace("/metrics", "/ready");
  expect(await (await fetch(health)).json()).toEqual({ status: "ready" });
  service.process.kill("SIGTERM");
  expect(await service.ended).toBe(0);
  // A line is a line, whichever process has written it.
  const lines = service.said().trim().split("\n");
  const requests = lines.map((line) => JSON.parse(line)).filter(({ method }) => method);
  expect(requests).toHaveLength(16);
  for (const { bytesIn } of requests) expect(bytesIn).toBeGreaterThan(200);
});

test.skipIf(!hasOpenssl)(
  "worker processes answer by TLS, and each takes a renewed certificate over at SIGHUP",
  async () => {
    for (const certificate of ["first", "second"]) makeCertificate(home, certificate);
    const place = (certificate: string) => {
      for (const kind of ["key", "pem"]) {
        copyFileSync(join(home, `${certificate}.${kind}`), join(home, `new.${kind}`));
        renameSync(join(home, `new.${kind}`), join(home, `tls.${kind}`));
      }
    };
    place("first");
    const files = ["--tls-cert", join(home, "tls.pem"), "--tls-key", join(home, "tls.key")];
    const service = await serving("--processes", "2", ...files);
    const port = Number(new URL(service.baseUrl).port);
    const certificates = async () => {
      const connections = Array.from({ length: 12 }, () => certificateOf(port));
      return [...new Set(await Promise.all(connections))];
    };
    expect(await certificates()).toEqual(["first"]);
    place("second");
    service.process.kill("SIGHUP");
    await expect.poll(certificates, { timeout: 600_000 }).toEqual(["second"]);
  },
);

/** Common name of the certificate that a new connection to a port is shown. */
async function certificateOf(port: number): Promise<string> {
  const socket = connect({ port, host: "127.0.0.1", rejectUnauthorized: false });
  await once(socket, "secureConnect");
  const { CN } = socket.getPeerCertificate().subject;
  socket.destroy();
  return `${CN}`;
}

test("API calls are counted over all worker processes of a port", async () => {
  const { baseUrl } = await serving("--processes", "3", "--rate-limit", "minute=12,concurrent=100");
  await addApp(givenIn(names[1]), { name: "Machine" });
  const token = await tokenOf("Machine", names[1] ?? "");
  const statuses = [];
  for (let made = 0; made < 14; made += 1) {
    statuses.push((await get(baseUrl, token, { connection: "close" })).status);
  }
  expect(statuses).toEqual([...Array(12).fill(200), 503, 503]);
});

test("worker processes end with the primary process, also when that is killed", async () => {
  const service = await serving("--processes", "2");
  const pids = startedBy(service.process);
  expect(pids).toHaveLength(2);
  service.process.kill("SIGKILL");
  await expect.poll(() => pids.filter(isThere), { timeout: 600_000 }).toEqual([]);
});

test("a fault that stops all worker processes from starting is reported once", async () => {
  const nowhere = databaseOn(server, "acct_nowhere");
  const { status, stderr } = await startBuilt(
    ["serve", "--database", nowhere, "--port", "0", "--processes", "3"],
    { HOME: home, PATH: process.env.PATH ?? "" },
  );
  expect(status).toBe(6);
  expect(stderr.trim().split("\n")).toHaveLength(1);
  expect(stderr).toContain("acct_nowhere");
});

test.each([
  [["--processes", "0"], "--processes takes a number from 1 to 256"],
  [["--processes", "two"], "--processes takes a number from 1 to 256"],
  [["--processes", "2", "--chaos", "42"], "--chaos counts the requests of one process"],
  [["--processes", "2", "--book", join(home, "quay.acct")], "--processes goes with --database"],
])("serve with the options %j is refused", async (flags, why) => {
  const place = flags.includes("--book") ? [] : ["--database", url];
  const { status, stderr } = await startBuilt(["serve", ...place, ...flags], {
    HOME: home,
    PATH: process.env.PATH ?? "",
  });
  expect(status).toBe(2);
  expect(stderr).toContain(why);
});
