/** The certificate of a server and its key, in files. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { statSync } from "node:fs";
import { UsageError } from "../resources/errors.ts";
import { inputText } from "./input-file.ts";

/** A certificate with those that it rests on, and its key, as PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export interface CertificateFiles {
  readonly cert: string;
  readonly key: string;
  /** Whether the key is a credential of systemd, which systemd itself keeps from others. */
  readonly isCredential: boolean;
}

const bounds = { bytes: 1024 * 1024 };
const inPem = /-----BEGIN CERTIFICATE-----.*?-----END CERTIFICATE-----/gs;

/**
 * Reads a certificate chain and its key.
 *
 * @param now  milliseconds since 1970 UTC
 * @returns the pair, and a warning where the certificate does not count now
 * @throws UsageError `BadCertificate`, `NoFile`, `FileTooLarge`
 */
export function readCertificate(
  { cert, key, isCredential }: CertificateFiles,
  now: number,
): Certificate & { readonly warning: string | undefined } {
  const keyText = inputText(key, bounds);
  const mode = statSync(key).mode & 0o777;
  if (!isCredential && process.platform !== "win32" && (mode & 0o077) !== 0) {
    throw refuse(`others may read the key ${key} (mode ${mode.toString(8)}); run chmod 600 ${key}`);
  }
  const certText = inputText(cert, bounds);
  const chain = [...certText.matchAll(inPem)].map(([pem], at) =>
    orRefuse(`certificate ${at + 1} of ${cert} is damaged`, () => new X509Certificate(pem)),
  );
  const [own] = chain;
  if (own === undefined) throw refuse(`${cert} holds no certificate as PEM`);
  if (/ENCRYPTED/.test(keyText)) {
    throw refuse(
      `the key ${key} is locked by a passphrase; openssl pkey -in ${key} -out NEW writes one that is not`,
    );
  }
  const secret = orRefuse(`${key} holds no private key as PEM`, () => createPrivateKey(keyText));
  const at = chain.findIndex((x509Certificate) => x509Certificate.checkPrivateKey(secret));
  if (at < 0) throw refuse(`the key ${key} does not belong to the certificate ${cert}`);
  if (at > 0)
    throw refuse(`the server's own certificate is number ${at + 1} in ${cert}; put it first`);
  const brokenAt = chain.findIndex((x509Certificate, index) => {
    const issuer = chain[index + 1];
    return issuer !== undefined && !x509Certificate.checkIssued(issuer);
  });
  if (brokenAt >= 0) {
    const numbers = `certificate ${brokenAt + 2} of ${cert} did not issue number ${brokenAt + 1}`;
    throw refuse(`${numbers}; each is followed by the one that issued it`);
  }
  return { cert: certText, key: keyText, warning: datesOf(own, cert, now) };
}

function datesOf({ validFrom, validTo }: X509Certificate, path: string, now: number) {
  if (Date.parse(validTo) < now) return `The certificate ${path} has ended on ${validTo}.`;
  return Date.parse(validFrom) > now
    ? `The certificate ${path} begins on ${validFrom}.`
    : undefined;
}

function orRefuse<T>(fault: string, action: () => T): T {
  try {
    return action();
  } catch {
    throw refuse(fault);
  }
}

function refuse(problem: string): UsageError {
  return new UsageError("BadCertificate", `${problem.charAt(0).toUpperCase()}${problem.slice(1)}.`);
}
