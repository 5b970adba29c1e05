/**
 * The key with which a server signs its plans, stored outside every book.
 *
 * A backup or a copy of a book thus lacks the key of its server. For book files the key is in a
 * separate file with access for its owner only; for a database it is in the directory, which
 * belongs to no organisation.
 */
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { asDiskError } from "../../platform/disk.ts";
import { directoryIn } from "../../store/directory/directory.ts";
import { addKey, keysFor } from "../../store/directory/keys.ts";
import type { Store } from "../../store/store.ts";
import type { PlanKey } from "../request/context.ts";

const keyBytes = 32;
const newKey = () => process.getBuiltinModule("node:crypto").randomBytes(keyBytes);

/**
 * Returns the key for books in files.
 *
 * @param folder  of the server, or of the person who opens a book
 */
export function planKeyInFile(folder: string): PlanKey {
  const path = join(folder, "plans.key");
  const read = () => readFileSync(path, "utf8").trim();
  return async () => {
    try {
      return read();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    }
    const ownFile = `${path}.${process.pid}`;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(ownFile, `${newKey().toString("base64")}\n`, { mode: 0o600 });
      // Of several processes that make a key at once, the first wins.
      linkSync(ownFile, path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw asDiskError(path, error);
    } finally {
      rmSync(ownFile, { force: true });
    }
    return read();
  };
}

/** Returns the key for a database. @param store  the store with the directory */
export function planKeyInDirectory(store: () => Promise<Store>, clock: () => number): PlanKey {
  return async () => {
    const directory = directoryIn(await store());
    const storedKey = async () => (await directory.read((tx) => keysFor(tx, "plan")))[0]?.material;
    const key = await storedKey();
    if (key !== undefined) return key;
    const material = newKey().toString("base64");
    await directory.write((tx) => addKey(tx, "plan", { id: "plan-1", material }, clock()));
    return (await storedKey()) ?? material;
  };
}

/** Returns a key in memory, for a book without a known place: plans end with the process. */
export function planKeyInMemory(): PlanKey {
  let key: string | undefined;
  return async () => {
    key ??= newKey().toString("base64");
    return key;
  };
}
