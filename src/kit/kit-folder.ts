/** The folder of a server for tests, which goes with its process, and the books that are kept longer. */
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cacheDir } from "../platform/user-folders.ts";
import { build, version } from "../platform/version.ts";

const folderName = /^acct-kit-(\d+)-/;

/** Makes a folder for this process alone, and removes those of processes that are gone. */
export function makeKitFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const pid = Number(folderName.exec(name)?.[1] ?? process.pid);
    if (pid === process.pid || isAlive(pid)) continue;
    // Another start may remove it at the same time.
    rmSync(join(tmpdir(), name), { recursive: true, force: true });
  }
  return mkdtempSync(join(tmpdir(), `acct-kit-${process.pid}-`));
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user is alive, and its folder is not ours.
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

const keptMs = 30 * 86_400_000;

/**
 * Makes a book, or copies the one that was made from the same beginning by this build. Run from its
 * sources, the program has no build, and keeps none.
 *
 * @param beginning  all that the book follows from
 * @param make       makes the file at `path`
 */
export async function makeOrCopy(
  path: string,
  beginning: readonly unknown[],
  make: () => Promise<void>,
): Promise<void> {
  if (build === version) return make();
  const { hash } = process.getBuiltinModule("node:crypto");
  const folder = join(cacheDir(process.env), "seeds");
  const kept = join(folder, `${hash("sha256", JSON.stringify([build, ...beginning]))}.acct`);
  try {
    return copyFileSync(kept, path);
  } catch {
    await make();
  }
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    for (const name of readdirSync(folder)) {
      const file = join(folder, name);
      if (Date.now() - statSync(file).mtimeMs > keptMs) rmSync(file);
    }
    // Another start may read it while it is written.
    copyFileSync(path, `${kept}.${process.pid}`);
    renameSync(`${kept}.${process.pid}`, kept);
  } catch {
    // A cache that cannot be written is done without.
  }
}
