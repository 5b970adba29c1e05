/**
 * Salts of rows with personal data.
 *
 * The chain keeps the hash of every version of a record for good, even after the person was erased
 * (`records/personal-data.ts`). Without a salt somebody with a copy of the chain could try names
 * until one gives the hash. The salt is a column like others and hashed with them: it is drawn at
 * each write, and deleted with its row.
 */
const saltBytes = 16;

/** Makes a salt: 128 random bits as text. */
export function newSalt(): string {
  // Accessed here alone, since `node:crypto` takes 2 ms to load, and reading needs no salt.
  return process.getBuiltinModule("node:crypto").randomBytes(saltBytes).toString("base64url");
}
