/** Certificates and keys as a server reads them. */
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readCertificate } from "../../src/platform/certificate.ts";
import { hasOpenssl, lockKey, makeCertificate } from "../support/certificates.ts";

const folder = mkdtempSync(join(tmpdir(), "acct-certificate-"));
const at = (name: string) => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true }));

function read(cert: string, key: string, isCredential = false, now = Date.now()) {
  return readCertificate({ cert: at(cert), key: at(key), isCredential }, now);
}

/** Writes files one after the other into another. */
function joined(to: string, ...names: string[]): void {
  writeFileSync(at(to), names.map((name) => readFileSync(at(name), "utf8")).join(""), {
    mode: 0o600,
  });
}

describe.skipIf(!hasOpenssl)("a certificate", () => {
  beforeAll(() => {
    makeCertificate(folder, "root");
    makeCertificate(folder, "own", "root");
    makeCertificate(folder, "other");
    lockKey(at("own.key"), at("locked.key"));
    joined("chain.pem", "own.pem", "root.pem");
    joined("turned.pem", "root.pem", "own.pem");
    joined("strange.pem", "own.pem", "other.pem");
    writeFileSync(at("empty.pem"), "");
    writeFileSync(
      at("damaged.pem"),
      readFileSync(at("own.pem"), "utf8").replace(/\n.{20}/, "\nAAAAAAAAAAAAAAAAAAAA"),
    );
    writeFileSync(
      at("noise.key"),
      "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
      { mode: 0o600 },
    );
    joined("open.key", "own.key");
    chmodSync(at("open.key"), 0o640);
    for (const name of ["own.key", "locked.key", "other.key"]) chmodSync(at(name), 0o600);
  });

  test("is read with those that it rests on, and says when it has ended or not begun", () => {
    expect(read("chain.pem", "own.key")).toMatchObject({
      cert: readFileSync(at("chain.pem"), "utf8"),
      key: readFileSync(at("own.key"), "utf8"),
      warning: undefined,
    });
    expect(read("own.pem", "open.key", true).warning).toBeUndefined();
    expect(read("own.pem", "own.key", false, Date.UTC(2100, 1)).warning).toMatch(/has ended on/);
    expect(read("own.pem", "own.key", false, 0).warning).toMatch(/begins on/);
  });

  test.each([
    [
      "whose key others may read",
      "own.pem",
      "open.key",
      "Others may read the key open.key (mode 640); run chmod 600 open.key.",
    ],
    [
      "with the key of another",
      "own.pem",
      "other.key",
      "The key other.key does not belong to the certificate own.pem.",
    ],
    [
      "with a key behind a passphrase",
      "own.pem",
      "locked.key",
      "The key locked.key is locked by a passphrase; openssl pkey -in locked.key -out NEW writes one that is not.",
    ],
    ["with a key that is none", "own.pem", "noise.key", "Noise.key holds no private key as PEM."],
    [
      "in a chain of the wrong order",
      "turned.pem",
      "own.key",
      "The server's own certificate is number 2 in turned.pem; put it first.",
    ],
    [
      "with a stranger behind it",
      "strange.pem",
      "own.key",
      "Certificate 2 of strange.pem did not issue number 1; each is followed by the one that issued it.",
    ],
    ["that is damaged", "damaged.pem", "own.key", "Certificate 1 of damaged.pem is damaged."],
    ["in an empty file", "empty.pem", "own.key", "Empty.pem holds no certificate as PEM."],
    ["in a file that is not there", "gone.pem", "own.key", "There is no file gone.pem."],
  ])("is refused %s", (_what, cert, key, said) => {
    let message = "";
    try {
      read(cert, key);
    } catch (error) {
      message = (error as Error).message;
    }
    expect(message.replaceAll(`${folder}/`, "").toLowerCase()).toBe(said.toLowerCase());
  });
});
