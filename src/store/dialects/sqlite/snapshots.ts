/**
 * Snapshots of several databases at one moment: the directory of a server and the books beside it.
 *
 * All are locked for writing together while a read transaction begins on each. So a write made
 * after another one, even in another file, is never in the snapshots without it.
 */
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { UnavailableError } from "../../../resources/errors.ts";
import { codeOf } from "./sqlite.ts";
import { explainDiskError, isBusy, pagesMax } from "./sqlite-file.ts";

/**
 * Timeout for the lock of one database; a writer that holds it blocks the others no longer than
 * this.
 */
const lockWaitMs = 100;
const triesMax = 300;
const pauseMaxMs = 200;
const cannotOpen = 14;

export interface Snapshots {
  readonly paths: readonly string[];
  /**
   * Copies one database to an empty file.
   * @throws DiskError
   */
  copy(path: string, to: string): Promise<void>;
  close(): void;
}

/**
 * Takes the snapshots.
 * @param list  lists the databases at present
 * @throws UnavailableError `Busy` when others hold a lock too long; DiskError
 */
export async function snapshotsOf(list: () => readonly string[]): Promise<Snapshots> {
  for (let attempts = 1; ; attempts += 1) {
    const readerByPath = beginTogether(list, attempts === triesMax);
    if (readerByPath !== undefined) return of(readerByPath);
    // The random pause keeps two processes that blocked each other from doing so again.
    await sleep(Math.random() * pauseMaxMs);
  }
}

/**
 * Begins a read transaction on each database.
 * @returns undefined when another try may succeed
 */
function beginTogether(
  list: () => readonly string[],
  isLast: boolean,
): ReadonlyMap<string, DatabaseSync> | undefined {
  const paths = list();
  const locks: DatabaseSync[] = [];
  const readerByPath = new Map<string, DatabaseSync>();
  let inWork = "";
  try {
    for (inWork of paths) {
      const lock = openExisting(inWork);
      locks.push(lock);
      lock.exec("begin immediate");
    }
    for (inWork of paths) {
      const reader = openExisting(inWork);
      readerByPath.set(inWork, reader);
      reader.exec("begin");
      reader.prepare("pragma user_version").get();
    }
    // A database added or removed meanwhile would not match writes made after it.
    if (list().join("\0") === paths.join("\0")) return readerByPath;
  } catch (error) {
    closeAll(readerByPath.values());
    const isMissing = codeOf(error) === cannotOpen && !list().includes(inWork);
    if (!isBusy(error) && !isMissing) throw explainDiskError(inWork, error);
    if (!isLast) return undefined;
    const message = `${inWork} is in use by another program that does not let go of it; try again.`;
    throw new UnavailableError("Busy", message, { cause: error });
  } finally {
    closeAll(locks);
  }
  closeAll(readerByPath.values());
  if (!isLast) return undefined;
  throw new UnavailableError("Busy", "Books come and go all the time; try again.");
}

/** Opens an existing file; a missing one is not created. */
function openExisting(path: string): DatabaseSync {
  const url = pathToFileURL(path);
  url.search = "mode=rw";
  return new DatabaseSync(url, { timeout: lockWaitMs });
}

function of(readerByPath: ReadonlyMap<string, DatabaseSync>): Snapshots {
  return {
    paths: [...readerByPath.keys()],
    async copy(path, to) {
      try {
        await backup(readerByPath.get(path) as DatabaseSync, to, { rate: pagesMax });
      } catch (error) {
        throw explainDiskError(to, error);
      }
    },
    close: () => closeAll(readerByPath.values()),
  };
}

function closeAll(databases: Iterable<DatabaseSync>): void {
  for (const databaseSync of databases) databaseSync.close();
}
