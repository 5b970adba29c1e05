/** With what a server signs its tokens: made when first needed, and kept in the directory. */
import type { JsonWebKey, KeyObject } from "node:crypto";
import { addKey, keysFor } from "../../store/directory/keys.ts";
import type { Directory } from "../../store/directory.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

export interface SigningKey {
  readonly id: string;
  /** With `kid`, `use` and `alg`. */
  readonly jwk: JsonWebKey & { readonly kid: string };
}

const modulusBits = 2048;

/** The keys by which tokens are signed, the one to sign with first. */
export async function signingKeys(
  directory: Directory,
  clock: () => number,
): Promise<readonly [SigningKey, ...SigningKey[]]> {
  const known = await directory.read((tx) => keysFor(tx, "token"));
  const [first, ...others] = known.map(keyOf);
  if (first !== undefined) return [first, ...others];
  const { promisify } = process.getBuiltinModule("node:util");
  const { privateKey } = await promisify(crypto().generateKeyPair)("rsa", {
    modulusLength: modulusBits,
  });
  const id = crypto().randomUUID();
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: id, use: "sig", alg: "RS256" };
  await directory.write(async (tx) => {
    // Another process may have been faster; where both were, both keys count.
    if ((await keysFor(tx, "token")).length > 0) return;
    await addKey(tx, "token", { id, material: JSON.stringify(jwk) }, clock());
  });
  return signingKeys(directory, clock);
}

function keyOf({ id, material }: { readonly id: string; readonly material: string }): SigningKey {
  return { id, jwk: JSON.parse(material) };
}

/** Secrets that sign cookies, the one to sign with first. */
export async function cookieKeys(directory: Directory, clock: () => number): Promise<string[]> {
  const known = await directory.read((tx) => keysFor(tx, "cookie"));
  if (known.length > 0) return known.map(({ material }) => material);
  const material = crypto().randomBytes(32).toString("base64url");
  const id = crypto().randomUUID();
  await directory.write(async (tx) => {
    if ((await keysFor(tx, "cookie")).length > 0) return;
    await addKey(tx, "cookie", { id, material }, clock());
  });
  return cookieKeys(directory, clock);
}

/** A private key to sign with, of which the public half verifies. */
export function keyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPrivateKey({ key: jwk, format: "jwk" });
}

export function publicKeyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPublicKey({ key: jwk, format: "jwk" });
}
