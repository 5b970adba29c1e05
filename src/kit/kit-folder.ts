/** The folder of a server for tests, which goes with its process. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
