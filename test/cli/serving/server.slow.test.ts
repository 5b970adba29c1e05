/** The built program as a server with a configuration file, TLS and systemd. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, renameSync, writeFileSync } from "node:fs";
import { request as overHttp } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { TLSSocket } from "node:tls";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { hasOpenssl, lockKey, makeCertificate } from "../../support/certificates.ts";
import { freePort } from "../../support/console.ts";
import { mailServer } from "../../support/mail-server.ts";
import { builtDesk, type Serving, serveBuilt } from "../built.ts";

const { home, env, ok, acct, running } = builtDesk();
const at = (name: string) => join(home, name);
const book = at("quay.acct");
const config = at("server.yaml");

/** Writes the configuration file whole, as an editor does. */
function configure(...lines: string[]): void {
  writeFileSync(`${config}.new`, `book: quay.acct\n${lines.join("\n")}\n`, { mode: 0o600 });
  renameSync(`${config}.new`, config);
}

async function reloaded(served: Serving, words: RegExp): Promise<void> {
  served.process.kill("SIGHUP");
  await served.until(words);
}

beforeAll(() => {
  ok(["init", "--name", "Quay", "--country", "NZ", "--book", book]);
  ok(["app", "add", "Till", "--book", book]);
});

test("--check opens what the settings name, starts nothing, and says of each fault which line it is of", async () => {
  const mail = await mailServer();
  configure("rateLimit: minute=5", `smtp: ${mail.url}`);
  const good = await running(["serve", "--config", config, "--check"]);
  expect(good).toMatchObject({
    status: 0,
    stderr:
      "The book of Quay may be read and written.\nThe mail server answers.\nAll settings are as they should be.\n",
  });
  configure(
    "rateLimit: often=5",
    "smtp: smtp://127.0.0.1:1",
    "tlsCert: gone.pem",
    "tlsKey: gone.key",
  );
  const bad = acct(["serve", "--config", config, "--check"]);
  expect(bad.status).toBe(2);
  expect(bad.stderr.replaceAll(`${home}/`, "")).toBe(
    "The book of Quay may be read and written.\n" +
      "acct: 3 settings do not do.\n" +
      '  server.yaml, line 2: rateLimit: Limits are said as minute=600,day=100000, of concurrent, minute, day, appminute, not "often=5".\n' +
      "  server.yaml, line 3: smtp: The mail server does not answer as it should: connect ECONNREFUSED 127.0.0.1:1\n" +
      "  server.yaml, line 4: tlsCert: There is no file gone.key.\n",
  );
  configure("data: books");
  const twice = acct(["serve", "--config", config, "--check"]);
  expect([twice.status, twice.stderr]).toEqual([
    2,
    expect.stringContaining("data contradicts book"),
  ]);
  const nowhere = acct(["serve", "--data", at("nowhere"), "--check"]);
  expect([nowhere.status, nowhere.stderr]).toEqual([
    2,
    `acct: --data: data: There is no folder at ${at("nowhere")}.\n`,
  ]);
});

test("SIGHUP takes limits and log over, names what needs a restart, and changes nothing for a bad file", async () => {
  configure("port: 0", "rateLimit: minute=2");
  const served = await serveBuilt(["--config", config], env);
  const token = ok(["app", "token", "Till", "--book", book]).trim();
  const ask = async () => {
    const headers = { authorization: `Bearer ${token}` };
    return (await fetch(`${served.baseUrl}/Organisation`, { headers })).status;
  };
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 503]);
  configure("port: 1", "rateLimit: minute=4", "rateLimitStatus: 429", "log: json", "pages: true");
  await reloaded(
    served,
    /Taken over: rateLimit, rateLimitStatus, log\. These need a restart: port, pages\./,
  );
  expect([await ask(), await ask(), await ask()]).toEqual([200, 200, 429]);
  await served.until(/"route":"\/Organisation","status":429/);
  configure("port: 0", "rateLimits: minute=9");
  await reloaded(
    served,
    /Nothing is changed\. .*line 3: there is no setting rateLimits\. Did you mean rateLimit\?/,
  );
  configure("port: 0", "rateLimit: often=9");
  await reloaded(served, /Nothing is changed\. Limits are said as/);
  expect(await ask()).toBe(429);
  configure("port: 0", "rateLimit: minute=4", "rateLimitStatus: 429", "log: json");
  await reloaded(served, /Settings are as before\./);
  served.process.kill("SIGTERM");
  expect(await served.ended).toBe(0);
});

/** Asks by TLS on a connection of its own. @returns the name in the certificate, status and headers */
async function askSecurely(port: number, more: object = {}) {
  const outgoing = request({
    port,
    host: "127.0.0.1",
    path: "/sign-in",
    rejectUnauthorized: false,
    agent: false,
    ...more,
  });
  outgoing.end();
  const [answer] = await once(outgoing, "response");
  const { subject } = (answer.socket as TLSSocket).getPeerCertificate();
  const protocol = (answer.socket as TLSSocket).getProtocol();
  answer.resume();
  return { name: subject.CN, protocol, headers: answer.headers, status: answer.statusCode };
}

