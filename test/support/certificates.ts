/** Certificates, made by openssl. */
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
if (!hasOpenssl) console.log("left out, because openssl is not installed: TLS of a server");

const ec = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/**
 * Makes a certificate of localhost with its key, `NAME.pem` and `NAME.key`.
 *
 * @param by  name of the certificate that issues it; itself when not given
 */
export function makeCertificate(folder: string, name: string, by?: string): void {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.pem`)];
  const issuer =
    by === undefined ? [] : ["-CA", join(folder, `${by}.pem`), "-CAkey", join(folder, `${by}.key`)];
  const names = ["-subj", `/CN=${name}`, "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1"];
  const words = ["req", "-x509", ...ec, "-days", "30", ...names, ...issuer];
  execFileSync("openssl", [...words, "-keyout", key, "-out", cert], { stdio: "pipe" });
}

/** Locks a key by a passphrase. */
export function lockKey(key: string, locked: string): void {
  const words = ["pkey", "-in", key, "-aes256", "-passout", "pass:x", "-out", locked];
  execFileSync("openssl", words, { stdio: "pipe" });
}
