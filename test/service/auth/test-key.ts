/** One key for the tokens of all books of a test file: making it takes as long as making a book. */

import { signingKeys } from "../../../src/service/auth/keys.ts";
import { addKey, keysFor } from "../../../src/store/directory/keys.ts";
import { type Directory, directoryIn } from "../../../src/store/directory.ts";
import { sqliteDialect } from "../../../src/store/sqlite.ts";
import { openStore } from "../../../src/store/store.ts";

let made: Promise<{ readonly id: string; readonly material: string }> | undefined;

async function make() {
  const store = await openStore(sqliteDialect(":memory:"));
  const [{ id, jwk }] = await signingKeys(directoryIn(store), () => 0);
  await store.close();
  return { id, material: JSON.stringify(jwk) };
}

/** Keeps the key in a directory that has none yet. */
export async function keepTestKey(directory: Directory): Promise<void> {
  made ??= make();
  const key = await made;
  await directory.write(async (tx) => {
    if ((await keysFor(tx, "token")).length === 0) await addKey(tx, "token", key, 0);
  });
}
