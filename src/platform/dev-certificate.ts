/**
 * Certificates for development: an authority of one's own, and what it issues.
 *
 * The few fields that they have are written here as DER: libraries for it bring a dozen packages, and
 * the one constraint that matters, by name, has to be written by hand all the same.
 *
 * @source RFC 5280, section 4; ITU-T X.690
 */
import {
  createHash,
  createPrivateKey,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from "node:crypto";
import type { Certificate } from "./certificate.ts";

const dayMs = 86_400_000;

/** Object identifiers in DER. */
const oids = {
  ecdsaWithSha256: "06082a8648ce3d040302",
  commonName: "0603550403",
  subjectKeyId: "0603551d0e",
  keyUsage: "0603551d0f",
  alternativeNames: "0603551d11",
  basicConstraints: "0603551d13",
  nameConstraints: "0603551d1e",
  authorityKeyId: "0603551d23",
  extendedKeyUsage: "0603551d25",
  serverAuthentication: "06082b06010505070301",
} as const;

const hex = (text: string) => Buffer.from(text, "hex");
const oid = (name: keyof typeof oids) => hex(oids[name]);

/** One value with its tag and its length, which is in the shortest form: some readers take no other. */
function toDer(tagAt: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const { length } = body;
  const long = length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tagAt, ...(length < 0x80 ? [length] : long)]), body]);
}

const sequence = (...parts: readonly Uint8Array[]) => toDer(0x30, ...parts);
const octets = (...parts: readonly Uint8Array[]) => toDer(0x04, ...parts);
const bits = (body: Uint8Array, unusedBits = 0) => toDer(0x03, Buffer.from([unusedBits]), body);

const extension = (name: keyof typeof oids, value: Uint8Array, isCritical = true) =>
  sequence(oid(name), ...(isCritical ? [hex("0101ff")] : []), octets(value));

const nameOf = (commonName: string) =>
  sequence(toDer(0x31, sequence(oid("commonName"), toDer(0x0c, Buffer.from(commonName)))));

/** A moment in seconds: with two digits for the year until 2049. */
function momentOf(ms: number): Buffer {
  const text = `${new Date(ms).toISOString().slice(0, 19).replace(/\D/g, "")}Z`;
  return text < "2050" ? toDer(0x17, Buffer.from(text.slice(2))) : toDer(0x18, Buffer.from(text));
}

const hostNames = (hosts: readonly string[]) => hosts.map((host) => toDer(0x82, Buffer.from(host)));
const loopback4 = "7f000001";
const loopback6 = "00000000000000000000000000000001";

/** All that may stand in a certificate of the authority: these hosts, and addresses of loopback. */
function constraintsOf(hosts: readonly string[]): Buffer {
  const addresses = [hex("7f000000ff000000"), hex(`${loopback6}${"ff".repeat(16)}`)];
  const permitted = [...hostNames(hosts), ...addresses.map((address) => toDer(0x87, address))];
  return sequence(toDer(0xa0, ...permitted.map((each) => sequence(each))));
}

interface CertificateRequest {
  readonly subject: string;
  readonly issuer: string;
  /** Key of the issuer. */
  readonly by: KeyObject;
  readonly days: number;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  readonly extensions: readonly Uint8Array[];
}

const algorithm = sequence(oid("ecdsaWithSha256"));

/** Makes a certificate of a public key, as PEM. */
function certify(spki: Uint8Array, { subject, issuer, by, ...more }: CertificateRequest): string {
  const serial = randomBytes(16);
  // A positive number without zeros before it.
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const { now, days } = more;
  const body = sequence(
    toDer(0xa0, hex("020102")),
    toDer(0x02, serial),
    algorithm,
    nameOf(issuer),
    // Clocks of clients may be behind.
    sequence(momentOf(now - dayMs), momentOf(now + days * dayMs)),
    nameOf(subject),
    spki,
    toDer(0xa3, sequence(...more.extensions)),
  );
  const certificate = sequence(body, algorithm, bits(sign("sha256", body, by)));
  const lines = certificate.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

function newKey() {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const spki = publicKey.export({ type: "spki", format: "der" });
  const key = privateKey.export({ type: "pkcs8", format: "pem" }) as string;
  return { spki, key, privateKey, id: idOf(spki) };
}

const idOf = (spki: Uint8Array) => createHash("sha256").update(spki).digest().subarray(0, 20);

const authorityDays = 3_650;
/** Certificates of servers count for a year: some clients refuse longer ones. */
const serverDays = 365;
const authorityName = "acct development authority";

/**
 * Makes an authority that can issue certificates of these hosts and of loopback alone, so that a stolen
 * key of it is good for nothing else.
 *
 * @param hosts  DNS names
 * @param now    milliseconds since 1970 UTC
 */
export function makeAuthority(hosts: readonly string[], now: number): Certificate {
  const { spki, key, privateKey, id } = newKey();
  const extensions = [
    extension("basicConstraints", sequence(hex("0101ff"), hex("020100"))),
    // Signs certificates, and nothing else.
    extension("keyUsage", bits(hex("04"), 2)),
    extension("nameConstraints", constraintsOf(hosts)),
    extension("subjectKeyId", octets(id), false),
  ];
  // Several authorities of one machine are told apart by their names.
  const subject = `${authorityName} ${id.toString("hex").slice(0, 8)}`;
  const from = { subject, issuer: subject, by: privateKey, days: authorityDays };
  return { key, cert: certify(spki, { ...from, now, extensions }) };
}

/** Makes a certificate of a server with these hosts and loopback, issued by an authority. */
export function issue(authority: Certificate, hosts: readonly string[], now: number): Certificate {
  const { subject: authoritySubject, publicKey } = new X509Certificate(authority.cert);
  const issuerId = idOf(publicKey.export({ type: "spki", format: "der" }));
  const { spki, key, id } = newKey();
  const addresses = [loopback4, loopback6].map((text) => toDer(0x87, hex(text)));
  const extensions = [
    extension("basicConstraints", sequence()),
    extension("keyUsage", bits(hex("80"), 7)),
    extension("extendedKeyUsage", sequence(oid("serverAuthentication")), false),
    extension("alternativeNames", sequence(...hostNames(hosts), ...addresses), false),
    extension("subjectKeyId", octets(id), false),
    extension("authorityKeyId", sequence(toDer(0x80, issuerId)), false),
  ];
  const from = { subject: hosts[0] ?? "", issuer: authoritySubject.replace(/^CN=/, "") };
  const by = createPrivateKey(authority.key);
  return { key, cert: certify(spki, { ...from, by, days: serverDays, now, extensions }) };
}
