/** The files to run the service from, read by the programs that they are for. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { runBuilt, serveBuilt } from "../cli/built.ts";
import { isInstalled } from "../shell/desk.ts";

const place = mkdtempSync(join(tmpdir(), "acct-deploy-"));
afterAll(() => rmSync(place, { recursive: true }));
cpSync(join(import.meta.dirname, "../../docs/deploy"), place, { recursive: true });
const fileOf = (name: string) => join(place, name);

/** Puts a certificate where nginx is told that it is, and an address of this machine for acct. */
function prepareProxy(): void {
  const [certificate, key] = [fileOf("tls-cert.pem"), fileOf("tls-key.pem")];
  const made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=books.example"];
  execFileSync("openssl", [...made, "-keyout", key, "-out", certificate], { stdio: "pipe" });
  const text = readFileSync(fileOf("nginx.conf"), "utf8");
  writeFileSync(
    fileOf("nginx.conf"),
    text.replaceAll("/run/secrets", place).replace("//acct:", "//127.0.0.1:"),
  );
}

test.each([
  ["docker-compose", "compose.yaml", ["-f", fileOf("compose.yaml"), "config", "--quiet"]],
  ["haproxy", "patroni/haproxy.cfg", ["-c", "-f", fileOf("patroni/haproxy.cfg")]],
  ["nginx", "nginx.conf", ["-t", "-e", "stderr", "-c", fileOf("nginx.conf")]],
])("%s takes docs/deploy/%s", (program, file, words) => {
  if (!isInstalled(program, `docs/deploy/${file}, read by it`)) return;
  if (program === "nginx") prepareProxy();
  const { status, stderr } = spawnSync(program, words, { encoding: "utf8" });
  expect(status, stderr).toBe(0);
});

test("the container's check of health tells a server that is ready from one that is gone", async () => {
  const [, text = ""] =
    /^HEALTHCHECK .*CMD (\[.*\])$/m.exec(readFileSync(fileOf("Containerfile"), "utf8")) ?? [];
  const [program, ...words] = JSON.parse(text) as [string, ...string[]];
  const env = { HOME: place, PATH: process.env.PATH ?? "" };
  runBuilt(["init", "--name", "Quay", "--country", "NZ"], env);
  const { baseUrl, process: server, ended } = await serveBuilt(["--port", "0"], env);
  const ask = () => {
    const asked = words.map((word) => word.replace("9320", new URL(baseUrl).port));
    return spawnSync(program, asked, { stdio: "ignore" }).status;
  };
  expect(ask()).toBe(0);
  server.kill("SIGTERM");
  await ended;
  expect(ask()).not.toBe(0);
});