describe.skipIf(!hasOpenssl)("a server with TLS of its own", () => {
  const place = (name: string) => {
    copyFileSync(at(`${name}.key`), at("key.new"));
    chmodSync(at("key.new"), 0o600);
    renameSync(at("key.new"), at("tls.key"));
    copyFileSync(at(`${name}.pem`), at("pem.new"));
    renameSync(at("pem.new"), at("tls.pem"));
  };
  beforeAll(() => {
    for (const name of ["first", "second", "third"]) makeCertificate(home, name);
    lockKey(at("third.key"), at("locked.key"));
  });

  test("answers by TLS 1.2 and 1.3 with HSTS, and takes a renewed certificate over at SIGHUP and by itself", async () => {
    place("first");
    const words = [
      "--book",
      book,
      "--port",
      "0",
      "--tls-cert",
      at("tls.pem"),
      "--tls-key",
      at("tls.key"),
    ];
    const served = await serveBuilt(words, env);
    const [, port = ""] = /https:\/\/127\.0\.0\.1:(\d+)\//.exec(served.said()) ?? [];
    const first = await askSecurely(Number(port), { maxVersion: "TLSv1.2" });
    expect([first.name, first.protocol]).toEqual(["first", "TLSv1.2"]);
    expect(first.headers["strict-transport-security"]).toBe("max-age=31536000");
    expect((await askSecurely(Number(port))).protocol).toBe("TLSv1.3");
    const older = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" };
    await expect(askSecurely(Number(port), older)).rejects.toThrow(/protocol version|unsupported/);
    copyFileSync(at("second.pem"), at("tls.pem"));
    await reloaded(served, /Nothing is changed\. The key .* does not belong to the certificate/);
    expect((await askSecurely(Number(port))).name).toBe("first");
    place("second");
    await reloaded(served, /Settings are as before\./);
    expect((await askSecurely(Number(port))).name).toBe("second");
    place("third");
    await served.until(/The certificate is read again\./);
    expect((await askSecurely(Number(port))).name).toBe("third");
  });

  test("sends requests by http on to https, with the same method and path", async () => {
    place("first");
    const files = ["--tls-cert", at("tls.pem"), "--tls-key", at("tls.key")];
    const port = await freePort();
    const ports = ["--port", "0", "--redirect-port", String(port)];
    await serveBuilt(
      ["--book", book, ...files, ...ports, "--public-url", "https://books.example"],
      env,
    );
    const ask = async (method: string, headers = {}) => {
      const outgoing = overHttp({
        port,
        host: "127.0.0.1",
        method,
        path: "/books?a=b",
        headers,
      });
      outgoing.end();
      const [answer] = await once(outgoing, "response");
      answer.resume();
      return [answer.statusCode, answer.headers.location];
    };
    expect(await ask("GET")).toEqual([301, "https://books.example/books?a=b"]);
    expect(await ask("POST", { host: "evil.example" })).toEqual([
      308,
      "https://books.example/books?a=b",
    ]);
    expect(await ask("GET", { host: "not a host" })).toEqual([400, undefined]);
  });

  test.each([
    [
      "with the key of another certificate",
      ["first.pem", "second.key"],
      /^acct: The key .* does not belong to the certificate .*\n$/,
    ],
    [
      "with a key behind a passphrase",
      ["third.pem", "locked.key"],
      /^acct: The key .* is locked by a passphrase; openssl .*\n$/,
    ],
    [
      "without its key",
      ["first.pem", undefined],
      /^acct: TLS needs both --tls-cert and --tls-key, and .*\n$/,
    ],
  ])("does not start %s", (_what, [cert, key], said) => {
    for (const name of [key ?? "first.key"]) chmodSync(at(name), 0o600);
    const words = [
      "--tls-cert",
      at(cert ?? ""),
      ...(key === undefined ? [] : ["--tls-key", at(key)]),
    ];
    const { status, stderr } = acct(["serve", "--book", book, "--port", "0", ...words]);
    expect([status, stderr]).toEqual([2, expect.stringMatching(said)]);
  });
});

const isNotified = ["systemd-notify", "python3"].every(
  (each) => spawnSync(each, ["--version"]).status === 0,
);

test.skipIf(!isNotified)("systemd is told when requests are taken", async () => {
  const socket = at("notify");
  const listening = `import socket;s=socket.socket(socket.AF_UNIX,socket.SOCK_DGRAM);s.bind(${JSON.stringify(socket)});print("open",flush=True)\nwhile True: print(s.recv(99).decode(),flush=True)`;
  const listener = spawn("python3", ["-c", listening]);
  onTestFinished(() => void listener.kill());
  const lines = createInterface(listener.stdout)[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe("open");
  await serveBuilt(["--book", book, "--port", "0"], { ...env, NOTIFY_SOCKET: socket });
  expect((await lines.next()).value).toBe("READY=1");
});
