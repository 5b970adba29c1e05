/** The built program behind nginx with the file that docs/deploy gives. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { Browser } from "../../service/auth/served.ts";
import { isInstalled } from "../../shell/desk.ts";
import { hasOpenssl, makeCertificate } from "../../support/certificates.ts";
import { freePort } from "../../support/console.ts";
import { builtDesk, type Serving, serveBuilt } from "../built.ts";

const dispatcher = getGlobalDispatcher();
afterAll(() => setGlobalDispatcher(dispatcher));

const hasNginx = isInstalled("nginx", "a server behind the nginx of docs/deploy");
const { home, env, ok, acct } = builtDesk();
const at = (name: string) => join(home, name);
const page = readFileSync(join(import.meta.dirname, "../../../docs/deploy/nginx.conf"), "utf8");

interface Site {
  readonly nginx: ChildProcess;
  readonly served: Serving;
  readonly port: number;
  readonly origin: string;
}

/** Starts a server, and nginx before it, until the test ends. */
async function site(): Promise<Site> {
  const [plain, port, behind] = [await freePort(), await freePort(), await freePort()];
  const origin = `https://127.0.0.1:${port}`;
  const words = ["--book", at("quay.acct"), "--port", String(behind), "--pages"];
  // The clients of these tests are on this machine, whose other addresses are no proxies.
  words.push("--trusted-proxies", "127.0.0.1");
  const served = await serveBuilt([...words, "--no-rate-limit", "--public-url", origin], env);
  const folders = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  const places = folders.map((each) => `${each}_temp_path ${at(each)};`).join(" ");
  writeFileSync(
    at("nginx.conf"),
    `daemon off; pid ${at("nginx.pid")}; error_log stderr crit; ${page
      .replace("http {", `http { access_log off; ${places}`)
      .replace("listen 80;", `listen 127.0.0.1:${plain};`)
      .replace("listen 443 ssl;", `listen 127.0.0.1:${port} ssl;`)
      .replace("acct:9320", `127.0.0.1:${behind}`)
      .replaceAll("/run/secrets", home)}`,
  );
  const run = ["-p", home, "-e", "stderr", "-c", at("nginx.conf")];
  const nginx = spawn("nginx", run, { stdio: ["ignore", "ignore", "inherit"] });
  onTestFinished(async () => {
    const ended = once(nginx, "exit");
    nginx.kill("SIGTERM");
    await ended;
  });
  const answers = () => ask(port, "/health").then(({ status }) => status);
  await expect.poll(answers, { timeout: 600_000 }).toBe(200);
  return { nginx, served, port, origin };
}

/** Sends a request on a connection of its own, from an address of this machine. */
async function ask(
  port: number,
  path: string,
  { from = "127.0.0.1", headers = {} }: { from?: string; headers?: Record<string, string> } = {},
) {
  const ca = readFileSync(at("tls-cert.pem"));
  const options = { host: "127.0.0.1", port, path, headers, localAddress: from, ca, agent: false };
  const outgoing = request(options);
  outgoing.end();
  const [answer] = await once(outgoing, "response");
  answer.resume();
  await once(answer, "end");
  return { status: answer.statusCode, headers: answer.headers };
}

describe.skipIf(!hasNginx || !hasOpenssl)("a server behind the nginx of docs/deploy", () => {
  beforeAll(() => {
    ok(["init", "--name", "Quay", "--country", "NZ", "--book", at("quay.acct")]);
    makeCertificate(home, "tls");
    renameSync(at("tls.pem"), at("tls-cert.pem"));
    renameSync(at("tls.key"), at("tls-key.pem"));
    chmodSync(home, 0o755);
    mkdirSync(at("proxy"), { recursive: true });
  });

  test("5,000 requests over 20 reloads of nginx and of the server all succeed", async () => {
    const { nginx, served, port } = await site();
    const book = ["--book", at("quay.acct")];
    ok(["app", "add", "Till", "--kind", "machine", ...book]);
    const authorization = `Bearer ${ok(["app", "token", "Till", ...book]).trim()}`;
    const statuses = new Map<number | undefined, number>();
    let sent = 0;
    const client = async () => {
      while (sent < 5_000) {
        sent += 1;
        if (sent % 250 === 0) nginx.kill("SIGHUP");
        if (sent % 250 === 125) served.process.kill("SIGHUP");
        const { status } = await ask(port, "/api.xro/2.0/Organisation", {
          headers: { authorization, accept: "application/json" },
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    await Promise.all(Array.from({ length: 8 }, client));
    expect([...statuses.keys()]).toEqual([200]);
    expect(served.said().match(/Settings are as before/g)).toHaveLength(20);
  });

  test("a wrong password is counted against the address that nginx saw, whatever the client claims", async () => {
    const email = "ana@heron.example";
    const secret = "kiln-and-clay-and-glaze";
    const add = ["user", "add", email, "--role", "standard", "--password-stdin"];
    expect(acct([...add, "--book", at("quay.acct")], {}, secret).status).toBe(0);
    const { origin } = await site();
    const ca = readFileSync(at("tls-cert.pem"));
    const tried = async (localAddress: string, password: string, claimed: string) => {
      setGlobalDispatcher(new Agent({ localAddress, connect: { ca } }));
      const browser = new Browser(origin);
      const form = await browser.open(`${origin}/me`);
      expect(form.headers.get("strict-transport-security")).toBe("max-age=31536000");
      const typed = [["email", email] as const, ["password", password] as const];
      const shown = await browser.submit(form, typed, { "x-forwarded-for": claimed });
      return shown.status;
    };
    expect(await tried("127.0.0.2", "wrong", "192.0.2.7")).toBe(400);
    expect(await tried("127.0.0.3", "wrong again", "127.0.0.2")).toBe(400);
    expect(await tried("127.0.0.3", secret, "192.0.2.7")).toBe(200);
    const list = ["audit", "list", "--kind", "sign-in.failed", "-o", "json"];
    const entries: { Address: string }[] = JSON.parse(ok([...list, "--book", at("quay.acct")]));
    expect(entries.map(({ Address }) => Address)).toEqual(["127.0.0.3", "127.0.0.2"]);
  });
});
