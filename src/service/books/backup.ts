/**
 * Copying the file of a book to a backup, and restoring a backup in the place of a book.
 *
 * A file is made under a temporary name beside its place, and gets its name only when it is
 * verified and flushed to disk.
 */

import { copyFileSync, existsSync, linkSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { asDiskError, DiskError, flushFolder } from "../../platform/disk.ts";
import { closeAtBlockEnd } from "../../platform/disposal.ts";
import { makeFolder } from "../../platform/folder.ts";
import { RefusedError, SchemaError, UsageError } from "../../resources/errors.ts";
import {
  beginLog,
  copyPages,
  type ExaminedFile,
  endLog,
  examine,
  isDatabase,
  refuseForeign,
  refuseInUse,
  replacePages,
  versionIn,
} from "../../store/dialects/file-care.ts";
import { latestVersion } from "../../store/upgrade/state.ts";
import { type LogExtent, replay } from "./backup-log.ts";
import { nameOf, openBook, verifyBook } from "./book.ts";
import {
  bytesOf,
  createFile,
  fileExists,
  flush,
  freeName,
  makeFile,
  withPart,
} from "./file/make.ts";

export type { ExaminedFile as Examined };
export { examine, latestVersion, makeFile, versionIn };

/** A file that was made, and its contents. */
export interface BackedUp {
  readonly path: string;
  readonly bytes: number;
  /** Name of the organisation. */
  readonly name: string;
  /** Schema version. */
  readonly version: number;
  /** Verification faults, one sentence each. */
  readonly faults: readonly string[];
}

export interface RestoreResult extends BackedUp {
  /** Path of the kept former book; undefined where there was none. */
  readonly kept: string | undefined;
}

/**
 * Copies the file of a book at one moment, while others may work on the book.
 *
 * @param options.force  overwrites an existing file
 * @throws as `versionIn` and `makeFile`; RefusedError `FileExists`; UsageError `CannotWrite`
 */
export async function backUp(
  path: string,
  to: string,
  { force = false }: { readonly force?: boolean | undefined } = {},
): Promise<BackedUp> {
  const version = versionIn(path);
  refuseForeign(path);
  refuseSame(path, to);
  const isThere = isFile(to);
  if (isThere && !force) throw fileExists(to);
  if (isThere && isDatabase(to)) refuseInUse(to);
  const looked = await makeFile(to, {
    bytes: bytesToCopy(path, version),
    fill: (partPath) => copyInto(partPath, path, to),
    original: path,
    look: (partPath) => inspectBackup(partPath, path),
    name: force
      ? (partPath) => {
          renameSync(partPath, to);
          flushFolder(to);
        }
      : undefined,
  });
  return { path: to, bytes: statSync(to).size, version, ...looked };
}

export interface RestoreOptions {
  /** Preferred name for keeping the former book; a number is added if it is taken. */
  readonly kept: string;
  /** Restores a backup that does not pass verification. */
  readonly force?: boolean | undefined;
  /** Log to replay from the backup to a later moment. */
  readonly log?: LogExtent | undefined;
}

/**
 * Restores a backup in the place of a book. The former book is kept beside it.
 *
 * @throws as `versionIn` of the backup, `makeFile` and `replay`; RefusedError `DoesNotAddUp`,
 *   `NotABook` when another file is there; UnavailableError `Busy`
 */
export async function restore(
  path: string,
  from: string,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const { log } = options;
  const version = versionIn(from);
  refuseForeign(from);
  refuseSame(path, from);
  const content = contentAt(path);
  makeFolderOf(path);
  const oldName = content === "nothing" ? undefined : freeName(options.kept);
  // The former book is kept in a copy, and overwritten through its write-ahead log.
  const extraBytes = content === "book" ? bytesOf(path) + bytesOf(from) : 0;
  const looked = await makeFile(path, {
    bytes: bytesToCopy(from, version) + extraBytes + bytesIn(log),
    async fill(partPath) {
      if (log === undefined) return copyInto(partPath, from, path);
      createFile(partPath, path);
      replay(partPath, from, log);
    },
    original: from,
    look: async (partPath) => {
      const check = await verify(partPath, from);
      beginLog(partPath);
      if (check.faults.length > 0 && options.force !== true) throw damagedError(from, check.faults);
      return check;
    },
    name:
      oldName === undefined || content === "nothing"
        ? undefined
        : (partPath) => replace(content, path, partPath, oldName),
  });
  return { path, bytes: statSync(path).size, version: versionIn(path), ...looked, kept: oldName };
}

/** Maximum disk space for the largest write-ahead log beside the file. */
const bytesIn = (log: LogExtent | undefined) =>
  log?.pieces.reduce((sum, { bytes }) => sum + bytes, 0) ?? 0;

async function replace(content: "book" | "ruin", path: string, partPath: string, spare: string) {
  if (content === "ruin") {
    swap(path, partPath, spare);
    return flushFolder(path);
  }
  let isRenamed = false;
  try {
    await replacePages(path, partPath, async () => {
      await makeFile(spare, {
        bytes: 0,
        fill: (copy) => copyInto(copy, path, spare),
        isAsItIs: true,
      });
      isRenamed = true;
    });
  } catch (error) {
    // The book was not changed, so the copy is removed.
    if (isRenamed) rmSync(spare);
    throw error;
  }
  try {
    flush(path);
    flushFolder(path);
  } catch (error) {
    const trouble = asDiskError(path, error);
    if (!(trouble instanceof DiskError)) throw error;
    const message = `${trouble.message} It holds the backup already; the book before is ${spare}.`;
    throw new DiskError(trouble.code, message, { cause: error });
  }
}

/** Copies the pages of a database into a temporary file. */
async function copyInto(partPath: string, from: string, path: string): Promise<void> {
  createFile(partPath, path);
  await copyPages(from, partPath);
}

/**
 * Returns the bytes needed: a book of an older version is copied twice, to verify a migrated copy.
 */
function bytesToCopy(path: string, version: number): number {
  return bytesOf(path) * (version === latestVersion ? 1 : 3);
}

/** Returns what is at a path. @throws RefusedError `NotABook`, UsageError for a folder */
export function contentAt(path: string): "nothing" | "book" | "ruin" {
  if (!isFile(path)) return "nothing";
  if (!isDatabase(path)) return "ruin";
  try {
    versionIn(path);
  } catch (error) {
    if (!(error instanceof SchemaError && error.code === "BookTooNew")) throw error;
  }
  return "book";
}

/** Replaces a damaged file, which no process can have open as a database. */
function swap(path: string, partPath: string, oldName: string): void {
  linkSync(path, oldName);
  for (const log of ["-wal", "-shm"]) {
    if (existsSync(path + log)) renameSync(path + log, oldName + log);
  }
  renameSync(partPath, path);
}

async function inspectCopy(
  partPath: string,
  original: string,
): Promise<Pick<BackedUp, "name" | "faults">> {
  if (versionIn(partPath) === latestVersion) return verify(partPath, original);
  // Verification migrates a book, so an older one is verified in a second copy.
  return withPart(`${partPath}.newer`, async (newer) => {
    createFile(newer, newer);
    copyFileSync(partPath, newer);
    return verify(newer, original);
  });
}

/** Verifies a backup, and merges its write-ahead log, so that it is a single file. */
export async function inspectBackup(
  path: string,
  original = path,
): Promise<Pick<BackedUp, "name" | "faults">> {
  const check = await inspectCopy(path, original);
  endLog(path);
  return check;
}

/** Verifies a copy, migrating it where its version is older. @param called  its name in messages */
async function verify(path: string, called: string): Promise<Pick<BackedUp, "name" | "faults">> {
  await using book = closeAtBlockEnd(await openBook(path, { called, upgrading: { isCopy: true } }));
  return { name: await nameOf(book), faults: (await verifyBook(book)).faults };
}

/**
 * Makes the folder of a new book, with access for its owner only.
 *
 * @throws UsageError `BadFile`, DiskError
 */
export function makeFolderOf(path: string): void {
  try {
    makeFolder(dirname(path), 0o700);
  } catch (error) {
    throw asDiskError(path, error);
  }
}

function damagedError(path: string, faults: readonly string[]): RefusedError {
  const details = faults.map((message) => ({ message }));
  return new RefusedError("DoesNotAddUp", `The book in ${path} does not add up.`, details);
}

function refuseSame(path: string, otherPath: string): void {
  const [one, two] = [path, otherPath].map((text) => statSync(text, { throwIfNoEntry: false }));
  if (one === undefined || two === undefined || one.ino !== two.ino || one.dev !== two.dev) return;
  throw new UsageError("BadValue", `${otherPath} is the book itself.`);
}

function isFile(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return false;
  if (stats.isFile()) return true;
  throw new UsageError("BadValue", `${path} is no file.`);
}
