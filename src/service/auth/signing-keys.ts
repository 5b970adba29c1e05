/** The keys with which a server signs tokens: made at first use, and stored in the directory. */
import type { JsonWebKey, KeyObject } from "node:crypto";
import type { Directory } from "../../store/directory/directory.ts";
import { addKey, type KeyUse, keysFor } from "../../store/directory/keys.ts";

const crypto = () => process.getBuiltinModule("node:crypto");

/** A private key, with `kid`, `use` and `alg`. */
export type SigningKey = JsonWebKey & { readonly kid: string };

const modulusBits = 2048;

/** Returns the keys of token signatures, the current signing key first. */
export async function signingKeys(
  directory: Directory,
  clock: () => number,
): Promise<readonly [SigningKey, ...SigningKey[]]> {
  const known = await directory.read((tx) => keysFor(tx, "token"));
  const [first, ...others] = known.map(({ material }): SigningKey => JSON.parse(material));
  if (first !== undefined) return [first, ...others];
  const { promisify } = process.getBuiltinModule("node:util");
  const { privateKey } = await promisify(crypto().generateKeyPair)("rsa", {
    modulusLength: modulusBits,
  });
  const kid = crypto().randomUUID();
  const material = { ...privateKey.export({ format: "jwk" }), kid, use: "sig", alg: "RS256" };
  await addFirst(directory, clock, "token", JSON.stringify(material));
  return signingKeys(directory, clock);
}

/** Inserts the first key, unless another process was faster: then that one is used. */
function addFirst(
  directory: Directory,
  clock: () => number,
  use: KeyUse,
  material: string,
): Promise<void> {
  return directory.write((tx) => addKey(tx, use, { id: `${use}-1`, material }, clock()));
}

/** Returns the secrets that sign cookies, the current one first. */
export async function cookieKeys(directory: Directory, clock: () => number): Promise<string[]> {
  const known = await directory.read((tx) => keysFor(tx, "cookie"));
  if (known.length > 0) return known.map(({ material }) => material);
  const material = crypto().randomBytes(32).toString("base64url");
  await addFirst(directory, clock, "cookie", material);
  return cookieKeys(directory, clock);
}

/** Returns the key object of a private key, whose public half verifies signatures. */
export function keyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPrivateKey({ key: jwk, format: "jwk" });
}

export function publicKeyObject(jwk: JsonWebKey): KeyObject {
  return crypto().createPublicKey({ key: jwk, format: "jwk" });
}
