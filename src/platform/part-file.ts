/**
 * Part files: a file is written under a temporary name in its folder, and renamed when complete.
 *
 * The temporary name contains the process, so that the part files of a killed process are found and
 * removed by the next.
 */
import { readdirSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const partPattern = /\.(\d+)@([^@]*)\.acct-part(-wal|-shm|-journal)?$/;

/** Age in milliseconds after which an unchanged part file counts as abandoned. */
const abandonedMs = 24 * 60 * 60 * 1000;

/** Part names in use by this process, by path. */
const pathsInWork = new Set<string>();

/** Temporary name, beside `path`, of a file that this process writes. */
export function partName(path: string): string {
  const partPath = `${path}.${process.pid}@${hostName()}.acct-part`;
  pathsInWork.add(partPath);
  return partPath;
}

/** Removes a part file or folder, with the log files of a database. */
export function removePart(partPath: string): void {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) {
    rmSync(partPath + suffix, { force: true, recursive: true });
  }
  pathsInWork.delete(partPath);
}

/**
 * Removes part files that ended processes left in the folder of `path`. Those of other machines,
 * whose processes cannot be checked, are removed when unchanged for a day.
 */
export function clearLeftovers(path: string): void {
  const folder = dirname(path);
  try {
    for (const name of readdirSync(folder)) {
      const match = partPattern.exec(name);
      if (match === null) continue;
      const partPath = join(folder, name);
      const [, pid = "", host, log = ""] = match;
      const isMine = host === hostName() && Number(pid) === process.pid;
      if (isMine && isInWork(name.slice(0, name.length - log.length))) continue;
      const hasEnded = host === hostName() && (isMine || !isRunning(Number(pid)));
      if (hasEnded || statSync(partPath).mtimeMs < Date.now() - abandonedMs)
        rmSync(partPath, { recursive: true });
    }
  } catch {
    // The folder may be missing or not ours, or another process may have removed the file first.
  }
}

function isInWork(name: string): boolean {
  return [...pathsInWork].some((partPath) => basename(partPath) === name);
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

function hostName(): string {
  // Loaded on demand: most commands write no file, and start faster without it.
  return process.getBuiltinModule("node:os").hostname().slice(0, 24);
}
