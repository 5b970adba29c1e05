/** Settings of the public cloud in one switch, and the certificate for its names. */
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { acct } from "../line.ts";

function home() {
  const folder = mkdtempSync(join(tmpdir(), "acct-as-cloud-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const at = (name: string) => join(folder, "acct", "dev-cert", name);
  const run = (...words: string[]) => acct(words, {}, { env: { XDG_DATA_HOME: folder } });
  const settings = async (...flags: string[]) => {
    const { stdout } = await run("serve", "--as-cloud", "--print-config", ...flags, "-o", "json");
    const rows: { key: string; value: string; from: string }[] = JSON.parse(stdout);
    return Object.fromEntries(rows.map(({ key, value, from }) => [key, `${value} (${from})`]));
  };
  return { at, run, settings };
}

test("without a certificate the cloud is not served, unless one is given", async () => {
  const { run, settings } = home();
  expect(await run("serve", "--as-cloud", "--print-config")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("make one by acct dev-cert"),
  });
  expect(await settings("--tls-cert", "own.pem", "--tls-key", "own.key")).toMatchObject({
    tlsCert: "own.pem (--tls-cert)",
    tlsKey: "own.key (--tls-key)",
    port: "443 (the cloud)",
  });
});

test("the switch sets every matter of the cloud, and what is given otherwise goes before it", async () => {
  const { at, run, settings } = home();
  await run("dev-cert");
  expect(await settings("--rate-limit-status", "503", "--port", "8443")).toMatchObject({
    publicUrl: "https://identity.xero.com (the cloud)",
    tlsCert: `${at("server.pem")} (the cloud)`,
    tlsKey: `${at("server.key")} (the cloud)`,
    pkceOptional: "true (the cloud)",
    newContacts: "true (the cloud)",
    strictDates: "true (the cloud)",
    rateLimitStatus: "503 (--rate-limit-status)",
    port: "8443 (--port)",
  });
});

test("the table that is printed stands in the docs", async () => {
  const { stdout } = await home().run("serve", "--as-cloud", "--explain", "-o", "json");
  const page = readFileSync(join(import.meta.dirname, "../../../docs/cloud.md"), "utf8");
  const cells = page.split("\n").map((line) => line.split("|").map((each) => each.trim()));
  for (const { matter, usual, cloud, flags, source } of JSON.parse(stdout)) {
    const names = (flags.match(/--[\w-]+/g) ?? []).join(" ");
    const row = [matter, usual, cloud, names === "" ? "" : `\`${names}\``, source];
    expect(cells).toContainEqual(["", ...row, ""]);
  }
});

test("keys of the certificate are for their owner alone, another is made by the same authority, and all is removed", async () => {
  const { at, run } = home();
  await run("dev-cert", "--dry-run");
  expect(existsSync(at(""))).toBe(false);
  const { code, stdout } = await run("dev-cert");
  expect(code).toBe(0);
  expect(stdout).toContain("Hosts: 127.0.0.1 login.xero.com identity.xero.com api.xero.com\n");
  expect(stdout).toContain(`NODE_EXTRA_CA_CERTS='${at("authority.pem")}'`);
  const read = () => ["authority.pem", "server.pem"].map((name) => readFileSync(at(name), "utf8"));
  const [authority, server] = read();
  await run("dev-cert");
  const [again, other] = read();
  expect(again).toBe(authority);
  expect(other).not.toBe(server);
  for (const key of ["authority.key", "server.key"]) {
    expect(statSync(at(key)).mode & 0o777).toBe(0o600);
  }
  expect((await run("dev-cert", "--remove")).stdout).toBe(`Removed ${at("")}.\n`);
  expect(existsSync(at(""))).toBe(false);
  expect((await run("dev-cert", "--remove")).stdout).toMatch(/^There is no certificate/);
});
