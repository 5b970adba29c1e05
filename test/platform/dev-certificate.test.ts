/** The authority and the certificates of development, as other programs read them. */
import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:tls";
import { expect, onTestFinished, test } from "vitest";
import { issue, makeAuthority } from "../../src/platform/dev-certificate.ts";
import { hasOpenssl } from "../support/certificates.ts";

const hosts = ["api.cloud.example", "localhost"];
const now = Date.now();
const authority = makeAuthority(hosts, now);

test("a certificate is of its hosts and of loopback for a year, issued by the authority", () => {
  const { cert, key } = issue(authority, hosts, now);
  const [own, by] = [new X509Certificate(cert), new X509Certificate(authority.cert)];
  for (const host of hosts) expect(own.checkHost(host)).toBe(host);
  expect(own.checkHost("other.example")).toBeUndefined();
  for (const address of ["127.0.0.1", "::1"]) expect(own.checkIP(address)).toBeDefined();
  expect(own.checkIssued(by)).toBe(true);
  expect(own.verify(by.publicKey)).toBe(true);
  expect([own.ca, by.ca]).toEqual([false, true]);
  expect(own.checkPrivateKey(createPrivateKey(key))).toBe(true);
  const days = (Date.parse(own.validTo) - now) / 86_400_000;
  expect(days).toBeGreaterThan(364);
  expect(days).toBeLessThan(366);
});

/** Bytes by which values in BER, constructed ones looked into, are longer than they need be. */
function wasteIn(bytes: Uint8Array): number {
  let waste = 0;
  for (let at = 0; at < bytes.length; ) {
    const [tag = 0, first = 0] = bytes.subarray(at, at + 2);
    const more = first < 0x80 ? 0 : first - 0x80;
    const said = Buffer.from(bytes.subarray(at + 2, at + 2 + more));
    const length = more === 0 ? first : said.readUIntBE(0, more);
    const needed = length < 0x80 ? 0 : length < 0x100 ? 1 : 2;
    waste += more - needed;
    at += 2 + more;
    if ((tag & 0x20) !== 0) waste += wasteIn(bytes.subarray(at, at + length));
    at += length;
  }
  return waste;
}

test("lengths are in the shortest form, as DER and strict readers want them", () => {
  for (const { cert } of [
    authority,
    issue(authority, hosts, now),
    issue(authority, ["a.b"], now),
  ]) {
    expect(wasteIn(new X509Certificate(cert).raw)).toBe(0);
  }
});

test("after 2049 the years of a certificate have four digits", () => {
  const later = new X509Certificate(makeAuthority(hosts, Date.UTC(2045, 5)).cert);
  expect([later.validFrom, later.validTo]).toEqual([
    expect.stringContaining("2045"),
    expect.stringContaining("2055"),
  ]);
});

/** Whether a client of Node that trusts the authority takes a certificate for a host. */
async function isTaken(pair: { cert: string; key: string }, servername: string): Promise<boolean> {
  const server = createServer(pair).listen(0, "127.0.0.1");
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ port, host: "127.0.0.1", servername, ca: authority.cert }, () => {
      socket.end();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

test("a client that trusts the authority takes its hosts, and no certificate of another host by the same key", async () => {
  expect(await isTaken(issue(authority, hosts, now), "api.cloud.example")).toBe(true);
  expect(await isTaken(issue(authority, ["bank.example"], now), "bank.example")).toBe(false);
});

test.skipIf(!hasOpenssl)("openssl takes both by its strict rules", () => {
  const folder = mkdtempSync(join(tmpdir(), "acct-dev-cert-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const ca = file("authority.pem", authority.cert);
  const verify = (name: string, names: readonly string[]) => {
    const cert = file(name, issue(authority, names, now).cert);
    return spawnSync("openssl", ["verify", "-x509_strict", "-CAfile", ca, cert]).status;
  };
  expect(verify("own.pem", hosts)).toBe(0);
  expect(verify("strange.pem", ["bank.example"])).not.toBe(0);
  const shown = execFileSync("openssl", ["x509", "-in", ca, "-noout", "-text"], {
    encoding: "utf8",
  });
  expect(shown).toMatch(/Name Constraints: critical\s+Permitted:\s+DNS:api\.cloud\.example/);
});
