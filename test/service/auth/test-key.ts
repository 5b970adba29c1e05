/** One key for the tokens of all books of a test file: making it takes as long as making a book. */

import { signingKeys } from "../../../src/service/auth/signing-keys.ts";
import { sqliteDialect } from "../../../src/store/dialects/sqlite/sqlite.ts";
import { type Directory, directoryIn } from "../../../src/store/directory/directory.ts";
import { addKey } from "../../../src/store/directory/keys.ts";
import { openStore } from "../../../src/store/store.ts";

let made: Promise<{ readonly id: string; readonly material: string }> | undefined;

async function make() {
  const store = await openStore(sqliteDialect(":memory:"));
  const [key] = await signingKeys(directoryIn(store), () => 0);
  await store.close();
  return { id: "token-1", material: JSON.stringify(key) };
}

/** Keeps the key in a directory that has none yet. */
export async function keepTestKey(directory: Directory): Promise<void> {
  made ??= make();
  const key = await made;
  await directory.write((tx) => addKey(tx, "token", key, 0));
}
