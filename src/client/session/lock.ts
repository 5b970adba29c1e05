/**
 * A lock between processes, which the system lets go of when its holder ends, however it ends.
 *
 * It is the write lock of an SQLite database that stays empty: a lock of the operating system on the
 * bytes of a file (`fcntl`, `LockFileEx`), so there is nothing to be left behind by `kill -9`, no
 * process id to be mistaken for another, no age to be judged by clocks that differ, and none of the
 * races in taking a lock from somebody who only seems dead. It holds between machines that share a
 * home over NFS 4 or SMB. Node brings it along; it is taken in less than a millisecond.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { UnavailableError } from "../../resources/errors.ts";

export interface LockOptions {
  /** Longest wait for another process. */
  readonly waitMaxMs: number;
  /** Gives up the waiting. */
  readonly signal?: AbortSignal | undefined;
  /** Asked before each try; true says that the lock is no longer wanted. */
  readonly isSettled?: (() => boolean) | undefined;
}

const firstPauseMs = 5;
const pauseMaxMs = 60;
/** What SQLite says of a lock that somebody else has. */
const busyCode = 5;

/**
 * Does a piece of work while no other process does.
 *
 * @returns undefined when it was settled while waiting, and the work was not done
 * @throws UnavailableError `Busy` when the lock did not come free in time
 */
export async function whileLocked<T>(
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  const lock = new DatabaseSync(path, { timeout: 0 });
  try {
    // A journal on disk could be left behind; there is nothing to undo.
    lock.exec("pragma journal_mode = memory");
    if (!(await taken(lock, path, options))) return undefined;
    return await work();
  } finally {
    lock.close();
  }
}

async function taken(lock: DatabaseSync, path: string, options: LockOptions): Promise<boolean> {
  const { waitMaxMs, signal, isSettled = () => false } = options;
  const startedMs = performance.now();
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 1.5, pauseMaxMs)) {
    signal?.throwIfAborted();
    if (isSettled()) return false;
    if (isTaken(lock)) return true;
    if (performance.now() - startedMs > waitMaxMs) {
      throw new UnavailableError(
        "Busy",
        `Another acct has held ${path} for too long; end it, or try again.`,
      );
    }
    // Those who began to wait together should not all look together.
    await setTimeout(pauseMs * (0.5 + Math.random()), undefined, { ...(signal && { signal }) });
  }
}

function isTaken(lock: DatabaseSync): boolean {
  try {
    lock.exec("begin immediate");
    return true;
  } catch (error) {
    if (((error as { errcode?: number }).errcode ?? 0) % 256 === busyCode) return false;
    throw error;
  }
}
