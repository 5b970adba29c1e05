/**
 * A lock between processes, which the operating system releases when its holder exits for any
 * reason.
 *
 * It is the write lock of an empty SQLite database: a lock on the bytes of a file (`fcntl`,
 * `LockFileEx`). So `kill -9` leaves nothing behind, no process id can be reused by another
 * process, no clock has to be compared, and there is no race in taking over a stale lock. It works
 * between machines that share a home folder over NFS 4 or SMB, is part of Node, and takes less than
 * a millisecond.
 */
import { closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import { UnavailableError } from "../../resources/errors.ts";

export interface LockOptions {
  /** Maximum wait for another process, in milliseconds. */
  readonly waitMaxMs: number;
  /** Aborts the wait. */
  readonly signal?: AbortSignal | undefined;
  /** Called before each attempt; true means that the lock is no longer needed. */
  readonly isSettled?: (() => boolean) | undefined;
}

const firstPauseMs = 5;
const pauseMaxMs = 60;
/** Error code of SQLite for a lock held by another connection. */
const busyCode = 5;

/**
 * Runs work while no other process holds the lock.
 *
 * @returns undefined when `isSettled` made the work unnecessary during the wait
 * @throws UnavailableError `Busy` when the lock was not released in time
 */
export async function whileLocked<T>(
  path: string,
  options: LockOptions,
  action: () => Promise<T>,
): Promise<T | undefined> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  closeSync(openSync(path, "a", 0o600));
  using lock = new DatabaseSync(path, { timeout: 0 });
  // A journal on disk could be left behind; there is nothing to roll back.
  lock.exec("pragma journal_mode = memory");
  if (!(await tryLock(lock, path, options))) return undefined;
  return await action();
}

async function tryLock(lock: DatabaseSync, path: string, options: LockOptions): Promise<boolean> {
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
    // Random pauses keep waiting processes from retrying at the same moment.
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
