/**
 * Several databases as they were at one moment: the directory of a server and the books beside it.
 *
 * All of them are locked for writing together, for as long as it takes to begin a reader on each. So
 * an act that was done after another, be it in another file, is never there without that.
 */
import { backup, DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { UnavailableError } from "../../../resources/errors.ts";
import { codeOf } from "./sqlite.ts";
import { explained, isBusy, pagesMax } from "./sqlite-file.ts";

/** A writer that has one of them keeps the others waiting no longer. */
const lockWaitMs = 100;
const triesMax = 300;
const pauseMaxMs = 200;
const cannotOpen = 14;

export interface Snapshots {
  readonly paths: readonly string[];
  /** Copies one to a file that is empty. @throws DiskError */
  copy(path: string, to: string): Promise<void>;
  close(): void;
}

/**
 * @param list  the databases that there are now
 * @throws UnavailableError `Busy` where others do not let go of them; DiskError
 */
export async function snapshotsOf(list: () => readonly string[]): Promise<Snapshots> {
  for (let tries = 1; ; tries += 1) {
    const readers = begunTogether(list, tries === triesMax);
    if (readers !== undefined) return of(readers);
    // Chance keeps two that stood in each other's way from doing so again.
    await sleep(Math.random() * pauseMaxMs);
  }
}

/** @returns undefined where another try may do */
function begunTogether(
  list: () => readonly string[],
  isLast: boolean,
): ReadonlyMap<string, DatabaseSync> | undefined {
  const paths = list();
  const locks: DatabaseSync[] = [];
  const readers = new Map<string, DatabaseSync>();
  let inWork = "";
  try {
    for (inWork of paths) {
      const lock = existing(inWork);
      locks.push(lock);
      lock.exec("begin immediate");
    }
    for (inWork of paths) {
      const reader = existing(inWork);
      readers.set(inWork, reader);
      reader.exec("begin");
      reader.prepare("pragma user_version").get();
    }
    // One that came or went meanwhile would be there or missing beside what was written after it.
    if (list().join("\0") === paths.join("\0")) return readers;
  } catch (error) {
    closeAll(readers.values());
    const isGone = codeOf(error) === cannotOpen && !list().includes(inWork);
    if (!isBusy(error) && !isGone) throw explained(inWork, error);
    if (!isLast) return undefined;
    const message = `${inWork} is in use by another program that does not let go of it; try again.`;
    throw new UnavailableError("Busy", message, { cause: error });
  } finally {
    closeAll(locks);
  }
  closeAll(readers.values());
  if (!isLast) return undefined;
  throw new UnavailableError("Busy", "Books come and go all the time; try again.");
}

/** A file that is gone is not made anew. */
function existing(path: string): DatabaseSync {
  const place = pathToFileURL(path);
  place.search = "mode=rw";
  return new DatabaseSync(place, { timeout: lockWaitMs });
}

function of(readers: ReadonlyMap<string, DatabaseSync>): Snapshots {
  return {
    paths: [...readers.keys()],
    async copy(path, to) {
      try {
        await backup(readers.get(path) as DatabaseSync, to, { rate: pagesMax });
      } catch (error) {
        throw explained(to, error);
      }
    },
    close: () => closeAll(readers.values()),
  };
}

function closeAll(open: Iterable<DatabaseSync>): void {
  for (const each of open) each.close();
}
