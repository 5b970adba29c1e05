/** Secrets that nobody can guess, and what is kept of them. */

const crypto = () => process.getBuiltinModule("node:crypto");

const secretBytes = 32;

/** 256 bits of chance, in the letters of base64url. */
export function newSecret(): string {
  return crypto().randomBytes(secretBytes).toString("base64url");
}

/**
 * What the store keeps of a secret or a token. Of 256 bits of chance a plain hash tells nothing;
 * salt and slowness are for what people choose.
 */
export function hashOf(secret: string): string {
  return crypto().hash("sha256", secret, "base64url");
}
