/** Random secrets, and the hashes under which they are stored. */

const crypto = () => process.getBuiltinModule("node:crypto");

const secretBytes = 32;

/** Returns 256 random bits in base64url. */
export function newSecret(): string {
  return crypto().randomBytes(secretBytes).toString("base64url");
}

/**
 * The stored form of a secret or a token. A plain hash of 256 random bits reveals nothing; salt and
 * slow hashes are for passwords.
 */
export function hashOf(secret: string): string {
  return crypto().hash("sha256", secret, "base64url");
}
