import { once } from "node:events";
import { existsSync, watch } from "node:fs";
import { dirname } from "node:path";

/** Returns when there is a file at a path, whose folder is there already. */
export async function fileMade(path: string): Promise<void> {
  const watcher = watch(dirname(path));
  try {
    while (!existsSync(path)) await once(watcher, "change");
  } finally {
    watcher.close();
  }
}
