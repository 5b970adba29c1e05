/**
 * Files that are made beside their place, and get their name when they are whole.
 *
 * Their names tell the process that makes them, so that what a killed one has left behind is found
 * and removed by the next.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const partPattern = /\.(\d+)@([^@]*)\.acct-part(-wal|-shm|-journal)?$/;

/** After that, nobody is at work on a file any more that has not changed. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Of this process, by path. */
const inWork = new Set<string>();

/** The name, beside `path`, under which this process makes it. */
export function partName(path: string): string {
  const part = `${path}.${process.pid}@${machine()}.acct-part`;
  inWork.add(part);
  return part;
}

/** Removes a file or folder of that name, with the logs of a database. */
export function removePart(part: string): void {
  for (const end of ["", "-wal", "-shm", "-journal"]) {
    rmSync(part + end, { force: true, recursive: true });
  }
  inWork.delete(part);
}

/**
 * Removes from the folder of `path` what processes that are gone have left there. Those of other
 * machines, which cannot be asked, count as gone after a day.
 */
export function clearLeftovers(path: string): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder)) {
      const found = partPattern.exec(name);
      if (found === null) continue;
      const part = join(folder, name);
      const [, pid = "", host, log = ""] = found;
      const isMine = host === machine() && Number(pid) === process.pid;
      if (isMine && isInWork(name.slice(0, name.length - log.length))) continue;
      const isGone = host === machine() && (isMine || !isRunning(Number(pid)));
      if (isGone || statSync(part).mtimeMs < Date.now() - abandonedMs)
        rmSync(part, { recursive: true });
    }
  } catch {
    // The folder may not be there, or not be ours; another process may have been faster.
  }
}

function isInWork(name: string): boolean {
  return [...inWork].some((part) => basename(part) === name);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function machine(): string {
  // Loaded only here: most commands make no file, and start sooner without it.
  return process.getBuiltinModule("node:os").hostname().slice(0, 24);
}
