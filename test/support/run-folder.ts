/** The folder for everything that the tests of a run write, which goes with the run. */
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Memory as a folder, on Linux: a book there waits for no disk, whose commits are most of a short test. */
const memory = "/dev/shm";
/** Room that a run of `npm test` takes at most. */
const roomBytes = 2 ** 31;

/**
 * Makes the folder that `tmpdir()` names from now on, here and in the processes started from here:
 * a worker that is ended leaves its files behind.
 *
 * Made once: each project of a run reads the same configuration again.
 *
 * @param where  whether it may be in memory, or must be on a disk
 */
export function makeRunFolder(where: "memory" | "disk"): void {
  if (process.env.ACCT_TEST_FOLDER !== undefined) return;
  const folder = (where === "memory" ? inMemory() : undefined) ?? newFolder(tmpdir());
  // As `tmpdir()` itself: a database server that is started by root runs as another user.
  chmodSync(folder, 0o1777);
  Object.assign(process.env, { TMPDIR: folder, ACCT_TEST_FOLDER: folder });
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
}

const newFolder = (parent: string) => mkdtempSync(join(parent, "acct-tests-"));

/** A folder in memory; undefined where there is none, or too little of it, or where no program may be run. */
function inMemory(): string | undefined {
  let folder: string | undefined;
  try {
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomBytes) return undefined;
    folder = newFolder(memory);
    const program = join(folder, "program");
    writeFileSync(program, "", { mode: 0o700 });
    accessSync(program, constants.X_OK);
    rmSync(program);
    return folder;
  } catch {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** A home where nobody can make a folder: what one test remembers, no other finds. */
export const noHome = "/proc/nowhere";
