/**
 * Salts of rows that tell of a person.
 *
 * The chain keeps the hash of every version of a record for good, also of one whose person was
 * erased since (`records/personal-data.ts`). Without a salt somebody who keeps a copy of the chain
 * could try names until one gives the hash. The salt is a column like others, hashed with them: it is
 * drawn at each write, and gone with the row that it stood in.
 */
import { randomBytes } from "node:crypto";

const saltBytes = 16;

/** 128 bits of chance as text. */
export function newSalt(): string {
  return randomBytes(saltBytes).toString("base64url");
}
