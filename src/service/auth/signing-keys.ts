/**
 * The keys with which a server signs tokens: made at first use, and stored in the directory. A key
 * that another has replaced is taken until its last token is over.
 */
import type { JsonWebKey, KeyObject } from "node:crypto";
import type { Directory } from "../../store/directory/directory.ts";
import { addKey, type DirectoryKey, keysFor } from "../../store/directory/keys.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

/** A private key, with `kid`, `use` and `alg`. */
export type SigningKey = JsonWebKey & { readonly kid: string };

/** Lifetime of an access token. @source spec of the API, section "Token endpoint" */
export const accessTokenLifeMs = 30 * 60_000;
const modulusBits = 2048;
/** How often a process reads the keys again. */
export const keysReadMs = 60_000;
/** Time between publication and first use of a new key, in which every process reads it. */
export const leadMs = 2 * keysReadMs;
/** Time for which a replaced key remains valid: the lifetime of its last tokens. */
export const overlapMs = 2 * leadMs + accessTokenLifeMs;

/** Returns the keys of token signatures, the current signing key first. */
export async function signingKeys(
  directory: Directory,
  clock: () => number,
): Promise<readonly [SigningKey, ...SigningKey[]]> {
  const [first, ...others] = await validSigningKeys(directory, clock);
  if (first !== undefined) return [first, ...others];
  const key = await newKey();
  await directory.write((tx) => addKey(tx, "token", { ...key, id: "token-1" }, clock()));
  return signingKeys(directory, clock);
}

/** Returns the keys with valid tokens, the current signing key first; empty before the first key. */
export async function validSigningKeys(
  directory: Directory,
  clock: () => number,
): Promise<readonly SigningKey[]> {
  const now = clock();
  const keys = (await directory.read((tx) => keysFor(tx, "token"))).filter(isCounting(now));
  const signs = keys.find(({ createdAt }) => createdAt + leadMs <= now) ?? keys.at(-1);
  const otherKeys = keys.filter((directoryKey) => directoryKey !== signs);
  return [...(signs === undefined ? [] : [signs]), ...otherKeys].map(({ material }) =>
    JSON.parse(material),
  );
}

/** Whether a key is still valid for verification; keys are sorted newest first. */
export const isCounting =
  (now: number) =>
  (_: DirectoryKey, at: number, keys: readonly DirectoryKey[]): boolean =>
    now < (keys[at - 1]?.createdAt ?? now) + overlapMs;

/** Makes a private key, as text. */
export async function newKey() {
  const { promisify } = process.getBuiltinModule("node:util");
  const { privateKey } = await promisify(crypto().generateKeyPair)("rsa", {
    modulusLength: modulusBits,
  });
  const id = crypto().randomUUID();
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: id, use: "sig", alg: "RS256" };
  return { id, material: JSON.stringify(jwk) };
}

/** Returns the secrets that sign cookies, the current one first. */
export async function cookieKeys(directory: Directory, clock: () => number): Promise<string[]> {
  const keys = await directory.read((tx) => keysFor(tx, "cookie"));
  if (keys.length > 0) return keys.map(({ material }) => material);
  const material = crypto().randomBytes(32).toString("base64url");
  await directory.write((tx) => addKey(tx, "cookie", { id: "cookie-1", material }, clock()));
  return cookieKeys(directory, clock);
}

/** Returns the key object of a private key, whose public half verifies signatures. */
export function keyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPrivateKey({ key: jwk, format: "jwk" });
}

export function publicKeyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPublicKey({ key: jwk, format: "jwk" });
}
